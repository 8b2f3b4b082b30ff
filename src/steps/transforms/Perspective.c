/* Perspective: maps four points near the corners to the corners. */
#include "steps/transform.h"

struct params {
    struct range scale;
    bool fit_output, keep_size;
    int interpolation, padding_mode, fill_mask;
    struct colour fill;
};

static const struct row rows[] = {
    RANGE(struct params, scale, .preset = "[0.05, 0.1]", .limit = { 0, 1 }, .scalar = SCALAR_FROM_0,
          .usual = { 0.02, 0.1 },
          .help = "range of the standard deviation of the points' distances from the corners, "
                  "as a share of the sides; distances are below 0.32"),
    FLAG(struct params, fit_output, .preset = "false",
         .help = "shrink the transformed image until all of it is on the canvas"),
    FLAG(struct params, keep_size, .preset = "true",
         .help = "keep the size of the canvas; false: the longer of the opposite sides between "
                 "the points, or with `fit_output` the size of the transformed image"),
    BLEND_ROW(struct params),
    WARP_BORDER_ROWS(struct params),
    ROWS_END,
};

enum { TRIES = 100 };
#define FARTHEST 0.32

/* True if the whole image stays in front of the camera. */
static bool is_in_front(const struct point from[4], const struct point to[4], struct frame frame,
                        struct mat3 *map)
{
    return !corners_are_flat(from) && mat3_of_corners(from, to, map) &&
           mat3_sees(map, box_of_frame(frame)) && mat3_scale_at(map, from[0]) > 0;
}

/* Draws the points that are mapped to these corners of the canvas, at a deviation. */
static void draw_points(struct run *run, double deviation, const struct point corner[4],
                        struct point at[4])
{
    double w = run->frame.width, h = run->frame.height;

    for (int i = 0; i < 4; i++) {
        double x = fmod(fabs(rng_normal(run->rng, 0, deviation)), FARTHEST) * w;
        double y = fmod(fabs(rng_normal(run->rng, 0, deviation)), FARTHEST) * h;

        at[i] = (struct point){ corner[i].x > 0 ? w - x : x, corner[i].y > 0 ? h - y : y };
    }
}

static double distance(struct point a, struct point b)
{
    return hypot(a.x - b.x, a.y - b.y);
}

static int canvas_side(double length)
{
    return (int)fmin(fmax(length, 1), 65500);
}

/* Returns the size between the points, in whole pixels: the longer of the opposite sides. */
static struct frame frame_between(const struct point at[4])
{
    return (struct frame){
        canvas_side(fmax(distance(at[0], at[1]), distance(at[2], at[3]))),
        canvas_side(fmax(distance(at[1], at[2]), distance(at[3], at[0]))),
    };
}

static void corners_of(struct frame frame, struct point corner[4])
{
    double w = frame.width, h = frame.height;

    corner[0] = (struct point){ 0, 0 };
    corner[1] = (struct point){ w, 0 };
    corner[2] = (struct point){ w, h };
    corner[3] = (struct point){ 0, h };
}

/* Returns where the map sends the image's corners, scaled to the canvas. Without `keep`, the canvas
 * becomes their bounding box. */
static void fit(const struct mat3 *map, bool keep, struct frame *canvas,
                const struct point corner[4], struct point to[4])
{
    struct box all;

    for (int i = 0; i < 4; i++)
        to[i] = mat3_apply(map, corner[i]);
    all = box_of_points(to, 4);
    if (!keep)
        *canvas = (struct frame){ canvas_side(round(all.x1 - all.x0)),
                                  canvas_side(round(all.y1 - all.y0)) };
    for (int i = 0; i < 4; i++)
        to[i] = (struct point){ (to[i].x - all.x0) / (all.x1 - all.x0) * canvas->width,
                                (to[i].y - all.y0) / (all.y1 - all.y0) * canvas->height };
}

/* Emits the map from four points to four; gives the canvas if its size is not the image's. */
static void tilt(struct run *run, const struct point from[4], const struct point to[4],
                 const struct frame *canvas)
{
    const struct params *p = run->params;
    struct optional_list size = { !p->keep_size, { 2, { canvas->height, canvas->width } } };

    emit_shared(run, "perspective", POINTS("startpoints", 4, from), POINTS("endpoints", 4, to),
                arg_optional_list("size", &size));
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    double deviation = rng_between(run->rng, p->scale.lo, p->scale.hi);
    struct point corner[4], from[4], to[4];
    struct frame canvas = run->frame;
    struct mat3 map;

    corners_of(run->frame, corner);
    for (int try = 0; try < TRIES; try++) {
        draw_points(run, deviation, corner, from);
        if (!is_in_front(from, corner, run->frame, &map))
            continue;
        if (!p->keep_size)
            canvas = frame_between(from);
        corners_of(canvas, to);
        if (!p->fit_output) {
            tilt(run, from, to, &canvas);
            return;
        }
        if (mat3_of_corners(from, to, &map))
            fit(&map, p->keep_size, &canvas, corner, to);
        tilt(run, corner, to, &canvas);
        return;
    }
}

const struct transform Perspective_transform = {
    .name = "Perspective",
    .summary = "random perspective: points near the corners move to the corners, with "
               "probability `p`",
    .group = GROUP_GEOMETRY,
    .origin = ORIGIN_ALBUMENTATIONS,
    .example = "{\"type\": \"Perspective\", \"scale\": [0.05, 0.1], \"padding_mode\": \"reflect\", "
               "\"p\": 1}",
    .emits = (const char *const[]){ "perspective", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
