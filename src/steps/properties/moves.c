/* moves: checks that pixels and labels agree, for an op that moves something. */
#include "steps/properties/random_step.h"
#include "steps/properties/render_plane.h"
#include "steps/properties/shape.h"
#include "steps/properties/walk.h"

#include "base/rng.h"
#include "geom/map.h"
#include "plan/render.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DRAWS = 200, TRIES = 50, VERTICES = 14, SEED = 2026 };

/* The check that fails if random values for the op cannot be found. */
static const char READS[] = "random values of the parameters are taken";

/* Maximum disagreement of pixels and labels, in source pixels. A filter wider than two taps shows a
 * straight ramp with a ripple. It is, for torchvision's antialiased triangle filter, up to 0.085 px
 * when shrinking by less than 2, without bias. Such filters have a separate limit, FILTERED. */
static const double BLENDED = 0.02, NEAREST = 0.51, FILTERED = 0.1, MEAN = 0.02, CENTROID = 0.05;

/* --- one draw --- */

struct draw {
    struct walker *walk;
    const struct op *op;
    struct plan plan;
    struct arena arena;
    struct sample sample;
    struct resolved_ops resolved_ops;
    struct frame in;
    uint32_t branch;
};

/* Returns the action of the op, or of the first op that it expands into. */
static const struct action *action_of(const struct draw *d)
{
    return &d->resolved_ops.at[0].action;
}

static struct object *add_object(struct draw *d)
{
    struct object *more = ARENA_ARRAY(&d->arena, struct object, d->sample.n_objects + 1);

    if (d->sample.n_objects)
        memcpy(more, d->sample.objects, d->sample.n_objects * sizeof *more);
    d->sample.objects = more;
    more[d->sample.n_objects].visibility = 1;
    return &more[d->sample.n_objects++];
}

/* A star around the middle: concave, well inside the image, with no two equal arms. */
static struct ring star(struct draw *d, struct rng *rng)
{
    struct ring ring = { .at = ARENA_ARRAY(&d->arena, struct point, VERTICES), .n = VERTICES };
    double radius = 0.38 * (d->in.width < d->in.height ? d->in.width : d->in.height);

    for (size_t i = 0; i < VERTICES; i++) {
        double angle = 2 * 3.14159265358979 * ((double)i + 0.3 * rng_unit(rng)) / VERTICES;
        double r = radius * rng_between(rng, 0.55, 1);

        ring.at[i] =
            (struct point){ d->in.width / 2. + r * cos(angle), d->in.height / 2. + r * sin(angle) };
    }
    return ring;
}

/* Names the draw that checks refer to: the op with its parameters, the image's size, and the number
 * of the draw in walk_moves. */
static void name_draw(const struct draw *d, int number)
{
    struct text step = { 0 };

    step_print(&d->plan.transforms.step[0], &step);
    snprintf(d->walk->about, sizeof d->walk->about, "draw %d of seed %d on %dx%d, branch %u: %s",
             number, SEED, d->in.width, d->in.height, (unsigned)d->branch, text_string(&step));
    text_drop(&step);
}

static bool begin(struct draw *d, struct walker *walk, const struct op *op, struct rng *rng,
                  int number)
{
    bool good = false;

    *d = (struct draw){ .walk = walk, .op = op };
    d->branch = op->fan_out ? (uint32_t)rng_integer(rng, 0, op->fan_out) : 0;
    d->in = (struct frame){ (int)rng_integer(rng, 60, 110), (int)rng_integer(rng, 50, 90) };
    for (int i = 0; i < TRIES && !good; i++)
        good = random_plan(&op, 1, rng, &d->plan);
    d->sample = (struct sample){ .arena = &d->arena, .name = "walk", .frame = d->in };
    if (good)
        name_draw(d, number);
    return good;
}

static void end(struct draw *d)
{
    plan_drop(&d->plan);
    arena_drop(&d->arena);
}

/* Draws the op and moves the sample's labels. Returns false if the op refuses these values for this
 * frame, or has nothing to do. */
static bool move(struct draw *d)
{
    struct pixel_kind kind = { PIXEL_U16, 3 };
    struct text why = { 0 };
    struct draw_id draw_id = { .seed = 1, .branch = d->branch };
    bool good = plan_apply(&d->plan, &draw_id, kind, &d->sample, &d->resolved_ops, &why);

    text_drop(&why);
    return good && d->resolved_ops.n && !d->resolved_ops.absence.stride &&
           action_of(d)->family != FAMILY_NOTHING;
}

