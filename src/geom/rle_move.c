/* rle: masks transposed, and moved by a map. */
#include "geom/rle.h"

#include "geom/runs.h"

#include <stdlib.h>
#include <string.h>

/* Merges two columns, each an ascending list of the rows at which it changes, without the rows that
 * both have. The result has the rows at which the difference changes. */
static size_t difference(const int32_t *a, size_t n, const int32_t *b, size_t m, int32_t *out)
{
    size_t i = 0, j = 0, k = 0;

    while (i < n || j < m) {
        if (j == m || (i < n && a[i] < b[j])) {
            out[k++] = a[i++];
        } else if (i == n || b[j] < a[i]) {
            out[k++] = b[j++];
        } else {
            i++;
            j++;
        }
    }
    return k;
}

/* Lists, for each row in ascending order, the columns at which it changes; only counts them if
 * column is NULL. Costs as much time as the mask's outline is long. */
static void cut_rows(const struct columns *c, int width, size_t *end, int32_t *column,
                     int32_t *scratch)
{
    for (int x = 0; x <= width; x++) {
        size_t before = x ? c->start[x - 1] : 0, here = c->start[x];
        size_t after = x < width ? c->start[x + 1] : here;
        size_t n = difference(c->row + before, here - before, c->row + here, after - here, scratch);

        for (size_t i = 0; i < n; i += 2)
            for (int32_t y = scratch[i]; y < scratch[i + 1]; y++) {
                if (column)
                    column[end[y]] = x;
                end[y]++;
            }
    }
}

static size_t max_of_two_columns(const struct columns *c, int width)
{
    size_t max = 0;

    for (int x = 0; x < width; x++) {
        size_t n = c->start[x + 1] - c->start[x ? x - 1 : 0];

        max = n > max ? n : max;
    }
    return max;
}

struct rle rle_transpose(struct arena *arena, const struct rle *m)
{
    int height = m->height, width = m->width;
    struct runs out = { .arena = arena };
    struct columns c;
    size_t *start, rows = height > 0 ? (size_t)height : 0;
    int32_t *column, *scratch;

    if (!rle_total(m))
        return (struct rle){ .height = width, .width = height };
    c = columns_of(m);
    scratch = memory_take(max_of_two_columns(&c, width) * sizeof *scratch);
    start = memset(memory_take((rows + 2) * sizeof *start), 0, (rows + 2) * sizeof *start);
    cut_rows(&c, width, start + 2, NULL, scratch);
    for (size_t y = 2; y < rows + 2; y++)
        start[y] += start[y - 1];
    column = memory_take(start[rows + 1] * sizeof *column);
    cut_rows(&c, width, start + 1, column, scratch);
    for (size_t y = 0; y < rows; y++) {
        int last = 0;

        for (size_t i = start[y]; i < start[y + 1]; i++) {
            runs_add(&out, (i - start[y]) & 1, (uint64_t)(column[i] - last));
            last = column[i];
        }
        runs_add(&out, false, (uint64_t)(width - last));
    }
    free(column);
    free(start);
    free(scratch);
    columns_drop(&c);
    return runs_end(&out, width, height);
}

/* The output rows that take a given source row, for a list that is monotone where it is not -1. */
struct row_map {
    int32_t *to;    /* the output rows that are not from outside, rising */
    int32_t *until; /* of the same index: the end of the unbroken stretch of such rows */
    size_t n;
    size_t *first; /* of a source row: how many of `to` take one before it in reading order */
    bool falling;
};

static struct row_map row_map_of(const int32_t *row, int out_height, int height)
{
    size_t room = (size_t)out_height, rows = (size_t)height;
    struct row_map r = { .to = memory_take(room * sizeof *r.to),
                         .until = memory_take(room * sizeof *r.until),
                         .first = memory_take((rows + 1) * sizeof *r.first) };
    size_t k = 0;

