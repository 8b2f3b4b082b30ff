/* test_lossless: excerpts of JPEGs made of their coefficients equal turned pixels, to the last bit
 * of every sample. Exactly the drawn ops that are such excerpts are found. */
#include "unit.h"

#include "steps/op_shared/actions.h"
#include "pixels/picture.h"
#include "plan/lossless.h"

#include <string.h>

#include <jpeglib.h>

static struct pool pool;

static struct slice slice_of(const struct text *t)
{
    return (struct slice){ t->at, t->length };
}

/* --- JPEGs of all kinds --- */

enum { PROGRESSIVE = 1, RESTARTS = 2, MANY_SCANS = 4, SEVERAL_SCANS = 8, DC_ALONE = 16 };

static const struct kind_of_jpeg {
    const char *name;
    J_COLOR_SPACE space;
    int h[3], v[3]; /* sampling factors */
    int flags;
} KINDS[] = {
    { "gray", JCS_GRAYSCALE, { 1 }, { 1 }, 0 },
    { "gray, factors of 2", JCS_GRAYSCALE, { 2 }, { 2 }, 0 },
    { "4:4:4", JCS_YCbCr, { 1, 1, 1 }, { 1, 1, 1 }, 0 },
    { "4:4:4, factors of 2", JCS_YCbCr, { 2, 2, 2 }, { 1, 1, 1 }, 0 },
    { "4:2:2", JCS_YCbCr, { 2, 1, 1 }, { 1, 1, 1 }, 0 },
    { "4:2:2, factors of 2", JCS_YCbCr, { 2, 1, 1 }, { 2, 2, 2 }, 0 },
    { "4:4:0", JCS_YCbCr, { 1, 1, 1 }, { 2, 1, 1 }, 0 },
    { "4:2:0", JCS_YCbCr, { 2, 1, 1 }, { 2, 1, 1 }, 0 },
    { "4:1:1", JCS_YCbCr, { 4, 1, 1 }, { 1, 1, 1 }, 0 },
    { "4:2:0, progressive", JCS_YCbCr, { 2, 1, 1 }, { 2, 1, 1 }, PROGRESSIVE },
    { "4:2:0, restart markers", JCS_YCbCr, { 2, 1, 1 }, { 2, 1, 1 }, RESTARTS },
    { "4:2:0, a scan a component", JCS_YCbCr, { 2, 1, 1 }, { 2, 1, 1 }, SEVERAL_SCANS },
    { "uneven colours", JCS_YCbCr, { 2, 2, 1 }, { 2, 1, 2 }, 0 },
    { "RGB", JCS_RGB, { 1, 1, 1 }, { 1, 1, 1 }, 0 },
};

static const struct kind_of_jpeg GRAY = { "gray", JCS_GRAYSCALE, { 1 }, { 1 }, 0 };
static const struct kind_of_jpeg HALVED = { "4:2:0", JCS_YCbCr, { 2, 1, 1 }, { 2, 1, 1 }, 0 };

/* True if a component's samples are spread over several pixels. Unused factors are 0. */
static bool is_spread(const int factor[3])
{
    return factor[1] && (factor[1] != factor[0] || factor[2] != factor[0]);
}

/* Sets scans of one coefficient each, or of one component, or only the first coefficients. */
static void set_scans(struct jpeg_compress_struct *jpeg, int flags)
{
    static jpeg_scan_info scans[200];
    int n = 0;

    if (flags & (MANY_SCANS | DC_ALONE))
        scans[n++] = (jpeg_scan_info){ 3, { 0, 1, 2 }, 0, 0, 0, 0 };
    for (int c = 0; c < 3; c++) {
        if (flags & SEVERAL_SCANS)
            scans[n++] = (jpeg_scan_info){ 1, { c }, 0, DCTSIZE2 - 1, 0, 0 };
        for (int k = 1; flags & MANY_SCANS && k < DCTSIZE2; k++)
            scans[n++] = (jpeg_scan_info){ 1, { c }, k, k, 0, 0 };
    }
    jpeg->scan_info = scans;
    jpeg->num_scans = n;
}

static void set_kind(struct jpeg_compress_struct *jpeg, const struct kind_of_jpeg *kind)
{
    jpeg->input_components = kind->space == JCS_GRAYSCALE ? 1 : 3;
    jpeg->in_color_space = kind->space;
    jpeg_set_defaults(jpeg);
    jpeg_set_colorspace(jpeg, kind->space);
    jpeg_set_quality(jpeg, 90, TRUE);
    for (int c = 0; c < jpeg->num_components; c++) {
        jpeg->comp_info[c].h_samp_factor = kind->h[c];
        jpeg->comp_info[c].v_samp_factor = kind->v[c];
    }
    if (kind->flags & PROGRESSIVE)
        jpeg_simple_progression(jpeg);
    if (kind->flags & RESTARTS)
        jpeg->restart_interval = 2;
    if (kind->flags & (MANY_SCANS | SEVERAL_SCANS | DC_ALONE))
        set_scans(jpeg, kind->flags);
}

