/* test_shrink: holes that are cut out of polygons remove no other pixels when rasterized as by
 * COCO's tools: none is lost at the cuts. A mask with holes that becomes one outline, as in a line
 * of YOLO, loses none either. */
#include "base/rng.h"
#include "sample/sample.h"

#include "unit.h"

#include <string.h>

enum { SIDE = 48, CASES = 4000, MAX_HOLES = 6 };

static struct arena arena;
static const struct frame frame = { SIDE, SIDE };
static struct rng rng;

static int any(int lo, int hi)
{
    return (int)rng_integer(&rng, lo, hi + 1);
}

static void fill(uint8_t *pixels, struct rect r, uint8_t value)
{
    for (int y = r.y; y < r.y + r.h; y++)
        memset(pixels + y * SIDE + r.x, value, (size_t)r.w);
}

/* Rectangles over the middle: without a hole, in one piece, with edges at all places. */
static struct rle random_mask(void)
{
    uint8_t pixels[SIDE * SIDE] = { 0 };

    for (int i = any(1, 4); i > 0; i--) {
        int x = any(1, 18), y = any(1, 18);

        fill(pixels, (struct rect){ x, y, any(30, 46) - x, any(30, 46) - y }, 1);
    }
    return rle_from_bitmap(&arena, pixels, SIDE, frame);
}

static struct rect random_hole(void)
{
    int x = any(0, 40), y = any(0, 40);

    return (struct rect){ x, y, any(1, SIDE - x < 14 ? SIDE - x : 14),
                          any(1, SIDE - y < 14 ? SIDE - y : 14) };
}

static struct rle without_holes(const struct rle *mask, const struct rect *hole, size_t n)
{
    uint8_t pixels[SIDE * SIDE];

    rle_to_bitmap(mask, pixels, SIDE);
    for (size_t i = 0; i < n; i++)
        fill(pixels, hole[i], 0);
    return rle_from_bitmap(&arena, pixels, SIDE, frame);
}

/* Returns the sample's object in its written form. */
static struct sample shrunk(const struct rings *rings, const struct rect *hole, size_t n)
{
    struct sample s = { .arena = &arena, .frame = frame, .n_objects = 1 };
    const struct rules rules = { .boxes = BOXES_TIGHT };

    s.objects = ARENA_NEW(&arena, struct object);
    *s.objects = (struct object){ .segmentation = SEGMENTATION_POLYGONS,
                                  .rings = rings_copy(&arena, rings),
                                  .visibility = 1 };
    sample_hide(&s, &(struct rects){ hole, n }, LABELS_SHRINK);
    sample_finalize(&s, &rules);
    return s;
}

static void test_masks(void)
{
    for (int i = 0; i < CASES; i++) {
        struct rle before = random_mask(), want, have;
        struct rings outline = rle_to_rings(&arena, &before, NULL);
        struct rect hole[MAX_HOLES];
        size_t n = (size_t)any(1, MAX_HOLES);
        struct sample s;

        for (size_t k = 0; k < n; k++)
            hole[k] = random_hole();
        s = shrunk(&outline, hole, n);
        want = without_holes(&before, hole, n);
        have = rle_from_rings(&arena, &s.objects->rings, frame);
        snprintf(unit_subject, sizeof unit_subject, "case %d: %d pixels, %d after the cut", i,
                 (int)rle_area(&want), (int)rle_area(&have));
        if (rle_area(&want)) {
            CHECK(rle_equal(&want, &have));
            CHECK_NEAR(rings_area(&s.objects->rings), (double)rle_area(&want), 1e-9);
        }
        arena_reset(&arena);
    }
    *unit_subject = 0;
}

/* Stars around the middle, cut at one hole: all of the area stays. (The seam ends on slanted edges.
 * COCO's tools round its ends to fifths of a pixel, so pixels at such edges may differ.) */
static void test_slanted(void)
{
    for (int i = 0; i < CASES; i++) {
        struct point p[24];
        struct ring star = { .at = p, .n = (size_t)any(5, 24) };
        struct rings one = { &star, 1 };
        int x = any(19, 24), y = any(19, 24);
        struct rect hole = { x, y, any(1, 28 - x), any(1, 28 - y) };
        struct box box = box_of_rect(hole);
        struct sample s;
        struct rings under;

        for (size_t k = 0; k < star.n; k++) {
            double angle = 6.283185307179586 * ((double)k + 0.8 * rng_unit(&rng)) / (double)star.n;
            double radius = rng_between(&rng, 8, 23);

            p[k] = (struct point){ 24 + radius * cos(angle), 24 + radius * sin(angle) };
        }
        s = shrunk(&one, &hole, 1);
        under = ring_clip(&arena, &star, box);
        snprintf(unit_subject, sizeof unit_subject, "case %d", i);
        CHECK_NEAR(rings_area(&s.objects->rings) + rings_area(&under), ring_area(&star), 1e-9);
        arena_reset(&arena);
    }
    *unit_subject = 0;
}

/* A mask with holes as one ring. */
static void test_tied(void)
{
    for (int i = 0; i < CASES; i++) {
        struct rle mask = random_mask(), have;
        struct rect hole[2] = { random_hole(), random_hole() };
        struct rings rings;
        struct ring tied;

        mask = without_holes(&mask, hole, 2);
        rings = rle_to_rings(&arena, &mask, NULL);
        if (rings.n > 1) {
            tied = rings_tied(&arena, &rings);
            have = rle_from_rings(&arena, &(struct rings){ &tied, 1 }, frame);
            CHECK(rle_equal(&mask, &have));
            CHECK_NEAR(ring_area(&tied), (double)rle_area(&mask), 1e-9);
        }
        arena_reset(&arena);
    }
}

int main(void)
{
    static const struct unit_test tests[] = { TEST(test_masks), TEST(test_slanted),
                                              TEST(test_tied) };

    rng = rng_start(49, 7, RNG_DRAW);
    return unit_main(tests, COUNTOF(tests));
}
