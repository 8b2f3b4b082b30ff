/* borders: indices that go on beyond a plane, and planes with a mirrored border around them. */
#include "samples.h"

#include <string.h>

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

void row_copy_alpha(const struct plane *in, struct plane *out, int y)
{
    size_t size = pixel_type_size(in->type), pixel = size * (size_t)in->bands;
    const unsigned char *from = plane_row(in, y) + pixel - size;
    unsigned char *to = plane_row(out, y) + pixel - size;

    if (in->bands == plane_colours(in))
        return;
    for (int x = 0; x < in->width; x++, from += pixel, to += pixel)
        memcpy(to, from, size);
}

struct plane plane_mirrored(const struct plane *in, int rx, int ry, struct pool *pool)
{
    struct frame f = { in->width + 2 * rx, in->height + 2 * ry };
    struct plane out = pool_plane(pool, f, in->bands, in->type);
    size_t pixel = pixel_type_size(in->type) * (size_t)in->bands;

    for (int y = 0; y < f.height; y++) {
        const unsigned char *from = plane_row(in, mirrored(y - ry, in->height));
        unsigned char *to = plane_row(&out, y) + (size_t)rx * pixel;

        memcpy(to, from, (size_t)in->width * pixel);
        for (int i = 1; i <= rx; i++) {
            memcpy(to - (size_t)i * pixel, from + (size_t)mirrored(-i, in->width) * pixel, pixel);
            memcpy(to + (size_t)(in->width - 1 + i) * pixel,
                   from + (size_t)mirrored(in->width - 1 + i, in->width) * pixel, pixel);
        }
    }
    return out;
}
