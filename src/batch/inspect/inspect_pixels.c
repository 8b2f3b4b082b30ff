/* inspect_pixels: measures decoded images, and counts the segments of a panoptic picture. */
#include "batch/inspect/inspect.h"

#include "base/files.h"
#include "base/hash.h"
#include "pixels/luma.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- measures --- */

enum { MAX_GRAY_DIFFERENCE = 2 /* largest difference of two channels in a pixel without color */ };

/* Sums over the pixels of an image. */
struct measures {
    uint32_t counts[COUNT_PARTS][256]; /* histograms of luma; the first one gets the total */
    uint64_t sum[THUMBNAIL_ROWS][THUMBNAIL_COLUMNS];   /* sum of luma in each cell */
    uint64_t count[THUMBNAIL_ROWS][THUMBNAIL_COLUMNS]; /* number of pixels in each cell */
    bool coloured, varied;
};

/* Returns the first pixel x of a cell, whose pixels have x * n / size == cell (integer division).
 */
static int begin_of_cell(int cell, int size, int n)
{
    return (int)(((int64_t)cell * size + n - 1) / n);
}

static void measure_row(struct measures *m, const struct plane *p, int y, uint8_t *luma)
{
    int cell_y = (int)((int64_t)y * THUMBNAIL_ROWS / p->height);

    m->coloured = m->coloured || plane_row_is_coloured(p, y, MAX_GRAY_DIFFERENCE);
    m->varied = m->varied || plane_row_is_varied(p, y);
    plane_luma_row(p, y, luma);
    bytes_count(luma, (size_t)p->width, m->counts);
    for (int x = 0; x < THUMBNAIL_COLUMNS; x++) {
        int begin = begin_of_cell(x, p->width, THUMBNAIL_COLUMNS);
        int end = begin_of_cell(x + 1, p->width, THUMBNAIL_COLUMNS);

        m->sum[cell_y][x] += bytes_sum(luma + begin, (size_t)(end - begin));
        m->count[cell_y][x] += (uint64_t)(end - begin);
    }
}

/* Returns the smallest luma that at least `thousandths` of the pixels do not exceed. */
static uint8_t percentile(const struct measures *m, uint64_t n, unsigned thousandths)
{
    uint64_t below = 0;
    unsigned luma = 0;

    while (luma < 255 && (below += m->counts[0][luma]) * 1000 < n * thousandths)
        luma++;
    return (uint8_t)luma;
}

static double entropy(const struct measures *m, uint64_t n)
{
    double bits = 0;

    for (int i = 0; i < 256; i++)
        if (m->counts[0][i]) {
            double p = (double)m->counts[0][i] / (double)n;

            bits -= p * log2(p);
        }
    return bits;
}

static void set_thumbnail(const struct measures *m, struct image_measures *to)
{
    for (int y = 0; y < THUMBNAIL_ROWS; y++)
        for (int x = 0; x < THUMBNAIL_COLUMNS; x++)
            to->thumbnail[y][x] = (uint8_t)(m->count[y][x] ? m->sum[y][x] / m->count[y][x] : 0);
    for (int y = 0; y < THUMBNAIL_ROWS; y++)
        for (int x = 0; x + 1 < THUMBNAIL_COLUMNS; x++)
            to->dhash = to->dhash << 1 | (to->thumbnail[y][x] < to->thumbnail[y][x + 1]);
}

static void measure(const struct plane *p, struct image_measures *to)
{
    struct measures m = { .coloured = false };
    uint64_t n = (uint64_t)p->width * (uint64_t)p->height;
    uint8_t *luma = memory_take((size_t)p->width);

    for (int y = 0; y < p->height; y++)
        measure_row(&m, p, y, luma);
    free(luma);
    for (int part = 1; part < COUNT_PARTS; part++)
        for (int v = 0; v < 256; v++)
            m.counts[0][v] += m.counts[part][v];
    to->dark = percentile(&m, n, 990);
    to->light = percentile(&m, n, 50);
    to->entropy = entropy(&m, n);
    to->gray = !m.coloured;
    to->constant = !m.varied;
    set_thumbnail(&m, to);
}

static bool read_pixels(struct inspector *l, struct slice bytes, int shrink,
                        struct picture *picture, struct text *why)
{
    struct decode_hints hints = { .shrink = shrink };

    return picture_read(bytes, &l->pool, l->job->images.max_pixels, &hints, picture, why);
}

bool inspect_measure(struct inspector *l, struct slice bytes, struct inspected_file *seen,
                     struct text *why)
{
    struct frame f = seen->header.frame;
    /* A JPEG is read as a whole, but most of its pixels need not be computed. */
    int shrink = f.width >= 512 && f.height >= 512 ? 4 : 1;
    struct picture picture;
    char hash[65];

