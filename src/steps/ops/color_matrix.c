/* color_matrix: makes each color a weighted sum of all three. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"

struct params {
    struct list red, green, blue;
};

#define COLOUR_ROW(f)                                                                              \
    LIST(struct params, f, .least = 3, .most = 4, .usual = { 0, 0.6 },                             \
         .help = "the result's " #f ": weights of red, green and blue, and optionally an offset "  \
                 "on the scale 0..255")

static const struct row rows[] = {
    COLOUR_ROW(red),
    COLOUR_ROW(green),
    COLOUR_ROW(blue),
    ROWS_END,
};

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    const struct list *row[3] = { &p->red, &p->green, &p->blue };
    struct colour_matrix *m;

    if (scene->channels < 3)
        return true;
    m = ARENA_NEW(scene->arena, struct colour_matrix);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < row[i]->n; j++)
            m->m[i][j] = (float)row[i]->at[j];
    action_colours(scene, out, colour_by_matrix, m, m);
    return true;
}

const struct op color_matrix_op = {
    .name = "color_matrix",
    .summary = "make each colour a weighted sum of all three; gray images are unchanged",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"color_matrix\", \"red\": [0.393, 0.769, 0.189], \"green\": [0.349, "
               "0.686, 0.168], \"blue\": [0.272, 0.534, 0.131]}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_COLOURS,
    .linear = true,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
