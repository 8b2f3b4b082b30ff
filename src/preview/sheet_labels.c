/* sheet_labels: draws the labels of a sample over its picture. */
#include "preview/sheet_labels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DARK "#101214"

static const struct svg_ink nothing = { DARK, 0 };
static const struct svg_ink halo = { DARK, 0.6 }; /* keeps lines visible on any background */

static const struct svg_letters tag_letters = { .size = 10.5, .colour = "#ffffff" };
static const double TAG_HEIGHT = 14, TAG_BAR = 3, TAG_PAD = 3;

/* --- colours --- */

uint32_t sheet_colour(size_t n, unsigned shade)
{
    static const uint32_t palette[] = {
        0xff4d5e, 0x3ddc5a, 0xffd92e, 0x4d8dff, 0xff8f2e, 0xb65cff, 0x2fd9e8,
        0xff5cd6, 0xb7f04a, 0x1fa89a, 0xff9ec2, 0xc9b6ff, 0xc07a3a, 0xf3eab0,
        0x8ff0b8, 0xb3a52f, 0xffc896, 0x6f6cff, 0x9fd3ff, 0xd0458a,
    };
    uint32_t colour = palette[n % COUNTOF(palette)], out = 0;

    shade = (unsigned)((n / COUNTOF(palette) + shade) % 3);
    for (int shift = 16; shift >= 0; shift -= 8) {
        uint32_t c = colour >> shift & 0xff;

        c = shade == 1 ? c + (255 - c) * 50 / 100 : shade == 2 ? c * 78 / 100 : c;
        out |= c << shift;
    }
    return out;
}

/* The side of a body to which a keypoint belongs, by its name or by its place in a pair. */
enum side { SIDE_NONE, SIDE_LEFT, SIDE_RIGHT };

static const char *const side_colour[] = { "#ffffff", "#35d0ff", "#ffa31a" };

static enum side side_of(const struct category *c, size_t keypoint)
{
    const char *name =
        c && c->keypoint_name && keypoint < c->n_keypoints ? c->keypoint_name[keypoint] : NULL;

    if (name && strcasestr(name, "left"))
        return SIDE_LEFT;
    if (name && strcasestr(name, "right"))
        return SIDE_RIGHT;
    if (!c || keypoint >= c->n_mirror || c->mirror[keypoint] == keypoint)
        return SIDE_NONE;
    return keypoint < c->mirror[keypoint] ? SIDE_LEFT : SIDE_RIGHT;
}

/* --- one cell --- */

struct drawn_object {
    const struct object *object;
    char colour[8];
    struct box box; /* its visible part on the sheet */
    double area;
};

struct cell {
    const struct sample *sample;
    const struct view *view;
    struct mat3 map; /* from the sample's frame to the sheet */
    struct text *svg;
    struct drawn_object *objects; /* the largest first, so that small ones are drawn on top */
    size_t n_objects;
    struct box *tags;
    size_t n_tags;
};

static struct box map_box(const struct cell *c, struct box b)
{
    struct point p = mat3_apply(&c->map, (struct point){ b.x0, b.y0 });
    struct point q = mat3_apply(&c->map, (struct point){ b.x1, b.y1 });

    return (struct box){ p.x, p.y, q.x, q.y };
}

static struct rings rings_of(const struct cell *c, const struct object *o)
{
    struct arena *arena = c->sample->arena;
    struct rings rings = { 0 };
    bool *hole;

    if (o->segmentation == SEGMENTATION_RLE)
        rings = rle_to_rings(arena, &o->rle, &hole);
    else if (o->segmentation == SEGMENTATION_POLYGONS)
        rings = rings_copy(arena, &o->rings);
    rings_apply(&rings, &c->map);
    return rings;
}

static void draw_segmentation(const struct cell *c, const struct drawn_object *d)
{
    const struct object *o = d->object;
    struct rings rings = rings_of(c, o);
    struct svg_ink fill = { d->colour, c->view->opacity * (o->crowd ? 0.65 : 1) };
    struct svg_ink line = { d->colour, 0.95 };
    size_t step = o->segmentation == SEGMENTATION_RLE ? rings.n : 1; /* polygons are joined by OR */

    for (size_t i = 0; i < rings.n; i += step) {
        struct rings part = { rings.ring + i, step };

        svg_rings(c->svg, &part, fill, halo, 2.8, false);
        svg_rings(c->svg, &part, nothing, line, 1.4, o->crowd || o->final.dropped);
    }
}

static void draw_box(const struct cell *c, const struct drawn_object *d)
{
    struct ring ring = ring_of_box(c->sample->arena, map_box(c, d->object->final.box));
    struct rings rings = { &ring, 1 };

    svg_rings(c->svg, &rings, nothing, halo, 3.4, false);
    svg_rings(c->svg, &rings, nothing, (struct svg_ink){ d->colour, 1 }, 1.6,
              d->object->crowd || d->object->final.dropped);
}

