/* nature: birds, fruit, a cup, a ball, trees, houses and hills. */
#include "noise.h"
#include "things.h"

#include <math.h>

struct shape gull_shape(double x, double y, double span, double turn, double beat)
{
    /* Half a gull, from the beak's side of the body out along the wing and back. */
    const double lift = -0.16 * beat;
    const double half[] = { 0,   -.035,           .10, -.05 + lift,     .22, -.06 + lift * 1.5,
                            .36, -.02 + lift,     .5,  .05 + lift * .4, .36, .025 + lift,
                            .22, .0 + lift * 1.4, .09, .03 + lift * .7, .03, .075 };
    double all[36];
    struct shape s = { .n = 1 };

    for (int i = 0; i < 9; i++) {
        all[2 * i] = x + span * half[2 * i];
        all[2 * i + 1] = y + span * half[2 * i + 1];
        all[2 * (17 - i)] = x - span * (half[2 * i] + (i == 0 ? .012 : 0));
        all[2 * (17 - i) + 1] = y + span * half[2 * i + 1];
    }
    s.ring[0] = ring_turned(ring_smooth(all, 18), (struct pt){ x, y }, turn);
    return s;
}

struct object *gull(struct scene *s, double x, double y, double span, double turn, double beat,
                    struct paint p, enum kind kind, enum form form)
{
    struct shape shape = gull_shape(x, y, span, turn, beat);
    struct object *o = thing(s, BIRD, kind, form, &shape);

    coat(s, p);
    fill_alpha(&s->c, ring_ellipse(x - span * .42, y, span * .14, span * .2, 0), flat(0x202428),
               0.6);
    fill_alpha(&s->c, ring_ellipse(x + span * .42, y, span * .14, span * .2, 0), flat(0x202428),
               0.6);
    thing_done(s);
    return o;
}

struct object *apple(struct scene *s, double x, double y, double r, unsigned colour, enum kind kind,
                     enum form form)
{
    static const double half[] = { 0,   -.80, .30, -.95, .70, -.85, .98, -.40,
                                   .95, .15,  .70, .68,  .35, .93,  0,   .86 };
    double all[28];
    struct shape shape = { .n = 0 };
    struct ring stem = ring_limb((struct pt){ x, y - r * .72 }, r * .05,
                                 (struct pt){ x + r * .18, y - r * 1.22 }, r * .07);
    struct paint skin = ball(colour, 0.55);
    struct object *o;

    for (int i = 0; i < 8; i++) {
        all[2 * i] = x + r * half[2 * i];
        all[2 * i + 1] = y + r * half[2 * i + 1];
        if (i > 0 && i < 7) {
            all[2 * (14 - i)] = x - r * half[2 * i];
            all[2 * (14 - i) + 1] = y + r * half[2 * i + 1];
        }
    }
    shade(&s->c, x + r * .3, y + r * .85, r * 1.5, r * .38, 0.6);
    shape_add(&shape, ring_smooth(all, 14));
    shape_add(&shape, stem);
    o = thing(s, APPLE, kind, form, &shape);
    skin.grain = 0.06;
    skin.gx = r * .10;
    skin.gy = r * .55;
    coat(s, flat(0x5a3c20));
    fill(&s->c, ring_placed(shape.ring[0], x * -0.03, y * -0.03, 1.03, 1.03), skin);
    glow(&s->c, x + r * .5, y + r * .45, r * .6, r * .6, 0xe8c040, 0.22);
    shade(&s->c, x, y - r * .78, r * .38, r * .16, 0.6);
    fill(&s->c, stem, graded(0x6a4a28, 0x3a2814, 0.05, 3));
    thing_done(s);
    return o;
}

struct object *orange(struct scene *s, double x, double y, double r, enum kind kind, enum form form)
{
    struct shape shape = { .n = 0 };
    struct paint peel = ball(0xf08a1c, 0.35);
    struct object *o;

    shade(&s->c, x + r * .3, y + r * .9, r * 1.5, r * .38, 0.6);
    shape_add(&shape, ring_ellipse(x, y, r, r * .97, 0));
    o = thing(s, ORANGE, kind, form, &shape);
    peel.grain = 0.09;
    peel.gx = peel.gy = fmax(1.2, r * .05);
    coat(s, peel);
    fill(&s->c, ring_ellipse(x + r * .1, y - r * .8, r * .09, r * .05, 0), flat(0x58702c));
    thing_done(s);
    return o;
}

struct object *banana(struct scene *s, double x, double y, double size, double turn, enum kind kind,
                      enum form form)
{
    static const double out[] = { -.50, -.20, -.42, -.22, -.30, -.02, -.05, .10, .22,
                                  .06,  .42,  -.16, .47,  -.22, .53,  -.20, .50, -.08,
                                  .34,  .16,  .04,  .28,  -.26, .22,  -.44, .02 };
    struct pt about = { x, y };
    struct ring r = ring_turned(ring_placed(ring_smooth(out, 13), x, y, size, size), about, turn);
    struct shape shape = { .n = 0 };
    struct paint peel = graded(0xffe45a, 0xc8921c, 0.05, size / 14);
    struct object *o;

