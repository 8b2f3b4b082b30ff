/* rle: run-length masks: measures, strings, bitmaps, merging, IoU. */
#include "geom/rle.h"

#include "geom/runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool rle_is_valid(const struct rle *m)
{
    uint64_t sum = 0;

    /* No sum of 32-bit runs that fit in memory overflows 64 bits. */
    for (size_t i = 0; i < m->n; i++)
        sum += m->run[i];
    return m->height > 0 && m->width > 0 && sum == rle_total(m);
}

uint64_t rle_area(const struct rle *m)
{
    uint64_t sum = 0;

    for (size_t i = 1; i < m->n; i += 2)
        sum += m->run[i];
    return sum;
}

struct box rle_bounds(const struct rle *m)
{
    struct changes c = { .mask = m };
    uint64_t h = (uint64_t)m->height, from, to;
    uint64_t x0 = UINT64_MAX, y0 = UINT64_MAX, x1 = 0, y1 = 0;

    if (!rle_total(m))
        return (struct box){ 0 };
    while (changes_next_ones(&c, &from, &to)) {
        uint64_t first = from / h, last = (to - 1) / h;
        /* Ones that continue in the next column are at that column's top and this column's bottom.
         */
        uint64_t top = first == last ? from % h : 0, bottom = first == last ? (to - 1) % h : h - 1;

        x0 = first < x0 ? first : x0;
        x1 = last + 1 > x1 ? last + 1 : x1;
        y0 = top < y0 ? top : y0;
        y1 = bottom + 1 > y1 ? bottom + 1 : y1;
    }
    if (!x1)
        return (struct box){ 0 };
    return (struct box){ (double)x0, (double)y0, (double)x1, (double)y1 };
}

bool rle_equal(const struct rle *a, const struct rle *b)
{
    struct changes ca = { .mask = a }, cb = { .mask = b };
    uint64_t at = 0, bt = 0;

    if (a->height != b->height || a->width != b->width)
        return false;
    for (;;) {
        bool more_a = changes_next(&ca, &at), more_b = changes_next(&cb, &bt);

        if (more_a != more_b || (more_a && at != bt))
            return false;
        if (!more_a)
            return true;
    }
}

static bool is_canonical(const struct rle *m)
{
    bool empty = false;

    for (size_t i = 1; i < m->n; i++) /* without a way out: compilers look at many at a time */
        empty |= !m->run[i];
    return !empty;
}

struct rle rle_canonical(struct arena *arena, const struct rle *m)
{
    struct runs out = { .arena = arena };

    if (is_canonical(m))
        return *m;
    for (size_t i = 0; i < m->n; i++)
        runs_add(&out, i & 1, m->run[i]);
    return runs_end(&out, m->height, m->width);
}

/* Reads one number: five bits per character, the least significant first. Bit 5 says that more
 * characters follow, and bit 4 of the last one is the sign. Seven characters can express any
 * difference of two runs; longer numbers would overflow COCO's own reader. */
static bool read_number(struct slice *s, int64_t *number)
{
    uint64_t bits = 0;

    for (unsigned k = 0; k < 7 && k < s->length; k++) {
        unsigned c = (unsigned)(unsigned char)s->at[k] - '0';

        if (c > 63)
            return false;
        bits |= (uint64_t)(c & 31) << (5 * k);
        if (c & 32)
            continue;
        *number = (int64_t)bits;
        if (c & 16)
            *number -= (int64_t)1 << (5 * (k + 1));
        s->at += k + 1;
        s->length -= k + 1;
        return true;
    }
    return false;
}

bool rle_from_string(struct arena *arena, struct slice s, int height, int width, struct rle *out)
{
    struct runs runs = { .arena = arena };
    int64_t before[2] = { 0 }, run;
    uint64_t left = rle_total(&(struct rle){ .height = height, .width = width });

    if (height <= 0 || width <= 0)
        return false;
    for (size_t i = 0; s.length; i++) {
        if (!read_number(&s, &run))
            return false;
        /* From the fourth on, a run is written as the difference to the previous run of the same
         * value. */
        if (i > 2)
            run += before[i & 1];
        if (run < 0 || run > UINT32_MAX || (uint64_t)run > left)
            return false;
        left -= (uint64_t)run;
        before[i & 1] = run;
        runs_add(&runs, i & 1, (uint64_t)run);
    }
    if (left)
        return false;
    *out = runs_end(&runs, height, width);
    return true;
}

char *rle_to_string(struct arena *arena, const struct rle *m)
{
    char *string, *s;

    if (m->n > SIZE_MAX / 8)
        memory_gone(m->n);
    string = s = memory_take(7 * m->n + 1);
    for (size_t i = 0; i < m->n; i++) {
        int64_t x = (int64_t)m->run[i] - (i > 2 ? (int64_t)m->run[i - 2] : 0);
        bool more = true;

        while (more) {
            int low = (int)(x & 31);

            x = (x - low) / 32; /* x >> 5, also below zero */
            more = low & 16 ? x != -1 : x != 0;
            *s++ = (char)('0' + low + (more ? 32 : 0));
        }
    }
    s = arena_copy(arena, string, (size_t)(s - string));
    free(string);
    return s;
}