/* Ramps that no turn leaves as they are, with some noise in the first component. */
static struct text jpeg_of(const struct kind_of_jpeg *kind, struct frame frame)
{
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr errors;
    struct text out = { 0 };
    unsigned char *bytes = NULL, *line;
    unsigned long length = 0;

    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    jpeg_mem_dest(&jpeg, &bytes, &length);
    jpeg.image_width = (JDIMENSION)frame.width;
    jpeg.image_height = (JDIMENSION)frame.height;
    set_kind(&jpeg, kind);
    jpeg_start_compress(&jpeg, TRUE);
    line = malloc((size_t)(frame.width * 3));
    for (int y = 0; y < frame.height; y++) {
        for (int i = 0; i < frame.width * jpeg.input_components; i++) {
            int x = i / jpeg.input_components, c = i % jpeg.input_components;
            int ramp = c == 0 ? 3 * x + 2 * y : c == 1 ? 2 * x - y : 2 * y - x;

            line[i] = (unsigned char)(70 + ramp * 64 / (frame.width + frame.height) +
                                      (c ? 0 : unit_int(0, 40)));
        }
        jpeg_write_scanlines(&jpeg, &line, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    text_add(&out, bytes, length);
    free(bytes);
    free(line);
    return out;
}

static struct picture_header header_of(const struct text *jpeg)
{
    struct picture_header header = { 0 };
    struct text why = { 0 };

    CHECK(picture_probe(slice_of(jpeg), &header, &why));
    text_drop(&why);
    return header;
}

static struct text excerpt_of(const struct text *jpeg, const struct excerpt *excerpt)
{
    struct picture_header header = header_of(jpeg);
    struct text out = { 0 }, why = { 0 };

    if (!CHECK(picture_write_excerpt(slice_of(jpeg), &header, excerpt, true, &out, &why))) {
        fprintf(stderr, "    %s\n", text_string(&why));
        exit(1); /* there is nothing to look at */
    }
    text_drop(&why);
    return out;
}

/* --- samples as the coefficients say them, before any rounding --- */

struct samples {
    struct frame frame;
    int n;
    struct {
        int width, height, h, v; /* of a component: samples that are part of the picture */
        int stride;
        double *at;
    } of[3];
    int max_h, max_v;
};

static void block_samples(const JCOEF *coef, const UINT16 *steps, double *at, int stride)
{
    static double wave[8][8];
    double half[8][8];

    for (int u = 0; u < 8; u++)
        for (int x = 0; x < 8; x++)
            wave[u][x] = cos((2 * x + 1) * u * acos(-1) / 16) * (u ? 0.5 : sqrt(0.125));
    for (int v = 0; v < 8; v++)
        for (int x = 0; x < 8; x++) {
            half[v][x] = 0;
            for (int u = 0; u < 8; u++)
                half[v][x] += coef[8 * v + u] * steps[8 * v + u] * wave[u][x];
        }
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 8; x++) {
            at[y * stride + x] = 0;
            for (int v = 0; v < 8; v++)
                at[y * stride + x] += half[v][x] * wave[v][y];
        }
}

static struct samples samples_of(const struct text *bytes)
{
    struct jpeg_decompress_struct jpeg;
    struct jpeg_error_mgr errors;
    struct samples s = { 0 };
    jvirt_barray_ptr *blocks;

    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_decompress(&jpeg);
    jpeg_mem_src(&jpeg, (unsigned char *)bytes->at, bytes->length);
    jpeg_read_header(&jpeg, TRUE);
    blocks = jpeg_read_coefficients(&jpeg);
    s.frame = (struct frame){ (int)jpeg.image_width, (int)jpeg.image_height };
    s.n = jpeg.num_components;
    s.max_h = jpeg.max_h_samp_factor;
    s.max_v = jpeg.max_v_samp_factor;
    for (int c = 0; c < s.n; c++) {
        jpeg_component_info *info = &jpeg.comp_info[c];

        s.of[c].h = info->h_samp_factor;
        s.of[c].v = info->v_samp_factor;
        s.of[c].width = (s.frame.width * s.of[c].h + s.max_h - 1) / s.max_h;
        s.of[c].height = (s.frame.height * s.of[c].v + s.max_v - 1) / s.max_v;
        s.of[c].stride = 8 * (int)info->width_in_blocks;
        s.of[c].at = malloc(sizeof(double) * 64 * info->width_in_blocks * info->height_in_blocks);
        for (JDIMENSION y = 0; y < info->height_in_blocks; y++) {
            JBLOCKARRAY row =
                jpeg.mem->access_virt_barray((j_common_ptr)&jpeg, blocks[c], y, 1, FALSE);

            for (JDIMENSION x = 0; x < info->width_in_blocks; x++)
                block_samples(row[0][x], info->quant_table->quantval,
                              s.of[c].at + 8 * (int)y * s.of[c].stride + 8 * x, s.of[c].stride);
        }
    }
    jpeg_destroy_decompress(&jpeg);
    return s;
}

static void samples_drop(struct samples *s)
{
    for (int c = 0; c < s->n; c++)
        free(s->of[c].at);
}

/* Where an excerpt takes its pixel (x, y) from, in a raster of num/den of the picture's pixels. */
static int column_of(const struct excerpt *e, int x, int y, int num, int den)
{
    int i = e->turn.swap ? y : x;

    return e->turn.columns_back ? (e->x + e->width) * num / den - 1 - i : e->x * num / den + i;
}

static int row_of(const struct excerpt *e, int x, int y, int num, int den)
{
    int i = e->turn.swap ? x : y;

    return e->turn.rows_back ? (e->y + e->height) * num / den - 1 - i : e->y * num / den + i;
}

/* Each sample of the excerpt equals a sample of the source, at its place. The coefficients are
 * equal, and any decoder's results can differ only by its own rounding. */
static bool same_samples(const struct text *source, const struct text *result,
                         const struct excerpt *e)
{
    struct samples in = samples_of(source), out = samples_of(result);
    bool swap = e->turn.swap;
    double worst = 0;
    bool good = in.n == out.n && out.frame.width == (swap ? e->height : e->width) &&
                out.frame.height == (swap ? e->width : e->height);

    for (int c = 0; good && c < in.n; c++) {
        int h = swap ? out.of[c].v : out.of[c].h, max_h = swap ? out.max_v : out.max_h;

        good = h * in.max_h == in.of[c].h * max_h; /* the same share of the pixels */
        for (int y = 0; y < out.of[c].height; y++)
            for (int x = 0; x < out.of[c].width; x++) {
                int column = column_of(e, x, y, in.of[c].h, in.max_h);
                int row = row_of(e, x, y, in.of[c].v, in.max_v);

                worst = fmax(worst, fabs(out.of[c].at[y * out.of[c].stride + x] -
                                         in.of[c].at[row * in.of[c].stride + column]));
            }
    }
    samples_drop(&in);
    samples_drop(&out);
    return good && worst < 1e-9;
}

/* --- pixels as they are read --- */

static int get(const struct plane *p, int x, int y, int channel)
{
    return ((unsigned char *)p->px)[(size_t)y * p->stride + (size_t)(x * p->channels + channel)];
}

static struct picture read_jpeg(const struct text *bytes)
{
    struct picture p;
    struct text why = { 0 };

