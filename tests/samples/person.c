/* person: people of limbs on joints, so that keypoints are where the paint is. */
#include "noise.h"
#include "things.h"

#include <math.h>
#include <string.h>

enum {
    NOSE,
    L_EYE,
    R_EYE,
    L_EAR,
    R_EAR,
    L_SHOULDER,
    R_SHOULDER,
    L_ELBOW,
    R_ELBOW,
    L_WRIST,
    R_WRIST,
    L_HIP,
    R_HIP,
    L_KNEE,
    R_KNEE,
    L_ANKLE,
    R_ANKLE,
};

#define PARTS 24

struct body {
    struct pt joint[JOINTS], head;
    int seen[JOINTS];
    int parts;
    struct ring ring[PARTS];
    struct paint paint[PARTS];
};

static void body_add(struct body *b, struct ring r, struct paint p)
{
    b->ring[b->parts] = r;
    b->paint[b->parts++] = p;
}

/* Where a limb ends. A joint is the middle of a pixel, so that its index says all. */
static struct pt reach(struct pt from, double length, double angle)
{
    return (struct pt){ floor(from.x + length * sin(degrees(angle))) + 0.5,
                        floor(from.y + length * cos(degrees(angle))) + 0.5 };
}

static struct pt at(const struct person *p, double u, double v)
{
    return (struct pt){ floor(p->x + u * p->h) + 0.5, floor(p->y - v * p->h) + 0.5 };
}

static bool is_sideways(const struct person *p)
{
    return p->view == TO_RIGHT || p->view == TO_LEFT;
}

/* +1 when that side (0 left, 1 right) is at the picture's right, -1 at its left; sideways: +1 for
 * the far side. */
static double side_sign(const struct person *p, int side)
{
    static const double left[] = { 1, -1, 1, -1 };

    return side ? -left[p->view] : left[p->view];
}

static void place_limbs(const struct person *p, struct body *b)
{
    double shoulder = is_sideways(p) ? 0.012 : 0.1, hip = is_sideways(p) ? 0.008 : 0.05;

    for (int side = 0; side < 2; side++) {
        double sign = side_sign(p, side);
        struct pt *j = b->joint + side;

        j[L_SHOULDER] = at(p, sign * shoulder, 0.80);
        j[L_ELBOW] = reach(j[L_SHOULDER], 0.165 * p->h, p->arm[side][0]);
        j[L_WRIST] = reach(j[L_ELBOW], 0.14 * p->h, p->arm[side][1]);
        j[L_HIP] = at(p, sign * hip, 0.475);
        j[L_KNEE] = reach(j[L_HIP], 0.225 * p->h, p->leg[side][0]);
        j[L_ANKLE] = reach(j[L_KNEE], 0.21 * p->h, p->leg[side][1]);
    }
}

static void place_face(const struct person *p, struct body *b)
{
    double face = p->view == TO_LEFT ? -1 : 1;

    b->head = at(p, is_sideways(p) ? 0.012 * face : 0, 0.915);
    for (int side = 0; side < 2; side++) {
        double sign = side_sign(p, side);
        bool far = is_sideways(p) && sign > 0;

        b->joint[L_EYE + side] =
            is_sideways(p) ? at(p, 0.05 * face, 0.925) : at(p, sign * 0.024, 0.925);
        b->joint[L_EAR + side] =
            is_sideways(p) ? at(p, -0.005 * face, 0.912) : at(p, sign * 0.06, 0.91);
        b->seen[L_EYE + side] = p->view == BACK || far ? 0 : 2;
        b->seen[L_EAR + side] = far ? 0 : 2;
    }
    b->joint[NOSE] = is_sideways(p) ? at(p, 0.078 * face, 0.905) : at(p, 0, 0.902);
    b->seen[NOSE] = p->view == BACK ? 0 : 2;
}

static struct paint cloth(unsigned c, double light)
{
    struct paint p = graded(c, c, 0.05, 5);

    p.from = mix(p.from, hex(0xffffff), 0.08);
    p.to = mix(p.to, hex(0x101020), 0.22);
    if (light < 0)
        p.from = p.to = mix(hex(c), hex(0x101020), -light);
    return p;
}

/* The stretch of a gradient from share a to share b, so that it runs on from limb to limb. */
static struct paint stretch(struct paint p, double a, double b)
{
    struct rgb from = mix(p.from, p.to, a), to = mix(p.from, p.to, b);

    p.from = from;
    p.to = to;
    return p;
}

