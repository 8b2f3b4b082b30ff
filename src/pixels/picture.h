/* picture: decodes image files in memory to planes, and encodes planes.
 *
 * Only this part uses libjpeg-turbo (JPEG), libdeflate (PNG) and libvips (WebP, TIFF, GIF, PNG).
 * The loader is chosen by the file's bytes, never by its name, from a list of allowed formats:
 * JPEG, PNG, WebP, TIFF, GIF (first frame), BMP and netpbm.
 *
 * libvips is loaded and started on first use, in the calling process, with one thread and no
 * operation cache. So call these functions only in workers. If libvips is not installed, only the
 * formats that need it fail.
 *
 * Functions that return bool return false on errors and then append the reason to `why`: one line
 * without the file's name. */
#pragma once

#include "base/text.h"
#include "pixels/plane.h"

enum picture_format {
    PICTURE_SAME, /* as the source; only for writing options, never in a struct picture */
    PICTURE_JPEG,
    PICTURE_PNG,
    PICTURE_WEBP,
    PICTURE_TIFF,
    PICTURE_GIF, /* this and the next ones are read only; their images are written as PNG */
    PICTURE_BMP,
    PICTURE_PNM, /* netpbm's PBM, PGM and PPM */
};

/* The resolution of a JPEG's chroma. */
enum subsampling {
    SUBSAMPLING_420,
    SUBSAMPLING_422,
    SUBSAMPLING_444,
    SUBSAMPLING_SAME, /* as the source; only for writing options */
};

struct picture_header {
    enum picture_format format;
    struct frame frame; /* as displayed: after the orientation is applied */
    int channels;
    enum pixel_type type;
    int orientation;              /* EXIF 1..8; 1 if there is none */
    bool palette;                 /* indexed colors (read as RGB); always false for TIFF */
    bool several;                 /* the file has more frames or pages than the first one */
    bool lossless;                /* WebP only */
    bool inks;                    /* CMYK (read as RGB) */
    bool georeferenced;           /* TIFF only: has GeoTIFF tags, which are not written */
    bool assumes_alpha;           /* TIFF only: the last channel, read as alpha, is not called so */
    enum subsampling subsampling; /* JPEG only: the lowest of the three that keeps all chroma */
    /* JPEG only: the size of a group of blocks, in pixels of the unrotated file (8 x 8 for gray, 16
     * x 16 for 4:2:0). 0 x 0 if picture_write_excerpt cannot use the file. */
    struct frame block;
};

/* Hints for decoding. All but the first four may be ignored; they are followed
 * for a JPEG whose EXIF orientation is upright. All zero means the whole image, interleaved, at
 * full size, upright. */
struct decode_hints {
    bool stored;       /* ignore the EXIF orientation */
    bool labels;       /* samples are numbers: netpbm samples are not scaled to the full range */
    bool naive_inks;   /* always convert CMYK to RGB by arithmetic; otherwise by a profile */
    bool no_library;   /* refuse a PNG that needs libvips, which must not start before a fork */
    bool planar;       /* keep a JPEG's Y, Cb and Cr planes, each at its own size */
    int shrink;        /* 0 or 1: full size; 2, 4, 8: decode at 1/2, 1/4, 1/8 size */
    int left, top;     /* read only these pixels (of the full-size, upright image) */
    int width, height; /* width 0: all pixels */
};

/* The colors of a PNG's palette. */
struct palette {
    int n, n_alpha; /* number of entries of each; entries without alpha are opaque */
    uint8_t rgb[3 * 256], alpha[256];
};

/* A source of rows that are made only when they are encoded, so that they are still in the
 * cache. */
struct picture_rows {
    /* Returns the rows [y, y + n), n <= PICTURE_ROWS, valid until the next call. Calls go down the
     * image and leave no row out. */
    struct plane (*make)(void *context, int y, int n);
    void *context;
};
enum { PICTURE_ROWS = 16 };

