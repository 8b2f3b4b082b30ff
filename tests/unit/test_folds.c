/* test_folds: where a displacement field folds, labels show the same as pixels, and take no more
 * time. */
#include "labels.h"
#include "render_plane.h"
#include "unit.h"

#include <string.h>

enum { FIELDS = 120 };

static struct pool pool;

/* Returns the runs of a label mask of 0 and 1. */
static struct rle runs_of(struct arena *arena, const struct plane *p)
{
    return rle_from_bitmap(arena, p->px, p->stride, (struct frame){ p->width, p->height });
}

static struct plane plane_of(const struct rle *m)
{
    struct plane p = pool_plane(&pool, (struct frame){ m->width, m->height }, 1, PIXEL_U8);

    rle_to_bitmap(m, p.px, p.stride);
    for (size_t i = 0; i < (size_t)p.height * p.stride; i++)
        ((uint8_t *)p.px)[i] = ((uint8_t *)p.px)[i] != 0;
    return p;
}

/* Returns the part of the mask that is shown. */
static struct rle shown(const struct resolved_ops *resolved_ops, const struct rle *m,
                        struct arena *arena)
{
    struct plane source = plane_of(m), out;
    struct rle runs;

    render_mask(resolved_ops, OPTIMIZE_EXACT, &source, &pool, arena, &out);
    runs = runs_of(arena, &out);
    drop_rendered(&pool, &source, &out);
    pool_return(&pool, &source);
    return runs;
}

static bool boxes_equal(struct box a, struct box b)
{
    return a.x0 == b.x0 && a.y0 == b.y0 && a.x1 == b.x1 && a.y1 == b.y1;
}

/* A polygon, run lengths and a box alone, all before and after. */
static int check_labels(const struct sample *before, const struct sample *after,
                        const struct resolved_ops *resolved_ops)
{
    const struct object *was = before->objects, *is = after->objects;
    struct rle triangle = rle_from_rings(before->arena, &was[1].rings, before->frame);
    struct rle box = rle_from_rings(
        before->arena, &(struct rings){ (struct ring *)&was[0].outline, 1 }, before->frame);
    struct rle want_triangle = shown(resolved_ops, &triangle, before->arena);
    struct rle want_runs = shown(resolved_ops, &was[2].rle, before->arena);
    struct rle want_box = shown(resolved_ops, &box, before->arena);

    CHECK(rle_equal(&is[2].rle, &want_runs));
    for (size_t i = 0; i < after->n_objects; i++)
        CHECK(is[i].visibility >= 0 && is[i].visibility <= 1);
    if (is[1].segmentation != SEGMENTATION_RLE)
        return 0; /* it does not fold where the triangle is */
    CHECK(rle_equal(&is[1].rle, &want_triangle));
    CHECK(boxes_equal(is[1].final.box, rle_bounds(&want_triangle)) || is[1].final.dropped);
    CHECK(boxes_equal(is[0].final.box, rle_bounds(&want_box)) || is[0].final.dropped);
    return 1;
}

static int check_field(const char *step, struct frame f)
{
    struct arena arena = { 0 };
    struct sample before = labels_sample(&arena, f), after = labels_sample(&arena, f);
    struct resolved_ops resolved_ops;
    struct text why = { 0 };
    struct plan plan;
    const char *json = arena_printf(&arena, "{\"version\": 1, \"transforms\": [%s]}", step);
    struct faults faults = { .name = "folds", .text = { json, strlen(json) } };
    int folded = 0;

    CHECK(plan_read(&faults, &plan));
    if (CHECK(plan_apply(&plan, &(struct draw_id){ .seed = 1 }, (struct pixel_kind){ PIXEL_U8, 1 },
                         &after, &resolved_ops, &why))) {
        sample_finalize(&after, &plan.rules);
        folded = check_labels(&before, &after, &resolved_ops);
    }
    text_drop(&why);
    plan_drop(&plan);
    faults_drop(&faults);
    arena_drop(&arena);
    return folded;
}

