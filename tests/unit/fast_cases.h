/* fast_cases: random pipelines over all that the shortcuts of mode fast touch. */
#pragma once

#include "base/text.h"
#include "unit.h"

#include <math.h>
#include <string.h>

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

/* Maps [0, 1] to [lo, hi] exponentially: half of the values are below the geometric mean. */
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
    static const char *const interpolation[] = { "nearest", "bilinear", "bilinear", "bicubic",
                                                 "lanczos" };

    text_addf(out, ", \"interpolation\": \"%s\", \"antialias\": %s",
              interpolation[gene_int(gene[0], 0, 4)], gene[1] < 0.75 ? "true" : "false");
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

enum { CASE_MOVES = 10, CASE_KINDS = 28 };

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
    case 9: /* about the original size, as in usual pipelines */
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
    case 26: /* as far as its paper goes, and further */
        text_addf(out, "{\"type\": \"fancy_pca\", \"alpha\": [%.4f, %.4f, %.4f]",
                  gene_between(g[0], -1, 1), gene_between(g[1], -1, 1), gene_between(g[2], -1, 1));
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

static inline struct fast_case case_random(int n_media, int n_pictures)
{
    struct fast_case c = { .n = (size_t)unit_int(2, CASE_STEPS),
                           .medium = unit_int(0, n_media - 1),
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
