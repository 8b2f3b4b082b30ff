/* swirl: the middle of the image is turned, less and less up to a circle's edge: an op, and a
 * transform that draws by how much.
 *
 * A turn about the middle leaves the distance r from it as it is, and its angle depends on r alone:
 * so the way back is the same turn the other way round, exactly. Labels take that one.
 *
 *     cc -shared -fPIC -O3 -ffp-contract=off -o swirl.so swirl.c -lm
 *     lockstep plugin-test ./swirl.so */
#include <lockstep_plugin.h>

#include <math.h>

/* --- the op --- */

struct swirl {
    double degrees, radius;
};

static const struct lockstep_row swirl_rows[] = {
    LOCKSTEP_ROW(struct swirl, degrees, NUMBER, .unit = "degrees", .limit = { -180, 180 },
                 .help = "how far the middle is turned; above 0 clockwise"),
    LOCKSTEP_ROW(struct swirl, radius, NUMBER, .preset = "1", .limit = { 0.1, 1 },
                 .help = "where it ends, as a share of half the shorter side"),
    LOCKSTEP_ROWS_END,
};

struct turn {
    double middle_x, middle_y, radius; /* pixels */
    double angle;                      /* radians, of the middle */
};

/* The angle falls with (1 - r / radius)^2: at the circle's edge the image goes on smoothly. */
static struct lockstep_point turned(const struct turn *t, struct lockstep_point p, double sign)
{
    double x = p.x - t->middle_x, y = p.y - t->middle_y;
    double left = 1 - sqrt(x * x + y * y) / t->radius;
    double angle = left > 0 ? sign * t->angle * left * left : 0;
    double c = cos(angle), s = sin(angle);

    if (left <= 0)
        return p;
    return (struct lockstep_point){ t->middle_x + c * x - s * y, t->middle_y + s * x + c * y };
}

static struct lockstep_point source(const void *context, struct lockstep_point p)
{
    return turned(context, p, -1);
}

static struct lockstep_point target(const void *context, struct lockstep_point p)
{
    return turned(context, p, 1);
}

static int resolve_swirl(const void *params, const struct lockstep_scene *scene,
                         struct lockstep_action *action)
{
    const struct swirl *p = params;
    int shorter = scene->width < scene->height ? scene->width : scene->height;
    struct turn *t = scene->host->memory(scene, sizeof *t);

    if (p->degrees == 0)
        return LOCKSTEP_IDLE;
    *t = (struct turn){ scene->width / 2., scene->height / 2., p->radius * shorter / 2,
                        p->degrees * 3.14159265358979323846 / 180 };
    action->source = source;
    action->target = target;
    action->context = t;
    return LOCKSTEP_ACTS;
}

/* --- the transform --- */

struct random_swirl {
    struct lockstep_range degrees;
    double radius;
};

static const struct lockstep_row random_rows[] = {
    LOCKSTEP_ROW(struct random_swirl, degrees, RANGE, .preset = "60", .symmetric = true,
                 .unit = "degrees", .limit = { -180, 180 },
                 .help = "range of the angle; d means [-d, d]"),
    LOCKSTEP_ROW(struct random_swirl, radius, NUMBER, .preset = "1", .limit = { 0.1, 1 },
                 .help = "where it ends, as a share of half the shorter side"),
    LOCKSTEP_ROWS_END,
};

static void draw_swirl(const void *params, struct lockstep_run *run)
{
    const struct random_swirl *p = params;
    double degrees = run->host->between(run, p->degrees.lo, p->degrees.hi);

    lockstep_emit_shared(run, "swirl", LOCKSTEP_NUM("degrees", degrees));
}

/* --- the table --- */

static const struct lockstep_op ops[] = {
    {
        .name = "swirl",
        .summary = "turn the middle of the image, less and less towards a circle's edge",
        .example = "{\"type\": \"swirl\", \"degrees\": 90}",
        .family = LOCKSTEP_FIELD,
        .rows = swirl_rows,
        .params_size = sizeof(struct swirl),
        .resolve = resolve_swirl,
    },
    { 0 },
};

static const struct lockstep_transform transforms[] = {
    {
        .name = "RandomSwirl",
        .summary = "turn the middle of the image by a random angle",
        .example = "{\"type\": \"RandomSwirl\", \"degrees\": 90}",
        .rows = random_rows,
        .params_size = sizeof(struct random_swirl),
        .emits = (const char *const[]){ "swirl", NULL },
        .draw = draw_swirl,
    },
    { 0 },
};

const struct lockstep_plugin lockstep_plugin = { LOCKSTEP_PLUGIN_ABI, "swirl", "1.0", ops,
                                                 transforms };
