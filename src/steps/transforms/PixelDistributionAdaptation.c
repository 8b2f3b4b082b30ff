/* PixelDistributionAdaptation: matches the distribution of colors to a reference picture, drawn
 * from a folder. */
#include "steps/transform.h"

struct params {
    struct list blend_ratio;
    int transform_type;
};

static const struct row rows[] = {
    LIST(struct params, blend_ratio, .ends = true, .preset = "[0.25, 1]", .least = 2, .most = 2,
         .limit = { 0, 1 },
         .help = "range of the share of the adapted image; the rest is the original image"),
    CHOICE(struct params, transform_type, .preset = "\"pca\"", .choices = adaptation_choices,
           .help = "the statistics that become equal"),
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
        emit_shared(run, "adapt_distribution",
                    { .name = "stamp", .kind = ARG_WORD, .word = stamp->name },
                    NUM("blend_ratio", ratio));
}

const struct transform PixelDistributionAdaptation_transform = {
    .name = "PixelDistributionAdaptation",
    .summary =
        "match the distribution of colours to a reference picture from the folder of --stamps",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_ALBUMENTATIONS,
    .differs = "references are the pictures of a folder and are not resized; the signs of axes "
               "are set by their largest component; colours are rounded once",
    .example =
        "{\"type\": \"PixelDistributionAdaptation\", \"p\": 1, \"transform_type\": \"standard\"}",
    .emits = (const char *const[]){ "adapt_distribution", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .check = check,
    .draw = draw,
};
