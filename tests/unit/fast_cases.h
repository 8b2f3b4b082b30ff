/* fast_cases: random pipelines over all that the shortcuts of mode fast touch, and how near fast
 * comes to what is stated of it. */
#pragma once

#include "fast_truth.h"
#include "unit.h"

#include "../../src/base/number.h"
#include "../../src/plan/shortcut.h"

/* --- pictures --- */

enum { CASE_WIDTH = 144, CASE_HEIGHT = 112, CASE_PIXELS = 1 << 24, CASE_MOST = 330000 };

static struct pool pool;
static struct arena arena;

/* From and to what: the shortcuts depend on it. */
enum medium { MEDIUM_PIXELS, MEDIUM_JPEG_TO_PIXELS, MEDIUM_JPEG, MEDIUM_JPEG_444, MEDIA };

struct scene_picture {
    char name[100];
    struct plane rgb;
    struct text jpeg[2]; /* 4:2:0 and 4:4:4 */
    struct truth truth, truth_jpeg[2];
};

static inline struct picture case_read(const struct text *bytes, const struct picture_wish *wish)
{
    struct picture p = { .plane = { 0 } };
    struct text why = { 0 };

    CHECK(picture_read((struct slice){ bytes->at, bytes->length }, &pool, CASE_PIXELS, wish, &p,
                       &why));
    text_drop(&why);
    return p;
}

static inline struct text case_jpeg(const struct picture *p, enum subsampling subsampling,
                                    int quality)
{
    struct picture_options options = { .format = PICTURE_JPEG,
                                       .quality = quality,
                                       .subsampling = subsampling };
    struct text bytes = { 0 }, why = { 0 };

    CHECK(picture_write(p, &options, &bytes, &why));
    text_drop(&why);
    return bytes;
}

/* Takes the plane, of 8 bit and three bands. */
static inline struct scene_picture case_picture(const char *name, struct plane rgb)
{
    struct scene_picture s = { .rgb = rgb };
    struct picture p = { .plane = rgb, .shrink = 1, .full = { rgb.width, rgb.height } };

    snprintf(s.name, sizeof s.name, "%s", name);
    s.truth = truth_of(&rgb);
    for (int i = 0; i < 2; i++) {
        struct picture again;

        s.jpeg[i] = case_jpeg(&p, i ? SUBSAMPLING_444 : SUBSAMPLING_420, 95);
        again = case_read(&s.jpeg[i], NULL);
        s.truth_jpeg[i] = truth_of(&again.plane);
        picture_drop(&again, &pool);
    }
    return s;
}

static inline void case_picture_drop(struct scene_picture *s)
{
    truth_drop(&s->truth);
    for (int i = 0; i < 2; i++) {
        truth_drop(&s->truth_jpeg[i]);
        text_drop(&s->jpeg[i]);
    }
    pool_return(&pool, &s->rgb);
}

/* A file's picture at the size of a case; false when it is none of three bands of 8 bit. */
static inline bool case_picture_of_file(const char *path, struct scene_picture *s)
{
    struct text bytes = { 0 }, why = { 0 };
    struct picture p;
    FILE *f = fopen(path, "rb");
    char piece[4096];
    bool good;

    for (size_t n; f && (n = fread(piece, 1, sizeof piece, f)) > 0;)
        text_add(&bytes, piece, n);
    if (f)
        fclose(f);
    good = bytes.length &&
           picture_read((struct slice){ bytes.at, bytes.length }, &pool, 1 << 26, NULL, &p, &why);
    if (good) {
        if (p.plane.bands == 3 && p.plane.type == PIXEL_U8) {
            struct frame frame = { CASE_WIDTH, CASE_HEIGHT };
            struct plane small = pool_plane(&pool, frame, 3, PIXEL_U8);
            const char *name = strrchr(path, '/');

            plane_resize(&p.plane, &small, TAPS_LANCZOS, true);
            *s = case_picture(name ? name + 1 : path, small);
        } else {
            good = false;
        }
        picture_drop(&p, &pool);
    }
    text_drop(&bytes);
    text_drop(&why);
    return good;
}

enum { DRAWN_PICTURES = 7 };

