/* first_frame: finds the first frame of a file, for any format that libvips decodes. */
#include "pixels/codec/first_frame.h"

/* False if the file is too small for its canvas. A file of 40 bytes can state a canvas of any size
 * whose background fills all but one frame. Decoders hold several copies of the canvas: libvips
 * would take gigabytes. Large canvases with any content have more bytes. Deflate, for example,
 * needs at least one byte for 1032. */
static bool is_plausible(const struct first_frame *f, struct text *why)
{
    enum { FREE = 1 << 24, MAX_PIXELS_PER_BYTE = 1 << 14 };
    size_t pixels = (size_t)f->frame.width * (size_t)f->frame.height;

    if (pixels <= FREE || pixels / MAX_PIXELS_PER_BYTE < f->bytes.length)
        return true;
    text_addf(why, "%d x %d pixels cannot be in %zu bytes", f->frame.width, f->frame.height,
              f->bytes.length);
    return false;
}

bool first_frame_find(struct slice file, enum picture_format format, struct first_frame *f,
                      struct text *why)
{
    bool good;

    *f = (struct first_frame){ .bytes = file };
    switch (format) {
    case PICTURE_PNG:
        good = first_png(f, why);
        break;
    case PICTURE_WEBP:
        good = first_webp(f, why) && (!f->sparse || is_plausible(f, why));
        break;
    case PICTURE_GIF:
        good = first_gif(f, why) && (!f->sparse || is_plausible(f, why));
        break;
    default:
        good = first_tiff(f, why);
    }
    if (good && f->own.length)
        f->bytes = (struct slice){ f->own.at, f->own.length };
    if (!good)
        first_frame_drop(f);
    return good;
}

void first_frame_drop(struct first_frame *f)
{
    text_drop(&f->own);
    *f = (struct first_frame){ .several = false };
}
