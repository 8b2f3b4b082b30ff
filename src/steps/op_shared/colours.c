/* colours: actions that change colors, paint, or change labels only. */
#include "steps/op_shared/actions.h"

#include "base/cpu.h"
#include "pixels/filters.h"

#include <string.h>

struct fill scene_fill(const struct scene *scene, const struct colour *colour)
{
    double unit = pixel_type_unit(scene->type);
    int colours = scene_colours(scene);
    struct fill fill = { 0 };

    for (int b = 0; b < scene->channels; b++) {
        double v = 0;

        if (colour->n == 1)
            v = b < colours ? colour->channel[0] : 0;
        else if (colour->n >= 3 && colours == 1 && b == 0)
            v = 0.2989 * colour->channel[0] + 0.587 * colour->channel[1] +
                0.114 * colour->channel[2];
        else if (colour->n == 4 && colours == 1)
            v = colour->channel[3];
        else if (colour->n == 2 && colours == 3)
            v = b < colours ? colour->channel[0] : colour->channel[1];
        else if (b < colour->n)
            v = colour->channel[b];
        fill.channel[b] = scene->type == PIXEL_F32 ? v * unit : nearbyint(v * unit);
    }
    return fill;
}

struct fill scene_border(const struct scene *scene, const struct colour *colour, int mode)
{
    struct fill fill = scene_fill(scene, colour);

    fill.border = (enum padding_mode)mode;
    return fill;
}

void scene_colour(const struct scene *scene, const struct colour *colour, float rgb[3])
{
    struct fill fill = scene_fill(scene, colour);

    for (int k = 0; k < 3; k++)
        rgb[k] =
            (float)(fill.channel[k < scene_colours(scene) ? k : 0] / pixel_type_unit(scene->type));
}

int scene_levels(const struct scene *scene)
{
    return pixel_type_levels(scene->type);
}

int scene_colours(const struct scene *scene)
{
    return scene->channels <= 2 ? 1 : 3;
}

int scene_index(const struct scene *scene, double level)
{
    return (int)nearbyint(level * pixel_type_unit(scene->type));
}

bool scene_channels(const struct scene *scene, const struct list *list, double channel[3])
{
    for (int b = 0; b < 3; b++)
        channel[b] = list->at[list->n == 1 ? 0 : b];
    return list->n == 1 || scene_colours(scene) == 3;
}

typedef double channel_level_fn(const void *context, int channel, double level);

static void fill_table(const struct scene *scene, void *entries, int channel,
                       channel_level_fn *value_of, const void *context)
{
    double unit = pixel_type_unit(scene->type), top = pixel_type_max(scene->type);
    int levels = scene_levels(scene), first = channel * levels;

    for (int i = 0; i < levels; i++) {
        double v = nearbyint(fmin(top, fmax(0, value_of(context, channel, i / unit) * unit)));

        if (scene->type == PIXEL_U8)
            ((uint8_t *)entries)[first + i] = (uint8_t)v;
        else
            ((uint16_t *)entries)[first + i] = (uint16_t)v;
    }
}

/* An entry of a linear table, by a function that compilers can vectorize. A small image has fewer
 * samples than the table entries, so the table costs most. */
static inline uint16_t line_entry(int level, double factor, double offset, double unit, double top)
{
    double v = (offset + level / unit * factor) * unit;

    v = v > 0 ? v : 0;
    v = v < top ? v : top;
    return (uint16_t)(int)nearbyint(v);
}

VARIANTS static void fill_line(void *entries, enum pixel_type type, double factor, double offset)
{
    if (type == PIXEL_U8)
        for (int i = 0; i < 256; i++)
            ((uint8_t *)entries)[i] = (uint8_t)line_entry(i, factor, offset, 1, 255);
    else
        for (int i = 0; i < 65536; i++)
            ((uint16_t *)entries)[i] = line_entry(i, factor, offset, 257, 65535);
}

struct lines {
    const double *factor, *offset; /* of each channel */
};

static double line_value(const void *context, int channel, double level)
{
    const struct lines *lines = context;

    return lines->offset[channel] + level * lines->factor[channel];
}

/* Builds the tables of the first `own` channels; the other channels use the first one's. */
static void make_tables(const struct scene *scene, struct action *a, int own,
                        channel_level_fn *value_of, const void *context)
{
    int colours = scene_colours(scene);
    size_t bytes = (size_t)scene_levels(scene) * pixel_type_size(scene->type);
    char *entries = arena_take_array(scene->arena, bytes, (size_t)colours);

    for (int c = 0; c < colours; c++)
        if (c >= own) {
            memcpy(entries + (size_t)c * bytes, entries, bytes);
        } else if (value_of == line_value) {
            const struct lines *lines = context;

            fill_line(entries + (size_t)c * bytes, scene->type, lines->factor[c], lines->offset[c]);
        } else {
            fill_table(scene, entries, c, value_of, context);
        }
    a->family = FAMILY_TABLE;
    a->u.table.entries = entries;
}

void action_tables(const struct scene *scene, struct action *a, channel_level_fn *value_of,
                   const void *context)
{
    make_tables(scene, a, scene_colours(scene), value_of, context);
}

/* A function for all channels. */
struct shared_level_fn {
    double (*value_of)(const void *context, double level);
    const void *context;
};

static double same_value(const void *context, int channel, double level)
{
    const struct shared_level_fn *same = context;

    (void)channel;
    return same->value_of(same->context, level);
}

void action_table(const struct scene *scene, struct action *a,
                  double (*value_of)(const void *context, double level), const void *context)
{
    struct shared_level_fn same = { value_of, context };

    make_tables(scene, a, 1, same_value, &same);
}

