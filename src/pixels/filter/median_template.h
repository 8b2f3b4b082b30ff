/* median_template: medians of few pixels, without branches; only for median.c. It includes this
 * file once for each sample type, with the macros SAMPLE and NAMED(x), which makes names for the
 * type. Without them the file is empty. median.c explains CACHE_LINE and the MEDIAN_ constants. */
#include "pixels/samples.h"

#include <string.h>

#ifdef SAMPLE

ALWAYS_INLINE SAMPLE NAMED(lower)(SAMPLE a, SAMPLE b)
{
    return a < b ? a : b;
}

ALWAYS_INLINE SAMPLE NAMED(higher)(SAMPLE a, SAMPLE b)
{
    return a < b ? b : a;
}

/* Puts the lower sample first. */
ALWAYS_INLINE void NAMED(order)(SAMPLE *a, SAMPLE *b)
{
    SAMPLE low = NAMED(lower)(*a, *b);

    *b = NAMED(higher)(*a, *b);
    *a = low;
}

ALWAYS_INLINE SAMPLE NAMED(middle)(SAMPLE a, SAMPLE b, SAMPLE c)
{
    NAMED(order)(&a, &b);
    return NAMED(higher)(a, NAMED(lower)(b, c));
}

ALWAYS_INLINE void NAMED(sort_5)(SAMPLE v[5])
{
    NAMED(order)(&v[0], &v[1]);
    NAMED(order)(&v[3], &v[4]);
    NAMED(order)(&v[2], &v[4]);
    NAMED(order)(&v[2], &v[3]);
    NAMED(order)(&v[1], &v[4]);
    NAMED(order)(&v[0], &v[3]);
    NAMED(order)(&v[0], &v[2]);
    NAMED(order)(&v[1], &v[3]);
    NAMED(order)(&v[1], &v[2]);
}

/* Sorts columns of n samples, the lowest first, once for all windows that contain them. */
VARIANTS static void NAMED(columns_3)(const void *const *row, SAMPLE *restrict low,
                                      SAMPLE *restrict mid, SAMPLE *restrict high, size_t n)
{
    const SAMPLE *a = row[0], *b = row[1], *c = row[2];

    for (size_t i = 0; i < n; i++) {
        SAMPLE l = NAMED(lower)(a[i], b[i]), h = NAMED(higher)(a[i], b[i]);
        SAMPLE m = NAMED(lower)(h, c[i]);

        high[i] = NAMED(higher)(h, c[i]);
        low[i] = NAMED(lower)(l, m);
        mid[i] = NAMED(higher)(l, m);
    }
}

/* Writes the median of 3 x 3 samples from sorted columns: the median of the highest low, the middle
 * middle and the lowest high sample. */
VARIANTS static void NAMED(squares_3)(const SAMPLE *low, const SAMPLE *mid, const SAMPLE *high,
                                      SAMPLE *restrict to, size_t channels, size_t n)
{
    size_t far = 2 * channels;

    for (size_t i = 0; i < n; i++)
        to[i] =
            NAMED(middle)(NAMED(higher)(NAMED(higher)(low[i], low[i + channels]), low[i + far]),
                          NAMED(middle)(mid[i], mid[i + channels], mid[i + far]),
                          NAMED(lower)(NAMED(lower)(high[i], high[i + channels]), high[i + far]));
}

VARIANTS static void NAMED(columns_5)(const void *const *row, SAMPLE *restrict to, size_t room,
                                      size_t n)
{
    const SAMPLE *r0 = row[0], *r1 = row[1], *r2 = row[2], *r3 = row[3], *r4 = row[4];
    SAMPLE *restrict t1 = to + room, *restrict t2 = t1 + room, *restrict t3 = t2 + room;
    SAMPLE *restrict t4 = t3 + room;

    for (size_t i = 0; i < n; i++) {
        SAMPLE v[5] = { r0[i], r1[i], r2[i], r3[i], r4[i] };

        NAMED(sort_5)(v);
        to[i] = v[0];
        t1[i] = v[1];
        t2[i] = v[2];
        t3[i] = v[3];
        t4[i] = v[4];
    }
}

/* Moves the lowest of the first n samples to the front and the highest to the end. */
ALWAYS_INLINE void NAMED(ends)(SAMPLE *v, int n)
{
    for (int i = 0; i < n / 2; i++)
        NAMED(order)(&v[i], &v[n - 1 - i]);
    for (int i = 1; i < (n + 1) / 2; i++)
        NAMED(order)(&v[0], &v[i]);
    for (int i = n / 2; i < n - 1; i++)
        NAMED(order)(&v[i], &v[n - 1]);
}

