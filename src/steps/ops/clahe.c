/* clahe: equalizes tile by tile, with limited contrast. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "pixels/filters.h"

struct params {
    double clip_limit;
    struct list tile_grid_size;
};

static const struct row rows[] = {
    NUMBER(struct params, clip_limit, .preset = "4", .limit = { 0, 1000000 }, .usual = { 1, 8 },
           .help = "maximum count of a level, as a multiple of the mean count; limits the "
                   "increase of contrast; 0: no limit"),
    LIST(struct params, tile_grid_size, .preset = "[8, 8]", .least = 1, .most = 2, .whole = true,
         .unit = "tiles", .limit = { 1, 64 }, .usual = { 1, 9 },
         .help = "number of tiles, [x, y] or one number for both"),
    ROWS_END,
};

static void raster(const void *context, const struct plane *in, struct plane *out,
                   struct pool *pool)
{
    const struct params *p = context;
    const struct list *grid = &p->tile_grid_size;

    plane_clahe(in, out, p->clip_limit, (int)grid->at[0], (int)grid->at[grid->n - 1], pool);
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    struct params *p = ARENA_ARRAY(scene->arena, struct params, 1);

    *p = *(const struct params *)params;
    action_raster(out, raster, p);
    return true;
}

const struct op clahe_op = {
    .name = "clahe",
    .summary =
        "equalize tile by tile, with limited contrast (CLAHE); colours by their luma, chroma "
        "is kept",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"clahe\", \"clip_limit\": 4, \"tile_grid_size\": [8, 8]}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