void action_bits(struct action *a, const struct sample_bits *bits)
{
    a->family = FAMILY_TABLE;
    a->u.table.entries = NULL;
    a->u.table.bits = *bits;
}

/* Returns false if the lines do more than keep and flip bits. */
static bool bits_of_lines(const struct scene *scene, const double factor[3], const double offset[3],
                          struct sample_bits *bits)
{
    double unit = pixel_type_unit(scene->type), top = pixel_type_max(scene->type);

    for (int b = 0; b < 3; b++) {
        if (factor[b] != 0 && !(factor[b] == 1 && offset[b] == 0) &&
            !(factor[b] == -1 && offset[b] == 255))
            return false;
        bits->keep[b] = factor[b] != 0 ? (uint16_t)top : 0;
        bits->flip[b] = (uint16_t)nearbyint(fmin(top, fmax(0, offset[b] * unit)));
    }
    return true;
}

static const struct colour_matrix *linear_keep(const struct scene *scene,
                                               const struct colour_matrix *m)
{
    struct colour_matrix *kept = ARENA_NEW(scene->arena, struct colour_matrix);

    *kept = *m;
    return kept;
}

void action_lines(const struct scene *scene, struct action *a, const double factor[3],
                  const double offset[3])
{
    struct lines lines = { factor, offset };
    struct colour_matrix m = { 0 };
    struct sample_bits bits;
    bool same = true, idle = true;

    for (int b = 0; b < 3; b++) {
        m.m[b][b] = (float)factor[b];
        m.m[b][3] = (float)offset[b];
        same &= factor[b] == factor[0] && offset[b] == offset[0];
        idle &= factor[b] == 1 && offset[b] == 0;
    }
    if (idle)
        return;
    if (bits_of_lines(scene, factor, offset, &bits))
        action_bits(a, &bits);
    else
        make_tables(scene, a, same ? 1 : scene_colours(scene), line_value, &lines);
    a->linear = linear_keep(scene, &m);
}

void action_line(const struct scene *scene, struct action *a, double factor, double offset)
{
    action_lines(scene, a, (double[]){ factor, factor, factor },
                 (double[]){ offset, offset, offset });
}

void action_colours(const struct scene *scene, struct action *a, colour_fn *fn, const void *context,
                    const struct colour_matrix *linear)
{
    a->family = FAMILY_COLOURS;
    a->u.colours.fn = fn;
    a->u.colours.context = context;
    a->linear = linear ? linear_keep(scene, linear) : NULL;
}

void action_paint(const struct scene *scene, struct action *a, const struct rects *rects,
                  const struct paint *paint, bool noise, int64_t key)
{
    a->family = FAMILY_PAINT;
    a->fill = scene_fill(scene, &paint->colour);
    a->u.paint.rects = *rects;
    a->u.paint.method = noise ? PAINT_RANDOM : (enum paint_method)paint->method;
    a->u.paint.key = (uint32_t)key;
}

void action_hides(const struct scene *scene, struct action *a, const struct optional *fill_mask,
                  int labels)
{
    a->u.paint.labels = (enum hidden_rule)labels;
    if (fill_mask->given) {
        struct action *mask = ARENA_NEW(scene->arena, struct action);

        *mask = *a;
        mask->fill = (struct fill){ .channel = { fill_mask->number } };
        mask->u.paint.method = PAINT_FILL;
        a->mask = mask;
    }
}

void action_labels(struct action *a, label_fn *fn, const void *params)
{
    a->labels = fn;
    a->labels_context = params;
}

struct place_context {
    place_fn *fn;
    const void *context;
};

static void run_placed(const void *context, const struct plane *in, struct plane *out,
                       struct pool *pool)
{
    const struct place_context *placed = context;

    (void)pool;
    plane_colour_at(in, out, placed->fn, placed->context);
}

void action_colours_at(const struct scene *scene, struct action *a, place_fn *fn,
                       const void *context)
{
    struct place_context *placed = ARENA_NEW(scene->arena, struct place_context);

    *placed = (struct place_context){ fn, context };
    action_raster(a, run_placed, placed);
}

void action_raster(struct action *a, raster_fn *fn, const void *context)
{
    a->family = FAMILY_RASTER;
    a->u.raster.fn = fn;
    a->u.raster.context = context;
}

struct taps {
    const struct tap *at;
    int n;
};

static void run_taps(const void *context, const struct plane *in, struct plane *out,
                     struct pool *pool)
{
    const struct taps *taps = context;

    plane_convolve_taps(in, out, taps->at, taps->n, pool);
}

void action_taps(const struct scene *scene, struct action *a, const struct tap *at, int n)
{
    struct taps *taps = ARENA_NEW(scene->arena, struct taps);

    *taps = (struct taps){ at, n };
    action_raster(a, run_taps, taps);
}

void action_kernel(const struct scene *scene, struct action *a, const double kernel[9],
                   double alpha)
{
    struct tap *tap = ARENA_ARRAY(scene->arena, struct tap, 9);

    for (int i = 0; i < 9; i++)
        tap[i] = (struct tap){ i % 3 - 1, i / 3 - 1,
                               (float)(alpha * kernel[i] + (i == 4 ? 1 - alpha : 0)) };
    if (alpha > 0)
        action_taps(scene, a, tap, 9);
}

void action_convert(const struct scene *scene, struct action *a, enum pixel_type type, bool scale)
{
    double factor = scale ? pixel_type_max(type) / pixel_type_max(scene->type) : 1;

    a->family = FAMILY_CONVERT;
    a->type = type;
    for (int b = 0; b < scene->channels; b++)
        a->u.convert.factor[b] = (float)factor;
}
