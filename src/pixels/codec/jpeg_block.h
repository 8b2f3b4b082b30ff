/* jpeg_block: the smallest blocks of a JPEG that can be moved without decoding. */
#pragma once

#include "geom/geom.h"

#include <stdio.h>

#include <jpeglib.h>

/* Returns the size in pixels of the smallest whole group of blocks, after the header was read. A
 * group has at least one block of each component; at its multiples, the blocks of all components
 * begin together. Zero for files that codec_jpeg_read does not read. */
struct frame jpeg_block(const struct jpeg_decompress_struct *);
