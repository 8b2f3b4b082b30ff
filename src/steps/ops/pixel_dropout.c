/* pixel_dropout: paints over single pixels, chosen at random. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/checks.h"
#include "steps/op_shared/rows.h"

struct params {
    double dropout_prob;
    bool per_channel;
    struct colour drop_value;
    struct optional mask_drop_value;
    int64_t key;
};

static const struct row rows[] = {
    SPECKLE_ROWS(struct params),
    WHOLE(struct params, key, .preset = "0", .limit = { 0, 4294967295 },
          .help = "seed of the choice of pixels"),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;

    return mask_drop_check(p->per_channel, &p->mask_drop_value, step, faults);
}

static void speckle(const void *context, const struct plane *in, struct plane *out,
                    struct pool *pool)
{
    (void)pool;
    plane_speckle(in, out, context);
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    struct speckle *of = ARENA_ARRAY(scene->arena, struct speckle, 2);

    if (p->dropout_prob <= 0)
        return true;
    of[0] = (struct speckle){ .chance = p->dropout_prob,
                              .key = (uint32_t)p->key,
                              .per_channel = p->per_channel,
                              .random = p->drop_value.n == 0,
                              .fill = scene_fill(scene, &p->drop_value) };
    action_raster(out, speckle, &of[0]);
    if (p->mask_drop_value.given) {
        struct action *mask = ARENA_NEW(scene->arena, struct action);

        of[1] = of[0];
        of[1].random = false;
        of[1].fill = (struct fill){ .channel = { p->mask_drop_value.number } };
        *mask = *out;
        action_raster(mask, speckle, &of[1]);
        out->mask = mask;
    }
    return true;
}

const struct op pixel_dropout_op = {
    .name = "pixel_dropout",
    .summary = "paint over single pixels, chosen by a key; objects and their visibility are "
               "unchanged",
    .group = GROUP_DROPOUT,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"pixel_dropout\", \"dropout_prob\": 0.05, \"key\": 7}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS,
    .check = check,
    .resolve = resolve,
};
