/* vehicles: cars, traffic lights and boats. */
#include "things.h"

#include <math.h>

#define POINTS(a) ring_of((a), (int)(sizeof(a) / sizeof *(a) / 2))
#define SMOOTH(a) ring_smooth((a), (int)(sizeof(a) / sizeof *(a) / 2))

/* Unit cars: 1 long, the ground at 0, up is negative, facing right. */
static const double sedan_body[] = { .02,  -.10,  .005, -.17,  .025, -.235, .13, -.255, .23, -.34,
                                     .31,  -.378, .50,  -.378, .585, -.345, .71, -.26,  .90, -.232,
                                     .985, -.185, .995, -.12,  .97,  -.085, .5,  -.075 };
static const double sedan_window[2][12] = {
    { .175, -.258, .26, -.333, .33, -.355, .43, -.355, .43, -.255, .30, -.252 },
    { .455, -.255, .455, -.355, .505, -.352, .565, -.325, .655, -.262, .55, -.253 }
};
static const double van_body[] = { .015,  -.09, .005,  -.25, .02,   -.40,  .06,  -.425, .40,
                                   -.432, .66,  -.425, .74,  -.395, .85,   -.27, .965,  -.225,
                                   .995,  -.17, .995,  -.11, .97,   -.085, .5,   -.075 };
static const double van_window[2][12] = {
    { .06, -.275, .065, -.385, .20, -.392, .40, -.393, .40, -.27, .20, -.268 },
    { .43, -.27, .43, -.393, .62, -.39, .71, -.365, .80, -.275, .65, -.268 }
};

static void paint_wheel(struct scene *s, double x, double y, double r)
{
    fill(&s->c, ring_ellipse(x, y, r + 0.5, r + 0.5, 0), graded(0x303034, 0x101012, 0.05, 2));
    fill(&s->c, ring_ellipse(x, y, r * 0.62, r * 0.62, 0), graded(0xb8bcc4, 0x70747c, 0.05, 2));
    for (int k = 0; k < 5; k++) {
        double a = degrees(72.0 * k + 20);

        line(&s->c, x, y, x + r * 0.55 * cos(a), y + r * 0.55 * sin(a), r * 0.1, flat(0x585c64));
    }
    fill(&s->c, ring_ellipse(x, y, r * 0.15, r * 0.15, 0), flat(0x404448));
}

static void paint_car(struct scene *s, const struct car *c)
{
    double l = c->length, a = fabs(l), x = c->x, y = c->y;
    struct paint body = graded(c->colour, c->colour, 0.02, 20);
    struct paint glass = graded(0x9cb4c4, 0x2c3a46, 0.03, 10);
    const double(*window)[12] = c->van ? van_window : sedan_window;

    body.from = mix(body.from, hex(0xffffff), 0.30);
    body.to = mix(body.to, hex(0x08080c), 0.45);
    coat(s, body);
    for (int i = 0; i < 2; i++)
        fill(&s->c, ring_placed(POINTS(window[i]), x, y, l, a), glass);
    /* A strip of sky in the paint, the sill, and the doors' edges. */
    fill_alpha(&s->c, ring_placed(ring_box(0.02, -.232, .96, -.222), x, y, l, a), flat(0xffffff),
               0.35);
    fill_alpha(&s->c, ring_placed(ring_box(0, -.105, 1, -.05), x, y, l, a), flat(0x101014), 0.65);
    for (int i = 0; i < 3; i++) {
        double u = i == 0 ? .245 : i == 1 ? .442 : .64;

        line(&s->c, x + l * u, y - a * .25, x + l * (u + .01), y - a * .11, fmax(0.8, a * .004),
             flat(0x1a1a20));
    }
    line(&s->c, x + l * .39, y - a * .215, x + l * .42, y - a * .215, a * .012, flat(0x303038));
    fill(&s->c, ring_placed(ring_ellipse(.975, -.185, .02, .018, 0), x, y, l, a),
         graded(0xfff8e0, 0xd8d0b0, 0, 1));
    fill(&s->c, ring_placed(ring_ellipse(.012, -.2, .015, .022, 0), x, y, l, a),
         graded(0xe03020, 0x80100c, 0, 1));
    for (int i = 0; i < 2; i++) {
        fill(&s->c, ring_placed(ring_ellipse(i ? .805 : .19, -.085, .102, .1, 0), x, y, l, a),
             flat(0x0c0c10));
        paint_wheel(s, x + l * (i ? .805 : .19), y - a * .08, a * .08);
    }
    glow(&s->c, x + l * .4, y - a * .36, a * .4, a * .09, 0xffffff, 0.4);
}

struct object *car(struct scene *s, const struct car *c, enum kind kind, enum form form)
{
    static struct shape shape, whole, parts;
    double l = c->length, a = fabs(l);
    struct object *o;

