/* image_name: what the suffix of a file's name says. */
#pragma once

#include "pixels/picture.h"

/* The format that a name's suffix promises; PICTURE_SAME when it promises none. */
enum picture_format name_format(const char *name);
/* Returns where the suffix of an image begins, or the end of a name that has none: dots in other
 * places belong to the stem. `format` gets the format that the suffix promises, or PICTURE_SAME. */
const char *name_suffix(const char *name, enum picture_format *format);

/* The length of the name without the suffix of an image that it ends in, if any. */
size_t name_stem(const char *name);
/* Does the name end in a suffix of a readable image? */
bool name_is_image(const char *name);
