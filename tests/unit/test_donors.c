/* test_donors: every image that may be borrowed has the same chance, and one more changes few
 * draws. */
#include "unit.h"

#include "base/rng.h"
#include "batch/dataset/donor_pool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 200000 };

static struct donor_key keys[LARGEST + 100];

/* The keys of n images by the names of a dataset; as hashes of names, they are random numbers. */
static struct donor_pool pool_of(size_t n)
{
    struct donor_pool pool = { keys, n };
    struct rng rng = rng_start(rng_key(1, (struct slice){ "names", 5 }, 0, 0, 0), 0, RNG_DRAW);

    for (size_t i = 0; i < n; i++)
        keys[i] = (struct donor_key){ rng_u64(&rng), (uint32_t)i };
    donor_pool_sort(&pool);
    return pool;
}

/* How far chi-square lies above its mean, n - 1, in its standard deviations. */
static double chi_square_excess(size_t n, size_t draws)
{
    struct donor_pool pool = pool_of(n);
    struct rng rng = rng_start(rng_key(2, (struct slice){ "draws", 5 }, 0, 0, 0), 0, RNG_DRAW);
    unsigned *count = calloc(n, sizeof *count);
    double wanted = (double)draws / (double)n, sum = 0;

    for (size_t i = 0; i < draws; i++) {
        size_t record = n;

        if (!donor_pool_draw(&pool, NULL, rng_u64(&rng), &record) || record >= n)
            return INFINITY;
        count[record]++;
    }
    for (size_t i = 0; i < n; i++)
        sum += (count[i] - wanted) * (count[i] - wanted) / wanted;
    free(count);
    return (sum - (double)(n - 1)) / sqrt(2.0 * (double)(n - 1));
}

static void test_chances(void)
{
    static const struct {
        size_t n, draws;
    } all[] = { { 2, 100000 },   { 3, 100000 },   { 100, 100000 },  { 1000, 50000 },
                { 5000, 20000 }, { 65536, 1000 }, { 65537, 30000 }, { LARGEST, 30000 } };

    for (size_t i = 0; i < COUNTOF(all); i++) {
        size_t draws = unit_setting("DRAWS", all[i].draws);
        double excess = chi_square_excess(all[i].n, draws);

        printf("# %zu images, %zu draws: chi-square %+.2f deviations from its mean\n", all[i].n,
               draws, excess);
        CHECK(fabs(excess) < 4);
    }
}

/* Names whose hashes crowd in one half of the ring have the chance of those in the other half. */
static void test_crowded(void)
{
    enum { N = 80000, IN = 10, DRAWS = 4000 }; /* one in IN lies in the upper half */
    struct donor_pool pool = pool_of(N);
    struct rng rng = rng_start(5, 0, RNG_DRAW);
    const uint64_t upper = (uint64_t)1 << 63;
    double share = 0, sigma = sqrt((1.0 - 1.0 / IN) / IN / DRAWS);

    for (size_t i = 0; i < N; i++)
        keys[i].hash = keys[i].record % IN ? keys[i].hash & ~upper : keys[i].hash | upper;
    donor_pool_sort(&pool);
    for (int i = 0; i < DRAWS; i++) {
        size_t record;

        CHECK(donor_pool_draw(&pool, NULL, rng_u64(&rng), &record));
        share += (record % IN == 0) / (double)DRAWS;
    }
    printf("# %.4f of the draws are of 1 / %d of the images, which lie apart\n", share, IN);
    CHECK(fabs(share - 1.0 / IN) < 4 * sigma);
}

/* The share of draws that change when the n-th image is added. */
static double changed_by_last(size_t n)
{
    enum { DRAWS = 2000 };
    static size_t before[DRAWS];
    struct donor_pool pool;
    size_t changed = 0;

    for (size_t added = 0; added <= 1; added++) {
        struct rng rng = rng_start(9, 0, RNG_DRAW);

        pool = pool_of(n - 1 + added);
        for (int i = 0; i < DRAWS; i++) {
            size_t record;

            CHECK(donor_pool_draw(&pool, NULL, rng_u64(&rng), &record));
            changed += added && record != before[i];
            before[i] = record;
        }
    }
    return (double)changed / DRAWS;
}

/* A new way to draw begins above DONOR_RING, and arcs are halved above each power of two. */
static void test_steps(void)
{
    static const struct {
        size_t n;
        double min, max;
    } all[] = { { DONOR_RING, 0, 0.01 },
                { DONOR_RING + 1, 0.99, 1 },
                { DONOR_RING + 2, 0, 0.01 },
                { 2 * DONOR_RING + 1, 0.7, 0.8 },
                { 2 * DONOR_RING + 2, 0, 0.01 } };

    for (size_t i = 0; i < COUNTOF(all); i++) {
        double share = changed_by_last(all[i].n);

        printf("# image %zu changes %.4f of the draws\n", all[i].n, share);
        CHECK(share >= all[i].min && share <= all[i].max);
    }
}

static void test_stability(void)
{
    enum { N = 5000, ADDED = 20, DRAWS = 2000 };
    struct donor_pool pool;
    static size_t before[DRAWS];
    size_t changed = 0;

    for (int added = 0; added <= ADDED; added++) {
        struct rng rng = rng_start(7, 0, RNG_DRAW);

        pool = pool_of(N);
        if (added) {
            struct rng other = rng_start((uint64_t)added, 1, RNG_DRAW);

            keys[N] = (struct donor_key){ rng_u64(&other), N };
            pool.n = N + 1;
            donor_pool_sort(&pool);
        }
        for (int i = 0; i < DRAWS; i++) {
            size_t record;

            CHECK(donor_pool_draw(&pool, NULL, rng_u64(&rng), &record));
            changed += added && record != before[i];
            if (!added)
                before[i] = record;
        }
    }
    printf("# one more of %d: %.3f / %d of the draws change\n", N,
           (double)changed * N / ADDED / DRAWS, N);
    CHECK((double)changed / ADDED / DRAWS <= 1.2 / N + 3 * sqrt(1.0 / N / ADDED / DRAWS));
}

static void test_except(void)
{
    struct donor_pool pool = pool_of(2);
    struct donor_key self = keys[0];
    size_t record;

    for (uint64_t draw = 0; draw < 100; draw++)
        CHECK(donor_pool_draw(&pool, &self, draw, &record) && record != self.record);
    pool.n = 1;
    CHECK(!donor_pool_draw(&pool, &self, 3, &record));
    pool = pool_of(LARGEST);
    self = keys[777];
    for (uint64_t draw = 0; draw < 2000; draw++)
        CHECK(donor_pool_draw(&pool, &self, draw << 40, &record) && record != self.record);
}

int main(void)
{
    static const struct unit_test tests[] = {
        { "test_chances", test_chances },     { "test_crowded", test_crowded },
        { "test_stability", test_stability }, { "test_steps", test_steps },
        { "test_except", test_except },
    };

    return unit_main(tests, COUNTOF(tests));
}
