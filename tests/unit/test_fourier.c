/* test_fourier: transforms of every length up to LONGEST, and a few longer ones, against the sums
 * that they stand for. */
#include "unit.h"

#include "pixels/fourier.h"

#include <string.h>

enum { LONGEST = 140, MAX_SIZE = 1031 };

static void fill(struct phasor *x, int n)
{
    for (int i = 0; i < n; i++)
        x[i] = (struct phasor){ unit_double(-1, 1), unit_double(-1, 1) };
}

/* Frequency k, one term after the other. */
static struct phasor sum(const struct phasor *x, int n, int k)
{
    struct phasor s = { 0, 0 };

    for (int j = 0; j < n; j++) {
        double angle = -2 * acos(-1) * (double)((long)j * k % n) / n;

        s.re += x[j].re * cos(angle) - x[j].im * sin(angle);
        s.im += x[j].re * sin(angle) + x[j].im * cos(angle);
    }
    return s;
}

static void check_length(int n)
{
    static struct phasor x[MAX_SIZE], to[MAX_SIZE], again[MAX_SIZE];
    struct fourier *f = fourier_begin(n);

    snprintf(unit_subject, sizeof unit_subject, "length %d", n);
    fill(x, n);
    memcpy(to, x, sizeof x);
    memcpy(again, x, sizeof x);
    fourier_run(f, to, false);
    fourier_run(f, again, false);
    CHECK(memcmp(to, again, (size_t)n * sizeof *to) == 0);
    for (int k = 0; k < n; k++) {
        struct phasor want = sum(x, n, k);

        CHECK_NEAR(to[k].re, want.re, 1e-12 * n);
        CHECK_NEAR(to[k].im, want.im, 1e-12 * n);
    }
    fourier_run(f, to, true);
    for (int k = 0; k < n; k++) {
        CHECK_NEAR(to[k].re / n, x[k].re, 1e-13 * n);
        CHECK_NEAR(to[k].im / n, x[k].im, 1e-13 * n);
    }
    fourier_end(f);
    *unit_subject = 0;
}

static void test_lengths(void)
{
    static const int longer[] = { 256, 257, 289, 360, 480, 521, 640, 1001, 1024, 1031 };

    for (int n = 1; n <= LONGEST; n++)
        check_length(n);
    for (size_t i = 0; i < COUNTOF(longer); i++)
        check_length(longer[i]);
}

int main(void)
{
    static const struct unit_test tests[] = {
        TEST(test_lengths),
    };

    return unit_main(tests, COUNTOF(tests));
}
