/* rle_bits: from runs to bits, and back. */
#include "geom/rle_bits.h"

#include <stdlib.h>
#include <string.h>

struct block block_of(const struct rle *m, struct box b)
{
    struct block k = block_around(b);
    size_t stride = block_stride(&k), size = block_size(&k);
    struct columns c = columns_of(m);

    k.at = memset(memory_take(size), 0, size);
    for (int x = 0; x < k.width; x++)
        for (size_t i = c.start[k.x0 + x]; i < c.start[k.x0 + x + 1]; i += 2)
            memset(k.at + ((size_t)x + 1) * stride + 1 + (c.row[i] - k.y0), 1,
                   (size_t)(c.row[i + 1] - c.row[i]));
    columns_drop(&c);
    return k;
}

/* At most so many runs are in the bits of columns this high. */
static size_t count_runs(const uint8_t *bit, size_t columns, size_t height)
{
    size_t n = 2 * columns + 2, size = columns * height;

    for (size_t i = 1; i < size; i++)
        n += bit[i] != bit[i - 1];
    return n;
}

static void add_bits(struct runs *runs, const uint8_t *bit, const uint8_t *end)
{
    while (bit < end) {
        const uint8_t *next = memchr(bit, !*bit, (size_t)(end - bit));

        next = next ? next : end;
        runs_add(runs, *bit, (uint64_t)(next - bit));
        bit = next;
    }
}

struct rle rle_of_bits(struct arena *arena, const uint8_t *bit, struct box b, struct frame out)
{
    struct runs runs = { .arena = arena };
    uint64_t h = (uint64_t)out.height, top = (uint64_t)b.y0, height = (uint64_t)(b.y1 - b.y0);

    runs_reserve(&runs, count_runs(bit, (size_t)(b.x1 - b.x0), (size_t)height));
    runs_add(&runs, false, h * (uint64_t)b.x0);
    for (int x = (int)b.x0; x < (int)b.x1; x++, bit += height) {
        runs_add(&runs, false, top);
        add_bits(&runs, bit, bit + height);
        runs_add(&runs, false, h - top - height);
    }
    runs_add(&runs, false, h * (uint64_t)(out.width - (int)b.x1));
    return runs_end(&runs, out.height, out.width);
}
