/* resize: resizes to a size, or by the shorter or longer side. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/checks.h"
#include "steps/op_shared/rows.h"

struct params {
    struct size size;
    int interpolation;
    struct optional max_size;
    bool antialias;
};

static const struct row rows[] = {
    SIZE(struct params, size, .unit = "pixels", .limit = { 0, 65500 }, .usual = { 24, 140 },
         .help = "[height, width], or one number for the shorter side; 0 or null: the longer "
                 "side becomes max_size"),
    RESIZE_ROWS(struct params),
    OPTIONAL(struct params, max_size, .preset = "null", .whole = true, .unit = "pixels",
             .limit = { 1, 65500 }, .usual = { 141, 200 },
             .help = "if size is one number: upper bound of the longer side; the shorter side "
                     "follows"),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;

    return max_size_check(&p->size, &p->max_size, step, faults);
}

/* The shorter side becomes `size`, or the longer one max_size; the other side is truncated, as in
 * torchvision. */
static struct frame by_shorter_side(const struct params *p, struct frame in)
{
    int shorter = in.width < in.height ? in.width : in.height;
    int longer = in.width < in.height ? in.height : in.width;
    int to_shorter = p->size.height;
    int to_longer = (int)((double)to_shorter * longer / shorter);

    if (to_shorter == 0) { /* at least one pixel */
        to_longer = (int)p->max_size.number;
        to_shorter = (int)fmax(1, (double)to_longer * shorter / longer);
    } else if (p->max_size.given && to_longer > p->max_size.number) {
        to_shorter = (int)(p->max_size.number * to_shorter / to_longer);
        to_longer = (int)p->max_size.number;
    }
    return in.width < in.height ? (struct frame){ to_shorter, to_longer }
                                : (struct frame){ to_longer, to_shorter };
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    struct frame to = { p->size.width, p->size.height };

    if (p->size.single)
        to = by_shorter_side(p, scene->frame);
    if (to.width < 1 || to.height < 1 || to.width > 65500 || to.height > 65500) {
        text_addf(scene->why, "the resized image would be %dx%d", to.width, to.height);
        return false;
    }
    action_resize(scene, out, to, (enum interpolation)p->interpolation, p->antialias);
    return true;
}

const struct op resize_op = {
    .name = "resize",
    .summary = "scale to a size",
    .group = GROUP_GEOMETRY,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"resize\", \"size\": [96, 128]}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RESAMPLE,
    .effect = EFFECT_MOVES,
    .check = check,
    .resolve = resolve,
};
