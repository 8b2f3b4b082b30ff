/* print: the LabelMe file of an output. */
#include "labels/labelme/print.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct printer {
    const struct sample *sample;
    const struct output *out;
    struct text *text;
    int64_t group; /* the next group_id that no object has */
    size_t n;      /* shapes so far */
};

/* --- shapes --- */

static void add_points(struct printer *p, const struct point *at, size_t n)
{
    text_addc(p->text, '[');
    for (size_t i = 0; i < n; i++) {
        text_adds(p->text, i ? ", [" : "[");
        number_print(p->text, at[i].x);
        text_adds(p->text, ", ");
        number_print(p->text, at[i].y);
        text_addc(p->text, ']');
    }
    text_addc(p->text, ']');
}

/* A shape to print: a polygon, or a rectangle of two points. */
struct shape {
    const char *label, *type;
    const struct labelme_file *file;
    const struct labelme_shape *source; /* whose other members are copied; or NULL */
    struct slice group;                 /* a new group_id; `at` is NULL: the source's */
    const struct point *points;
    size_t n;
};

/* Prints the value of a member that the shape changes; false for any other. */
static bool print_changed(struct printer *p, const struct shape *s, const char *name)
{
    if (strcmp(name, "label") == 0)
        text_add_json(p->text, s->label, strlen(s->label));
    else if (strcmp(name, "points") == 0)
        add_points(p, s->points, s->n);
    else if (strcmp(name, "shape_type") == 0)
        text_addf(p->text, "\"%s\"", s->type);
    else if (strcmp(name, "mask") == 0)
        text_adds(p->text, "null");
    else if (strcmp(name, "group_id") == 0 && s->group.at)
        text_add(p->text, s->group.at, s->group.length);
    else
        return false;
    return true;
}

static void begin_shape(struct printer *p)
{
    text_adds(p->text, p->n++ ? ",\n    " : "\n    ");
}

/* Copies the members of the source in their order, then adds the ones that are missing. */
static void add_shape(struct printer *p, const struct shape *s)
{
    static const char *const needed[] = { "label", "points", "group_id", "shape_type", "flags" };
    const struct value *source = s->source ? s->source->value : NULL;
    const char *between = "";

    begin_shape(p);
    text_addc(p->text, '{');
    for (size_t i = 0; source && i < source->n; i++) {
        const struct value *v = &source->item[i];
        struct slice whole = labelme_text_of(s->file, v);

        text_adds(p->text, between);
        text_add_json(p->text, v->name, strlen(v->name));
        text_adds(p->text, ": ");
        if (!print_changed(p, s, v->name))
            text_add(p->text, whole.at, whole.length);
        between = ", ";
    }
    for (size_t i = 0; i < COUNTOF(needed); i++) {
        if (source && value_get(source, needed[i]))
            continue;
        text_addf(p->text, "%s\"%s\": ", between, needed[i]);
        if (!print_changed(p, s, needed[i]))
            text_adds(p->text, strcmp(needed[i], "flags") == 0 ? "{}" : "null");
        between = ", ";
    }
    text_addc(p->text, '}');
}

static void add_rings(struct printer *p, const struct rings *rings, struct shape s)
{
    struct text group = { 0 };

    if (rings->n > 1 && !(s.source && s.source->group.at)) {
        text_add_integer(&group, p->group++);
        s.group = (struct slice){ text_string(&group), group.length };
    }
    s.type = "polygon";
    for (size_t i = 0; i < rings->n; i++) {
        s.points = rings->ring[i].at;
        s.n = rings->ring[i].n;
        add_shape(p, &s);
    }
    text_drop(&group);
}

static bool has_hole(const bool *hole, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (hole[i])
            return true;
    return false;
}

/* Returns the outlines of a mask. Polygons have no holes: with one, all rings are tied into one. */
static struct rings rings_of_mask(const struct sample *s, const struct object *o)
{
    struct ring *tied = ARENA_NEW(s->arena, struct ring);
    bool *hole;
    struct rings rings = rle_to_rings(s->arena, &o->rle, &hole);

    if (!has_hole(hole, rings.n))
        return rings;
    *tied = rings_tied(s->arena, &rings);
    return (struct rings){ tied, 1 };
}

