/* sharpness: moves pixels away from a small blur. */
#include "pixels/filters.h"
#include "pixels/samples.h"

#include <string.h>

/* Handles samples [at, n) of a row whose neighbors are `channels` samples and one row away. */
VARIANTS static void sharpen_words(const void *const row[3], void *restrict to, size_t channels,
                                   float factor, size_t at, size_t n)
{
    for (size_t i = at; i < n; i++) {
        int own = sample_level(row[1], PIXEL_U16, i),
            sum = 5 * own + sample_level(row[0], PIXEL_U16, i) + sample_level(row[2], PIXEL_U16, i);
        float blurred;

        for (int k = 0; k < 3; k++)
            sum += sample_level(row[k], PIXEL_U16, i - channels) +
                   sample_level(row[k], PIXEL_U16, i + channels);
        /* A multiple of 1/13 is never near a half. */
        blurred = (float)(int)((float)sum * (1 / 13.f) + 0.5f);
        sample_store(to, PIXEL_U16, i, blurred + factor * ((float)own - blurred));
    }
}

/* The same for bytes, whose sums fit 16 bits. Columns of three are added once for the three squares
 * that contain them. 5042 / 2^16 is slightly more than 1/13, but gives the same integer part for
 * all sums up to 13 * 255 + 6. */
VARIANTS static void sharpen_bytes(const void *const row[3], uint8_t *restrict to, size_t channels,
                                   float factor, size_t at, size_t n)
{
    enum { PIECE = 1024, MAX_CHANNELS = 4 };
    uint16_t column[PIECE + 2 * MAX_CHANNELS], blurred[PIECE];

    for (size_t m; at < n; at += m) {
        const uint8_t *above = row[0], *own = row[1], *below = row[2];

        m = n - at < PIECE ? n - at : PIECE;
        above += at - channels;
        below += at - channels;
        own += at - channels;
        for (size_t i = 0; i < m + 2 * channels; i++)
            column[i] = (uint16_t)(above[i] + own[i] + below[i]);
        own += channels;
        for (size_t i = 0; i < m; i++) {
            uint16_t sum = (uint16_t)(column[i] + column[i + channels] + column[i + 2 * channels]);

            sum = (uint16_t)(sum + 4 * own[i] + 6);
            blurred[i] = (uint16_t)((uint32_t)sum * 5042 >> 16);
        }
        for (size_t i = 0; i < m; i++) {
            float soft = (float)blurred[i];

            sample_store(to, PIXEL_U8, at + i, soft + factor * ((float)own[i] - soft));
        }
    }
}

static void sharpen_row(const void *const row[3], void *to, const struct plane *p, float factor)
{
    size_t channels = (size_t)p->channels, end = (size_t)(p->width - 1) * channels;

    if (p->type == PIXEL_U8)
        sharpen_bytes(row, to, channels, factor, channels, end);
    else
        sharpen_words(row, to, channels, factor, channels, end);
}

void plane_sharpness(const struct plane *in, struct plane *out, float factor)
{
    size_t pixel = pixel_type_size(in->type) * (size_t)in->channels;
    size_t last = (size_t)(in->width - 1) * pixel;

    if (in->width < 3 || in->height < 3) {
        plane_copy(in, out);
        return;
    }
    for (int y = 0; y < in->height; y++) {
        const void *row[3] = { plane_row(in, y ? y - 1 : 0), plane_row(in, y),
                               plane_row(in, y < in->height - 1 ? y + 1 : y) };

        if (y == 0 || y == in->height - 1) {
            memcpy(plane_row(out, y), row[1], last + pixel);
            continue;
        }
        sharpen_row(row, plane_row(out, y), in, factor);
        memcpy(plane_row(out, y), row[1], pixel);
        memcpy(plane_row(out, y) + last, plane_row(in, y) + last, pixel);
        row_copy_alpha(in, out, y);
    }
}
