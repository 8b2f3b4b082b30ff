/* first_frame: what of a file libvips is given: its first frame and the colour profile.
 *
 * libvips and what it calls read metadata of any size and kind, and all frames of a file, before
 * the first pixel. So small files could cost minutes and gigabytes. */
#pragma once

#include "pixels/picture.h"

struct first_frame {
    struct slice bytes; /* a whole file of the same format; in `own`, or the given one */
    struct text own;    /* given back by first_frame_drop */
    struct frame frame; /* of the canvas, or what is used of it; 0 x 0: libvips knows */
    int orientation;    /* EXIF 1..8; 0: libvips knows */
    bool several;       /* there are more frames, or pages that are no smaller versions of it */
    bool lossless;      /* of WebP */
    bool sparse;        /* the first frame need not fill the canvas */
    bool georeferenced; /* of TIFF: it has a tag of GeoTIFF */
    bool assumes_alpha; /* of TIFF: the last channel is not called alpha (ExtraSamples 0) */
};

/* Any format but JPEG. False with the reason when the file is no such file, ends before its first
 * frame does, or is so small for its canvas that it could only be a trap; nothing is left then. */
bool first_frame_find(struct slice file, enum picture_format, struct first_frame *,
                      struct text *why);
void first_frame_drop(struct first_frame *);

/* Do the strips or tiles of a TIFF that deflate has compressed have the sums that they end in?
 * libtiff stops before them. */
bool tiff_sums_hold(struct slice file, struct text *why);

/* Of one format; `f` comes all zero but for `bytes`, the whole file. For first_frame.c. */
bool first_png(struct first_frame *f, struct text *why);
bool first_webp(struct first_frame *f, struct text *why);
bool first_gif(struct first_frame *f, struct text *why);
bool first_tiff(struct first_frame *f, struct text *why);