/* Pictures that photographs are not like: bright sand, full colours, fine textures. */
static inline struct scene_picture case_drawn(int which)
{
    static const char *const names[DRAWN_PICTURES] = { "white sand", "dark wood",    "full colours",
                                                       "stripes",    "coarse noise", "sunset",
                                                       "checks" };
    struct plane p = pool_plane(&pool, (struct frame){ CASE_WIDTH, CASE_HEIGHT }, 3, PIXEL_U8);

    for (int y = 0; y < CASE_HEIGHT; y++)
        for (int x = 0; x < CASE_WIDTH; x++) {
            uint8_t *px = (uint8_t *)p.px + (size_t)y * p.stride + 3 * (size_t)x;
            double wave = sin(x * 0.11 + sin(y * 0.07) * 2) + sin(y * 0.13 + x * 0.02), v[3];
            int grain = unit_int(-6, 6);
            bool odd = ((x / 9) ^ (y / 7)) & 1;

            switch (which) {
            case 0:
                v[0] = 246 + 4 * wave + grain, v[1] = v[0] - 9, v[2] = v[0] - 28;
                break;
            case 1:
                v[0] = 40 + 12 * wave + grain, v[1] = v[0] * 0.6, v[2] = v[0] * 0.3;
                break;
            case 2:
                v[0] = x / 24 & 1 ? 250 : 8, v[1] = x / 48 & 1 ? 250 : 8,
                v[2] = y / 28 & 1 ? 250 : 8;
                break;
            case 3:
                v[0] = v[1] = v[2] = x % 4 < 2 ? 60 : 190;
                break;
            case 4:
                v[0] = v[1] = v[2] = 128 + 60 * wave + 3 * grain;
                break;
            case 5:
                v[0] = 255 - y * 0.4 + grain, v[1] = 210 - y * 1.5 + grain,
                v[2] = 90 - y * 0.5 + 20 * wave;
                break;
            default:
                v[0] = v[1] = odd ? 235 : 25, v[2] = odd ? 220 : 60;
            }
            for (int c = 0; c < 3; c++)
                px[c] = (uint8_t)fmin(255, fmax(0, v[c]));
        }
    return case_picture(names[which], p);
}

/* --- pipelines --- */

enum { CASE_STEPS = 5, CASE_GENES = 12 };

struct case_step {
    int kind;
    double gene[CASE_GENES]; /* 0..1 */
};

struct fast_case {
    size_t n;
    struct case_step step[CASE_STEPS];
    int medium, picture;
};

static inline double unit_share(void)
{
    return (double)(unit_random() >> 11) * 0x1p-53;
}

static inline double gene_between(double gene, double lo, double hi)
{
    return lo + gene * (hi - lo);
}

/* As many values below as above the middle, by factors. */
static inline double gene_scale(double gene, double lo, double hi)
{
    return lo * exp(gene * log(hi / lo));
}

/* 0..8, half of them below 1. */
static inline double gene_factor(double gene)
{
    return gene < 0.5 ? 2 * gene : 1 + 7 * pow(2 * gene - 1, 2);
}

static inline int gene_int(double gene, int lo, int hi)
{
    return lo + (int)fmin(hi - lo, gene * (hi - lo + 1));
}

static inline void add_taps(struct text *out, double gene)
{
    text_addf(out, ", \"interpolation\": \"%s\"", gene < 0.25 ? "nearest" : "bilinear");
}

static inline void add_resample(struct text *out, const double *gene)
{
    static const char *const taps[] = { "nearest", "bilinear", "bilinear", "bicubic", "lanczos" };

    text_addf(out, ", \"interpolation\": \"%s\", \"antialias\": %s", taps[gene_int(gene[0], 0, 4)],
              gene[1] < 0.75 ? "true" : "false");
}

static inline void add_fill(struct text *out, const double *gene)
{
    text_addf(out, ", \"fill\": [%d, %d, %d], \"fill_mask\": 99", gene_int(gene[0], 0, 255),
              gene_int(gene[1], 0, 255), gene_int(gene[2], 0, 255));
}

static inline void add_lines(struct text *out, const double *gene)
{
    static const char *const name[] = { "red", "green", "blue" };

    for (int i = 0; i < 3; i++) {
        text_addf(out, ", \"%s\": [", name[i]);
        for (int j = 0; j < 3; j++)
            text_addf(out, "%.4f, ", gene_between(gene[3 * i + j], -0.6, 0.6) + (i == j ? 0.7 : 0));
        text_addf(out, "%.1f]", gene_between(gene[9 + i], -60, 60));
    }
}

