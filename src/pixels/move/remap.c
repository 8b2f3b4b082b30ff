/* remap: moves whole pixels by tables of columns and rows. */
#include "pixels/samples.h"

#include <string.h>

/* The structure of a table of columns, the same for all rows. [0, begin) and [end, width) are
 * outside. Between them the source columns go up or down by one (step +1 or -1), or are irregular
 * (0). If irregular, some may be outside (holes), or all are `apart` >= 2 from the previous one.
 * [up, up_end) is the longest part of an irregular run that goes up by one. */
struct run {
    int begin, end, step, apart;
    bool holes;
    int up, up_end;
};

/* True if all columns differ by `step` from the previous one. Without a branch, for vectors. */
static bool has_step(const int32_t *col, int n, int step)
{
    int32_t other = 0;

    for (int x = 1; x < n; x++)
        other |= col[x] ^ (col[x - 1] + step);
    return !other;
}

static bool has_holes(const int32_t *col, int begin, int end)
{
    int32_t all = 0;

    for (int x = begin; x < end; x++)
        all |= col[x];
    return all < 0;
}

/* Finds the parts of a run that does not go up or down by one throughout. */
static void find_parts(const int32_t *col, struct run *r)
{
    int since = r->begin; /* start of the current part that goes up by one */
    int up = r->begin, up_end = r->end;

    while (up + 1 < up_end && col[up + 1] != col[up] + 1)
        up++;
    while (up_end - 1 > up && col[up_end - 1] != col[up_end - 2] + 1)
        up_end--;
    if (has_step(col + up, up_end - up, 1)) { /* as with borders on both sides */
        r->up = up;
        r->up_end = up_end;
        /* A padded image mirrored about that border begins with a column outside: -1, 0, 1 */
        r->holes = has_holes(col, r->begin, up + 1) || has_holes(col, up_end, r->end);
        return;
    }
    for (int x = r->begin + 1; x < r->end; x++) {
        r->holes = r->holes || col[x] < 0;
        since = col[x] == col[x - 1] + 1 ? since : x;
        if (x + 1 - since > r->up_end - r->up) {
            r->up = since;
            r->up_end = x + 1;
        }
    }
}

static struct run run_of(const int32_t *col, int width)
{
    struct run r = { .end = width };

    while (r.begin < r.end && col[r.begin] < 0)
        r.begin++;
    while (r.end > r.begin && col[r.end - 1] < 0)
        r.end--;
    r.up = r.up_end = r.begin;
    if (has_step(col + r.begin, r.end - r.begin, 1))
        r.step = 1;
    else if (has_step(col + r.begin, r.end - r.begin, -1))
        r.step = -1;
    else if (col[r.begin + 1] > col[r.begin] &&
             has_step(col + r.begin, r.end - r.begin, col[r.begin + 1] - col[r.begin]))
        r.apart = col[r.begin + 1] - col[r.begin];
    else
        find_parts(col, &r);
    return r;
}

/* Copies n pixels in reverse order. */
ALWAYS_INLINE void reverse_row(const unsigned char *from, unsigned char *to, int n, size_t size)
{
    size_t done = bytes_reverse(from, to, (size_t)n, size);
    const unsigned char *last = from + (size_t)n * size;

    for (from += done * size; last > from; last -= size, to += size)
        memcpy(to, last - size, size);
}

/* Copies the pixels [x, end) from any places in a row. Three bytes are copied as four; the next
 * pixel overwrites the surplus byte. Not for the last row: nothing after it may be read. */
ALWAYS_INLINE void pick_row(const unsigned char *from, unsigned char *to, const int32_t *col, int x,
                            int end, size_t size, bool last)
{
    for (; size == 3 && !last && x < end - 1; x++)
        memcpy(to + (size_t)x * size, from + (size_t)col[x] * size, 4);
    for (; x < end; x++)
        memcpy(to + (size_t)x * size, from + (size_t)col[x] * size, size);
}

/* `last`: the row is the last one of the input. */
ALWAYS_INLINE void remap_row(const unsigned char *from, unsigned char *to, const int32_t *col,
                             struct run r, const unsigned char *fill, size_t size, bool last)
{
    enum { MANY = 16 }; /* fewer pixels are not worth a copy of bytes */

