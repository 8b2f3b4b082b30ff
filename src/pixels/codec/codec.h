/* codec: what codec.c asks of the libraries that decode and encode; only for picture*.c.
 *
 * Readers give the pixels as they lie in the file, with the orientation in the header; codec.c
 * turns them upright. A reader that fails gives its plane back and leaves no profile behind. */
#pragma once

#include "pixels/picture.h"

/* `why` gets "1000 x 2000 pixels are more than N (--max-pixels) [image-large]" when so. */
bool codec_size_allowed(int width, int height, size_t max_pixels, struct text *why);

/* Is it a profile for as many colours as the picture has? Others would make files inconsistent. */
bool codec_profile_fits(const struct picture *);

/* True if a file of the format and length can hold an image of so many pixels, with its metadata.
 * False with the reason. */
bool codec_can_hold_pixels(enum picture_format, uint64_t length, size_t pixels, struct text *why);

/* header->frame is not turned yet. */
bool codec_jpeg_probe(struct slice bytes, struct picture_header *, struct text *why);
/* The picture comes all zero but for its format. `inks`: its plane is of CMYK, as the file has it,
 * for codec_vips_from_inks. */
bool codec_jpeg_read(struct slice bytes, struct pool *, size_t max_pixels,
                     const struct decode_hints *, struct picture *, int *orientation, bool *inks,
                     struct text *why);
bool codec_jpeg_write(const struct picture *, const struct picture_options *, struct text *out,
                      struct text *why);
void codec_jpeg_version(struct text *out);

/* Files that are interlaced or damaged are left to libvips; without `library` they are refused. */
bool codec_png_probe(struct slice bytes, struct picture_header *, struct text *why);
bool codec_png_read(struct slice bytes, struct pool *, size_t max_pixels, bool library,
                    struct picture *, int *orientation, struct text *why);
/* The profile of an iCCP chunk, for gray or coloured pixels. False when it is not quite right. */
bool codec_png_profile(struct slice chunk, bool gray, struct picture *);
bool codec_png_write(const struct picture *, const struct picture_options *, struct text *out,
                     struct text *why);
/* Put the sum of a whole chunk, which was changed, at its end. */
void codec_png_seal(char *chunk);
void codec_png_version(struct text *out);

bool codec_bmp_probe(struct slice bytes, struct picture_header *, struct text *why);
bool codec_bmp_read(struct slice bytes, struct pool *, size_t max_pixels, struct picture *,
                    struct text *why);
bool codec_pnm_probe(struct slice bytes, struct picture_header *, struct text *why);
/* `labels`: samples stay as they are, whatever the file says is the largest. */
bool codec_pnm_read(struct slice bytes, bool labels, struct pool *, size_t max_pixels,
                    struct picture *, struct text *why);

/* WebP, TIFF, GIF, PNG. */
bool codec_vips_probe(struct slice bytes, enum picture_format, struct picture_header *,
                      struct text *why);
bool codec_vips_read(struct slice bytes, enum picture_format, struct pool *, size_t max_pixels,
                     bool naive_inks, struct picture *, int *orientation, struct text *why);
/* The header of a TIFF of 1 to 4 plain channels, from its first directory; false for any other. */
bool codec_tiff_peek(struct slice bytes, struct picture_header *);
/* A picture whose plane is of inks becomes one of RGB, by its profile, which then is gone. When it
 * fails, the picture is still there to be dropped. */
bool codec_vips_from_inks(struct picture *, struct pool *, struct text *why);
/* The same without a profile, and of 8 or 16 bits: see cmyk.c. `inverted`: the plane holds 255 -
 * ink, as JPEGs do. */
void codec_naive_from_inks(struct picture *, struct pool *, bool inverted);
/* WebP or TIFF. */
bool codec_vips_write(const struct picture *, const struct picture_options *, struct text *out,
                      struct text *why);
bool codec_vips_load(struct text *why);
void codec_vips_version(struct text *out);
