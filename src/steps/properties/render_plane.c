/* render_plane: renders resolved ops from a plane to a plane, without files. */
#include "steps/properties/render_plane.h"

#include <string.h>

int rendered_late;

/* Asks for rows in pieces, as an encoder does. */
static struct plane plane_of_rows(const struct picture *p, struct pool *pool)
{
    struct frame frame = { p->plane.width, p->plane.height };
    struct plane all = pool_plane(pool, frame, p->plane.channels, p->plane.type);

    for (int y = 0; y < frame.height; y += PICTURE_ROWS) {
        int n = frame.height - y < PICTURE_ROWS ? frame.height - y : PICTURE_ROWS;
        struct plane made = p->rows->make(p->rows->context, y, n);
        struct plane to = plane_part(&all, 0, y, frame.width, n);

        plane_copy(&made, &to);
    }
    rendered_late++;
    return all;
}

bool render_plane(const struct resolved_ops *resolved_ops, enum optimize how,
                  const struct plane *source, struct pool *pool, struct arena *arena,
                  struct plane *out)
{
    struct passes passes = passes_of(resolved_ops, how, arena, NULL);
    struct picture from = { .plane = *source, .shrink = 1 }, to;
    struct text why = { 0 };
    bool good;

    passes.late = how == OPTIMIZE_EXACT;
    good = render_image(resolved_ops, &passes, &from, SUBSAMPLING_444, pool, arena, &to, &why);
    *out = to.plane;
    if (good && to.rows) {
        *out = plane_of_rows(&to, pool);
        render_drop(&to, &from, pool);
    }
    text_drop(&why);
    return good;
}

void drop_rendered(struct pool *pool, const struct plane *source, struct plane *made)
{
    if (made->px != source->px)
        pool_return(pool, made);
}

struct plane random_picture(struct pool *pool, struct frame f, struct pixel_kind kind,
                            struct rng *rng)
{
    struct plane p = pool_plane(pool, f, kind.channels, kind.type);
    uint32_t tilt = rng_u32(rng) % 7;

    for (int y = 0; y < f.height; y++)
        for (int i = 0; i < f.width * kind.channels; i++) {
            uint32_t v = (uint32_t)(i * 3 + y * 5) * (tilt + 1) + rng_u32(rng) % 24;
            char *row = (char *)p.px + (size_t)y * p.stride;

            if (kind.type == PIXEL_U8)
                ((uint8_t *)row)[i] = (uint8_t)(v / 4);
            else
                ((uint16_t *)row)[i] = (uint16_t)(v * 61);
        }
    return p;
}

bool planes_equal(const struct plane *a, const struct plane *b)
{
    if (a->width != b->width || a->height != b->height || a->channels != b->channels ||
        a->type != b->type)
        return false;
    for (int y = 0; y < a->height; y++)
        if (memcmp((char *)a->px + (size_t)y * a->stride, (char *)b->px + (size_t)y * b->stride,
                   (size_t)(a->width * a->channels) * pixel_type_size(a->type)) != 0)
            return false;
    return true;
}
