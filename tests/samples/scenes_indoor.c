/* scenes_indoor: a desk, a cut-out with alpha, fruit on a table, three apples. */
#include "scenes.h"
#include "things.h"
#include "noise.h"

#include <math.h>
#include <string.h>

static struct paint wood(unsigned light, unsigned dark)
{
    struct paint p = graded(light, dark, 0.16, 2.2);

    p.gx = 110;
    return p;
}

static void table(struct scene *s, double y, unsigned light, unsigned dark, int boards)
{
    double h = s->c.h - y;

    stuff(s, TABLE, ring_box(0, y, s->c.w, s->c.h), wood(light, dark));
    for (int k = 1; k < boards; k++) {
        double at = y + h * k * k / (boards * boards);

        fill_alpha(&s->c, ring_box(0, at, s->c.w, at + 1.4), flat(0x2c1a0e), 0.55);
    }
    glow(&s->c, s->c.w * .3, y + h * .1, s->c.w * .7, h * .8, 0xfff0d0, 0.18);
}

/* A closed book lying on its back: cover, pages at its near side, spine. */
static struct object *book(struct scene *s, double x, double y, double w, double h, double thick,
                           unsigned cover, enum kind kind, enum form form)
{
    struct shape shape = { .n = 0 };
    double skew = w * .12;
    struct paint cloth = graded(cover, cover, 0.06, 3);
    struct object *o;

    cloth.to = mix(cloth.to, hex(0x101018), 0.25);
    shade(&s->c, x + w * .55, y + thick, w * .75, h * .35, 0.55);
    shape_add(&shape, ring_of((double[]){ x + skew, y - h, x + w + skew, y - h, x + w, y, x + w,
                                          y + thick, x, y + thick, x, y },
                              6));
    o = thing(s, BOOK, kind, form, &shape);
    coat(s, cloth);
    fill(&s->c, ring_box(x - 1, y, x + w + 1, y + thick + 1),
         graded(0xf0e8d4, 0xc8bca0, 0.05, 1.5));
    for (int k = 1; k < thick; k += 2)
        fill_alpha(&s->c, ring_box(x, y + k, x + w, y + k + .6), flat(0x9c9078), 0.5);
    fill(&s->c, ring_box(x - 1, y + thick - 1.2, x + w + 1, y + thick + 1), cloth);
    fill(&s->c,
         ring_of((double[]){ x + skew, y - h, x + skew + w * .08, y - h, x + w * .08, y, x, y }, 4),
         cloth);
    fill_alpha(&s->c,
               ring_of((double[]){ x + skew * .75 + w * .22, y - h * .75, x + skew * .75 + w * .85,
                                   y - h * .75, x + skew * .55 + w * .85, y - h * .55,
                                   x + skew * .55 + w * .22, y - h * .55 },
                       4),
               flat(0xf4e4b4), 0.85);
    thing_done(s);
    return o;
}

static struct object *laptop(struct scene *s, double x, double y, double w, enum kind kind,
                             enum form form)
{
    struct shape shape = { .n = 0 };
    struct ring screen = ring_rounded(x, y - w * .64, x + w, y, w * .02);
    struct object *o;

