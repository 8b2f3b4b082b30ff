/* Superpixels: fills segments with one color each, at random. */
#include "steps/transform.h"

struct params {
    struct range p_replace;
    struct list n_segments;
    struct optional max_size;
    int interpolation;
};

static const struct row rows[] = {
    RANGE(struct params, p_replace, .preset = "[0, 0.1]", .limit = { 0, 1 },
          .scalar = SCALAR_FROM_0,
          .help = "range of the probability of a segment to become one colour"),
    LIST(struct params, n_segments, .ends = true, .preset = "[100, 100]", .least = 1, .most = 2,
         .whole = true, .limit = { 1, 100000 }, .usual = { 1, 200 }, .scalar = SCALAR_FROM_1,
         .help = "range of the approximate number of segments, inclusive; v means [1, v]"),
    MAX_SEGMENTED_ROWS(struct params),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    return ordered_check(&((const struct params *)params)->n_segments, "n_segments", step, faults);
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    int n = draw_whole(run, &p->n_segments);
    double chance = rng_between(run->rng, p->p_replace.lo, p->p_replace.hi);

    emit_shared(run, "superpixels", NUM("n_segments", n), NUM("p_replace", chance),
                NUM("key", draw_key(run)));
}

const struct transform Superpixels_transform = {
    .name = "Superpixels",
    .summary = "fill some random segments of similar pixels with their mean colour",
    .group = GROUP_NOISE,
    .origin = ORIGIN_ALBUMENTATIONS,
    .differs = "the first segment is replaced like the others (Albumentations never replaces it)",
    .example = "{\"type\": \"Superpixels\", \"p_replace\": [0.6, 0.9], \"n_segments\": [100, 200]}",
    .emits = (const char *const[]){ "superpixels", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .check = check,
    .draw = draw,
};
