/* RandomBBoxTransform: shifts, scales and rotates the region that TopdownAffine shows.
 *
 * Source: MMPose 1.x: each factor has a normal distribution, truncated to -1..1 deviations. */
#include "steps/transform.h"

struct params {
    double shift_factor, shift_prob, scale_prob, rotate_factor, rotate_prob;
    struct list scale_factor;
};

#define PROBABILITY(word) .limit = { 0, 1 }, .help = "probability that the region is " word

static const struct row rows[] = {
    NUMBER(struct params, shift_factor, .preset = "0.16", .limit = { 0, 10 }, .usual = { 0, 0.3 },
           .help = "maximum shift along each axis, as a share of the region's size"),
    NUMBER(struct params, shift_prob, .preset = "0.3", PROBABILITY("shifted")),
    LIST(struct params, scale_factor, .ends = true, .preset = "[0.5, 1.5]", .least = 2, .most = 2,
         .limit = { 0, 100 }, .above = true, .usual = { 0.5, 1.5 },
         .help = "range of the factor for the region's sides"),
    NUMBER(struct params, scale_prob, .preset = "1", PROBABILITY("scaled")),
    NUMBER(struct params, rotate_factor, .preset = "80", .unit = "degrees", .limit = { 0, 360 },
           .usual = { 0, 90 }, .help = "maximum rotation in either direction"),
    NUMBER(struct params, rotate_prob, .preset = "0.6", PROBABILITY("turned")),
    ROWS_END,
};
#undef PROBABILITY

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;

    return ordered_check(&p->scale_factor, "scale_factor", step, faults);
}

/* Draws even if the value is not used. */
static double draw_if(struct run *run, double value, double chance, double otherwise)
{
    return rng_unit(run->rng) < chance ? value : otherwise;
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    struct region r = run_region(run);
    double x = draw_truncated_normal(run) * p->shift_factor;
    double y = draw_truncated_normal(run) * p->shift_factor;
    double shifted = draw_if(run, 1, p->shift_prob, 0), scale, angle;
    double lo = p->scale_factor.at[0], hi = p->scale_factor.at[1];

    scale = (lo + hi) / 2 + draw_truncated_normal(run) * (hi - lo) / 2;
    scale = draw_if(run, scale, p->scale_prob, 1);
    angle = draw_truncated_normal(run) * p->rotate_factor;
    r.angle += draw_if(run, angle, p->rotate_prob, 0);
    r.center.x += x * shifted * r.size.x;
    r.center.y += y * shifted * r.size.y;
    r.size = (struct point){ r.size.x * scale, r.size.y * scale };
    run_set_region(run, &r);
}

const struct transform RandomBBoxTransform_transform = {
    .name = "RandomBBoxTransform",
    .summary = "shift, scale and rotate the region about the object's box that a later "
               "TopdownAffine shows; does nothing without one",
    .group = GROUP_CROP,
    .origin = ORIGIN_MMDETECTION,
    .differs = "it follows MMPose, for the first object with a box, whose sides are multiplied "
               "by 1.25 first, as in GetBBoxCenterScale",
    .example = "{\"type\": \"RandomBBoxTransform\", \"rotate_factor\": 40}",
    .emits = (const char *const[]){ NULL },
    .subject = SUBJECT_OBJECTS,
    .params = rows,
    .params_size = sizeof(struct params),
    .check = check,
    .draw = draw,
};
