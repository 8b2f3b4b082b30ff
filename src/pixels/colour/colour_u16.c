/* colour_u16: functions of colors that permute or weigh channels, for 16-bit samples. Channels are
 * vectors of words, weighed on their own scale in integers. Luma, and sums that exceed the
 * integers, are computed in floats. */
#include "pixels/samples.h"
#include "pixels/simd/matrix_u16.h"
#include "pixels/simd/deinterleave_u16.h"

#include <string.h>

enum { WORDS = 512 };

/* A function that changes the channels of a piece in place. */
typedef void piece_fn(const void *context, uint16_t *restrict r, uint16_t *restrict g,
                      uint16_t *restrict b, size_t n);

/* Weighs the channels in floats, for weights that do not fit integers. */
VARIANTS static void weigh_piece(const void *context, uint16_t *restrict r, uint16_t *restrict g,
                                 uint16_t *restrict b, size_t n)
{
    const struct colour_matrix k = *(const struct colour_matrix *)context;

    for (size_t i = 0; i < n; i++) {
        float red = r[i], green = g[i], blue = b[i];

        r[i] = (uint16_t)sample_round(
            k.m[0][0] * red + k.m[0][1] * green + k.m[0][2] * blue + k.m[0][3] * 257, 65535);
        g[i] = (uint16_t)sample_round(
            k.m[1][0] * red + k.m[1][1] * green + k.m[1][2] * blue + k.m[1][3] * 257, 65535);
        b[i] = (uint16_t)sample_round(
            k.m[2][0] * red + k.m[2][1] * green + k.m[2][2] * blue + k.m[2][3] * 257, 65535);
    }
}

VARIANTS static void luma_piece(const void *context, uint16_t *restrict r, uint16_t *restrict g,
                                uint16_t *restrict b, size_t n)
{
    (void)context;
    for (size_t i = 0; i < n; i++)
        r[i] = (uint16_t)sample_round(
            0.299f * (float)r[i] + 0.587f * (float)g[i] + 0.114f * (float)b[i], 65535);
}

/* The same as colour_saturate, but gray is rounded down on the samples' own scale, as in
 * torchvision, not on the scale of bytes. */
VARIANTS static void saturate_piece(const void *context, uint16_t *restrict r, uint16_t *restrict g,
                                    uint16_t *restrict b, size_t n)
{
    float factor = *(const float *)context, rest = 1 - factor;

    for (size_t i = 0; i < n; i++) {
        float red = r[i], green = g[i], blue = b[i];
        float gray = (float)(int)(0.2989f * red + 0.587f * green + 0.114f * blue) * rest;

        r[i] = (uint16_t)sample_round(gray + red * factor, 65535);
        g[i] = (uint16_t)sample_round(gray + green * factor, 65535);
        b[i] = (uint16_t)sample_round(gray + blue * factor, 65535);
    }
}

static void weigh_sums(const void *context, uint16_t *restrict r, uint16_t *restrict g,
                       uint16_t *restrict b, size_t n)
{
    weigh_words(context, r, g, b, n);
}

static void saturate_sums(const void *context, uint16_t *restrict r, uint16_t *restrict g,
                          uint16_t *restrict b, size_t n)
{
    blend_gray_words(context, r, g, b, n);
}

/* The function for pieces of rows, and its sums if it uses integers. */
struct work {
    piece_fn *piece;
    const void *context;
    struct word_sum sum[3];
};

static bool make_matrix_sums(const struct colour_matrix *m, struct word_sum sum[3])
{
    for (int i = 0; i < 3; i++)
        if (!word_sum_make(m->m[i], (double)m->m[i][3] * 257, &sum[i]))
            return false;
    return true;
}

static bool make_factor_sum(float factor, struct word_sum *sum)
{
    return word_sum_make((const float[]){ factor, 1 - factor, 0 }, 0, sum);
}

