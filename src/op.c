/* op: the words, checks and actions of colours that several ops share. */
#include "op.h"

#include "base/number.h"

#include <string.h>

const struct choice taps_choices[] = {
    { "nearest", TAPS_NEAREST, "the pixel under the centre" },
    { "bilinear", TAPS_BILINEAR, "four pixels blended" },
    { 0 },
};

/* Two words for one thing: torchvision's "nearest" is biased to the top left by half a source pixel
 * (its #9188), so both mean pixel centres here. */
const struct choice resize_choices[] = {
    { "nearest", TAPS_NEAREST, "the pixel under the centre" },
    { "nearest-exact", TAPS_NEAREST, "the same" },
    { "bilinear", TAPS_BILINEAR, "a triangle filter" },
    { "bicubic", TAPS_BICUBIC, "a cubic filter" },
    { "lanczos", TAPS_LANCZOS, "a windowed sinc over three lobes" },
    { 0 },
};

const struct choice dtype_choices[] = {
    { "uint8", PIXEL_U8, "0..255" },
    { "uint16", PIXEL_U16, "0..65535" },
    { "float32", PIXEL_F32, "floats, which only TIFF files can hold" },
    { 0 },
};

const struct choice hidden_choices[] = {
    { "keep", LABELS_KEEP, "outlines and boxes stay" },
    { "shrink", LABELS_SHRINK,
      "what is hidden is cut out of polygons and run lengths, and boxes become as small as what is "
      "left; objects with nothing left are dropped" },
    { 0 },
};

const struct choice padding_choices[] = {
    { "constant", PADDING_CONSTANT, "filled with `fill`" },
    { "edge", PADDING_EDGE, "the edge pixel repeated" },
    { "reflect", PADDING_REFLECT, "mirrored without repeating the edge pixel" },
    { "symmetric", PADDING_SYMMETRIC, "mirrored with the edge pixel repeated" },
    { 0 },
};

const struct choice between_choices[] = {
    { "linear", BETWEEN_LINEAR, "bilinear in each cell" },
    { "cubic", BETWEEN_CUBIC, "a smooth curve along x and y (Catmull-Rom)" },
    { "thin_plate", BETWEEN_THIN_PLATE, "the surface that bends the least" },
    { 0 },
};

const struct choice lens_choices[] = {
    { "camera", LENS_CAMERA, "1 + k r^2 + k r^4, r being 0.5 in the middle of a side" },
    { "fisheye", LENS_FISHEYE, "1 + k r^2, r being 1 in a corner" },
    { 0 },
};

bool padding_check(const struct list *padding, const struct value *step, struct faults *faults)
{
    if (padding->n == 3)
        return value_fault(faults, value_get(step, "padding"), false, "param-length",
                           "expected 1, 2 or 4 numbers, not 3");
    return true;
}

bool expand_check(bool expand, const struct optional_list *center, const struct value *step,
                  struct faults *faults)
{
    if (expand && center->given)
        return value_fault(faults, value_get(step, "center"), true, "param-conflict",
                           "with \"expand\" the whole image turns about its middle; leave "
                           "\"center\" out");
    return true;
}

bool max_size_check(const struct size *size, const struct optional *max_size,
                    const struct value *step, struct faults *faults)
{
    const struct value *given = value_get(step, "max_size");

    if (size->single && size->height == 0 && !max_size->given)
        return value_fault(faults, value_get(step, "size"), false, "param-conflict",
                           "0 asks for \"max_size\" to be given");
    if (!size->single && (size->height == 0 || size->width == 0))
        return value_fault(faults, value_get(step, "size"), false, "param-range",
                           "a side of 0 pixels");
    if (max_size->given && !size->single)
        return value_fault(faults, given, true, "param-conflict",
                           "goes with one number as \"size\" only");
    if (max_size->given && max_size->number <= size->height)
        return value_fault(faults, given, false, "param-range",
                           "%.0f is not larger than \"size\", %d", max_size->number, size->height);
    return true;
}

bool num_output_channels_check(int channels, const struct value *step, struct faults *faults)
{
    if (channels == 2)
        return value_fault(faults, value_get(step, "num_output_channels"), false, "param-range",
                           "expected 1 or 3, not 2");
    return true;
}

double weights_sum(const struct weights *w)
{
    double sum = 0;

    for (size_t i = 0; i < w->n; i++)
        sum += w->at[i];
    return sum;
}

bool weights_check(const struct weights *w, size_t n, const char *of, const struct value *step,
                   struct faults *faults)
{
    const struct value *weights = value_get(step, "weights");
    double sum = weights_sum(w);