enum { CASE_MOVES = 10, CASE_KINDS = 27 };

static inline void case_print_step(const struct case_step *s, struct text *out)
{
    const double *g = s->gene;

    switch (s->kind) {
    case 0:
        text_addf(out, "{\"type\": \"rotate\", \"angle\": %.4f, \"expand\": %s",
                  gene_between(g[0], -180, 180), g[1] < 0.3 ? "true" : "false");
        add_taps(out, g[2]);
        add_fill(out, g + 3);
        break;
    case 1:
        text_addf(
            out,
            "{\"type\": \"affine\", \"angle\": %.4f, \"translate\": [%.4f, %.4f], \"scale\": %.5f, "
            "\"shear\": [%.4f, %.4f]",
            gene_between(g[0], -180, 180), gene_between(g[1], -60, 60), gene_between(g[2], -60, 60),
            gene_scale(g[3], 0.05, 20), g[4] < 0.5 ? 0 : gene_between(g[4], -75, 75),
            g[5] < 0.7 ? 0 : gene_between(g[5], -75, 75));
        add_taps(out, g[6]);
        add_fill(out, g + 7);
        break;
    case 2:
        text_addf(out, "{\"type\": \"resize\", \"size\": [%d, %d]", (int)gene_scale(g[0], 8, 480),
                  (int)gene_scale(g[1], 8, 480));
        add_resample(out, g + 2);
        break;
    case 3:
        text_addf(out,
                  "{\"type\": \"resized_crop\", \"top\": %d, \"left\": %d, \"height\": %d, "
                  "\"width\": %d, "
                  "\"size\": [%d, %d]",
                  gene_int(g[0], 0, 60), gene_int(g[1], 0, 60), (int)gene_scale(g[2], 6, 150),
                  (int)gene_scale(g[3], 6, 150), (int)gene_scale(g[4], 8, 480),
                  (int)gene_scale(g[5], 8, 480));
        add_resample(out, g + 6);
        break;
    case 4:
        text_addf(out,
                  "{\"type\": \"crop\", \"top\": %d, \"left\": %d, \"height\": %d, \"width\": %d",
                  gene_int(g[0], -20, 60), gene_int(g[1], -20, 60), gene_int(g[2], 20, 160),
                  gene_int(g[3], 20, 160));
        break;
    case 5:
        text_addf(out,
                  "{\"type\": \"pad\", \"padding\": [%d, %d, %d, %d], \"padding_mode\": \"%s\"",
                  gene_int(g[0], -20, 40), gene_int(g[1], -20, 40), gene_int(g[2], -20, 40),
                  gene_int(g[3], -20, 40),
                  g[7] < 0.8   ? "constant"
                  : g[7] < 0.9 ? "edge"
                               : "symmetric");
        add_fill(out, g + 4);
        break;
    case 6:
        text_addf(out, "{\"type\": \"horizontal_flip\"");
        break;
    case 7:
        text_addf(out, "{\"type\": \"vertical_flip\"");
        break;
    case 8:
        text_addf(out, "{\"type\": \"transpose\"");
        break;
    case 9: /* about the size that it was: what usual pipelines do */
        text_addf(
            out,
            "{\"type\": \"affine\", \"angle\": %.4f, \"translate\": [%.4f, %.4f], \"scale\": %.5f, "
            "\"shear\": [%.4f, 0]",
            gene_between(g[0], -30, 30), gene_between(g[1], -20, 20), gene_between(g[2], -20, 20),
            gene_scale(g[3], 0.7, 1.4), gene_between(g[4], -15, 15));
        add_taps(out, g[6]);
        add_fill(out, g + 7);
        break;
    case 10:
        text_addf(out, "{\"type\": \"adjust_brightness\", \"brightness_factor\": %.4f",
                  gene_factor(g[0]));
        break;
    case 11:
        text_addf(out, "{\"type\": \"adjust_contrast\", \"contrast_factor\": %.4f",
                  gene_factor(g[0]));
        break;
    case 12:
        text_addf(out, "{\"type\": \"adjust_saturation\", \"saturation_factor\": %.4f",
                  gene_factor(g[0]));
        break;
    case 13:
        text_addf(out, "{\"type\": \"adjust_hue\", \"hue_factor\": %.4f",
                  g[1] < 0.7 ? gene_between(g[0], -0.05, 0.05) : gene_between(g[0], -0.5, 0.5));
        break;
    case 14:
        text_addf(out, "{\"type\": \"invert\"");
        break;
    case 15:
        text_addf(out, "{\"type\": \"rgb_to_grayscale\", \"num_output_channels\": 3");
        break;
    case 16:
        text_addf(
            out,
            "{\"type\": \"shift_rgb\", \"r_shift\": %.3f, \"g_shift\": %.3f, \"b_shift\": %.3f",
            gene_between(g[0], -255, 255), gene_between(g[g[3] < 0.3 ? 0 : 1], -255, 255),
            gene_between(g[g[3] < 0.3 ? 0 : 2], -255, 255));
        break;
    case 17:
        text_addf(out,
                  "{\"type\": \"scale_bands\", \"factor\": [%.4f, %.4f, %.4f], \"offset\": %.3f",
                  gene_factor(g[0]), gene_factor(g[g[4] < 0.5 ? 0 : 1]),
                  gene_factor(g[g[4] < 0.5 ? 0 : 2]), gene_between(g[3], -255, 255));
        break;
    case 18: {
        int first = gene_int(g[0], 0, 2), step = gene_int(g[1], 1, 2);

        text_addf(out, "{\"type\": \"permute_channels\", \"permutation\": [%d, %d, %d]", first,
                  (first + step) % 3, (first + 2 * step) % 3);
        break;
    }
    case 19:
        text_addf(out, "{\"type\": \"color_matrix\"");
        add_lines(out, g);
        break;
    case 20:
        text_addf(out, "{\"type\": \"adjust_gamma\", \"gamma\": %.4f", gene_scale(g[0], 0.2, 5));
        break;
    case 21: /* as colour jitters have them */
        text_addf(out, "{\"type\": \"adjust_brightness\", \"brightness_factor\": %.4f",
                  gene_between(g[0], 0.6, 1.4));
        break;
    case 23:
        text_addf(out, "{\"type\": \"posterize\", \"bits\": %d", gene_int(g[0], 2, 8));
        break;
    case 24:
        text_addf(out, "{\"type\": \"autocontrast\"");
        break;
    case 25:
        text_addf(out, "{\"type\": \"equalize\"");
        break;
    case 22:
        text_addf(out, "{\"type\": \"adjust_contrast\", \"contrast_factor\": %.4f",
                  gene_between(g[0], 0.6, 1.4));
        break;
    default:
        text_addf(out, "{\"type\": \"adjust_saturation\", \"saturation_factor\": %.4f",
                  gene_between(g[0], 0.6, 1.4));
    }
    text_addc(out, '}');
}

