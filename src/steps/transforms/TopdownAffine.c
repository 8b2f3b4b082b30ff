/* TopdownAffine: makes an image of fixed size of the region about one object, as for training pose
 * estimation. */
#include "steps/transform.h"

struct params {
    struct size input_size;
    bool use_udp;
    int interpolation, padding_mode, fill_mask;
    struct colour fill;
};

static const struct row rows[] = {
    SIZE(struct params, input_size, .unit = "pixels", .limit = { 2, 65500 }, .usual = { 24, 60 },
         .help = "[height, width] of the result, or one number for a square"),
    FLAG(struct params, use_udp, .preset = "false",
         .help = "scale the region to one pixel less than the result, about the same centre: "
                 "lengths are measured between pixel centres"),
    BLEND_ROW(struct params),
    WARP_BORDER_ROWS(struct params),
    ROWS_END,
};

static void draw(struct run *run)
{
    const struct params *p = run->params;
    struct region r = run_region(run);

    emit_shared(run, "topdown_affine", PAIR("center", r.center.x, r.center.y),
                PAIR("scale", r.size.x, r.size.y), NUM("rotation", r.angle),
                PAIR("size", p->input_size.height, p->input_size.width));
}

const struct transform TopdownAffine_transform = {
    .name = "TopdownAffine",
    .summary =
        "make an image of fixed size of the region about the first object with a box: its box "
        "1.25 times as wide and high, or as changed by RandomHalfBody and RandomBBoxTransform; "
        "without objects, of the whole image. Put per_object before it to make a sample of "
        "each object",
    .group = GROUP_CROP,
    .origin = ORIGIN_MMDETECTION,
    .differs =
        "it follows MMPose; `input_size` is [height, width]; the region's centre maps to the "
        "result's centre in continuous coordinates, half a pixel of either away from MMPose's; "
        "`use_udp` does not change the direction of the rotation, as it does in MMPose",
    .example = "{\"type\": \"TopdownAffine\", \"input_size\": [256, 192]}",
    .emits = (const char *const[]){ "topdown_affine", NULL },
    .subject = SUBJECT_OBJECTS,
    .params = rows,
    .params_size = sizeof(struct params),
    .draw = draw,
};