    for (int y = 0; y < out_height; y++)
        if (row[y] >= 0 && row[y] < height)
            r.to[r.n++] = y;
    for (size_t i = r.n; i-- > 0;)
        r.until[i] = i + 1 < r.n && r.to[i + 1] == r.to[i] + 1 ? r.until[i + 1] : r.to[i] + 1;
    r.falling = r.n && row[r.to[0]] > row[r.to[r.n - 1]];
    for (size_t s = 0; s <= rows; s++) {
        /* Descending lists are counted from their end, which has the low source rows. */
        while (k < r.n && row[r.to[r.falling ? r.n - 1 - k : k]] < (int32_t)s)
            k++;
        r.first[s] = k;
    }
    return r;
}

static void row_map_drop(struct row_map *r)
{
    free(r->to);
    free(r->until);
    free(r->first);
}

/* A column being put together: pairs of rows, [from, to), with room for one an output row. */
struct column {
    int32_t *row;
    size_t n;
};

static void column_add(struct column *c, int32_t from, int32_t to)
{
    /* Runs that were separate meet where the rows between are skipped. */
    if (c->n && c->row[c->n - 1] == from) {
        c->row[c->n - 1] = to;
        return;
    }
    c->row[c->n++] = from;
    c->row[c->n++] = to;
}

/* The source rows [top, bottom) are 1: so are the output rows that take them. */
static void push(const struct row_map *r, int32_t top, int32_t bottom, struct column *out)
{
    size_t i = r->first[top], end = r->first[bottom];

    if (r->falling) {
        size_t t = r->n - i;

        i = r->n - end;
        end = t;
    }
    while (i < end) {
        int32_t stop = r->until[i], last = r->to[end - 1] + 1;

        stop = stop < last ? stop : last;
        column_add(out, r->to[i], stop);
        i += (size_t)(stop - r->to[i]);
    }
}

static void push_column(const struct row_map *r, const struct columns *c, int x, struct column *out)
{
    size_t n = c->start[x + 1] - c->start[x], base = c->start[x];

    out->n = 0;
    for (size_t i = 0; i < n; i += 2) {
        size_t at = base + (r->falling ? n - 2 - i : i);

        push(r, c->row[at], c->row[at + 1], out);
    }
}

static struct rle move_by_index(struct arena *arena, const struct rle *m, const int32_t *col,
                                const int32_t *row, struct frame out)
{
    struct runs runs = { .arena = arena };
    struct columns c = columns_of(m);
    struct row_map r = row_map_of(row, out.height, m->height);
    struct column now = { memory_take(2 * (size_t)out.height * sizeof *now.row), 0 };

    for (int x = 0; x < out.width; x++) {
        int last = 0;

        if (col[x] < 0 || col[x] >= m->width)
            now.n = 0;
        else if (x == 0 || col[x] != col[x - 1])
            push_column(&r, &c, col[x], &now);
        for (size_t i = 0; i < now.n; i += 2) {
            runs_add(&runs, false, (uint64_t)(now.row[i] - last));
            runs_add(&runs, true, (uint64_t)(now.row[i + 1] - now.row[i]));
            last = now.row[i + 1];
        }
        runs_add(&runs, false, (uint64_t)(out.height - last));
    }
    free(now.row);
    row_map_drop(&r);
    columns_drop(&c);
    return runs_end(&runs, out.height, out.width);
}

struct rle rle_move(struct arena *arena, const struct rle *m, const struct map *map,
                    struct frame out)
{
    struct rle turned;

    if (out.width <= 0 || out.height <= 0)
        return (struct rle){ .height = out.height, .width = out.width };
    if (!rle_area(m) || !rle_total(m)) {
        struct runs none = { .arena = arena };

        runs_add(&none, false, (uint64_t)out.width * (uint64_t)out.height);
        return runs_end(&none, out.height, out.width);
    }
    if (map->field || !map->col || !map->row)
        return rle_warp(arena, m, map, out);
    if (!map->swap)
        return move_by_index(arena, m, map->col, map->row, out);
    /* (col[y], row[x]) of the mask is (row[x], col[y]) of the transposed one. */
    turned = rle_transpose(arena, m);
    return move_by_index(arena, &turned, map->row, map->col, out);
}
