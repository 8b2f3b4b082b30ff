/* normalize: floats with mean 0 and standard deviation 1, if the given numbers are the images' own.
 */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/rows.h"

struct params {
    struct list mean, std;
};

static const struct row rows[] = {
    NORMALIZE_ROWS(struct params),
    ROWS_END,
};

static double of_channel(const struct list *list, int b)
{
    return list->at[list->n == 1 ? 0 : b];
}

static bool has_one_per_channel(const struct scene *scene, const struct list *list,
                                const char *name)
{
    int colours = scene_colours(scene);

    if (list->n == 1 || list->n == colours)
        return true;
    text_addf(scene->why, "\"%s\" has %d numbers, but the image has %d colour channel%s: %s", name,
              list->n, colours, colours == 1 ? "" : "s",
              colours == 1 && list->n == 3
                  ? "write one number, or convert gray images to RGB first: {\"type\": \"RGB\"}"
                  : "write one number for all, or one per channel");
    return false;
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;

    if (!has_one_per_channel(scene, &p->mean, "mean") ||
        !has_one_per_channel(scene, &p->std, "std"))
        return false;
    action_convert(scene, out, PIXEL_F32, true);
    for (int b = 0; b < scene_colours(scene); b++) {
        double std = of_channel(&p->std, b);

        out->u.convert.factor[b] = (float)(out->u.convert.factor[b] / std);
        out->u.convert.offset[b] = (float)(-of_channel(&p->mean, b) / std);
    }
    return true;
}

const struct op normalize_op = {
    .name = "normalize",
    .summary = "convert to floats (TIFF only): on the scale 0..1, subtract a mean and divide "
               "by a standard deviation",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"normalize\", \"mean\": 0.45, \"std\": 0.225}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_CONVERT,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