static inline void case_print(const struct fast_case *c, struct text *out)
{
    for (size_t i = 0; i < c->n; i++) {
        text_adds(out, i ? ", " : "");
        case_print_step(&c->step[i], out);
    }
}

static inline struct case_step case_random_step(void)
{
    struct case_step s = { .kind = unit_int(0, CASE_KINDS - 1) };

    for (int i = 0; i < CASE_GENES; i++)
        s.gene[i] = unit_share();
    return s;
}

static inline struct fast_case case_random(int n_pictures)
{
    struct fast_case c = { .n = (size_t)unit_int(2, CASE_STEPS),
                           .medium = unit_int(0, MEDIA - 1),
                           .picture = unit_int(0, n_pictures - 1) };

    for (size_t i = 0; i < c.n; i++)
        c.step[i] = case_random_step();
    return c;
}

/* A neighbour: a few numbers moved, by little or by much; now and then another step or picture. */
static inline struct fast_case case_near(const struct fast_case *c, int n_pictures)
{
    struct fast_case next = *c;
    double reach = pow(10, -3 * unit_share());
    struct case_step *s = &next.step[unit_int(0, (int)next.n - 1)];

    switch (unit_int(0, 11)) {
    case 0:
        *s = case_random_step();
        break;
    case 1:
        if (next.n > 2)
            *s = next.step[--next.n];
        break;
    case 2:
        if (next.n < CASE_STEPS) {
            next.step[next.n++] = *s;
            *s = case_random_step();
        }
        break;
    case 3:
        next.picture = unit_int(0, n_pictures - 1);
        break;
    case 4: {
        struct case_step first = next.step[0];

        next.step[0] = *s;
        *s = first;
        break;
    }
    default:
        for (int i = unit_int(1, 3); i > 0; i--) {
            double *gene =
                &next.step[unit_int(0, (int)next.n - 1)].gene[unit_int(0, CASE_GENES - 1)];

            *gene = fmin(1, fmax(0, *gene + reach * (2 * unit_share() - 1)));
        }
    }
    return next;
}

