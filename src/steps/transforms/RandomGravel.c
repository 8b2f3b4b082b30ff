/* RandomGravel: small squares, each of one lightness, in random patches. */
#include "steps/transform.h"

struct params {
    struct list gravel_roi;
    int number_of_patches;
};

static const struct row rows[] = {
    LIST(struct params, gravel_roi, .preset = "[0.1, 0.4, 0.9, 0.9]", .least = 4, .most = 4,
         .limit = { 0, 1 },
         .help = "region of the patches, [left, top, right, bottom], as shares of width and "
                 "height"),
    INTEGER(struct params, number_of_patches, .preset = "2", .limit = { 1, 100 }, .usual = { 1, 5 },
            .help = "number of patches; each side is a tenth to a fifth of the region's"),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    return roi_check(&((const struct params *)params)->gravel_roi, "gravel_roi", step, faults);
}

/* Draws the begin and the length of a patch along one axis. */
static void draw_side(struct run *run, int side, double lo, double hi, int *begin, int *length)
{
    int from = (int)(lo * side), to = (int)(hi * side), room = to - from;

    *length = (int)rng_integer(run->rng, room / 10, room / 5 + 1);
    *begin = (int)rng_integer(run->rng, from, to - *length + 1);
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    const double *roi = p->gravel_roi.at;
    struct rect *at = ARENA_ARRAY(run->arena, struct rect, (size_t)p->number_of_patches);
    struct rects patches = { .at = at, .n = (size_t)p->number_of_patches };

    for (size_t i = 0; i < patches.n; i++) {
        draw_side(run, run->frame.width, roi[0], roi[2], &at[i].x, &at[i].w);
        draw_side(run, run->frame.height, roi[1], roi[3], &at[i].y, &at[i].h);
    }
    emit(run, "gravel", RECTANGLES("patches", &patches), NUM("key", draw_key(run)));
}

const struct transform RandomGravel_transform = {
    .name = "RandomGravel",
    .summary = "scatter small squares, each of one lightness, in random patches",
    .group = GROUP_WEATHER,
    .origin = ORIGIN_ALBUMENTATIONS,
    .differs = "gray images get gravel too (Albumentations refuses them)",
    .example = "{\"type\": \"RandomGravel\", \"number_of_patches\": 6}",
    .emits = (const char *const[]){ "gravel", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .check = check,
    .draw = draw,
};
