/* exif: the orientation in EXIF data. density.c reads the density; nothing else of EXIF is ever
 * read. */
#pragma once

#include "pixels/picture.h"

/* Returns the orientation 1..8 in EXIF data: a TIFF header and its first directory. "Exif\0\0" may
 * precede the header (JPEG has it, PNG does not, WebP files may). Returns 1 if there is no
 * orientation or it is invalid.
 *
 * The first entry with the tag counts. It may be a SHORT (as CIPA DC-008 says) or a LONG (as some
 * programs write it), in either byte order. Only the pointer to the first directory is followed,
 * and only within the first 64 KB. */
int exif_orientation(struct slice exif);

/* Returns the turn that makes an image of this EXIF orientation upright. TIFF 6.0 defines where the
 * 0th row and column are: 2 is mirrored, 3 is upside down, 6 needs a quarter turn clockwise. */
struct turn exif_turn(int orientation);
