/* RandomCropCategoryAreaConstraint: crops a window in which no label of the mask has too large a
 * share. */
#include "steps/transform.h"

enum crop_type { CROP_RELATIVE_RANGE, CROP_RELATIVE, CROP_ABSOLUTE, CROP_ABSOLUTE_RANGE };

static const struct choice crop_types[] = {
    { "relative_range", CROP_RELATIVE_RANGE,
      "each side is a share of the image's, drawn from `crop_size`, [height, width], to 1" },
    { "relative", CROP_RELATIVE, "`crop_size` is the shares of the image's [height, width]" },
    { "absolute", CROP_ABSOLUTE, "`crop_size` is [height, width] in pixels, at most the image's" },
    { "absolute_range", CROP_ABSOLUTE_RANGE,
      "`crop_size` is the minimum and maximum length of both sides in pixels" },
    { 0 },
};

struct params {
    int crop_type;
    struct list crop_size;
    double single_category_max_area;
    struct optional ignored_category;
};

static const struct row rows[] = {
    CHOICE(struct params, crop_type, .preset = "\"relative_range\"", .choices = crop_types,
           .help = "meaning of `crop_size`"),
    LIST(struct params, crop_size, .preset = "[0.9, 0.9]", .least = 1, .most = 2,
         .limit = { 0, 65500 }, .above = true, .usual = { 0.3, 1 },
         .help = "two numbers, or one for both; see `crop_type`"),
    NUMBER(struct params, single_category_max_area, .preset = "1", .limit = { 0, 1 },
           .help = "a window is accepted if it shows at least two labels, and the share of "
                   "each label is below this; 1: accept every window"),
    OPTIONAL(struct params, ignored_category, .preset = "null", .whole = true,
             .limit = { 0, 65535 },
             .help = "label whose pixels are ignored; null: none is "
                     "ignored"),
    ROWS_END,
};

static double size_of(const struct params *p, int side)
{
    return p->crop_size.at[side < p->crop_size.n ? side : p->crop_size.n - 1];
}

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;
    const struct value *at = value_get(step, "crop_size");

    if (p->crop_type == CROP_ABSOLUTE_RANGE &&
        !ordered_check(&p->crop_size, "crop_size", step, faults))
        return false;
    for (int i = 0; i < p->crop_size.n; i++) {
        double size = p->crop_size.at[i];

        if (p->crop_type <= CROP_RELATIVE ? size > 1 : size < 1 || size != floor(size))
            return value_fault(faults, at ? at : step, false, "param-range",
                               "\"crop_size\" is %g, and \"crop_type\" says that it is %s", size,
                               p->crop_type <= CROP_RELATIVE ? "a share of the image's sides"
                                                             : "in whole pixels");
    }
    return true;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* For side 0 the height, else the width. The range modes draw one number, the others draw none. */
static int draw_side(struct run *run, const struct params *p, int side)
{
    int n = side ? run->frame.width : run->frame.height, length;
    double size = size_of(p, side);

    switch ((enum crop_type)p->crop_type) {
    case CROP_ABSOLUTE:
        return smaller(n, (int)size);
    case CROP_ABSOLUTE_RANGE:
        return (int)rng_integer(run->rng, smaller(n, (int)size_of(p, 0)),
                                smaller(n, (int)size_of(p, 1)) + 1);
    case CROP_RELATIVE_RANGE:
        size = rng_between(run->rng, size, 1);
        break;
    case CROP_RELATIVE:
        break;
    }
    length = (int)(n * size + 0.5);
    return length < 1 ? 1 : length;
}

static struct rect draw_window(struct run *run, const struct params *p)
{
    struct rect w = { .h = draw_side(run, p, 0) };

    w.w = draw_side(run, p, 1);
    w.y = (int)rng_integer(run->rng, 0, run->frame.height - w.h + 1);
    w.x = (int)rng_integer(run->rng, 0, run->frame.width - w.w + 1);
    return w;
}

/* True if the window is accepted; without a label mask every window is. */
static bool is_accepted(struct run *run, const struct params *p, struct rect w)
{
    const struct optional *ignored = &p->ignored_category;
    struct label_shares shares;

    if (p->single_category_max_area >= 1 ||
        !run_label_shares(run, w, ignored->given ? (int)ignored->number : -1, &shares))
        return true;
    return shares.labels > 1 && shares.largest < p->single_category_max_area;
}

static void draw(struct run *run)
{
    enum { TRIALS = 10 }; /* detectron2's number; after these trials the last window is used */
    const struct params *p = run->params;
    struct rect w = draw_window(run, p);

    for (int i = 1; i < TRIALS && !is_accepted(run, p, w); i++)
        w = draw_window(run, p);
    emit_crop(run, &(struct window){ w.y, w.x, w.h, w.w });
}

const struct transform RandomCropCategoryAreaConstraint_transform = {
    .name = "RandomCropCategoryAreaConstraint",
    .summary = "crop a window in which no single label of the label mask has too large a "
               "share; after ten failures or without a mask, crop at a random place",
    .group = GROUP_CROP,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"RandomCropCategoryAreaConstraint\", \"crop_type\": \"absolute\", "
               "\"crop_size\": [60, 80], \"single_category_max_area\": 0.75, \"ignored_category\": "
               "255}",
    .emits = (const char *const[]){ "crop", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .check = check,
    .draw = draw,
};