/* Returns the median of 13 samples. Neither the lowest nor the highest of eight can be the median.
 * Without these two, the same holds for seven of the remaining samples, and so on. */
ALWAYS_INLINE SAMPLE NAMED(median_13)(SAMPLE v[13])
{
    NAMED(ends)(v, 8);
    v[7] = v[8];
    NAMED(ends)(v + 1, 7);
    v[7] = v[9];
    NAMED(ends)(v + 2, 6);
    v[7] = v[10];
    NAMED(ends)(v + 3, 5);
    v[7] = v[11];
    NAMED(ends)(v + 4, 4);
    v[7] = v[12];
    return NAMED(middle)(v[5], v[6], v[7]);
}

ALWAYS_INLINE void NAMED(load_5)(const SAMPLE *line, size_t i, size_t channels, SAMPLE v[5])
{
    v[0] = line[i];
    v[1] = line[i + channels];
    v[2] = line[i + 2 * channels];
    v[3] = line[i + 3 * channels];
    v[4] = line[i + 4 * channels];
    NAMED(sort_5)(v);
}

/* Writes medians of 5 x 5 samples. With sorted rows too, six samples are known to be below the
 * median and six above. They are at all (i, j) with (5 - i)(5 - j) > 13, or (i + 1)(j + 1) > 13. */
VARIANTS static void NAMED(squares_5)(const SAMPLE *line, size_t room, SAMPLE *restrict to,
                                      size_t channels, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        SAMPLE a[5], b[5], c[5], d[5], e[5];

        NAMED(load_5)(line, i, channels, a);
        NAMED(load_5)(line + room, i, channels, b);
        NAMED(load_5)(line + 2 * room, i, channels, c);
        NAMED(load_5)(line + 3 * room, i, channels, d);
        NAMED(load_5)(line + 4 * room, i, channels, e);
        to[i] = NAMED(median_13)((SAMPLE[13]){ a[3], b[2], c[1], d[0], d[1], c[2], b[3], a[4], c[3],
                                               b[4], d[2], e[0], e[1] });
    }
}

/* Adds to count[i] how many of the (up to four) pixels from i on are lower than than[i]. */
ALWAYS_INLINE void NAMED(count_lower)(const SAMPLE *restrict row, const SAMPLE *restrict than,
                                      SAMPLE *restrict count, int pixels, size_t channels, size_t n)
{
    const SAMPLE *second = row + channels, *third = second + channels, *fourth = third + channels;

    for (size_t i = 0; i < n; i++) {
        SAMPLE t = than[i], c = (SAMPLE)(count[i] + (row[i] < t));

        c = pixels > 1 ? (SAMPLE)(c + (second[i] < t) + (third[i] < t)) : c;
        c = pixels > 3 ? (SAMPLE)(c + (fourth[i] < t)) : c;
        count[i] = c;
    }
}

/* The same for k pixels; k is odd. */
ALWAYS_INLINE void NAMED(count_row)(const SAMPLE *row, const SAMPLE *than, SAMPLE *count, int k,
                                    size_t channels, size_t n)
{
    for (; k > 3; k -= 4, row += 4 * channels)
        NAMED(count_lower)(row, than, count, 4, channels, n);
    if (k == 3)
        NAMED(count_lower)(row, than, count, 3, channels, n);
    else
        NAMED(count_lower)(row, than, count, 1, channels, n);
}

/* Finds the median's bits, the highest first. A bit is set if at most half of the samples are lower
 * than the number with the bit. Squares have at most 15 x 15 pixels, so that 8 bits hold the
 * counts. */
VARIANTS static void NAMED(squares)(const void *const *row, SAMPLE *to, int k, size_t channels,
                                    size_t n)
{
    enum { PIECE = 512 };
    SAMPLE count[PIECE], than[PIECE], half = (SAMPLE)(k * k / 2);

    for (size_t at = 0, m; at < n; at += m) {
        m = n - at < PIECE ? n - at : PIECE;
        memset(to + at, 0, m * sizeof *to);
        for (int bit = (int)(8 * sizeof(SAMPLE)) - 1; bit >= 0; bit--) {
            memset(count, 0, sizeof count);
            for (size_t i = 0; i < m; i++)
                than[i] = (SAMPLE)(to[at + i] | 1 << bit);
            for (int y = 0; y < k; y++)
                NAMED(count_row)((const SAMPLE *)row[y] + at, than, count, k, channels, m);
            for (size_t i = 0; i < m; i++)
                to[at + i] = count[i] <= half ? than[i] : to[at + i];
        }
    }
}