    if (r.begin >= r.end)
        return;
    if (r.step > 0) {
        bytes_copy(from + (size_t)col[r.begin] * size, to + (size_t)r.begin * size,
                   (size_t)(r.end - r.begin) * size);
        return;
    }
    if (r.step < 0) {
        reverse_row(from + (size_t)col[r.end - 1] * size, to + (size_t)r.begin * size,
                    r.end - r.begin, size);
        return;
    }
    if (r.apart)
        r.begin += (int)bytes_pick(from + (size_t)col[r.begin] * size, to + (size_t)r.begin * size,
                                   (size_t)(r.end - r.begin), size, (size_t)r.apart);
    if (!r.holes && r.up_end - r.up < MANY) {
        pick_row(from, to, col, r.begin, r.end, size, last);
        return;
    }
    if (!r.holes) { /* mirrors on both sides */
        pick_row(from, to, col, r.begin, r.up, size, last);
        bytes_copy(from + (size_t)col[r.up] * size, to + (size_t)r.up * size,
                   (size_t)(r.up_end - r.up) * size);
        pick_row(from, to, col, r.up_end, r.end, size, last);
        return;
    }
    for (int x = r.begin; x < r.end; x++)
        memcpy(to + (size_t)x * size, col[x] < 0 ? fill : from + (size_t)col[x] * size, size);
}

/* Copies the first and last bytes of a row from a row written before. Bytes between them may be
 * overwritten, so that copies have a fixed size and need no call. The source row was written long
 * ago: a load across several recent stores waits until all of them are in the cache. */
ALWAYS_INLINE void copy_ends(const unsigned char *from, unsigned char *to, size_t width,
                             size_t first, size_t last)
{
    enum { SHORT = 64 };

    if (first && (width < SHORT || first > SHORT))
        memcpy(to, from, first);
    else if (first)
        memcpy(to, from, SHORT);
    if (last && (width < SHORT || last > SHORT))
        memcpy(to + width - last, from + width - last, last);
    else if (last)
        memcpy(to + width - SHORT, from + width - SHORT, SHORT);
}

/* Reads rows downwards, even if they are written upwards, since processors prefetch reads only in
 * this direction. */
ALWAYS_INLINE void remap_straight(const struct plane *in, struct plane *out, const int32_t *col,
                                  const int32_t *row, const unsigned char *fill, size_t size)
{
    struct run r = run_of(col, out->width);
    size_t width = (size_t)out->width * size, begin = (size_t)r.begin * size;
    size_t end = (size_t)r.end * size;
    int last = out->height - 1, step = row[0] > row[last] ? -1 : 1;
    const unsigned char *first = plane_row(out, step > 0 ? 0 : last);

    for (int k = 0, y = step > 0 ? 0 : last; k <= last; k++, y += step) {
        unsigned char *to = plane_row(out, y);

        if (k && row[y] == row[y - step]) {
            bytes_copy(plane_row(out, y - step), to, width);
        } else if (row[y] < 0) {
            fill_pixels(to, fill, size, (size_t)out->width);
        } else {
            if (k) { /* the same pixels are outside in all rows */
                copy_ends(first, to, width, begin, width - end);
            } else {
                fill_pixels(to, fill, size, (size_t)r.begin);
                fill_pixels(to + end, fill, size, (size_t)(out->width - r.end));
            }
            remap_row(plane_row(in, row[y]), to, col, r, fill, size, row[y] == in->height - 1);
        }
    }
}

/* Writes the pixels [left, right) of row y, which come from column col[y]; r is the structure of
 * `row`. */
ALWAYS_INLINE void swapped_piece(const struct plane *in, unsigned char *to, int left, int right,
                                 int32_t col, const int32_t *row, struct run r,
                                 const unsigned char *fill, size_t size)
{
    const unsigned char *from = (const unsigned char *)in->px + (size_t)col * size;
    size_t stride = in->stride;

    if (r.step && left >= r.begin && right <= r.end) {
        ptrdiff_t step = r.step > 0 ? (ptrdiff_t)stride : -(ptrdiff_t)stride;

        from += (size_t)row[left] * stride;
        for (int x = left; x < right; x++, from += step)
            memcpy(to + (size_t)x * size, from, size);
        return;
    }
    for (int x = left; x < right; x++)
        memcpy(to + (size_t)x * size, row[x] < 0 ? fill : from + (size_t)row[x] * stride, size);
}