/* A decoded image. Pixel (x, y) of the whole image is at ((x - left) / shrink, (y - top) / shrink)
 * in the plane. In the chroma planes it is at (chroma_x, chroma_y) times that. Coordinates are
 * continuous: pixel 0 extends from 0 to 1. */
struct picture {
    struct plane plane;        /* from the pool; 1 to 4 channels, 8 or 16 bits; Y if planar */
    struct plane chroma[2];    /* Cb and Cr, one channel each; px is NULL unless planar */
    double chroma_x, chroma_y; /* chroma pixels per luma pixel: 0.5, 0.5 for 4:2:0; otherwise 1 */
    int shrink;                /* the shrink that was used: 1, 2, 4 or 8 */
    int left, top;
    struct frame full; /* size of the whole upright image */
    enum picture_format format;
    uint8_t *icc; /* color profile or NULL; malloc'd */
    size_t icc_length;
    uint32_t density;                /* pixels per meter; 0: not known, or different in x and y */
    const struct picture_rows *rows; /* only for writing: makes the rows; plane.px is NULL */
    struct palette *palette;         /* of a label plane of one 8-bit channel, or NULL; malloc'd */
};

/* Sets the format found by the first bytes. False if it is not an allowed format. */
bool picture_sniff(struct slice bytes, enum picture_format *);
/* True if a file of this length that begins with `head` (16 bytes are enough) can be an image of at
 * most `max_pixels`. A file that cannot be one need not be read. */
bool picture_may_be(struct slice head, uint64_t length, size_t max_pixels, struct text *why);
/* True if the file is long enough for the number of pixels that its header states. The length of a
 * file with several frames is not checked. False with the reason also if there is no header. */
bool picture_fits_file(struct slice file, struct text *why);
/* Bytes that a file may have in addition to its pixels. A JPEG's header must end within as many
 * bytes. */
enum { PICTURE_METADATA = 64 << 20 };
/* Return the format's name ("jpeg", ...) and its usual file name suffix with the dot. Formats that
 * are only read have PNG's suffix, since their images are written as PNG. */
const char *picture_format_name(enum picture_format);
const char *picture_format_suffix(enum picture_format);

/* Returns the maximal width and height, in pixels, of a file of the format. */
int picture_format_max_side(enum picture_format);

/* Reads the header only. Cheap for JPEG; for most other formats it loads and starts libvips. */
bool picture_probe(struct slice bytes, struct picture_header *, struct text *why);

/* Reads the header from a few bytes of a mapped file, without checksums and pixels, so that damage
 * is not noticed. Uses a decoder only for unusual files. */
bool picture_peek(struct slice bytes, struct picture_header *, struct text *why);

/* Reads the header from the first bytes of a JPEG or PNG. False if it takes more bytes to know the
 * header, or its error. */
bool picture_peek_beginning(struct slice beginning, struct picture_header *);

/* Returns the header of the same image without its EXIF orientation. */
struct picture_header picture_header_stored(const struct picture_header *);

/* Decodes an image. The EXIF orientation is applied unless `stored` is set. CMYK is converted to
 * RGB through libvips. Truncated and corrupt data is an error and is never filled in: any decoder
 * warning fails, except warnings about the header alone. Of several frames the first is read.
 * Images of more than `max_pixels` (width x height) are refused after the header. The caller
 * releases the picture with picture_drop, also the pool's plane in it.
 *
 * Without hints (NULL) the whole image is read. Hints are followed independently of each other:
 *
 * planar: for YCbCr whose luma has the largest sampling factors, and for gray, which still has one
 * channel and no chroma.
 *
 * shrink: always; sides are rounded up. The chroma of a shrunken planar picture may be larger than
 * the file's subsampling says; use chroma_x and chroma_y.
 *
 * part, not shrunken: the plane holds exactly the pixels of a full decode, and a few more around
 * them that may differ. Damage is found anywhere in the file. The whole image is decoded if a part
 * saves little.
 *
 * part, planar: the planes extend from the first row to at least one chroma row below the part (or
 * to the end). After that, only the end of the file is checked. */
