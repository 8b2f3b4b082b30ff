/* print: objects as lines of YOLO's labels. */
#include "labels/yolo/print.h"

#include "labels/shared/written_classes.h"

#include <math.h>

/* A line in work. */
struct line {
    const struct yolo_print *print;
    struct text *text;
    size_t n; /* of its numbers so far */
};

/* Numbers differ by rounding alone; files have 6 digits, rarely more. */
static bool is_same(double a, double b)
{
    return fabs(a - b) <= 1e-12;
}

/* Rounds to 12 digits after the point, or to the shortest equal number. */
static double tidied(double v)
{
    const double scale = 1e12;
    double rounded = round(v * scale) / scale;

    return is_same(v, rounded) ? rounded : v;
}

static void add_number(struct line *l, double v)
{
    const struct yolo_line *source = l->print->source;
    size_t i = l->n++;

    if (i)
        text_addc(l->text, ' ');
    if (source && i < source->n && is_same(v, source->number[i]))
        text_add(l->text, source->token[i].at, source->token[i].length);
    else
        number_print(l->text, tidied(v));
}

/* Training tools ignore an image whose labels have a number outside 0 to 1. So a number ends at the
 * edge, unless it is from the source. */
static void add_share(struct line *l, double v)
{
    const struct yolo_line *source = l->print->source;

    if (!source || l->n >= source->n || !is_same(v, source->number[l->n]))
        v = fmin(fmax(v, 0), 1);
    add_number(l, v);
}

static void add_point(struct line *l, double x, double y)
{
    add_share(l, x / l->print->frame.width);
    add_share(l, y / l->print->frame.height);
}

/* A box from another format is cut at the canvas: clamped numbers would move its center. */
static void add_box(struct line *l, const struct object *o)
{
    struct box b = o->final.box;
    struct point size = o->final.size;

    if (!l->print->source && !box_contains(box_of_frame(l->print->frame), b, 0)) {
        b = box_intersect(b, box_of_frame(l->print->frame));
        size = (struct point){ b.x1 - b.x0, b.y1 - b.y0 };
    }
    add_point(l, (b.x0 + b.x1) / 2, (b.y0 + b.y1) / 2);
    add_point(l, size.x, size.y);
}

static void add_ring(struct line *l, const struct ring *ring)
{
    for (size_t i = 0; i < ring->n; i++)
        add_point(l, ring->at[i].x, ring->at[i].y);
}

/* A line has one outline: several are tied into one by lines without width; a mask is the outline
 * of its pixels, a box its corners. */
static void add_outline(struct line *l, const struct sample *s, const struct object *o)
{
    struct rings rings = o->rings;
    struct ring ring;
    bool *hole;

    if (o->segmentation == SEGMENTATION_RLE)
        rings = rle_to_rings(s->arena, &o->rle, &hole);
    if (o->segmentation == SEGMENTATION_NONE || !rings.n)
        ring = ring_of_box(s->arena, o->final.box);
    else
        ring = rings.n > 1 ? rings_tied(s->arena, &rings) : *rings.ring;
    add_ring(l, &ring);
}

/* Returns the coordinates that a file has for a place: the first center is 0 or 0.5. */
static struct point point_in_file(struct point p, const struct rules *rules)
{
    double shift = rules->keypoints == KEYPOINTS_INDEX ? 0.5 : 0;

    return (struct point){ p.x - shift, p.y - shift };
}

bool yolo_keypoint_is_outside(const struct keypoint *k, const struct rules *rules, struct frame f)
{
    struct point p = point_in_file(k->at, rules);
    double x = p.x / f.width, y = p.y / f.height;

    return keypoint_is_there(k) &&
           (x < -YOLO_SLACK || y < -YOLO_SLACK || x > 1 + YOLO_SLACK || y > 1 + YOLO_SLACK);
}

static void add_keypoints(struct line *l, const struct object *o)
{
    const struct rules *rules = l->print->rules;

    for (size_t i = 0; i < l->print->n_keypoints; i++) {
        const struct keypoint *k = i < o->n_keypoints ? &o->keypoints[i] : NULL;
        bool outside = k && yolo_keypoint_is_outside(k, rules, l->print->frame);
        struct point at = { 0 };

        if (k && keypoint_is_there(k) && !outside)
            at = point_in_file(k->at, rules);
        add_point(l, at.x, at.y);
        if (l->print->dimensions == 3)
            add_number(l, k && !outside ? k->visibility : 0);
    }
}

void yolo_print_object(const struct yolo_print *print, const struct sample *s,
                       const struct object *o, struct text *text)
{
    struct line line = { .print = print, .text = text };

    add_number(&line, (double)class_place(print->dataset, o->category));
    if (print->task == YOLO_SEGMENT) {
        add_outline(&line, s, o);
        return;
    }
    add_box(&line, o);
    if (print->task == YOLO_POSE)
        add_keypoints(&line, o);
}
