/* ChannelDropout: makes random color channels constant. */
#include "steps/transform.h"

struct params {
    struct range channel_drop_range;
    double fill;
};

static const struct row rows[] = {
    RANGE(struct params, channel_drop_range, .preset = "[1, 1]", .unit = "channels",
          .limit = { 1, 2 }, .help = "number of channels: an integer, or [min, max]"),
    NUMBER(struct params, fill, .preset = "0", .unit = "levels", .limit = { 0, 255 },
           .help = "value of the dropped channels, on the scale 0..255"),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;
    const struct range *r = &p->channel_drop_range;

    if (r->lo != nearbyint(r->lo) || r->hi != nearbyint(r->hi))
        return value_fault(faults, value_get(step, "channel_drop_range"), false, "param-type",
                           "expected integers");
    return true;
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    size_t n = (size_t)rng_integer(run->rng, (int64_t)p->channel_drop_range.lo,
                                   (int64_t)p->channel_drop_range.hi + 1);
    size_t order[3];
    double channels[3];

    rng_permutation(run->rng, order, 3);
    for (size_t i = 0; i < n; i++)
        channels[i] = (double)order[i];
    emit_shared(run, "channel_dropout", NUMS("channels", n, channels));
}

const struct transform ChannelDropout_transform = {
    .name = "ChannelDropout",
    .summary = "make random colour channels constant; gray images are unchanged",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_ALBUMENTATIONS,
    .differs = "gray images are unchanged; Albumentations refuses them",
    .example = "{\"type\": \"ChannelDropout\", \"channel_drop_range\": [1, 2]}",
    .emits = (const char *const[]){ "channel_dropout", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .check = check,
    .draw = draw,
};