/* --- measuring --- */

struct fast_result {
    bool measured;
    unsigned used;                            /* shortcuts, as bits */
    double none_truth, fast_truth, fast_none; /* mean squared errors */
    int mask_off;  /* pixels of the label mask that are off by more than is stated */
    double excess; /* root of the error over what is allowed; above 1: broken */
};

static inline double case_error(const struct plane *a, const struct plane *b)
{
    double sum = 0, n = (double)a->width * a->height * 3;

    if (a->width != b->width || a->height != b->height || a->bands != 3 || b->bands != 3)
        return INFINITY;
    for (int y = 0; y < a->height; y++)
        for (int i = 0; i < a->width * 3; i++) {
            double d = ((uint8_t *)a->px)[(size_t)y * a->stride + (size_t)i] -
                       ((uint8_t *)b->px)[(size_t)y * b->stride + (size_t)i];

            sum += d * d;
        }
    return sum / n;
}

/* Pixels at the edges of canvases are left out: how wide a border falls to its fill is not what is
 * stated. */
static inline double case_error_truth(const struct plane *a, const float *truth,
                                      const struct drawing *drawing, const struct action *action)
{
    double sum = 0, n = 0;

    for (int y = 0; y < a->height; y++)
        for (int x = 0; x < a->width; x++) {
            const uint8_t *px = (uint8_t *)a->px + (size_t)y * a->stride + 3 * (size_t)x;
            const float *v = truth + 3 * ((size_t)y * (size_t)a->width + (size_t)x);

            if (is_crossed(action, drawing->n, x, y, 1))
                continue;
            n += 3;
            for (int c = 0; c < 3; c++)
                sum += (px[c] - (double)v[c]) * (px[c] - (double)v[c]);
        }
    return n > 0 ? sum / n : 0;
}

static inline bool case_plan(const char *steps, struct plan *plan)
{
    struct text json = { 0 };
    struct faults faults = { .name = "test" };
    bool good;

    text_addf(&json, "{\"version\": 1, \"transforms\": [%s]}", steps);
    faults.text = (struct slice){ json.at, json.length };
    good = plan_read(&faults, plan);
    if (!good)
        faults_print(&faults, 3, &json);
    if (!CHECK(good))
        fputs(text_string(&json), stderr);
    faults_drop(&faults);
    text_drop(&json);
    return good;
}

/* As a file of the medium, read again by who gets it. */
static inline struct plane case_render(const struct drawing *drawing, enum optimize how,
                                       const struct scene_picture *s, enum medium medium,
                                       unsigned *used)
{
    bool from_jpeg = medium != MEDIUM_PIXELS, jpegs = medium >= MEDIUM_JPEG;
    enum subsampling subsampling = medium == MEDIUM_JPEG_444 ? SUBSAMPLING_444 : SUBSAMPLING_420;
    struct passes passes = passes_of(drawing, how, &arena, NULL);
    struct picture source = { .plane = s->rgb,
                              .shrink = 1,
                              .full = { s->rgb.width, s->rgb.height } };
    struct picture_wish wish = { 0 };
    struct text why = { 0 };
    struct picture out;
    struct plane plane = { 0 };

    if (from_jpeg) {
        render_wish(drawing, &passes, jpegs, &wish);
        source = case_read(&s->jpeg[subsampling == SUBSAMPLING_444], &wish);
    }
    *used = shortcuts_of(drawing, &passes, &wish);
    if (CHECK(render_image(drawing, &passes, &source, subsampling, &pool, &arena, &out, &why))) {
        struct picture seen = out;
        struct text again = { 0 };

        if (jpegs) {
            again = case_jpeg(&out, subsampling, 100);
            seen = case_read(&again, NULL);
        }
        plane = pool_plane(&pool, (struct frame){ seen.plane.width, seen.plane.height },
                           seen.plane.bands, PIXEL_U8);
        plane_copy(&seen.plane, &plane);
        if (jpegs)
            picture_drop(&seen, &pool);
        text_drop(&again);
        render_drop(&out, &source, &pool);
    }
    if (from_jpeg)
        picture_drop(&source, &pool);
    text_drop(&why);
    return plane;
}

