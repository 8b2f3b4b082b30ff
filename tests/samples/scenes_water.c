/* scenes_water: a bay with boats, a lighthouse at sunset, a rowing boat on a lake. */
#include "scenes.h"
#include "things.h"
#include "noise.h"

#include <math.h>

static struct ring band(const struct scene *s, double y0, double y1)
{
    return ring_box(0, y0, s->c.w, y1);
}

static struct paint sea(unsigned far, unsigned near)
{
    struct paint p = graded(far, near, 0.12, 2.2);

    p.gx = 26;
    return p;
}

/* Sails too far away to be told apart: one crowd. */
static void far_sails(struct scene *s, double x, double y, int n)
{
    for (int i = 0; i < n; i++) {
        double h = 9 + 6 * noise_at(i, 4, 77), at = x + 13 * i + 5 * noise_at(i, 5, 77);
        struct shape shape = { .n = 0 };

        shape_add(&shape,
                  ring_of((double[]){ at, y - h, at + h * .36, y - 2, at - h * .3, y - 2 }, 3));
        shape_add(&shape, ring_box(at - h * .3, y - 2, at + h * .36, y + .6));
        if (i)
            thing_more(s, &shape);
        else
            thing(s, BOAT, CROWD, WHOLE, &shape);
        fill(&s->c, shape.ring[0], graded(0xffffff, 0xd0d8e0, 0, 1));
        fill(&s->c, shape.ring[1], flat(i % 2 ? 0x6a4a3c : 0x3c4a60));
    }
    thing_done(s);
}

static void quay(struct scene *s)
{
    struct paint stone = graded(0xb0a898, 0x6c665c, 0.12, 5);

    stuff(s, GROUND, ring_of((double[]){ 0, 372, 250, 390, 262, 427, 0, 427 }, 4), stone);
    for (int i = 0; i < 9; i++)
        line(&s->c, 30 * i, 374 + 2 * i, 30 * i - 8, 427, 1.2, flat(0x58524a));
    line(&s->c, 0, 398, 258, 412, 1.2, flat(0x58524a));
    for (int i = 0; i < 3; i++) {
        fill(&s->c, ring_rounded(38 + 84 * i, 356 + 6 * i, 52 + 84 * i, 384 + 6 * i, 4),
             graded(0x4a4e52, 0x1c1e20, 0.06, 3));
        fill(&s->c, ring_ellipse(45 + 84 * i, 358 + 6 * i, 10, 4, 0),
             graded(0x6a6e72, 0x34383c, 0.06, 3));
    }
}

struct scene harbour_bay(void)
{
    struct scene s = scene_new(640, 427, 41);
    struct paint feather = graded(0xffffff, 0x98a4b0, 0.03, 3);

    stuff(&s, SKY, band(&s, 0, 215), graded(0x3f86c8, 0xcfe4ee, 0, 1));
    clouds(&s.c, 0, 150, 0xffffff, 0.2, 140);
    hills(&s, 182, 46, 110, graded(0x7c98a8, 0x8ca8b0, 0.04, 12), 5);
    hills(&s, 198, 30, 70, graded(0x5c7c5c, 0x8aa07c, 0.1, 5), 9);
    for (int i = 0; i < 15; i++) {
        double x = 395 + 16 * i, y = 196 - 9 * noise_at(i, 1, 3);

        stuff(&s, BUILDING, ring_box(x, y, x + 11, 207),
              graded(i % 3 ? 0xf0e8d8 : 0xe0b890, 0xc8bca8, 0.04, 3));
        stuff(&s, BUILDING, ring_of((double[]){ x - 1.5, y, x + 5.5, y - 6, x + 12.5, y }, 3),
              flat(0xa8583c));
        fill(&s.c, ring_box(x + 3, y + 3, x + 5, y + 6), flat(0x4c5864));
    }
    stuff(&s, WATER, band(&s, 206, 427), sea(0x86b4c4, 0x1c5068));
    far_sails(&s, 60, 216, 11);
    sailing_boat(&s, 318, 262, 108, 0xe8e4dc, 0xf6f2e6, POLYGON, SHORTEST)->extra =
        "\"attributes\": {\"flag\": null}";
    sailing_boat(&s, 524, 300, 172, 0x24406c, 0xf8ecd8, RLE, SHORTEST)->extra =
        "\"attributes\": {\"occluded\": true}";
    fishing_boat(&s, 470, 366, 236, 0x2c7a6c, POLYGON, FIXED)->extra =
        "\"track_id\": 9007199254740991";
    reflection(&s.c, 366, 420, 0.25, 3);
    quay(&s);
    glitter(&s.c, ring_of((double[]){ 0, 214, 640, 214, 640, 300, 0, 350 }, 4), 0xf4fcff, 0.35);
    person(&s,
           someone(BACK, 166, 398, 148, (double[]){ -14, -24, 12, 6 }, (double[]){ -4, -2, 5, 2 },
                   0xc8503c, 0x364460, 0xd8a888, 0xb08040, false),
           POLYGON, WHOLE, false);
    gull(&s, 232, 88, 62, -12, 1, feather, POLYGON, SHORTEST);
    gull(&s, 120, 142, 36, 14, 0.5, feather, BOX_BARE, SHORTEST);
    gull(&s, 410, 64, 44, 6, 1.2, feather, POLYGON, POINT_ZERO);
    glow(&s.c, 560, 20, 380, 260, 0xfff4d8, 0.25);
    develop(&s.c, 0.5, 0.22, 0.028);
    return s;
}