static void add_object(struct printer *p, const struct object *o, const struct labelme_source *from)
{
    const struct labelme_file *file = from->file;
    struct shape s = { .label = o->category->name,
                       .file = file,
                       .source = file ? &file->shapes[file->first[from->object]] : NULL };
    struct point corners[2] = { { o->final.box.x0, o->final.box.y0 },
                                { o->final.box.x1, o->final.box.y1 } };
    struct rings rings = o->rings;

    if (file && !object_is_touched(o)) {
        for (size_t i = file->first[from->object]; i != SIZE_MAX; i = file->shapes[i].next) {
            begin_shape(p);
            text_add(p->text, file->shapes[i].whole.at, file->shapes[i].whole.length);
        }
        return;
    }
    if (o->segmentation == SEGMENTATION_RLE)
        rings = rings_of_mask(p->sample, o);
    if (o->segmentation != SEGMENTATION_NONE && rings.n) {
        add_rings(p, &rings, s);
        return;
    }
    s.type = "rectangle";
    s.points = corners;
    s.n = COUNTOF(corners);
    add_shape(p, &s);
}

/* Returns a number above all group ids of the objects' sources. */
static int64_t free_group(const struct sample *s, const struct labelme_source *from)
{
    int64_t next = 0, group;

    for (size_t i = 0; i < s->n_objects; i++) {
        const struct labelme_file *file = from[i].file;
        struct slice text =
            file ? file->shapes[file->first[from[i].object]].group : (struct slice){ 0 };

        if (text.length && number_scan_integer(text, &group) == text.length && group >= next &&
            group < INT64_MAX)
            next = group + 1;
    }
    return next;
}

static void add_shapes(struct printer *p, const struct labelme_source *from)
{
    text_addc(p->text, '[');
    for (size_t i = 0; i < p->sample->n_objects; i++)
        if (!p->sample->objects[i].final.dropped)
            add_object(p, &p->sample->objects[i], &from[i]);
    text_adds(p->text, p->n ? "\n  ]" : "]");
}

/* --- the file --- */

/* Prints the value of a member of the file that is never copied; false for any other. The picture
 * inside a file is left out: readers would take it instead of the written image. */
static bool add_own(struct printer *p, const char *name, const struct labelme_source *from)
{
    const char *slash = strrchr(p->out->name, '/'), *image = slash ? slash + 1 : p->out->name;

    if (strcmp(name, "shapes") == 0)
        add_shapes(p, from);
    else if (strcmp(name, "imagePath") == 0)
        text_add_json(p->text, image, strlen(image));
    else if (strcmp(name, "imageData") == 0)
        text_adds(p->text, "null");
    else if (strcmp(name, "imageHeight") == 0)
        text_add_integer(p->text, p->out->frame.height);
    else if (strcmp(name, "imageWidth") == 0)
        text_add_integer(p->text, p->out->frame.width);
    else
        return false;
    return true;
}

void labelme_print(const struct labelme_file *source, const struct sample *s,
                   const struct labelme_source *from, const struct output *out, struct text *text)
{
    static const char *const needed[] = { "version",   "flags",       "shapes",    "imagePath",
                                          "imageData", "imageHeight", "imageWidth" };
    struct printer p = { .sample = s, .out = out, .text = text, .group = free_group(s, from) };
    const struct value *root = source ? source->root : NULL;
    const char *between = "{\n  ";

    for (size_t i = 0; root && i < root->n; i++) {
        struct slice whole = labelme_text_of(source, &root->item[i]);

        text_adds(text, between);
        text_add_json(text, root->item[i].name, strlen(root->item[i].name));
        text_adds(text, ": ");
        if (!add_own(&p, root->item[i].name, from))
            text_add(text, whole.at, whole.length);
        between = ",\n  ";
    }
    for (size_t i = 0; i < COUNTOF(needed); i++) {
        if (root && value_get(root, needed[i]))
            continue;
        text_addf(text, "%s\"%s\": ", between, needed[i]);
        if (!add_own(&p, needed[i], from))
            text_adds(text, strcmp(needed[i], "flags") == 0 ? "{}" : "\"5.5.0\"");
        between = ",\n  ";
    }
    text_adds(text, "\n}\n");
}
