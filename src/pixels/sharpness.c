/* sharpness: pixels are moved away from what a small blur makes of them. */
#include "filters.h"
#include "samples.h"

#include <string.h>

/* Samples [at, n) of a row whose neighbours are `channels` samples and one row away. */
ALWAYS_INLINE void sharpen(const void *const row[3], void *restrict to, enum pixel_type type,
                           size_t channels, float factor, size_t at, size_t n)
{
    for (size_t i = at; i < n; i++) {
        int own = sample_level(row[1], type, i),
            sum = 5 * own + sample_level(row[0], type, i) + sample_level(row[2], type, i);
        float blurred;

        for (int k = 0; k < 3; k++)
            sum +=
                sample_level(row[k], type, i - channels) + sample_level(row[k], type, i + channels);
        /* A thirteenth is never near a half. */
        blurred = (float)(int)((float)sum * (1 / 13.f) + 0.5f);
        sample_store(to, type, i, blurred + factor * ((float)own - blurred));
    }
}

VARIANTS static void sharpen_row(const void *const row[3], void *to, const struct plane *p,
                                 float factor)
{
    size_t channels = (size_t)p->channels, end = (size_t)(p->width - 1) * channels;

    if (p->type == PIXEL_U8)
        sharpen(row, to, PIXEL_U8, channels, factor, channels, end);
    else
        sharpen(row, to, PIXEL_U16, channels, factor, channels, end);
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