bool picture_read(struct slice bytes, struct pool *, size_t max_pixels, const struct decode_hints *,
                  struct picture *, struct text *why);
/* Decodes a label mask in the same way. A PNG with a palette gives the indices, and `palette`. */
bool picture_read_labels(struct slice bytes, struct pool *, size_t max_pixels,
                         const struct decode_hints *, struct picture *, struct text *why);
void picture_drop(struct picture *, struct pool *);

struct picture_options {
    enum picture_format format;   /* JPEG, PNG, WEBP or TIFF */
    int quality;                  /* 1..100, JPEG and lossy WebP */
    enum subsampling subsampling; /* for a JPEG from one interleaved plane */
    int compression;              /* 1 (fastest) .. 12 (smallest), for PNG; 0 means 1 */
    bool lossless; /* for WebP; colors of fully transparent pixels may still change */
};

/* True if the library that writes this format is available. False with the reason. */
bool picture_library(enum picture_format, struct text *why);

/* Encodes the picture and appends the file to `out`. JPEG: accurate DCT, Huffman optimization off,
 * no alpha (an error). JPEG and WebP have 8 bits only. PNG and TIFF (deflate with predictor) keep
 * everything; only TIFF can hold floats. A PNG keeps its palette, extended with black for larger
 * indices. The color profile and the density are kept (no density in WebP); all other metadata is
 * dropped. The same input gives the same bytes with the same versions of the libraries.
 *
 * Pictures with `rows` can only become JPEGs.
 *
 * Planar pictures can only become JPEGs, with the subsampling of their planes. chroma_x and
 * chroma_y must be 1 or 0.5. The sides of the chroma planes are the luma's times that, rounded up.
 * All planes have 8 bits and the pool's strides, since bytes after the last pixel of a row are
 * overwritten. */
bool picture_write(const struct picture *, const struct picture_options *, struct text *out,
                   struct text *why);

/* An orientation, one of eight. Pixel (x, y) of the result is pixel (x, y) of the source, or (y,
 * x) with `swap`. Then columns_back and rows_back count the source's columns and rows from the far
 * side. */
struct turn {
    bool swap, columns_back, rows_back;
};

/* A rectangle of an image, then turned. */
struct excerpt {
    int x, y, width, height; /* before the turn; inside the image */
    struct turn turn;
};

/* True if an excerpt of the upright image can be made from the DCT coefficients of its JPEG. Its
 * first column and row must begin a group of blocks. Its far sides need not: the rest of the last
 * group is outside the edge again. */
bool picture_can_write_excerpt(const struct picture_header *, const struct excerpt *);
/* Appends such an excerpt as a JPEG to `out`. `source` is the JPEG whose header is given. No pixel
 * is decoded; the coefficients and the quantization of each sample stay the same, and so do quality
 * and subsampling. Without `metadata` the profile and the density are dropped; everything else is
 * as in picture_write. False if data is missing or corrupt, as in picture_read, and for the few
 * files that can be decoded but not copied in this way. */
bool picture_write_excerpt(struct slice source, const struct picture_header *,
                           const struct excerpt *, bool metadata, struct text *out,
                           struct text *why);

/* Draws an SVG of the plane's size over an 8-bit RGB plane, in place (for contact sheets). Only for
 * SVG text that lockstep wrote itself. */
bool picture_overlay(struct plane *rgb, const char *svg, size_t length, struct text *why);
/* True if text of this font family (a list, as in CSS) is drawn as letters. False with the reason
 * if no font is installed or readable. Then picture_overlay draws boxes in place of letters,
 * without an error. */
bool picture_can_write_text(const char *family, struct text *why);

/* Appends the versions of the libraries, one "name version" per line. libvips is not loaded for
 * this: the version of its file is used (42.16.1 for libvips 8.14.1), or "missing". */
void picture_versions(struct text *out);
