/* optical_distortion: lens distortion: moves pixels towards the middle or away from it, by their
 * distance. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/rows.h"

#include "pixels/samples.h"

struct params {
    double k;
    int mode, interpolation, padding_mode, fill_mask;
    struct colour fill;
};

static const struct row rows[] = {
    NUMBER(struct params, k, .limit = { -1, 1 }, .usual = { -0.25, 0.5 },
           .help = "above 0 the corners move inwards (barrel), below 0 outwards (pincushion). "
                   "Below -0.33 the image folds in the corners: labels then follow one of the "
                   "places that show them"),
    CHOICE(struct params, mode, .preset = "\"camera\"", .choices = lens_choices,
           .help = "factor for a pixel's distance r from the middle"),
    FIELD_ROWS(struct params),
    ROWS_END,
};

struct lens_of_frame {
    const struct params *p;
    struct point centre;
};

/* Returns the factor for the distance of a place from the middle. `camera`: Albumentations' camera,
 * whose focal length is a whole side along each axis, with k1 = k2 = k. Otherwise by the square of
 * the distance alone. */
ALWAYS_INLINE double factor_at(const struct lens_of_frame *l, double k, bool camera, double x,
                               double y)
{
    double u = x / (2 * l->centre.x), v = y / (2 * l->centre.y), r2 = u * u + v * v;

    if (camera)
        return k * (r2 + r2 * r2);
    return k * ((x * x + y * y) / (l->centre.x * l->centre.x + l->centre.y * l->centre.y));
}

/* The same for all nodes of a line: pure arithmetic, so that it is vectorized. */
ALWAYS_INLINE void displace_line(const struct lens_of_frame *l, bool camera, double y, double first,
                                 double step, int n, float *restrict dx, float *restrict dy)
{
    double k = l->p->k;

    for (int i = 0; i < n; i++) {
        double x = (first + i) * step - l->centre.x, factor = factor_at(l, k, camera, x, y);

        dx[i] = (float)(x * factor);
        dy[i] = (float)(y * factor);
    }
}

VARIANTS static void displaced(const void *context, double y, double first, double step, int n,
                               float *restrict dx, float *restrict dy)
{
    const struct lens_of_frame *l = context;

    if (l->p->mode == LENS_CAMERA)
        displace_line(l, true, y - l->centre.y, first, step, n, dx, dy);
    else
        displace_line(l, false, y - l->centre.y, first, step, n, dx, dy);
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    struct lens_of_frame lens = { p, { scene->frame.width / 2., scene->frame.height / 2. } };

    if (p->k == 0)
        return true;
    out->fill = scene_border(scene, &p->fill, p->padding_mode);
    out->fill_mask = p->fill_mask;
    return action_field(scene, out,
                        field_sampled_by_lines(scene->arena, scene->frame, displaced, &lens),
                        (enum interpolation)p->interpolation);
}

const struct op optical_distortion_op = {
    .name = "optical_distortion",
    .summary = "distort the image like a lens",
    .group = GROUP_GEOMETRY,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"optical_distortion\", \"k\": 0.4}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_FIELD,
    .effect = EFFECT_MOVES,
    .resolve = resolve,
};
