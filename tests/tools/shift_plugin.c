/* shift_plugin: ops that always move by the same part of a pixel, with and without blending: cc
 * -DDX=0.5 -DDY=0.25 ... With -DWRONG=0.5 labels of a field move by so much more than its pixels.
 * For tests/cli/plugins.bats. */
#include <lockstep_plugin.h>

#ifndef WRONG
#define WRONG 0
#endif

static int shift(const struct lockstep_scene *scene, struct lockstep_action *action, bool nearest)
{
    (void)scene;
    action->matrix[2] = DX;
    action->matrix[5] = DY;
    action->nearest = nearest;
    return LOCKSTEP_ACTS;
}

static int resolve_blended(const void *params, const struct lockstep_scene *scene,
                           struct lockstep_action *action)
{
    (void)params;
    return shift(scene, action, false);
}

static int resolve_nearest(const void *params, const struct lockstep_scene *scene,
                           struct lockstep_action *action)
{
    (void)params;
    return shift(scene, action, true);
}

static struct lockstep_point source(const void *context, struct lockstep_point p)
{
    (void)context;
    return (struct lockstep_point){ p.x - DX, p.y - DY };
}

static struct lockstep_point target(const void *context, struct lockstep_point p)
{
    (void)context;
    return (struct lockstep_point){ p.x + DX + WRONG, p.y + DY };
}

static int resolve_field(const void *params, const struct lockstep_scene *scene,
                         struct lockstep_action *action)
{
    (void)params;
    (void)scene;
    action->source = source;
    action->target = target;
    return LOCKSTEP_ACTS;
}

static const struct lockstep_op ops[] = {
    {
        .name = "shift_blended",
        .summary = "shift, and blend pixels",
        .example = "{\"type\": \"shift_blended\"}",
        .family = LOCKSTEP_MATRIX,
        .resolve = resolve_blended,
    },
    {
        .name = "shift_nearest",
        .summary = "shift to the nearest pixels",
        .example = "{\"type\": \"shift_nearest\"}",
        .family = LOCKSTEP_MATRIX,
        .resolve = resolve_nearest,
    },
    {
        .name = "shift_field",
        .summary = "shift by a field, and blend pixels",
        .example = "{\"type\": \"shift_field\"}",
        .family = LOCKSTEP_FIELD,
        .resolve = resolve_field,
    },
    { 0 },
};

const struct lockstep_plugin lockstep_plugin = { LOCKSTEP_PLUGIN_ABI, "shift", "1.0", ops, NULL };
