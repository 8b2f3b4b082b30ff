/* bench_plugin: compares the cost of a plugin's op with the same C source as an op of the program.
 * Both are drawn, resolved and rendered in turns; prints medians, in ns per pixel, at two sizes.
 * Arguments: the plugin of samples/plugins/vignette.c, and repetitions (41). */
#include "../../samples/plugins/vignette.c"

#include "steps/op_shared/actions.h"
#include "steps/plugin/plugin.h"
#include "steps/registry.h"
#include "steps/properties/render_plane.h"

#include "timing.h"

#include <stdio.h>

static struct pool pool;

/* --- the source as an op of the program --- */

static const struct row rows[] = {
    NUMBER(struct vignette, strength, .limit = { 0, 1 }, .help = "as the plugin's"),
    NUMBER(struct vignette, radius, .preset = "0.4", .limit = { 0, 0.95 },
           .help = "as the plugin's"),
    ROWS_END,
};

static void *memory_of(const struct lockstep_scene *scene, size_t bytes)
{
    return arena_take(scene->own, bytes);
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    static const struct lockstep_host host = { .memory = memory_of };
    const struct lockstep_scene seen = {
        scene->frame.width, scene->frame.height, scene->channels, 8, &host, scene->arena,
    };
    struct lockstep_action action = { .placed = NULL };

    if (resolve_vignette(params, &seen, &action) == LOCKSTEP_ACTS)
        action_colours_at(scene, out, action.placed, action.context);
    return true;
}

static const struct op built_in = {
    .name = "vignette_built_in",
    .summary = "the plugin's source as an op of the program",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"vignette_built_in\", \"strength\": 0.6}",
    .params = rows,
    .params_size = sizeof(struct vignette),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};

/* --- measuring --- */

static void read_plan(const char *op, struct plan *plan)
{
    struct text json = { 0 };
    struct faults faults = { .name = op };

    text_addf(&json, "{\"version\": 1, \"transforms\": [{\"type\": \"%s\", \"strength\": 0.6}]}",
              op);
    faults.text = (struct slice){ json.at, json.length };
    if (!plan_read(&faults, plan))
        exit(2);
    faults_drop(&faults);
    text_drop(&json);
}

static double render_once(const struct plan *plan, const struct plane *source, uint64_t *sum)
{
    struct arena arena = { 0 };
    struct sample sample = { .arena = &arena, .frame = { source->width, source->height } };
    struct text why = { 0 };
    struct resolved_ops resolved_ops;
    struct plane out;
    double start = now(), spent;

    if (!plan_apply(plan, &(struct draw_id){ .seed = 1 }, (struct pixel_kind){ PIXEL_U8, 3 },
                    &sample, &resolved_ops, &why) ||
        !render_plane(&resolved_ops, OPTIMIZE_NONE, source, &pool, &arena, &out))
        exit(2);
    spent = now() - start;
    *sum = 0;
    for (int y = 0; y < out.height; y += 7)
        *sum = *sum * 31 + ((uint8_t *)out.px)[(size_t)y * out.stride + (size_t)y];
    drop_rendered(&pool, source, &out);
    text_drop(&why);
    arena_drop(&arena);
    return spent;
}

static void measure(struct frame f, const struct plan plan[2], int n)
{
    struct plane source = pool_plane(&pool, f, 3, PIXEL_U8);
    double *spent[2] = { memory_take((size_t)n * sizeof(double)),
                         memory_take((size_t)n * sizeof(double)) };
    double pixels = (double)f.width * f.height, of[2];
    uint64_t sum[2];

    draw(&source);
    for (int i = -1; i < n; i++) /* the first is not counted; either is first in its turn */
        for (int k = 0; k < 2; k++) {
            int which = (i + k) & 1;
            double ns = render_once(&plan[which], &source, &sum[which]);

            if (i >= 0)
                spent[which][i] = ns;
        }
    for (int k = 0; k < 2; k++)
        of[k] = median(spent[k], n) / pixels;
    printf("%5dx%-5d  built in %.3f ns, plugin %.3f ns per pixel: %.3f times%s\n", f.width,
           f.height, of[0], of[1], of[1] / of[0], sum[0] == sum[1] ? "" : "; PIXELS DIFFER");
    pool_return(&pool, &source);
    free(spent[0]);
    free(spent[1]);
}

int main(int argc, char **argv)
{
    struct faults faults = { .name = "bench_plugin" };
    int n = argc > 2 ? atoi(argv[2]) : 41;
    struct plan plan[2];

    registry_add_op(&built_in);
    if (argc < 2 || n < 1 || !plugin_load(argv[1], &faults)) {
        fprintf(stderr, "usage: bench_plugin VIGNETTE.so [REPETITIONS]\n");
        return 2;
    }
    read_plan(built_in.name, &plan[0]);
    read_plan("vignette", &plan[1]);
    measure((struct frame){ 640, 480 }, plan, n);
    measure((struct frame){ 4000, 3000 }, plan, n);
    plan_drop(&plan[0]);
    plan_drop(&plan[1]);
    pool_drop(&pool);
    return 0;
}
