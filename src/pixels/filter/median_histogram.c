/* median_histogram: medians of large squares by histograms of columns, or of the square. */
#include "pixels/filter/median.h"
#include "pixels/samples.h"

#include <stdlib.h>
#include <string.h>

/* --- 8 bit --- */

enum { PARTS = 16, LEVELS = 16, STRIPE = 256 }; /* parts; levels per part; columns done at a time */

/* The counts of a part's levels: at most 255 pixels per level in a column, 65025 in a square. */
struct part {
    uint16_t count[LEVELS];
};

struct histograms {
    struct part coarse[STRIPE + 254];      /* for columns: counts of the 16 parts */
    struct part fine[PARTS][STRIPE + 254]; /* and of the levels of each part */
};

/* The square's own histogram. A part is updated only when the median is in it. */
struct square {
    struct part coarse, fine[PARTS];
    int at[PARTS]; /* first column of the square for which a part was last updated */
};

ALWAYS_INLINE void part_add(struct part *restrict to, const struct part *restrict p)
{
    for (int i = 0; i < LEVELS; i++)
        to->count[i] = (uint16_t)(to->count[i] + p->count[i]);
}

/* Adds one part and subtracts another. */
ALWAYS_INLINE void part_slide(struct part *restrict to, const struct part *comes,
                              const struct part *goes)
{
    for (int i = 0; i < LEVELS; i++)
        to->count[i] = (uint16_t)(to->count[i] + comes->count[i] - goes->count[i]);
}

/* Returns the index of the first count with which the sum exceeds *rank; *rank is reduced by the
 * counts before it. */
ALWAYS_INLINE int part_find(const struct part *p, int *rank)
{
    int i = 0;

    while (*rank >= p->count[i])
        *rank -= p->count[i++];
    return i;
}

/* Updates a part of the square that begins at column x. It adds and subtracts the columns that
 * changed since the last update, or sums all columns if that is less work. */
ALWAYS_INLINE void square_part(struct square *s, const struct histograms *h, int part, int x, int k)
{
    const struct part *column = h->fine[part];
    struct part now = s->fine[part];

    if (s->at[part] < 0 || 2 * (x - s->at[part]) > k) {
        now = (struct part){ 0 };
        for (int i = x; i < x + k; i++)
            part_add(&now, &column[i]);
    } else {
        for (int i = s->at[part]; i < x; i++)
            part_slide(&now, &column[i + k], &column[i]);
    }
    s->fine[part] = now;
    s->at[part] = x;
}

/* Adds a row to the columns' histograms, or removes it. */
static void count_row(struct histograms *h, const uint8_t *row, size_t channels, int columns,
                      int by)
{
    for (int x = 0; x < columns; x++) {
        unsigned v = row[(size_t)x * channels], part = v / LEVELS;
        uint16_t *fine = &h->fine[part][x].count[v % LEVELS];

        *fine = (uint16_t)(*fine + by);
        h->coarse[x].count[part] = (uint16_t)(h->coarse[x].count[part] + by);
    }
}

VARIANTS static void find_row(const struct histograms *h, struct square *s, uint8_t *to,
                              size_t channels, int width, int k)
{
    struct part coarse = { 0 };

    memset(s->at, -1, sizeof s->at);
    for (int i = 0; i < k - 1; i++)
        part_add(&coarse, &h->coarse[i]);
    for (int x = 0; x < width; x++) {
        int rank = k * k / 2, part;

        part_add(&coarse, &h->coarse[x + k - 1]);
        part = part_find(&coarse, &rank);
        square_part(s, h, part, x, k);
        to[(size_t)x * channels] = (uint8_t)(part * LEVELS + part_find(&s->fine[part], &rank));
        for (int i = 0; i < LEVELS; i++)
            coarse.count[i] = (uint16_t)(coarse.count[i] - h->coarse[x].count[i]);
    }
}

static void median_stripe(const struct plane *wide, struct plane *out, struct histograms *h, int k,
                          int x0, int width, int channel)
{
    size_t channels = (size_t)out->channels, at = (size_t)x0 * channels + (size_t)channel;
    struct square square;

    memset(h, 0, sizeof *h);
    for (int y = 0; y < k - 1; y++)
        count_row(h, plane_row(wide, y) + at, channels, width + k - 1, 1);
    for (int y = 0; y < out->height; y++) {
        count_row(h, plane_row(wide, y + k - 1) + at, channels, width + k - 1, 1);
        find_row(h, &square, plane_row(out, y) + at, channels, width, k);
        count_row(h, plane_row(wide, y) + at, channels, width + k - 1, -1);
    }
}

void median_columns(const struct plane *wide, struct plane *out, int k)
{
    struct histograms *h = memory_take(sizeof *h);

    for (int x = 0; x < out->width; x += STRIPE)
        for (int b = 0; b < plane_colours(out); b++)
            median_stripe(wide, out, h, k, x, out->width - x < STRIPE ? out->width - x : STRIPE, b);
    free(h);
}

/* --- 16 bit --- */

struct moving_square {
    uint16_t count[65536], coarse[256]; /* of levels, and of groups of 256 levels */
    int at;                             /* the group of the previous median */
    int below;                          /* number of pixels in lower groups */
};

/* Adds or removes a column of k pixels. */
static void slide_column(struct moving_square *s, const struct plane *wide, int x, int y,
                         int channel, int k, int by)
{
    size_t i = (size_t)x * (size_t)wide->channels + (size_t)channel;

    for (int v = y; v < y + k; v++) {
        unsigned level = ((const uint16_t *)(const void *)plane_row(wide, v))[i];

        s->count[level] = (uint16_t)(s->count[level] + by);
        s->coarse[level >> 8] = (uint16_t)(s->coarse[level >> 8] + by);
        s->below += (int)(level >> 8) < s->at ? by : 0;
    }
}

static int moving_median(struct moving_square *s, int rank)
{
    int level, left;

    while (s->below > rank)
        s->below -= s->coarse[--s->at];
    while (s->below + s->coarse[s->at] <= rank)
        s->below += s->coarse[s->at++];
    left = rank - s->below;
    for (level = s->at * 256; left >= s->count[level]; level++)
        left -= s->count[level];
    return level;
}

static void moving_row(struct moving_square *s, const struct plane *wide, struct plane *out, int k,
                       int y, int channel)
{
    uint16_t *to = (uint16_t *)(void *)plane_row(out, y);

    for (int x = 0; x < k - 1; x++)
        slide_column(s, wide, x, y, channel, k, 1);
    for (int x = 0; x < out->width; x++) {
        slide_column(s, wide, x + k - 1, y, channel, k, 1);
        to[(size_t)x * (size_t)out->channels + (size_t)channel] =
            (uint16_t)moving_median(s, k * k / 2);
        slide_column(s, wide, x, y, channel, k, -1);
    }
    for (int x = out->width; x < out->width + k - 1; x++)
        slide_column(s, wide, x, y, channel, k, -1);
}

void median_moving(const struct plane *wide, struct plane *out, int k)
{
    struct moving_square *s = memory_take(sizeof *s);

    memset(s, 0, sizeof *s);
    for (int b = 0; b < plane_colours(out); b++)
        for (int y = 0; y < out->height; y++)
            moving_row(s, wide, out, k, y, b);
    free(s);
}
