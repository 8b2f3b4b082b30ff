/* picture: image files in memory to planes and back.
 *
 * The only door to libjpeg-turbo (JPEG), libdeflate (PNG) and libvips (WebP, TIFF, GIF, PNG).
 * The loader is chosen by the bytes, never by a name, from an allow-list: JPEG, PNG, WebP, TIFF,
 * GIF (first frame), BMP, netpbm. libvips is loaded and started on first use, in the calling
 * process, with one thread and no operation cache: call these only in workers. Where it is not
 * installed, only what needs it fails. Messages go to `why` as one line without the file's name. */
#pragma once

#include "base/text.h"
#include "pixels/plane.h"

enum picture_format {
    PICTURE_SAME, /* as the source; only for writing options, never in a struct picture */
    PICTURE_JPEG,
    PICTURE_PNG,
    PICTURE_WEBP,
    PICTURE_TIFF,
    PICTURE_GIF, /* this and those behind it: read only; written as PNG */
    PICTURE_BMP,
    PICTURE_PNM, /* netpbm's PBM, PGM and PPM */
};

/* How much of a JPEG's colours is kept. */
enum subsampling {
    SUBSAMPLING_420,
    SUBSAMPLING_422,
    SUBSAMPLING_444,
    SUBSAMPLING_SAME, /* as the source; only for writing options */
};

struct picture_header {
    enum picture_format format;
    struct frame frame; /* as displayed: after the orientation */
    int channels;
    enum pixel_type type;
    int orientation;              /* EXIF 1..8; 1 when there is none */
    bool palette;                 /* indexed colours (read as RGB); not known of TIFF */
    bool several;                 /* there are frames or pages besides the first one */
    bool lossless;                /* of a WebP */
    bool inks;                    /* CMYK, which is read as RGB */
    bool georeferenced;           /* a TIFF with the tags of GeoTIFF, which are not written */
    bool assumes_alpha;           /* of a TIFF: the last channel, read as alpha, is not called so */
    enum subsampling subsampling; /* of a JPEG: the one of the three that keeps all its colours */
    /* A JPEG's groups of blocks, in pixels as they lie in the file (8 x 8 for gray, 16 x 16 for
     * 4:2:0); zero when there are none that picture_write_excerpt could use. */
    struct frame block;
};

/* How a picture is wanted: hints, never duties (but for `stored` and `no_library`), followed where a JPEG lies
 * upright in its file. All zero is all of it, interleaved, full size, upright. */
struct decode_hints {
    bool stored;       /* as it lies in the file, whatever its EXIF orientation */
    bool labels;       /* numbers, not colours: netpbm samples are not spread to the full range */
    bool naive_inks;   /* CMYK becomes RGB by arithmetic, always; else by a profile */
    bool no_library;   /* refuse a PNG that needs libvips, which must not start before a fork */
    bool planar;       /* a JPEG's Y, Cb, Cr as they lie in the file, each of its own size */
    int shrink;        /* 0 or 1: full size; 2, 4, 8: decoded at this fraction */
    int left, top;     /* only these pixels will be read (full-size, of the upright image); */
    int width, height; /* width 0: all */
};

/* Colours of indices, as a PNG has them. */
struct palette {
    int n, n_alpha; /* entries of each; those without alpha are opaque */
    uint8_t rgb[3 * 256], alpha[256];
};

/* Who makes a picture's rows when it is written, so that they are still in cache then. */
struct picture_rows {
    /* The rows [y, y + n), n at most PICTURE_ROWS, until the next call. Calls go down the picture
     * and leave no row out. */
    struct plane (*make)(void *context, int y, int n);
    void *context;
};
enum { PICTURE_ROWS = 16 };

/* Pixel (x, y) of the whole image lies at ((x - left) / shrink, (y - top) / shrink) of the plane,
 * and there times (chroma_x, chroma_y) of the chroma planes, in continuous coordinates: pixel 0
 * reaches from 0 to 1. */
struct picture {
    struct plane plane;        /* from the pool; 1 to 4 channels, 8 or 16 bit; planar: Y */
    struct plane chroma[2];    /* Cb and Cr, one channel each; px NULL unless planar */
    double chroma_x, chroma_y; /* chroma pixels per luma pixel: 0.5, 0.5 for 4:2:0; else 1 */
    int shrink;                /* 1, 2, 4 or 8: what was granted */
    int left, top;
    struct frame full; /* the whole upright image */
    enum picture_format format;
    uint8_t *icc; /* colour profile or NULL; malloc'd */
    size_t icc_length;
    uint32_t density; /* pixels a metre, along and down; 0: not known, or they differ */
    const struct picture_rows *rows; /* then the plane has no pixels (px NULL); only for writing */
    struct palette *palette;         /* of labels in one channel of 8 bits, or NULL; malloc'd */
};

/* By the first bytes; false when it is none of the allowed formats. */
bool picture_sniff(struct slice bytes, enum picture_format *);
/* Could a file that begins so (16 bytes are enough) and has this length be an image of at most
 * `max_pixels`? What could not be is not worth reading. */
bool picture_may_be(struct slice head, uint64_t length, size_t max_pixels, struct text *why);
/* The same of a file's own number of pixels, by its header; of several frames the length may be
 * any. False with the reason, also when there is no header. */
bool picture_fits_file(struct slice file, struct text *why);
/* Bytes that a file may have beside its pixels; a JPEG's header lies in as many. */
enum { PICTURE_METADATA = 64 << 20 };
/* "jpeg", ...; the usual file name suffix with its dot; those that are only read have PNG's suffix,
 * for writing.
 */
