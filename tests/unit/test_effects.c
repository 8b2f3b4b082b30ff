/* test_effects: every op changes pixels and labels as its flags say, and nothing else
 * (src/steps/properties/walk.h). */
#include "unit.h"
#include "walked.h"

#include <string.h>

/* True if an op finds nothing to do. Nothing is outside of the image to clamp, a triangle has no
 * point to spare, and outlines are not fused. There are no annotations with codes and small masks,
 * and random steps name no category. */
static bool finds_nothing(const struct op *op)
{
    static const char *const nothing[] = { "clip_boxes",           "decode_boxes",
                                           "encode_boxes",         "paste_masks",
                                           "set_image_label",      "simplify_polygons",
                                           "weighted_boxes_fusion" };
    bool found = strncmp(op->name, "clamp_", 6) != 0;

    for (size_t i = 0; i < COUNTOF(nothing); i++)
        found = found && strcmp(op->name, nothing[i]) != 0;
    for (ROWS (row, op->params))
        found = found && !row->categories;
    return !found;
}

static const char *skip_transform(const struct transform *transform)
{
    (void)transform;
    return "is a transform, not an op";
}

int main(void)
{
    static const struct walk_scope scope = { skip_no_op, skip_transform };
    struct walker walk = walked_begin();

    walked_plan(&scope, 0);
    for (EACH(op, op, registry_ops))
        if (walked_has_op(&scope, op)) {
            walk_effects(&walk, op, finds_nothing(op));
            walked_report(&walk, op->name);
        }
    walk_drop(&walk);
    return unit_end();
}