static void add_leg(const struct person *p, struct body *b, int side, double grow)
{
    double h = p->h, face = p->view == TO_LEFT ? -1 : 1;
    const struct pt *j = b->joint + side;
    bool far = is_sideways(p) && side_sign(p, side) > 0;
    struct paint trousers = cloth(p->trousers, far ? -0.35 : 0);
    double toe_x = is_sideways(p) ? 0.06 * face : 0.014 * side_sign(p, side);
    double turn = is_sideways(p) ? degrees(p->leg[side][1]) * 0.8 : 0;
    struct pt toe = { j[L_ANKLE].x + h * (toe_x * cos(turn)),
                      j[L_ANKLE].y + h * (0.016 - toe_x * sin(turn)) };

    body_add(b, ring_limb(j[L_ANKLE], 0.023 * h + grow, toe, 0.021 * h + grow),
             graded(0x4a3428, 0x201815, 0.04, 4));
    body_add(b, ring_limb(j[L_KNEE], 0.036 * h + grow, j[L_ANKLE], 0.024 * h + grow),
             stretch(trousers, 0.5, 1));
    body_add(b, ring_limb(j[L_HIP], 0.046 * h + grow, j[L_KNEE], 0.038 * h + grow),
             stretch(trousers, 0, 0.5));
}

static void add_arm(const struct person *p, struct body *b, int side, double grow)
{
    double h = p->h;
    const struct pt *j = b->joint + side;
    bool far = is_sideways(p) && side_sign(p, side) > 0;
    struct paint sleeve = cloth(p->shirt, far ? -0.35 : 0);
    struct paint skin = cloth(p->skin, far ? -0.25 : 0);
    struct pt hand = { j[L_WRIST].x + 0.22 * (j[L_WRIST].x - j[L_ELBOW].x),
                       j[L_WRIST].y + 0.22 * (j[L_WRIST].y - j[L_ELBOW].y) };

    bool raised = j[L_WRIST].y < j[L_SHOULDER].y;

    if (!far)
        sleeve.from = mix(sleeve.from, hex(0xffffff), 0.07);
    body_add(b, ring_limb(j[L_WRIST], 0.019 * h + grow, hand, 0.022 * h + grow), skin);
    body_add(b, ring_limb(j[L_ELBOW], 0.027 * h + grow, j[L_WRIST], 0.02 * h + grow),
             p->bare_arms ? skin
             : raised     ? stretch(sleeve, 0.3, 0.3)
                          : stretch(sleeve, 0.4, 0.8));
    body_add(b, ring_limb(j[L_SHOULDER], 0.036 * h + grow, j[L_ELBOW], 0.028 * h + grow),
             raised ? stretch(sleeve, 0.3, 0.3) : stretch(sleeve, 0, 0.4));
}

static void add_torso(const struct person *p, struct body *b, double grow)
{
    double h = p->h, half = is_sideways(p) ? 0.055 : 0.118, waist = is_sideways(p) ? 0.053 : 0.098;
    struct pt neck = at(p, 0, 0.86), chest = at(p, 0, 0.80);
    const double u[] = { 0.4, 0.86, 1, 1, 0.86, 0.92, 0.4 };
    const double v[] = { 0.845, 0.832, 0.79, 0.72, 0.60, 0.46, 0.44 };
    double outline[28];

    for (int i = 0; i < 7; i++) {
        double width = (i < 4 ? half : waist) * u[i] * h + grow;
        double y = p->y - v[i] * h + (i == 0 ? -grow : i == 6 ? grow : 0);

        outline[2 * i] = p->x + width;
        outline[2 * i + 1] = y;
        outline[2 * (13 - i)] = p->x - width;
        outline[2 * (13 - i) + 1] = y;
    }
    body_add(b, ring_limb(neck, 0.03 * h + grow, chest, 0.034 * h + grow), cloth(p->skin, -0.12));
    body_add(b, ring_smooth(outline, 14), cloth(p->shirt, 0));
}

/* The hair as a cap over the head: from one ear over the top to the other, back along the brow. */
static struct ring hair(const struct person *p, const struct body *b, double grow)
{
    double rx = 0.057 * p->h, ry = 0.075 * p->h;
    double from = p->view == TO_RIGHT ? 80 : p->view == TO_LEFT ? 195 : 175;
    double to = p->view == TO_RIGHT ? 345 : p->view == TO_LEFT ? 460 : 365;
    struct ring r = { .n = 0 };

