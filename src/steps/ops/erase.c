/* erase: paints over a rectangle; hidden objects lose visibility. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/rows.h"

struct params {
    int i, j, h, w, labels;
    struct colour v;
    bool noise;
    int64_t key;
    struct optional fill_mask;
};

static const struct row rows[] = {
    INTEGER(struct params, i, .unit = "pixels", .limit = { -1000000, 1000000 }, .usual = { 0, 40 },
            .help = "first row"),
    INTEGER(struct params, j, .unit = "pixels", .limit = { -1000000, 1000000 }, .usual = { 0, 40 },
            .help = "first column"),
    INTEGER(struct params, h, .unit = "pixels", .limit = { 1, 65500 }, .usual = { 1, 30 },
            .help = "rows"),
    INTEGER(struct params, w, .unit = "pixels", .limit = { 1, 65500 }, .usual = { 1, 30 },
            .help = "columns"),
    COLOUR(struct params, v, .preset = "0", .help = "the paint: a number, or one per channel"),
    FLAG(struct params, noise, .preset = "false",
         .help = "uniform noise over the full range instead of `v`"),
    KEY_ROW(struct params),
    HIDE_ROWS(struct params),
    ROWS_END,
};

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    struct rect *hole = ARENA_NEW(scene->arena, struct rect);

    *hole = (struct rect){ .x = p->j, .y = p->i, .w = p->w, .h = p->h };
    action_paint(scene, out, &(struct rects){ hole, 1 }, &(struct paint){ .colour = p->v },
                 p->noise, p->key);
    action_hides(scene, out, &p->fill_mask, p->labels);
    return true;
}

const struct op erase_op = {
    .name = "erase",
    .summary = "paint over a rectangle; hidden objects lose visibility",
    .group = GROUP_DROPOUT,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"erase\", \"i\": 10, \"j\": 20, \"h\": 16, \"w\": 24, \"v\": 0}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_PAINT,
    .effect = EFFECT_HIDES,
    .resolve = resolve,
};
