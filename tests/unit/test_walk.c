/* test_walk: pixels and labels agree, for every op that moves something, by a walk over the
 * registry: a later op is tested the day it is added.
 *
 * A 16-bit coordinate ramp is pushed through each op on random draws: what a pixel shows is where
 * it came from, and the map that moves points must send that place to the pixel's centre. A polygon
 * moved as a vector is compared with the same polygon moved as a label mask, and run lengths with
 * the mask. */
#include "random_step.h"
#include "unit.h"

#include "../../src/base/rng.h"
#include "../../src/geom/map.h"
#include "render_plane.h"

#include <stdlib.h>
#include <string.h>

enum { DRAWS = 200, TRIES = 50, VERTICES = 14, SEED = 2026 };

/* What pixels and labels may disagree by, in source pixels. A filter wider than two taps shows a
 * straight ramp with a ripple of its own (torchvision's antialiased triangle up to 0.085 px when
 * shrinking by less than 2; it has no bias): what such filters may show is a class of its own. */
static const double BLENDED = 0.02, NEAREST = 0.51, FILTERED = 0.1, MEAN = 0.02, CENTROID = 0.05;

static struct pool pool;

/* --- one draw --- */

struct draw {
    const struct op *op;
    struct plan plan;
    struct arena arena;
    struct sample sample;
    struct drawn_ops drawn_ops;
    struct frame in;
    uint32_t branch;
};

/* That of an op; the first of those that others stand for. */
static const struct action *action_of(const struct draw *d)
{
    return &d->drawn_ops.at[0].action;
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

/* A star around the middle: concave, well inside, with no two alike. */
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

/* What a failed check prints: the op with its parameters, the image's size, and which draw it is of
 * the generator that walk_op starts. */
static void name_draw(const struct draw *d, int number)
{
    struct text step = { 0 };

    step_print(&d->plan.transforms.step[0], &step);
    snprintf(unit_subject, sizeof unit_subject, "draw %d of seed %d on %dx%d, branch %u: %s",
             number, SEED, d->in.width, d->in.height, (unsigned)d->branch, text_string(&step));
    text_drop(&step);
}

static bool begin(struct draw *d, const struct op *op, struct rng *rng, int number)
{
    bool good = false;

    *d = (struct draw){ .op = op };
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

/* Draw and move what the sample has. False when the op cannot do these values to this frame, or has
 * nothing to do. */
static bool move(struct draw *d)
{
    struct pixel_kind kind = { PIXEL_U16, 3 };
    struct text why = { 0 };
    struct draw_id draw_id = { .seed = 1, .branch = d->branch };
    bool good = plan_apply(&d->plan, &draw_id, kind, &d->sample, &d->drawn_ops, &why);

    text_drop(&why);
    return good && d->drawn_ops.n && !d->drawn_ops.absence.stride &&
           action_of(d)->family != FAMILY_NOTHING;
}

/* Does the pixel show what a mirrored border repeats, which labels do not follow? */
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
    size_t n;
    char where[sizeof unit_subject]; /* what was drawn where they are worst */
};

static struct plane make_ramp(struct frame f, double unit)
{
    struct plane ramp = pool_plane(&pool, f, 3, PIXEL_U16);

    for (int y = 0; y < f.height; y++) {
        uint16_t *row = (uint16_t *)((char *)ramp.px + (size_t)y * ramp.stride);

        for (int x = 0; x < f.width; x++) {
            row[3 * x] = (uint16_t)((x + 0.5) * unit + 0.5);
            row[3 * x + 1] = (uint16_t)((y + 0.5) * unit + 0.5);
            row[3 * x + 2] = 65535; /* less than that: something from outside is mixed in */
        }
    }
    return ramp;
}

/* A place that a pixel shows. */
struct shown {
    int x, y;
    struct point from;
};

/* Where labels at three points (the place itself, one to the right, one down) are moved to, for n
 * places. Where no two points are moved alike they are a little apart only. */
static void move_points(const struct draw *d, const struct shown *shown, size_t n, double apart,
                        struct keypoint *keys)
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

/* How far the place that the pixel shows is from the place whose label lands on its centre. */
static struct point error_at(const struct shown *shown, double apart, const struct keypoint *to)
{
    double a = (to[1].at.x - to[0].at.x) / apart, b = (to[2].at.x - to[0].at.x) / apart;
    double c = (to[1].at.y - to[0].at.y) / apart, e = (to[2].at.y - to[0].at.y) / apart;
    double det = a * e - b * c;
    double dx = to[0].at.x - (shown->x + 0.5), dy = to[0].at.y - (shown->y + 0.5);

    return (struct point){ (e * dx - b * dy) / det, (a * dy - c * dx) / det };
}

/* A resize renormalises its taps at the border: what is shown there is no straight ramp. */
static double border_of(const struct action *a)
{
    double sx = (double)a->in.width / a->out.width, sy = (double)a->in.height / a->out.height;

    return a->family == FAMILY_RESAMPLE || a->family == FAMILY_ALIGN ? 3 * fmax(1, fmax(sx, sy)) + 1
                                                                     : 0;
}

enum class { CLASS_NEAREST, CLASS_BLENDED, CLASS_FILTERED, N_CLASSES };

static enum class class_of(const struct action *a) {
    bool shrinks = a->out.width < a->in.width || a->out.height < a->in.height;

    if (a->family == FAMILY_MATRIX) return a->u.matrix.interpolation == INTERPOLATION_NEAREST
        ? CLASS_NEAREST
        : CLASS_BLENDED;
    if (a->family == FAMILY_FIELD) return a->u.field.interpolation == INTERPOLATION_NEAREST
        ? CLASS_NEAREST
        : CLASS_BLENDED;
    if (a->family == FAMILY_ALIGN) return CLASS_BLENDED;
    if (a->family != FAMILY_RESAMPLE) return CLASS_NEAREST;
    if (a->u.resample.interpolation != INTERPOLATION_BILINEAR ||
        (a->u.resample.antialias && shrinks)) return CLASS_FILTERED;
    return CLASS_BLENDED;
}

/* The places whose labels land on the pixels' centres, nearer and nearer (Newton): of a matrix at
 * once. */
static void add_errors(const struct draw *d, struct shown *shown, size_t n, struct errors *e)
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
            memcpy(e->where, unit_subject, sizeof e->where);
        }
        e->sum_x += error[i].x;
        e->sum_y += error[i].y;
    }
    e->n += n;
    free(error);
    free(keys);
}

