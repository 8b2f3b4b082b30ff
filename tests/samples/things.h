/* things: the cast: people, cars, boats, birds, fruit, crockery, and the scenery around them.
 *
 * Functions that draw an object return it, so that a scene may add keys to it. (x, y) is the
 * position of the object: the middle of its foot unless said otherwise. */
#pragma once

#include "scene.h"

enum view { FRONT, BACK, TO_RIGHT, TO_LEFT };

/* Angles of limbs in degrees from straight down, positive towards the picture's right; [0] is the
 * person's own left, [1] the right; upper then lower half. */
struct person {
    enum view view;
    double x, y, h;
    double arm[2][2], leg[2][2];
    unsigned shirt, trousers, skin, hair;
    bool bare_arms;
};

/* Draws a person; with joints when `joints`. */
struct object *person(struct scene *, struct person, enum kind, enum form, bool joints);
/* Arms and legs as left upper, left lower, right upper, right lower. */
struct person someone(enum view, double x, double y, double h, const double arms[4],
                      const double legs[4], unsigned shirt, unsigned trousers, unsigned skin,
                      unsigned hair, bool bare_arms);
/* n small people about (x, y) as one crowd. */
struct object *crowd(struct scene *, double x, double y, double spread, double h, int n,
                     uint32_t seed);

struct car {
    double x, y, length; /* x is the rear when facing right (length > 0), else mirrored */
    unsigned colour;
    bool van;
    double post[2]; /* post that hides it: from x0 to x1; equal for none */
};
struct object *car(struct scene *, const struct car *, enum kind, enum form);
/* Head on, at night or day. */
struct object *car_front(struct scene *, double x, double y, double w, unsigned colour, bool lit,
                         enum kind, enum form);
struct object *traffic_light(struct scene *, double x, double y, double h, int lit, enum kind,
                             enum form);

struct object *sailing_boat(struct scene *, double x, double y, double size, unsigned hull,
                            unsigned sail, enum kind, enum form);
struct object *fishing_boat(struct scene *, double x, double y, double size, unsigned hull,
                            enum kind, enum form);
struct object *gull(struct scene *, double x, double y, double span, double turn, double beat,
                    struct paint, enum kind, enum form);
struct shape gull_shape(double x, double y, double span, double turn, double beat);

struct object *apple(struct scene *, double x, double y, double r, unsigned colour, enum kind,
                     enum form);
struct object *orange(struct scene *, double x, double y, double r, enum kind, enum form);
struct object *banana(struct scene *, double x, double y, double size, double turn, enum kind,
                      enum form);
struct object *cup(struct scene *, double x, double y, double size, unsigned colour, enum kind,
                   enum form);
struct object *ball_at(struct scene *, double x, double y, double r, unsigned colour, enum kind,
                       enum form);

void tree(struct scene *, double x, double y, double h, unsigned leaves, uint32_t seed);
/* A house front from x0 to x1, its foot at y1, windows in rows and columns. */
void house(struct scene *, double x0, double y0, double x1, double y1, unsigned wall, unsigned roof,
           int rows, int columns);
void hills(struct scene *, double y, double height, double size, struct paint, uint32_t seed);
/* A vertical post from y0 to y1. */
void post(struct scene *, double x0, double x1, double y0, double y1, unsigned colour);
