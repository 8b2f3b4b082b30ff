/* Resize: to a size, or by the shorter or longer side. */
#include "../transform.h"

struct params {
    struct size size;
    int interpolation;
    struct optional max_size;
    bool antialias;
};

static const struct row rows[] = {
    SIZE(struct params, size, .unit = "pixels", .limit = { 0, 65500 }, .usual = { 24, 140 },
         .help = "[height, width], or one number for the shorter side; 0: the longer side becomes "
                 "max_size"),
    RESIZE_ROWS(struct params),
    OPTIONAL(struct params, max_size, .preset = "null", .whole = true, .unit = "pixels",
             .limit = { 1, 65500 }, .usual = { 141, 200 },
             .help = "with one number as size: the longer side's bound; the shorter one follows"),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;

    if (p->size.height == 0 && p->size.single && !p->max_size.given)
        return value_fault(faults, value_get(step, "size"), false, "param-conflict",
                           "0 asks for \"max_size\" to be given");
    if (!p->size.single && (p->size.height == 0 || p->size.width == 0))
        return value_fault(faults, value_get(step, "size"), false, "param-range",
                           "a side of 0 pixels");
    return max_size_check(&p->size, &p->max_size, step, faults);
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    struct arg taps = WORD("interpolation", resize_choices, p->interpolation);
    struct arg antialias = YES("antialias", p->antialias);
    int w = run->frame.width, h = run->frame.height;

    if (!p->size.single) {
        emit(run, "resize", PAIR("size", p->size.height, p->size.width), taps, antialias);
    } else if (p->size.height > 0 && p->max_size.given) {
        emit(run, "resize", NUM("size", p->size.height), NUM("max_size", p->max_size.number), taps,
             antialias);
    } else if (p->size.height > 0) {
        emit(run, "resize", NUM("size", p->size.height), taps, antialias);
    } else {
        int longer = (int)p->max_size.number;
        int shorter = (int)((double)longer * (w < h ? w : h) / (w < h ? h : w));

        shorter = shorter < 1 ? 1 : shorter;
        emit(run, "resize", PAIR("size", w < h ? longer : shorter, w < h ? shorter : longer), taps,
             antialias);
    }
}

const struct transform Resize_transform = {
    .name = "Resize",
    .summary = "scale to a size",
    .example = "{\"type\": \"Resize\", \"size\": 96, \"max_size\": 160}",
    .emits = (const char *const[]){ "resize", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .check = check,
    .draw = draw,
};
