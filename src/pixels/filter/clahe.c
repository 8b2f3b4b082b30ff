/* clahe: equalizes histograms tile by tile, with a limit on how far contrast is stretched. */
#include "pixels/filters.h"
#include "pixels/samples.h"

#include <stdlib.h>
#include <string.h>

/* The two tiles whose centers a pixel is between, and the share of the second, 0..1. Outside the
 * outermost centers both are the outermost tile. */
struct tile_pair {
    int first, second;
    float share;
};

/* The columns [begin, end) between the same two tile centers. `tiles` is for column `begin`. */
struct cell {
    int begin, end;
    struct tile_pair tiles;
};

struct tiling {
    struct plane levels; /* the gray plane, or luma; one channel */
    int columns, rows;
    struct frame tile; /* pixels of a tile */
    int n;             /* number of levels, 256 or 65536 */
    int limit;         /* of a level's count; 0: no limit */
    /* The tables of two rows of tiles, `columns` tables of n entries each, with results in the
     * plane's scale. For 8 bits, table[0] and table[1] belong to even and odd rows of tiles, and
     * `blended` is their blend for one row of pixels. For 16 bits, `pairs` has both in one word,
     * the odd row in the upper half, so that one load looks up both. */
    float *table[2], *blended;
    uint32_t *pairs;
    uint32_t *count;
    struct cell *cells; /* at most one more than columns */
    int n_cells;
    float *share; /* for each column of the plane */
};

static struct tile_pair tile_pair(int at, int tile, int tiles)
{
    float where = ((float)at + 0.5f) / (float)tile - 0.5f;
    int first = (int)(where + 1) - 1; /* floor, for where > -1 */

    return (struct tile_pair){ .first = first < 0 ? 0 : first,
                               .second = first + 1 < tiles ? first + 1 : tiles - 1,
                               .share = where - (float)first };
}

static bool same_tiles(struct tile_pair a, struct tile_pair b)
{
    return a.first == b.first && a.second == b.second;
}

/* --- tables --- */

/* Adjacent equal pixels are counted in different arrays, since loading a count that was just stored
 * is slow. */
ALWAYS_INLINE void count_tile(const struct tiling *t, enum pixel_type type, int column, int row)
{
    int x0 = column * t->tile.width, x1 = x0 + t->tile.width, w = t->levels.width;
    int inside = x1 < w ? x1 : w;
    uint32_t *other = type == PIXEL_U8 ? t->count + t->n : t->count;

    for (int y = row * t->tile.height; y < (row + 1) * t->tile.height; y++) {
        const void *from = plane_row(&t->levels, mirrored(y, t->levels.height));
        int x = x0;

        for (; x + 1 < inside; x += 2) {
            t->count[sample_level(from, type, (size_t)x)]++;
            other[sample_level(from, type, (size_t)x + 1)]++;
        }
        for (; x < x1; x++)
            t->count[sample_level(from, type, (size_t)mirrored(x, w))]++;
    }
}

/* Reduces counts to the limit and returns the excess. */
VARIANTS static uint32_t cut_counts(uint32_t *count, int n, uint32_t limit)
{
    uint32_t clipped = 0;

    for (int i = 0; i < n; i++) {
        uint32_t kept = count[i] < limit ? count[i] : limit;

        clipped += count[i] - kept;
        count[i] = kept;
    }
    return clipped;
}

/* Spreads the excess evenly over all levels; the remainder goes to some levels. */
static void clip_counts(uint32_t *count, int n, uint32_t limit)
{
    uint32_t clipped = cut_counts(count, n, limit), each, rest, step;

    each = clipped / (uint32_t)n;
    rest = clipped % (uint32_t)n;
    for (int i = 0; i < n && each; i++)
        count[i] += each;
    if (!rest)
        return;
    step = (uint32_t)n / rest;
    for (uint32_t i = 0; rest; i += step, rest--)
        count[i]++;
}

/* Replaces counts by their running sums, starting with `sum`, and returns the last sum. */
static uint32_t plain_sums(uint32_t *count, int n, uint32_t sum)
{
    for (int i = 0; i < n; i++)
        count[i] = sum += count[i];
    return sum;
}

