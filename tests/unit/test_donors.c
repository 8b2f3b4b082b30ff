/* test_donors: every image that may be borrowed has the same chance, and one more changes few
 * draws. */
#include "unit.h"

#include "../../src/base/rng.h"
#include "../../src/batch/donor_pool.h"

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

/* DRAWS in the environment: how many, for a search. */
static size_t draws_of(size_t otherwise)
{
    const char *given = getenv("DRAWS");

    return given ? strtoull(given, NULL, 10) : otherwise;
}

static void test_chances(void)
{
    static const struct {
        size_t n, draws;
    } all[] = { { 2, 100000 },   { 3, 100000 },   { 100, 100000 },  { 1000, 50000 },
                { 5000, 20000 }, { 65536, 1000 }, { 65537, 30000 }, { LARGEST, 30000 } };

    for (size_t i = 0; i < COUNTOF(all); i++) {
        size_t draws = draws_of(all[i].draws);
        double excess = chi_square_excess(all[i].n, draws);

        printf("# %zu images, %zu draws: chi-square %+.2f deviations from its mean\n", all[i].n,
               draws, excess);
        CHECK(fabs(excess) < 4);
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
        { "test_chances", test_chances },
        { "test_stability", test_stability },
        { "test_except", test_except },
    };

    return unit_main(tests, COUNTOF(tests));
}