/* Returns the extent of an object's box or, without a box, of its keypoints. */
static struct box extent(const struct cell *c, const struct object *o)
{
    struct box b = o->final.box;
    struct point *at = ARENA_ARRAY(c->sample->arena, struct point, o->n_keypoints + 1);
    size_t n = 0;

    if (box_is_empty(b)) {
        for (size_t i = 0; i < o->n_keypoints; i++)
            if (keypoint_is_there(&o->keypoints[i]))
                at[n++] = o->keypoints[i].at;
        b = box_of_points(at, n);
    }
    return box_intersect(map_box(c, b), c->view->box);
}

/* --- keypoints --- */

static double dot_radius(const struct drawn_object *d)
{
    double side = fmin(d->box.x1 - d->box.x0, d->box.y1 - d->box.y0);

    return fmin(fmax(side / 24, 1.7), 3.4);
}

static void draw_bones(const struct cell *c, const struct drawn_object *d)
{
    const struct object *o = d->object;
    double width = dot_radius(d) * 0.6;

    for (int pass = 0; pass < 2; pass++) /* draws all halos below all lines */
        for (size_t i = 0; o->category && i < o->category->n_bones; i++) {
            size_t a = o->category->bone[i][0], b = o->category->bone[i][1];
            enum side side;
            struct point from, to;

            if (a >= o->n_keypoints || b >= o->n_keypoints ||
                !keypoint_is_there(&o->keypoints[a]) || !keypoint_is_there(&o->keypoints[b]))
                continue;
            side = side_of(o->category, a) == side_of(o->category, b) ? side_of(o->category, a)
                                                                      : SIDE_NONE;
            from = mat3_apply(&c->map, o->keypoints[a].at);
            to = mat3_apply(&c->map, o->keypoints[b].at);
            if (pass == 0)
                svg_line(c->svg, from, to, halo, width + 1.8);
            else
                svg_line(c->svg, from, to, (struct svg_ink){ side_colour[side], 0.95 }, width);
        }
}

static void draw_dot(struct text *svg, struct point at, double radius, enum side side, bool visible)
{
    struct svg_ink colour = { side_colour[side], 1 }, line = { DARK, 0.85 };

    if (visible) {
        svg_circle(svg, at, radius, colour, line, 1);
    } else {
        svg_circle(svg, at, radius, (struct svg_ink){ DARK, 0.75 }, line, radius * 0.5 + 1.8);
        svg_circle(svg, at, radius, nothing, colour, radius * 0.5);
    }
}

static void draw_keypoints(const struct cell *c, const struct drawn_object *d)
{
    const struct object *o = d->object;

    draw_bones(c, d);
    for (size_t i = 0; i < o->n_keypoints; i++)
        if (keypoint_is_there(&o->keypoints[i]))
            draw_dot(c->svg, mat3_apply(&c->map, o->keypoints[i].at), dot_radius(d),
                     side_of(o->category, i), o->keypoints[i].visibility == 2);
}

/* Draws keypoints whose size depends on the object's size. */
static void draw_all_keypoints(const struct cell *c, const struct drawn_object *d)
{
    draw_keypoints(c, d);
    for (size_t i = 0; i < d->object->n_parts; i++) {
        struct drawn_object part = { .object = &d->object->parts[i] };

        part.box = extent(c, part.object);
        draw_keypoints(c, &part);
    }
}

static const char *const key_words[] = { "other keypoints", "left", "right", "hidden" };

double sheet_labels_key_width(const struct svg_letters *letters)
{
    double width = 0;

    for (size_t i = 0; i < COUNTOF(key_words); i++)
        width += 10 + svg_letters_width(letters, key_words[i]) + (i ? 16 : 0);
    return width;
}

void sheet_labels_key(struct point at, const struct svg_letters *letters, struct text *svg)
{
    static const enum side order[] = { SIDE_LEFT, SIDE_RIGHT, SIDE_NONE, SIDE_NONE };

    for (size_t i = 0; i < COUNTOF(order); i++) {
        const char *word = i == 3 ? key_words[3] : key_words[order[i]];

        draw_dot(svg, (struct point){ at.x + 3.4, at.y - 0.36 * letters->size }, 3.2, order[i],
                 i < 3);
        at.x += 10;
        svg_letters(svg, at, letters, word);
        at.x += svg_letters_width(letters, word) + 16;
    }
}

/* --- names --- */

static bool boxes_meet(struct box a, struct box b)
{
    return !box_is_empty(box_intersect(a, b));
}

/* Places the tag at one of the object's upper corners or, if there is no space, at another place
 * inside of the cell. Returns false if all are taken. */
