/* scenes_nature: birds over hills, mist, birds on wires, people in a park. */
#include "scenes.h"
#include "things.h"
#include "noise.h"

#include <math.h>

static struct ring band(const struct scene *s, double y0, double y1)
{
    return ring_box(0, y0, s->c.w, y1);
}

static void grass(struct scene *s, double y, unsigned far, unsigned near)
{
    struct paint p = graded(far, near, 0.16, 1.6);
    uint32_t seed = s->c.seed++;

    p.gy = 3.5;
    stuff(s, GROUND, band(s, y, s->c.h), p);
    for (int i = 0; i < 900; i++) {
        double t = noise_at(i, 1, seed), x = s->c.w * noise_at(i, 2, seed);
        double py = y + 4 + (s->c.h - y) * t, h = 2 + 9 * t;

        fill_alpha(
            &s->c,
            ring_of((double[]){ x, py, x + 1.2, py, x + h * (noise_at(i, 3, seed) - .5), py - h },
                    3),
            i % 3 ? graded(0x8cb050, 0x4c7034, 0, 1) : graded(0xc0cc70, 0x5c8040, 0, 1), 0.5);
    }
}

static void flock(struct scene *s, double x, double y, int n)
{
    for (int i = 0; i < n; i++) {
        double u = noise_at(i, 1, 31), v = noise_at(i, 2, 31);
        struct shape bird = gull_shape(x + 150 * (u - .5) + 8 * (i % 5), y + 46 * (v - .5),
                                       11 + 6 * v, 30 * u - 15, 1.4 * v);

        if (i)
            thing_more(s, &bird);
        else
            thing(s, BIRD, CROWD, WHOLE, &bird);
        fill(&s->c, bird.ring[0], flat(0x20242c));
    }
    thing_done(s);
}

struct scene hills_flock(void)
{
    struct scene s = scene_new(400, 301, 103);
    struct paint dark = graded(0x3c3c44, 0x181820, 0.05, 3);

    stuff(&s, SKY, band(&s, 0, 250), graded(0x8c9cb0, 0xf4f0e8, 0, 1));
    clouds(&s.c, 0, 190, 0xf8f8f8, 0.2, 100);
    hills(&s, 196, 70, 110, graded(0xa0a8b0, 0xb8bcc0, 0.03, 14), 21);
    hills(&s, 226, 56, 80, graded(0x7c848c, 0x9ca0a4, 0.05, 9), 33);
    hills(&s, 256, 40, 90, graded(0x585e62, 0x7c8084, 0.08, 6), 2);
    grass(&s, 262, 0x6c7068, 0x30342c);
    tree(&s, 338, 276, 96, 0x646a5c, 17);
    tree(&s, 372, 280, 66, 0x5c6456, 6);
    flock(&s, 110, 70, 22);
    gull(&s, 262, 96, 64, -10, 1.1, dark, POLYGON, SHORTEST);
    gull(&s, 318, 58, 42, 8, .7, dark, POLYGON, POINT_ZERO);
    gull(&s, 196, 148, 34, 16, 1.3, dark, BOX, WHOLE)->extra =
        "\"attributes\": {\"blurred\": false}";
    develop(&s.c, 0.45, 0.28, 0.035);
    return s;
}

struct scene hills_mist(void)
{
    struct scene s = scene_new(201, 151, 107);
    static const unsigned tone[] = { 0xb8b8b8, 0x989898, 0x707070, 0x484848 };

    stuff(&s, SKY, band(&s, 0, 151), graded(0x808080, 0xe8e8e8, 0, 1));
    glow(&s.c, 146, 38, 60, 60, 0xffffff, 0.5);
    fill(&s.c, ring_ellipse(146, 38, 11, 11, 0), graded(0xffffff, 0xf0f0f0, 0.03, 4));
    for (int k = 0; k < 4; k++) {
        hills(&s, 84 + 18 * k, 44 - 6 * k, 60 - 8 * k, graded(tone[k], tone[k], 0.03, 6),
              40 + 7 * (uint32_t)k);
        haze(&s.c, 76 + 18 * k, 112 + 16 * k, 0xd8d8d8, 0.75 - 0.1 * k);
    }
    develop(&s.c, 0.5, 0.2, 0.004);
    return s;
}

static struct object *sparrow(struct scene *s, double x, double y, double size, double face)
{
    static const double body[] = { -.55, .28, -.2,  -.02, .05, -.22, .16, -.34, .32, -.38, .42,
                                   -.28, .42, -.14, .38,  .1,  .2,   .3,  -.1,  .3,  -.3,  .24 };
    struct shape shape = { .n = 0 };
    struct object *o;

    shape_add(&shape, ring_placed(ring_smooth(body, 11), x, y - size * .3, size * face, size));
    shape_add(&shape,
              ring_of((double[]){ x + face * size * .38, y - size * .6, x + face * size * .54,
                                  y - size * .53, x + face * size * .38, y - size * .48 },
                      3));
    o = thing(s, BIRD, POLYGON, SHORTEST, &shape);
    coat(s, graded(0x807c78, 0x484440, 0.12, 3));
    fill_alpha(&s->c, ring_ellipse(x + face * size * .22, y - size * .22, size * .16, size * .2, 0),
               flat(0xd8d4cc), 0.85);
    fill_alpha(
        &s->c,
        ring_placed(ring_smooth((double[]){ -.5, .24, -.1, -.02, .14, .02, .05, .2, -.2, .26 }, 5),
                    x, y - size * .3, size * face, size),
        graded(0x38342f, 0x585048, 0.2, 2), 0.85);
    fill(&s->c, ring_ellipse(x + face * size * .3, y - size * .57, size * .035, size * .035, 0),
         flat(0x0c0c0c));
    thing_done(s);
    return o;
}

