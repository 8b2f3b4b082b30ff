/* jpeg_segments: EXIF data and the color profile in a JPEG's markers before its first scan.
 *
 * libjpeg can save markers, but it walks its list of them for each: files with 100 000 empty ones
 * take minutes. Here the segments are skipped in the file's bytes. */
#pragma once

#include "base/base.h"

/* Returns the EXIF data of the first APP1 segment that has some, including "Exif\0\0"; empty if
 * there is none. It is a part of `jpeg`. */
struct slice jpeg_exif(struct slice jpeg);

/* Returns the ICC profile, joined from its APP2 segments (ICC.1 annex B.4), malloc'd. NULL if there
 * is none or parts are missing. It has at most 255 segments, 16 MB. */
uint8_t *jpeg_profile(struct slice jpeg, size_t *length);