/* True if the pixel shows a mirrored border, which labels do not follow. */
static bool is_border(const struct action *a, int x, int y)
{
    if (a->family != FAMILY_INDEX)
        return false;
    return a->map.swap ? a->map.col[y] < 0 || a->map.row[x] < 0
                       : a->map.col[x] < 0 || a->map.row[y] < 0;
}

/* --- the ramp --- */

struct errors {
    double worst, sum_x, sum_y;
    /* Errors beyond the rounding to whole pixels: the distance from the pixel that is shown to the
     * pixel that contains the label's place. */
    double beyond_x, beyond_y;
    size_t n;
    char where[sizeof((struct walker *)0)->about]; /* the draw with the worst errors */
};

static struct plane make_ramp(struct pool *pool, struct frame f, double unit)
{
    struct plane ramp = pool_plane(pool, f, 3, PIXEL_U16);

    for (int y = 0; y < f.height; y++) {
        uint16_t *row = (uint16_t *)((char *)ramp.px + (size_t)y * ramp.stride);

        for (int x = 0; x < f.width; x++) {
            row[3 * x] = (uint16_t)((x + 0.5) * unit + 0.5);
            row[3 * x + 1] = (uint16_t)((y + 0.5) * unit + 0.5);
            row[3 * x + 2] = 65535; /* lower values: mixed with pixels from outside */
        }
    }
    return ramp;
}

/* A place of the source that a pixel shows. */
struct shown_place {
    int x, y;
    struct point from;
};

/* Moves labels at three points for each of n places: the place itself, one to the right, one below.
 * `apart` is their distance, which is small if the map is not affine. */
static void move_points(const struct draw *d, const struct shown_place *shown, size_t n,
                        double apart, struct keypoint *keys)
{
    struct object object = { .keypoints = keys, .n_keypoints = 3 * n };
    struct sample sample = { .arena = d->sample.arena,
                             .frame = d->in,
                             .objects = &object,
                             .n_objects = 1,
                             .matrix = MAT3_IDENTITY };

    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < 3; k++)
            keys[3 * i + k] = (struct keypoint){ .at = { shown[i].from.x + (k == 1 ? apart : 0),
                                                         shown[i].from.y + (k == 2 ? apart : 0) },
                                                 .visibility = 2 };
    sample_move(&sample, &action_of(d)->map, action_of(d)->out);
}

/* Returns the distance from the place that the pixel shows to the place whose label lands on the
 * pixel's center. */
static struct point error_at(const struct shown_place *shown, double apart,
                             const struct keypoint *to)
{
    double a = (to[1].at.x - to[0].at.x) / apart, b = (to[2].at.x - to[0].at.x) / apart;
    double c = (to[1].at.y - to[0].at.y) / apart, e = (to[2].at.y - to[0].at.y) / apart;
    double det = a * e - b * c;
    double dx = to[0].at.x - (shown->x + 0.5), dy = to[0].at.y - (shown->y + 0.5);

    return (struct point){ (e * dx - b * dy) / det, (a * dy - c * dx) / det };
}

/* Returns how far the center of the pixel that is shown is from the center of the pixel that has
 * the place, along one axis. A place on the edge of two pixels is in both. */
static double beyond_rounding(double shown, double place)
{
    const double on_edge = 1e-6;
    double edge = round(place);

    if (fabs(place - edge) < on_edge)
        return fmax(0, fabs(shown - edge) - 0.5) * (shown < edge ? -1 : 1);
    return shown - (floor(place) + 0.5);
}

/* Returns the width of the border in which a resize renormalizes its taps, so that a ramp is not
 * straight there. */
static double border_of(const struct action *a)
{
    double sx = (double)a->in.width / a->out.width, sy = (double)a->in.height / a->out.height;

    return a->family == FAMILY_RESAMPLE || a->family == FAMILY_ALIGN ? 3 * fmax(1, fmax(sx, sy)) + 1
                                                                     : 0;
}

enum filter_class { CLASS_NEAREST, CLASS_BLENDED, CLASS_FILTERED, N_CLASSES };