static void lighthouse(struct scene *s)
{
    struct paint wall = graded(0xf4e8dc, 0x7a5c58, 0.03, 9);

    wall.turn = 90;
    stuff(s, HILL,
          ring_smooth(
              (double[]){ -10, 250, -6, 156, 30, 150, 64, 158, 96, 172, 128, 180, 146, 250 }, 7),
          graded(0x4a3a40, 0x201c26, 0.16, 7));
    stuff(s, BUILDING, ring_of((double[]){ 38, 160, 44, 62, 62, 62, 68, 160 }, 4), wall);
    for (int k = 0; k < 3; k++) {
        double y = 78 + 28 * k, d = 0.061 * (y - 62);
        struct paint red = graded(0xd04838, 0x6c2028, 0.03, 6);

        red.turn = 90;
        fill(&s->c,
             ring_of((double[]){ 44 - d, y, 62 + d, y, 62 + d + .8, y + 14, 44 - d - .8, y + 14 },
                     4),
             red);
    }
    stuff(s, BUILDING, ring_box(40, 57, 66, 63), flat(0x382c34));
    stuff(s, BUILDING, ring_rounded(46, 42, 60, 58, 2), graded(0xfff4c0, 0xf8c860, 0, 1));
    stuff(s, BUILDING, ring_of((double[]){ 43, 43, 53, 32, 63, 43 }, 3), flat(0x5c2428));
    glow(&s->c, 53, 50, 44, 30, 0xfff0b0, 0.7);
}

struct scene harbour_sunset(void)
{
    struct scene s = scene_new(320, 240, 53);
    struct paint bird = graded(0x3c2c3c, 0x281c2c, 0, 1);

    stuff(&s, SKY, band(&s, 0, 152), graded(0x4c4a8c, 0xffb468, 0, 1));
    clouds(&s.c, 0, 120, 0xf0907c, 0.2, 80);
    glow(&s.c, 214, 138, 150, 110, 0xffd870, 0.7);
    fill(&s.c, ring_ellipse(214, 136, 15, 15, 0), graded(0xfff8d0, 0xffe08c, 0, 1));
    stuff(&s, WATER, band(&s, 150, 240), sea(0xe89060, 0x3c3460));
    reflection(&s.c, 150, 240, 0.55, 4);
    glitter(&s.c, ring_of((double[]){ 204, 152, 226, 152, 256, 240, 168, 240 }, 4), 0xffe8a0, 0.8);
    lighthouse(&s);
    sailing_boat(&s, 248, 196, 96, 0x3c2430, 0xe8a880, POLYGON, SHORTEST);
    sailing_boat(&s, 160, 166, 38, 0x3c2430, 0xd89078, POLYGON, POINT_ZERO)->extra =
        "\"attributes\": {\"far\": true}";
    gull(&s, 128, 58, 34, 10, 1, bird, POLYGON, FIXED);
    gull(&s, 166, 84, 22, -8, .6, bird, POLYGON, SHORTEST);
    develop(&s.c, 0.5, 0.25, 0.02);
    return s;
}

struct scene harbour_rowing(void)
{
    static const double hull[] = { -.5, -.16, .5, -.2, .38, 0, -.36, 0 };
    struct scene s = scene_new(213, 160, 67);
    struct shape boat = { .n = 1 };

    stuff(&s, SKY, band(&s, 0, 76), graded(0xa8c4d8, 0xf4ecdc, 0, 1));
    hills(&s, 60, 34, 60, graded(0x7c94a4, 0x9cb0b4, 0.03, 9), 15);
    hills(&s, 72, 22, 34, graded(0x4c6c50, 0x6c8a64, 0.12, 3), 4);
    stuff(&s, WATER, band(&s, 76, 160), sea(0xb8ccd0, 0x4c7480));
    reflection(&s.c, 76, 160, 0.6, 2);
    person(&s,
           someone(FRONT, 110, 130, 80, (double[]){ 46, 24, -46, -24 }, (double[]){ 2, 2, -2, -2 },
                   0xc43c34, 0x30344c, 0xd8a888, 0x3a2418, false),
           RLE, SHORTEST, false)
        ->extra = "\"attributes\": {\"occluded\": true}";
    boat.ring[0] = ring_placed(ring_of(hull, 4), 108, 132, 118, 118);
    thing(&s, BOAT, POLYGON, WHOLE, &boat);
    coat(&s, graded(0xb87c48, 0x5c3820, 0.1, 3));
    fill_alpha(&s.c, ring_of((double[]){ 48, 116, 170, 111, 168, 114, 50, 119 }, 4), flat(0xf0e4cc),
               0.8);
    fill_alpha(&s.c, ring_of((double[]){ 60, 124, 160, 121, 160, 122.5, 60, 125.5 }, 4),
               flat(0x3c2414), 0.6);
    thing_done(&s);
    reflection(&s.c, 132, 158, 0.5, 2);
    glitter(&s.c, band(&s, 80, 112), 0xffffff, 0.3);
    develop(&s.c, 0.45, 0.15, 0.012);
    return s;
}
