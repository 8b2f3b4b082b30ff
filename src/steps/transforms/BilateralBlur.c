/* BilateralBlur: blurs with random strength but keeps edges. */
#include "steps/transform.h"

struct params {
    struct list d;
    struct range sigma_color, sigma_space;
};

static const struct row rows[] = {
    LIST(struct params, d, .ends = true, .preset = "[3, 9]", .least = 1, .most = 2, .whole = true,
         .unit = "pixels", .limit = { 1, 99 }, .usual = { 1, 9 },
         .help = "range of the diameter of the neighbourhood, a disc, inclusive, or one number"),
    RANGE(struct params, sigma_color, .preset = "[10, 250]", .limit = { 0.1, 1000 },
          .usual = { 10, 250 },
          .help = "range of the standard deviation of colour differences, on the scale 0..255: "
                  "how different mixed colours may be"),
    RANGE(struct params, sigma_space, .preset = "[10, 250]", .unit = "pixels",
          .limit = { 0.1, 1000 }, .usual = { 2, 250 },
          .help = "range of the standard deviation of distances"),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;

    return ordered_check(&p->d, "d", step, faults);
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    int d = draw_whole(run, &p->d);
    double color = rng_between(run->rng, p->sigma_color.lo, p->sigma_color.hi);
    double space = rng_between(run->rng, p->sigma_space.lo, p->sigma_space.hi);

    emit(run, "bilateral_blur", NUM("d", d), NUM("sigma_color", color), NUM("sigma_space", space));
}

const struct transform BilateralBlur_transform = {
    .name = "BilateralBlur",
    .summary = "blur similar colours and keep edges, with random strength",
    .group = GROUP_BLUR,
    .origin = ORIGIN_OWN,
    .differs = "it follows imgaug, where the default diameter of 1 does nothing",
    .example = "{\"type\": \"BilateralBlur\", \"d\": [7, 11], \"sigma_color\": [50, 80]}",
    .emits = (const char *const[]){ "bilateral_blur", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .check = check,
    .draw = draw,
};