static enum filter_class class_of(const struct action *a)
{
    bool shrinks = a->out.width < a->in.width || a->out.height < a->in.height;
    bool grows = a->in.width < a->out.width || a->in.height < a->out.height;
    enum interpolation by = a->u.resample.interpolation;

    if (a->family == FAMILY_MATRIX)
        return a->u.matrix.interpolation == INTERPOLATION_NEAREST ? CLASS_NEAREST : CLASS_BLENDED;
    if (a->family == FAMILY_FIELD)
        return a->u.field.interpolation == INTERPOLATION_NEAREST ? CLASS_NEAREST : CLASS_BLENDED;
    if (a->family == FAMILY_ALIGN)
        return CLASS_BLENDED;
    if (a->family != FAMILY_RESAMPLE)
        return CLASS_NEAREST;
    if (by == INTERPOLATION_AREA && grows)
        return CLASS_NEAREST;
    if (by == INTERPOLATION_BOX || by == INTERPOLATION_HAMMING)
        return CLASS_NEAREST; /* a narrow filter */
    if (by != INTERPOLATION_BILINEAR || (a->u.resample.antialias && shrinks))
        return CLASS_FILTERED;
    return CLASS_BLENDED;
}

/* True if the op takes the nearest pixel for a place between pixels, by the map. */
static bool rounds_places(const struct action *a)
{
    return a->family == FAMILY_MATRIX || a->family == FAMILY_FIELD;
}

/* Finds the places whose labels land on the pixels' centers, by Newton's method; a matrix needs one
 * round. */
static void add_errors(const struct draw *d, struct shown_place *shown, size_t n, struct errors *e)
{
    const struct map *map = &action_of(d)->map;
    bool bent = map->field || !mat3_is_affine(&map->forward);
    int rounds = !bent ? 1 : class_of(action_of(d)) == CLASS_NEAREST ? 4 : 2;
    double apart = bent ? 1e-4 : 1;
    struct keypoint *keys = memory_take((3 * n + 1) * sizeof *keys);
    struct point *error = memset(memory_take((n + 1) * sizeof *error), 0, (n + 1) * sizeof *error);

    for (int round = 0; round < rounds; round++) {
        move_points(d, shown, n, apart, keys);
        for (size_t i = 0; i < n; i++) {
            struct point more = error_at(&shown[i], apart, &keys[3 * i]);

            error[i] = (struct point){ error[i].x + more.x, error[i].y + more.y };
            shown[i].from = (struct point){ shown[i].from.x - more.x, shown[i].from.y - more.y };
        }
    }
    for (size_t i = 0; i < n; i++) {
        double far = fmax(fabs(error[i].x), fabs(error[i].y));

        if (!(far <= e->worst)) {
            e->worst = far;
            memcpy(e->where, d->walk->about, sizeof e->where);
        }
        e->sum_x += error[i].x;
        e->sum_y += error[i].y;
        e->beyond_x += beyond_rounding(shown[i].from.x + error[i].x, shown[i].from.x);
        e->beyond_y += beyond_rounding(shown[i].from.y + error[i].y, shown[i].from.y);
    }
    e->n += n;
    free(error);
    free(keys);
}

static void read_ramp(const struct draw *d, const struct plane *out, double unit, struct errors *e)
{
    const struct action *a = action_of(d);
    double border = border_of(a);
    struct shown_place *shown =
        memory_take((size_t)out->width * (size_t)out->height * sizeof *shown);
    size_t n = 0;

    for (int y = 0; y < out->height; y++) {
        const uint16_t *row = (const uint16_t *)((const char *)out->px + (size_t)y * out->stride);

        for (int x = 0; x < out->width; x++) {
            struct point from = { row[3 * x] / unit, row[3 * x + 1] / unit };

            if (row[3 * x + 2] < 65535 || is_border(a, x, y) || from.x < border ||
                from.y < border || from.x > d->in.width - border || from.y > d->in.height - border)
                continue;
            shown[n++] = (struct shown_place){ x, y, from };
        }
    }
    add_errors(d, shown, n, e);
    free(shown);
}

