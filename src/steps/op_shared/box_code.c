/* box_code: boxes as differences from their anchors. */
#include "steps/op_shared/box_code.h"

#include "steps/op_shared/anchors.h"
#include "steps/op_shared/extra_members.h"

#include "base/number.h"

#include <math.h>

static struct box box_given(const double v[4], int edges)
{
    return edges_box((struct point){ v[0], v[1] }, (struct point){ v[2], v[3] },
                     (enum box_edges)edges);
}

bool find_anchor(const struct code_params *c, const struct object *o, struct arena *arena,
                 struct box *anchor, bool *found, struct text *why)
{
    const struct tuples anchors = c->anchors.n ? c->anchors : anchors_given();
    struct slice value = object_member(o, "anchor");
    double *v, at = -1;
    size_t n;

    *found = value.at != NULL;
    if (!*found)
        return true;
    if (member_numbers(value, arena, &v, &n) && n == 4)
        *anchor = box_given(v, c->edges);
    else if (number_scan(value, &at) && at >= 0 && at < (double)anchors.n && at == floor(at))
        *anchor = box_given(&anchors.at[4 * (size_t)at], c->edges);
    else
        *anchor = (struct box){ 0 };
    if (box_is_empty(*anchor))
        text_addf(why,
                  "its \"anchor\" is neither a box [x, y, width, height] with an area nor the "
                  "number of one of the %zu anchors of the step's \"anchors\" or of --anchors",
                  anchors.n);
    return !box_is_empty(*anchor);
}

/* An axis of a box. */
struct extent {
    double middle, length;
};

static struct extent extent_of(double from, double to)
{
    return (struct extent){ from + 0.5 * (to - from), to - from };
}

void box_encode(const struct code_params *c, struct box anchor, struct box target, double code[4])
{
    const double *w = c->weights.at;
    struct extent a[2] = { extent_of(anchor.x0, anchor.x1), extent_of(anchor.y0, anchor.y1) };
    struct extent t[2] = { extent_of(target.x0, target.x1), extent_of(target.y0, target.y1) };

    for (int i = 0; i < 2; i++) {
        code[i] = w[i] * (t[i].middle - a[i].middle) / a[i].length;
        code[i + 2] = w[i + 2] * number_log(t[i].length / a[i].length);
    }
}

static struct extent decoded(struct extent a, double shift, double growth, double clip)
{
    return (struct extent){ shift * a.length + a.middle,
                            number_exp(fmin(growth, clip)) * a.length };
}

struct box box_decode(const struct code_params *c, struct box anchor, const double code[4],
                      double clip)
{
    const double *w = c->weights.at;
    struct extent x =
        decoded(extent_of(anchor.x0, anchor.x1), code[0] / w[0], code[2] / w[2], clip);
    struct extent y =
        decoded(extent_of(anchor.y0, anchor.y1), code[1] / w[1], code[3] / w[3], clip);

    return (struct box){ x.middle - 0.5 * x.length, y.middle - 0.5 * y.length,
                         x.middle + 0.5 * x.length, y.middle + 0.5 * y.length };
}