    if (w->n && w->n != n)
        return value_fault(faults, weights, false, "param-length", "%zu weights for %zu %s", w->n,
                           n, of);
    if (w->n && !(sum > 0 && isfinite(sum)))
        return value_fault(faults, weights, false, "param-range",
                           "the weights must have a positive sum");
    return true;
}

bool mask_drop_check(bool per_channel, const struct optional *mask_drop_value,
                     const struct value *step, struct faults *faults)
{
    if (per_channel && mask_drop_value->given)
        return value_fault(faults, value_get(step, "mask_drop_value"), true, "param-conflict",
                           "with \"per_channel\" no pixel of the mask is dropped");
    return true;
}

int center_crop_begin(int in, int out)
{
    return out > in ? -((out - in) / 2) : round_half_even((in - out) / 2.);
}

void emit_five_crop(struct run *run, struct frame in, struct frame out, int branch)
{
    int right = in.width - out.width, bottom = in.height - out.height;
    const int at[FIVE_CROPS][2] = { { 0, 0 },
                                    { right, 0 },
                                    { 0, bottom },
                                    { right, bottom },
                                    { center_crop_begin(in.width, out.width),
                                      center_crop_begin(in.height, out.height) } };

    if (right < 0 || bottom < 0)
        emit_refuse(run, "the image is %dx%d, smaller than the crops of %dx%d", in.width, in.height,
                    out.width, out.height);
    else
        emit(run, "crop", NUM("top", at[branch][1]), NUM("left", at[branch][0]),
             NUM("height", out.height), NUM("width", out.width));
}

bool bands_check(const struct list *list, const char *name, const struct value *step,
                 struct faults *faults)
{
    if (list->n == 2)
        return value_fault(faults, value_get(step, name), false, "param-length",
                           "expected 1 or 3 numbers, not 2");
    return true;
}

double radians(double degrees)
{
    return degrees * 3.14159265358979323846 / 180;
}

const float *gaussian_kernel(struct arena *arena, int n, double sigma)
{
    float *weight = ARENA_ARRAY(arena, float, (size_t)n);
    double sum = 0;

    for (int i = 0; i < n; i++) {
        double d = i - (n - 1) / 2.;

        weight[i] = (float)exp(-d * d / (2 * sigma * sigma));
        sum += weight[i];
    }
    for (int i = 0; i < n; i++)
        weight[i] = (float)(weight[i] / sum);
    return weight;
}

double power(double base, double exponent)
{
    double ln;

    if (base <= 0)
        return exponent > 0 ? 0 : 1;
    ln = exponent * number_log(base);
    return ln < -700 ? 0 : ln > 700 ? INFINITY : number_exp(ln);
}

int round_half_even(double v)
{
    return (int)nearbyint(v); /* the rounding mode is never changed */
}

struct fill scene_fill(const struct scene *scene, const struct colour *colour)
{
    double unit = pixel_type_unit(scene->type);
    int colours = scene_colours(scene);
    struct fill fill = { 0 };

    for (int b = 0; b < scene->bands; b++) {
        double v = 0;

        if (colour->n == 1)
            v = b < colours ? colour->band[0] : 0;
        else if (colour->n >= 3 && colours == 1 && b == 0)
            v = 0.2989 * colour->band[0] + 0.587 * colour->band[1] + 0.114 * colour->band[2];
        else if (colour->n == 4 && colours == 1)
            v = colour->band[3];
        else if (colour->n == 2 && colours == 3)
            v = b < colours ? colour->band[0] : colour->band[1];
        else if (b < colour->n)
            v = colour->band[b];
        fill.band[b] = scene->type == PIXEL_F32 ? v * unit : nearbyint(v * unit);
    }
    return fill;
}

void scene_colour(const struct scene *scene, const struct colour *colour, float rgb[3])
{
    struct fill fill = scene_fill(scene, colour);

    for (int k = 0; k < 3; k++)
        rgb[k] =
            (float)(fill.band[k < scene_colours(scene) ? k : 0] / pixel_type_unit(scene->type));
}

int scene_levels(const struct scene *scene)
{
    return scene->type == PIXEL_U8 ? 256 : 65536;
}

int scene_colours(const struct scene *scene)
{
    return scene->bands <= 2 ? 1 : 3;
}

int scene_index(const struct scene *scene, double level)
{
    return (int)nearbyint(level * pixel_type_unit(scene->type));
}

bool scene_bands(const struct scene *scene, const struct list *list, double band[3])
{
    for (int b = 0; b < 3; b++)
        band[b] = list->at[list->n == 1 ? 0 : b];
    return list->n == 1 || scene_colours(scene) == 3;
}

typedef double band_level_fn(const void *context, int band, double level);