    if (!CHECK(picture_read(slice_of(bytes), &pool, 1 << 24, NULL, &p, &why)))
        fprintf(stderr, "    %s\n", text_string(&why));
    text_drop(&why);
    return p;
}

/* The largest difference between the excerpt's pixels and those of the decoded source. Colours that
 * are spread over several pixels look at their neighbours: beside a cut edge they are others, so
 * `margin` pixels there are left out. */
static int pixel_difference(const struct text *source, const struct text *result,
                            const struct excerpt *e, int margin)
{
    struct picture in = read_jpeg(source), out = read_jpeg(result);
    int worst = 0, w = out.plane.width, h = out.plane.height;

    if (w != (e->turn.swap ? e->height : e->width) || h != (e->turn.swap ? e->width : e->height))
        worst = 1000;
    for (int y = margin; worst < 1000 && y < h - margin; y++)
        for (int x = margin; x < w - margin; x++)
            for (int b = 0; b < out.plane.channels; b++)
                worst = (int)fmax(
                    worst, abs(get(&out.plane, x, y, b) -
                               get(&in.plane, column_of(e, x, y, 1, 1), row_of(e, x, y, 1, 1), b)));
    picture_drop(&in, &pool);
    picture_drop(&out, &pool);
    return worst;
}

static struct turn turn_number(int n)
{
    return (struct turn){ n & 1, n & 2, n & 4 };
}

static struct excerpt whole(struct frame frame, int turn)
{
    return (struct excerpt){ 0, 0, frame.width, frame.height, turn_number(turn) };
}

/* --- tests --- */

static void check_excerpt(const struct kind_of_jpeg *kind, const struct text *jpeg,
                          const struct excerpt *e)
{
    struct text out = excerpt_of(jpeg, e);
    bool spread = is_spread(kind->h) || is_spread(kind->v);
    /* The decoder processes columns first and rounds the result, and rounds the half of a negative
     * number differently than of a positive one. Unless only rows change places, samples may be
     * a level off, and pixels of three samples more. Spread colors are rounded up and down in
     * turns. */
    bool exact = !e->turn.swap && !e->turn.columns_back && !spread;
    int slack = exact ? 0 : kind->space == JCS_YCbCr ? 6 : 1;

    if (!CHECK(same_samples(jpeg, &out, e)) ||
        !CHECK(pixel_difference(jpeg, &out, e, spread ? 2 : 0) <= slack))
        fprintf(stderr, "    %s: %d %d %d %d turned %d%d%d\n", kind->name, e->x, e->y, e->width,
                e->height, e->turn.swap, e->turn.columns_back, e->turn.rows_back);
    CHECK(!memcmp(out.at, "\xff\xd8\xff\xe0\0\x10JFIF\0\1\1\0\0\1\0\1\0\0", 20) ||
          kind->space == JCS_RGB);
    CHECK(memmem(out.at, out.length, "\xff\xc0\0", 3) != NULL); /* baseline */
    CHECK(memmem(out.at, out.length, "\xff\xdd", 2) == NULL);
    text_drop(&out);
}

/* The whole frame if blocks line up, and random windows; most of them begin on a block. */
static void test_kinds(void)
{
    static const struct frame FRAMES[] = { { 64, 32 }, { 64, 45 }, { 77, 32 }, { 50, 39 } };

    for (size_t k = 0; k < COUNTOF(KINDS); k++) {
        size_t fits = 0, refused = 0;

        for (size_t f = 0; f < COUNTOF(FRAMES); f++) {
            struct frame frame = FRAMES[f];
            struct text jpeg = jpeg_of(&KINDS[k], frame);
            struct picture_header header = header_of(&jpeg);

            for (int i = 0; i < 8 * 6; i++) {
                struct excerpt e = whole(frame, i % 8);

                if (i >= 8) {
                    e.x = unit_int(0, 5) * 8;
                    e.y = unit_int(0, 3) * 8;
                    e.width = unit_int(0, 1) ? unit_int(1, frame.width - e.x)
                                             : (frame.width - e.x) / 8 * 8;
                    e.height = unit_int(0, 1) ? unit_int(1, frame.height - e.y)
                                              : (frame.height - e.y) / 8 * 8;
                }
                if (picture_can_write_excerpt(&header, &e)) {
                    check_excerpt(&KINDS[k], &jpeg, &e);
                    fits++;
                } else {
                    refused++;
                }
            }
            text_drop(&jpeg);
        }
        CHECK(fits >= 40 && refused >= 40);
    }
}

/* Which side must begin with a block: the one that becomes the first. */
static void test_fits(void)
{
    struct picture_header header = {
        .format = PICTURE_JPEG, .frame = { 40, 30 }, .orientation = 1, .block = { 16, 8 }
    };
    static const struct {
        int orientation;
        struct excerpt excerpt;
        bool fits;
    } CASES[] = {
        { 1, { 0, 0, 40, 30, { false, false, false } }, true },
        { 1, { 0, 0, 40, 30, { true, false, false } }, true },
        { 1, { 0, 0, 40, 30, { false, true, false } }, false },
        { 1, { 0, 0, 40, 30, { true, false, true } }, false },
        { 1, { 0, 0, 32, 24, { true, true, true } }, true },
        { 1, { 3, 5, 29, 19, { false, true, true } }, true },
        { 1, { 3, 5, 29, 19, { false, true, false } }, false },
        { 1, { 16, 8, 1, 1, { false, false, false } }, true },
        { 1, { 8, 8, 1, 1, { false, false, false } }, false },
        { 1, { 16, 4, 1, 1, { false, false, false } }, false },
        { 2, { 0, 0, 40, 30, { false, true, false } }, true },
        { 2, { 0, 0, 40, 30, { false, false, false } }, false },
        { 2, { 8, 0, 32, 30, { false, false, false } }, true },
        { 2, { 8, 0, 16, 30, { false, false, false } }, true },
        { 2, { 16, 0, 8, 30, { false, false, false } }, false },
        /* 6 shows the file turned clockwise: columns are its rows, from the lowest up. */
        { 6, { 0, 0, 40, 30, { false, false, false } }, true },
        { 6, { 0, 0, 40, 30, { false, true, false } }, true },
        { 6, { 0, 0, 40, 30, { false, false, true } }, false },
        { 6, { 8, 16, 24, 14, { false, false, false } }, true },
        { 6, { 8, 8, 24, 22, { false, false, false } }, false },
    };

    for (size_t i = 0; i < COUNTOF(CASES); i++) {
        header.orientation = CASES[i].orientation;
        if (!CHECK(picture_can_write_excerpt(&header, &CASES[i].excerpt) == CASES[i].fits))
            fprintf(stderr, "    case %zu\n", i);
    }
    header.block = (struct frame){ 0, 0 };
    CHECK(!picture_can_write_excerpt(&header, &CASES[0].excerpt));
}

/* Turned and turned back: the file that a mere copy of the coefficients gives, to the byte. */
static void test_back(void)
{
    for (size_t k = 0; k < COUNTOF(KINDS); k++) {
        struct text jpeg = jpeg_of(&KINDS[k], (struct frame){ 96, 64 });
        struct excerpt all = whole((struct frame){ 96, 64 }, 0);
        struct text still = excerpt_of(&jpeg, &all);

        for (int n = 0; n < 8; n++) {
            struct turn turn = turn_number(n);
            struct frame frame = { turn.swap ? 64 : 96, turn.swap ? 96 : 64 };
            struct excerpt there = whole((struct frame){ 96, 64 }, n), back = whole(frame, n);
            struct text once = excerpt_of(&jpeg, &there), twice;

            if (turn.swap)
                back.turn = (struct turn){ true, turn.rows_back, turn.columns_back };
            twice = excerpt_of(&once, &back);
            CHECK(n == 0 || once.length != still.length ||
                  memcmp(once.at, still.at, still.length) != 0);
            CHECK(twice.length == still.length && !memcmp(twice.at, still.at, still.length));
            text_drop(&once);
            text_drop(&twice);
        }
        text_drop(&jpeg);
        text_drop(&still);
    }
}

/* An excerpt is one of the upright picture, and its file has no orientation any more. */
static void check_orientation(const struct kind_of_jpeg *kind, int orientation, size_t *fits)
{
    char exif[] = "\xff\xe1\0\x22"
                  "Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0V\0\0\0\0\0\0\0";
    struct text jpeg = jpeg_of(kind, (struct frame){ 64, 45 }), with = { 0 };
    struct picture_header header;

    exif[28] = (char)orientation;
    text_add(&with, jpeg.at, 2);
    text_add(&with, exif, 36);
    text_add(&with, jpeg.at + 2, jpeg.length - 2);
    header = header_of(&with);
    CHECK(header.orientation == orientation);
    for (int i = 0; i < 40; i++) {
        struct excerpt e = whole(header.frame, i % 8);
        struct text out;

        if (i >= 8) {
            e.x = unit_int(0, 30);
            e.y = unit_int(0, 30);
            e.width = unit_int(1, header.frame.width - e.x);
            e.height = unit_int(1, header.frame.height - e.y);
        }
        if (!picture_can_write_excerpt(&header, &e))
            continue;
        out = excerpt_of(&with, &e);
        CHECK(header_of(&out).orientation == 1 && !memmem(out.at, out.length, "Exif", 4));
        CHECK(pixel_difference(&with, &out, &e, kind == &GRAY ? 0 : 2) <= (kind == &GRAY ? 1 : 6));
        text_drop(&out);
        (*fits)++;
    }
    text_drop(&jpeg);
    text_drop(&with);
}

static void test_orientations(void)
{
    size_t fits = 0;

    for (int orientation = 1; orientation <= 8; orientation++) {
        check_orientation(&GRAY, orientation, &fits);
        check_orientation(&HALVED, orientation, &fits);
    }
    CHECK(fits > 64);
}

/* A profile that has only the mandatory parts of its header. */
static void profile(struct picture *p, const char *space)
{
    p->icc_length = 70000; /* more than a marker holds */
    p->icc = calloc(1, p->icc_length);
    for (size_t i = 132; i < p->icc_length; i++)
        p->icc[i] = (uint8_t)(i * 31);
    memcpy(p->icc + 16, space, 4);
}

static void test_profile(void)
{
    struct picture_options options = { .format = PICTURE_JPEG,
                                       .quality = 90,
                                       .subsampling = SUBSAMPLING_444 };
    struct picture p = { .plane = pool_plane(&pool, (struct frame){ 40, 24 }, 3, PIXEL_U8) }, q;
    struct excerpt e = whole((struct frame){ 40, 24 }, 3);
    struct text jpeg = { 0 }, why = { 0 }, out;

    memset(p.plane.px, 99, plane_bytes(&p.plane));
    profile(&p, "RGB ");
    CHECK(picture_write(&p, &options, &jpeg, &why));
    out = excerpt_of(&jpeg, &e);
    q = read_jpeg(&out);
    CHECK(q.icc_length == p.icc_length && !memcmp(q.icc, p.icc, p.icc_length));
    text_drop(&out);
    /* A profile for other colors is left out, as when pixels are written. */
    *(char *)memmem(jpeg.at, jpeg.length, "RGB ", 4) = 'X';
    out = excerpt_of(&jpeg, &e);
    CHECK(!memmem(out.at, out.length, "ICC_PROFILE", 11));
    text_drop(&out);
    picture_drop(&p, &pool);
    picture_drop(&q, &pool);
    text_drop(&jpeg);
    text_drop(&why);
}

static bool is_refused(struct slice jpeg, const struct picture_header *header, const char *word)
{
    struct excerpt e = whole(header->frame, 0);
    struct text out = { 0 }, why = { 0 };
    bool good;

    text_adds(&out, "before");
    good = !picture_write_excerpt(jpeg, header, &e, true, &out, &why) && why.length > 0 &&
           !strcmp(text_string(&out), "before") && strstr(text_string(&why), word);
    if (!good)
        fprintf(stderr, "    %s\n", text_string(&why));
    text_drop(&out);
    text_drop(&why);
    return good;
}

static void test_damage(void)
{
    static const int FLAGS[] = { 0, PROGRESSIVE, RESTARTS };

    for (size_t i = 0; i < COUNTOF(FLAGS); i++) {
        struct kind_of_jpeg kind = HALVED;
        struct text jpeg;
        struct picture_header header;

        kind.flags = FLAGS[i];
        jpeg = jpeg_of(&kind, (struct frame){ 96, 80 });
        header = header_of(&jpeg);
        for (size_t length = 2; length < jpeg.length - 1; length += 1 + length / 7) {
            char *cut = malloc(length); /* so that a reader beyond the end is seen */

            memcpy(cut, jpeg.at, length);
            CHECK(is_refused((struct slice){ cut, length }, &header, ""));
            free(cut);
        }
        text_drop(&jpeg);
    }
}

static void test_scans(void)
{
    struct kind_of_jpeg kind = { "many scans", JCS_YCbCr, { 1, 1, 1 }, { 1, 1, 1 }, MANY_SCANS };
    struct text jpeg = jpeg_of(&kind, (struct frame){ 32, 32 });
    struct picture_header header = header_of(&jpeg);

    CHECK(is_refused(slice_of(&jpeg), &header, "100"));
    text_drop(&jpeg);
}

/* Decoders smooth such a file; a baseline file of the same coefficients stays blocky. */
static void test_gaps(void)
{
    struct kind_of_jpeg kind = { "gaps", JCS_YCbCr, { 2, 1, 1 }, { 2, 1, 1 }, DC_ALONE };
    struct text jpeg = jpeg_of(&kind, (struct frame){ 64, 64 });
    struct picture_header header = header_of(&jpeg);

    CHECK(is_refused(slice_of(&jpeg), &header, "all data"));
    text_drop(&jpeg);
}

/* Sets the first coefficients to values that a decoder may accept, but a baseline file has no code
 * for. */
static struct text out_of_range(const struct text *jpeg, int at, int value)
{
    struct jpeg_decompress_struct in;
    struct jpeg_compress_struct to;
    struct jpeg_error_mgr errors;
    struct text out = { 0 };
    unsigned char *bytes = NULL;
    unsigned long length = 0;
    jvirt_barray_ptr *blocks;
    JHUFF_TBL *tables[2];

