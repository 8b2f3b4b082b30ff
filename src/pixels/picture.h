/* picture: image files in memory to planes and back.
 *
 * The only door to libjpeg-turbo (JPEG), libvips (everything else) and libexif. The loader is
 * chosen by the bytes, never by a name, from an allow-list: JPEG, PNG, WebP, TIFF, GIF (first
 * frame). libvips is loaded and started on first use, in the calling process, with one thread and
 * no operation cache: call these only in workers. Where it is not installed, only what needs it
 * fails. Messages go to `why` as one line without the file's name. */
#pragma once

#include "../base/text.h"
#include "plane.h"

enum picture_format {
    PICTURE_SAME, /* as the source; only for writing options, never in a struct picture */
    PICTURE_JPEG,
    PICTURE_PNG,
    PICTURE_WEBP,
    PICTURE_TIFF,
    PICTURE_GIF, /* read only; written as PNG */
};

struct picture_header {
    enum picture_format format;
    struct frame frame; /* as displayed: after the orientation */
    int bands;
    enum pixel_type type;
    int orientation; /* EXIF 1..8; 1 when there is none */
    bool palette;    /* indexed colours (read as RGB); not known of TIFF */
};

struct picture {
    struct plane plane; /* from the pool; 1 to 4 bands, 8 or 16 bit; upright */
    enum picture_format format;
    uint8_t *icc; /* colour profile or NULL; malloc'd */
    size_t icc_length;
};

/* By the first bytes; false when it is none of the allowed formats. */
bool picture_sniff(struct slice bytes, enum picture_format *);
/* "jpeg", ...; the usual file name suffix with its dot; both for GIF give PNG's suffix for writing.
 */
const char *picture_format_name(enum picture_format);
const char *picture_format_suffix(enum picture_format);

/* Read no further than the header. Cheap for JPEG; loads and starts libvips for the rest. */
bool picture_probe(struct slice bytes, struct picture_header *, struct text *why);

/* Decode; the EXIF orientation is applied. CMYK becomes RGB through libvips. Truncated or corrupt
 * data is refused, not filled in: any decoder warning that means lost data fails. Images of more
 * than `max_pixels` (width x height) are refused from the header. */
bool picture_read(struct slice bytes, struct pool *, size_t max_pixels, struct picture *,
                  struct text *why);
void picture_drop(struct picture *, struct pool *);

enum subsampling { SUBSAMPLING_420, SUBSAMPLING_422, SUBSAMPLING_444 };

struct picture_options {
    enum picture_format format; /* JPEG, PNG, WEBP or TIFF */
    int quality;                /* 1..100, JPEG and WebP */
    enum subsampling subsampling;
};

/* Encode into `out` (appended). JPEG: accurate DCT, optimised Huffman off, no alpha (refused), 16
 * bit reduced to 8. WebP: 8 bit. PNG, TIFF (deflate, predictor) keep everything. The colour profile
 * is kept, all other metadata dropped. Equal input gives equal bytes. */
bool picture_write(const struct picture *, const struct picture_options *, struct text *out,
                   struct text *why);

/* Render an SVG of the given frame over an 8-bit RGB plane, in place (for contact sheets). Only for
 * SVG text that lockstep wrote itself. */
bool picture_overlay(struct plane *rgb, const char *svg, size_t length, struct text *why);

/* Versions of the libraries, one "name version" a line (libexif does not tell its own; libvips may
 * be "missing"). libvips is loaded for its answer, but not started. */
void picture_versions(struct text *out);
