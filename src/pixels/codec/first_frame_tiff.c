/* first_frame_tiff: finds a TIFF's first page and cuts the chain of directories after it (TIFF 6.0,
 * BigTIFF). */
#include "pixels/codec/codec.h"
#include "pixels/codec/exif.h"
#include "pixels/codec/first_frame.h"

#include <stdlib.h>
#include <string.h>

#include <libdeflate.h>

enum {
    TAG_SUBFILE_TYPE = 254,
    TAG_WIDTH = 256,
    TAG_LENGTH = 257,
    TAG_BITS = 258,
    TAG_COMPRESSION = 259,
    TAG_PHOTOMETRIC = 262,
    TAG_ORIENTATION = 274,
    TAG_STRIPS = 273, /* their offsets */
    TAG_SAMPLES = 277,
    TAG_ROWS = 278, /* per strip */
    TAG_STRIP_BYTES = 279,
    TAG_TILE_WIDTH = 322,
    TAG_TILE_LENGTH = 323,
    TAG_TILES = 324,
    TAG_TILE_BYTES = 325,
    TAG_EXTRA_SAMPLES = 338,
    TAG_SAMPLE_FORMAT = 339,
    TAG_PIXEL_SCALE = 33550, /* from GeoTIFF 1.1 (OGC 19-008r4, 7.1), like the next three */
    TAG_TIE_POINT = 33922,
    TAG_TRANSFORMATION = 34264,
    TAG_GEO_KEYS = 34735,
    JPEG_OLD = 6,
    JPEG = 7,
    PHOTOMETRIC_RGB = 2, /* smaller values are gray, larger ones are palettes and other colors */
    UNSIGNED = 1,        /* sample formats */
    FLOAT = 3,
    DEFLATE = 8,
    DEFLATE_OLD = 32946,
    MAX_BITS = 32,        /* of a sample, for libvips */
    REDUCED = 1,          /* a smaller version of another page */
    MASK = 4,             /* the transparency of another page */
    MAX_DIRECTORIES = 64, /* examined to find a second page */
};

struct tiff {
    struct slice file;
    bool big_endian, big;
};

static uint64_t get(const struct tiff *t, size_t at, int bytes)
{
    uint64_t value = 0;

    for (int i = 0; i < bytes; i++)
        value = value << 8 | (uint8_t)t->file.at[at + (size_t)(t->big_endian ? i : bytes - 1 - i)];
    return value;
}

/* True if the file has this many bytes at `at`. */
static bool has_bytes(const struct tiff *t, uint64_t at, uint64_t bytes)
{
    return at <= t->file.length && bytes <= t->file.length - at;
}

struct directory {
    size_t entries, n,
        next; /* offset and number of its entries; offset of the next directory's offset */
};

static bool read_directory(const struct tiff *t, uint64_t at, struct directory *d)
{
    uint64_t count = t->big ? 8 : 2, entry = t->big ? 20 : 12, n;

    if (!at || !has_bytes(t, at, count))
        return false;
    n = get(t, (size_t)at, (int)count);
    if (n > t->file.length || !has_bytes(t, at + count, n * entry + (t->big ? 8 : 4)))
        return false;
    *d = (struct directory){ (size_t)(at + count), (size_t)n, (size_t)(at + count + n * entry) };
    return true;
}

static uint64_t next_of(const struct tiff *t, const struct directory *d)
{
    return get(t, d->next, t->big ? 8 : 4);
}

/* The values of a tag, in the file. */
struct tag {
    uint64_t count, at;
    int size; /* bytes of each value: 2, 4 or 8; 0 if the file does not contain all of them */
};

static struct tag find_tag(const struct tiff *t, const struct directory *d, unsigned number)
{
    static const int SIZES[] = { [3] = 2, [4] = 4, [16] = 8 }; /* SHORT, LONG, LONG8 */
    size_t entry = t->big ? 20 : 12;

    for (size_t i = 0; i < d->n; i++) {
        size_t at = d->entries + i * entry, type;
        struct tag tag;

        if (get(t, at, 2) != number)
            continue;
        type = get(t, at + 2, 2);
        tag = (struct tag){ get(t, at + 4, t->big ? 8 : 4), at + (t->big ? 12 : 8),
                            type < COUNTOF(SIZES) ? SIZES[type] : 0 };
        if (!tag.size || tag.count > t->file.length)
            break;
        if (tag.count * (uint64_t)tag.size > (t->big ? 8 : 4))
            tag.at = get(t, (size_t)tag.at, t->big ? 8 : 4);
        if (!has_bytes(t, tag.at, tag.count * (uint64_t)tag.size))
            break;
        return tag;
    }
    return (struct tag){ 0, 0, 0 };
}

