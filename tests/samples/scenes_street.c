/* scenes_street: houses with cars, a crossing with people, a wet night. */
#include "scenes.h"
#include "things.h"

#include <math.h>

static struct ring band(const struct scene *s, double y0, double y1)
{
    return ring_box(0, y0, s->c.w, y1);
}

static void asphalt(struct scene *s, double y0, unsigned near)
{
    struct paint p = graded(0x8a8a88, near, 0.09, 2);

    p.gx = 3.5;
    stuff(s, ROAD, band(s, y0, s->c.h), p);
    for (int k = 0; k < 14; k++)
        fill_alpha(&s->c,
                   ring_blob(61 * k % s->c.w, y0 + 12 + 37 * k % (s->c.h - (int)y0), 26, 2.5, .6,
                             (uint32_t)k),
                   flat(0x3a3a3c), 0.22);
}

struct scene street_houses(void)
{
    struct scene s = scene_new(640, 480, 11);
    struct object *o;

    stuff(&s, SKY, band(&s, 0, 300), graded(0x4d8ccc, 0xd2e4ee, 0, 1));
    clouds(&s.c, 0, 190, 0xffffff, 0.15, 120);
    house(&s, -30, 62, 118, 296, 0xd9b382, 0x9a4a34, 4, 3);
    house(&s, 122, 96, 268, 296, 0xb8c4b0, 0x5c5a5c, 3, 3);
    house(&s, 330, 50, 470, 296, 0xd8d0c2, 0xa2573c, 4, 3);
    house(&s, 474, 84, 670, 296, 0xc98f78, 0x6a4a42, 3, 4);
    tree(&s, 299, 300, 200, 0x5c8a3a, 5);
    stuff(&s, GROUND, band(&s, 294, 326), graded(0xb4aca0, 0x9c968c, 0.05, 4));
    for (int x = 0; x < 640; x += 32)
        line(&s.c, x, 296, x - 14, 325, 0.8, flat(0x7c766c));
    fill(&s.c, band(&s, 324, 329), graded(0xd0ccc0, 0x77746c, 0.03, 4));
    asphalt(&s, 329, 0x58585a);
    for (int x = -40; x < 680; x += 120)
        fill_alpha(&s.c,
                   ring_of((double[]){ x + 20, 404, x + 84, 404, x + 76, 411, x + 8, 411 }, 4),
                   graded(0xf0ece0, 0xdcd8cc, 0.1, 3), 0.9);
    o = person(&s,
               someone(FRONT, 46, 318, 88, (double[]){ 8, 12, -8, -12 }, (double[]){ 3, 3, -3, -3 },
                       0x3c6a58, 0x4a4a58, 0xd8a888, 0x4a3020, false),
               BOX, SHORTEST, false);
    o->extra = "\"attributes\": {\"occluded\": false, \"far\": true}";
    car(&s, &(struct car){ 300, 366, 202, 0x2f5fa8, false, { 386, 396 } }, POLYGON, SHORTEST)
        ->extra = "\"attributes\": {\"occluded\": true, \"by\": \"a post\"}, \"track_id\": 17";
    post(&s, 386, 396, 168, 420, 0x5c6260);
    traffic_light(&s, 391, 172, 72, 2, POLYGON, WHOLE);
    car(&s, &(struct car){ 268, 448, -246, 0xb32a24, true, { 0, 0 } }, POLYGON, FIXED)->extra =
        "\"track_id\": 4, \"score\": 0.25";
    shade(&s.c, 568, 462, 70, 10, 0.5);
    person(&s,
           someone(FRONT, 562, 462, 216, (double[]){ 152, 168, -14, -8 },
                   (double[]){ 6, 2, -7, -3 }, 0xe0a63c, 0x2d3a56, 0xe0b090, 0x5c3a20, true),
           POLYGON, SHORTEST, true);
    glow(&s.c, 120, 60, 420, 320, 0xfff0c8, 0.16);
    develop(&s.c, 0.5, 0.22, 0.03);
    return s;
}

struct scene street_crossing(void)
{
    struct scene s = scene_new(480, 640, 23);