static inline double truth_luma(const float *rgb, struct frame f)
{
    size_t n = (size_t)f.width * (size_t)f.height;
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += 0.299 * (double)rgb[3 * i] + 0.587 * (double)rgb[3 * i + 1] +
               0.114 * (double)rgb[3 * i + 2];
    return sum / (double)n;
}

/* The actions: means are the truth's own; what must see more is resolved as mode none does it. */
static inline struct action *case_actions(const struct drawing *drawing, const struct plane *source,
                                          const struct truth *t)
{
    struct action *action = ARENA_ARRAY(&arena, struct action, drawing->n + 1);

    for (size_t i = 0; i < drawing->n; i++) {
        const struct drawn *d = &drawing->at[i];
        struct drawing before = *drawing;
        struct text why = { 0 };
        struct tally tally;
        struct stats stats;
        struct plane seen;

        action[i] = d->action;
        if (!d->op->needs)
            continue;
        before.n = i;
        CHECK(render_plane(&before, OPTIMIZE_NONE, source, &pool, &arena, &seen));
        tally = tally_begin(&(struct flow){ .arena = &arena }, &seen, d->op->needs);
        tally_add(&tally, &seen);
        stats = tally_end(&tally);
        if (d->op->needs == LUMA) {
            struct frame frame = { seen.width, seen.height };
            float *rgb = truth_render(t, &before, action, frame);

            stats.luma = truth_luma(rgb, frame);
            free(rgb);
        }
        CHECK(drawn_resolve(d, &stats, &arena, &action[i], &why));
        drop_rendered(&pool, source, &seen);
        text_drop(&why);
    }
    return action;
}

/* What is stated, as a root mean square: of the shortcuts but those that resample. */
static inline double case_allowed(unsigned used)
{
    double sum = 0;

    for (int i = 0; i < SHORTCUTS; i++)
        if (used & 1U << i && shortcuts[i].psnr > 0)
            sum += 255 * pow(10, -shortcuts[i].psnr / 20);
    return sum;
}

static inline bool case_resamples(unsigned used)
{
    return used & (1U << SHORTCUT_ONE_RESAMPLE | 1U << SHORTCUT_DECODER_SCALE);
}

/* Large labels, so that their edges are far from each other. */
static inline struct plane case_labels(struct frame f)
{
    struct plane p = pool_plane(&pool, f, 1, PIXEL_U8);

    for (int y = 0; y < f.height; y++)
        for (int x = 0; x < f.width; x++)
            ((uint8_t *)p.px)[(size_t)y * p.stride + (size_t)x] =
                (uint8_t)(1 + x / 40 + 4 * (y / 40));
    return p;
}

static inline uint8_t label_at(const struct plane *p, int x, int y)
{
    return ((uint8_t *)p->px)[(size_t)y * p->stride + (size_t)x];
}

/* Is the label one that the other mask has there, or a pixel away (or the canvas ends there)? */
static inline bool is_label_near(const struct plane *p, int x, int y, uint8_t label)
{
    for (int i = y - 1; i <= y + 1; i++)
        for (int j = x - 1; j <= x + 1; j++)
            if (i < 0 || j < 0 || i >= p->height || j >= p->width || label_at(p, j, i) == label)
                return true;
    return false;
}

/* Has the label some of the pixels around? What is smaller may be met by one nearest pixel, and
 * missed by another. */