    in.err = to.err = jpeg_std_error(&errors);
    jpeg_create_decompress(&in);
    jpeg_create_compress(&to);
    jpeg_mem_src(&in, (unsigned char *)jpeg->at, jpeg->length);
    jpeg_mem_dest(&to, &bytes, &length);
    jpeg_read_header(&in, TRUE);
    blocks = jpeg_read_coefficients(&in);
    jpeg_copy_critical_parameters(&in, &to);
    tables[0] = to.dc_huff_tbl_ptrs[0];
    tables[1] = to.ac_huff_tbl_ptrs[0];
    for (int t = 0; t < 2; t++) {
        memset(tables[t], 0, sizeof *tables[t]);
        tables[t]->bits[9] = t ? 255 : 16; /* a code for everything */
        for (int i = 0; i < (t ? 255 : 16); i++)
            tables[t]->huffval[i] = (UINT8)i;
    }
    in.mem->access_virt_barray((j_common_ptr)&in, blocks[0], 0, 1, TRUE)[0][0][at] = (JCOEF)value;
    jpeg_write_coefficients(&to, blocks);
    jpeg_finish_compress(&to);
    jpeg_destroy_compress(&to);
    jpeg_destroy_decompress(&in);
    text_add(&out, bytes, length);
    free(bytes);
    return out;
}

static void test_range(void)
{
    static const struct {
        int at, value;
        bool fits;
    } CASES[] = { { 0, 1023, true },   { 0, 1024, false },  { 0, -1024, true },
                  { 0, -1025, false }, { 1, 1023, true },   { 1, 1024, false },
                  { 8, -1023, true },  { 8, -1024, false }, { 63, 1600, false } };
    struct text jpeg = jpeg_of(&GRAY, (struct frame){ 32, 32 });
    struct picture_header header = header_of(&jpeg);
    struct excerpt e = whole(header.frame, 7);

    for (size_t i = 0; i < COUNTOF(CASES); i++) {
        struct text odd = out_of_range(&jpeg, CASES[i].at, CASES[i].value), out;

        if (CASES[i].fits) {
            out = excerpt_of(&odd, &e);
            CHECK(same_samples(&odd, &out, &e));
            text_drop(&out);
        } else {
            CHECK(is_refused(slice_of(&odd), &header, "range"));
        }
        text_drop(&odd);
    }
    text_drop(&jpeg);
}

static void test_blocks(void)
{
    for (size_t k = 0; k < COUNTOF(KINDS); k++) {
        struct text jpeg = jpeg_of(&KINDS[k], (struct frame){ 33, 20 });
        struct frame block = header_of(&jpeg).block;

        CHECK(block.width == (is_spread(KINDS[k].h) ? 8 * KINDS[k].h[0] : 8));
        CHECK(block.height == (is_spread(KINDS[k].v) ? 8 * KINDS[k].v[0] : 8));
        text_drop(&jpeg);
    }
}

/* --- drawn ops --- */

enum { LONGEST = 5 };

static struct action random_action(const struct scene *scene)
{
    struct action a = { .in = scene->frame,
                        .out = scene->frame,
                        .channels = 1,
                        .map = { .forward = MAT3_IDENTITY, .inverse = MAT3_IDENTITY } };
    struct frame f = scene->frame;
    int left = unit_int(-2, 4), top = unit_int(-2, 4);