static void check_ramp(struct draw *d, struct errors errors[N_CLASSES])
{
    double unit = 65535. / (d->in.width > d->in.height ? d->in.width : d->in.height);
    struct pool *pool = &d->walk->pool;
    struct plane ramp = make_ramp(pool, d->in, unit), out;

    for (size_t i = 0; i < d->resolved_ops.n; i++)
        d->resolved_ops.at[i].action.fill = (struct fill){ 0 };
    if (walk_check(d->walk,
                   render_plane(&d->resolved_ops, OPTIMIZE_NONE, &ramp, pool, &d->arena, &out),
                   "the image is rendered")) {
        read_ramp(d, &out, unit, &errors[class_of(action_of(d))]);
        drop_rendered(pool, &ramp, &out);
    }
    pool_return(pool, &ramp);
}

/* Returns an image whose columns or rows are labels, from 1 on. */
static struct plane make_label_ramp(struct pool *pool, struct frame f, bool rows)
{
    struct plane ramp = pool_plane(pool, f, 1, PIXEL_U16);

    for (int y = 0; y < f.height; y++)
        for (int x = 0; x < f.width; x++)
            ((uint16_t *)((char *)ramp.px + (size_t)y * ramp.stride))[x] =
                (uint16_t)(1 + (rows ? y : x));
    return ramp;
}

static unsigned label_at(const struct plane *p, int x, int y)
{
    return ((const uint16_t *)((const char *)p->px + (size_t)y * p->stride))[x];
}

/* Checks which source pixel each pixel of a label mask shows. Only maps that sample between pixels
 * round places. */
static void check_label_ramp(struct draw *d, struct errors *e)
{
    struct pool *pool = &d->walk->pool;
    struct plane ramp[2], out[2];
    struct shown_place *shown;
    size_t n = 0;

    if (!rounds_places(action_of(d)) || d->resolved_ops.n > 1)
        return;
    d->resolved_ops.at[0].action.fill_mask = 0;
    d->resolved_ops.at[0].action.fill.border = PADDING_CONSTANT;
    for (int i = 0; i < 2; i++) {
        ramp[i] = make_label_ramp(pool, d->in, i);
        render_mask(&d->resolved_ops, OPTIMIZE_NONE, &ramp[i], pool, &d->arena, &out[i]);
    }
    shown = memory_take(((size_t)out->width * (size_t)out->height + 1) * sizeof *shown);
    for (int y = 0; y < out->height; y++)
        for (int x = 0; x < out->width; x++)
            if (label_at(&out[0], x, y))
                shown[n++] = (struct shown_place){
                    x, y, { label_at(&out[0], x, y) - 0.5, label_at(&out[1], x, y) - 0.5 }
                };
    add_errors(d, shown, n, e);
    free(shown);
    for (int i = 0; i < 2; i++) {
        drop_rendered(pool, &ramp[i], &out[i]);
        pool_return(pool, &ramp[i]);
    }
}

/* --- polygon, mask, RLE --- */

static void clear_border(const struct action *a, struct plane *mask)
{
    for (int y = 0; y < mask->height; y++)
        for (int x = 0; x < mask->width; x++)
            if (is_border(a, x, y))
                ((uint8_t *)mask->px)[(size_t)y * mask->stride + (size_t)x] = 0;
}

static double scale_of(const struct draw *d, struct point at)
{
    double scale = 1;

    for (size_t i = 0; i < d->resolved_ops.n; i++)
        scale *= fabs(map_scale_at(&d->resolved_ops.at[i].action.map, at));
    return sqrt(scale);
}

/* Compares the same star as polygons, RLE and label mask. */
static void check_shape(struct walker *w, const struct op *op, struct rng *rng, int number,
                        struct drift *drift)
{
    struct pool *pool = &w->pool;
    struct draw d;
    struct rings rings;
    struct ring ring;
    struct object *vector, *runs;
    struct plane mask, moved;
    double scale;

    if (!walk_check(w, begin(&d, w, op, rng, number), READS))
        return;
    ring = star(&d, rng);
    rings = (struct rings){ &ring, 1 };
    mask = shape_paint(pool, &rings, d.in);
    runs = add_object(&d);
    runs->segmentation = SEGMENTATION_RLE;
    runs->rle = rle_from_bitmap(&d.arena, mask.px, mask.stride, d.in);
    vector = add_object(&d);
    vector->segmentation = SEGMENTATION_POLYGONS;
    vector->rings = rings_copy(&d.arena, &rings);
    runs = &d.sample.objects[0];
    if (move(&d)) {
        scale = scale_of(&d, ring.at[0]);
        for (size_t i = 0; i < d.resolved_ops.n; i++)
            d.resolved_ops.at[i].action.fill_mask = 0;
        /* A mirrored border repeats the mask, but labels do not follow. */
        for (size_t i = 0; i < d.resolved_ops.n; i++)
            d.resolved_ops.at[i].action.fill.border = PADDING_CONSTANT;
        render_mask(&d.resolved_ops, OPTIMIZE_NONE, &mask, pool, &d.arena, &moved);
        if (d.resolved_ops.n == 1)
            clear_border(action_of(&d), &moved);
        shape_compare_vector(w, &vector->rings, &moved, scale, drift);
        shape_compare_runs(w, &runs->rle, &moved, &d.arena);
        drop_rendered(pool, &mask, &moved);
    }
    pool_return(pool, &mask);
    end(&d);
}