const char *picture_format_name(enum picture_format);
const char *picture_format_suffix(enum picture_format);

/* Pixels that a side has at most in a file of the format. */
int picture_format_most(enum picture_format);

/* Read no further than the header. Cheap for JPEG; loads and starts libvips for the rest. */
bool picture_probe(struct slice bytes, struct picture_header *, struct text *why);

/* The same from a few bytes of a mapped file, by a decoder only where the file is out of the
 * common: sums and pixels are not looked at, so that damage passes. */
bool picture_peek(struct slice bytes, struct picture_header *, struct text *why);

/* The same from the first bytes of a file, a JPEG or PNG. False when more of it must be seen, to
 * know its header or what is wrong with it. */
bool picture_peek_beginning(struct slice beginning, struct picture_header *);

/* The header of the same picture as it lies in the file, its EXIF orientation ignored. */
struct picture_header picture_header_stored(const struct picture_header *);

/* Decode; the EXIF orientation is applied, but for hints that are `stored`. CMYK becomes RGB
 * through libvips. Truncated or corrupt data is refused, not filled in: any decoder warning but
 * those that were given for the header alone fails. Of several frames the first is read. Images of
 * more than `max_pixels` (width x height) are refused from the header.
 *
 * Without hints (NULL) all is read. Hints are followed independently of each other:
 * planar: of YCbCr whose luma has the largest sampling factors, and of gray, which then looks as
 * ever: one channel, no chroma.
 * shrink: always; the planes' sides are rounded up. Chroma of a shrunken planar picture may be
 * larger than the file's sampling says: chroma_x and chroma_y tell.
 * pixels, not shrunken: the plane holds them as the whole would, to the bit, and a few more around
 * them that may differ, and damage anywhere is found as ever; the whole where a part saves little.
 * pixels, planar: the planes reach from the first row to at least one chroma row below the pixels
 * (or to the end); below that, only that the file ends as it should is seen to. */
bool picture_read(struct slice bytes, struct pool *, size_t max_pixels, const struct decode_hints *,
                  struct picture *, struct text *why);
/* The same of a label mask: a PNG with a palette gives the indices. */
bool picture_read_labels(struct slice bytes, struct pool *, size_t max_pixels,
                         const struct decode_hints *, struct picture *, struct text *why);
void picture_drop(struct picture *, struct pool *);

struct picture_options {
    enum picture_format format;   /* JPEG, PNG, WEBP or TIFF */
    int quality;                  /* 1..100, JPEG and lossy WebP */
    enum subsampling subsampling; /* JPEG from one plane */
    int compression;              /* 1 (fastest) .. 12 (smallest), PNG; what is not set is 1 */
    bool lossless;                /* WebP; but for colours under full transparency */
};

/* Is the library there that writes this format? False with the reason. */
bool picture_library(enum picture_format, struct text *why);

/* Encode into `out` (appended). JPEG: accurate DCT, optimised Huffman off, no alpha (refused).
 * Neither JPEG nor WebP takes 16 bit. PNG, TIFF (deflate, predictor) keep everything; only TIFF can
 * hold floats. PNG keeps a palette, which becomes longer by black where there are larger indices.
 * The colour profile and the density are kept (WebP has none), all other metadata dropped. Equal
 * input gives equal bytes, by the same versions of the libraries.
 *
 * Pictures whose rows are yet to be made become JPEGs only.
 *
 * Planar pictures become JPEGs only, sampled as their planes are: chroma_x and chroma_y are 1 or
 * 0.5, the chroma planes' sides are the luma's times that, rounded up, and all are of 8 bits with
 * the pool's strides, for what follows a row's last pixel is written to. */
bool picture_write(const struct picture *, const struct picture_options *, struct text *out,
                   struct text *why);

/* One of the eight ways to turn a picture: pixel (x, y) of the result is pixel (x, y), with `swap`
 * (y, x), of the source, whose columns and rows are counted from the far side where it says so. */
struct turn {
    bool swap, columns_back, rows_back;
};

/* A window in a picture, turned. */
struct excerpt {
    int x, y, width, height; /* before it is turned; inside of the picture */
    struct turn turn;
};

/* Can an excerpt of the upright picture be made of the DCT coefficients of its JPEG? Its first
 * column and row must be where a group of blocks begins; its far sides need not: what is there in
 * the last group ends up beyond the edge again. */
bool picture_excerpt_fits(const struct picture_header *, const struct excerpt *);
/* Write an excerpt that fits as a JPEG (appended), from a JPEG whose header that is: no pixel is
 * decoded, and each sample's coefficients and quantisation stay as they are. Without `metadata`
 * there is no profile and no density. Quality and sampling are the source's; all else is as
 * picture_write has it. False when data is missing or wrong, as in picture_read, and for the rare
 * files that can be read but not written so. */
bool picture_write_excerpt(struct slice source, const struct picture_header *,
                           const struct excerpt *, bool metadata, struct text *out,
                           struct text *why);

/* Render an SVG of the given frame over an 8-bit RGB plane, in place (for contact sheets). Only for
 * SVG text that lockstep wrote itself. */
bool picture_overlay(struct plane *rgb, const char *svg, size_t length, struct text *why);
/* True if text of this font family (a list, as in CSS) is drawn as letters. False with the reason
 * if no font is installed or readable. Then picture_overlay draws boxes in place of letters,
 * without an error. */
bool picture_can_write_text(const char *family, struct text *why);

/* Versions of the libraries, one "name version" a line. That of libvips is its file's, as 42.16.1
 * of libvips 8.14.1, or "missing": libvips is not loaded for it. */
void picture_versions(struct text *out);