    switch (unit_int(0, 9)) {
    case 0:
        action_resize(scene, &a, (struct frame){ unit_int(1, 30), unit_int(1, 30) },
                      INTERPOLATION_NEAREST, false);
        break;
    case 1: /* a border */
        action_window(scene, &a, -3, -3, (struct frame){ f.width + 6, f.height + 6 });
        a.fill.channel[0] = unit_int(0, 9);
        break;
    case 2: /* and off with it */
        action_window(
            scene, &a, 3, 3,
            (struct frame){ f.width > 6 ? f.width - 6 : 1, f.height > 6 ? f.height - 6 : 1 });
        break;
    case 3:
    case 4:
    case 5:
        action_window(scene, &a, top, left,
                      (struct frame){ unit_int(1, f.width), unit_int(1, f.height) });
        break;
    default:
        action_turn(scene, &a, unit_int(0, 1), unit_int(0, 3));
    }
    return a;
}

/* Pixels that say where they are from; 0 is outside. */
static struct plane places(struct frame f)
{
    struct plane p = pool_plane(&pool, f, 1, PIXEL_U16);

    for (int y = 0; y < f.height; y++)
        for (int x = 0; x < f.width; x++)
            ((uint16_t *)(void *)((char *)p.px + (size_t)y * p.stride))[x] =
                (uint16_t)(1 + x + y * 64);
    return p;
}

static int place(const struct plane *p, int x, int y)
{
    return ((uint16_t *)(void *)((char *)p->px + (size_t)y * p->stride))[x];
}

static bool has_excerpt(const struct plane *p, const struct excerpt *e)
{
    if (p->width != (e->turn.swap ? e->height : e->width) ||
        p->height != (e->turn.swap ? e->width : e->height))
        return false;
    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++)
            if (place(p, x, y) != 1 + column_of(e, x, y, 1, 1) + 64 * row_of(e, x, y, 1, 1))
                return false;
    return true;
}

