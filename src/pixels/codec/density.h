/* density: how many pixels per meter an image file states. */
#pragma once

#include "pixels/picture.h"

#include <stdio.h>

#include <jpeglib.h>

/* Returns the density of a file's pictures (picture.h); 0 if the file states none. */
uint32_t codec_density(struct slice bytes, enum picture_format);
/* Writes a density in pixels per meter to a JPEG's header; 0 writes none. */
void codec_jpeg_density(struct jpeg_compress_struct *, uint32_t density);