/* --- the walk --- */

static void measured(struct walker *w, const char *format, ...) PRINTF_LIKE(2, 3);

static void measured(struct walker *w, const char *format, ...)
{
    char line[200];
    va_list args;

    if (!w->measured)
        return;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    w->measured(w, line);
}

static void name_all(struct walker *w, const struct op *op)
{
    snprintf(w->about, sizeof w->about, "%s, all draws of seed %d", op->name, SEED);
}

static bool is_small(double sum_x, double sum_y, size_t n, double limit)
{
    return fabs(sum_x / (double)n) <= limit && fabs(sum_y / (double)n) <= limit;
}

/* True if each pixel shows the pixel that contains its place. The mean error may then be large: an
 * op that always moves by the same fraction of a pixel always rounds in the same direction. */
static bool is_rounding(const struct errors *e)
{
    return e->n && is_small(e->beyond_x, e->beyond_y, e->n, MEAN);
}

static void judge(struct walker *w, const struct op *op, const char *how, const struct errors *e,
                  double limit, bool rounded)
{
    if (!e->n)
        return;
    measured(w, "%-18s %-8s worst %.4f px, mean %+.4f %+.4f px over %zu pixels", op->name, how,
             e->worst, e->sum_x / (double)e->n, e->sum_y / (double)e->n, e->n);
    memcpy(w->about, e->where, sizeof w->about);
    walk_check(w, e->worst <= limit, "labels are where the pixels are, at every pixel");
    name_all(w, op);
    walk_check(w, is_small(e->sum_x, e->sum_y, e->n, MEAN) || (rounded && is_rounding(e)),
               "labels are where the pixels are, in the mean");
}

static void judge_drift(struct walker *w, const struct op *op, const struct drift *drift,
                        const struct errors *mask)
{
    if (!walk_check(w, drift->n > 0, "some draw moves the polygon"))
        return;
    measured(w, "%-18s centroid bias %+.4f %+.4f px over %zu draws", op->name,
             drift->x / (double)drift->n, drift->y / (double)drift->n, drift->n);
    walk_check(w,
               is_small(drift->x, drift->y, drift->n, CENTROID) ||
                   (is_rounding(mask) && is_small(drift->x, drift->y, drift->n, NEAREST)),
               "moved polygons and moved label masks have the same centroid");
}

void walk_moves(struct walker *w, const struct op *op)
{
    struct errors errors[N_CLASSES] = { 0 }, mask = { 0 };
    bool rounded = true; /* true if all draws round places */
    struct drift drift = { 0 };
    struct rng rng = rng_start(SEED, rng_stream(op->name), RNG_DRAW);
    struct draw d;

    for (int i = 0; i < DRAWS; i++) {
        if (!walk_check(w, begin(&d, w, op, &rng, i), READS))
            return;
        if (!op->expand &&
            move(&d)) { /* compound ops are skipped: their ops are checked separately */
            check_ramp(&d, errors);
            check_label_ramp(&d, &mask);
            rounded &= rounds_places(action_of(&d));
        }
        end(&d);
        check_shape(w, op, &rng, i, &drift);
    }
    name_all(w, op);
    judge(w, op, "blended", &errors[CLASS_BLENDED], BLENDED, false);
    judge(w, op, "filtered", &errors[CLASS_FILTERED], FILTERED, false);
    judge(w, op, "nearest", &errors[CLASS_NEAREST], NEAREST, rounded);
    walk_check(w, op->expand || errors[0].n + errors[1].n + errors[2].n > 10000,
               "draws move 10000 pixels");
    judge_drift(w, op, &drift, &mask);
}