/* True if it is any excerpt at all. */
static bool has_any_excerpt(const struct plane *p)
{
    struct excerpt e = { 64, 64, 0, 0, { 0 } };
    int right = 0, bottom = 0;

    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++) {
            int at = place(p, x, y) - 1;

            if (at < 0)
                return false;
            e.x = at % 64 < e.x ? at % 64 : e.x;
            e.y = at / 64 < e.y ? at / 64 : e.y;
            right = at % 64 > right ? at % 64 : right;
            bottom = at / 64 > bottom ? at / 64 : bottom;
        }
    e.width = right + 1 - e.x;
    e.height = bottom + 1 - e.y;
    for (int n = 0; n < 8; n++) {
        e.turn = turn_number(n);
        if (has_excerpt(p, &e))
            return true;
    }
    return false;
}

static void check_drawn_ops(size_t *found, size_t *others)
{
    struct arena arena = { 0 };
    struct picture_header header = { .format = PICTURE_JPEG,
                                     .frame = { unit_int(1, 24), unit_int(1, 24) },
                                     .orientation = 1,
                                     .block = { 1, 1 } };
    struct scene scene = {
        .frame = header.frame, .type = PIXEL_U8, .channels = 1, .arena = &arena
    };
    struct resolved_op drawn[LONGEST];
    struct resolved_ops resolved_ops = { .at = drawn, .n = (size_t)unit_int(0, LONGEST) };
    struct plane p = places(header.frame);
    struct excerpt e;
    bool any;

    for (size_t i = 0; i < resolved_ops.n; i++) {
        struct plane next;

        drawn[i] = (struct resolved_op){ .op = registry_op("horizontal_flip"),
                                         .in = scene.frame,
                                         .pixels = { PIXEL_U8, 1 },
                                         .action = random_action(&scene) };
        if (drawn[i].action.family == FAMILY_NOTHING)
            continue;
        scene.frame = drawn[i].action.out;
        next = pool_plane(&pool, scene.frame, 1, PIXEL_U16);
        plane_remap(&p, &next, drawn[i].action.u.index.col, drawn[i].action.u.index.row,
                    drawn[i].action.u.index.swap, &(struct fill){ .channel = { 0 } });
        pool_return(&pool, &p);
        p = next;
    }
    any = has_any_excerpt(&p);
    CHECK(lossless_excerpt(&resolved_ops, &header, &arena, &e) == any);
    CHECK(!any || has_excerpt(&p, &e));
    *(any ? found : others) += 1;
    pool_return(&pool, &p);
    arena_drop(&arena);
}

