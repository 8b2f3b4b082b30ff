/* jpeg_lossless: flips, quarter turns and crops of a JPEG, made from its DCT coefficients.
 *
 * A block of 8 x 8 samples is a sum of products: cosines along its columns times cosines along its
 * rows. If a block is mirrored, cosines with an odd number of half waves change their sign and even
 * ones do not. If columns and rows are exchanged, so are the coefficients, their quantization steps
 * and the components' sampling factors. The blocks themselves move like pixels. */
#include "pixels/codec/codec.h"
#include "pixels/codec/density.h"
#include "pixels/codec/exif.h"
#include "pixels/codec/jpeg_block.h"
#include "pixels/codec/jpeg_segments.h"
#include "pixels/codec/jpeg_errors.h"

#include <stdlib.h>
#include <string.h>

#include <jerror.h>

/* --- excerpts --- */

/* Converts an excerpt of the upright image to one of the stored image. */
static struct excerpt excerpt_in_file(const struct picture_header *header,
                                      const struct excerpt *excerpt)
{
    struct turn up = exif_turn(header->orientation);
    struct frame file = header->frame;
    struct excerpt e = *excerpt;

    if (up.swap) {
        file = (struct frame){ file.height, file.width };
        e = (struct excerpt){ excerpt->y,
                              excerpt->x,
                              excerpt->height,
                              excerpt->width,
                              { !excerpt->turn.swap, excerpt->turn.rows_back,
                                excerpt->turn.columns_back } };
    }
    if (up.columns_back) {
        e.x = file.width - e.x - e.width;
        e.turn.columns_back = !e.turn.columns_back;
    }
    if (up.rows_back) {
        e.y = file.height - e.y - e.height;
        e.turn.rows_back = !e.turn.rows_back;
    }
    return e;
}

/* Return the first column and row of the result in the source; the result goes forward or backward
 * from there. */
static int first_column(const struct excerpt *e)
{
    return e->turn.columns_back ? e->x + e->width : e->x;
}

static int first_row(const struct excerpt *e)
{
    return e->turn.rows_back ? e->y + e->height : e->y;
}

bool picture_can_write_excerpt(const struct picture_header *header, const struct excerpt *excerpt)
{
    struct excerpt e = excerpt_in_file(header, excerpt);

    return header->block.width && first_column(&e) % header->block.width == 0 &&
           first_row(&e) % header->block.height == 0;
}

/* --- writing --- */

/* No 8-bit samples have larger coefficients. They have no Huffman code in a baseline file, and the
 * encoder does not check that. */
enum { MAX_DC = 1024, MAX_AC = 1023 };

struct transcoder {
    struct jpeg_decompress_struct in;
    struct jpeg_compress_struct out;
    struct jpeg_errors errors; /* for both */
    struct text_destination destination;
    struct slice source;
    struct text *text;
    struct excerpt excerpt; /* of the stored image */
    struct frame block;
    uint8_t from[DCTSIZE2]; /* index of each coefficient in the source */
    JCOEF sign[DCTSIZE2];   /* 1, or -1 if the coefficient changes its sign */
    jvirt_barray_ptr *in_blocks, out_blocks[MAX_COMPONENTS];
    bool metadata; /* whether metadata is kept */
    uint8_t *icc;
    size_t icc_length;
};

static int divide_up(int a, int b)
{
    return (a + b - 1) / b;
}

static void read_source(struct transcoder *t)
{
    jpeg_create_decompress(&t->in);
    jpeg_limit_scans(&t->in);
    jpeg_mem_src(&t->in, (const unsigned char *)t->source.at, (unsigned long)t->source.length);
    jpeg_read_header(&t->in, TRUE);
    t->block = jpeg_block(&t->in);
    if (t->metadata)
        t->icc = jpeg_profile(t->source, &t->icc_length);
    t->in_blocks = jpeg_read_coefficients(&t->in);
    if (jpeg_has_gaps(&t->in))
        ERREXIT(&t->in,
                JERR_MISSING_DATA); /* in a baseline file no later scan would fill them in */
}

static void find_coefficients(struct transcoder *t)
{
    struct turn turn = t->excerpt.turn;

    for (int i = 0; i < DCTSIZE2; i++) {
        int across = turn.swap ? i / DCTSIZE : i % DCTSIZE;
        int down = turn.swap ? i % DCTSIZE : i / DCTSIZE;
        bool negative = (turn.columns_back && across % 2) != (turn.rows_back && down % 2);

        t->from[i] = (uint8_t)(down * DCTSIZE + across);
        t->sign[i] = negative ? -1 : 1;
    }
}

static void set_size(struct jpeg_compress_struct *out, struct frame frame)
{
    out->image_width = (JDIMENSION)frame.width;
    out->image_height = (JDIMENSION)frame.height;
#if JPEG_LIB_VERSION >= 70
    out->jpeg_width = out->image_width;
    out->jpeg_height = out->image_height;
#endif
}

static void set_quantisation(struct transcoder *t)
{
    for (int n = 0; n < NUM_QUANT_TBLS; n++) {
        const JQUANT_TBL *in = t->in.quant_tbl_ptrs[n];

        for (int i = 0; in && i < DCTSIZE2; i++)
            t->out.quant_tbl_ptrs[n]->quantval[i] = in->quantval[t->from[i]];
    }
}

/* Sets sampling factors without their common divisor, so that blocks need no more alignment than
 * necessary; the factors of a gray file have no meaning. Also sets the size to as many whole groups
 * as there will be. */
