/* paste_masks: turns the square masks that a model made for its boxes into masks of the image. */
#include "steps/op_shared/labels.h"
#include "steps/op_shared/extra_members.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct params {
    const char *key;
    double threshold;
    int compare, edges; /* enums compare, box_edges */
    int padding;
};

static const struct row rows[] = {
    TEXT(struct params, key, .preset = "\"mask\"",
         .help = "member of annotations with the mask: a square of numbers as a list of rows, "
                 "or as one list, row by row"),
    NUMBER(struct params, threshold, .preset = "0.5", .limit = { -1000, 1000 }, .usual = { 0, 1 },
           .help = "pixels with a larger value belong to the object"),
    CHOICE(struct params, compare, .preset = "\"gt\"", .choices = compare_choices,
           .help = "how the value is compared with the threshold"),
    CHOICE(struct params, edges, .preset = "\"continuous\"", .choices = edges_choices,
           .help = "how the end of a box is counted. inclusive: as in maskrcnn-benchmark's "
                   "Masker, the box is enlarged for the padding and rounded to whole pixels, "
                   "and the mask is resized to it; otherwise the mask is placed on the exact "
                   "box, each pixel takes the value under its centre, and outside the value is "
                   "0"),
    INTEGER(struct params, padding, .preset = "1", .limit = { 0, 100 },
            .help = "for inclusive edges: rows and columns of zeros around the mask"),
    ROWS_END,
};

/* A square of numbers, surrounded by zeros. */
struct square {
    const double *at;
    int n, padding;
};

static double square_at(const struct square *m, int x, int y)
{
    x -= m->padding;
    y -= m->padding;
    return x < 0 || y < 0 || x >= m->n || y >= m->n ? 0 : m->at[y * m->n + x];
}

/* Interpolates between the numbers, whose centers are at 0, 1 and so on. */
static double square_blend(const struct square *m, double x, double y)
{
    int left = (int)floor(x), top = (int)floor(y);
    double across = x - left, down = y - top;

    return (1 - down) *
               ((1 - across) * square_at(m, left, top) + across * square_at(m, left + 1, top)) +
           down * ((1 - across) * square_at(m, left, top + 1) +
                   across * square_at(m, left + 1, top + 1));
}

/* A range of pixels along one axis, and their positions in the square: pixel i is at i * step +
 * begin, clamped to lo..hi. */
struct axis_range {
    int first, end;
    double begin, step, lo, hi;
};

static struct axis_range lie_continuous(double from, double length, int n, int side)
{
    double beyond = length / n + 1;

    return (struct axis_range){ .first = (int)fmin(fmax(floor(from - beyond), 0), side),
                                .end = (int)fmin(fmax(ceil(from + length + beyond), 0), side),
                                .begin = (0.5 - from) / length * n - 0.5,
                                .step = n / length,
                                .lo = -1,
                                .hi = n };
}

/* `n` includes the padding; from and last are the box's first and last pixel, inclusive. */
static struct axis_range lie_inclusive(double from, double last, int n, int padding, int side)
{
    double half = (last - from) / 2 * n / (n - 2 * padding), middle = (last + from) / 2;
    double begin = trunc(middle - half), length = fmax(trunc(middle + half) - begin + 1, 1);
    double step = n / length;

    return (struct axis_range){ .first = (int)fmin(fmax(begin, 0), side),
                                .end = (int)fmin(fmax(begin + length, 0), side),
                                .begin = (0.5 - begin) * step - 0.5,
                                .step = step,
                                .lo = 0,
                                .hi = n - 1 };
}

static double place_of(const struct axis_range *l, int i)
{
    return fmin(fmax(i * l->step + l->begin, l->lo), l->hi);
}

static struct rle paste(const struct params *p, const struct square *m, const struct axis_range *x,
                        const struct axis_range *y, struct sample *s)
{
    size_t stride = (size_t)s->frame.width;
    uint8_t *bitmap = memory_take(stride * (size_t)s->frame.height + 1);
    struct rle rle;

    memset(bitmap, 0, stride * (size_t)s->frame.height);
    for (int row = y->first; row < y->end; row++)
        for (int column = x->first; column < x->end; column++) {
            double value = square_blend(m, place_of(x, column), place_of(y, row));

            bitmap[(size_t)row * stride + (size_t)column] =
                value > p->threshold || (p->compare == COMPARE_GE && value == p->threshold);
        }
    rle = rle_from_bitmap(s->arena, bitmap, stride, s->frame);
    free(bitmap);
    return rle;
}

static struct rle mask_of(const struct params *p, struct square m, struct point corner,
                          struct point size, struct sample *s)
{
    struct axis_range x, y;

    if (p->edges == EDGES_INCLUSIVE) {
        int n = m.n + 2 * p->padding;

        m.padding = p->padding;
        x = lie_inclusive(corner.x, corner.x + fmax(size.x - 1, 0), n, p->padding, s->frame.width);
        y = lie_inclusive(corner.y, corner.y + fmax(size.y - 1, 0), n, p->padding, s->frame.height);
    } else {
        x = lie_continuous(corner.x, size.x, m.n, s->frame.width);
        y = lie_continuous(corner.y, size.y, m.n, s->frame.height);
    }
    return paste(p, &m, &x, &y, s);
}

static bool paste_on(const struct params *p, const struct rules *rules, struct sample *s,
                     struct object *o, struct text *why)
{
    enum { MAX = 4096 };
    struct slice value = object_member(o, p->key);
    struct point corner, size;
    double *at, side;
    size_t n;
    bool good;

    if (!value.at)
        return true;
    good = member_numbers(value, s->arena, &at, &n);
    side = sqrt((double)n);
    if (!good || side != floor(side) || side < 1 || side > MAX) {
        text_addf(why,
                  "its \"%s\" must be a square list of lists of numbers, or one list of "
                  "them",
                  p->key);
        return false;
    }
    if (!sample_current_box(s, rules, o, &corner, &size) ||
        (p->edges == EDGES_CONTINUOUS && !(size.x > 0 && size.y > 0))) {
        text_adds(why, "it has no box with an area");
        return false;
    }
    object_put_runs(o, mask_of(p, (struct square){ .at = at, .n = (int)side }, corner, size, s));
    o->changes |= CHANGE_REDRAWN;
    object_put_area(o, (double)rle_area(&o->rle));
    return true;
}

static bool paste_all(const void *params, const struct rules *rules, struct sample *sample,
                      struct text *why)
{
    for (size_t i = 0; i < sample->n_objects; i++)
        if (!sample->objects[i].failed &&
            !paste_on(params, rules, sample, &sample->objects[i], why))
            return object_refuse(&sample->objects[i], why);
    return true;
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    (void)scene;
    action_labels(out, paste_all, params);
    return true;
}

const struct op paste_masks_op = {
    .name = "paste_masks",
    .summary = "turn the small square masks that a model made for its boxes into masks of the "
               "image; objects without one are unchanged",
    .group = GROUP_LABELS,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"paste_masks\"}",
    .params = rows,
    .params_size = sizeof(struct params),
    .effect = EFFECT_RELABELS,
    .subject = SUBJECT_OBJECTS,
    .resolve = resolve,
};
