/* planar_colours: converts the part of planes that later passes read to RGB. */
#include "plan/planar.h"

#include "plan/input_passes.h"

#include <math.h>

/* Extends [begin, end) of a line of n pixels to whole pixels of chroma. */
static void hold(int begin, int end, int n, int *from, int *to)
{
    *from = begin > 0 ? begin / 2 * 2 : 0;
    *to = end + 1 < n ? (end + 1) / 2 * 2 : n;
}

struct rect planar_part(const struct pass_context *context, const struct passes *passes,
                        const struct picture *source)
{
    int x0 = 0, y0 = 0, x1 = source->plane.width, y1 = source->plane.height;
    struct decode_hints hints;

    render_hints(context->resolved_ops, passes, true, context->arena, &hints);
    if (hints.width > 0 && source->shrink == 1) {
        int left = hints.left - source->left, top = hints.top - source->top;

        hold(left, left + hints.width, x1, &x0, &x1);
        hold(top, top + hints.height, y1, &y0, &y1);
    }
    return (struct rect){ x0, y0, x1 - x0, y1 - y0 };
}

/* Returns the chroma of a part of luma; at the end, chroma may have less than a whole pixel. */
static struct plane part_of_chroma(const struct plane *in, const struct rect *part, double per_x,
                                   double per_y)
{
    int x = (int)(part->x * per_x), y = (int)(part->y * per_y);
    int width = (int)ceil(part->w * per_x), height = (int)ceil(part->h * per_y);

    width = width < in->width - x ? width : in->width - x;
    height = height < in->height - y ? height : in->height - y;
    return plane_part(in, x, y, width, height);
}

struct picture planar_colours(const struct picture *now, const struct rect *part, struct pool *pool)
{
    struct plane luma = plane_part(&now->plane, part->x, part->y, part->w, part->h), chroma[2];
    struct picture rgb = *now;

    for (int i = 0; i < 2; i++) {
        chroma[i] = part_of_chroma(&now->chroma[i], part, now->chroma_x, now->chroma_y);
        rgb.chroma[i] = (struct plane){ 0 };
    }
    rgb.plane = pool_plane(pool, (struct frame){ part->w, part->h }, 3, PIXEL_U8);
    plane_of_ycc(&luma, chroma, now->chroma_x, now->chroma_y, &rgb.plane);
    rgb.left += part->x * now->shrink;
    rgb.top += part->y * now->shrink;
    return rgb;
}