    if (p->view == BACK)
        return ring_ellipse(b->head.x, b->head.y - 0.004 * p->h, rx * 1.06 + grow, ry + grow, 0);
    for (int k = 0; k <= 16; k++) {
        double a = degrees(from + (to - from) * k / 16);

        ring_add(&r, b->head.x + (1.1 * rx + grow) * cos(a),
                 b->head.y + (1.06 * ry + grow) * sin(a));
    }
    for (int k = 0; k <= 8; k++) {
        double a = degrees(to - (to - from) * k / 8);

        ring_add(&r, b->head.x + 0.75 * rx * cos(a), b->head.y + 0.62 * ry * sin(a));
    }
    return r;
}

static void add_head(const struct person *p, struct body *b, double grow)
{
    double h = p->h, face = p->view == TO_LEFT ? -1 : 1;
    struct paint skin = ball(p->skin, 0.06);

    for (int side = 0; side < 2 && !is_sideways(p); side++)
        body_add(b,
                 ring_ellipse(b->joint[L_EAR + side].x, b->joint[L_EAR + side].y, 0.012 * h + grow,
                              0.02 * h + grow, 0),
                 cloth(p->skin, -0.1));
    body_add(b, ring_ellipse(b->head.x, b->head.y, 0.057 * h + grow, 0.075 * h + grow, 0), skin);
    if (is_sideways(p))
        body_add(b,
                 ring_limb((struct pt){ b->head.x + face * 0.05 * h, b->head.y + 0.002 * h },
                           0.012 * h + grow, b->joint[NOSE], 0.008 * h + grow),
                 stretch(cloth(p->skin, 0), 0.2, 0.5));
    body_add(b, hair(p, b, grow), graded(p->hair, p->hair, 0.08, 2));
}

/* The far limbs come first, then the trunk, then the near limbs. `grow` widens every part a little.
 */
static void body_build(const struct person *p, struct body *b, double grow)
{
    int far = side_sign(p, 0) > 0 ? 0 : 1;

    b->parts = 0;
    place_limbs(p, b);
    place_face(p, b);
    if (is_sideways(p))
        add_arm(p, b, far, grow);
    add_leg(p, b, far, grow);
    add_leg(p, b, 1 - far, grow);
    add_torso(p, b, grow);
    add_head(p, b, grow);
    if (!is_sideways(p))
        add_arm(p, b, far, grow);
    add_arm(p, b, 1 - far, grow);
}

static bool ring_has_point(const struct ring *r, struct pt p)
{
    double x[128];
    int n = ring_crossings(r, p.y, x, 128);

    for (int i = 0; i + 1 < n; i += 2)
        if (p.x >= x[i] && p.x < x[i + 1])
            return true;
    return false;
}

/* A far joint is seen when no part painted after its own limb lies over it. */
static void find_seen(const struct person *p, struct body *b)
{
    /* Far limbs come first: arm 0..2, leg 3..5. */
    static const int after[] = { 3, 3, 3, 6, 6, 6 };

    for (int k = 0; k < 12; k++) {
        int side = k % 2, joint = L_SHOULDER + k;
        bool far = is_sideways(p) && side_sign(p, side) > 0;

        b->seen[joint] = 2;
        for (int i = after[k / 2]; far && i < b->parts; i++)
            if (ring_has_point(&b->ring[i], b->joint[joint]))
                b->seen[joint] = 1;
    }
}

static void note_joints(const struct scene *s, const struct body *b, struct object *o)
{
    o->has_joints = true;
    for (int i = 0; i < JOINTS; i++) {
        int x = (int)floor(b->joint[i].x), y = (int)floor(b->joint[i].y);

        if (b->seen[i] && x >= 0 && y >= 0 && x < s->c.w && y < s->c.h) {
            o->joint[i][0] = x;
            o->joint[i][1] = y;
            o->joint[i][2] = b->seen[i];
        }
    }
}

