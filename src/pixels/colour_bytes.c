/* colour_bytes: functions of colours that move bands or weigh them to luma, and the short ways that
 * bytes have for them: the same bits without floats of all bands between. */
#include "samples.h"

#include <string.h>

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

/* Four bytes at a time, of which the next pixel overwrites the last. */
static void spread_row(const uint8_t *in, uint8_t *out, size_t width)
{
    for (size_t x = 0; x + 1 < width; x++) {
        uint32_t v = in[x] * 0x01010101u;

        memcpy(out + 3 * x, &v, sizeof v);
    }
    memset(out + 3 * (width - 1), in[width - 1], 3);
}

static void permute_row(const uint8_t *in, uint8_t *out, const int *from, size_t width)
{
    size_t red = (size_t)from[0], green = (size_t)from[1], blue = (size_t)from[2];

    for (size_t i = 0; i < 3 * width; i += 3) {
        uint8_t r = in[i + red], g = in[i + green], b = in[i + blue];

        out[i] = r;
        out[i + 1] = g;
        out[i + 2] = b;
    }
}

/* Picked apart first, which the weighing in vectors is worth. */
VARIANTS static void luma_row(const uint8_t *in, uint8_t *out, size_t width)
{
    enum { PIECE = 256 };
    uint8_t r[PIECE], g[PIECE], b[PIECE];

    for (size_t n; width > 0; width -= n, in += 3 * n, out += n) {
        n = width < PIECE ? width : PIECE;
        for (size_t i = 0; i < n; i++) {
            r[i] = in[3 * i];
            g[i] = in[3 * i + 1];
            b[i] = in[3 * i + 2];
        }
        for (size_t i = 0; i < n; i++)
            out[i] = (uint8_t)sample_round(luma((float)r[i], (float)g[i], (float)b[i]), 255);
    }
}

bool colour_bytes(const struct plane *in, struct plane *out, colour_fn *f, const void *context)
{
    bool spread = f == colour_same && in->bands == 1 && out->bands == 3;
    bool permute = f == colour_permute && in->bands == 3 && out->bands == 3;
    bool weigh = f == colour_luma && in->bands == 3 && out->bands == 1;

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
            luma_row(from, to, (size_t)in->width);
    }
    return true;
}
