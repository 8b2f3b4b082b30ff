/* erase: paint a rectangle over; what it hides counts against visibility. */
#include "../op.h"

struct params {
    int i, j, h, w;
    struct colour v;
    bool noise;
    int64_t key;
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
    COLOUR(struct params, v, .preset = "0", .help = "the paint: a number, or one a band"),
    FLAG(struct params, noise, .preset = "false",
         .help = "uniform noise over the full range instead of `v`"),
    WHOLE(struct params, key, .preset = "0", .limit = { 0, 4294967295 },
          .help = "what the noise is made from"),
    ROWS_END,
};

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;

    out->family = PAINT;
    out->fill = scene_fill(scene, &p->v);
    out->u.paint.x = p->j;
    out->u.paint.y = p->i;
    out->u.paint.w = p->w;
    out->u.paint.h = p->h;
    out->u.paint.noise = p->noise;
    out->u.paint.key = (uint32_t)p->key;
    return true;
}

const struct op erase_op = {
    .name = "erase",
    .summary = "paint a rectangle over; hidden objects lose visibility",
    .example = "{\"type\": \"erase\", \"i\": 10, \"j\": 20, \"h\": 16, \"w\": 24, \"v\": 0}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = PAINT,
    .effect = HIDES,
    .resolve = resolve,
};
