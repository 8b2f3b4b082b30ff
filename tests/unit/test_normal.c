/* test_normal: the normal distribution's quantiles, and numbers drawn from it. */
#include "unit.h"

#include "base/number.h"
#include "base/rng.h"

enum { DRAWS = 200000 };

/* Quantiles to 16 digits (Python's statistics.NormalDist agrees, and tables to theirs). */
static void quantiles(void)
{
    static const double known[][2] = {
        { 0.5, 0 },
        { 0.75, 0.6744897501960817 },
        { 0.8413447460685429, 1 },
        { 0.975, 1.959963984540054 },
        { 0.999, 3.090232306167813 },
        { 0.9772498680518208, 2 },
        { 1e-5, -4.264890793922825 },
        { 1e-12, -7.034483825301131 },
        { 1e-300, -37.0470962993612 },
    };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        double x = number_normal(known[i][0]);

        CHECK_NEAR(x, known[i][1], known[i][0] < 1e-200 ? 1e-9 : 4e-15 * (1 + fabs(x)));
    }
    for (int i = 0; i < 1000; i++) { /* it is the inverse of the distribution function */
        double x = unit_double(-7, 7), p = erfc(-x / sqrt(2)) / 2;

        CHECK_NEAR(number_normal(p), x, 1e-14 / fmax(exp(-x * x / 2), 1e-12));
    }
    for (int i = 1; i < 2000; i++) {
        double p = i / 4096.0;

        CHECK(number_normal(p) == -number_normal(1 - p));
        CHECK(number_normal(p) < number_normal((i + 1) / 4096.0));
    }
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Moments within five standard errors; the largest distance of the drawn distribution function
 * from the true one (Kolmogorov and Smirnov) below its 0.1 % quantile. */
static void draws(void)
{
    static double x[DRAWS];
    struct rng rng = rng_start(77, 1, RNG_DRAW);
    double sum[5] = { 0 }, apart = 0, along = 0;

    for (size_t i = 0; i < DRAWS; i++) {
        double power = 1;

        x[i] = rng_normal(&rng, 0, 1);
        for (int k = 1; k <= 4; k++)
            sum[k] += (power *= x[i]) / DRAWS;
        along += i ? x[i] * x[i - 1] / DRAWS : 0;
    }
    CHECK_NEAR(sum[1], 0, 5 / sqrt(DRAWS));
    CHECK_NEAR(sum[2], 1, 5 * sqrt(2.0 / DRAWS));
    CHECK_NEAR(sum[3], 0, 5 * sqrt(15.0 / DRAWS));
    CHECK_NEAR(sum[4], 3, 5 * sqrt(96.0 / DRAWS));
    CHECK_NEAR(along, 0, 5 / sqrt(DRAWS));
    qsort(x, DRAWS, sizeof *x, by_size);
    for (size_t i = 0; i < DRAWS; i++)
        apart = fmax(apart, fabs(erfc(-x[i] / sqrt(2)) / 2 - ((double)i + 0.5) / DRAWS));
    CHECK(apart < 1.95 / sqrt(DRAWS));
}

/* To the bit, on every platform, for ever: images are made of them. */
static void fixed(void)
{
    static const double want[] = { 0x1.23b934c6ccdaap-4, 0x1.2616954f7ddbcp-1,
                                   0x1.18130103fc74ap+0, -0x1.ebc2472c864edp-3,
                                   0x1.83edcd9cfb324p+0, -0x1.2954b48d579cfp-1 };
    struct rng rng = rng_start(1, 2, RNG_DRAW);

    for (size_t i = 0; i < sizeof want / sizeof *want; i++)
        CHECK(rng_normal(&rng, 0, 1) == want[i]);
    CHECK(rng_normal(&rng, 3, 0) == 3);
}

int main(void)
{
    static const struct unit_test tests[] = {
        TEST(quantiles),
        TEST(draws),
        TEST(fixed),
    };

    return unit_main(tests, COUNTOF(tests));
}
