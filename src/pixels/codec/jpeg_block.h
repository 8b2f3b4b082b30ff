/* jpeg_block: the smallest blocks of a JPEG that can be moved without decoding. */
#pragma once

#include "geom/geom.h"

#include <stdio.h>

#include <jpeglib.h>

/* The pixels that the smallest whole group of blocks covers, one of each component or more, for a
 * header that was read: the blocks of all components begin again at its multiples. Zero for what
 * codec_jpeg_read does not read. */
struct frame jpeg_block(const struct jpeg_decompress_struct *);