/* True if a tag gives the image's position on Earth. */
static bool is_georeferenced(const struct tiff *t, const struct directory *d)
{
    for (size_t i = 0; i < d->n; i++)
        switch (get(t, d->entries + i * (t->big ? 20 : 12), 2)) {
        case TAG_PIXEL_SCALE:
        case TAG_TIE_POINT:
        case TAG_TRANSFORMATION:
        case TAG_GEO_KEYS:
            return true;
        }
    return false;
}

static uint64_t value_at(const struct tiff *t, const struct tag *tag, uint64_t i)
{
    return get(t, (size_t)(tag->at + i * (uint64_t)tag->size), tag->size);
}

static uint64_t value_of(const struct tiff *t, const struct directory *d, unsigned number,
                         uint64_t otherwise)
{
    struct tag tag = find_tag(t, d, number);

    return tag.size && tag.count ? value_at(t, &tag, 0) : otherwise;
}

/* True if gray or RGB is followed by one sample that the file does not call alpha. */
static bool has_unnamed_sample(const struct tiff *t, const struct directory *d)
{
    uint64_t photometric = value_of(t, d, TAG_PHOTOMETRIC, UINT16_MAX);

    return photometric <= PHOTOMETRIC_RGB &&
           value_of(t, d, TAG_SAMPLES, 1) == (photometric == PHOTOMETRIC_RGB ? 4 : 2) &&
           value_of(t, d, TAG_EXTRA_SAMPLES, 0) == 0;
}

/* True if the directory is a page of its own. */
static bool is_page(const struct tiff *t, const struct directory *d)
{
    return !(value_of(t, d, TAG_SUBFILE_TYPE, 0) & (REDUCED | MASK));
}

/* Limited, since a chain may be a circle. */
static bool has_more_pages(const struct tiff *t, uint64_t at)
{
    struct directory d;

    for (int i = 0; i < MAX_DIRECTORIES && read_directory(t, at, &d); i++) {
        if (is_page(t, &d))
            return true;
        at = next_of(t, &d);
    }
    return false;
}

static bool begin(struct tiff *t, struct slice file, struct directory *d)
{
    *t = (struct tiff){ .file = file, .big_endian = file.at[0] == 'M' };
    t->big = file.at[t->big_endian ? 3 : 2] == '+';
    return has_bytes(t, 0, t->big ? 16 : 8) &&
           read_directory(t, get(t, t->big ? 8 : 4, t->big ? 8 : 4), d);
}

bool first_tiff(struct first_frame *f, struct text *why)
{
    struct tiff t;
    struct directory d;
    uint64_t next;

    if (!begin(&t, f->bytes, &d)) {
        text_adds(why, "the TIFF directory is truncated");
        return false;
    }
    if (value_of(&t, &d, TAG_BITS, 1) > MAX_BITS) {
        text_addf(why, "samples of %u bits; floats of 32 bits can be read",
                  (unsigned)value_of(&t, &d, TAG_BITS, 1));
        return false;
    }
    f->georeferenced = is_georeferenced(&t, &d);
    f->assumes_alpha = has_unnamed_sample(&t, &d);
    next = next_of(&t, &d);
    if (!next)
        return true;
    f->several = has_more_pages(&t, next);
    text_add(&f->own, t.file.at, t.file.length);
    memset(f->own.at + d.next, 0, t.big ? 8 : 4);
    return true;
}

