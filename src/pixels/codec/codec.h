/* codec: the readers and writers of single formats; only for pixels/codec/.
 *
 * Readers return the stored pixels and put the orientation into the header; codec.c then turns the
 * pixels. A reader that fails returns its plane to the pool and leaves no profile in the picture.
 */
#pragma once

#include "pixels/picture.h"

/* True if width x height is at most `max_pixels`. Otherwise appends "1000 x 2000 pixels are more
 * than N (--max-pixels) [image-large]" to `why`. */
bool codec_check_size(int width, int height, size_t max_pixels, struct text *why);

/* True if the picture's ICC profile is for as many colors as the picture has. Any other profile
 * would make written files inconsistent. */
bool codec_has_matching_profile(const struct picture *);

/* True if a file of the format and length can hold an image of so many pixels, with its metadata.
 * False with the reason. */
bool codec_can_hold_pixels(enum picture_format, uint64_t length, size_t pixels, struct text *why);

/* Reads the header of a JPEG. header->frame is not turned yet. */
bool codec_jpeg_probe(struct slice bytes, struct picture_header *, struct text *why);
/* Reads a JPEG. The picture must be all zero except for its format. `inks` is set if its plane has
 * CMYK as in the file, for codec_vips_from_inks. */
bool codec_jpeg_read(struct slice bytes, struct pool *, size_t max_pixels,
                     const struct decode_hints *, struct picture *, int *orientation, bool *inks,
                     struct text *why);
bool codec_jpeg_write(const struct picture *, const struct picture_options *, struct text *out,
                      struct text *why);
void codec_jpeg_version(struct text *out);

/* Read a PNG's header and pixels. libvips reads anything unusual (damage, interlacing); without
 * `library`, the reader refuses it. */
bool codec_png_probe(struct slice bytes, struct picture_header *, struct text *why);
bool codec_png_read(struct slice bytes, struct pool *, size_t max_pixels, bool library,
                    struct picture *, int *orientation, struct text *why);
/* Reads the profile of an iCCP chunk, for gray or color pixels. False if anything in the chunk is
 * unusual. */
bool codec_png_profile(struct slice chunk, bool gray, struct picture *);
bool codec_png_write(const struct picture *, const struct picture_options *, struct text *out,
                     struct text *why);
/* Writes the checksum at the end of a whole chunk whose content has changed. */
void codec_png_seal(char *chunk);
void codec_png_version(struct text *out);

bool codec_bmp_probe(struct slice bytes, struct picture_header *, struct text *why);
bool codec_bmp_read(struct slice bytes, struct pool *, size_t max_pixels, struct picture *,
                    struct text *why);
bool codec_pnm_probe(struct slice bytes, struct picture_header *, struct text *why);
/* Reads a netpbm file. With `labels`, samples are not scaled by the file's maximum. */
bool codec_pnm_read(struct slice bytes, bool labels, struct pool *, size_t max_pixels,
                    struct picture *, struct text *why);

/* The same for WebP, TIFF, GIF and PNG, by libvips. */
bool codec_vips_probe(struct slice bytes, enum picture_format, struct picture_header *,
                      struct text *why);
bool codec_vips_read(struct slice bytes, enum picture_format, struct pool *, size_t max_pixels,
                     bool naive_inks, struct picture *, int *orientation, struct text *why);
/* Reads the header of a TIFF of 1 to 4 plain channels from its first directory. False for any other
 * TIFF. */
bool codec_tiff_peek(struct slice bytes, struct picture_header *);
/* Converts a CMYK picture to RGB by its profile, which is then removed. On failure the picture
 * remains for the caller to drop. */
bool codec_vips_from_inks(struct picture *, struct pool *, struct text *why);
/* The same by arithmetic, without a profile; 8 or 16 bits (see cmyk.c). `inverted`: the plane holds
 * 255 - ink, as in JPEGs. */
void codec_naive_from_inks(struct picture *, struct pool *, bool inverted);
/* Appends the picture as a WebP or TIFF to `out`. */
bool codec_vips_write(const struct picture *, const struct picture_options *, struct text *out,
                      struct text *why);
bool codec_vips_load(struct text *why);
void codec_vips_version(struct text *out);
