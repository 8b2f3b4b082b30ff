/* motion_blur: a streak in one direction. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "pixels/filters.h"

struct params {
    int kernel_size;
    double angle, direction;
};

static const struct row rows[] = {
    INTEGER(struct params, kernel_size, .odd = true, .unit = "pixels", .limit = { 1, 255 },
            .usual = { 1, 21 }, .help = "length of the streak; odd"),
    NUMBER(struct params, angle, .preset = "0", .unit = "degrees", .limit = { -360, 360 },
           .usual = { -180, 180 },
           .help = "direction of the streak: 0 to the right, 90 down (clockwise on the screen)"),
    NUMBER(struct params, direction, .preset = "0", .limit = { -1, 1 }, .usual = { -1, 1 },
           .help = "which half of the streak is used: 0 both; 1 the half ahead, -1 the half to "
                   "the rear; with one half, the picture shifts by up to a quarter of "
                   "kernel_size, but labels do not"),
    ROWS_END,
};

/* Distributes the weight of a point between pixels to the four pixels around it. */
static void dot(struct tap *tap, int side, double x, double y, double weight)
{
    int left = (int)floor(x), top = (int)floor(y);
    double right = x - left, below = y - top;

    for (int i = 0; i < 4; i++) {
        int cx = left + i % 2 + side / 2, cy = top + i / 2 + side / 2;
        double share = (i % 2 ? right : 1 - right) * (i / 2 ? below : 1 - below);

        if (share > 0)
            tap[cy * side + cx].weight += (float)(share * weight);
    }
}

/* Draws the line as dots of one weight, at most a pixel apart, into a square that contains it.
 * Along rows and columns each pixel of the line has the same weight, including its ends. */
static struct tap *draw_line(const struct params *p, struct arena *arena, int side)
{
    struct tap *tap = ARENA_ARRAY(arena, struct tap, (size_t)side * (size_t)side);
    double half = (p->kernel_size - 1) / 2., t = radians(p->angle);
    double begin = -half * (1 - fmax(p->direction, 0)), end = half * (1 + fmin(p->direction, 0));
    int dots = (int)ceil(end - begin) + 1;

    for (int i = 0; i < side * side; i++)
        tap[i] = (struct tap){ .x = i % side - side / 2, .y = i / side - side / 2 };
    for (int i = 0; i < dots; i++) {
        double at = dots > 1 ? begin + (end - begin) * i / (dots - 1) : 0;

        dot(tap, side, at * cos(t), at * sin(t), 1. / dots);
    }
    return tap;
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    int side = p->kernel_size + 2; /* the line's end may be outside by a rounding error */
    struct tap *tap;
    int n = 0;

    if (p->kernel_size == 1)
        return true;
    tap = draw_line(p, scene->arena, side);
    for (int i = 0; i < side * side; i++)
        if (tap[i].weight > 0)
            tap[n++] = tap[i];
    action_taps(scene, out, tap, n);
    return true;
}

const struct op motion_blur_op = {
    .name = "motion_blur",
    .summary = "smear along a line; borders are mirrored",
    .group = GROUP_BLUR,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"motion_blur\", \"kernel_size\": 15, \"angle\": 30}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
