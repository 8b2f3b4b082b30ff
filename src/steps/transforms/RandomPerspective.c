/* RandomPerspective: moves the image's corners inwards, each by random distances. */
#include "steps/transform.h"

struct params {
    double distortion_scale;
    int interpolation, padding_mode, fill_mask;
    struct colour fill;
};

static const struct row rows[] = {
    NUMBER(struct params, distortion_scale, .preset = "0.5", .limit = { 0, 1 },
           .help = "maximum distance that corners move, as a share of half a side; draws that "
                   "would fold the image (possible above 2/3, or in tiny images) are repeated"),
    BLEND_ROW(struct params),
    WARP_BORDER_ROWS(struct params),
    ROWS_END,
};

enum { TRIES = 100 };

/* True if the image stays in front of the camera and is not mirrored. torchvision also accepts maps
 * that fold it. */
static bool is_unfolded(const struct point from[4], const struct point to[4], struct frame frame)
{
    struct mat3 map;

    return !corners_are_flat(to) && mat3_of_corners(from, to, &map) &&
           mat3_sees(&map, box_of_frame(frame)) && mat3_scale_at(&map, from[0]) > 0;
}

/* Corners are torchvision's: the indices of the first and last pixels. An image with a side of one
 * pixel has none and stays unchanged. */
static void draw(struct run *run)
{
    const struct params *p = run->params;
    int w = run->frame.width, h = run->frame.height;
    int x = (int)(p->distortion_scale * (w / 2)) + 1, y = (int)(p->distortion_scale * (h / 2)) + 1;
    const struct point from[4] = { { 0, 0 }, { w - 1, 0 }, { w - 1, h - 1 }, { 0, h - 1 } };
    struct point to[4];

    for (int try = 0; try < TRIES && w > 1 && h > 1; try++) {
        for (int i = 0; i < 4; i++) {
            to[i].x =
                (double)rng_integer(run->rng, from[i].x > 0 ? w - x : 0, from[i].x > 0 ? w : x);
            to[i].y =
                (double)rng_integer(run->rng, from[i].y > 0 ? h - y : 0, from[i].y > 0 ? h : y);
        }
        if (!is_unfolded(from, to, run->frame))
            continue;
        emit_shared(run, "perspective", POINTS("startpoints", 4, from), POINTS("endpoints", 4, to));
        return;
    }
}

const struct transform RandomPerspective_transform = {
    .name = "RandomPerspective",
    .summary = "random perspective: corners move inwards with probability `p`",
    .group = GROUP_GEOMETRY,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"RandomPerspective\", \"distortion_scale\": 0.4, \"p\": 1}",
    .emits = (const char *const[]){ "perspective", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