static bool place_tag(const struct cell *c, struct box of, double width, struct box *out)
{
    struct box cell = c->view->box;
    const double right = of.x1 - width, below = of.y1 - TAG_HEIGHT;
    const struct point places[] = {
        { of.x0 - 1, of.y0 - TAG_HEIGHT - 1 }, /* above, left */
        { of.x0 + 2, of.y0 + 2 },              /* inside, left */
        { right + 1, of.y0 - TAG_HEIGHT - 1 },
        { right - 2, of.y0 + 2 },
        { of.x0 - 1, of.y1 + 1 },
        { of.x0 + 2, below - 2 },
        { right - 2, below - 2 },
    };

    for (size_t i = 0; i < COUNTOF(places); i++) {
        double x = fmax(cell.x0, fmin(places[i].x, cell.x1 - width)), y = places[i].y;
        bool taken = y < cell.y0 || y + TAG_HEIGHT > cell.y1;

        *out = (struct box){ x, y, x + width, y + TAG_HEIGHT };
        for (size_t t = 0; t < c->n_tags && !taken; t++)
            taken = boxes_meet(*out, c->tags[t]);
        if (!taken)
            return true;
    }
    return false;
}

static const char *name_of(const struct object *o, struct text *out)
{
    text_clear(out);
    text_adds(out, !o->category         ? "no category"
                   : *o->category->name ? o->category->name
                                        : "unnamed");
    if (o->crowd)
        text_adds(out, " (crowd)");
    return text_string(out);
}

static void draw_tag(struct cell *c, const struct drawn_object *d)
{
    struct text name = { 0 }, fitting = { 0 };
    struct box tag, cell = c->view->box;
    double width;

    if (box_is_empty(d->box))
        return;
    svg_letters_fit(&tag_letters, name_of(d->object, &name), 0.45 * (cell.x1 - cell.x0),
                    SVG_CUT_END, &fitting);
    width = svg_letters_width(&tag_letters, text_string(&fitting)) + TAG_BAR + 2 * TAG_PAD;
    if (place_tag(c, d->box, width, &tag)) {
        c->tags[c->n_tags++] = tag;
        svg_rectangle(c->svg, tag, (struct svg_ink){ DARK, 0.78 });
        svg_rectangle(c->svg, (struct box){ tag.x0, tag.y0, tag.x0 + TAG_BAR, tag.y1 },
                      (struct svg_ink){ d->colour, 1 });
        svg_letters(c->svg, (struct point){ tag.x0 + TAG_BAR + TAG_PAD, tag.y1 - 3.6 },
                    &tag_letters, text_string(&fitting));
    }
    text_drop(&name);
    text_drop(&fitting);
}

/* --- all labels --- */

/* Gives objects of one category different shades in turn, to distinguish neighbors. */
static void set_colour(const struct cell *c, const struct category *categories,
                       struct drawn_object *d)
{
    const struct object *o = d->object;
    unsigned before = 0;

    for (const struct object *other = c->sample->objects; other != o; other++)
        before += other->category == o->category;
    if (o->category)
        snprintf(d->colour, sizeof d->colour, "#%06x",
                 sheet_colour((size_t)(o->category - categories), before % 3) & 0xffffff);
    else
        strcpy(d->colour, "#dddddd");
}

static int by_area(const void *a, const void *b)
{
    const struct drawn_object *x = a, *y = b;

    if (x->area != y->area)
        return x->area < y->area ? 1 : -1;
    return (x->object->index > y->object->index) - (x->object->index < y->object->index);
}

static void choose_objects(struct cell *c, const struct category *categories, bool all)
{
    const struct sample *s = c->sample;

    c->objects = ARENA_ARRAY(s->arena, struct drawn_object, s->n_objects);
    c->tags = ARENA_ARRAY(s->arena, struct box, s->n_objects);
    for (size_t i = 0; i < s->n_objects; i++) {
        const struct object *o = &s->objects[i];
        struct drawn_object *d = &c->objects[c->n_objects];

        if (o->final.dropped && !all)
            continue;
        *d = (struct drawn_object){ .object = o, .box = extent(c, o) };
        d->area = box_area(d->box);
        set_colour(c, categories, d);
        c->n_objects++;
    }
    if (c->n_objects)
        qsort(c->objects, c->n_objects, sizeof *c->objects, by_area);
}

void sheet_labels(const struct sample *sample, const struct category *categories,
                  const struct view *view, bool all, struct text *svg)
{
    double sx = (view->box.x1 - view->box.x0) / view->frame.width;
    double sy = (view->box.y1 - view->box.y0) / view->frame.height;
    struct cell c = { .sample = sample,
                      .view = view,
                      .map = { { sx, 0, view->box.x0, 0, sy, view->box.y0, 0, 0, 1 } },
                      .svg = svg };

    choose_objects(&c, categories, all);
    svg_group_open(svg, view->id, view->box);
    for (size_t i = 0; i < c.n_objects; i++)
        draw_segmentation(&c, &c.objects[i]);
    for (size_t i = 0; i < c.n_objects; i++)
        if (c.objects[i].object->has_box)
            draw_box(&c, &c.objects[i]);
    for (size_t i = 0; i < c.n_objects; i++)
        draw_all_keypoints(&c, &c.objects[i]);
    for (size_t i = 0; i < c.n_objects; i++)
        draw_tag(&c, &c.objects[i]);
    svg_group_close(svg);
}

uint32_t sheet_label_colour(unsigned label, bool ignored)
{
    return ignored ? 0xffffff : sheet_colour(label - 1, 0);
}
