/* spectrum_match: gives an image's low frequencies the amplitudes of a reference. */
#include "pixels/fourier.h"
#include "pixels/samples.h"

#include <math.h>
#include <stdlib.h>

/* Low frequencies of one channel: for 0..columns - 1 waves along rows, the frequencies along
 * columns. These go from 0 up; negative ones go from the end down. */
struct spectrum {
    int width, height, border, columns;
    struct fourier *row, *column;
    struct phasor *at, *line; /* the columns, one after the other; work space for a row */
};

/* Writes `n` samples of row y. */
typedef void row_fn(const void *context, int y, int n, double *to);

static struct spectrum spectrum_begin(const struct plane *p, int border)
{
    struct spectrum s = { .width = p->width, .height = p->height, .border = border };

    s.columns = border < p->width / 2 ? border + 1 : p->width / 2 + 1;
    s.row = fourier_begin(s.width);
    s.column = fourier_begin(s.height);
    s.at = memory_take((size_t)s.columns * (size_t)s.height * sizeof *s.at);
    s.line = memory_take((size_t)s.width * sizeof *s.line);
    return s;
}

static void spectrum_end(struct spectrum *s)
{
    fourier_end(s->row);
    fourier_end(s->column);
    free(s->at);
    free(s->line);
}

static struct phasor *spectrum_at(const struct spectrum *s, int x, int y)
{
    return &s->at[(size_t)x * (size_t)s->height + (size_t)y];
}

/* Transforms two rows at once: one is the real part, the other the imaginary part. */
static void spectrum_take(struct spectrum *s, row_fn *row, const void *context)
{
    double *two = memory_take(2 * (size_t)s->width * sizeof *two);

    for (int y = 0; y < s->height; y += 2) {
        int last = y + 1 < s->height ? y + 1 : y;

        row(context, y, s->width, two);
        row(context, last, s->width, two + s->width);
        for (int x = 0; x < s->width; x++)
            s->line[x] = (struct phasor){ two[x], two[s->width + x] };
        fourier_run(s->row, s->line, false);
        for (int x = 0; x < s->columns; x++) {
            struct phasor a = s->line[x], b = s->line[(s->width - x) % s->width];

            *spectrum_at(s, x, y) = (struct phasor){ (a.re + b.re) / 2, (a.im - b.im) / 2 };
            if (last > y)
                *spectrum_at(s, x, last) = (struct phasor){ (a.im + b.im) / 2, (b.re - a.re) / 2 };
        }
    }
    for (int x = 0; x < s->columns; x++)
        fourier_run(s->column, spectrum_at(s, x, 0), false);
    free(two);
}

/* Replaces `s` by the difference to add to it: the spectrum of an image of its own. Where the
 * amplitude is 0, up to rounding, the phase counts as 0. `max` is the full value of a sample. */
static void spectrum_differ(struct spectrum *s, const struct spectrum *wanted, double max)
{
    double none = 1e-12 * max * s->width * s->height, area = (double)s->width * s->height;

    for (int x = 0; x < s->columns; x++)
        for (int y = 0; y < s->height; y++) {
            struct phasor *at = spectrum_at(s, x, y), to = *spectrum_at(wanted, x, y);
            double own = hypot(at->re, at->im), by = hypot(to.re, to.im) - own;
            int waves = y < s->height - y ? y : s->height - y;

            by = waves > s->border ? 0 : by / area;
            *at = own > none ? (struct phasor){ at->re / own * by, at->im / own * by }
                             : (struct phasor){ by, 0 };
        }
    for (int x = 0; x < s->columns; x++)
        fourier_run(s->column, spectrum_at(s, x, 0), true);
}

/* Computes row y of the image of the spectrum, after spectrum_differ: the real parts of `line`. */
static void spectrum_row(struct spectrum *s, int y)
{
    for (int x = 0; x < s->width; x++) {
        bool alone = x == 0 || 2 * x == s->width; /* otherwise it also counts for -x */
        struct phasor v = x < s->columns ? *spectrum_at(s, x, y) : (struct phasor){ 0, 0 };

        s->line[x] = alone ? v : (struct phasor){ 2 * v.re, 2 * v.im };
    }
    fourier_run(s->row, s->line, true);
}

/* --- rows --- */

struct source {
    const struct plane *plane;
    int height, channel, colours; /* of the image */
    double unit;
};

static void own_row(const void *context, int y, int n, double *to)
{
    const struct source *s = context;

    for (int x = 0; x < n; x++)
        to[x] = (double)sample_load(plane_row(s->plane, y), s->plane->type,
                                    (size_t)x * (size_t)s->plane->channels + (size_t)s->channel);
}

/* Returns the first of the two samples, in a line of `of` samples, that sample i of n is between.
 * Sets the share of the second. */
static int source_of(int i, int n, int of, double *share)
{
    double at = fmin(of - 1, fmax(0, (i + 0.5) * of / n - 0.5));
    int first = (int)at;

    *share = at - first;
    return first;
}

static double reference_level(const struct source *s, int x, int y)
{
    const float *px = (const float *)(const void *)plane_row(s->plane, y) + (ptrdiff_t)4 * x;

    if (s->colours > 1)
        return s->unit * (double)px[s->channel];
    return s->unit * (0.299 * (double)px[0] + 0.587 * (double)px[1] + 0.114 * (double)px[2]);
}

static void reference_row(const void *context, int y, int n, double *to)
{
    const struct source *s = context;
    double down, right;
    int top = source_of(y, s->height, s->plane->height, &down);
    int bottom = top + 1 < s->plane->height ? top + 1 : top;

    for (int x = 0; x < n; x++) {
        int left = source_of(x, n, s->plane->width, &right);
        int other = left + 1 < s->plane->width ? left + 1 : left;
        double above =
            reference_level(s, left, top) * (1 - right) + reference_level(s, other, top) * right;
        double below = reference_level(s, left, bottom) * (1 - right) +
                       reference_level(s, other, bottom) * right;

        to[x] = above * (1 - down) + below * down;
    }
}

void plane_adapt_spectrum(const struct plane *in, struct plane *out, const struct plane *reference,
                          int border)
{
    struct spectrum own = spectrum_begin(in, border), wanted = spectrum_begin(in, border);
    int colours = plane_colours(in);
    double unit = pixel_type_unit(in->type), max = pixel_type_max(in->type);

    for (int c = 0; c < colours; c++) {
        struct source from = { in, in->height, c, colours, 1 };
        struct source to = { reference, in->height, c, colours, unit };

        spectrum_take(&own, own_row, &from);
        spectrum_take(&wanted, reference_row, &to);
        spectrum_differ(&own, &wanted, max);
        for (int y = 0; y < in->height; y++) {
            spectrum_row(&own, y);
            for (int x = 0; x < in->width; x++) {
                size_t at = (size_t)x * (size_t)in->channels + (size_t)c;
                double v = (double)sample_load(plane_row(in, y), in->type, at);

                sample_store(plane_row(out, y), out->type, at, (float)(v + own.line[x].re));
            }
        }
    }
    for (int y = 0; y < in->height; y++)
        row_copy_alpha(in, out, y);
    spectrum_end(&own);
    spectrum_end(&wanted);
}