static void read_ramp(const struct draw *d, const struct plane *out, double unit, struct errors *e)
{
    const struct action *a = action_of(d);
    double border = border_of(a);
    struct shown *shown = memory_take((size_t)out->width * (size_t)out->height * sizeof *shown);
    size_t n = 0;

    for (int y = 0; y < out->height; y++) {
        const uint16_t *row = (const uint16_t *)((const char *)out->px + (size_t)y * out->stride);

        for (int x = 0; x < out->width; x++) {
            struct point from = { row[3 * x] / unit, row[3 * x + 1] / unit };

            if (row[3 * x + 2] < 65535 || is_border(a, x, y) || from.x < border ||
                from.y < border || from.x > d->in.width - border || from.y > d->in.height - border)
                continue;
            shown[n++] = (struct shown){ x, y, from };
        }
    }
    add_errors(d, shown, n, e);
    free(shown);
}

static void check_ramp(struct draw *d, struct errors errors[N_CLASSES])
{
    double unit = 65535. / (d->in.width > d->in.height ? d->in.width : d->in.height);
    struct plane ramp = make_ramp(d->in, unit), out;

    for (size_t i = 0; i < d->drawn_ops.n; i++)
        d->drawn_ops.at[i].action.fill = (struct fill){ 0 };
    if (CHECK(render_plane(&d->drawn_ops, OPTIMIZE_NONE, &ramp, &pool, &d->arena, &out))) {
        read_ramp(d, &out, unit, &errors[class_of(action_of(d))]);
        if (out.px != ramp.px)
            pool_return(&pool, &out);
    }
    pool_return(&pool, &ramp);
}

/* --- polygon, mask, run lengths --- */

struct shape {
    double area, x, y; /* sums of pixel centres */
};

static struct plane paint(const struct rings *rings, struct frame f)
{
    struct plane mask = pool_plane(&pool, f, 1, PIXEL_U8);

    for (int y = 0; y < f.height; y++)
        for (int x = 0; x < f.width; x++) {
            bool inside = false;

            for (size_t r = 0; r < rings->n && !inside; r++)
                inside = ring_contains(&rings->ring[r], (struct point){ x + 0.5, y + 0.5 });
            ((uint8_t *)mask.px)[(size_t)y * mask.stride + (size_t)x] = inside;
        }
    return mask;
}

static struct shape measure(const struct plane *mask)
{
    struct shape s = { 0 };

    for (int y = 0; y < mask->height; y++)
        for (int x = 0; x < mask->width; x++)
            if (((const uint8_t *)mask->px)[(size_t)y * mask->stride + (size_t)x]) {
                s.area++;
                s.x += x + 0.5;
                s.y += y + 0.5;
            }
    return s;
}

