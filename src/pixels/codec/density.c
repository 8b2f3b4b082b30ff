/* density: the pixels per meter that an image file states. */
#include "pixels/codec/density.h"
#include "pixels/codec/jpeg_segments.h"

#include <math.h>
#include <string.h>

enum { TIFF_X = 282, TIFF_Y = 283, TIFF_UNIT = 296, UNIT_INCH = 2, UNIT_CM = 3 };

static uint32_t number_at(struct slice s, size_t at, int bytes, bool little)
{
    uint32_t v = 0;

    for (int i = 0; i < bytes; i++)
        v = v << 8 | (unsigned char)s.at[at + (size_t)(little ? bytes - 1 - i : i)];
    return v;
}

/* Returns the density in pixels per meter; 0 if x and y differ or the number is not plausible. One
 * pixel per millimeter counts as 0: libvips writes it to PNG and TIFF if it knows no density, also
 * for lockstep. */
static uint32_t same_sides(double x, double y, double per_metre)
{
    double v = nearbyint(x * per_metre);

    return x == y && v >= 1 && v <= 10000000 && v != 1000 ? (uint32_t)v : 0;
}

/* PNG 11.3.4.3: the pHYs chunk is before the pixels. */
static uint32_t of_png(struct slice s)
{
    for (size_t at = 8; at + 21 <= s.length && memcmp(s.at + at + 4, "IDAT", 4) != 0;) {
        size_t length = number_at(s, at, 4, false);

        if (memcmp(s.at + at + 4, "pHYs", 4) == 0 && length == 9)
            return s.at[at + 16] == 1 ? same_sides(number_at(s, at + 8, 4, false),
                                                   number_at(s, at + 12, 4, false), 1)
                                      : 0;
        if (length > s.length - at - 12)
            return 0;
        at += 12 + length;
    }
    return 0;
}

/* Returns a RATIONAL of TIFF 6.0; 0 if it is outside the file. */
static double rational_at(struct slice s, size_t at, bool little)
{
    uint32_t below;

    if (at > s.length || s.length - at < 8)
        return 0;
    below = number_at(s, at + 4, 4, little);
    return below ? number_at(s, at, 4, little) / (double)below : 0;
}

/* Reads the tags of the first directory (TIFF 6.0, section 8). */
static uint32_t of_tiff(struct slice s)
{
    bool little = s.length > 8 && s.at[0] == 'I';
    size_t at = s.length > 8 ? number_at(s, 4, 4, little) : 0, n;
    double x = 0, y = 0;
    uint32_t unit = UNIT_INCH;

    if (s.length <= 8 || number_at(s, 2, 2, little) != 42 || at > s.length - 2)
        return 0;
    n = number_at(s, at, 2, little);
    for (at += 2; n && at + 12 <= s.length; n--, at += 12) {
        uint32_t tag = number_at(s, at, 2, little);

        if (tag == TIFF_X)
            x = rational_at(s, number_at(s, at + 8, 4, little), little);
        else if (tag == TIFF_Y)
            y = rational_at(s, number_at(s, at + 8, 4, little), little);
        else if (tag == TIFF_UNIT)
            unit = number_at(s, at + 8, 2, little);
    }
    return unit != UNIT_INCH && unit != UNIT_CM
               ? 0
               : same_sides(x, y, unit == UNIT_INCH ? 1 / 0.0254 : 100);
}

/* Reads the first segment after the start of the image (JFIF 1.02). */
static uint32_t of_jfif(struct slice s)
{
    uint32_t unit;

    if (s.length < 20 || memcmp(s.at + 2, "\xff\xe0", 2) != 0 || memcmp(s.at + 6, "JFIF", 5) != 0)
        return 0;
    unit = (unsigned char)s.at[13];
    if (unit != 1 && unit != 2)
        return 0;
    return same_sides(number_at(s, 14, 2, false), number_at(s, 16, 2, false),
                      unit == 1 ? 1 / 0.0254 : 100);
}

/* Reads EXIF data if there is no JFIF segment, as in files of cameras. It is a TIFF without pixels,
 * with XResolution and YResolution (CIPA DC-008, 4.6.4). If a file has both, JFIF's unit counts, as
 * in written files. */
static uint32_t of_jpeg(struct slice s)
{
    uint32_t density = of_jfif(s);
    struct slice exif = density ? (struct slice){ 0 } : jpeg_exif(s);

    return exif.length > 6 ? of_tiff((struct slice){ exif.at + 6, exif.length - 6 }) : density;
}

uint32_t codec_density(struct slice bytes, enum picture_format format)
{
    switch (format) {
    case PICTURE_JPEG:
        return of_jpeg(bytes);
    case PICTURE_PNG:
        return of_png(bytes);
    case PICTURE_TIFF:
        return of_tiff(bytes);
    default:
        return 0;
    }
}

/* Returns the density in pixels per inch; 0: none. */
static unsigned per_inch(uint32_t density)
{
    double dpi = nearbyint(density * 0.0254);

    return dpi >= 1 && dpi <= 65535 ? (unsigned)dpi : 0;
}

void codec_jpeg_density(struct jpeg_compress_struct *jpeg, uint32_t density)
{
    unsigned dpi = per_inch(density);

    jpeg->density_unit = dpi ? 1 : 0;
    jpeg->X_density = jpeg->Y_density = (UINT16)(dpi ? dpi : 1);
}