    shade(&s->c, x + w / 2, y + w * .3, w * .75, w * .1, 0.6);
    shape_add(&shape, screen);
    shape_add(&shape, ring_of((double[]){ x, y - 3, x + w, y - 3, x + w * 1.12, y + w * .27,
                                          x + w * 1.11, y + w * .295, x - w * .11, y + w * .295,
                                          x - w * .12, y + w * .27 },
                              6));
    o = thing(s, LAPTOP, kind, form, &shape);
    coat(s, graded(0x303438, 0xa8aeb4, 0.02, 8));
    fill(&s->c, ring_box(x - w * .2, y - 1, x + w * 1.2, y + w * .4),
         graded(0xb4bac0, 0x8c949c, 0.025, 6));
    fill(&s->c, ring_box(x + w * .04, y - w * .60, x + w * .96, y - w * .04),
         graded(0x2c5c8c, 0x8cc0c8, 0.05, 40));
    fill(&s->c, ring_box(x + w * .1, y - w * .53, x + w * .56, y - w * .12),
         graded(0xf8f8f4, 0xe4e8ec, 0, 1));
    for (int k = 0; k < 9; k++)
        fill_alpha(&s->c,
                   ring_box(x + w * .13, y - w * (.49 - .04 * k),
                            x + w * (.36 + .16 * noise_at(k, 1, 8)), y - w * (.475 - .04 * k)),
                   flat(k % 4 ? 0x60707c : 0xb05840), 0.8);
    fill(&s->c, ring_ellipse(x + w * .76, y - w * .36, w * .12, w * .12, 0),
         graded(0xf4c860, 0xe07848, 0, 1));
    for (int r = 0; r < 4; r++)
        for (int k = 0; k < 12; k++) {
            double t = (r + .5) / 4, x0 = x + w * (.04 - .09 * t), step = w * (.92 + .18 * t) / 12,
                   ky = y + w * (.02 + .04 * r);

            fill(&s->c,
                 ring_rounded(x0 + step * k + 1, ky, x0 + step * (k + 1) - 1, ky + w * .033, 1),
                 graded(0x3c4044, 0x24282c, 0.04, 2));
        }
    fill(&s->c,
         ring_of((double[]){ x + w * .36, y + w * .195, x + w * .64, y + w * .195, x + w * .66,
                             y + w * .265, x + w * .34, y + w * .265 },
                 4),
         graded(0x9aa2aa, 0xa8b0b8, 0, 1));
    thing_done(s);
    return o;
}

static void plant(struct scene *s, double x, double y, double size)
{
    stuff(s, PLANT,
          ring_of((double[]){ x - size * .3, y - size * .5, x + size * .3, y - size * .5,
                              x + size * .22, y, x - size * .22, y },
                  4),
          graded(0xd08058, 0x8c4830, 0.06, 5));
    for (int i = 0; i < 13; i++) {
        double a = -150 + 120 * noise_at(i, 1, 6), l = size * (.6 + .5 * noise_at(i, 2, 6));
        struct pt foot = { x, y - size * .5 };
        struct ring leaf = ring_smooth((double[]){ x, foot.y, x + l * .5, foot.y - l * .12, x + l,
                                                   foot.y, x + l * .5, foot.y + l * .1 },
                                       4);
        struct paint p = graded(0x7cb45c, 0x2c5c34, 0.12, 4);

        p.turn = 40 * noise_at(i, 3, 6);
        stuff(s, PLANT, ring_turned(leaf, foot, a), p);
    }
}

static void curtain_window(struct scene *s)
{
    fill(&s->c, ring_box(318, -5, 440, 128), graded(0xf4f0e8, 0xd8d2c4, 0.02, 8));
    fill(&s->c, ring_box(326, -5, 432, 120), graded(0x8cc0e8, 0xe8f0e0, 0.02, 30));
    fill(&s->c, ring_blob(400, 118, 46, 34, .35, 12), graded(0x8cac6c, 0x5c804c, 0.15, 5));
    fill(&s->c, ring_box(326, 112, 432, 120), graded(0xa0b48c, 0x8ca078, 0.05, 4));
    fill(&s->c, ring_box(376, -5, 382, 120), graded(0xf0ece4, 0xd8d4c8, 0, 1));
    glow(&s->c, 380, 60, 240, 180, 0xfff4dc, 0.3);
}

struct scene desk_work(void)
{
    struct scene s = scene_new(500, 375, 71);

    fill(&s.c, ring_box(0, 0, 500, 170), graded(0xd8d0c0, 0xb8ac98, 0.04, 30));
    curtain_window(&s);
    table(&s, 166, 0xb88450, 0x7c5230, 6);
    plant(&s, 456, 208, 84);
    book(&s, 26, 214, 120, 40, 11, 0x8c2f39, BOX, SHORTEST)->extra =
        "\"attributes\": {\"title\": \"Lock \\\"&\\\" Step\"}";
    laptop(&s, 166, 238, 176, RLE, SHORTEST)->extra = "\"attributes\": {\"occluded\": true}";
    book(&s, 34, 330, 116, 74, 14, 0x2c5a6c, RLE, SHORTEST);
    book(&s, 44, 316, 96, 62, 10, 0xc89a3c, POLYGON, WHOLE);
    cup(&s, 362, 336, 92, 0xd8604c, COUNTS, SHORTEST)->extra = "\"score\": 0.97";
    develop(&s.c, 0.5, 0.25, 0.028);
    return s;
}