static void paint_face(struct scene *s, const struct person *p, const struct body *b)
{
    double h = p->h;

    if (p->view == BACK)
        return;
    for (int i = L_EYE; i <= R_EYE; i++)
        if (b->seen[i]) {
            fill(&s->c, ring_ellipse(b->joint[i].x, b->joint[i].y, 0.010 * h, 0.006 * h, 0),
                 flat(0xe8dcd0));
            fill(&s->c, ring_ellipse(b->joint[i].x, b->joint[i].y, 0.0055 * h, 0.0065 * h, 0),
                 flat(0x2a1c14));
        }
    if (!is_sideways(p)) {
        fill_alpha(&s->c, ring_ellipse(b->joint[NOSE].x, b->joint[NOSE].y, 0.009 * h, 0.011 * h, 0),
                   cloth(p->skin, -0.3), 0.75);
        fill_alpha(&s->c, ring_ellipse(b->head.x, b->head.y + 0.042 * h, 0.018 * h, 0.005 * h, 0),
                   flat(0x9c3c3c), 0.8);
    } else {
        double ear = p->view == TO_LEFT ? L_EAR : R_EAR;

        fill(&s->c,
             ring_ellipse(b->joint[(int)ear].x, b->joint[(int)ear].y, 0.011 * h, 0.018 * h, 0),
             cloth(p->skin, -0.14));
    }
}

static struct shape body_shape(const struct body *b)
{
    struct shape shape = { .n = 0 };

    for (int i = 0; i < b->parts; i++)
        shape_add(&shape, b->ring[i]);
    return shape;
}

static void paint_body(struct scene *s, const struct person *p)
{
    static struct body b;

    body_build(p, &b, 0.6);
    for (int i = 0; i < b.parts; i++)
        fill(&s->c, b.ring[i], b.paint[i]);
}

struct person someone(enum view view, double x, double y, double h, const double arms[4],
                      const double legs[4], unsigned shirt, unsigned trousers, unsigned skin,
                      unsigned hair, bool bare_arms)
{
    struct person p = { .view = view, .x = x, .y = y, .h = h };

    memcpy(p.arm, arms, sizeof p.arm);
    memcpy(p.leg, legs, sizeof p.leg);
    p.shirt = shirt;
    p.trousers = trousers;
    p.skin = skin;
    p.hair = hair;
    p.bare_arms = bare_arms;
    return p;
}

struct object *person(struct scene *s, struct person who, enum kind kind, enum form form,
                      bool joints)
{
    static struct body b;
    static struct shape shape;
    const struct person *p = &who;
    struct object *o;

    memset(&b, 0, sizeof b);
    body_build(p, &b, 0);
    find_seen(p, &b);
    shape = body_shape(&b);
    o = thing(s, PERSON, kind, form, &shape);
    coat(s, cloth(p->trousers, 0));
    paint_body(s, p);
    paint_face(s, p, &b);
    glow(&s->c, p->x - 0.12 * p->h, p->y - 0.75 * p->h, 0.25 * p->h, 0.5 * p->h, 0xfff0d0, 0.12);
    shade(&s->c, p->x + 0.12 * p->h, p->y - 0.4 * p->h, 0.16 * p->h, 0.55 * p->h, 0.3);
    thing_done(s);
    if (joints)
        note_joints(s, &b, o);
    return o;
}

struct object *crowd(struct scene *s, double x, double y, double spread, double h, int n,
                     uint32_t seed)
{
    static const unsigned shirts[] = { 0xc04a3a, 0x3a6ea8, 0xe0c050, 0x5a8a4a, 0xd8d4cc, 0x7a4a8a };
    static const unsigned hairs[] = { 0x2a1c14, 0x6a4a2a, 0xa08050, 0x181414 };
    static struct body b;
    static struct shape shape;
    struct object *o = NULL;

    for (int i = 0; i < n; i++) {
        double u = noise_at(i, 1, seed), v = noise_at(i, 2, seed),
               swing = 14 * noise_at(i, 3, seed);
        struct person p =
            someone(i % 3 ? FRONT : BACK, x + spread * ((i + 1.6 * u) / n - 0.5),
                    y + 0.04 * h * i - 0.5 * h * (i % 4 == 3) * v, h * (0.9 + 0.2 * u),
                    (double[]){ swing, -swing / 2, -swing, swing / 3 }, (double[]){ 4, 2, -4, -2 },
                    shirts[(i * 5 + 1) % 6], i % 2 ? 0x2c3448 : 0x5a5048,
                    i % 4 == 1 ? 0x8a5a3c : 0xd8a888, hairs[i % 4], i % 2 == 0);

        memset(&b, 0, sizeof b);
        body_build(&p, &b, 0);
        shape = body_shape(&b);
        if (o)
            thing_more(s, &shape);
        else
            o = thing(s, PERSON, CROWD, WHOLE, &shape);
        paint_body(s, &p);
    }
    thing_done(s);
    return o;
}