static inline bool is_label_wide(const struct plane *p, int x, int y)
{
    int n = 0;

    for (int i = y > 0 ? y - 1 : 0; i <= y + 1 && i < p->height; i++)
        for (int j = x > 0 ? x - 1 : 0; j <= x + 1 && j < p->width; j++)
            n += label_at(p, j, i) == label_at(p, x, y);
    return n > 4;
}

static inline int labels_off(const struct plane *none, const struct plane *fast)
{
    int n = 0;

    for (int y = 0; y < none->height; y++)
        for (int x = 0; x < none->width; x++)
            n += is_label_wide(fast, x, y) && !is_label_near(none, x, y, label_at(fast, x, y));
    return n;
}

static inline int case_mask_off(const struct drawing *drawing, struct frame frame)
{
    struct plane source = case_labels(frame), none, fast;
    int n;

    render_mask(drawing, OPTIMIZE_NONE, &source, &pool, &arena, &none);
    render_mask(drawing, OPTIMIZE_FAST, &source, &pool, &arena, &fast);
    n = labels_off(&none, &fast);
    drop_rendered(&pool, &source, &none);
    drop_rendered(&pool, &source, &fast);
    pool_return(&pool, &source);
    return n;
}

static inline struct fast_result case_compare(const struct drawing *drawing,
                                              const struct scene_picture *s, enum medium medium)
{
    struct fast_result r = { .measured = true };
    unsigned unused;
    struct plane none = case_render(drawing, OPTIMIZE_NONE, s, medium, &unused);
    struct plane fast = case_render(drawing, OPTIMIZE_FAST, s, medium, &r.used);
    double allowed = case_allowed(r.used);

    r.mask_off = case_mask_off(drawing, (struct frame){ s->rgb.width, s->rgb.height });
    r.fast_none = case_error(&none, &fast);
    r.excess = sqrt(r.fast_none) / (allowed > 0 ? allowed : 1e-9);
    if (case_resamples(r.used)) {
        struct picture whole = { 0 };
        const struct truth *t = &s->truth;
        const struct plane *source = &s->rgb;
        struct action *action;
        float *truth;

        if (medium != MEDIUM_PIXELS) {
            int k = medium == MEDIUM_JPEG_444;

            whole = case_read(&s->jpeg[k], NULL);
            source = &whole.plane;
            t = &s->truth_jpeg[k];
        }
        action = case_actions(drawing, source, t);
        truth = truth_render(t, drawing, action, (struct frame){ none.width, none.height });
        r.none_truth = case_error_truth(&none, truth, drawing, action);
        r.fast_truth = case_error_truth(&fast, truth, drawing, action);
        allowed = pow(sqrt(SHORTCUT_LOSS * r.none_truth + SHORTCUT_LOSS_MORE) + allowed, 2) -
                  r.none_truth;
        r.excess = sqrt(fmax(0, r.fast_truth - r.none_truth) / allowed);
        free(truth);
        if (medium != MEDIUM_PIXELS)
            picture_drop(&whole, &pool);
    }
    pool_return(&pool, &none);
    pool_return(&pool, &fast);
    return r;
}

/* Is it of a size that is soon done, and not so small that all of it is border? There, filters of
 * mode none end at a crop's edge, and those of fast see beyond. */
static inline bool case_is_small(const struct drawing *drawing, struct frame frame)
{
    for (size_t i = 0; i < drawing->n; i++) {
        struct frame out = drawing->at[i].action.out;

        if (!drawing->at[i].op->needs &&
            ((double)out.width * out.height > CASE_MOST || out.width < 4 || out.height < 4))
            return false;
    }
    return frame.width >= 16 && frame.height >= 16;
}

static inline struct fast_result case_measure(const char *steps, const struct scene_picture *s,
                                              enum medium medium)
{
    struct fast_result r = { 0 };
    struct sample sample = { .arena = &arena, .frame = { s->rgb.width, s->rgb.height } };
    struct drawing drawing;
    struct text why = { 0 };
    struct plan plan;

    if (case_plan(steps, &plan) &&
        plan_apply(&plan, &(struct lot){ .seed = 1 }, (struct pixel_kind){ PIXEL_U8, 3 }, &sample,
                   &drawing, &why) &&
        case_is_small(&drawing, sample.frame))
        r = case_compare(&drawing, s, medium);
    plan_drop(&plan);
    text_drop(&why);
    arena_reset(&arena);
    return r;
}