static double perimeter(const struct rings *rings)
{
    double sum = 0;

    for (size_t i = 0; i < rings->n; i++)
        sum += ring_perimeter(&rings->ring[i]);
    return sum;
}

struct drift {
    double x, y;
    size_t n;
};

static void clear_border(const struct action *a, struct plane *mask)
{
    for (int y = 0; y < mask->height; y++)
        for (int x = 0; x < mask->width; x++)
            if (is_border(a, x, y))
                ((uint8_t *)mask->px)[(size_t)y * mask->stride + (size_t)x] = 0;
}

static void compare_vector(const struct rings *rings, const struct plane *mask, double scale,
                           struct drift *drift)
{
    struct plane vector = paint(rings, (struct frame){ mask->width, mask->height });
    struct shape a = measure(&vector), b = measure(mask);
    double differ = 0;

    for (int y = 0; y < mask->height; y++)
        for (int x = 0; x < mask->width; x++)
            differ += ((const uint8_t *)mask->px)[(size_t)y * mask->stride + (size_t)x] !=
                      ((const uint8_t *)vector.px)[(size_t)y * vector.stride + (size_t)x];
    CHECK(differ <= perimeter(rings) * fmax(1, scale) + 1);
    if (a.area > 100 && b.area > 100) {
        drift->x += (a.x / a.area - b.x / b.area) / fmax(1, scale);
        drift->y += (a.y / a.area - b.y / b.area) / fmax(1, scale);
        drift->n++;
    }
    pool_return(&pool, &vector);
}

static void compare_runs(const struct rle *rle, const struct plane *mask, struct arena *arena)
{
    struct rle own =
        rle_from_bitmap(arena, mask->px, mask->stride, (struct frame){ mask->width, mask->height });

    CHECK(rle_equal(&own, rle));
}

static double scale_of(const struct draw *d, struct point at)
{
    double scale = 1;

    for (size_t i = 0; i < d->drawn_ops.n; i++)
        scale *= fabs(map_scale_at(&d->drawn_ops.at[i].action.map, at));
    return sqrt(scale);
}

/* The same star as polygons, run lengths and label mask. */
static void check_shape(const struct op *op, struct rng *rng, int number, struct drift *drift)
{
    struct draw d;
    struct rings rings;
    struct ring ring;
    struct object *vector, *runs;
    struct plane mask, moved;
    double scale;

    if (!CHECK(begin(&d, op, rng, number)))
        return;
    ring = star(&d, rng);
    rings = (struct rings){ &ring, 1 };
    mask = paint(&rings, d.in);
    runs = add_object(&d);
    runs->segmentation = SEGMENTATION_RLE;
    runs->rle = rle_from_bitmap(&d.arena, mask.px, mask.stride, d.in);
    vector = add_object(&d);
    vector->segmentation = SEGMENTATION_POLYGONS;
    vector->rings = rings_copy(&d.arena, &rings);
    runs = &d.sample.objects[0];
    if (move(&d)) {
        scale = scale_of(&d, ring.at[0]);
        for (size_t i = 0; i < d.drawn_ops.n; i++)
            d.drawn_ops.at[i].action.fill_mask = 0;
        render_mask(&d.drawn_ops, OPTIMIZE_NONE, &mask, &pool, &d.arena, &moved);
        if (d.drawn_ops.n == 1)
            clear_border(action_of(&d), &moved);
        compare_vector(&vector->rings, &moved, scale, drift);
        compare_runs(&runs->rle, &moved, &d.arena);
        if (moved.px != mask.px)
            pool_return(&pool, &moved);
    }
    pool_return(&pool, &mask);
    end(&d);
}

/* --- the walk --- */

static void judge(const struct op *op, const char *how, const struct errors *e, double limit)
{
    if (!e->n)
        return;
    printf("# %-18s %-8s worst %.4f px, mean %+.4f %+.4f px over %zu pixels\n", op->name, how,
           e->worst, e->sum_x / (double)e->n, e->sum_y / (double)e->n, e->n);
    memcpy(unit_subject, e->where, sizeof unit_subject);
    CHECK(e->worst <= limit);
    snprintf(unit_subject, sizeof unit_subject, "%s, all draws of seed %d", op->name, SEED);
    CHECK(fabs(e->sum_x / (double)e->n) <= MEAN);
    CHECK(fabs(e->sum_y / (double)e->n) <= MEAN);
}