#ifdef CPU_HAS_INTRINSICS

/* The same for n divisible by eight. Within each eight, sums are computed by doubling. The total
 * before them is added last, so that an eight waits only one addition for the previous one. */
FOR_AVX2 static uint32_t sums_by_eights(uint32_t *count, int n, uint32_t sum)
{
    const __m256i last = _mm256_set1_epi32(7);
    __m256i before = _mm256_set1_epi32((int)sum);

    for (int i = 0; i < n; i += 8) {
        __m256i *at = (__m256i *)(void *)(count + i), v = _mm256_loadu_si256(at), low;

        v = _mm256_add_epi32(v, _mm256_slli_si256(v, 4));
        v = _mm256_add_epi32(v, _mm256_slli_si256(v, 8));
        low = _mm256_shuffle_epi32(_mm256_permute2x128_si256(v, v, 0x08), 0xff);
        v = _mm256_add_epi32(v, low);
        _mm256_storeu_si256(at, _mm256_add_epi32(v, before));
        before = _mm256_add_epi32(before, _mm256_permutevar8x32_epi32(v, last));
    }
    return (uint32_t)_mm256_extract_epi32(before, 0);
}

static uint32_t running_sums(uint32_t *count, int n, uint32_t sum)
{
    return cpu_has_feature(CPU_AVX2) ? sums_by_eights(count, n, sum) : plain_sums(count, n, sum);
}

#else

static uint32_t running_sums(uint32_t *count, int n, uint32_t sum)
{
    return plain_sums(count, n, sum);
}

#endif

VARIANTS static void scale_sums(const uint32_t *restrict sum, int n, float scale,
                                float *restrict to)
{
    for (int i = 0; i < n; i++)
        to[i] = (float)sample_round((float)sum[i] * scale, 255);
}

VARIANTS static void scale_sums_to_halves(const uint32_t *restrict sum, int n, float scale,
                                          int shift, uint32_t *restrict to)
{
    for (int i = 0; i < n; i++)
        to[i] = (to[i] & 0xffff0000 >> shift) | (uint32_t)sample_round((float)sum[i] * scale, 65535)
                                                    << shift;
}

static void make_table(const struct tiling *t, int column, int row)
{
    enum { NEAR = 256 }; /* sums that are still in the nearest cache when they are scaled */
    float scale = (float)(t->n - 1) / ((float)t->tile.width * (float)t->tile.height);
    size_t table = (size_t)column * (size_t)t->n;
    bool bytes = t->levels.type == PIXEL_U8;
    uint32_t sum = 0;

    memset(t->count, 0, (bytes ? 2 : 1) * (size_t)t->n * sizeof *t->count);
    if (bytes)
        count_tile(t, PIXEL_U8, column, row);
    else
        count_tile(t, PIXEL_U16, column, row);
    for (int i = 0; bytes && i < t->n; i++)
        t->count[i] += t->count[t->n + i];
    if (t->limit)
        clip_counts(t->count, t->n, (uint32_t)t->limit);
    for (int i = 0; i < t->n; i += NEAR) {
        sum = running_sums(t->count + i, NEAR, sum);
        if (bytes)
            scale_sums(t->count + i, NEAR, scale, t->table[row % 2] + table + i);
        else
            scale_sums_to_halves(t->count + i, NEAR, scale, row % 2 * 16, t->pairs + table + i);
    }
}

static void make_tables(const struct tiling *t, int row)
{
    for (int c = 0; c < t->columns; c++)
        make_table(t, c, row);
}

/* --- pixels --- */

VARIANTS static void blend(const float *restrict a, const float *restrict b, float share,
                           float *restrict to, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] = a[i] * (1 - share) + b[i] * share;
}

/* Sets by how much the level of each pixel in a cell's row changes. */
static void map_bytes(const struct tiling *t, const struct cell *c, const uint8_t *row, int *by)
{
    const float *first = t->blended + c->tiles.first * 256,
                *second = t->blended + c->tiles.second * 256;

    for (int x = c->begin; x < c->end; x++) {
        float a = first[row[x]], b = second[row[x]];

        by[x] = (int)(a + (b - a) * t->share[x] + 0.5f) - row[x];
    }
}