/* Only the things are opaque; their shadows fade into nothing. */
struct scene desk_cutout(void)
{
    struct scene s = scene_new(200, 150, 83);
    size_t n = (size_t)s.c.w * (size_t)s.c.h;

    memset(s.c.alpha, 0, n * sizeof *s.c.alpha);
    for (int y = 0; y < s.c.h; y++)
        for (int x = 0; x < s.c.w; x++) {
            double d = fmin(1, hypot((x - 100) / 96.0, (y - 124) / 22.0));

            s.c.alpha[y * s.c.w + x] = 0.5 * (1 - d) * (1 - d);
        }
    book(&s, 14, 118, 104, 34, 12, 0x3c6a4c, RLE, SHORTEST);
    cup(&s, 138, 138, 84, 0x4c7ab0, COUNTS, SHORTEST);
    apple(&s, 66, 78, 24, 0xc02c28, POLYGON, FIXED);
    return s;
}

static void cloth(struct scene *s, double y)
{
    struct ring r = ring_of((double[]){ 20, y, 396, y - 8, 427, y + 150, 0, y + 166 }, 4);

    stuff(s, TABLE, r, graded(0xf0e8dc, 0xd8ccb8, 0.05, 3));
    for (int k = 0; k < 9; k++)
        fill_alpha(&s->c,
                   ring_of((double[]){ 30 + 44 * k, y, 42 + 44 * k, y, 20 + 50 * k, y + 162,
                                       4 + 50 * k, y + 162 },
                           4),
                   flat(0xb84c44), 0.28);
    for (int k = 0; k < 5; k++)
        fill_alpha(&s->c,
                   ring_box(6 + 3 * (4 - k), y + 6 + 32 * k, 420 - 3 * (4 - k), y + 15 + 33 * k),
                   flat(0xb84c44), 0.28);
}

struct scene fruit_table(void)
{
    struct scene s = scene_new(427, 640, 97);

    fill(&s.c, ring_box(0, 0, 427, 320), graded(0x5c6a60, 0x8c8a74, 0.09, 60));
    glow(&s.c, 110, 130, 300, 300, 0xe8d8a8, 0.45);
    table(&s, 300, 0x9c6c40, 0x5c3a20, 5);
    cloth(&s, 376);
    cup(&s, 318, 396, 150, 0x5c8aa0, RLE, SHORTEST);
    apple(&s, 110, 352, 62, 0xc8302c, RLE, SHORTEST)->extra =
        "\"attributes\": {\"occluded\": true}";
    apple(&s, 212, 364, 56, 0x9cb23c, RLE, POINT_ZERO)->extra =
        "\"attributes\": {\"occluded\": true, \"ripe\": false}";
    orange(&s, 158, 418, 56, POLYGON, SHORTEST);
    orange(&s, 318, 442, 50, POLYGON, FIXED);
    banana(&s, 150, 538, 220, -7, POLYGON, SHORTEST)->extra = "\"track_id\": 3";
    apple(&s, 352, 556, 46, 0xd8443c, POLYGON, WHOLE);
    develop(&s.c, 0.5, 0.3, 0.028);
    return s;
}

struct scene fruit_apples(void)
{
    struct scene s = scene_new(160, 120, 101);

    fill(&s.c, ring_box(0, 0, 160, 70), graded(0x2c3440, 0x505c60, 0.05, 30));
    table(&s, 62, 0x7c6a54, 0x40342a, 3);
    apple(&s, 33, 66, 23, 0xb82424, POLYGON, SHORTEST);
    apple(&s, 130, 64, 21, 0x7ca038, POLYGON, POINT_ZERO);
    apple(&s, 83, 82, 25, 0xd89030, POLYGON, FIXED);
    develop(&s.c, 0.4, 0.35, 0.006);
    return s;
}
