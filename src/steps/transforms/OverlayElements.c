/* OverlayElements: composites pictures with alpha from a folder onto the image at random places. */
#include "steps/transform.h"

struct params {
    struct list num_range, scale_range, opacity_range;
    struct optional_list bbox;
    struct optional fill_mask;
    int labels;
};

static const struct row rows[] = {
    LIST(struct params, num_range, .ends = true, .preset = "[1, 1]", .least = 2, .most = 2,
         .whole = true, .limit = { 0, 100 }, .usual = { 0, 3 },
         .help = "range of the number of pictures, inclusive; a picture may be used twice"),
    LIST(struct params, scale_range, .ends = true, .preset = "[1, 1]", .least = 2, .most = 2,
         .limit = { 0.01, 100 }, .usual = { 0.5, 2 },
         .help = "range of the scale of each; a picture that would exceed the image is scaled "
                 "to fit"),
    LIST(struct params, opacity_range, .ends = true, .preset = "[1, 1]", .least = 2, .most = 2,
         .limit = { 0, 1 }, .help = "range of the factor for the alpha of each"),
    OPTIONAL_LIST(struct params, bbox, .preset = "null", .least = 4, .most = 4, .limit = { 0, 1 },
                  .usual = { 0, 1 },
                  .help = "[x_min, y_min, x_max, y_max], as shares of the image's sides: each "
                          "picture is scaled to this box, whatever its aspect ratio and "
                          "`scale_range`; null: at a random place"),
    HIDE_ROWS(struct params),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;
    bool good = ordered_check(&p->num_range, "num_range", step, faults);

    good &= ordered_check(&p->scale_range, "scale_range", step, faults);
    good &= ordered_check(&p->opacity_range, "opacity_range", step, faults);
    if (p->bbox.given)
        good &= roi_check(&p->bbox.list, "bbox", step, faults);
    return good;
}

static int side_of(double length, int max)
{
    int side = round_half_even(length);

    return side < 1 ? 1 : side > max ? max : side;
}

/* Keeps the aspect ratio, and makes the picture no larger than the image. */
static struct window place(struct run *run, const struct stamp *stamp, double scale)
{
    double w = stamp->plane.width, h = stamp->plane.height;
    struct window at = { .top = 0 };

    scale = fmin(scale, fmin(run->frame.width / w, run->frame.height / h));
    at.width = side_of(w * scale, run->frame.width);
    at.height = side_of(h * scale, run->frame.height);
    return at;
}

static struct window box_of(const struct run *run, const double *share)
{
    double w = run->frame.width, h = run->frame.height;
    struct window at = { .left = round_half_even(share[0] * w),
                         .top = round_half_even(share[1] * h) };

    at.width = side_of(share[2] * w - at.left, run->frame.width);
    at.height = side_of(share[3] * h - at.top, run->frame.height);
    return at;
}

/* Draws the same number of random numbers in every case. */
static void lay(struct run *run, const struct params *p)
{
    const struct stamp *stamp = stamp_draw(rng_u64(run->rng));
    double scale = rng_between(run->rng, p->scale_range.at[0], p->scale_range.at[1]);
    double x = rng_unit(run->rng), y = rng_unit(run->rng);
    double opacity = rng_between(run->rng, p->opacity_range.at[0], p->opacity_range.at[1]);
    struct window at;

    if (!stamp) {
        emit_refuse(run, "there are no stamps; give a folder of them with --stamps [stamp-none]");
        return;
    }
    if (p->bbox.given) {
        at = box_of(run, p->bbox.list.at);
    } else {
        at = place(run, stamp, scale);
        at.left = (int)(x * (run->frame.width - at.width + 1));
        at.top = (int)(y * (run->frame.height - at.height + 1));
    }
    emit_shared(run, "overlay", { .name = "stamp", .kind = ARG_WORD, .word = stamp->name },
                NUM("top", at.top), NUM("left", at.left), NUM("height", at.height),
                NUM("width", at.width), NUM("opacity", opacity));
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    int n = draw_whole(run, &p->num_range);

    for (int i = 0; i < n; i++)
        lay(run, p);
}

const struct transform OverlayElements_transform = {
    .name = "OverlayElements",
    .summary = "composite pictures with alpha, from the folder of --stamps, onto the image",
    .group = GROUP_JOIN,
    .origin = ORIGIN_ALBUMENTATIONS,
    .differs = "the pictures come from a folder, not from the caller's metadata; their edges "
               "are blended by alpha, they keep their aspect ratio if they are too large, and "
               "hidden objects lose visibility",
    .example = "{\"type\": \"OverlayElements\", \"p\": 1, \"num_range\": [1, 3], \"scale_range\": "
               "[0.5, 1.5], \"labels\": \"shrink\"}",
    .emits = (const char *const[]){ "overlay", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .check = check,
    .draw = draw,
};