    shade(&s->c, x, y + size * .22, size * .62, size * .16, 0.5);
    shape_add(&shape, r);
    o = thing(s, BANANA, kind, form, &shape);
    coat(s, peel);
    for (int i = 0; i < 5; i++)
        fill_alpha(
            &s->c,
            ring_turned(ring_blob(x - size * (.3 - .15 * i), y + size * (.12 + .03 * (i % 2)),
                                  size * .03, size * .008, .5, (uint32_t)i),
                        about, turn),
            flat(0x7a5418), 0.6);
    fill(&s->c,
         ring_turned(ring_ellipse(x - size * .47, y - size * .19, size * .05, size * .045, 0),
                     about, turn),
         flat(0x5a4418));
    fill(&s->c,
         ring_turned(ring_ellipse(x + size * .51, y - size * .19, size * .04, size * .045, 0),
                     about, turn),
         flat(0x6a5a20));
    thing_done(s);
    return o;
}

struct object *cup(struct scene *s, double x, double y, double size, unsigned colour,
                   enum kind kind, enum form form)
{
    double w = size * .42, top = y - size * .86;
    const double body[] = {
        x - w,         top,          x + w,          top,         x + w * .93,
        y - size * .3, x + w * .79,  y - size * .09, x - w * .79, y - size * .09,
        x - w * .93,   y - size * .3
    };
    struct paint side = graded(colour, colour, 0.025, size / 6);
    struct shape shape = { .n = 0 };
    struct object *o;

    shade(&s->c, x + size * .15, y - size * .02, size * .75, size * .16, 0.6);
    shape_add(&shape, ring_of(body, 6));
    shape_add(&shape, ring_ellipse(x, top, w, w * .26, 0));
    shape_add(&shape, ring_ellipse(x, y - size * .09, w * .79, size * .09, 0));
    for (int k = 0; k < 6; k++) {
        double a = degrees(-80 + 27 * k), b = degrees(-80 + 27 * (k + 1));
        struct pt c = { x + w * .92, y - size * .48 };

        shape_add(&shape,
                  ring_limb((struct pt){ c.x + size * .26 * cos(a), c.y + size * .22 * sin(a) },
                            size * .045,
                            (struct pt){ c.x + size * .26 * cos(b), c.y + size * .22 * sin(b) },
                            size * .045));
    }
    o = thing(s, CUP, kind, form, &shape);
    side.turn = -90;
    side.from = mix(side.from, hex(0xffffff), 0.35);
    side.to = mix(side.to, hex(0x101018), 0.45);
    coat(s, side);
    fill_alpha(&s->c, ring_box(x - w * .62, top + w * .3, x - w * .48, y - size * .15),
               flat(0xffffff), 0.3);
    fill(&s->c, ring_ellipse(x, top, w, w * .26, 0), graded(0xf0ece4, 0xc8c0b4, 0.02, 5));
    fill(&s->c, ring_ellipse(x, top + w * .03, w * .9, w * .2, 0),
         graded(0x28160c, 0x5a3a20, 0.04, 6));
    glow(&s->c, x - w * .3, top, w * .4, w * .1, 0xe0c0a0, 0.4);
    thing_done(s);
    return o;
}

struct object *ball_at(struct scene *s, double x, double y, double r, unsigned colour,
                       enum kind kind, enum form form)
{
    struct shape shape = { .n = 0 };
    struct object *o;

    shape_add(&shape, ring_ellipse(x, y, r, r, 0));
    o = thing(s, BALL, kind, form, &shape);
    coat(s, ball(colour, 0.3));
    for (int k = 0; k < 5; k++) {
        double a = degrees(72.0 * k - 60);

        fill_alpha(
            &s->c,
            ring_ellipse(x + r * .8 * cos(a), y + r * .8 * sin(a), r * .26, r * .2, 72 * k + 30),
            flat(0x282830), 0.85);
    }
    fill_alpha(&s->c, ring_ellipse(x, y, r * .28, r * .28, 0), flat(0x282830), 0.85);
    thing_done(s);
    return o;
}

