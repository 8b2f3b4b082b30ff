/* image_name: image formats and stems by the suffix of a file name. */
#pragma once

#include "pixels/picture.h"

/* Returns the format for a name's suffix, or PICTURE_SAME. */
enum picture_format name_format(const char *name);
/* Returns a pointer to the image suffix of a name, or to the name's end if it has none. Dots before
 * the suffix belong to the stem. `format` gets the format for the suffix, or PICTURE_SAME. */
const char *name_suffix(const char *name, enum picture_format *format);

/* Returns the length of the name without its image suffix. */
size_t name_stem(const char *name);
/* Compares two stems of n and m bytes, as strcmp does. */
int name_compare_stems(const char *a, size_t n, const char *b, size_t m);
/* True if the name has the suffix of a readable image format. */
bool name_is_image(const char *name);