static void fill_table(const struct scene *scene, void *entries, int band, band_level_fn *value_of,
                       const void *context)
{
    double unit = pixel_type_unit(scene->type), top = pixel_type_max(scene->type);
    int levels = scene_levels(scene), first = band * levels;

    for (int i = 0; i < levels; i++) {
        double v = nearbyint(fmin(top, fmax(0, value_of(context, band, i / unit) * unit)));

        if (scene->type == PIXEL_U8)
            ((uint8_t *)entries)[first + i] = (uint8_t)v;
        else
            ((uint16_t *)entries)[first + i] = (uint16_t)v;
    }
}

/* The first `own` bands are asked for their tables, the others get the first one's. */
static void make_tables(const struct scene *scene, struct action *a, int own,
                        band_level_fn *value_of, const void *context)
{
    int colours = scene_colours(scene);
    size_t bytes = (size_t)scene_levels(scene) * pixel_type_size(scene->type);
    char *entries = arena_take_array(scene->arena, bytes, (size_t)colours);

    for (int c = 0; c < colours; c++)
        if (c < own)
            fill_table(scene, entries, c, value_of, context);
        else
            memcpy(entries + (size_t)c * bytes, entries, bytes);
    a->family = TABLE;
    a->u.table.entries = entries;
}

void action_tables(const struct scene *scene, struct action *a, band_level_fn *value_of,
                   const void *context)
{
    make_tables(scene, a, scene_colours(scene), value_of, context);
}

/* One function for all bands. */
struct same {
    double (*value_of)(const void *context, double level);
    const void *context;
};

static double same_value(const void *context, int band, double level)
{
    const struct same *same = context;

    (void)band;
    return same->value_of(same->context, level);
}

void action_table(const struct scene *scene, struct action *a,
                  double (*value_of)(const void *context, double level), const void *context)
{
    struct same same = { value_of, context };

    make_tables(scene, a, 1, same_value, &same);
}

struct lines {
    const double *factor, *offset; /* of each band */
};

static double line_value(const void *context, int band, double level)
{
    const struct lines *lines = context;

    return lines->offset[band] + level * lines->factor[band];
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
    bool same = true, idle = true;

    for (int b = 0; b < 3; b++) {
        m.m[b][b] = (float)factor[b];
        m.m[b][3] = (float)offset[b];
        same &= factor[b] == factor[0] && offset[b] == offset[0];
        idle &= factor[b] == 1 && offset[b] == 0;
    }
    if (idle)
        return;
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
    a->family = COLOURS;
    a->u.colours.fn = fn;
    a->u.colours.context = context;
    a->linear = linear ? linear_keep(scene, linear) : NULL;
}

void action_paint(const struct scene *scene, struct action *a, const struct rects *rects,
                  const struct colour *fill, bool noise, int64_t key)
{
    a->family = PAINT;
    a->fill = scene_fill(scene, fill);
    a->u.paint.rects = *rects;
    a->u.paint.noise = noise;
    a->u.paint.key = (uint32_t)key;
}

void action_hides(const struct scene *scene, struct action *a, const struct optional *fill_mask,
                  int labels)
{
    a->u.paint.labels = (enum hidden_rule)labels;
    if (fill_mask->given) {
        struct action *mask = ARENA_NEW(scene->arena, struct action);

        *mask = *a;
        mask->fill = (struct fill){ { fill_mask->number } };
        mask->u.paint.noise = false;
        a->mask = mask;
    }
}

void action_labels(struct action *a, label_fn *fn, const void *params)
{
    a->labels = fn;
    a->labels_context = params;
}

struct placed {
    place_fn *fn;
    const void *context;
};

static void run_placed(const void *context, const struct plane *in, struct plane *out,
                       struct pool *pool)
{
    const struct placed *placed = context;

    (void)pool;
    plane_colour_at(in, out, placed->fn, placed->context);
}

void action_colours_at(const struct scene *scene, struct action *a, place_fn *fn,
                       const void *context)
{
    struct placed *placed = ARENA_NEW(scene->arena, struct placed);

    *placed = (struct placed){ fn, context };
    action_raster(a, run_placed, placed);
}

void action_raster(struct action *a, raster_fn *fn, const void *context)
{
    a->family = RASTER;
    a->u.raster.fn = fn;
    a->u.raster.context = context;
}

void action_convert(const struct scene *scene, struct action *a, enum pixel_type type, bool scale)
{
    double factor = scale ? pixel_type_max(type) / pixel_type_max(scene->type) : 1;

    a->family = CONVERT;
    a->type = type;
    for (int b = 0; b < scene->bands; b++)
        a->u.convert.factor[b] = (float)factor;
}
