/* test_nms: soft suppression gives the bits that comparing each pair gives. */
#include "base/rng.h"
#include "geom/nms.h"

#include "unit.h"

#include <string.h>

enum { CASES = 600, MAX_BOXES = 400 };

static struct rng rng;

static double factor_of(const struct decay_rule *rule, double iou)
{
    if (!(iou > 0))
        return 1;
    if (rule->gaussian)
        return exp(-iou * iou / rule->sigma);
    return iou > rule->threshold ? 1 - iou : 1;
}

/* Takes the highest score, of equal ones the first, and lowers all that are left, as the paper has
 * it. */
static void decay_by_pairs(struct nms_box *b, size_t n, const struct decay_rule *rule)
{
    bool *taken = calloc(n + 1, sizeof *taken);

    for (size_t k = 0; k < n; k++) {
        size_t best = n;

        for (size_t i = 0; i < n; i++)
            if (!taken[i] && (best == n || b[i].score > b[best].score))
                best = i;
        taken[best] = true;
        for (size_t i = 0; i < n; i++)
            if (!taken[i])
                b[i].score *= factor_of(rule, box_iou(b[best].box, b[i].box));
    }
    free(taken);
}

/* Whole numbers give ties, touching edges and boxes without width; negative scores rise. */
static void draw_boxes(struct nms_box *b, size_t n)
{
    bool whole = rng_unit(&rng) < 0.5, negative = rng_unit(&rng) < 0.2;
    double spread = rng_between(&rng, 5, 2000), side = rng_between(&rng, 1, 200);

    for (size_t i = 0; i < n; i++) {
        double v[5] = { spread * rng_unit(&rng), spread * rng_unit(&rng), side * rng_unit(&rng),
                        side * rng_unit(&rng), rng_unit(&rng) - 0.5 * negative };

        for (int k = 0; k < 4 && whole; k++)
            v[k] = floor(v[k]);
        if (whole)
            v[4] = floor(10 * v[4]) / 10;
        b[i] = (struct nms_box){ { v[0], v[1], v[0] + v[2], v[1] + v[3] }, v[4] };
        if (i && rng_unit(&rng) < 0.1)
            b[i] = b[rng_integer(&rng, 0, (int64_t)i)];
    }
}

static void test_soft(void)
{
    static struct nms_box want[MAX_BOXES], have[MAX_BOXES];

    for (int i = 0; i < CASES; i++) {
        size_t n = (size_t)rng_integer(&rng, 0, MAX_BOXES + 1);
        const struct decay_rule rule = { rng_unit(&rng) < 0.5,
                                         rng_unit(&rng) < 0.2 ? 0 : rng_unit(&rng),
                                         rng_between(&rng, 0.01, 2) };

        draw_boxes(want, n);
        memcpy(have, want, n * sizeof *have);
        decay_by_pairs(want, n, &rule);
        soft_nms(have, n, &rule);
        snprintf(unit_subject, sizeof unit_subject, "case %d: %zu boxes", i, n);
        for (size_t k = 0; k < n; k++)
            CHECK(memcmp(&want[k].score, &have[k].score, sizeof want[k].score) == 0);
    }
    *unit_subject = 0;
}

int main(void)
{
    static const struct unit_test tests[] = { TEST(test_soft) };

    rng = rng_start(49, 20, RNG_DRAW);
    return unit_main(tests, COUNTOF(tests));
}