static void set_component(struct transcoder *t, int c, struct frame frame)
{
    bool swap = t->excerpt.turn.swap;
    jpeg_component_info *in = &t->in.comp_info[c], *out = &t->out.comp_info[c];
    struct frame block = { swap ? t->block.height : t->block.width,
                           swap ? t->block.width : t->block.height };
    int h = in->h_samp_factor * t->block.width / (DCTSIZE * t->in.max_h_samp_factor);
    int v = in->v_samp_factor * t->block.height / (DCTSIZE * t->in.max_v_samp_factor);

    out->h_samp_factor = swap ? v : h;
    out->v_samp_factor = swap ? h : v;
    t->out_blocks[c] = t->out.mem->request_virt_barray(
        (j_common_ptr)&t->out, JPOOL_IMAGE, TRUE,
        (JDIMENSION)(divide_up(frame.width, block.width) * out->h_samp_factor),
        (JDIMENSION)(divide_up(frame.height, block.height) * out->v_samp_factor),
        (JDIMENSION)out->v_samp_factor);
}

static void begin_output(struct transcoder *t)
{
    bool swap = t->excerpt.turn.swap;
    struct frame frame = { swap ? t->excerpt.height : t->excerpt.width,
                           swap ? t->excerpt.width : t->excerpt.height };

    jpeg_create_compress(&t->out);
    text_destination_begin(&t->destination, t->text, &t->out);
    jpeg_copy_critical_parameters(&t->in, &t->out);
    t->out.arith_code = FALSE;
    t->out.JFIF_major_version = t->out.JFIF_minor_version = 1;
    codec_jpeg_density(&t->out, t->metadata ? codec_density(t->source, PICTURE_JPEG) : 0);
    set_size(&t->out, frame);
    set_quantisation(t);
    for (int c = 0; c < t->out.num_components; c++)
        set_component(t, c, frame);
    jpeg_write_coefficients(&t->out, t->out_blocks);
}

static void write_profile(struct transcoder *t)
{
    struct picture p = { .plane.channels = t->in.num_components,
                         .icc = t->icc,
                         .icc_length = t->icc_length };

    if (codec_has_matching_profile(&p))
        jpeg_write_icc_profile(&t->out, t->icc, (unsigned)t->icc_length);
}

/* Returns false if a coefficient has no code. The loops use sixteen bits, for vectors; -32768 stays
 * the same with either sign, and is out of range. */
static bool turn_block(const struct transcoder *t, const JCOEF *in, JCOEF *out)
{
    bool good = in[0] >= -MAX_DC && in[0] < MAX_DC;
    JCOEF beyond = 0;

    if (t->excerpt.turn.swap) {
        for (int i = 0; i < DCTSIZE2; i++)
            out[i] = in[t->from[i]];
        in = out;
    }
    for (int i = 0; i < DCTSIZE2; i++)
        out[i] = (JCOEF)(in[i] * t->sign[i]);
    for (int i = 1; i < DCTSIZE2; i++)
        beyond |= (JCOEF)((out[i] < -MAX_AC) | (out[i] > MAX_AC));
    return good && !beyond;
}

static JBLOCKROW block_row(void *jpeg, jvirt_barray_ptr blocks, int row, bool writes)
{
    j_common_ptr common = jpeg;

    return common->mem->access_virt_barray(common, blocks, (JDIMENSION)row, 1, writes)[0];
}

static bool turn_component(struct transcoder *t, int c)
{
    const jpeg_component_info *out = &t->out.comp_info[c];
    struct turn turn = t->excerpt.turn;
    int h = turn.swap ? out->v_samp_factor : out->h_samp_factor;
    int v = turn.swap ? out->h_samp_factor : out->v_samp_factor;
    int column = first_column(&t->excerpt) / t->block.width * h;
    int row = first_row(&t->excerpt) / t->block.height * v;
    bool good = true;

    for (int y = 0; y < (int)out->height_in_blocks; y++) {
        JBLOCKROW to = block_row(&t->out, t->out_blocks[c], y, true);

        for (int x = 0; x < (int)out->width_in_blocks; x++) {
            int i = turn.swap ? y : x, j = turn.swap ? x : y;
            JBLOCKROW from =
                block_row(&t->in, t->in_blocks[c], turn.rows_back ? row - 1 - j : row + j, false);

            good &= turn_block(t, from[turn.columns_back ? column - 1 - i : column + i], to[x]);
        }
    }
    return good;
}

static void transcode(void *context)
{
    struct transcoder *t = context;

    read_source(t);
    find_coefficients(t);
    begin_output(t);
    write_profile(t);
    for (int c = 0; c < t->out.num_components; c++)
        if (!turn_component(t, c))
            ERREXIT(&t->out, JERR_BAD_DCT_COEF);
    jpeg_finish_compress(&t->out);
}

bool picture_write_excerpt(struct slice source, const struct picture_header *header,
                           const struct excerpt *excerpt, bool metadata, struct text *out,
                           struct text *why)
{
    struct transcoder t;
    size_t before = out->length;
    bool ok;

    memset(&t, 0, sizeof t);
    t.in.err = t.out.err = jpeg_errors_begin(&t.errors);
    t.source = source;
    t.text = out;
    t.metadata = metadata;
    t.excerpt = excerpt_in_file(header, excerpt);
    ok = jpeg_errors_attempt(&t.errors, transcode, &t);
    if (!ok) {
        text_adds(why, t.errors.message);
        text_cut(out, before);
    }
    jpeg_destroy_compress(&t.out);
    jpeg_destroy_decompress(&t.in);
    free(t.icc);
    return ok;
}
