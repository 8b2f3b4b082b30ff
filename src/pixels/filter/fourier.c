/* fourier: discrete Fourier transforms of any length.
 *
 * Uses factors up to LARGEST (Cooley and Tukey). If n has a larger factor, it uses a convolution of
 * at least twice its length (L. Bluestein, 1970). */
#include "pixels/fourier.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 13, FACTORS = 32 };

struct fourier {
    int n, factors, factor[FACTORS];
    struct phasor *turn; /* e^(-2 pi i k / n) */
    /* only if there is a larger factor: */
    struct fourier *longer;
    struct phasor *chirp,
        *kernel; /* e^(-pi i k^2 / n), and the transform of the convolution kernel */
};

static struct phasor times(struct phasor a, struct phasor b)
{
    return (struct phasor){ a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re };
}

static struct phasor plus(struct phasor a, struct phasor b)
{
    return (struct phasor){ a.re + b.re, a.im + b.im };
}

static struct phasor minus(struct phasor a, struct phasor b)
{
    return (struct phasor){ a.re - b.re, a.im - b.im };
}

/* Returns e^(-2 pi i k / n), computed from an angle of at most an eighth of a turn, so that k and n
 * - k are exact mirror images. */
static struct phasor turn_of(int64_t k, int64_t n)
{
    int64_t eighth = 8 * k / n, by = (eighth + 1) / 2;
    double angle = 2 * acos(-1) * (double)(4 * k - by * n) / (double)(4 * n);
    struct phasor t = { cos(angle), -sin(angle) };

    for (; by > 0; by--)
        t = (struct phasor){ t.im, -t.re };
    return t;
}

/* Returns false if a factor is too large. */
static bool factorize(struct fourier *f)
{
    static const int factor[] = { 4, 2, 3, 5, 7, 11, LARGEST };
    int rest = f->n;

    for (size_t i = 0; i < COUNTOF(factor); i++)
        while (rest % factor[i] == 0) {
            f->factor[f->factors++] = factor[i];
            rest /= factor[i];
        }
    return rest == 1;
}

static void begin_longer(struct fourier *f)
{
    int m = 1;

    while (m < 2 * f->n - 1)
        m *= 2;
    f->longer = fourier_begin(m);
    f->chirp = memory_take((size_t)f->n * sizeof *f->chirp);
    f->kernel = memory_take((size_t)m * sizeof *f->kernel);
    memset(f->kernel, 0, (size_t)m * sizeof *f->kernel);
    for (int k = 0; k < f->n; k++) {
        f->chirp[k] = turn_of((int64_t)k * k % (2 * (int64_t)f->n), 2 * (int64_t)f->n);
        f->kernel[k] = f->kernel[(m - k) % m] =
            (struct phasor){ f->chirp[k].re / m, -f->chirp[k].im / m };
    }
    fourier_run(f->longer, f->kernel, false);
}

struct fourier *fourier_begin(int n)
{
    struct fourier *f = memory_take(sizeof *f);

    *f = (struct fourier){ .n = n };
    if (!factorize(f)) {
        begin_longer(f);
        return f;
    }
    f->turn = memory_take((size_t)n * sizeof *f->turn);
    for (int k = 0; k < n; k++)
        f->turn[k] = turn_of(k, n);
    return f;
}

void fourier_end(struct fourier *f)
{
    if (f->longer)
        fourier_end(f->longer);
    free(f->turn);
    free(f->chirp);
    free(f->kernel);
    free(f);
}

static void join_2(const struct fourier *f, int m, int step, struct phasor *to)
{
    for (int k = 0; k < m; k++) {
        struct phasor a = to[k], b = times(to[m + k], f->turn[k * step]);

        to[k] = plus(a, b);
        to[m + k] = minus(a, b);
    }
}

static void join_4(const struct fourier *f, int m, int step, struct phasor *to)
{
    for (int k = 0; k < m; k++) {
        struct phasor a = to[k], b = times(to[m + k], f->turn[k * step]);
        struct phasor c = times(to[2 * m + k], f->turn[2 * k * step]);
        struct phasor d = times(to[3 * m + k], f->turn[3 * k * step]);
        struct phasor even = plus(a, c), odd = minus(a, c), sum = plus(b, d), rest = minus(b, d);

        to[k] = plus(even, sum);
        to[m + k] = (struct phasor){ odd.re + rest.im, odd.im - rest.re };
        to[2 * m + k] = minus(even, sum);
        to[3 * m + k] = (struct phasor){ odd.re - rest.im, odd.im + rest.re };
    }
}

static void join_any(const struct fourier *f, int p, int m, int step, struct phasor *to)
{
    for (int k = 0; k < m; k++) {
        struct phasor part[LARGEST];

        for (int q = 0; q < p; q++)
            part[q] = times(to[q * m + k], f->turn[q * k * step]);
        for (int r = 0; r < p; r++) {
            struct phasor sum = part[0];

            for (int q = 1; q < p; q++)
                sum = plus(sum, times(part[q], f->turn[q * r % p * (f->n / p)]));
            to[r * m + k] = sum;
        }
    }
}

/* Transforms n numbers, `step` apart: transforms every p-th of them, and joins the results. */
static void transform(const struct fourier *f, const int *factor, int n, const struct phasor *from,
                      int step, struct phasor *to)
{
    int p = *factor, m = n / p;

    if (n == 1) {
        *to = *from;
        return;
    }
    for (int q = 0; q < p; q++)
        if (m == 1)
            to[q] = from[q * step];
        else
            transform(f, factor + 1, m, from + q * step, step * p, to + q * m);
    if (p == 2)
        join_2(f, m, step, to);
    else if (p == 4)
        join_4(f, m, step, to);
    else
        join_any(f, p, m, step, to);
}

/* Reverses all numbers but the first. The inverse transform is the transform of the reversed
 * numbers, up to a factor. */
static void mirror(struct phasor *x, int n)
{
    for (int i = 1; i < n - i; i++) {
        struct phasor other = x[i];

        x[i] = x[n - i];
        x[n - i] = other;
    }
}

static void convolve(const struct fourier *f, struct phasor *x)
{
    int m = f->longer->n;
    struct phasor *y = memory_take((size_t)m * sizeof *y);

    memset(y, 0, (size_t)m * sizeof *y);
    for (int k = 0; k < f->n; k++)
        y[k] = times(x[k], f->chirp[k]);
    fourier_run(f->longer, y, false);
    for (int k = 0; k < m; k++)
        y[k] = times(y[k], f->kernel[k]);
    fourier_run(f->longer, y, true);
    for (int k = 0; k < f->n; k++)
        x[k] = times(y[k], f->chirp[k]);
    free(y);
}

void fourier_run(const struct fourier *f, struct phasor *x, bool inverse)
{
    if (inverse)
        mirror(x, f->n);
    if (f->longer) {
        convolve(f, x);
    } else if (f->n > 1) {
        size_t bytes = (size_t)f->n * sizeof *x;
        struct phasor *from = memory_take(bytes);

        memcpy(from, x, bytes);
        transform(f, f->factor, f->n, from, 1, x);
        free(from);
    }
}
