/* pnm_read: reads netpbm's PBM, PGM and PPM files, text and binary (P1 to P6).
 *
 * Source: netpbm's pages pbm(5), pgm(5) and ppm(5). Samples are shares of the file's maximum. If
 * this is not 255 or 65535, they are scaled to 8 or 16 bits; labels are not scaled. */
#include "pixels/codec/codec.h"
#include "pixels/codec/first_frame.h"

#include <string.h>

struct pnm {
    struct slice file;
    size_t at; /* offset of the next byte to read */
    int kind;  /* 1 to 6 */
    int width, height, channels;
    unsigned max; /* the maximum of a sample */
};

static bool fail(struct text *why, const char *fault)
{
    text_adds(why, fault);
    return false;
}

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Skips blanks, and comments from # to the end of the line. */
static void skip_blanks(struct pnm *p)
{
    while (p->at < p->file.length && (is_blank(p->file.at[p->at]) || p->file.at[p->at] == '#'))
        if (p->file.at[p->at++] == '#')
            while (p->at < p->file.length && p->file.at[p->at] != '\n')
                p->at++;
}

static bool read_number(struct pnm *p, unsigned max, unsigned *to)
{
    size_t from;

    skip_blanks(p);
    *to = 0;
    for (from = p->at; p->at < p->file.length && p->file.at[p->at] >= '0' &&
                       p->file.at[p->at] <= '9' && *to <= max;
         p->at++)
        *to = 10 * *to + (unsigned)(p->file.at[p->at] - '0');
    return p->at > from && *to <= max;
}

static bool begin(struct pnm *p, struct slice file, struct text *why)
{
    enum { MAX_SIDE = 1 << 24 };
    unsigned width, height;

    *p = (struct pnm){ .file = file, .at = 2, .kind = file.at[1] - '0', .max = 1 };
    if (!read_number(p, MAX_SIDE, &width) || !read_number(p, MAX_SIDE, &height) ||
        (p->kind % 3 != 1 && !read_number(p, 65535, &p->max)) || !p->max ||
        p->at >= p->file.length || !is_blank(p->file.at[p->at]))
        return fail(why, "the netpbm header is truncated");
    p->at++;
    p->width = (int)width;
    p->height = (int)height;
    p->channels = p->kind % 3 == 0 ? 3 : 1;
    return true;
}

static enum pixel_type type_of(const struct pnm *p)
{
    return p->max > 255 ? PIXEL_U16 : PIXEL_U8;
}

/* Returns the bytes of a binary row. */
static size_t row_bytes(const struct pnm *p)
{
    if (p->kind == 4)
        return ((size_t)p->width + 7) / 8;
    return (size_t)p->width * (size_t)p->channels * pixel_type_size(type_of(p));
}

static bool is_text(const struct pnm *p)
{
    return p->kind <= 3;
}

/* True if another image follows the pixels, maybe after a line end. Other bytes after the pixels
 * are ignored. */
static bool has_next(const struct pnm *p)
{
    size_t at = row_bytes(p) * (size_t)p->height;
    struct slice rest = { p->file.at + p->at, p->file.length - p->at };

    at += at < rest.length && rest.at[at] == '\n';
    return at + 1 < rest.length && rest.at[at] == 'P' && rest.at[at + 1] >= '1' &&
           rest.at[at + 1] <= '7';
}

bool codec_pnm_probe(struct slice bytes, struct picture_header *header, struct text *why)
{
    struct pnm p;

    if (!begin(&p, bytes, why))
        return false;
    header->frame = (struct frame){ p.width, p.height };
    header->channels = p.channels;
    header->type = type_of(&p);
    header->several = !is_text(&p) && has_next(&p);
    return true;
}

/* In a PBM, black is 1. */
static bool read_sample(struct pnm *p, const uint8_t *row, size_t i, unsigned *value)
{
    if (p->kind == 1) {
        skip_blanks(p);
        if (p->at >= p->file.length || (p->file.at[p->at] != '0' && p->file.at[p->at] != '1'))
            return false;
        *value = p->file.at[p->at++] == '0';
    } else if (is_text(p)) {
        return read_number(p, p->max, value);
    } else if (p->kind == 4) {
        *value = !(row[i / 8] >> (7 - i % 8) & 1);
    } else {
        *value = p->max > 255 ? (unsigned)row[2 * i] << 8 | row[2 * i + 1] : row[i];
    }
    return *value <= p->max;
}

static bool read_row(struct pnm *p, bool labels, void *to)
{
    const uint8_t *row = (const uint8_t *)p->file.at + p->at;
    unsigned full = type_of(p) == PIXEL_U16 ? 65535 : 255, value;

    for (size_t i = 0; i < (size_t)p->width * (size_t)p->channels; i++) {
        if (!read_sample(p, row, i, &value))
            return false;
        if (p->max != full && !labels)
            value = (unsigned)(((uint64_t)value * full + p->max / 2) / p->max);
        if (full == 255)
            ((uint8_t *)to)[i] = (uint8_t)value;
        else
            ((uint16_t *)to)[i] = (uint16_t)value;
    }
    if (!is_text(p))
        p->at += row_bytes(p);
    return true;
}

static bool read_rows(struct pnm *p, bool labels, const struct plane *plane, struct text *why)
{
    if (!is_text(p) && row_bytes(p) > (p->file.length - p->at) / (size_t)p->height)
        return fail(why, "the netpbm file ends before its pixels");
    for (int y = 0; y < p->height; y++)
        if (!read_row(p, labels, (char *)plane->px + (size_t)y * plane->stride))
            return fail(why, "the netpbm file ends before its pixels, or a sample is too large");
    return true;
}

bool codec_pnm_read(struct slice bytes, bool labels, struct pool *pool, size_t max_pixels,
                    struct picture *picture, struct text *why)
{
    struct pnm p;

    if (!begin(&p, bytes, why) || !codec_check_size(p.width, p.height, max_pixels, why))
        return false;
    picture->plane = pool_plane(pool, (struct frame){ p.width, p.height }, p.channels, type_of(&p));
    if (read_rows(&p, labels, &picture->plane, why))
        return true;
    pool_return(pool, &picture->plane);
    return false;
}
