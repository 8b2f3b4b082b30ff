/* Resize: resizes to a size, or by the shorter or longer side. */
#include "steps/transform.h"

struct params {
    struct size size;
    int interpolation;
    struct optional max_size;
    bool antialias;
};

static const struct row rows[] = {
    SIZE(struct params, size, .unit = "pixels", .limit = { 0, 65500 }, .usual = { 24, 140 },
         .help = "[height, width], or one number for the shorter side; 0 or null: the longer side "
                 "becomes max_size"),
    RESIZE_ROWS(struct params),
    OPTIONAL(struct params, max_size, .preset = "null", .whole = true, .unit = "pixels",
             .limit = { 1, 65500 }, .usual = { 141, 200 },
             .help = "if size is one number: upper bound of the longer side; the shorter side "
                     "follows"),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;

    return max_size_check(&p->size, &p->max_size, step, faults);
}

static void draw(struct run *run)
{
    emit_shared_only(run, "resize");
}

const struct transform Resize_transform = {
    .name = "Resize",
    .summary = "scale to a size",
    .group = GROUP_GEOMETRY,
    .origin = ORIGIN_TORCHVISION,
    .note = "Albumentations has a transform of this name: its `height` and `width` are `size` "
            "here",
    .example = "{\"type\": \"Resize\", \"size\": 96, \"max_size\": 160}",
    .emits = (const char *const[]){ "resize", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .check = check,
    .draw = draw,
};
