/* pixel_dropout: replaces single pixels, chosen at random. */
#include "pixels/samples.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 256 };

/* The offsets of a pixel's random numbers: for the choice of each channel, and for the values. */
enum { CHOICES = 0, VALUES = 8 };

static void replace(const struct speckle *s, const struct plane *p, void *row, int x, int channel,
                    uint32_t random)
{
    size_t i = (size_t)x * (size_t)p->channels + (size_t)channel;

    if (s->random)
        sample_noise(row, p->type, i, hash_mix(random + VALUES + (uint32_t)channel));
    else
        sample_store(row, p->type, i, (float)s->fill.channel[channel]);
}

/* Sets hashes[i] to the hash of from[i] + more. */
VARIANTS static void hash_all(const uint32_t *restrict from, uint32_t more,
                              uint32_t *restrict hashes, int n)
{
    for (int i = 0; i < n; i++)
        hashes[i] = hash_mix(from[i] + more);
}

VARIANTS static void hash_places(uint32_t first, uint32_t *restrict hashes, int n)
{
    for (int i = 0; i < n; i++)
        hashes[i] = hash_mix(first + (uint32_t)i);
}

/* Handles the pixels [x0, x0 + n) of a row. A pixel is replaced if its random number, one of 2^32,
 * is at most `max`. */
static void speckle_block(const struct speckle *s, const struct plane *p, int y, int x0, int n,
                          uint32_t max)
{
    uint32_t line = hash_mix((uint32_t)y + hash_mix(s->key)), random[BLOCK], choice[BLOCK];
    void *row = plane_row(p, y);
    int colours = plane_colours(p);

    hash_places((uint32_t)x0 + line, random, n);
    if (!s->per_channel) {
        for (int i = 0; i < n; i++)
            for (int b = 0; b < colours && random[i] <= max; b++)
                replace(s, p, row, x0 + i, b, random[i]);
        return;
    }
    for (int b = 0; b < colours; b++) {
        hash_all(random, CHOICES + (uint32_t)b, choice, n);
        for (int i = 0; i < n; i++)
            if (choice[i] <= max)
                replace(s, p, row, x0 + i, b, random[i]);
    }
}

void plane_speckle(const struct plane *in, struct plane *out, const struct speckle *s)
{
    double max = ceil(s->chance * 0x1p32) - 1;

    plane_copy(in, out);
    if (max < 0)
        return;
    for (int y = 0; y < out->height; y++)
        for (int x = 0; x < out->width; x += BLOCK)
            speckle_block(s, out, y, x, out->width - x < BLOCK ? out->width - x : BLOCK,
                          (uint32_t)fmin(max, 0x1p32 - 1));
}
