/* fields: samples a plugin's function as a displacement field.
 *
 * Nodes lie on pixel centers, some pixels apart, with one node beyond the canvas on each side. The
 * distance is halved until interpolation between nodes matches the function. With a node on each
 * pixel's center the field is exact there for any function. So a fine detail costs time, but labels
 * never drift. */
#include "steps/plugin/fields.h"

#include <math.h>

enum { MAX_STEP = 8 }; /* pixels, a power of two */

struct nodes {
    displace_fn *fn;
    const void *context;
    int step, columns, rows;
    float *dx, *dy;
};

/* Returns the displacement at a node, or at a place between nodes. */
static struct point at(const struct nodes *n, double column, double row)
{
    return n->fn(n->context,
                 (struct point){ 0.5 + (column - 1) * n->step, 0.5 + (row - 1) * n->step });
}

static struct nodes sample(struct arena *arena, struct frame frame, int step, displace_fn *fn,
                           const void *context)
{
    struct nodes n = { .fn = fn,
                       .context = context,
                       .step = step,
                       .columns = (frame.width - 1 + step - 1) / step + 3,
                       .rows = (frame.height - 1 + step - 1) / step + 3 };
    size_t i = 0;

    n.dx = ARENA_ARRAY(arena, float, (size_t)n.columns *(size_t)n.rows);
    n.dy = ARENA_ARRAY(arena, float, (size_t)n.columns *(size_t)n.rows);
    for (int y = 0; y < n.rows; y++)
        for (int x = 0; x < n.columns; x++, i++) {
            struct point d = at(&n, x, y);

            n.dx[i] = (float)d.x;
            n.dy[i] = (float)d.y;
        }
    return n;
}

/* True if the function at (x, y) matches the interpolation between the nodes a and b, or between
 * the four nodes of a cell. */
static bool is_between(const struct nodes *n, double x, double y, size_t a, size_t b, size_t c,
                       size_t d)
{
    struct point p = at(n, x, y);

    return fabs(((double)n->dx[a] + n->dx[b] + n->dx[c] + n->dx[d]) / 4 - p.x) <= FIELD_ERROR / 2 &&
           fabs(((double)n->dy[a] + n->dy[b] + n->dy[c] + n->dy[d]) / 4 - p.y) <= FIELD_ERROR / 2;
}

static bool is_fine(const struct nodes *n)
{
    size_t stride = (size_t)n->columns;

    for (int y = 0; y + 1 < n->rows; y++)
        for (int x = 0; x + 1 < n->columns; x++) {
            size_t i = (size_t)y * stride + (size_t)x;

            if (!is_between(n, x + 0.5, y, i, i + 1, i, i + 1) ||
                !is_between(n, x, y + 0.5, i, i + stride, i, i + stride) ||
                !is_between(n, x + 0.5, y + 0.5, i, i + 1, i + stride, i + stride + 1))
                return false;
        }
    return true;
}

/* Uses at least sixteen nodes along the shorter side, so that no detail of a sixteenth of the image
 * is missed. */
static int first_step(struct frame frame)
{
    int shorter = frame.width < frame.height ? frame.width : frame.height, step = MAX_STEP;

    while (step > 1 && step > shorter / 16)
        step /= 2;
    return step;
}

struct field *field_on_centres(struct arena *arena, struct frame frame, displace_fn *fn,
                               const void *context)
{
    struct field *copy = ARENA_NEW(arena, struct field);
    int step = first_step(frame);
    struct nodes n = sample(arena, frame, step, fn, context);

    while (step > 1 && !is_fine(&n))
        n = sample(arena, frame, step /= 2, fn, context);
    *copy = *field_make(arena, frame, n.columns, n.rows, (struct point){ 0.5 - step, 0.5 - step },
                        (struct point){ step, step }, n.dx, n.dy);
    return copy;
}
