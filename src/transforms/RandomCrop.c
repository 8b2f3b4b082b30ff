/* RandomCrop: a window of fixed size anywhere in the image. */
#include "../transform.h"

struct params {
    struct size size;
    struct optional_list padding;
    bool pad_if_needed;
    struct colour fill;
    int padding_mode, fill_mask;
};

static const struct row rows[] = {
    SIZE(struct params, size, .unit = "pixels", .limit = { 1, 65500 }, .usual = { 24, 60 },
         .help = "[height, width], or one number for a square"),
    OPTIONAL_LIST(struct params, padding, .preset = "null", .least = 1, .most = 4, .whole = true,
                  .unit = "pixels", .limit = { 0, 65500 }, .usual = { 0, 12 },
                  .help = "border added first: all sides, [left and right, top and bottom], or "
                          "[left, top, right, bottom]"),
    FLAG(struct params, pad_if_needed, .preset = "false",
         .help = "pad a side that is too short by what is missing, on both ends"),
    FILL_ROWS(struct params),
    PADDING_MODE_ROW(struct params),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;

    return !p->padding.given || padding_check(&p->padding.list, step, faults);
}

static void pad(struct run *run, struct arg padding)
{
    emit_shared(run, "pad", padding);
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    int h = p->size.height, w = p->size.width, top = 0, left = 0;

    if (p->padding.given)
        pad(run, arg_optional_list("padding", &p->padding));
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
    .summary = "cut out a window of fixed size anywhere",
    .group = GROUP_CROP,
    .origin = ORIGIN_TORCHVISION,
    .differs = "Albumentations has one, too: its `height` and `width` are `size` here",
    .example = "{\"type\": \"RandomCrop\", \"size\": [60, 80], \"padding\": 4, \"pad_if_needed\": "
               "true}",
    .emits = (const char *const[]){ "pad", "crop", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .check = check,
    .draw = draw,
};
