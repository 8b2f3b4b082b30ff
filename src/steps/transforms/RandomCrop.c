/* RandomCrop: crops a window at a random place, of a fixed size or a size that depends on the
 * image's. */
#include "steps/transform.h"

enum crop_type {
    CROP_EXACT,
    CROP_ABSOLUTE,
    CROP_ABSOLUTE_RANGE,
    CROP_RELATIVE,
    CROP_RELATIVE_RANGE,
};

static const struct choice crop_types[] = {
    { "exact", CROP_EXACT, "`size` in pixels; a smaller image is padded or refused" },
    { "absolute", CROP_ABSOLUTE, "`size` in pixels, at most the image's" },
    { "absolute_range", CROP_ABSOLUTE_RANGE,
      "each side is drawn separately, from the first number of `size` to the second, in "
      "pixels, at most the image's" },
    { "relative", CROP_RELATIVE, "`size` in shares of the image's height and width" },
    { "relative_range", CROP_RELATIVE_RANGE,
      "the share of the height is drawn from the first number of `size` to 1, the share of the "
      "width from the second to 1" },
    { 0 },
};

struct params {
    struct list size;
    int crop_type;
    struct optional_list padding;
    bool pad_if_needed;
    struct colour fill;
    int padding_mode, fill_mask;
};

static const struct row rows[] = {
    LIST(struct params, size, .least = 1, .most = 2, .limit = { 0, 65500 }, .above = true,
         .usual = { 24, 60 },
         .help = "[height, width], or one number for a square, in whole pixels or in the unit "
                 "of `crop_type`"),
    CHOICE(struct params, crop_type, .preset = "\"exact\"", .choices = crop_types,
           .help = "meaning of `size`; all but the first as in MMDetection and detectron2"),
    OPTIONAL_LIST(struct params, padding, .preset = "null", .least = 1, .most = 4, .whole = true,
                  .unit = "pixels", .limit = { 0, 65500 }, .usual = { 0, 12 },
                  .help = "border added first: all sides, [left and right, top and bottom], or "
                          "[left, top, right, bottom]"),
    FLAG(struct params, pad_if_needed, .preset = "false",
         .help = "pad a side that is too short by the missing pixels, at both ends"),
    FILL_ROWS(struct params),
    PADDING_MODE_ROW(struct params),
    ROWS_END,
};

static bool is_relative(const struct params *p)
{
    return p->crop_type == CROP_RELATIVE || p->crop_type == CROP_RELATIVE_RANGE;
}

static bool size_check(const struct params *p, const struct value *size, struct faults *faults)
{
    const double *at = p->size.at;

    for (int i = 0; i < p->size.n; i++) {
        if (is_relative(p) && at[i] > 1)
            return value_fault(faults, size, false, "param-range",
                               "%g is more than the whole image; expected a share of it", at[i]);
        if (!is_relative(p) && at[i] != nearbyint(at[i]))
            return value_fault(faults, size, false, "param-type",
                               "expected integers; for shares of the image set \"crop_type\"");
    }
    if (p->crop_type == CROP_ABSOLUTE_RANGE && at[0] > at[p->size.n - 1])
        return value_fault(faults, size, false, "param-order",
                           "the first number of a range is larger than the second");
    return true;
}

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;

    return size_check(p, value_get(step, "size"), faults) &&
           (!p->padding.given || padding_check(&p->padding.list, step, faults));
}

static void pad(struct run *run, struct arg padding)
{
    emit_shared(run, "pad", padding);
}

/* Draws a side of the window, if the image has n pixels; `which` is the number of `size` for this
 * side. */
static int draw_side(struct run *run, int which, int n)
{
    const struct params *p = run->params;
    double first = p->size.at[0], last = p->size.at[p->size.n - 1], own = which ? last : first;

    switch ((enum crop_type)p->crop_type) {
    case CROP_ABSOLUTE:
        own = fmin(own, n);
        break;
    case CROP_ABSOLUTE_RANGE:
        own = (double)rng_integer(run->rng, (int64_t)fmin(first, n), (int64_t)fmin(last, n) + 1);
        break;
    case CROP_RELATIVE_RANGE:
        own = fmax(floor(n * rng_between(run->rng, own, 1) + 0.5), 1);
        break;
    case CROP_RELATIVE:
        own = fmax(floor(n * own + 0.5), 1);
        break;
    case CROP_EXACT:
        break;
    }
    return (int)own;
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    int h, w, top = 0, left = 0;

    if (p->padding.given)
        pad(run, arg_optional_list("padding", &p->padding));
    h = draw_side(run, 0, run->frame.height);
    w = draw_side(run, 1, run->frame.width);
    if (p->pad_if_needed && run->frame.width < w)
        pad(run, PAIR("padding", w - run->frame.width, 0));
    if (p->pad_if_needed && run->frame.height < h)
        pad(run, PAIR("padding", 0, h - run->frame.height));
    if (run->frame.height > h)
        top = (int)rng_integer(run->rng, 0, run->frame.height - h + 1);
    if (run->frame.width > w)
        left = (int)rng_integer(run->rng, 0, run->frame.width - w + 1);
    if (run->frame.height < h || run->frame.width < w)
        emit_refuse(run,
                    "the image is %dx%d, smaller than the crop of %dx%d; set "
                    "\"pad_if_needed\"",
                    run->frame.width, run->frame.height, w, h);
    else
        emit(run, "crop", NUM("top", top), NUM("left", left), NUM("height", h), NUM("width", w));
}

const struct transform RandomCrop_transform = {
    .name = "RandomCrop",
    .summary = "crop a window of fixed size, or of a share of the image, at a random place",
    .group = GROUP_CROP,
    .origin = ORIGIN_TORCHVISION,
    .note = "Albumentations has a transform of this name: its `height` and `width` are `size` "
            "here",
    .example = "{\"type\": \"RandomCrop\", \"size\": [60, 80], \"padding\": 4, \"pad_if_needed\": "
               "true}",
    .emits = (const char *const[]){ "pad", "crop", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .check = check,
    .draw = draw,
};