struct scene hills_wires(void)
{
    struct scene s = scene_new(240, 160, 109);

    stuff(&s, SKY, band(&s, 0, 160), graded(0x9ca4ac, 0xe4e4e0, 0, 1));
    clouds(&s.c, 0, 130, 0xf0f0f0, 0.2, 70);
    hills(&s, 140, 30, 50, graded(0x808080, 0x606060, 0.08, 4), 6);
    post(&s, 206, 214, 30, 160, 0x58544e);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 12; i++) {
            double x0 = 20 * i, x1 = 20 * (i + 1), y = 62 + 44 * k;

            line(&s.c, x0, y + 10 * sin(x0 / 76), x1, y + 10 * sin(x1 / 76), 1.4, flat(0x24241f));
        }
    sparrow(&s, 66, 70, 38, 1);
    sparrow(&s, 112, 72, 40, -1);
    sparrow(&s, 150, 116, 36, 1)->extra = "\"track_id\": 2, \"attributes\": {}";
    develop(&s.c, 0.4, 0.15, 0.012);
    return s;
}

struct scene park_lawn(void)
{
    struct scene s = scene_new(600, 400, 113);

    stuff(&s, SKY, band(&s, 0, 190), graded(0x5c9cd4, 0xe0ecf0, 0, 1));
    clouds(&s.c, 0, 130, 0xffffff, 0.12, 100);
    for (int i = 0; i < 11; i++)
        tree(&s, -10 + 62 * i, 190, 92 + 40 * noise_at(i, 1, 4), i % 2 ? 0x5c8a4a : 0x6c9a48,
             60 + (uint32_t)i);
    haze(&s.c, 60, 190, 0xd0dcd8, 0.25);
    grass(&s, 184, 0x8cb45c, 0x406428);
    stuff(&s, GROUND,
          ring_smooth((double[]){ 640, 196, 420, 204, 300, 216, 420, 228, 640, 232 }, 5),
          graded(0xd8c8a4, 0xb8a884, 0.08, 3));
    crowd(&s, 190, 216, 230, 44, 14, 91);
    shade(&s.c, 160, 362, 64, 9, 0.5);
    person(&s,
           someone(TO_RIGHT, 160, 362, 168, (double[]){ 40, 62, -34, -14 },
                   (double[]){ -8, -20, 42, 26 }, 0xd8d04c, 0x2c4c8c, 0xd8a888, 0x3a2418, true),
           POLYGON, SHORTEST, true)
        ->extra = "\"track_id\": 1";
    shade(&s.c, 468, 376, 64, 9, 0.5);
    person(&s,
           someone(TO_LEFT, 466, 376, 176, (double[]){ -24, -48, 30, 6 },
                   (double[]){ -16, 2, 14, 30 }, 0xb83a4c, 0x28282c, 0x8a5a3c, 0x141010, true),
           POLYGON, FIXED, true)
        ->extra = "\"track_id\": 2";
    shade(&s.c, 292, 358, 22, 5, 0.5);
    ball_at(&s, 288, 345, 13, 0xf4f0e8, POLYGON, SHORTEST);
    person(&s,
           someone(BACK, 560, 262, 84, (double[]){ -12, -6, 10, 14 }, (double[]){ -3, -2, 4, 2 },
                   0x5c4c8c, 0x3c3c3c, 0xd8a888, 0x8a5a2a, false),
           RLE, SHORTEST, false);
    glow(&s.c, 60, 40, 300, 240, 0xfff0c0, 0.2);
    develop(&s.c, 0.5, 0.2, 0.028);
    return s;
}

struct scene park_portrait(void)
{
    struct scene s = scene_new(360, 480, 127);

    stuff(&s, SKY, band(&s, 0, 260), graded(0x6ca8dc, 0xf0ecdc, 0, 1));
    clouds(&s.c, 0, 170, 0xffffff, 0.16, 90);
    hills(&s, 236, 44, 70, graded(0x8cacb4, 0xa8c0b8, 0.04, 9), 18);
    for (int i = 0; i < 6; i++)
        tree(&s, 8 + 70 * i, 266, 110 + 44 * noise_at(i, 1, 9), i % 2 ? 0x88984c : 0x5c8a4a,
             80 + (uint32_t)i);
    grass(&s, 258, 0xa0bc64, 0x446828);
    shade(&s.c, 190, 446, 100, 12, 0.5);
    person(&s,
           someone(FRONT, 186, 446, 336, (double[]){ 128, 150, -20, -34 },
                   (double[]){ 7, 3, -8, -4 }, 0x3c7c6c, 0x4c4458, 0xc89068, 0x2a1a10, true),
           POLYGON, SHORTEST, true)
        ->extra = "\"attributes\": {\"smiling\": true}, \"score\": 1.0";
    shade(&s.c, 76, 446, 34, 6, 0.5);
    ball_at(&s, 70, 428, 22, 0xe86040, RLE, SHORTEST);
    glow(&s.c, 300, 60, 280, 280, 0xfff0c0, 0.25);
    develop(&s.c, 0.5, 0.22, 0.028);
    return s;
}