VARIANTS static void map_words(const struct tiling *t, const struct tile_pair *down,
                               const struct cell *c, const uint16_t *restrict row, int *restrict by)
{
    const uint32_t *first = t->pairs + (size_t)c->tiles.first * 65536;
    const uint32_t *second = t->pairs + (size_t)c->tiles.second * 65536;
    const float *restrict share = t->share;
    int top = down->first % 2 * 16, bottom = down->second % 2 * 16;

    for (int x = c->begin; x < c->end; x++) {
        uint32_t left = first[row[x]], right = second[row[x]];
        float a = (float)(int)(left >> top & 0xffff), b = (float)(int)(right >> top & 0xffff);

        a += ((float)(int)(left >> bottom & 0xffff) - a) * down->share;
        b += ((float)(int)(right >> bottom & 0xffff) - b) * down->share;
        by[x] = (int)(a + (b - a) * share[x] + 0.5f) - row[x];
    }
}

ALWAYS_INLINE void change(const void *restrict from, void *restrict to, enum pixel_type type,
                          int channels, int colours, const int *restrict by, int width)
{
    for (int x = 0; x < width; x++)
        for (int b = 0; b < colours; b++)
            sample_store(to, type, (size_t)(x * channels + b),
                         sample_load(from, type, (size_t)(x * channels + b)) + (float)by[x]);
}

ALWAYS_INLINE void change_channels(const void *from, void *to, int channels, enum pixel_type type,
                                   const int *by, int width)
{
    switch (channels) {
    case 1:
        change(from, to, type, 1, 1, by, width);
        break;
    case 2:
        change(from, to, type, 2, 1, by, width);
        break;
    case 3:
        change(from, to, type, 3, 3, by, width);
        break;
    case 4:
        change(from, to, type, 4, 3, by, width);
        break;
    }
}

/* Applies the change to the columns [begin, end) of a row. */
VARIANTS static void change_row(const struct plane *in, struct plane *out, int y, int begin,
                                int end, const int *by)
{
    size_t at = (size_t)begin * (size_t)in->channels * pixel_type_size(in->type);
    const unsigned char *from = plane_row(in, y) + at;
    unsigned char *to = plane_row(out, y) + at;

    if (in->type == PIXEL_U8)
        change_channels(from, to, in->channels, PIXEL_U8, by + begin, end - begin);
    else
        change_channels(from, to, in->channels, PIXEL_U16, by + begin, end - begin);
}

ALWAYS_INLINE void luma(const void *restrict from, void *restrict to, enum pixel_type type,
                        int channels, int width)
{
    for (int x = 0; x < width; x++) {
        size_t i = (size_t)(x * channels);

        sample_store(to, type, (size_t)x,
                     channels < 3 ? sample_load(from, type, i)
                                  : 0.299f * sample_load(from, type, i) +
                                        0.587f * sample_load(from, type, i + 1) +
                                        0.114f * sample_load(from, type, i + 2));
    }
}

ALWAYS_INLINE void luma_channels(const void *from, void *to, const struct plane *p,
                                 enum pixel_type type)
{
    switch (p->channels) {
    case 2:
        luma(from, to, type, 2, p->width);
        break;
    case 3:
        luma(from, to, type, 3, p->width);
        break;
    case 4:
        luma(from, to, type, 4, p->width);
        break;
    }
}

VARIANTS static void luma_row(const void *from, void *to, const struct plane *p)
{
    if (p->type == PIXEL_U8)
        luma_channels(from, to, p, PIXEL_U8);
    else
        luma_channels(from, to, p, PIXEL_U16);
}

static void map_rows_of_bytes(const struct tiling *t, int y, int end, const struct plane *in,
                              struct plane *out, int *by)
{
    for (; y < end; y++) {
        struct tile_pair down = tile_pair(y, t->tile.height, t->rows);

        blend(t->table[down.first % 2], t->table[down.second % 2], down.share, t->blended,
              (size_t)t->columns * (size_t)t->n);
        for (int i = 0; i < t->n_cells; i++)
            map_bytes(t, &t->cells[i], plane_row(&t->levels, y), by);
        change_row(in, out, y, 0, in->width, by);
    }
}