static void test_elastic(void)
{
    struct arena arena = { 0 };
    int folded = 0;

    for (int i = 0; i < FIELDS; i++) {
        double alpha = exp(unit_double(1, 11.5)), sigma = unit_int(0, 3) ? unit_double(0, 9) : 0;

        folded += check_field(arena_printf(&arena,
                                           "{\"type\": \"elastic\", \"alpha\": %.9g, \"sigma\": "
                                           "%.9g, \"key\": %d}",
                                           alpha, sigma, i),
                              (struct frame){ unit_int(1, 90), unit_int(1, 70) });
    }
    CHECK(folded > FIELDS / 4 && folded < FIELDS);
    arena_drop(&arena);
}

/* Minutes, where all cells are asked for each point of an outline. */
static void test_large_fields(void)
{
    check_field("{\"type\": \"elastic\", \"alpha\": 400, \"sigma\": 0}",
                (struct frame){ 640, 480 });
    check_field("{\"type\": \"elastic\", \"alpha\": 400, \"sigma\": 1}",
                (struct frame){ 640, 480 });
    check_field("{\"type\": \"elastic\", \"alpha\": 400, \"sigma\": 2}",
                (struct frame){ 640, 480 });
}

/* The visible part of a mask is computed for some of its pixels, and each may need a search through
 * cells. */
enum { ASKED = 1024, MAX_CELLS = 250 };

/* Cells searched for the pixels of a box. */
static uint64_t cells_of_box(const struct map *map, struct frame f, struct box b)
{
    struct arena arena = { 0 };
    struct ring ring = ring_of_box(&arena, b);
    struct rle mask = rle_from_rings(&arena, &(struct rings){ &ring, 1 }, f);
    uint64_t before = field_cells_searched(map->field);
    double share = rle_share_within(&mask, map, box_of_frame(f), ASKED);

    CHECK(share >= 0 && share <= 1);
    arena_drop(&arena);
    return field_cells_searched(map->field) - before;
}

static void check_work(double alpha, double sigma, struct frame f)
{
    struct arena arena = { 0 };
    struct sample sample = { .arena = &arena, .frame = f };
    struct resolved_ops resolved_ops;
    struct text why = { 0 };
    struct plan plan;
    const char *json = arena_printf(&arena,
                                    "{\"version\": 1, \"transforms\": [{\"type\": \"elastic\", "
                                    "\"alpha\": %g, \"sigma\": %g}]}",
                                    alpha, sigma);
    struct faults faults = { .name = "work", .text = { json, strlen(json) } };
    const struct map *map;

    CHECK(plan_read(&faults, &plan));
    CHECK(plan_apply(&plan, &(struct draw_id){ 0 }, (struct pixel_kind){ PIXEL_U8, 1 }, &sample,
                     &resolved_ops, &why) &&
          resolved_ops.n == 1);
    map = &resolved_ops.at[0].action.map;
    CHECK(field_folds(map->field, box_of_frame(f)));
    CHECK(cells_of_box(map, f, (struct box){ 300, 220, 340, 260 }) == 0); /* beyond its reach */
    CHECK(cells_of_box(map, f, box_of_frame(f)) <= MAX_CELLS * ASKED);
    text_drop(&why);
    plan_drop(&plan);
    faults_drop(&faults);
    arena_drop(&arena);
}

static void test_work(void)
{
    for (double alpha = 100; alpha <= 400; alpha *= 2)
        for (double sigma = 0; sigma <= 2; sigma++)
            if (alpha > 20 * sigma * sigma)
                check_work(alpha, sigma, (struct frame){ 640, 480 });
}

int main(void)
{
    static const struct unit_test tests[] = { TEST(test_elastic), TEST(test_large_fields),
                                              TEST(test_work) };
    int status = unit_main(tests, COUNTOF(tests));

    pool_drop(&pool);
    return status;
}