    shade(&s->c, c->x + l / 2, c->y - a * .01, a * .62, a * .07, 0.75);
    shape.n = parts.n = 0;
    shape_add(&shape,
              ring_placed(c->van ? SMOOTH(van_body) : SMOOTH(sedan_body), c->x, c->y, l, a));
    for (int i = 0; i < 2; i++)
        shape_add(&shape,
                  ring_ellipse(c->x + l * (i ? .805 : .19), c->y - a * .08, a * .08, a * .08, 0));
    shape_trace(&shape, s->c.w, s->c.h, &whole);
    if (c->post[0] < c->post[1]) {
        shape_add(&parts, ring_cut(&whole.ring[0], c->post[0], true));
        shape_add(&parts, ring_cut(&whole.ring[0], c->post[1], false));
    } else {
        parts = whole;
    }
    o = thing_parts(s, CAR, kind, form, &parts);
    paint_car(s, c);
    thing_done(s);
    return o;
}

struct object *car_front(struct scene *s, double x, double y, double w, unsigned colour, bool lit,
                         enum kind kind, enum form form)
{
    static const double body[] = { -.47, -.16, -.5, -.3,  -.48, -.42, -.42, -.48, -.36, -.66,
                                   -.29, -.72, 0,   -.74, .29,  -.72, .36,  -.66, .42,  -.48,
                                   .48,  -.42, .5,  -.3,  .47,  -.16, .3,   -.1,  -.3,  -.1 };
    static const double glass[] = { -.34, -.49,  -.3, -.64, -.25, -.685, 0, -.695,
                                    .25,  -.685, .3,  -.64, .34,  -.49,  0, -.475 };
    static struct shape shape;
    struct paint p = graded(colour, colour, 0.02, 12);
    struct object *o;

    shade(&s->c, x, y, w * .62, w * .1, 0.7);
    shape.n = 0;
    shape_add(&shape, ring_placed(SMOOTH(body), x, y, w, w));
    shape_add(&shape, ring_rounded(x - w * .45, y - w * .2, x - w * .29, y, w * .03));
    shape_add(&shape, ring_rounded(x + w * .29, y - w * .2, x + w * .45, y, w * .03));
    o = thing(s, CAR, kind, form, &shape);
    p.from = mix(p.from, hex(0xffffff), lit ? 0.05 : 0.3);
    p.to = mix(p.to, hex(0), 0.5);
    coat(s, p);
    fill(&s->c, ring_box(x - w * .46, y - w * .14, x - w * .28, y + 1), flat(0x141416));
    fill(&s->c, ring_box(x + w * .28, y - w * .14, x + w * .46, y + 1), flat(0x141416));
    fill(&s->c, ring_placed(SMOOTH(glass), x, y, w, w),
         lit ? graded(0x303c4c, 0x141a22, 0.03, 5) : graded(0xa8c0d0, 0x30404c, 0.03, 8));
    fill(&s->c, ring_rounded(x - w * .24, y - w * .34, x + w * .24, y - w * .24, w * .03),
         graded(0x303034, 0x101012, 0.1, 2));
    fill(&s->c, ring_rounded(x - w * .12, y - w * .2, x + w * .12, y - w * .145, w * .01),
         flat(0xe8e8e0));
    for (int side = -1; side <= 1; side += 2)
        fill(&s->c, ring_ellipse(x + side * w * .37, y - w * .34, w * .075, w * .05, side * 8),
             lit ? graded(0xffffff, 0xfff0c0, 0, 1) : graded(0xf4f4f0, 0x9ca0a4, 0, 1));
    thing_done(s);
    return o;
}

struct object *traffic_light(struct scene *s, double x, double y, double h, int lit, enum kind kind,
                             enum form form)
{
    static const unsigned on[] = { 0xff3828, 0xffc030, 0x40f080 },
                          off[] = { 0x501410, 0x503c10, 0x0c4020 };
    static struct shape shape;
    double w = h * 0.4;
    struct object *o;

    shape.n = 0;
    shape_add(&shape, form == WHOLE ? ring_box(x - w / 2, y - h, x + w / 2, y)
                                    : ring_rounded(x - w / 2, y - h, x + w / 2, y, w * .2));
    o = thing(s, LIGHTS, kind, form, &shape);
    coat(s, graded(0x3a3e38, 0x1c1e1a, 0.04, 4));
    for (int k = 0; k < 3; k++) {
        double cy = y - h * (0.83 - 0.33 * k), r = h * 0.125;

        fill(&s->c, ring_ellipse(x, cy, r * 1.15, r * 1.15, 0), flat(0x0a0a0a));
        fill(&s->c, ring_ellipse(x, cy, r, r, 0),
             ball(k == lit ? on[k] : off[k], k == lit ? 0.6 : 0.12));
        fill_alpha(&s->c, ring_box(x - r, cy - r * 1.15, x + r, cy - r * .75), flat(0x0a0a0a), 0.7);
    }
    thing_done(s);
    glow(&s->c, x, y - h * (0.83 - 0.33 * lit), h * .4, h * .4, on[lit], 0.35);
    return o;
}

