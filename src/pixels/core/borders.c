/* borders: indices outside a plane, and planes and rows with a mirrored border. */
#include "pixels/samples.h"

#include <math.h>
#include <string.h>

/* Returns i modulo the period. */
static int of_period(double i, int period)
{
    return (int)(i - period * floor(i / period));
}

int border_index(enum padding_mode mode, double i, int n)
{
    int at;

    if (i >= 0 && i < n)
        return (int)i;
    if (!(fabs(i) < 1e9)) /* also false for NaN */
        return mode == PADDING_CONSTANT ? -1 : 0;
    switch (mode) {
    case PADDING_CONSTANT:
        return -1;
    case PADDING_EDGE:
        return i < 0 ? 0 : n - 1;
    case PADDING_REFLECT:
        return mirrored((int)i, n);
    case PADDING_SYMMETRIC:
        at = of_period(i, 2 * n);
        return at < n ? at : 2 * n - 1 - at;
    case PADDING_WRAP:
        return of_period(i, n);
    }
    return -1;
}

bool fill_equal(const struct fill *a, const struct fill *b)
{
    return memcmp(a->channel, b->channel, sizeof a->channel) == 0 && a->border == b->border;
}

int mirrored(int i, int n)
{
    int period = 2 * (n - 1);

    if (n == 1)
        return 0;
    i = i % period;
    if (i < 0)
        i += period;
    return i < n ? i : period - i;
}

void row_mirror(void *row, size_t pixel, int width, int reach)
{
    unsigned char *at = row, *end = at + (size_t)width * pixel;

    for (int i = 1; i <= reach; i++) {
        memcpy(at - (size_t)i * pixel, at + (size_t)mirrored(-i, width) * pixel, pixel);
        memcpy(end + (size_t)(i - 1) * pixel, at + (size_t)mirrored(width - 1 + i, width) * pixel,
               pixel);
    }
}

void row_copy_alpha(const struct plane *in, struct plane *out, int y)
{
    size_t size = pixel_type_size(in->type), pixel = size * (size_t)in->channels;
    const unsigned char *from = plane_row(in, y) + pixel - size;
    unsigned char *to = plane_row(out, y) + pixel - size;

    if (in->channels == plane_colours(in))
        return;
    for (int x = 0; x < in->width; x++, from += pixel, to += pixel)
        memcpy(to, from, size);
}

/* Copies row v, an index in the mirrored plane, with rx mirrored pixels on either side. */
static void copy_mirrored(const struct plane *in, int v, int rx, unsigned char *row)
{
    const unsigned char *from = plane_row(in, mirrored(v, in->height));
    size_t pixel = pixel_type_size(in->type) * (size_t)in->channels;
    unsigned char *to = row + (size_t)rx * pixel;

    memcpy(to, from, (size_t)in->width * pixel);
    row_mirror(to, pixel, in->width, rx);
}

struct plane plane_mirrored(const struct plane *in, int rx, int ry, struct pool *pool)
{
    struct frame f = { in->width + 2 * rx, in->height + 2 * ry };
    struct plane out = pool_plane(pool, f, in->channels, in->type);

    for (int y = 0; y < f.height; y++)
        copy_mirrored(in, y - ry, rx, plane_row(&out, y));
    return out;
}

struct mirror mirror_begin(const struct plane *in, int rx, int ry, struct pool *pool)
{
    struct frame f = { in->width + 2 * rx, 2 * ry + 1 };

    return (struct mirror){ .in = in,
                            .ring = pool_plane(pool, f, in->channels, in->type),
                            .rx = rx,
                            .ry = ry,
                            .made = -ry };
}

static int ring_place(const struct mirror *m, int v)
{
    return (v + m->ry) % m->ring.height;
}

void mirror_rows(struct mirror *m, int y)
{
    for (; m->made <= y + m->ry; m->made++)
        copy_mirrored(m->in, m->made, m->rx, plane_row(&m->ring, ring_place(m, m->made)));
}

const unsigned char *mirror_row(const struct mirror *m, int v)
{
    return plane_row(&m->ring, ring_place(m, v));
}

void mirror_end(struct mirror *m, struct pool *pool)
{
    pool_return(pool, &m->ring);
}
