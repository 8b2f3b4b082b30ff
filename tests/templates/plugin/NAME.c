/* NAME: a plugin of lockstep. Say here what it does; see lockstep_plugin.h for what it can be.
 *
 * As it is, it fades colours: the op NAME by a given amount, the transform PASCAL by a random one.
 */
#include <lockstep_plugin.h>

/* --- the op: concrete values, nothing random --- */

struct params {
    double amount;
};

static const struct lockstep_row rows[] = {
    LOCKSTEP_ROW(struct params, amount, NUMBER, .preset = "0.5", .limit = { 0, 1 },
                 .help = "how much of the colours is taken away, 0..1"),
    LOCKSTEP_ROWS_END,
};

LOCKSTEP_VARIANTS
static void fade(const void *context, float *restrict r, float *restrict g, float *restrict b,
                 int n)
{
    const struct params *p = context;
    float amount = (float)p->amount;

    for (int i = 0; i < n; i++) {
        float mean = (r[i] + g[i] + b[i]) / 3;

        r[i] += amount * (mean - r[i]);
        g[i] += amount * (mean - g[i]);
        b[i] += amount * (mean - b[i]);
    }
}

static int resolve(const void *params, const struct lockstep_scene *scene,
                   struct lockstep_action *action)
{
    const struct params *p = params;

    (void)scene;
    if (p->amount == 0)
        return LOCKSTEP_IDLE;
    action->colours = fade;
    action->context = p;
    return LOCKSTEP_ACTS;
}

/* --- the transform: draws from ranges, emits ops --- */

struct ranges {
    struct lockstep_range amount;
};

static const struct lockstep_row range_rows[] = {
    LOCKSTEP_ROW(struct ranges, amount, RANGE, .preset = "[0.2, 0.8]", .limit = { 0, 1 },
                 .help = "range of the amount"),
    LOCKSTEP_ROWS_END,
};

static void draw(const void *params, struct lockstep_run *run)
{
    const struct ranges *p = params;

    lockstep_emit(run, "NAME",
                  LOCKSTEP_NUM("amount", run->host->between(run, p->amount.lo, p->amount.hi)));
}

/* --- the table --- */

static const struct lockstep_op ops[] = {
    {
        .name = "NAME",
        .summary = "fade colours",
        .example = "{\"type\": \"NAME\", \"amount\": 0.5}",
        .family = LOCKSTEP_COLOURS,
        .rows = rows,
        .params_size = sizeof(struct params),
        .resolve = resolve,
    },
    { 0 },
};

static const struct lockstep_transform transforms[] = {
    {
        .name = "PASCAL",
        .summary = "fade colours by a random amount",
        .example = "{\"type\": \"PASCAL\", \"amount\": [0.3, 0.7]}",
        .rows = range_rows,
        .params_size = sizeof(struct ranges),
        .emits = (const char *const[]){ "NAME", NULL },
        .draw = draw,
    },
    { 0 },
};

const struct lockstep_plugin lockstep_plugin = { LOCKSTEP_PLUGIN_ABI, "NAME", "0.1", ops,
                                                 transforms };
