/* families_plugin: an op of each family that samples/plugins lacks, next to ops of lockstep
 * that do the same: for tests/cli/plugins.bats. */
#include <lockstep_plugin.h>

#include <string.h>

/* --- COLOURS: invert --- */

static void inverted(const void *context, float *restrict r, float *restrict g, float *restrict b,
                     int n)
{
    (void)context;
    for (int i = 0; i < n; i++) {
        r[i] = 255 - r[i];
        g[i] = 255 - g[i];
        b[i] = 255 - b[i];
    }
}

static int resolve_colours(const void *params, const struct lockstep_scene *scene,
                           struct lockstep_action *action)
{
    (void)params, (void)scene;
    action->colours = inverted;
    return LOCKSTEP_ACTS;
}

/* --- RASTER: the same, by bytes, alpha too, which lockstep mends; by way of scratch memory --- */

static void invert_bytes(const void *context, const struct lockstep_plane *in,
                         const struct lockstep_plane *out, const struct lockstep_work *work)
{
    size_t row = (size_t)(in->width * in->channels * in->depth / 8);
    unsigned char *scratch = work->host->scratch(work, row);

    (void)context;
    for (int y = 0; y < in->height; y++) {
        memcpy(scratch, (const char *)in->pixels + (size_t)y * in->stride, row);
        for (size_t i = 0; i < row; i++)
            scratch[i] = (unsigned char)~scratch[i];
        memcpy((char *)out->pixels + (size_t)y * out->stride, scratch, row);
    }
}

static int resolve_raster(const void *params, const struct lockstep_scene *scene,
                          struct lockstep_action *action)
{
    (void)params, (void)scene;
    action->raster = invert_bytes;
    return LOCKSTEP_ACTS;
}

/* --- MATRIX: a mirror; and refusals --- */

struct matrix {
    bool mirror;
    int width;
    struct lockstep_colour fill;
};

static const struct lockstep_row matrix_rows[] = {
    LOCKSTEP_ROW(struct matrix, mirror, FLAG, .preset = "true", .help = "left becomes right"),
    LOCKSTEP_ROW(struct matrix, width, INTEGER, .preset = "0", .limit = { 0, 70000 },
                 .usual = { 0, 90 }, .help = "of the canvas; 0: the image's"),
    LOCKSTEP_ROW(struct matrix, fill, COLOUR, .preset = "0", .help = "of what is beyond it"),
    LOCKSTEP_ROWS_END,
};

static int resolve_matrix(const void *params, const struct lockstep_scene *scene,
                          struct lockstep_action *action)
{
    const struct matrix *p = params;

    if (scene->width == 31) {
        scene->host->refuse(scene, "it is of 31 columns");
        return LOCKSTEP_REFUSED;
    }
    if (p->mirror) {
        action->matrix[0] = -1;
        action->matrix[2] = scene->width;
    }
    action->width = p->width ? p->width : scene->width;
    action->fill = p->fill;
    return p->mirror || p->width ? LOCKSTEP_ACTS : LOCKSTEP_IDLE;
}

/* --- LABELS: removes objects that are small or of a category --- */

struct labels {
    double min_width;
    const char *category;
};

static const struct lockstep_row label_rows[] = {
    LOCKSTEP_ROW(struct labels, min_width, NUMBER, .preset = "0", .limit = { 0, 1000 },
                 .usual = { 0, 60 }, .help = "narrower boxes are dropped"),
    LOCKSTEP_ROW(struct labels, category, TEXT, .preset = "\"\"",
                 .help = "objects of it are dropped"),
    LOCKSTEP_ROWS_END,
};

static void drop(const void *context, const struct lockstep_labels *labels)
{
    const struct labels *p = context;
    struct lockstep_object o;

    for (size_t i = 0; i < labels->n; i++) {
        if (!labels->host->object(labels, i, &o))
            continue;
        if (o.has_box && o.width < p->min_width)
            labels->host->drop(labels, i, "narrow", o.width);
        else if (*p->category && o.category && strcmp(o.category, p->category) == 0)
            labels->host->drop(labels, i, "unwanted", 0);
    }
}

static int resolve_labels(const void *params, const struct lockstep_scene *scene,
                          struct lockstep_action *action)
{
    (void)scene;
    action->labels = drop;
    action->context = params;
    return LOCKSTEP_ACTS;
}

/* --- a transform that looks at objects, and emits an op of lockstep --- */

static void draw(const void *params, struct lockstep_run *run)
{
    struct lockstep_object o;

    (void)params;
    for (size_t i = 0; run->host->seen(run, i, &o); i++)
        if (o.has_box && run->host->unit(run) < 0.5) {
            lockstep_emit(run, "crop", LOCKSTEP_NUM("top", (int)o.y),
                          LOCKSTEP_NUM("left", (int)o.x), LOCKSTEP_NUM("height", (int)o.height + 1),
                          LOCKSTEP_NUM("width", (int)o.width + 1));
            return;
        }
    lockstep_emit(run, "test_matrix", LOCKSTEP_YES("mirror", true));
}

/* --- the table --- */

static const struct lockstep_op ops[] = {
    {
        .name = "test_colours",
        .summary = "invert by a function of colours",
        .example = "{\"type\": \"test_colours\"}",
        .family = LOCKSTEP_COLOURS,
        .resolve = resolve_colours,
    },
    {
        .name = "test_raster",
        .summary = "invert by a function of planes",
        .example = "{\"type\": \"test_raster\"}",
        .family = LOCKSTEP_RASTER,
        .group = LOCKSTEP_GROUP_NOISE,
        .resolve = resolve_raster,
    },
    {
        .name = "test_matrix",
        .summary = "mirror by a matrix",
        .example = "{\"type\": \"test_matrix\"}",
        .family = LOCKSTEP_MATRIX,
        .mirrors = true,
        .rows = matrix_rows,
        .params_size = sizeof(struct matrix),
        .resolve = resolve_matrix,
    },
    {
        .name = "test_labels",
        .summary = "drop objects",
        .example = "{\"type\": \"test_labels\", \"min_width\": 20}",
        .family = LOCKSTEP_LABELS,
        .rows = label_rows,
        .params_size = sizeof(struct labels),
        .resolve = resolve_labels,
    },
    { 0 },
};

static const struct lockstep_transform transforms[] = {
    {
        .name = "RandomTest",
        .summary = "crop to an object, or mirror",
        .example = "{\"type\": \"RandomTest\"}",
        .emits = (const char *const[]){ "crop", "test_matrix", NULL },
        .chance = 0.9,
        .draw = draw,
    },
    { 0 },
};

const struct lockstep_plugin lockstep_plugin = { LOCKSTEP_PLUGIN_ABI, "families", "1.0", ops,
                                                 transforms };
