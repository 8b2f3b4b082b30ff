/* picture_jpeg: JPEG by libjpeg-turbo, with the orientation that libexif finds. */
#include "codec.h"
#include "samples.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <jerror.h>
#include <libexif/exif-data.h>

/* Progressive files may hold thousands of scans, each as slow as the whole image. */
enum { MAX_SCANS = 100, ROWS_AT_ONCE = 16 };

/* libjpeg leaves by longjmp. All that must survive is in the structs below, and steps that may
 * leave are functions called through `attempt`, so no local variable is ever clobbered. */
struct trouble {
    struct jpeg_error_mgr base; /* first: libjpeg hands back a pointer to it */
    jmp_buf escape;
    char message[JMSG_LENGTH_MAX];
};

struct reader {
    struct jpeg_decompress_struct jpeg;
    struct trouble trouble;
    struct jpeg_progress_mgr progress;
    struct slice bytes;
    struct plane plane;
    uint8_t *icc;
    unsigned icc_length;
};

struct writer {
    struct jpeg_compress_struct jpeg;
    struct trouble trouble;
    struct jpeg_destination_mgr destination;
    const struct picture *picture;
    const struct picture_options *options;
    struct text *out;
    uint8_t *line; /* 8-bit rows of a 16-bit plane, or NULL */
};

NORETURN static void escape(struct trouble *t)
{
    longjmp(t->escape, 1);
}

NORETURN static void on_error(j_common_ptr jpeg)
{
    struct trouble *t = (struct trouble *)(void *)jpeg->err;

    t->base.format_message(jpeg, t->message);
    escape(t);
}

/* Oddities that cost no pixels pass; every other warning means data that is missing or wrong. */
static void on_message(j_common_ptr jpeg, int level)
{
    if (level >= 0)
        return;
    switch (jpeg->err->msg_code) {
    case JWRN_ADOBE_XFORM:
    case JWRN_BOGUS_ICC:
    case JWRN_EXTRANEOUS_DATA:
    case JWRN_JFIF_MAJOR:
    case JWRN_NOT_SEQUENTIAL:
        return;
    }
    on_error(jpeg);
}

static void on_output(j_common_ptr jpeg)
{
    (void)jpeg;
}

static void on_progress(j_common_ptr jpeg)
{
    struct trouble *t = (struct trouble *)(void *)jpeg->err;

    if (((j_decompress_ptr)(void *)jpeg)->input_scan_number <= MAX_SCANS)
        return;
    snprintf(t->message, sizeof t->message, "more than %d progressive scans", MAX_SCANS);
    escape(t);
}

static struct jpeg_error_mgr *trouble_begin(struct trouble *t)
{
    jpeg_std_error(&t->base);
    t->base.error_exit = on_error;
    t->base.emit_message = on_message;
    t->base.output_message = on_output;
    return &t->base;
}

static bool reader_attempt(struct reader *r, void (*step)(struct reader *))
{
    if (setjmp(r->trouble.escape))
        return false;
    step(r);
    return true;
}

static void read_header(struct reader *r)
{
    jpeg_create_decompress(&r->jpeg);
    jpeg_save_markers(&r->jpeg, JPEG_APP0 + 1, 0xffff);
    jpeg_save_markers(&r->jpeg, JPEG_APP0 + 2, 0xffff);
    jpeg_mem_src(&r->jpeg, (const unsigned char *)r->bytes.at, (unsigned long)r->bytes.length);
    jpeg_read_header(&r->jpeg, TRUE);
}

static bool reader_begin(struct reader *r, struct slice bytes, struct text *why)
{
    memset(r, 0, sizeof *r);
    r->bytes = bytes;
    r->jpeg.err = trouble_begin(&r->trouble);
    if (reader_attempt(r, read_header))
        return true;
    text_adds(why, r->trouble.message);
    jpeg_destroy_decompress(&r->jpeg);
    return false;
}

static bool has_other_colours(const struct reader *r)
{
    return r->jpeg.jpeg_color_space == JCS_CMYK || r->jpeg.jpeg_color_space == JCS_YCCK;
}

static int reader_bands(const struct reader *r)
{
    return r->jpeg.jpeg_color_space == JCS_GRAYSCALE ? 1 : 3;
}

