/* image_name: what the suffix of a file's name says. */
#pragma once

#include "pixels/picture.h"

/* Returns the format that a name's suffix promises, or PICTURE_SAME. */
enum picture_format name_format(const char *name);
/* Returns where the suffix of an image begins, or the end of a name that has none: dots in other
 * places belong to the stem. `format` gets the format that the suffix promises, or PICTURE_SAME. */
const char *name_suffix(const char *name, enum picture_format *format);

/* Returns the length of the name without the suffix of an image. */
size_t name_stem(const char *name);
/* True if the name ends in the suffix of a readable image. */
bool name_is_image(const char *name);
