/* coarse_dropout: paints over rectangles; hidden objects lose visibility. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/rows.h"

struct params {
    struct rects holes;
    struct paint fill;
    bool noise;
    int64_t key;
    struct optional fill_mask;
    int labels;
};

static const struct row rows[] = {
    RECTS(struct params, holes, .unit = "pixels", .limit = { 0, 65500 }, .usual = { 0, 40 },
          .help = "rectangles, each [top, left, height, width]; they are clipped to the image"),
    DROPOUT_ROWS(struct params),
    KEY_ROW(struct params),
    ROWS_END,
};

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;

    if (!p->holes.n)
        return true;
    action_paint(scene, out, &p->holes, &p->fill, p->noise, p->key);
    action_hides(scene, out, &p->fill_mask, p->labels);
    return true;
}

const struct op coarse_dropout_op = {
    .name = "coarse_dropout",
    .summary = "paint over rectangles; hidden objects lose visibility",
    .group = GROUP_DROPOUT,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"coarse_dropout\", \"holes\": [[10, 20, 16, 24], [40, 60, 30, 20]], "
               "\"fill\": 127}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_PAINT,
    .effect = EFFECT_HIDES,
    .resolve = resolve,
};