/* 1..8; 1 when there is none or it is nonsense. */
static int orientation_of_exif(const unsigned char *data, unsigned length)
{
    ExifData *exif = exif_data_new();
    ExifEntry *entry;
    int orientation = 1;

    if (!exif)
        return 1;
    exif_data_unset_option(exif, EXIF_DATA_OPTION_FOLLOW_SPECIFICATION);
    exif_data_load_data(exif, data, length);
    entry = exif_content_get_entry(exif->ifd[EXIF_IFD_0], EXIF_TAG_ORIENTATION);
    if (entry && entry->format == EXIF_FORMAT_SHORT && entry->size >= 2)
        orientation = exif_get_short(entry->data, exif_data_get_byte_order(exif));
    exif_data_unref(exif);
    return orientation >= 1 && orientation <= 8 ? orientation : 1;
}

static int reader_orientation(const struct reader *r)
{
    for (jpeg_saved_marker_ptr m = r->jpeg.marker_list; m; m = m->next)
        if (m->marker == JPEG_APP0 + 1 && m->data_length > 6 && !memcmp(m->data, "Exif\0", 6))
            return orientation_of_exif(m->data, m->data_length);
    return 1;
}

bool codec_jpeg_probe(struct slice bytes, struct picture_header *header, bool *other_colours,
                      struct text *why)
{
    struct reader r;

    if (!reader_begin(&r, bytes, why))
        return false;
    header->frame = (struct frame){ (int)r.jpeg.image_width, (int)r.jpeg.image_height };
    header->bands = reader_bands(&r);
    header->type = PIXEL_U8;
    header->orientation = reader_orientation(&r);
    header->palette = false;
    *other_colours = has_other_colours(&r);
    jpeg_destroy_decompress(&r.jpeg);
    return true;
}

static void read_pixels(struct reader *r)
{
    struct jpeg_decompress_struct *jpeg = &r->jpeg;
    JSAMPROW rows[ROWS_AT_ONCE];

    r->progress.progress_monitor = on_progress;
    jpeg->progress = &r->progress;
    jpeg->out_color_space = reader_bands(r) == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg->dct_method = JDCT_ISLOW;
    jpeg->do_fancy_upsampling = TRUE;
    jpeg_start_decompress(jpeg);
    while (jpeg->output_scanline < jpeg->output_height) {
        int first = (int)jpeg->output_scanline, n = r->plane.height - first;

        n = n < ROWS_AT_ONCE ? n : ROWS_AT_ONCE;
        for (int i = 0; i < n; i++)
            rows[i] = plane_row(&r->plane, first + i);
        jpeg_read_scanlines(jpeg, rows, (JDIMENSION)n);
    }
    jpeg_read_icc_profile(jpeg, &r->icc, &r->icc_length);
    jpeg_finish_decompress(jpeg);
}

/* Those that libvips is to read are counted beforehand: it has no such limit. Within scans, 0xff is
 * always followed by something else. */
static bool few_scans(struct slice bytes, struct text *why)
{
    const char *at = bytes.at, *end = bytes.at + bytes.length;
    int scans = 0;

    while ((at = memmem(at, (size_t)(end - at), "\xff\xda", 2))) {
        at += 2;
        scans++;
    }
    if (scans > MAX_SCANS)
        text_addf(why, "more than %d progressive scans", MAX_SCANS);
    return scans <= MAX_SCANS;
}

bool codec_jpeg_read(struct slice bytes, struct pool *pool, size_t max_pixels,
                     struct picture *picture, int *orientation, bool *other_colours,
                     struct text *why)
{
    struct reader r;
    struct frame frame;
    bool ok;

    if (!reader_begin(&r, bytes, why))
        return false;
    frame = (struct frame){ (int)r.jpeg.image_width, (int)r.jpeg.image_height };
    *other_colours = has_other_colours(&r);
    if (*other_colours || !codec_size_allowed(frame.width, frame.height, max_pixels, why)) {
        *other_colours = *other_colours && few_scans(bytes, why);
        jpeg_destroy_decompress(&r.jpeg);
        return false;
    }
    *orientation = reader_orientation(&r);
    r.plane = pool_plane(pool, frame, reader_bands(&r), PIXEL_U8);
    ok = reader_attempt(&r, read_pixels);
    jpeg_destroy_decompress(&r.jpeg);
    if (ok) {
        picture->plane = r.plane;
        picture->icc = r.icc;
        picture->icc_length = r.icc_length;
        return true;
    }
    text_adds(why, r.trouble.message);
    pool_return(pool, &r.plane);
    free(r.icc);
    return false;
}