/* Samples whose sorted columns stay in the nearest cache: whole pixels for one to four channels. */
enum { NAMED(PIECE) = MEDIAN_PIECE / sizeof(SAMPLE) };

/* Mirrors columns outside the ends of the row, next to the pixels [first, end) of the row. `line`
 * is pixel `first`. */
static void NAMED(mirror_columns)(SAMPLE *line, int first, int end, int width, int reach,
                                  size_t channels)
{
    for (int i = 1; i <= reach; i++) {
        int sides[] = { first - i, end - 1 + i };

        for (int side = 0; side < 2; side++) {
            ptrdiff_t to = sides[side] - first, from = mirrored(sides[side], width) - first;

            if (sides[side] < 0 || sides[side] >= width)
                memcpy(line + to * (ptrdiff_t)channels, line + from * (ptrdiff_t)channels,
                       channels * sizeof *line);
        }
    }
}

/* Handles the squares of one piece. This is bound by arithmetic, so lines that are needed soon are
 * prefetched meanwhile. `ahead` is the next piece of the newest row; at the row's end, the first
 * piece of the row below. Lines that are written next are prefetched too. */
static void NAMED(squares_on)(const SAMPLE *line, size_t room, const SAMPLE *ahead, SAMPLE *to,
                              int k, size_t channels, size_t n)
{
    enum { FEW = 768 };

    for (size_t i = 0, m; i < n; i += m) {
        m = n - i < FEW ? n - i : FEW;
        for (size_t j = i; j < i + m; j += CACHE_LINE / sizeof *to) {
            __builtin_prefetch(ahead + j);
            __builtin_prefetch(to + n + j, 1);
        }
        if (k == 3)
            NAMED(squares_3)(line + i, line + room + i, line + 2 * room + i, to + i, channels, m);
        else
            NAMED(squares_5)(line + i, room, to + i, channels, m);
    }
}

/* Sorts the columns [from, to) of a piece that begins at sample `at` of the rows. */
static void NAMED(columns)(const void *const *rows, size_t at, SAMPLE *first, int k, ptrdiff_t from,
                           ptrdiff_t to)
{
    enum { ROOM = MEDIAN_ROOM / sizeof(SAMPLE) };
    const void *row[5];

    for (int i = 0; i < k; i++)
        row[i] = (const SAMPLE *)rows[i] + at + from;
    if (k == 3)
        NAMED(columns_3)
    (row, first + from, first + from + ROOM, first + from + 2 * ROOM, (size_t)(to - from));
    else NAMED(columns_5)(row, first + from, ROOM, (size_t)(to - from));
}

/* Writes one row of medians of 3 x 3 or 5 x 5, from whole rows of n samples without a border.
 * `first` has room for a piece's sorted columns: MEDIAN_ROOM bytes for each of k. Columns from
 * `first` on begin at a cache line, since stores across two lines cost twice as much. The columns
 * before it are sorted separately. */
static void NAMED(median_row_sorted)(const void *const *rows, SAMPLE *first, SAMPLE *to, int k,
                                     size_t channels, size_t n)
{
    enum { ROOM = MEDIAN_ROOM / sizeof(SAMPLE) };
    size_t reach = (size_t)(k / 2) * channels;

    for (size_t at = 0, m; at < n; at += m) {
        size_t after;

        m = n - at < NAMED(PIECE) ? n - at : NAMED(PIECE);
        after = n - at - m < reach ? n - at - m : reach;
        if (at)
            NAMED(columns)(rows, at, first, k, -(ptrdiff_t)reach, 0);
        NAMED(columns)(rows, at, first, k, 0, (ptrdiff_t)(m + after));
        for (int i = 0; i < k; i++)
            NAMED(mirror_columns)
        (first + i * ROOM, (int)(at / channels), (int)((at + m) / channels), (int)(n / channels),
         k / 2, channels);
        NAMED(squares_on)
        (first - reach, ROOM, (const SAMPLE *)rows[k - 1] + at + m, to + at, k, channels, m);
    }
}

#endif
