/* jpeg_segments: what a JPEG's markers before its first scan hold: EXIF and the colour profile.
 *
 * libjpeg could save markers, but it walks its list of them for each: files with 100 000 empty ones
 * take minutes. Here they are passed over where they lie. */
#pragma once

#include "base/base.h"

/* The EXIF data of the first APP1 segment that has some, "Exif\0\0" included; empty if there is
 * none. A part of `jpeg`. */
struct slice jpeg_exif(struct slice jpeg);

/* The ICC profile, put together from its APP2 segments as ICC.1 annex B.4 has it: malloc'd, or NULL
 * when there is none or parts of it are missing. Of at most 255 segments: 16 MB. */
uint8_t *jpeg_profile(struct slice jpeg, size_t *length);