/* Writing goes straight into the growing text: libjpeg is given the room behind what is there. */
enum { ROOM = 1 << 16 };

static void give_room(struct writer *w)
{
    if (w->out->room - w->out->length <= ROOM) {
        w->out->room = 2 * w->out->room + 2 * ROOM;
        w->out->at = memory_grow(w->out->at, w->out->room);
    }
    w->destination.next_output_byte = (JOCTET *)w->out->at + w->out->length;
    w->destination.free_in_buffer = ROOM;
}

static void on_destination(j_compress_ptr jpeg)
{
    give_room(jpeg->client_data);
}

static boolean on_full(j_compress_ptr jpeg)
{
    struct writer *w = jpeg->client_data;

    w->out->length += ROOM;
    give_room(w);
    return TRUE;
}

static void on_end(j_compress_ptr jpeg)
{
    struct writer *w = jpeg->client_data;

    w->out->length += ROOM - w->destination.free_in_buffer;
    w->out->at[w->out->length] = '\0';
}

static bool writer_attempt(struct writer *w, void (*step)(struct writer *))
{
    if (setjmp(w->trouble.escape))
        return false;
    step(w);
    return true;
}

static void set_up(struct writer *w)
{
    struct jpeg_compress_struct *jpeg = &w->jpeg;
    const struct plane *p = &w->picture->plane;
    enum subsampling s = w->options->subsampling;

    jpeg_create_compress(jpeg);
    jpeg->client_data = w;
    w->destination.init_destination = on_destination;
    w->destination.empty_output_buffer = on_full;
    w->destination.term_destination = on_end;
    jpeg->dest = &w->destination;
    jpeg->image_width = (JDIMENSION)p->width;
    jpeg->image_height = (JDIMENSION)p->height;
    jpeg->input_components = p->bands;
    jpeg->in_color_space = p->bands == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(jpeg);
    jpeg_set_quality(jpeg, w->options->quality, TRUE);
    jpeg->dct_method = JDCT_ISLOW;
    if (p->bands == 3) {
        jpeg->comp_info[0].h_samp_factor = s == SUBSAMPLING_444 ? 1 : 2;
        jpeg->comp_info[0].v_samp_factor = s == SUBSAMPLING_420 ? 2 : 1;
    }
}

static void write_pixels(struct writer *w)
{
    const struct plane *p = &w->picture->plane;

    set_up(w);
    jpeg_start_compress(&w->jpeg, TRUE);
    if (codec_profile_fits(w->picture))
        jpeg_write_icc_profile(&w->jpeg, w->picture->icc, (unsigned)w->picture->icc_length);
    for (int y = 0; y < p->height; y++) {
        JSAMPROW row = plane_row(p, y);

        if (w->line) {
            struct plane in = *p, out = *p;

            in.px = row;
            out.px = w->line;
            out.type = PIXEL_U8;
            in.height = out.height = 1;
            plane_convert(&in, &out);
            row = w->line;
        }
        jpeg_write_scanlines(&w->jpeg, &row, 1);
    }
    jpeg_finish_compress(&w->jpeg);
}

bool codec_jpeg_write(const struct picture *picture, const struct picture_options *options,
                      struct text *out, struct text *why)
{
    struct writer w;
    size_t before = out->length;
    bool ok;

    if (picture->plane.bands == 2 || picture->plane.bands == 4) {
        text_adds(why, "JPEG has no alpha channel");
        return false;
    }
    memset(&w, 0, sizeof w);
    w.picture = picture;
    w.options = options;
    w.out = out;
    if (picture->plane.type != PIXEL_U8)
        w.line = memory_take((size_t)picture->plane.width * (size_t)picture->plane.bands);
    w.jpeg.err = trouble_begin(&w.trouble);
    ok = writer_attempt(&w, write_pixels);
    jpeg_destroy_compress(&w.jpeg);
    free(w.line);
    if (!ok) {
        text_adds(why, w.trouble.message);
        out->length = before;
        if (out->at)
            out->at[before] = '\0';
    }
    return ok;
}

void codec_jpeg_version(struct text *out)
{
    int v = LIBJPEG_TURBO_VERSION_NUMBER;

    text_addf(out, "libjpeg-turbo %d.%d.%d\n", v / 1000000, v / 1000 % 1000, v % 1000);
}
