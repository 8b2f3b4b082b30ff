/* perspective: a perspective map, given by four points and their new places. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/rows.h"

struct params {
    struct corners startpoints, endpoints;
    struct optional_list size;
    int interpolation, padding_mode, fill_mask;
    struct colour fill;
};

static const struct row rows[] = {
    CORNERS(struct params, startpoints, .unit = "pixels", .limit = { -1000000, 1000000 },
            .usual = { -8, 8 },
            .help = "four points of the image, in continuous coordinates: pixel (i, j) covers j to "
                    "j + 1 and i to i + 1"),
    CORNERS(struct params, endpoints, .unit = "pixels", .limit = { -1000000, 1000000 },
            .usual = { -8, 8 },
            .help = "their new places, in the same order; the line that maps to infinity must "
                    "not cross the image"),
    OPTIONAL_LIST(struct params, size, .preset = "null", .least = 2, .most = 2, .whole = true,
                  .unit = "pixels", .limit = { 1, 65500 }, .usual = { 24, 140 },
                  .help = "[height, width] of the result, which begins at the image's top left "
                          "corner; null: unchanged"),
    BLEND_ROW(struct params),
    WARP_BORDER_ROWS(struct params),
    ROWS_END,
};

static bool check_corners(const struct corners *corners, const struct value *value,
                          struct faults *faults)
{
    if (corners_are_flat(corners->at))
        return value_fault(faults, value, false, "param-range",
                           "three of the points are on a line, so they do not define a map");
    return true;
}

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;
    bool good = check_corners(&p->startpoints, value_get(step, "startpoints"), faults);

    return check_corners(&p->endpoints, value_get(step, "endpoints"), faults) && good;
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    struct frame to = scene->frame;
    struct mat3 forward;

    if (p->size.given)
        to = (struct frame){ (int)p->size.list.at[1], (int)p->size.list.at[0] };
    out->fill = scene_border(scene, &p->fill, p->padding_mode);
    out->fill_mask = p->fill_mask;
    if (!mat3_of_corners(p->startpoints.at, p->endpoints.at, &forward) ||
        !mat3_sees(&forward, box_of_frame(scene->frame))) {
        text_addf(scene->why,
                  "the horizon of the map crosses the image of %dx%d; pixels beyond it have no "
                  "place",
                  scene->frame.width, scene->frame.height);
        return false;
    }
    return action_warp(scene, out, &forward, to, (enum interpolation)p->interpolation);
}

const struct op perspective_op = {
    .name = "perspective",
    .summary = "perspective map of four points to four others; straight lines stay straight",
    .group = GROUP_GEOMETRY,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"perspective\", \"startpoints\": [[0, 0], [640, 0], [640, 480], "
               "[0, 480]], \"endpoints\": [[60, 30], [600, 10], [630, 470], [10, 440]]}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_MATRIX,
    .effect = EFFECT_MOVES | EFFECT_TURNS,
    .check = check,
    .resolve = resolve,
};