bool codec_tiff_peek(struct slice bytes, struct picture_header *h)
{
    struct tiff t;
    struct directory d;
    uint64_t width, length, bits, samples, format, compression, photometric;

    if (!begin(&t, bytes, &d))
        return false;
    width = value_of(&t, &d, TAG_WIDTH, 0);
    length = value_of(&t, &d, TAG_LENGTH, 0);
    bits = value_of(&t, &d, TAG_BITS, 1);
    samples = value_of(&t, &d, TAG_SAMPLES, 1);
    format = value_of(&t, &d, TAG_SAMPLE_FORMAT, UNSIGNED);
    compression = value_of(&t, &d, TAG_COMPRESSION, 1);
    photometric = value_of(&t, &d, TAG_PHOTOMETRIC, UINT16_MAX);
    if (!width || !length || width > INT32_MAX || length > INT32_MAX || !samples || samples > 4 ||
        photometric > PHOTOMETRIC_RGB || compression == JPEG || compression == JPEG_OLD ||
        !((format == UNSIGNED && (bits == 8 || bits == 16)) || (format == FLOAT && bits == 32)))
        return false;
    h->frame = (struct frame){ (int)width, (int)length };
    h->channels = (int)samples;
    h->type = format == FLOAT ? PIXEL_F32 : bits == 8 ? PIXEL_U8 : PIXEL_U16;
    h->orientation = (int)value_of(&t, &d, TAG_ORIENTATION, 1);
    if (h->orientation < 1 || h->orientation > 8)
        h->orientation = 1;
    if (exif_turn(h->orientation).swap)
        h->frame = (struct frame){ h->frame.height, h->frame.width };
    h->several = has_more_pages(&t, next_of(&t, &d));
    h->georeferenced = is_georeferenced(&t, &d);
    h->assumes_alpha = has_unnamed_sample(&t, &d);
    return true;
}

/* --- sums --- */

/* Returns the maximal uncompressed size of a strip or tile in bytes; 0 if the file does not state
 * it. */
static uint64_t piece_size(const struct tiff *t, const struct directory *d)
{
    uint64_t length = value_of(t, d, TAG_LENGTH, 0), rows = value_of(t, d, TAG_ROWS, length);
    uint64_t width = value_of(t, d, TAG_TILE_WIDTH, value_of(t, d, TAG_WIDTH, 0));
    uint64_t bits = value_of(t, d, TAG_BITS, 1) * value_of(t, d, TAG_SAMPLES, 1);

    rows = value_of(t, d, TAG_TILE_LENGTH, rows < length ? rows : length);
    return width <= INT32_MAX && rows <= INT32_MAX && bits <= 1 << 12
               ? (width * bits + 7) / 8 * rows
               : 0;
}

/* True if a deflate stream ends with a valid checksum. A stream longer than its pixels is read to
 * its end, unless it is longer than any writer would make it. */
static bool stream_is_sound(struct slice stream, uint64_t size)
{
    struct libdeflate_decompressor *inflate;
    enum libdeflate_result result = LIBDEFLATE_INSUFFICIENT_SPACE;

    libdeflate_set_memory_allocator(memory_take, free);
    inflate = libdeflate_alloc_decompressor();
    for (int i = 0; i < 3 && result == LIBDEFLATE_INSUFFICIENT_SPACE; i++, size *= 2) {
        void *out = memory_take((size_t)size);
        size_t made;

        result =
            libdeflate_zlib_decompress(inflate, stream.at, stream.length, out, (size_t)size, &made);
        free(out);
    }
    libdeflate_free_decompressor(inflate);
    return result == LIBDEFLATE_SUCCESS;
}

bool tiff_has_valid_sums(struct slice file, struct text *why)
{
    struct directory d;
    struct tiff t;
    struct tag at, bytes;
    uint64_t size, compression;
    bool tiled;

    if (!begin(&t, file, &d))
        return true;
    compression = value_of(&t, &d, TAG_COMPRESSION, 1);
    size = piece_size(&t, &d);
    tiled = find_tag(&t, &d, TAG_TILES).size > 0;
    at = find_tag(&t, &d, tiled ? TAG_TILES : TAG_STRIPS);
    bytes = find_tag(&t, &d, tiled ? TAG_TILE_BYTES : TAG_STRIP_BYTES);
    if ((compression != DEFLATE && compression != DEFLATE_OLD) || !size || !bytes.size)
        return true;
    for (uint64_t i = 0; i < at.count && i < bytes.count; i++) {
        uint64_t from = value_at(&t, &at, i), n = value_at(&t, &bytes, i);

        if (!n || !has_bytes(&t, from, n) ||
            stream_is_sound((struct slice){ file.at + from, (size_t)n }, size))
            continue; /* libtiff reports pieces outside the file */
        text_adds(why, "pixels of the TIFF file are damaged");
        return false;
    }
    return true;
}