/* Maps a cell's rows one after the other, since its tables, 512 KiB, stay in a near cache. */
static void map_rows_of_words(const struct tiling *t, int y0, int end, const struct plane *in,
                              struct plane *out, int *by)
{
    for (const struct cell *c = t->cells; c < t->cells + t->n_cells; c++)
        for (int y = y0; y < end; y++) {
            struct tile_pair down = tile_pair(y, t->tile.height, t->rows);

            map_words(t, &down, c, (const uint16_t *)(const void *)plane_row(&t->levels, y), by);
            change_row(in, out, y, c->begin, c->end, by);
        }
}

/* Maps pieces of rows that are between the same two tile centers. */
static void map_rows(const struct tiling *t, const struct plane *in, struct plane *out)
{
    int *by = memory_take((size_t)in->width * sizeof *by), made = 0;

    for (int y = 0, end; y < in->height; y = end) {
        struct tile_pair down = tile_pair(y, t->tile.height, t->rows);

        while (made <= down.second)
            make_tables(t, made++);
        end = y + 1;
        while (end < in->height && same_tiles(tile_pair(end, t->tile.height, t->rows), down))
            end++;
        if (in->type == PIXEL_U8)
            map_rows_of_bytes(t, y, end, in, out, by);
        else
            map_rows_of_words(t, y, end, in, out, by);
    }
    for (int y = 0; y < in->height; y++)
        row_copy_alpha(in, out, y);
    free(by);
}

static void find_cells(struct tiling *t)
{
    for (int x = 0; x < t->levels.width; x++) {
        struct tile_pair across = tile_pair(x, t->tile.width, t->columns);

        t->share[x] = across.share;
        if (t->n_cells && same_tiles(t->cells[t->n_cells - 1].tiles, across))
            t->cells[t->n_cells - 1].end++;
        else
            t->cells[t->n_cells++] = (struct cell){ x, x + 1, across };
    }
}

/* Returns the plane whose levels are equalized. A plane of one channel is used itself. */
static struct plane levels_of(const struct plane *in, struct pool *pool)
{
    struct plane levels;

    if (in->channels == 1)
        return *in;
    levels = pool_plane(pool, (struct frame){ in->width, in->height }, 1, in->type);

    for (int y = 0; y < in->height; y++)
        luma_row(plane_row(in, y), plane_row(&levels, y), in);
    return levels;
}

void plane_clahe(const struct plane *in, struct plane *out, double clip_limit, int columns,
                 int rows, struct pool *pool)
{
    struct tiling t = { .levels = levels_of(in, pool),
                        .columns = columns,
                        .rows = rows,
                        .tile = { (in->width + columns - 1) / columns,
                                  (in->height + rows - 1) / rows },
                        .n = pixel_type_levels(in->type) };
    double limit = clip_limit * t.tile.width * t.tile.height / t.n;
    size_t all = (size_t)columns * (size_t)t.n;

    if (clip_limit > 0)
        t.limit = limit < 1 ? 1 : limit > INT32_MAX ? INT32_MAX : (int)limit;
    if (in->type == PIXEL_U8) {
        t.table[0] = memory_take(3 * all * sizeof(float));
        t.table[1] = t.table[0] + all;
        t.blended = t.table[1] + all;
    } else
        t.pairs = memory_take(all * sizeof *t.pairs);
    t.count = memory_take(2 * (size_t)t.n * sizeof *t.count);
    t.share = memory_take((size_t)in->width * sizeof *t.share);
    t.cells = memory_take(((size_t)columns + 1) * sizeof *t.cells);
    find_cells(&t);
    map_rows(&t, in, out);
    free(t.table[0]);
    free(t.pairs);
    free(t.count);
    free(t.share);
    free(t.cells);
    if (in->channels > 1)
        pool_return(pool, &t.levels);
}
