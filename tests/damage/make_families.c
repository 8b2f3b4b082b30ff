/* make_families: an image file of every kind that is read, in the folder given, for damage.py.
 *
 * A scene of 96 x 80 pixels with edges, slopes and noise, so that no byte of a file goes unused. */
#include <stdio.h>
#include <stdlib.h>

#include <vips/vips.h>

enum { WIDTH = 96, HEIGHT = 80 };

static const char *folder;

_Noreturn static void fail(const char *what)
{
    fprintf(stderr, "%s: %s\n", what, vips_error_buffer());
    exit(1);
}

static int level(int x, int y, int band)
{
    unsigned noise = (unsigned)(x * 7919 + y * 104729 + band * 1299709) * 2654435761u >> 28;
    int slope = (x * (2 + band) + y * (3 - band)) % 256;

    return (x / 16 + y / 16) % 3 == band ? 255 - slope / 2 : (slope + (int)noise) % 256;
}

/* The scene with so many channels of 8 bits; the caller's. */
static VipsImage *scene(int channels, VipsInterpretation as)
{
    static unsigned char px[HEIGHT * WIDTH * 4];
    VipsImage *memory, *image;

    for (int y = 0; y < HEIGHT; y++)
        for (int i = 0; i < WIDTH * channels; i++)
            px[y * WIDTH * channels + i] = (unsigned char)level(i / channels, y, i % channels);
    memory = vips_image_new_from_memory_copy(px, (size_t)WIDTH * HEIGHT * (size_t)channels, WIDTH,
                                             HEIGHT, channels, VIPS_FORMAT_UCHAR);
    if (!memory || vips_copy(memory, &image, "interpretation", as, NULL))
        fail("scene");
    g_object_unref(memory);
    return image;
}

/* In another type, its values multiplied; of one interpretation. */
static VipsImage *scaled(VipsImage *in, double factor, VipsBandFormat format, VipsInterpretation as)
{
    VipsImage *linear, *cast, *out;

    if (vips_linear1(in, &linear, factor, 0, NULL) || vips_cast(linear, &cast, format, NULL) ||
        vips_copy(cast, &out, "interpretation", as, NULL))
        fail("scaled");
    g_object_unref(linear);
    g_object_unref(cast);
    return out;
}

/* `name` is a file name with libvips' options for its saver. */
static void save(VipsImage *image, const char *name)
{
    char path[1000];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (vips_image_write_to_file(image, path, "strip", TRUE, NULL))
        fail(path);
}

static void save_all(VipsImage *image, const char *const *names)
{
    for (; *names; names++)
        save(image, *names);
    g_object_unref(image);
}

int main(int argc, char **argv)
{
    static const char *const rgb[] = { "jpeg-420.jpg[Q=90]",
                                       "jpeg-progressive.jpg[interlace]",
                                       "jpeg-444.jpg[Q=92,subsample_mode=off]",
                                       "jpeg-restart.jpg[restart_interval=3]",
                                       "png-8.png",
                                       "png-palette.png[palette]",
                                       "png-interlaced.png[interlace]",
                                       "tiff-none.tif",
                                       "tiff-lzw.tif[compression=lzw,predictor=horizontal]",
                                       "tiff-deflate.tif[compression=deflate,predictor=horizontal]",
                                       "tiff-jpeg.tif[compression=jpeg,Q=90]",
                                       "tiff-tiled.tif[compression=deflate,tile,tile_width=32,"
                                       "tile_height=32]",
                                       "webp-lossy.webp[Q=90]",
                                       "webp-lossless.webp[lossless]",
                                       "gif.gif",
                                       NULL };
    static const char *const gray[] = { "jpeg-gray.jpg", NULL };
    static const char *const inks[] = { "jpeg-cmyk.jpg", NULL };
    static const char *const deep[] = { "png-16.png", NULL };
    static const char *const gray_alpha[] = { "png-gray-alpha.png", NULL };
    static const char *const alpha[] = { "webp-alpha.webp[Q=90]", NULL };
    static const char *const bilevel[] = { "tiff-g4.tif[compression=ccittfax4,bitdepth=1]", NULL };
    static const char *const floats[] = { "tiff-float.tif[compression=deflate]", NULL };
    VipsImage *image, *made;

    if (argc != 2 || vips_init(argv[0]))
        fail("make_families FOLDER");
    folder = argv[1];
    save_all(scene(3, VIPS_INTERPRETATION_sRGB), rgb);
    save_all(scene(4, VIPS_INTERPRETATION_CMYK), inks);
    save_all(scene(2, VIPS_INTERPRETATION_B_W), gray_alpha);
    save_all(scene(4, VIPS_INTERPRETATION_sRGB), alpha);
    image = scene(3, VIPS_INTERPRETATION_sRGB);
    save_all(scaled(image, 257, VIPS_FORMAT_USHORT, VIPS_INTERPRETATION_RGB16), deep);
    save_all(scaled(image, 1 / 255.0, VIPS_FORMAT_FLOAT, VIPS_INTERPRETATION_MULTIBAND), floats);
    g_object_unref(image);
    image = scene(1, VIPS_INTERPRETATION_B_W);
    if (vips_more_const1(image, &made, 127, NULL))
        fail("bilevel");
    save_all(made, bilevel);
    save_all(image, gray);
    vips_shutdown();
    return 0;
}
