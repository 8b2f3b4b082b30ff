/* superpixels: segments that become one color each. */
#include "pixels/filters.h"
#include "pixels/noise.h"
#include "pixels/samples.h"

#include <math.h>
#include <stdlib.h>

enum { ROUNDS = 10, COMPACTNESS = 10 };

/* A segment: the position of its center, and sums over its pixels. */
struct segment {
    int x, y;
    int64_t n, x_sum, y_sum;
    double colour[3];
    bool replaced;
};

struct clustering {
    const struct plane *in;
    double largest; /* of all colors; 1 if all are 0 */
    int step, n;
    struct segment *segment;
    int32_t *label;   /* of each pixel, row by row */
    double *distance; /* the least distance of each pixel so far */
};

static int level_at(const struct plane *in, int x, int y, int c)
{
    return sample_level(plane_row(in, y), in->type, (size_t)x * (size_t)in->channels + (size_t)c);
}

static double largest_of(const struct plane *in)
{
    int colours = plane_colours(in), max = 0;

    for (int y = 0; y < in->height; y++)
        for (int x = 0; x < in->width; x++)
            for (int c = 0; c < colours; c++)
                max = level_at(in, x, y, c) > max ? level_at(in, x, y, c) : max;
    return max ? max : 1;
}

/* Places the centers on a square grid. */
static void lay_out(struct clustering *s, int n_segments)
{
    double pixels = (double)s->in->width * s->in->height;
    int first, columns, rows;

    s->step = (int)sqrt(pixels / n_segments);
    s->step = s->step > 0 ? s->step : 1;
    first = s->step / 2;
    columns = (s->in->width - first + s->step - 1) / s->step;
    rows = (s->in->height - first + s->step - 1) / s->step;
    /* An image narrower than half a square still has one column. */
    columns = columns > 0 ? columns : 1;
    rows = rows > 0 ? rows : 1;
    s->n = columns * rows;
    s->segment = memory_take((size_t)s->n * sizeof *s->segment);
    for (int i = 0; i < s->n; i++) {
        int x = first + i % columns * s->step, y = first + i / columns * s->step;

        s->segment[i] = (struct segment){ .x = x < s->in->width ? x : s->in->width - 1,
                                          .y = y < s->in->height ? y : s->in->height - 1 };
    }
}

static double distance_of(const struct clustering *s, const struct segment *segment, int x, int y)
{
    double dx = x - segment->x, dy = y - segment->y, colour = 0;
    int colours = plane_colours(s->in);

    for (int c = 0; c < colours; c++) {
        double d =
            (level_at(s->in, x, y, c) - level_at(s->in, segment->x, segment->y, c)) / s->largest;

        colour += d * d;
    }
    return colour + COMPACTNESS * ((dx * dx + dy * dy) / ((double)s->step * s->step));
}

/* Gives to a center the pixels around it that are nearer to it than to any center so far. */
static void claim(struct clustering *s, int i)
{
    const struct segment *segment = &s->segment[i];
    int left = segment->x > s->step ? segment->x - s->step : 0;
    int top = segment->y > s->step ? segment->y - s->step : 0;

    for (int y = top; y <= segment->y + s->step && y < s->in->height; y++)
        for (int x = left; x <= segment->x + s->step && x < s->in->width; x++) {
            size_t at = (size_t)y * (size_t)s->in->width + (size_t)x;
            double d = distance_of(s, segment, x, y);

            if (d < s->distance[at]) {
                s->distance[at] = d;
                s->label[at] = i;
            }
        }
}

static void sum_up(struct clustering *s)
{
    int colours = plane_colours(s->in);

    for (int i = 0; i < s->n; i++)
        s->segment[i] = (struct segment){ .x = s->segment[i].x, .y = s->segment[i].y };
    for (int y = 0; y < s->in->height; y++)
        for (int x = 0; x < s->in->width; x++) {
            int32_t label = s->label[(size_t)y * (size_t)s->in->width + (size_t)x];
            struct segment *segment = label < 0 ? NULL : &s->segment[label];

            if (!segment)
                continue;
            segment->n++;
            segment->x_sum += x;
            segment->y_sum += y;
            for (int c = 0; c < colours; c++)
                segment->colour[c] += level_at(s->in, x, y, c);
        }
}

static void cluster(struct clustering *s)
{
    size_t pixels = (size_t)s->in->width * (size_t)s->in->height;

    for (size_t i = 0; i < pixels; i++) {
        s->label[i] = -1;
        s->distance[i] = INFINITY;
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < s->n; i++)
            claim(s, i);
        sum_up(s);
        for (int i = 0; i < s->n; i++)
            if (s->segment[i].n) {
                s->segment[i].x = (int)(s->segment[i].x_sum / s->segment[i].n);
                s->segment[i].y = (int)(s->segment[i].y_sum / s->segment[i].n);
            }
    }
}

static bool choose(struct clustering *s, const struct superpixels *settings)
{
    bool any = false;

    for (int i = 0; i < s->n; i++) {
        struct noise noise;
        float u;

        noise_words(settings->key, 0, i, 0, 1, &noise);
        noise_units(noise.word[0], 1, &u);
        s->segment[i].replaced = (double)u < settings->p_replace;
        any |= s->segment[i].replaced;
    }
    return any;
}

static void replace(const struct clustering *s, struct plane *out)
{
    int colours = plane_colours(out);

    for (int y = 0; y < out->height; y++)
        for (int x = 0; x < out->width; x++) {
            int32_t label = s->label[(size_t)y * (size_t)out->width + (size_t)x];
            const struct segment *segment = label < 0 ? NULL : &s->segment[label];

            for (int c = 0; segment && segment->replaced && c < colours; c++)
                sample_store(plane_row(out, y), out->type,
                             (size_t)x * (size_t)out->channels + (size_t)c,
                             (float)(segment->colour[c] / (double)segment->n));
        }
}

bool plane_superpixels(const struct plane *in, struct plane *out,
                       const struct superpixels *settings)
{
    size_t pixels = (size_t)in->width * (size_t)in->height;
    struct clustering s = { .in = in, .largest = largest_of(in) };
    bool any;

    lay_out(&s, settings->n_segments);
    plane_copy(in, out);
    any = choose(&s, settings);
    if (any) {
        s.label = memory_take(pixels * sizeof *s.label);
        s.distance = memory_take(pixels * sizeof *s.distance);
        cluster(&s);
        choose(&s, settings); /* again: sum_up clears the choice */
        replace(&s, out);
        free(s.label);
        free(s.distance);
    }
    free(s.segment);
    return any;
}