struct rle rle_from_bitmap(struct arena *arena, const uint8_t *px, size_t stride, struct frame f)
{
    struct runs runs = { .arena = arena };
    struct rle rows;

    /* Scans along rows, the order in memory, and then transposes: much faster than scanning
     * columns. */
    for (int y = 0; y < f.height; y++, px += stride)
        for (int x = 0, from = 0; x < f.width; x = from) {
            while (from < f.width && !px[from] == !px[x])
                from++;
            runs_add(&runs, px[x] != 0, (uint64_t)(from - x));
        }
    rows = runs_end(&runs, f.width, f.height);
    return rle_transpose(arena, &rows);
}

void rle_to_bitmap(const struct rle *m, uint8_t *px, size_t stride)
{
    struct columns c = columns_of(m);

    for (int y = 0; y < m->height && m->width > 0; y++)
        memset(px + (size_t)y * stride, 0, (size_t)m->width);
    for (int x = 0; x < m->width && m->height > 0; x++)
        for (size_t i = c.start[x]; i < c.start[x + 1]; i += 2)
            for (int32_t y = c.row[i]; y < c.row[i + 1]; y++)
                px[(size_t)y * stride + (size_t)x] = 1;
    columns_drop(&c);
}

static int by_place(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* From the sorted places where some mask begins (even: 2 * place) or ends (2 * place + 1). */
static struct rle sweep(struct arena *arena, const uint64_t *event, size_t n, size_t needed,
                        const struct rle *like)
{
    struct runs out = { .arena = arena };
    uint64_t last = 0, total = rle_total(like);
    size_t covered = 0;

    for (size_t i = 0; i < n; i++) {
        runs_add(&out, covered >= needed, event[i] / 2 - last);
        last = event[i] / 2;
        if (event[i] & 1)
            covered--;
        else
            covered++;
    }
    runs_add(&out, covered >= needed, total > last ? total - last : 0);
    return runs_end(&out, like->height, like->width);
}

struct rle rle_merge(struct arena *arena, const struct rle *m, size_t n, bool intersect)
{
    uint64_t *event, from, to;
    size_t room = 0, used = 0;
    struct rle merged;

    for (size_t i = 0; i < n; i++) {
        if (m[i].height != m[0].height || m[i].width != m[0].width)
            return (struct rle){ 0 };
        room += m[i].n + 1;
    }
    if (!n)
        return (struct rle){ 0 };
    event = memory_take(room * sizeof *event);
    for (size_t i = 0; i < n; i++) {
        struct changes c = { .mask = &m[i] };

        while (changes_next_ones(&c, &from, &to)) {
            event[used++] = 2 * from;
            event[used++] = 2 * to + 1;
        }
    }
    if (n > 1)
        qsort(event, used, sizeof *event, by_place);
    merged = sweep(arena, event, used, intersect ? n : 1, m);
    free(event);
    return merged;
}

struct rle rle_without(struct arena *arena, const struct rle *m, const struct rle *without)
{
    struct changes kept = { .mask = m }, taken = { .mask = without };
    struct runs out = { .arena = arena };
    uint64_t from, to, hole_from = 0, hole_to = 0, at = 0, total = rle_total(m);
    bool holes = true;

    if (m->height != without->height || m->width != without->width)
        return (struct rle){ 0 };
    while (changes_next_ones(&kept, &from, &to))
        while (from < to) {
            uint64_t until = to;

            while (holes && hole_to <= from)
                holes = changes_next_ones(&taken, &hole_from, &hole_to);
            if (holes && hole_from < to)
                until = hole_from > from ? hole_from : from;
            runs_add(&out, false, from - at);
            runs_add(&out, true, until - from);
            at = until;
            from = until < to ? hole_to : to;
        }
    runs_add(&out, false, total > at ? total - at : 0);
    return runs_end(&out, m->height, m->width);
}

static uint64_t common_area(const struct rle *a, const struct rle *b)
{
    struct changes ca = { .mask = a }, cb = { .mask = b };
    uint64_t from_a, to_a, from_b, to_b, sum = 0;
    bool more = changes_next_ones(&ca, &from_a, &to_a) && changes_next_ones(&cb, &from_b, &to_b);

    while (more) {
        uint64_t from = from_a > from_b ? from_a : from_b, to = to_a < to_b ? to_a : to_b;

        if (from < to)
            sum += to - from;
        more = to_a < to_b ? changes_next_ones(&ca, &from_a, &to_a)
                           : changes_next_ones(&cb, &from_b, &to_b);
    }
    return sum;
}

double rle_iou(const struct rle *dt, const struct rle *gt, bool gt_is_crowd)
{
    uint64_t common, area = rle_area(dt);

    if (box_is_empty(box_intersect(rle_bounds(dt), rle_bounds(gt))))
        return 0;
    /* maskApi's mark of masks that cannot be compared. */
    if (dt->height != gt->height || dt->width != gt->width)
        return -1;
    common = common_area(dt, gt);
    if (!common)
        return 0;
    return (double)common / (double)(gt_is_crowd ? area : area + rle_area(gt) - common);
}
