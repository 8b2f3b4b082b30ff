/* HistogramMatching: matches histograms to a reference picture, drawn from a folder. */
#include "steps/transform.h"

struct params {
    struct list blend_ratio;
};

static const struct row rows[] = {
    LIST(struct params, blend_ratio, .ends = true, .preset = "[0.5, 1]", .least = 2, .most = 2,
         .limit = { 0, 1 },
         .help = "range of the share of the matched image; the rest is the original image"),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;

    return ordered_check(&p->blend_ratio, "blend_ratio", step, faults);
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    const struct stamp *stamp = stamp_draw(rng_u64(run->rng));
    double ratio = rng_between(run->rng, p->blend_ratio.at[0], p->blend_ratio.at[1]);

    if (!stamp)
        emit_refuse(run, "there are no reference pictures; give a folder of them with --stamps "
                         "[stamp-none]");
    else
        emit(run, "match_histogram", { .name = "stamp", .kind = ARG_WORD, .word = stamp->name },
             NUM("blend_ratio", ratio));
}

const struct transform HistogramMatching_transform = {
    .name = "HistogramMatching",
    .summary = "match each channel's histogram to a reference picture from the folder of "
               "--stamps",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_ALBUMENTATIONS,
    .differs = "references are the pictures of a folder and are not resized; levels are "
               "rounded once",
    .example = "{\"type\": \"HistogramMatching\", \"p\": 1, \"blend_ratio\": [0.8, 1]}",
    .emits = (const char *const[]){ "match_histogram", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .check = check,
    .draw = draw,
};
