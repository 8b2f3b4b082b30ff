/* RandomSunFlare: a sun at a random place, and reflections in the lens along a line. */
#include "steps/transform.h"

enum method { OVERLAY, PHYSICS };
enum { CIRCLE = 7, FLARE_CIRCLE = 6 };

struct params {
    struct list flare_roi, num_flare_circles_range;
    double src_radius;
    struct colour src_color;
    struct range angle_range;
    int method;
};

static const struct choice methods[] = {
    { "overlay", OVERLAY, "a glow and discs are composited onto the image" },
    { "physics_based", PHYSICS,
      "a sun with streaks and small discs, all blurred and added as light" },
    { 0 },
};

static const struct row rows[] = {
    LIST(struct params, flare_roi, .preset = "[0, 0, 1, 0.5]", .least = 4, .most = 4,
         .limit = { 0, 1 },
         .help = "region of the sun: [left, top, right, bottom] as shares of width and height"),
    NUMBER(struct params, src_radius, .preset = "400", .unit = "pixels", .limit = { 0, 1000000 },
           .above = true, .usual = { 10, 80 },
           .help = "overlay: radius of the sun's glow, with a strength of 0.9 at the sun (in "
                   "Albumentations it depends on the circles); physics_based: radius of the sun "
                   "before blurring"),
    COLOUR(struct params, src_color, .preset = "255",
           .help = "colour of the sun; colours of circles are drawn between this and a colour "
                   "darker by a fifth of its largest value"),
    RANGE(struct params, angle_range, .preset = "[0, 1]", .limit = { 0, 1 },
          .help = "range of the direction of the line of circles, in turns, clockwise from the "
                  "right"),
    LIST(struct params, num_flare_circles_range, .ends = true, .preset = "[6, 10]", .least = 2,
         .most = 2, .whole = true, .limit = { 0, 1000 }, .usual = { 1, 8 },
         .help =
             "range of the number of circles, inclusive. Their radius is 0.16 of the height "
             "times the cube of a number in 0.25..1 (as Albumentations draws for 400 rows; "
             "there, circles cover large images completely), and their alpha is in 0.05..0.2; "
             "physics_based: the radius is 0.01 of the height times that number, without alpha"),
    CHOICE(struct params, method, .preset = "\"overlay\"", .choices = methods, .help = "how"),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;
    bool good = roi_check(&p->flare_roi, "flare_roi", step, faults);

    return ordered_check(&p->num_flare_circles_range, "num_flare_circles_range", step, faults) &&
           good;
}

/* Returns the radius by a random number in 0.25..1. */
static double circle_radius(int method, int height, double size)
{
    return method == PHYSICS ? 0.01 * height * size : 0.16 * height * size * size * size;
}

/* Draws a circle. Its distance along the line is its distance from the sun if the line is level:
 * uniform over the width. */
static void draw_circle(struct run *run, struct point sun, struct point along, double *circle)
{
    const struct params *p = run->params;
    const struct colour *color = &p->src_color;
    double t = rng_between(run->rng, -sun.x, run->frame.width - sun.x);
    double size = rng_between(run->rng, 0.25, 1), brightest = 0;

    circle[0] = sun.x + t * along.x;
    circle[1] = sun.y + t * along.y;
    circle[2] = circle_radius(p->method, run->frame.height, size);
    circle[3] = rng_between(run->rng, 0.05, 0.2);
    for (int k = 0; k < color->n && k < 3; k++)
        brightest = fmax(brightest, color->channel[k]);
    for (int k = 0; k < 3; k++) {
        double v = color->n == 0 ? 0 : color->channel[color->n >= 3 ? k : 0];

        circle[4 + k] = rng_between(run->rng, fmax(0, v - brightest / 5), v);
    }
}

/* Emits the same circles without their alpha. */
static void emit_flare(struct run *run, struct point sun, size_t n, const double *circles)
{
    const struct params *p = run->params;
    double *flare = ARENA_ARRAY(run->arena, double, n *FLARE_CIRCLE);

    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < FLARE_CIRCLE; k++)
            flare[i * FLARE_CIRCLE + k] = circles[i * CIRCLE + k + (k >= 3)];
    emit(run, "lens_flare", NUM("x", sun.x), NUM("y", sun.y), NUM("radius", p->src_radius),
         arg_colour("color", &p->src_color), TUPLES_OF("circles", FLARE_CIRCLE, n, flare));
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    const double *roi = p->flare_roi.at;
    double angle = radians(360 * rng_between(run->rng, p->angle_range.lo, p->angle_range.hi));
    double x = rng_between(run->rng, roi[0], roi[2]), y = rng_between(run->rng, roi[1], roi[3]);
    struct point sun = { x * run->frame.width, y * run->frame.height };
    struct point along = { cos(angle), sin(angle) };
    size_t n = (size_t)draw_whole(run, &p->num_flare_circles_range);
    double *circles = ARENA_ARRAY(run->arena, double, n *CIRCLE);

    for (size_t i = 0; i < n; i++)
        draw_circle(run, sun, along, &circles[i * CIRCLE]);
    if (p->method == PHYSICS) {
        emit_flare(run, sun, n, circles);
        return;
    }
    emit(run, "sun_flare", NUM("x", sun.x), NUM("y", sun.y), NUM("radius", p->src_radius),
         NUM("strength", 0.9), arg_colour("color", &p->src_color),
         TUPLES_OF("circles", CIRCLE, n, circles));
}

const struct transform RandomSunFlare_transform = {
    .name = "RandomSunFlare",
    .summary = "a sun at a random place, with reflections in the lens",
    .group = GROUP_WEATHER,
    .origin = ORIGIN_ALBUMENTATIONS,
    .differs = "the glow of `overlay` has a strength of 0.9 at the sun (in Albumentations it "
               "depends on the circles), and circles grow with the height (in Albumentations "
               "with its cube)",
    .example = "{\"type\": \"RandomSunFlare\", \"p\": 0.5, \"src_radius\": 150}",
    .emits = (const char *const[]){ "sun_flare", "lens_flare", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .check = check,
    .draw = draw,
};
