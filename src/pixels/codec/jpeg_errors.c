/* jpeg_errors: catches libjpeg's errors, limits its scans, and collects its output in a text. */
#include "pixels/codec/jpeg_errors.h"

#include <jerror.h>

NORETURN static void escape(struct jpeg_errors *t)
{
    longjmp(t->escape, 1);
}

NORETURN static void on_error(j_common_ptr jpeg)
{
    struct jpeg_errors *t = (struct jpeg_errors *)(void *)jpeg->err;

    if (jpeg->err->msg_code == JERR_OUT_OF_MEMORY)
        memory_gone(0);
    t->base.format_message(jpeg, t->message);
    escape(t);
}

/* Ignores warnings about oddities that cost no pixels; any other warning means missing or corrupt
 * data. */
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
    struct jpeg_errors *t = (struct jpeg_errors *)(void *)jpeg->err;

    if (((j_decompress_ptr)(void *)jpeg)->input_scan_number <= MAX_SCANS)
        return;
    snprintf(t->message, sizeof t->message, "more than %d progressive scans", MAX_SCANS);
    escape(t);
}

struct jpeg_error_mgr *jpeg_errors_begin(struct jpeg_errors *t)
{
    jpeg_std_error(&t->base);
    t->base.error_exit = on_error;
    t->base.emit_message = on_message;
    t->base.output_message = on_output;
    return &t->base;
}

bool jpeg_errors_attempt(struct jpeg_errors *t, void (*step)(void *context), void *context)
{
    if (setjmp(t->escape))
        return false;
    step(context);
    return true;
}

void jpeg_limit_scans(struct jpeg_decompress_struct *jpeg)
{
    struct jpeg_errors *t = (struct jpeg_errors *)(void *)jpeg->err;

    t->progress = (struct jpeg_progress_mgr){ .progress_monitor = on_progress };
    jpeg->progress = &t->progress;
}

bool jpeg_has_gaps(const struct jpeg_decompress_struct *jpeg)
{
    for (int i = 0; jpeg->coef_bits && i < jpeg->num_components; i++)
        for (int k = 0; k < DCTSIZE2; k++)
            if (jpeg->coef_bits[i][k] != 0)
                return true;
    return false;
}

enum { ROOM = 1 << 16 };

static void give_room(struct text_destination *d)
{
    if (d->out->room - d->out->length <= ROOM) {
        d->out->room = 2 * d->out->room + 2 * ROOM;
        d->out->at = memory_grow(d->out->at, d->out->room);
    }
    d->base.next_output_byte = (JOCTET *)d->out->at + d->out->length;
    d->base.free_in_buffer = ROOM;
}

static struct text_destination *destination_of(j_compress_ptr jpeg)
{
    return (struct text_destination *)(void *)jpeg->dest;
}

static void on_begin(j_compress_ptr jpeg)
{
    give_room(destination_of(jpeg));
}

static boolean on_full(j_compress_ptr jpeg)
{
    struct text_destination *d = destination_of(jpeg);

    d->out->length += ROOM;
    give_room(d);
    return TRUE;
}

static void on_end(j_compress_ptr jpeg)
{
    struct text_destination *d = destination_of(jpeg);

    d->out->length += ROOM - d->base.free_in_buffer;
    d->out->at[d->out->length] = '\0';
}

void text_destination_begin(struct text_destination *d, struct text *out,
                            struct jpeg_compress_struct *jpeg)
{
    d->base.init_destination = on_begin;
    d->base.empty_output_buffer = on_full;
    d->base.term_destination = on_end;
    d->out = out;
    jpeg->dest = &d->base;
}
