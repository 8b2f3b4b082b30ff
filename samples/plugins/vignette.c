/* vignette: images that get darker towards their corners: an op and a transform that draws how
 * much.
 *
 *     cc -shared -fPIC -O3 -ffp-contract=off -o vignette.so vignette.c
 *     lockstep plugin-test ./vignette.so */
#include <lockstep_plugin.h>

/* --- the op --- */

struct vignette {
    double strength, radius;
};

static const struct lockstep_row vignette_rows[] = {
    LOCKSTEP_ROW(struct vignette, strength, NUMBER, .limit = { 0, 1 }, .usual = { 0.1, 0.9 },
                 .help = "how much of the light is missing in the corners, 0..1"),
    LOCKSTEP_ROW(struct vignette, radius, NUMBER, .preset = "0.4", .limit = { 0, 0.95 },
                 .help = "how far from the middle it begins; the corners are at 1"),
    LOCKSTEP_ROWS_END,
};

/* For one image: light(r^2) = 1 - slope * max(0, r^2 - begin)^2, r being 1 in the corners. */
struct light {
    float middle_x, middle_y, scale; /* pixels, and r^2 of a pixel's distance squared */
    float begin, slope;
};

LOCKSTEP_VARIANTS
static void darken(const void *context, int x, int y, float *restrict r, float *restrict g,
                   float *restrict b, int n)
{
    const struct light *l = context;
    float dx = (float)x + 0.5f - l->middle_x, dy = (float)y + 0.5f - l->middle_y;
    float down = dy * dy;

    for (int i = 0; i < n; i++) {
        float along = dx + (float)i;
        float beyond = (along * along + down) * l->scale - l->begin;
        float light;

        beyond = beyond > 0 ? beyond : 0;
        light = 1 - l->slope * beyond * beyond;
        r[i] *= light;
        g[i] *= light;
        b[i] *= light;
    }
}

static int resolve_vignette(const void *params, const struct lockstep_scene *scene,
                            struct lockstep_action *action)
{
    const struct vignette *p = params;
    struct light *l = scene->host->memory(scene, sizeof *l);
    double begin = p->radius * p->radius, w = scene->width / 2., h = scene->height / 2.;

    if (p->strength == 0)
        return LOCKSTEP_IDLE;
    *l = (struct light){ (float)w, (float)h, (float)(1 / (w * w + h * h)), (float)begin,
                         (float)(p->strength / ((1 - begin) * (1 - begin))) };
    action->placed = darken;
    action->context = l;
    return LOCKSTEP_ACTS;
}

/* --- the transform --- */

struct random_vignette {
    struct lockstep_range strength;
    double radius;
};

static const struct lockstep_row random_rows[] = {
    LOCKSTEP_ROW(struct random_vignette, strength, RANGE, .preset = "[0.2, 0.6]", .limit = { 0, 1 },
                 .help = "range of the strength"),
    LOCKSTEP_ROW(struct random_vignette, radius, NUMBER, .preset = "0.4", .limit = { 0, 0.95 },
                 .help = "how far from the middle it begins; the corners are at 1"),
    LOCKSTEP_ROWS_END,
};

static void draw_vignette(const void *params, struct lockstep_run *run)
{
    const struct random_vignette *p = params;
    double strength = run->host->between(run, p->strength.lo, p->strength.hi);

    lockstep_emit_shared(run, "vignette", LOCKSTEP_NUM("strength", strength));
}

/* --- the table --- */

static const struct lockstep_op ops[] = {
    {
        .name = "vignette",
        .summary = "darken the image towards its corners",
        .example = "{\"type\": \"vignette\", \"strength\": 0.6}",
        .family = LOCKSTEP_PLACED,
        .rows = vignette_rows,
        .params_size = sizeof(struct vignette),
        .resolve = resolve_vignette,
    },
    { 0 },
};

static const struct lockstep_transform transforms[] = {
    {
        .name = "RandomVignette",
        .summary = "darken the image towards its corners, by a random amount",
        .example = "{\"type\": \"RandomVignette\", \"strength\": [0.3, 0.8]}",
        .rows = random_rows,
        .params_size = sizeof(struct random_vignette),
        .emits = (const char *const[]){ "vignette", NULL },
        .draw = draw_vignette,
    },
    { 0 },
};

const struct lockstep_plugin lockstep_plugin = { LOCKSTEP_PLUGIN_ABI, "vignette", "1.0", ops,
                                                 transforms };
