/* image_name: image formats and stems by the suffix of a file name. */
#include "batch/io/image_name.h"

#include <string.h>
#include <strings.h>

static const struct {
    const char *suffix;
    enum picture_format format;
} suffixes[] = {
    { ".jpg", PICTURE_JPEG },  { ".jpeg", PICTURE_JPEG }, { ".jpe", PICTURE_JPEG },
    { ".jfif", PICTURE_JPEG }, { ".png", PICTURE_PNG },   { ".webp", PICTURE_WEBP },
    { ".tif", PICTURE_TIFF },  { ".tiff", PICTURE_TIFF }, { ".gif", PICTURE_GIF },
    { ".bmp", PICTURE_BMP },   { ".dib", PICTURE_BMP },   { ".pbm", PICTURE_PNM },
    { ".pgm", PICTURE_PNM },   { ".ppm", PICTURE_PNM },   { ".pnm", PICTURE_PNM },
};

const char *name_suffix(const char *name, enum picture_format *format)
{
    const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
    const char *dot = strrchr(base, '.');

    for (size_t i = 0; dot && dot != base && i < COUNTOF(suffixes); i++)
        if (strcasecmp(dot, suffixes[i].suffix) == 0) {
            *format = suffixes[i].format;
            return dot;
        }
    *format = PICTURE_SAME;
    return name + strlen(name);
}

enum picture_format name_format(const char *name)
{
    enum picture_format format;

    name_suffix(name, &format);
    return format;
}

size_t name_stem(const char *name)
{
    enum picture_format format;

    return (size_t)(name_suffix(name, &format) - name);
}

int name_compare_stems(const char *a, size_t n, const char *b, size_t m)
{
    int order = memcmp(a, b, n < m ? n : m);

    return order ? order : (n > m) - (n < m);
}

bool name_is_image(const char *name)
{
    return name_format(name) != PICTURE_SAME;
}