/* Transposes a tile of the output if it is inside the runs of both tables; otherwise returns
 * false. */
static bool turn_tile(const struct plane *in, struct plane *out, const int32_t *col,
                      const int32_t *row, struct run rows, int left, int right, int top, int bottom)
{
    struct run columns = run_of(col + top, bottom - top);
    struct transposition t = { .from_stride =
                                   rows.step > 0 ? (ptrdiff_t)in->stride : -(ptrdiff_t)in->stride,
                               .to_stride = (ptrdiff_t)out->stride,
                               .width = (size_t)(right - left),
                               .height = (size_t)(bottom - top),
                               .size = (size_t)in->channels * pixel_type_size(in->type) };
    int first = top; /* row of the output with the leftmost source column */

    if (!rows.step || left < rows.begin || right > rows.end || !columns.step || columns.begin ||
        columns.end < bottom - top)
        return false;
    if (columns.step < 0) {
        first = bottom - 1;
        t.to_stride = -t.to_stride;
    }
    t.from = plane_row(in, row[left]) + (size_t)col[first] * t.size;
    t.to = plane_row(out, first) + (size_t)left * t.size;
    return bytes_transpose(&t);
}

/* Reads go down a column of the input while writes go along a row. Tiles keep the cache lines of
 * the input for the next row. */
ALWAYS_INLINE void remap_swapped(const struct plane *in, struct plane *out, const int32_t *col,
                                 const int32_t *row, const unsigned char *fill, size_t size)
{
    enum { TILE = 64 };
    struct run r = run_of(row, out->width);

    for (int top = 0; top < out->height; top += TILE) {
        int bottom = out->height - top < TILE ? out->height : top + TILE;

        for (int left = 0; left < out->width; left += TILE) {
            int right = out->width - left < TILE ? out->width : left + TILE;

            if (turn_tile(in, out, col, row, r, left, right, top, bottom))
                continue;
            for (int y = top; y < bottom; y++) {
                unsigned char *to = plane_row(out, y);

                if (col[y] < 0)
                    fill_pixels(to + (size_t)left * size, fill, size, (size_t)(right - left));
                else
                    swapped_piece(in, to, left, right, col[y], row, r, fill, size);
            }
        }
    }
}

ALWAYS_INLINE void remap(const struct plane *in, struct plane *out, const int32_t *col,
                         const int32_t *row, bool swap, const unsigned char *fill, size_t size)
{
    if (swap)
        remap_swapped(in, out, col, row, fill, size);
    else
        remap_straight(in, out, col, row, fill, size);
}

VARIANTS static void remap_any(const struct plane *in, struct plane *out, const int32_t *col,
                               const int32_t *row, bool swap, const unsigned char *pixel)
{
    switch ((size_t)in->channels * pixel_type_size(in->type)) {
    case 1:
        remap(in, out, col, row, swap, pixel, 1);
        break;
    case 2:
        remap(in, out, col, row, swap, pixel, 2);
        break;
    case 3:
        remap(in, out, col, row, swap, pixel, 3);
        break;
    case 4:
        remap(in, out, col, row, swap, pixel, 4);
        break;
    case 6:
        remap(in, out, col, row, swap, pixel, 6);
        break;
    case 8:
        remap(in, out, col, row, swap, pixel, 8);
        break;
    case 12:
        remap(in, out, col, row, swap, pixel, 12);
        break;
    case 16:
        remap(in, out, col, row, swap, pixel, 16);
        break;
    }
}

void plane_remap(const struct plane *in, struct plane *out, const int32_t *col, const int32_t *row,
                 bool swap, const struct fill *fill)
{
    unsigned char pixel[16] = { 0 };

    fill_bytes(fill, in->type, in->channels, pixel);
    remap_any(in, out, col, row, swap, pixel);
}
