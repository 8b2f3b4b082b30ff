/* EdgeDetect: blends in an image of edges, with a random share. */
#include "steps/transform.h"

struct params {
    struct range alpha;
};

static const struct row rows[] = {
    RANGE(struct params, alpha, .preset = "[0, 0.75]", .limit = { 0, 1 }, .usual = { 0.1, 0.6 },
          .help = "range of the share of the edges"),
    ROWS_END,
};

static void draw(struct run *run)
{
    const struct params *p = run->params;
    double alpha = rng_between(run->rng, p->alpha.lo, p->alpha.hi);

    emit(run, "edge_detect", NUM("alpha", alpha));
}

const struct transform EdgeDetect_transform = {
    .name = "EdgeDetect",
    .summary = "show edges, with random strength",
    .group = GROUP_BLUR,
    .origin = ORIGIN_OWN,
    .differs = "imgaug's",
    .example = "{\"type\": \"EdgeDetect\", \"alpha\": [0.4, 0.8]}",
    .emits = (const char *const[]){ "edge_detect", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .draw = draw,
};