void tree(struct scene *s, double x, double y, double h, unsigned leaves, uint32_t seed)
{
    double cy = y - h * .64, rx = h * .3, ry = h * .36;
    struct paint dark = graded(leaves, leaves, 0.14, h / 16);

    shade(&s->c, x + h * .1, y, h * .4, h * .06, 0.45);
    stuff(
        s, PLANT,
        ring_limb((struct pt){ x, y - h * .5 }, h * .022, (struct pt){ x, y - h * .01 }, h * .034),
        graded(0x6a5340, 0x3c2e22, 0.1, h / 40));
    dark.from = mix(dark.from, hex(0x101c10), 0.1);
    dark.to = mix(dark.to, hex(0x101c10), 0.6);
    stuff(s, PLANT, ring_blob(x, cy, rx, ry, 0.3, seed), dark);
    for (int i = 0; i < 26; i++) {
        double a = 6.2832 * noise_at(i, 1, seed), d = 0.78 * sqrt(noise_at(i, 2, seed));
        double px = x + rx * d * cos(a), py = cy + ry * d * sin(a),
               r = h * (.05 + .05 * noise_at(i, 3, seed));
        struct paint p = graded(leaves, leaves, 0.2, h / 40);
        double light = 0.35 - 0.4 * (py - cy) / ry - 0.3 * (px - x) / rx;

        p.from = mix(p.from, light > 0 ? hex(0xf0f0a0) : hex(0x081408), fabs(light) * 0.35);
        p.to = mix(p.to, hex(0x102010), 0.35 - 0.2 * light);
        fill_alpha(&s->c, ring_blob(px, py, r, r * .8, 0.5, seed + (uint32_t)i), p, 0.75);
    }
}

static void window_at(struct scene *s, double x, double y, double w, double h, double light)
{
    struct paint glass = graded(0x8aa4b4, 0x2e3c48, 0.06, 9);

    glass.from = mix(glass.from, hex(0xdce8f0), light);
    fill(&s->c, ring_box(x - w * .1, y - h * .06, x + w * 1.1, y + h * 1.06),
         graded(0xeeeae0, 0xc8c2b4, 0.03, 4));
    fill(&s->c, ring_box(x, y, x + w, y + h), glass);
    fill(&s->c, ring_box(x + w * .46, y, x + w * .54, y + h), flat(0xe4e0d6));
    fill(&s->c, ring_box(x, y + h * .36, x + w, y + h * .41), flat(0xe4e0d6));
    fill_alpha(&s->c, ring_box(x - w * .15, y + h * 1.04, x + w * 1.15, y + h * 1.14),
               flat(0xb8b0a0), 0.9);
    shade(&s->c, x + w / 2, y + h * 1.2, w * .8, h * .12, 0.4);
}

void house(struct scene *s, double x0, double y0, double x1, double y1, unsigned wall,
           unsigned roof, int rows, int columns)
{
    double w = x1 - x0, top = y0 + (y1 - y0) * .13;
    double step_x = w / columns, step_y = (y1 - top) / rows;
    struct paint plaster = graded(wall, wall, 0.07, 9), tiles = graded(roof, roof, 0.12, 3);

    plaster.to = mix(plaster.to, hex(0x201810), 0.22);
    tiles.gx = 9;
    stuff(s, BUILDING, ring_box(x0, top, x1, y1), plaster);
    stuff(
        s, BUILDING,
        ring_of((double[]){ x0 - 3, top + 3, x0 + w * .08, y0, x1 - w * .08, y0, x1 + 3, top + 3 },
                4),
        tiles);
    shade(&s->c, x0 + w / 2, top + 6, w * .7, 9, 0.35);
    for (int r = 0; r < rows; r++)
        for (int k = 0; k < columns; k++) {
            double x = x0 + step_x * (k + .28), y = top + step_y * (r + .22);
            double light = noise_at(k, r, (uint32_t)x0 + wall);

            if (r == rows - 1 && k == columns / 2)
                fill(&s->c, ring_rounded(x, y, x + step_x * .46, y1 + 3, 3),
                     graded(0x5c3a28, 0x3a2418, 0.06, 4));
            else
                window_at(s, x, y, step_x * .44, step_y * .52, light * .7);
        }
}

void hills(struct scene *s, double y, double height, double size, struct paint p, uint32_t seed)
{
    struct ring r = { .n = 0 };
    int steps = 120;

    for (int i = 0; i <= steps; i++) {
        double x = (double)s->c.w * i / steps;

        ring_add(&r, x, y - height * (0.5 + 0.8 * noise_fractal(x / size, 0.5, seed, 5)));
    }
    ring_add(&r, s->c.w, s->c.h);
    ring_add(&r, 0, s->c.h);
    stuff(s, HILL, r, p);
}

void post(struct scene *s, double x0, double x1, double y0, double y1, unsigned colour)
{
    struct paint p = graded(colour, colour, 0.03, 6);

    p.turn = -90;
    p.from = mix(p.from, hex(0xffffff), 0.3);
    p.to = mix(p.to, hex(0x000000), 0.4);
    shade(&s->c, (x0 + x1) / 2 + 3, y1, (x1 - x0) * 1.6, (x1 - x0) * .4, 0.5);
    stuff(s, POLE, ring_box(x0, y0, x1, y1), p);
}