static void test_drawn_ops(void)
{
    size_t found = 0, others = 0;

    for (int i = 0; i < 4000; i++)
        check_drawn_ops(&found, &others);
    CHECK(found > 500 && others > 500);
}

/* Ops that change pixels, or might, give no excerpt; neither do blocks that do not line up. */
static void test_no_excerpts(void)
{
    struct arena arena = { 0 };
    struct picture_header header = {
        .format = PICTURE_JPEG, .frame = { 40, 30 }, .orientation = 1, .block = { 16, 16 }
    };
    struct scene scene = {
        .frame = header.frame, .type = PIXEL_U8, .channels = 1, .arena = &arena
    };
    struct resolved_op d = { .op = registry_op("invert"),
                             .in = header.frame,
                             .pixels = { PIXEL_U8, 1 },
                             .action = { .in = header.frame, .out = header.frame, .channels = 1 } };
    struct resolved_ops resolved_ops = { .at = &d, .n = 1 };
    struct excerpt e;

    CHECK(lossless_excerpt(&resolved_ops, &header, &arena, &e));
    for (int family = FAMILY_MATRIX; family <= FAMILY_PAINT; family++) {
        d.action.family = (enum family)family;
        CHECK(!lossless_excerpt(&resolved_ops, &header, &arena, &e));
    }
    d.action.family = FAMILY_NOTHING;
    d.op = registry_op("equalize"); /* nothing is known of it before it sees pixels */
    CHECK(!lossless_excerpt(&resolved_ops, &header, &arena, &e));
    d.op = registry_op("crop");
    action_window(&scene, &d.action, 0, 16, (struct frame){ 24, 30 });
    CHECK(lossless_excerpt(&resolved_ops, &header, &arena, &e) && e.x == 16 && e.width == 24);
    action_window(&scene, &d.action, 0, 15, (struct frame){ 24, 30 });
    CHECK(!lossless_excerpt(&resolved_ops, &header, &arena, &e));
    resolved_ops.n = 0;
    CHECK(lossless_excerpt(&resolved_ops, &header, &arena, &e) && e.width == 40 && e.height == 30);
    header.block = (struct frame){ 0, 0 };
    CHECK(!lossless_excerpt(&resolved_ops, &header, &arena, &e));
    arena_drop(&arena);
}

int main(void)
{
    static const struct unit_test tests[] = {
        TEST(test_blocks),       TEST(test_fits),    TEST(test_kinds),     TEST(test_back),
        TEST(test_orientations), TEST(test_profile), TEST(test_damage),    TEST(test_scans),
        TEST(test_gaps),         TEST(test_range),   TEST(test_drawn_ops), TEST(test_no_excerpts),
    };
    int status = unit_main(tests, COUNTOF(tests));

    pool_drop(&pool);
    return status;
}