    if (!read_pixels(l, bytes, shrink, &picture, why))
        return false;
    if (picture.plane.type != PIXEL_F32) {
        measure(&picture.plane, &seen->pixels);
        if (seen->pixels.constant && picture.shrink > 1) { /* shrinking may hide a pattern */
            picture_drop(&picture, &l->pool);
            if (!read_pixels(l, bytes, 1, &picture, why))
                return false;
            seen->pixels.dhash = 0;
            measure(&picture.plane, &seen->pixels);
        }
        seen->has_pixels = true;
    }
    picture_drop(&picture, &l->pool);
    hash_hex(bytes.at, bytes.length, hash);
    memcpy(seen->pixels.hash, hash, sizeof seen->pixels.hash - 1);
    return true;
}

/* --- segments --- */

static int by_id(const void *a, const void *b)
{
    const struct seen_segment *x = a, *y = b;

    return (x->id > y->id) - (x->id < y->id);
}

/* List of runs of pixels of one color. When it is full, it is sorted, and runs of the same id are
 * joined. */
struct run_list {
    struct seen_segment *at;
    size_t n, room;
};

static void join(struct run_list *c)
{
    size_t n = 0;

    if (c->n)
        qsort(c->at, c->n, sizeof *c->at, by_id);
    for (size_t i = 0; i < c->n; i++) {
        struct seen_segment *to = n ? &c->at[n - 1] : NULL, from = c->at[i];

        if (!to || to->id != from.id) {
            c->at[n++] = from;
            continue;
        }
        to->area += from.area;
        to->x0 = from.x0 < to->x0 ? from.x0 : to->x0;
        to->y0 = from.y0 < to->y0 ? from.y0 : to->y0;
        to->x1 = from.x1 > to->x1 ? from.x1 : to->x1;
        to->y1 = from.y1 > to->y1 ? from.y1 : to->y1;
    }
    c->n = n;
}

static void add_run(struct run_list *c, struct seen_segment run)
{
    if (c->n == c->room) {
        join(c);
        if (2 * c->n >= c->room) {
            c->room = 2 * c->room + 4096;
            c->at = memory_grow(c->at, c->room * sizeof *c->at);
        }
    }
    c->at[c->n++] = run;
}

static uint32_t id_at(const struct plane *p, const uint8_t *row, int x)
{
    const uint8_t *px = row + (size_t)p->channels * (size_t)x;

    if (p->type == PIXEL_U16)
        return ((const uint16_t *)(const void *)row)[x];
    return p->channels == 1 ? *px : px[0] | (uint32_t)px[1] << 8 | (uint32_t)px[2] << 16;
}

/* The id 0 of a segment picture is no segment; the value 0 of a label mask is a value. */
static void count_row(struct run_list *c, const struct plane *p, int y)
{
    const uint8_t *row = (const uint8_t *)p->px + (size_t)y * p->stride;

    for (int x = 0, end; x < p->width; x = end) {
        uint32_t id = id_at(p, row, x);

        for (end = x + 1; end < p->width && id_at(p, row, end) == id;)
            end++;
        if (id || p->channels == 1)
            add_run(c, (struct seen_segment){ id, (uint32_t)(end - x), x, y, end - 1, y });
    }
}

static bool append(struct inspector *l, const struct run_list *c, struct inspected_file *seen,
                   struct text *why)
{
    off_t end = lseek(l->segments, 0, SEEK_END);

    /* An earlier process may have died during a write, so the end is rounded up to a whole segment.
     */
    end = end % (off_t)sizeof *c->at
              ? lseek(l->segments, (off_t)sizeof *c->at - end % (off_t)sizeof *c->at, SEEK_END)
              : end;
    if (!file_write_all(l->segments, c->at, c->n * sizeof *c->at)) {
        text_adds(why, errno_text());
        return false;
    }
    seen->spool = l->spool;
    seen->first_segment = (size_t)end / sizeof *c->at;
    seen->n_segments = c->n;
    return true;
}

bool inspect_count_segments(struct inspector *l, struct slice bytes, struct inspected_file *seen,
                            struct text *why)
{
    struct run_list c = { 0 };
    struct picture picture;
    bool good = picture_read_labels(bytes, &l->pool, l->job->images.max_pixels,
                                    &(struct decode_hints){ .shrink = 1 }, &picture, why);

    if (!good)
        return false;
    if (l->labels ? picture.plane.channels == 1 && picture.plane.type != PIXEL_F32
                  : picture.plane.channels == 3 && picture.plane.type == PIXEL_U8) {
        for (int y = 0; y < picture.plane.height; y++)
            count_row(&c, &picture.plane, y);
        join(&c);
        good = append(l, &c, seen, why);
        seen->has_pixels = good;
        free(c.at);
    }
    picture_drop(&picture, &l->pool);
    return good;
}
