/* first_frame: the part of a file that libvips gets: its first frame and the color profile.
 *
 * libvips and the libraries that it calls read metadata of any size and kind, and all frames of a
 * file, before the first pixel. So small files could cost minutes and gigabytes. */
#pragma once

#include "pixels/picture.h"

struct first_frame {
    struct slice bytes; /* a whole file of the same format: part of `own`, or the given file */
    struct text own;    /* released by first_frame_drop */
    struct frame frame; /* of the canvas, or of its used part; 0 x 0: ask libvips */
    int orientation;    /* EXIF 1..8; 0: ask libvips */
    bool several;  /* there are more frames, or pages that are not smaller versions of the first */
    bool lossless; /* WebP only */
    bool sparse;   /* the first frame may not fill the canvas */
    bool georeferenced; /* TIFF only: has GeoTIFF tags */
    bool assumes_alpha; /* TIFF only: the last channel is not called alpha (ExtraSamples 0) */
};

/* Finds the first frame of a file of any format but JPEG. Returns false with the reason if the file
 * is not of the format or ends before its first frame does. The same holds if it is too small for
 * its canvas: a decompression bomb. Nothing need be released then. */
bool first_frame_find(struct slice file, enum picture_format, struct first_frame *,
                      struct text *why);
void first_frame_drop(struct first_frame *);

/* True if the strips or tiles of a deflate-compressed TIFF match the checksums at their ends.
 * libtiff stops reading before them. */
bool tiff_has_valid_sums(struct slice file, struct text *why);

/* The implementations for each format, for first_frame.c. `f` must be all zero except for `bytes`,
 * the whole file. */
bool first_png(struct first_frame *f, struct text *why);
bool first_webp(struct first_frame *f, struct text *why);
bool first_gif(struct first_frame *f, struct text *why);
bool first_tiff(struct first_frame *f, struct text *why);
