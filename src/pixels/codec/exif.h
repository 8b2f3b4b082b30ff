/* exif: the orientation that EXIF data has. Its density is read by density.c; nothing else of EXIF
 * is ever read. */
#pragma once

#include "pixels/picture.h"

/* The orientation 1..8 in EXIF data: a TIFF header and its first directory, with "Exif\0\0" before
 * them or not (JPEG has it, PNG has not, WebP files have it or not). 1 when there is none or it is
 * nonsense. The first entry with the tag counts: a SHORT (as CIPA DC-008 says) or a LONG (as some
 * programs write it), in either byte order. No pointer but that to the first directory is followed,
 * and only the first 64 KB are looked at. */
int exif_orientation(struct slice exif);

/* Returns the turn that makes a picture of this EXIF orientation upright (TIFF 6.0 states where the
 * 0th row and column are seen): 2 is mirrored, 3 is upside down, 6 needs a quarter turn clockwise.
 */
struct turn exif_turn(int orientation);