struct object *sailing_boat(struct scene *s, double x, double y, double size, unsigned hull,
                            unsigned sail, enum kind kind, enum form form)
{
    static const double body[] = { -.34, -.10, .42, -.13, .30, 0, -.28, 0 };
    static const double main_sail[] = {
        -.02, -1.0, -.04, -.6, -.10, -.35, -.36, -.17, -.02, -.165
    };
    static const double jib[] = { .02, -.92, .13, -.55, .37, -.16, .03, -.17 };
    static struct shape shape;
    struct paint cloth_l = graded(sail, sail, 0.03, size / 8), cloth_r = cloth_l;
    struct ring r = ring_placed(POINTS(body), x, y, size, size);
    struct object *o;

    shape.n = 0;
    shape_add(&shape, r);
    shape_add(&shape, ring_placed(POINTS(main_sail), x, y, size, size));
    shape_add(&shape, ring_placed(POINTS(jib), x, y, size, size));
    shape_add(&shape, ring_box(x - fmax(.8, size * .008), y - size * 1.02,
                               x + fmax(.8, size * .008), y - size * .08));
    o = thing(s, BOAT, kind, form, &shape);
    coat(s, flat(0x5a4636));
    cloth_l.turn = 90;
    cloth_l.to = mix(cloth_l.to, hex(0x404860), 0.3);
    cloth_r.to = mix(cloth_r.to, hex(0x404860), 0.15);
    fill(&s->c, ring_placed(POINTS(main_sail), x, y, size, size), cloth_l);
    fill(&s->c, ring_placed(POINTS(jib), x, y, size, size), cloth_r);
    for (int k = 1; k < 5; k++)
        fill_alpha(
            &s->c,
            ring_placed(ring_box(-.4, -1.0 + .17 * k, -.02, -.996 + .17 * k), x, y, size, size),
            flat(0x606880), 0.35);
    fill(&s->c, r, graded(hull, hull, 0.04, 8));
    fill_alpha(&s->c, ring_placed(ring_box(-.4, -.045, .45, .01), x, y, size, size), flat(0x10161e),
               0.55);
    fill_alpha(&s->c, ring_placed(ring_box(-.4, -.12, .45, -.1), x, y, size, size), flat(0xffffff),
               0.6);
    thing_done(s);
    return o;
}

struct object *fishing_boat(struct scene *s, double x, double y, double size, unsigned hull,
                            enum kind kind, enum form form)
{
    static const double body[] = { -.48, -.17, -.2, -.15, .15, -.16, .36,  -.20,
                                   .5,   -.27, .42, -.12, .34, 0,    -.42, 0 };
    static struct shape shape;
    struct ring cabin =
        ring_rounded(x - size * .30, y - size * .42, x - size * .04, y - size * .1, size * .015);
    struct ring r = ring_placed(POINTS(body), x, y, size, size);
    struct object *o;

    shape.n = 0;
    shape_add(&shape, r);
    shape_add(&shape, cabin);
    shape_add(&shape, ring_box(x - size * .33, y - size * .45, x - size * .01, y - size * .41));
    shape_add(&shape, ring_box(x + size * .09, y - size * .62,
                               x + size * .09 + fmax(1.4, size * .018), y - size * .1));
    o = thing(s, BOAT, kind, form, &shape);
    coat(s, graded(0x8a7a64, 0x5a4c3c, 0.06, 6));
    fill(&s->c, cabin, graded(0xf4f0e8, 0xc8c4b8, 0.03, 10));
    fill(&s->c, ring_box(x - size * .34, y - size * .46, x, y - size * .405),
         graded(0xb84030, 0x802820, 0.03, 5));
    for (int k = 0; k < 2; k++)
        fill(&s->c,
             ring_box(x - size * (.265 - .115 * k), y - size * .36, x - size * (.19 - .115 * k),
                      y - size * .27),
             graded(0x88a8bc, 0x304454, 0.03, 6));
    fill(&s->c, r, graded(hull, hull, 0.05, 10));
    fill_alpha(&s->c, ring_placed(ring_box(-.5, -.055, .5, .01), x, y, size, size), flat(0x701c18),
               0.75);
    fill_alpha(&s->c,
               ring_turned(ring_placed(ring_box(-.5, -.15, .5, -.13), x, y, size, size),
                           (struct pt){ x, y - size * .14 }, -3),
               flat(0xffffff), 0.7);
    shade(&s->c, x + size * .2, y, size * .5, size * .2, 0.35);
    for (int k = 0; k < 3; k++)
        fill(&s->c,
             ring_ellipse(x - size * (.25 - .2 * k), y - size * .085, size * .025, size * .03, 0),
             ball(0xe8902c, 0.2));
    thing_done(s);
    return o;
}
