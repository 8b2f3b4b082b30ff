/* warp_shuffle: picks taps by shuffles of 32 bytes, or of 64 if the processor has them, and
 * prepares data that is the same for all rows. */
#include "pixels/move/warp_shuffle_template.h"

#ifdef CPU_HAS_INTRINSICS

/* True if shuffles can pick the taps. From the first to the last of eight pixels, y may move by 2,
 * counted in whole pixels. x may move so far that the taps of eight lanes are in sixteen bytes, and
 * all taps within `walk_reach`. The limits are for rows read forwards and backwards. */
static bool is_shuffled(const struct mat3 *inverse, int channels)
{
    static const double MAX_STEP[4][2] = {
        { 1.99, 1.99 }, { 1.24, 1.24 }, { 1.14, 0.79 }, { 1.14, 1.14 }
    };
    double along = inverse->m[0];

    return cpu_has_feature(CPU_AVX2) && fabs(inverse->m[3]) < 0.28 &&
           fabs(along) < MAX_STEP[channels - 1][along < 0];
}

FOR_AVX2 static void walk_shuffled_32(const struct plane *in, const struct walk *w,
                                      const uint64_t from[2], uint8_t *to, int n)
{
    walk_any(in, w, from, to, n);
}

void walk_shuffled(const struct plane *in, const struct walk *w, const uint64_t from[2],
                   uint8_t *to, int n)
{
    (cpu_has_feature(CPU_AVX512_VBMI) ? walk_shuffled_64 : walk_shuffled_32)(in, w, from, to, n);
}

#else

static bool is_shuffled(const struct mat3 *inverse, int channels)
{
    (void)inverse, (void)channels;
    return false;
}

void walk_shuffled(const struct plane *in, const struct walk *w, const uint64_t from[2],
                   uint8_t *to, int n)
{
    (void)in, (void)w, (void)from, (void)to, (void)n;
}

#endif

/* Returns the distance to bytes that a slightly later output row will read first, to prefetch them.
 * Along a slope no processor predicts that. */
static ptrdiff_t bytes_ahead(const struct plane *in, const struct mat3 *inverse)
{
    enum { ROWS = 6, TAPS = 3 };
    ptrdiff_t down = (ptrdiff_t)(inverse->m[4] * ROWS) + (inverse->m[4] > 0 ? TAPS : 0);

    return down * (ptrdiff_t)in->stride + (ptrdiff_t)(inverse->m[1] * ROWS) * in->channels;
}

/* Returns the lowest row from which four rows can be read without checking the end of the plane. */
static int lowest_of(const struct plane *in)
{
    size_t last = ((size_t)in->height - 1) * in->stride;
    size_t read = 3 * in->stride + walk_reach(in->channels);

    return last < read ? -1 : (int)((last - read) / in->stride);
}

/* Sets vector v of the lanes of each group. */
ALWAYS_INLINE void lanes_begin(struct walk *w, size_t v, size_t channels)
{
    struct walk_lanes *l = &w->lanes[v];
    size_t min = SIZE_MAX;

    for (size_t i = 0; i < WALK; i++) {
        size_t group = i / 8, lane = 8 * v + i % 8, pixel = 8 * group + lane / channels;
        uint32_t x = w->far[0][pixel] - w->min[0][group];
        uint32_t y = w->far[1][pixel] - w->min[1][group];
        size_t at = (x >> 16) * channels + lane % channels;

        l->x[i] = (uint16_t)w->far[0][pixel];
        l->y[i] = (uint16_t)w->far[1][pixel];
        l->x_part[i] = (uint16_t)x;
        l->y_part[i] = (uint16_t)y;
        l->at[i] = (uint16_t)at;
        l->down[i] = (uint16_t)(y >> 16);
        min = at < min ? at : min;
    }
    for (size_t i = 0; i < WALK; i++) {
        l->at[i] = (uint16_t)(0x101 * (l->at[i] - min) + (channels << 8));
        l->at_next[i] = (uint16_t)(l->at[i] + 0x101 * channels);
    }
    l->offset = min;
}

ALWAYS_INLINE void all_lanes_begin(struct walk *w, size_t channels)
{
    for (size_t v = 0; v < channels; v++)
        lanes_begin(w, v, channels);
}

VARIANTS void walk_begin(struct walk *w, const struct plane *in, const struct mat3 *inverse)
{
    double step[2] = { inverse->m[0], inverse->m[3] };

    w->allowed = fabs(step[0]) < 1e4 && fabs(step[1]) < 1e4;
    if (!w->allowed)
        return;
    for (int axis = 0; axis < 2; axis++) {
        uint64_t by = w->step[axis] = (uint64_t)(int64_t)(step[axis] * 0x1p32);

        for (uint32_t i = 0; i < WALK; i++)
            w->far[axis][i] = (uint32_t)((i * by + (1 << 15)) >> 16);
        for (int i = 0; i < WALK / 8; i++)
            w->min[axis][i] = w->far[axis][8 * i + (step[axis] < 0 ? 7 : 0)];
    }
    w->shuffled = is_shuffled(inverse, in->channels);
    w->gentle = fabs(step[1]) < 0.14;
    w->ahead = bytes_ahead(in, inverse);
    w->lowest = lowest_of(in);
    if (!w->shuffled)
        return;
    switch (in->channels) {
    case 1:
        all_lanes_begin(w, 1);
        break;
    case 2:
        all_lanes_begin(w, 2);
        break;
    case 3:
        all_lanes_begin(w, 3);
        break;
    case 4:
        all_lanes_begin(w, 4);
    }
}
