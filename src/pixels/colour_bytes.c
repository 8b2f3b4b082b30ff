/* colour_bytes: functions of colours that move channels or weigh them to luma, and the short ways
 * that bytes have for them: the same bits without floats of all channels between. */
#include "samples.h"

enum { PIECE = 256 };

void colour_same(const void *context, float *restrict r, float *restrict g, float *restrict b,
                 int n)
{
    (void)context;
    (void)r;
    (void)g;
    (void)b;
    (void)n;
}

void colour_permute(const void *context, float *restrict r, float *restrict g, float *restrict b,
                    int n)
{
    const int *from = context;

    for (int i = 0; i < n; i++) {
        float old[3] = { r[i], g[i], b[i] };

        r[i] = old[from[0]];
        g[i] = old[from[1]];
        b[i] = old[from[2]];
    }
}

ALWAYS_INLINE float luma(float r, float g, float b)
{
    return 0.299f * r + 0.587f * g + 0.114f * b;
}

void colour_luma(const void *context, float *restrict r, float *restrict g, float *restrict b,
                 int n)
{
    (void)context;
    for (int i = 0; i < n; i++)
        r[i] = g[i] = b[i] = luma(r[i], g[i], b[i]);
}

static void spread_row(const uint8_t *in, uint8_t *out, size_t width)
{
    bytes_together(in, in, in, out, width);
}

static void permute_row(const uint8_t *in, uint8_t *out, const int *from, size_t width)
{
    uint8_t byte[3][PIECE];

    for (size_t n; width > 0; width -= n, in += 3 * n, out += 3 * n) {
        n = width < PIECE ? width : PIECE;
        bytes_apart(in, byte[0], byte[1], byte[2], n);
        bytes_together(byte[from[0]], byte[from[1]], byte[from[2]], out, n);
    }
}

VARIANTS static void weigh_channels(const uint8_t *restrict r, const uint8_t *restrict g,
                                    const uint8_t *restrict b, uint8_t *restrict out, size_t n)
{
    for (size_t i = 0; i < n; i++)
        out[i] = (uint8_t)sample_round(luma((float)r[i], (float)g[i], (float)b[i]), 255);
}

/* Picked apart first, which the weighing in vectors is worth. In one channel, or in three. */
static void luma_row(const uint8_t *in, uint8_t *out, size_t channels, size_t width)
{
    uint8_t r[PIECE], g[PIECE], b[PIECE], gray[PIECE];

    for (size_t n; width > 0; width -= n, in += 3 * n, out += channels * n) {
        n = width < PIECE ? width : PIECE;
        bytes_apart(in, r, g, b, n);
        weigh_channels(r, g, b, channels == 1 ? out : gray, n);
        if (channels == 3)
            bytes_together(gray, gray, gray, out, n);
    }
}

bool colour_bytes(const struct plane *in, struct plane *out, colour_fn *f, const void *context)
{
    bool spread = f == colour_same && in->channels == 1 && out->channels == 3;
    bool permute = f == colour_permute && in->channels == 3 && out->channels == 3;
    bool weigh =
        f == colour_luma && in->channels == 3 && (out->channels == 1 || out->channels == 3);

    if (in->type != PIXEL_U8 || !(spread || permute || weigh))
        return false;
    for (int y = 0; y < in->height; y++) {
        const uint8_t *from = plane_row(in, y);
        uint8_t *to = plane_row(out, y);

        if (spread)
            spread_row(from, to, (size_t)in->width);
        else if (permute)
            permute_row(from, to, context, (size_t)in->width);
        else
            luma_row(from, to, (size_t)out->channels, (size_t)in->width);
    }
    return true;
}
