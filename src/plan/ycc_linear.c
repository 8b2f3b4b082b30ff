/* ycc_linear: linear color functions on planes of luma and chroma. */
#include "plan/ycc_linear.h"

#include "param/param.h"

#include <math.h>
#include <string.h>

/* JFIF's conversion (ITU-R BT.601, full range); Cb and Cr without their offset of 128. */
const double ycc_of_rgb[3][3] = { { 0.299, 0.587, 0.114 },
                                  { -0.168735892, -0.331264108, 0.5 },
                                  { 0.5, -0.418687589, -0.081312411 } };
static const double rgb_of_ycc[3][3] = { { 1, 0, 1.402 },
                                         { 1, -0.344136286, -0.714136286 },
                                         { 1, 1.772, 0 } };

static const struct tone no_tone = { .chroma = { { 1, 0 }, { 0, 1 } } };

struct ycc_matrix ycc_matrix_of(const struct colour_matrix *rgb)
{
    struct ycc_matrix ycc = { 0 };

    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++)
                    ycc.m[i][j] += ycc_of_rgb[i][k] * (double)rgb->m[k][l] * rgb_of_ycc[l][j];
            ycc.m[i][3] += ycc_of_rgb[i][j] * (double)rgb->m[j][3];
        }
    return ycc;
}

struct tone tone_begin(void)
{
    struct tone t = no_tone;

    for (int i = 0; i < 256; i++)
        t.luma[i] = (uint8_t)i;
    return t;
}

static uint8_t level(double v)
{
    v = v > 0 ? v : 0;
    return (uint8_t)((v < 255 ? v : 255) + 0.5);
}

void tone_add(struct tone *t, const struct colour_matrix *rgb)
{
    struct ycc_matrix m = ycc_matrix_of(rgb);
    float(*c)[2] = t->chroma, before[2][2];

    for (int i = 0; i < 256; i++)
        t->luma[i] = level(m.m[0][0] * t->luma[i] + m.m[0][3]);
    memcpy(before, c, sizeof before);
    for (int j = 0; j < 2; j++)
        t->luma_of[j] = (float)m.m[0][0] * t->luma_of[j] + (float)m.m[0][1] * before[0][j] +
                        (float)m.m[0][2] * before[1][j];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            c[i][j] = (float)m.m[i + 1][1] * before[0][j] + (float)m.m[i + 1][2] * before[1][j];
}

/* Returns the largest and smallest distance of the table above the line, from level lo to hi. */
static struct range off_line(const struct tone *t, int lo, int hi)
{
    struct range off = { 0, 0 };

    for (int i = lo; i <= hi; i++) {
        double above = t->luma[i] - (double)(t->line.factor * (float)i + t->line.offset);

        off.lo = i == lo || above < off.lo ? above : off.lo;
        off.hi = i == lo || above > off.hi ? above : off.hi;
    }
    return off;
}

/* A line that is flat where the table's ends are is faster than the table. It is used if it is
 * wrong by at most one level. */
void tone_end(struct tone *t)
{
    const uint8_t *to = t->luma;
    struct level_line *l = &t->line;
    int lo = 0, hi = 255;
    struct range off;

    while (lo < 255 && to[lo + 1] == to[0])
        lo++;
    while (hi > lo && to[hi - 1] == to[255])
        hi--;
    l->factor = hi > lo ? (float)(to[hi] - to[lo]) / (float)(hi - lo) : 0;
    l->offset = to[lo] - l->factor * (float)lo;
    l->lo = to[0] < to[255] ? to[0] : to[255];
    l->hi = to[0] < to[255] ? to[255] : to[0];
    off = off_line(t, lo, hi);
    t->how = off.hi - off.lo > 2 ? LUMA_TABLE : LUMA_LINE;
    if (off.hi == off.lo && l->factor == 1 && l->offset == 0)
        t->how = LUMA_STAYS;
    l->offset += (float)(off.lo + off.hi) / 2;
}

static float chroma_added(const struct tone *t)
{
    return fabsf(t->luma_of[0]) + fabsf(t->luma_of[1]);
}

bool tone_adds_chroma(const struct tone *t)
{
    return chroma_added(t) > 0.004f;
}

bool tone_adds_much_chroma(const struct tone *t)
{
    return chroma_added(t) > 1.25f;
}

void tone_run(const struct tone *t, struct plane *luma, struct plane *cb, struct plane *cr)
{
    if (t->how == LUMA_LINE)
        plane_line(luma, &t->line);
    else if (t->how == LUMA_TABLE)
        plane_table(luma, luma, t->luma);
    if (tone_adds_chroma(t))
        plane_add_chroma(luma, cb, cr, t->luma_of);
    if (memcmp(t->chroma, no_tone.chroma, sizeof t->chroma) != 0)
        plane_mix_chroma(cb, cr, t->chroma);
}

void tone_look_up(const struct tone *t, struct plane ycc[3])
{
    plane_table(&ycc[0], &ycc[0], t->luma);
    if (!ycc[1].px)
        return;
    plane_add_chroma(&ycc[0], &ycc[1], &ycc[2], t->luma_of);
    plane_mix_chroma(&ycc[1], &ycc[2], t->chroma);
}
