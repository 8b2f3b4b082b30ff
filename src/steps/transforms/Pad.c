/* Pad: adds a border around the image. */
#include "steps/transform.h"

struct params {
    struct list padding;
    struct colour fill;
    int padding_mode, fill_mask;
};

static const struct row rows[] = {
    LIST(struct params, padding, .least = 1, .most = 4, .whole = true, .unit = "pixels",
         .limit = { -65500, 65500 }, .usual = { 0, 16 },
         .help = "all sides, [left and right, top and bottom], or [left, top, right, bottom]"),
    FILL_ROWS(struct params),
    PADDING_MODE_ROW(struct params),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;

    return padding_check(&p->padding, step, faults);
}

static void draw(struct run *run)
{
    emit_shared_only(run, "pad");
}

const struct transform Pad_transform = {
    .name = "Pad",
    .summary = "add a border; negative padding crops",
    .group = GROUP_GEOMETRY,
    .origin = ORIGIN_TORCHVISION,
    .differs = "mirroring modes may be used with boxes; an object that appears twice is "
               "labelled once",
    .example = "{\"type\": \"Pad\", \"padding\": [8, 4], \"fill\": [124, 116, 104]}",
    .emits = (const char *const[]){ "pad", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .check = check,
    .draw = draw,
};
