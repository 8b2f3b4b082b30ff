/* recompress: losses of downscaling and of lossy compression. */
#include "pixels/filters.h"
#include "pixels/picture.h"
#include "pixels/samples.h"

#include <stdlib.h>
#include <string.h>

static void resize_nearest(const struct plane *in, struct plane *out)
{
    int32_t *col = memory_take((size_t)out->width * sizeof *col);
    int32_t *row = memory_take((size_t)out->height * sizeof *row);

    for (int x = 0; x < out->width; x++)
        col[x] = resize_index(x, in->width, out->width);
    for (int y = 0; y < out->height; y++)
        row[y] = resize_index(y, in->height, out->height);
    plane_remap(in, out, col, row, false, &(struct fill){ 0 });
    free(col);
    free(row);
}

void plane_resize_any(const struct plane *in, struct plane *out, enum interpolation interpolation,
                      bool antialias)
{
    if (interpolation == INTERPOLATION_NEAREST)
        resize_nearest(in, out);
    else
        plane_resize(in, out, interpolation, antialias);
}

void plane_restore_alpha(const struct plane *in, struct plane *out)
{
    for (int y = 0; y < in->height; y++)
        row_copy_alpha(in, out, y);
}

void plane_downscale(const struct plane *in, struct plane *out, struct frame smaller,
                     enum interpolation down, enum interpolation up, bool antialias,
                     struct pool *pool)
{
    struct plane small = pool_plane(pool, smaller, in->channels, in->type);

    plane_resize_any(in, &small, down, antialias);
    plane_resize_any(&small, out, up, antialias);
    plane_restore_alpha(in, out);
    pool_return(pool, &small);
}

/* Copies the first n channels of each pixel; both planes have at least as many. */
static void copy_channels(const struct plane *in, struct plane *out, int channels)
{
    size_t size = pixel_type_size(in->type), from = size * (size_t)in->channels;
    size_t to = size * (size_t)out->channels;

    for (int y = 0; y < in->height; y++)
        for (int x = 0; x < in->width; x++)
            memcpy(plane_row(out, y) + (size_t)x * to, plane_row(in, y) + (size_t)x * from,
                   size * (size_t)channels);
}

/* Converts to the type and channels of `out`. If only `out` has alpha, its alpha is not changed. */
static void convert(const struct plane *in, struct plane *out, struct pool *pool)
{
    struct plane same =
        pool_plane(pool, (struct frame){ in->width, in->height }, in->channels, out->type);

    plane_convert(in, &same);
    copy_channels(&same, out, plane_colours(out));
    pool_return(pool, &same);
}

/* Returns an 8-bit plane without alpha, with as many colors as the file is to have. */
static struct plane plain_of(const struct plane *in, int colours, struct pool *pool)
{
    struct frame f = { in->width, in->height };
    struct plane plain = pool_plane(pool, f, plane_colours(in), PIXEL_U8), wide;

    convert(in, &plain, pool);
    if (plain.channels == colours)
        return plain;
    wide = pool_plane(pool, f, colours, PIXEL_U8);
    plane_colour(&plain, &wide, colour_same, NULL);
    pool_return(pool, &plain);
    return wide;
}

/* Converts a decoded color picture to gray. */
static void make_gray(struct plane *read, struct pool *pool)
{
    struct plane gray = pool_plane(pool, (struct frame){ read->width, read->height }, 1, PIXEL_U8);

    plane_colour(read, &gray, colour_luma, NULL);
    pool_return(pool, read);
    *read = gray;
}

/* Encodes with these options in 8 bits, and decodes. `colours` is the number of colors in the
 * file. */
static void compress(const struct plane *in, struct plane *out,
                     const struct picture_options *options, int colours, struct pool *pool)
{
    bool is_plain = in->type == PIXEL_U8 && in->channels == colours;
    struct picture plain = { .plane = *in }, read;
    struct text bytes = { 0 }, why = { 0 };

    if (!is_plain)
        plain.plane = plain_of(in, colours, pool);
    if (!picture_write(&plain, options, &bytes, &why) ||
        !picture_read((struct slice){ bytes.at, bytes.length }, pool,
                      (size_t)in->width * (size_t)in->height, NULL, &read, &why))
        memory_gone(plane_bytes(
            in)); /* the library ran out of memory: everything else was checked before */
    if (read.plane.channels > plane_colours(in))
        make_gray(&read.plane, pool);
    if (is_plain && read.plane.channels == out->channels)
        plane_copy(&read.plane, out);
    else
        convert(&read.plane, out, pool);
    for (int y = 0; y < in->height; y++)
        row_copy_alpha(in, out, y);
    picture_drop(&read, pool);
    text_drop(&bytes);
    text_drop(&why);
    if (!is_plain)
        pool_return(pool, &plain.plane);
}

void plane_jpeg(const struct plane *in, struct plane *out, int quality, struct pool *pool)
{
    struct picture_options options = { .format = PICTURE_JPEG,
                                       .quality = quality,
                                       .subsampling = SUBSAMPLING_420 };

    compress(in, out, &options, plane_colours(in), pool);
}

void plane_webp(const struct plane *in, struct plane *out, int quality, struct pool *pool)
{
    struct picture_options options = { .format = PICTURE_WEBP, .quality = quality };

    compress(in, out, &options, 3, pool);
}