    stuff(&s, SKY, band(&s, 0, 330), graded(0x88b0d4, 0xf4e6d2, 0, 1));
    clouds(&s.c, 0, 240, 0xfffaf0, 0.1, 90);
    house(&s, -40, 30, 122, 330, 0xc8a890, 0x80503c, 5, 3);
    house(&s, 126, 130, 226, 326, 0xa8b0b4, 0x5c5058, 4, 3);
    house(&s, 366, 10, 530, 330, 0xd4c4a4, 0x8c4a38, 5, 3);
    tree(&s, 312, 334, 170, 0x6c8c3c, 8);
    tree(&s, 246, 330, 90, 0x58803c, 3);
    stuff(&s, GROUND, band(&s, 326, 372), graded(0xb8b0a2, 0x98928a, 0.06, 4));
    fill(&s.c, band(&s, 368, 374), graded(0xd4d0c4, 0x7a766e, 0.03, 4));
    asphalt(&s, 374, 0x4c4c50);
    for (int k = 0; k < 7; k++) {
        double x0 = 20 + 66 * k, x1 = -96 + 104 * k;

        fill_alpha(&s.c, ring_of((double[]){ x0, 440, x0 + 34, 440, x1 + 56, 600, x1, 600 }, 4),
                   graded(0xe8e4da, 0xf6f2e8, 0.14, 5), 0.88);
    }
    car(&s, &(struct car){ 38, 392, 128, 0x6c8c94, false, { 0, 0 } }, RLE, SHORTEST)->extra =
        "\"attributes\": {\"parked\": true}";
    post(&s, 436, 445, 172, 400, 0x4c5250);
    traffic_light(&s, 440.5, 176, 84, 0, POLYGON, FIXED);
    shade(&s.c, 258, 478, 60, 8, 0.5);
    person(&s,
           someone(BACK, 252, 476, 206, (double[]){ -9, -4, 12, 20 }, (double[]){ -5, 2, 6, 2 },
                   0x7a3c52, 0x30303a, 0xb88058, 0x201814, false),
           POLYGON, SHORTEST, true);
    shade(&s.c, 118, 572, 92, 12, 0.5);
    person(&s,
           someone(TO_RIGHT, 116, 570, 290, (double[]){ 24, 38, -26, -10 },
                   (double[]){ 21, 4, -13, -26 }, 0x3a78a0, 0x3c3a44, 0xe4b898, 0x8a5a2a, false),
           POLYGON, SHORTEST, true)
        ->extra = "\"attributes\": {\"walking\": true}";
    person(&s,
           someone(FRONT, 392, 790, 430, (double[]){ 16, -4, -12, -20 }, (double[]){ 3, 2, -4, -2 },
                   0xd8d2c4, 0x5c6a4a, 0x9a6a48, 0x181210, true),
           COUNTS, SHORTEST, true)
        ->extra = "\"attributes\": {\"truncated\": true}";
    glow(&s.c, 420, 90, 300, 420, 0xffe0a8, 0.22);
    develop(&s.c, 0.5, 0.25, 0.03);
    return s;
}

struct scene street_night(void)
{
    struct scene s = scene_new(333, 251, 37);

    fill(&s.c, band(&s, 0, 251), graded(0x0c1226, 0x2c2a44, 0.02, 60));
    stuff_label(&s, SKY, &(struct ring){ 4, { { 0, 0 }, { 333, 0 }, { 333, 130 }, { 0, 130 } } });
    for (int i = 0; i < 7; i++) {
        double x0 = -12 + 51 * i, y0 = 38 + 29 * (i * 3 % 4);

        stuff(&s, BUILDING, ring_box(x0, y0, x0 + 50, 150),
              graded(i % 2 ? 0x1c2034 : 0x242238, 0x14141e, 0.03, 12));
        for (int k = 0; k < 40; k++) {
            double x = x0 + 5 + 9 * (k % 5), y = y0 + 7 + 13 * (k / 5);

            if ((k * 7 + i * 5 + k / 3) % 4 < 2 && y < 130)
                fill(&s.c, ring_box(x, y, x + 5, y + 8),
                     graded((k + i) % 3 ? 0xffcf70 : 0xbfe0ff, 0xa8742c, 0.1, 3));
        }
    }
    stuff(&s, ROAD, band(&s, 148, 251), graded(0x2a2a36, 0x14141c, 0.05, 5));
    reflection(&s.c, 150, 251, 0.55, 3);
    post(&s, 286, 291, 62, 176, 0x343a3c);
    traffic_light(&s, 288.5, 64, 42, 1, BOX_BARE, POINT_ZERO);
    car_front(&s, 84, 216, 112, 0x782020, true, POLYGON, SHORTEST)->extra =
        "\"attributes\": {\"lights\": \"on\"}";
    car_front(&s, 196, 178, 56, 0x20466a, true, BOX, FIXED);
    for (int k = 0; k < 4; k++) {
        double x = k < 2 ? 84 + (k ? 41 : -41) : 196 + (k == 2 ? -21 : 21), y = k < 2 ? 178 : 159;

        glow(&s.c, x, y, k < 2 ? 40 : 22, k < 2 ? 28 : 16, 0xfff0c0, 0.8);
        glow(&s.c, x, y + (k < 2 ? 52 : 30), k < 2 ? 14 : 8, 44, 0xffe0a0, 0.45);
    }
    glow(&s.c, 60, 250, 120, 40, 0x705030, 0.3);
    develop(&s.c, 0.45, 0.2, 0.012);
    return s;
}