/* Chooses the work for a function of colors. False if there is none. */
static bool choose_work(colour_fn *f, const void *context, struct work *w)
{
    bool fits = f == colour_by_matrix  ? make_matrix_sums(context, w->sum)
                : f == colour_saturate ? make_factor_sum(*(const float *)context, w->sum)
                                       : false;

    w->context = fits ? w->sum : context;
    w->piece = f == colour_by_matrix  ? fits ? weigh_sums : weigh_piece
               : f == colour_saturate ? fits ? saturate_sums : saturate_piece
               : f == colour_luma     ? luma_piece
                                      : NULL;
    return w->piece != NULL;
}

/* Returns how many pixels of three words were done by vectors, if the processor has them. */
static size_t threes_at_once(const uint16_t *in, uint16_t *out, size_t step_out, size_t width,
                             const struct work *w)
{
    if (w->piece == luma_piece && step_out == 1)
        return words_luma(in, out, width);
    if (!cpu_has_feature(CPU_AVX512_VBMI))
        return 0;
    if (w->piece == weigh_sums)
        return weigh_words_32(w->sum, in, out, width);
    if (w->piece == saturate_sums)
        return blend_gray_words_32(w->sum, in, out, width);
    return 0;
}

/* Converts a row of pixels of `step` words to one of pixels of step_out words. */
static void words_row(const uint16_t *in, size_t step, uint16_t *out, size_t step_out, size_t width,
                      const struct work *w)
{
    uint16_t word[3][WORDS];
    uint16_t *const channel[3] = { word[0], word[1], word[2] };
    size_t done = step == 3 ? threes_at_once(in, out, step_out, width, w) : 0;

    in += step * done;
    out += step_out * done;
    width -= done;
    for (size_t n; width > 0; width -= n, in += step * n, out += step_out * n) {
        n = width < WORDS ? width : WORDS;
        words_deinterleave(in, step, channel, n);
        w->piece(w->context, word[0], word[1], word[2], n);
        if (step_out == 1)
            memcpy(out, word[0], n * sizeof *out);
        else if (w->piece == luma_piece)
            words_interleave((const uint16_t *const[]){ word[0], word[0], word[0] }, out, step_out,
                             n);
        else
            words_interleave((const uint16_t *const[]){ word[0], word[1], word[2] }, out, step_out,
                             n);
    }
}

static void spread_words(const uint16_t *in, uint16_t *out, size_t width)
{
    words_interleave((const uint16_t *const[]){ in, in, in }, out, 3, width);
}

static void permute_words(const uint16_t *in, uint16_t *out, const int *from, size_t width)
{
    uint16_t word[3][WORDS];

    for (size_t n; width > 0; width -= n, in += 3 * n, out += 3 * n) {
        n = width < WORDS ? width : WORDS;
        words_deinterleave(in, 3, (uint16_t *const[]){ word[0], word[1], word[2] }, n);
        words_interleave((const uint16_t *const[]){ word[from[0]], word[from[1]], word[from[2]] },
                         out, 3, n);
    }
}

bool colour_words(const struct plane *in, struct plane *out, colour_fn *f, const void *context)
{
    bool spread = f == colour_same && in->channels == 1 && out->channels == 3;
    bool permute = f == colour_permute && in->channels == 3 && out->channels == 3;
    bool same = in->channels == out->channels && in->channels >= 3;
    bool gray = f == colour_luma && in->channels == 3 && out->channels == 1;
    struct work w;
    bool weigh = (same || gray) && choose_work(f, context, &w);

    if (in->type != PIXEL_U16 || !(spread || permute || weigh))
        return false;
    for (int y = 0; y < in->height; y++) {
        const uint16_t *from = (const uint16_t *)(const void *)plane_row(in, y);
        uint16_t *to = (uint16_t *)(void *)plane_row(out, y);

        if (spread)
            spread_words(from, to, (size_t)in->width);
        else if (permute)
            permute_words(from, to, context, (size_t)in->width);
        else
            words_row(from, (size_t)in->channels, to, (size_t)out->channels, (size_t)in->width, &w);
        if (weigh && same && in->px != out->px)
            row_copy_alpha(in, out, y);
    }
    return true;
}