static void walk_op(const struct op *op)
{
    struct errors errors[N_CLASSES] = { 0 };
    struct drift drift = { 0 };
    struct rng rng = rng_start(SEED, rng_stream(op->name), RNG_DRAW);
    struct draw d;

    for (int i = 0; i < DRAWS; i++) {
        if (!CHECK(begin(&d, op, &rng, i)))
            return;
        if (!op->expand && move(&d)) /* those of others are checked by themselves */
            check_ramp(&d, errors);
        end(&d);
        check_shape(op, &rng, i, &drift);
    }
    snprintf(unit_subject, sizeof unit_subject, "%s, all draws of seed %d", op->name, SEED);
    judge(op, "blended", &errors[CLASS_BLENDED], BLENDED);
    judge(op, "filtered", &errors[CLASS_FILTERED], FILTERED);
    judge(op, "nearest", &errors[CLASS_NEAREST], NEAREST);
    CHECK(op->expand || errors[0].n + errors[1].n + errors[2].n > 10000);
    CHECK(drift.n > 0);
    if (drift.n) {
        printf("# %-18s centroid bias %+.4f %+.4f px over %zu draws\n", op->name,
               drift.x / (double)drift.n, drift.y / (double)drift.n, drift.n);
        CHECK(fabs(drift.x / (double)drift.n) <= CENTROID);
        CHECK(fabs(drift.y / (double)drift.n) <= CENTROID);
    }
}

/* What an op stands for is not listed. */
static bool is_listed(const char *const *names, const char *name)
{
    for (; names && *names; names++)
        if (strcmp(*names, name) == 0 || registry_op(*names)->expand)
            return true;
    return false;
}

/* Another image, for transforms that borrow one. */
static bool draw_other(void *context, const struct donors *donors, uint64_t draw, size_t *record,
                       struct text *why)
{
    (void)context, (void)donors, (void)draw, (void)why;
    *record = 1;
    return true;
}

static bool find_other(void *context, const char *name, size_t *record, struct text *why)
{
    (void)context, (void)why;
    *record = 1;
    return strcmp(name, "other.jpg") == 0;
}

static const char *name_other(void *context, size_t record)
{
    (void)context, (void)record;
    return "other.jpg";
}

static bool load_other(void *context, size_t record, struct arena *arena, struct sample *sample,
                       enum pixel_type *type, int *channels, struct text *why)
{
    (void)context, (void)why;
    *sample = (struct sample){ .arena = arena,
                               .name = "other.jpg",
                               .record = record,
                               .frame = { 200, 150 },
                               .matrix = MAT3_IDENTITY,
                               .has_matrix = true };
    *type = PIXEL_U8;
    *channels = 1;
    return true;
}

static const struct donor_source others = {
    .draw = draw_other, .find = find_other, .name = name_other, .load = load_other
};

/* Every transform's example draws, and emits what it says it emits. */
static void walk_transform(const struct transform *transform)
{
    struct text json = { 0 }, why = { 0 };
    struct faults faults = { .name = transform->name };
    struct plan plan;

    snprintf(unit_subject, sizeof unit_subject, "%s", transform->example);
    text_addf(&json, "{\"version\": 1, \"transforms\": [%s]}", transform->example);
    faults.text = (struct slice){ json.at, json.length };
    if (CHECK(plan_read(&faults, &plan)))
        for (uint64_t key = 1; key <= 50; key++) {
            struct arena arena = { 0 };
            struct sample sample = { .arena = &arena, .frame = { 320, 240 }, .donors = &others };
            struct drawn_ops drawn_ops;

            CHECK(plan_apply(&plan, &(struct draw_id){ .seed = key },
                             (struct pixel_kind){ PIXEL_U8, 3 }, &sample, &drawn_ops, &why));
            for (size_t i = 0; transform->emits && i < drawn_ops.n; i++)
                CHECK(is_listed(transform->emits, drawn_ops.at[i].op->name));
            arena_drop(&arena);
        }
    plan_drop(&plan);
    faults_drop(&faults);
    text_drop(&json);
    text_drop(&why);
}

/* With OP=name in the environment this op alone: planted faults are in one. */
static bool is_wanted(const struct op *op)
{
    const char *only = getenv("OP");

    return (op->effect & EFFECT_MOVES) && op->family != FAMILY_JOIN &&
           (!only || strcmp(only, op->name) == 0);
}

static size_t count_wanted(void)
{
    size_t n = 0;

    for (EACH(op, op, registry_ops))
        n += is_wanted(op);
    for (EACH(transform, transform, registry_transforms))
        n += !getenv("OP");
    return n;
}

int main(void)
{
    unit_plan(count_wanted());
    for (EACH(op, op, registry_ops))
        if (is_wanted(op)) {
            walk_op(op);
            unit_report(op->name);
        }
    for (EACH(transform, transform, registry_transforms))
        if (!getenv("OP")) {
            walk_transform(transform);
            unit_report(transform->name);
        }
    pool_drop(&pool);
    return unit_end();
}
