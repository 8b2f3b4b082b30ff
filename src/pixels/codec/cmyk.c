/* cmyk: converts CMYK to RGB by arithmetic, with the bytes of PIL's convert("RGB"): R = (255 - C)
 * (255 - K) / 255, rounded as by MULDIV255 (Pillow, src/libImaging/Convert.c, cmyk2rgb). */
#include "pixels/codec/codec.h"
#include "pixels/samples.h"

#include <stdlib.h>

/* Returns a * b / 255 for bytes, rounded (Pillow's ImagingUtils.h). */
static int multiply_bytes(int a, int b)
{
    int t = a * b + 128;

    return ((t >> 8) + t) >> 8;
}

static int ink_at(const struct plane *inks, const uint8_t *row, int i, bool inverted)
{
    int ink = inks->type == PIXEL_U16 ? ((const uint16_t *)(const void *)row)[i] >> 8 : row[i];

    return inverted ? 255 - ink : ink;
}

void codec_naive_from_inks(struct picture *picture, struct pool *pool, bool inverted)
{
    struct plane inks = picture->plane;
    struct plane rgb = pool_plane(pool, (struct frame){ inks.width, inks.height }, 3, PIXEL_U8);

    for (int y = 0; y < inks.height; y++) {
        const uint8_t *from = plane_row(&inks, y);
        uint8_t *to = plane_row(&rgb, y);

        for (int x = 0; x < inks.width; x++) {
            int paper = 255 - ink_at(&inks, from, 4 * x + 3, inverted);

            for (int k = 0; k < 3; k++) {
                int ink = ink_at(&inks, from, 4 * x + k, inverted);
                int left = paper - multiply_bytes(ink, paper);

                to[3 * x + k] = (uint8_t)(left < 0 ? 0 : left);
            }
        }
    }
    picture->plane = rgb;
    pool_return(pool, &inks);
    free(picture->icc);
    picture->icc = NULL;
    picture->icc_length = 0;
}
