/* CLAHE: equalizes tile by tile, with a random limit of contrast. */
#include "steps/transform.h"

struct params {
    struct range clip_limit;
    struct list tile_grid_size;
};

static const struct row rows[] = {
    RANGE(struct params, clip_limit, .preset = "[1, 4]", .limit = { 0, 1000000 }, .usual = { 1, 8 },
          .scalar = SCALAR_FROM_1,
          .help = "range of the maximum count of a level, as a multiple of the mean count; 0: "
                  "no limit; v means [1, v], as in Albumentations"),
    LIST(struct params, tile_grid_size, .preset = "[8, 8]", .least = 1, .most = 2, .whole = true,
         .unit = "tiles", .limit = { 1, 64 }, .usual = { 1, 9 },
         .help = "number of tiles, [x, y] or one number for both"),
    ROWS_END,
};

static void draw(struct run *run)
{
    const struct params *p = run->params;

    emit_shared(run, "clahe",
                NUM("clip_limit", rng_between(run->rng, p->clip_limit.lo, p->clip_limit.hi)));
}

const struct transform CLAHE_transform = {
    .name = "CLAHE",
    .summary = "equalize tile by tile, with limited contrast; colours by their luma",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_ALBUMENTATIONS,
    .differs = "equalizes colours by their luma and keeps chroma; Albumentations equalizes the "
               "L of LAB",
    .example = "{\"type\": \"CLAHE\", \"clip_limit\": [1, 4]}",
    .emits = (const char *const[]){ "clahe", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
