/* vips_chain: a flip, a table and a resize to a quarter of the pixels, as libvips does them best:
 * one stream from file to file, on one thread. Usage: vips_chain IN OUT. */
#include <vips/vips.h>

static int chain(VipsImage *in, const char *out)
{
    VipsImage **t = (VipsImage **)vips_object_local_array(VIPS_OBJECT(in), 4);

    return vips_flip(in, &t[0], VIPS_DIRECTION_HORIZONTAL, NULL) ||
           vips_linear1(t[0], &t[1], 1.2, 0, "uchar", TRUE, NULL) ||
           vips_resize(t[1], &t[2], 0.5, "kernel", VIPS_KERNEL_LINEAR, NULL) ||
           vips_jpegsave(t[2], out, "Q", 95, "subsample_mode", VIPS_FOREIGN_SUBSAMPLE_ON, NULL);
}

int main(int argc, char **argv)
{
    VipsImage *in;
    int failed;

    if (argc != 3 || VIPS_INIT(argv[0]))
        return 2;
    vips_concurrency_set(1);
    in = vips_image_new_from_file(argv[1], "access", VIPS_ACCESS_SEQUENTIAL, NULL);
    failed = !in || chain(in, argv[2]);
    if (failed)
        g_printerr("vips_chain: %s\n", vips_error_buffer());
    g_clear_object(&in);
    return failed;
}
