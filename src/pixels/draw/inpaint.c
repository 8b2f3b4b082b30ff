/* inpaint: fills holes from the pixels around them.
 *
 * Sources:
 *
 * A. Telea, An image inpainting technique based on the fast marching method, Journal of Graphics
 * Tools 9 (2004). A front moves from the border inwards. A pixel that it reaches becomes a weighted
 * mean of the known pixels around, plus a step along their gradients.
 *
 * M. Bertalmio, A. L. Bertozzi and G. Sapiro, Navier-Stokes, fluid dynamics, and image and video
 * inpainting, CVPR 2001. It continues lines of equal brightness. Here the same front is used, with
 * weights by how well a line from the known pixel would arrive.
 *
 * Weights, the length of the step (at most sqrt(2) levels) and rounding are those of OpenCV's
 * inpaint. OpenCV leaves the image's first row and column unchanged, and treats pixels outside the
 * border as known. Here holes are filled to the last pixel, only from pixels of the image. */
#include "pixels/samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RADIUS = 3, MARGIN = RADIUS + 1, AROUND = 29 /* pixels of a disc of this radius */ };
/* The state of a pixel. Pixels from UNKNOWN on must not be read. */
enum state { KNOWN, FRONT, UNKNOWN, BEYOND };
static const float FAR = 1e6F;

/* A pixel of the front. At equal times, the one added first comes first. */
struct front_pixel {
    float time;
    uint32_t order;
    size_t at;
};

/* The surroundings of all holes, with one more pixel on each side. */
struct march {
    struct plane part;
    enum paint_method method;
    size_t stride;
    uint8_t *state;
    float *time; /* when the front reaches a pixel; negative outside holes; FAR: not known yet */
    struct front_pixel *heap;
    size_t n, room;
    uint32_t order;
};

/* A known pixel near the pixel to fill. The pixel to fill is at (-dx, -dy) from it. */
struct known_pixel {
    int x, y;
    float dx, dy, weight;
    bool left, right, up, down; /* whether each neighbor is known too */
};

/* --- the front --- */

static bool is_sooner(const struct front_pixel *a, const struct front_pixel *b)
{
    return a->time < b->time || (a->time <= b->time && a->order < b->order);
}

static void push(struct march *m, size_t at)
{
    struct front_pixel added = { m->time[at], m->order++, at };
    size_t i = m->n++;

    if (m->n > m->room) {
        m->room = 2 * m->n;
        m->heap = memory_grow(m->heap, m->room * sizeof *m->heap);
    }
    while (i && is_sooner(&added, &m->heap[(i - 1) / 2])) {
        m->heap[i] = m->heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    m->heap[i] = added;
}

static size_t pop(struct march *m)
{
    size_t first = m->heap[0].at, i = 0, child;
    struct front_pixel last = m->heap[--m->n];

    while ((child = 2 * i + 1) < m->n) {
        if (child + 1 < m->n && is_sooner(&m->heap[child + 1], &m->heap[child]))
            child++;
        if (!is_sooner(&m->heap[child], &last))
            break;
        m->heap[i] = m->heap[child];
        i = child;
    }
    m->heap[i] = last;
    return first;
}

/* Returns the time at which a front of speed 1 arrives by way of two neighbors. */
static float arrival(float first, float second)
{
    double a = (double)first, b = (double)second;

    return (float)(fabs(a - b) >= 1 ? 1 + fmin(a, b) : (a + b + sqrt(2 - (a - b) * (a - b))) * 0.5);
}

static float first_arrival(const struct march *m, size_t at)
{
    float up = m->time[at - m->stride], down = m->time[at + m->stride];
    float left = m->time[at - 1], right = m->time[at + 1];

    return fminf(fminf(arrival(up, left), arrival(down, left)),
                 fminf(arrival(up, right), arrival(down, right)));
}

/* --- one pixel --- */

/* Returns a level; floats are on the 0..255 scale. */
static float level(const struct march *m, int x, int y, int c)
{
    float v = sample_load(plane_row(&m->part, y), m->part.type,
                          (size_t)x * (size_t)m->part.channels + (size_t)c);

    return m->part.type == PIXEL_F32 ? v * 255 : v;
}

static void set_level(struct march *m, int x, int y, int c, double v)
{
    bool whole = m->part.type != PIXEL_F32;

    sample_store(plane_row(&m->part, y), m->part.type,
                 (size_t)x * (size_t)m->part.channels + (size_t)c,
                 (float)(whole ? nearbyint(v) : v / 255));
}

static bool is_known(const struct march *m, size_t at)
{
    return m->state[at] < UNKNOWN;
}

/* Returns the slope of the front's time, from the known pixels on both sides. */
static float slope(const struct march *m, size_t before, size_t at, size_t behind)
{
    if (is_known(m, before) && is_known(m, behind))
        return (m->time[behind] - m->time[before]) * 0.5F;
    if (is_known(m, behind))
        return m->time[behind] - m->time[at];
    return is_known(m, before) ? m->time[at] - m->time[before] : 0;
}

static float telea_weight(const struct march *m, size_t at, size_t other, const float slope_xy[2],
                          float dx, float dy)
{
    float square = dx * dx + dy * dy, along = dx * slope_xy[0] + dy * slope_xy[1];
    float distance = (float)(1 / ((double)square * sqrt((double)square)));
    float lag = (float)(1 / (double)(1 + fabsf(m->time[other] - m->time[at])));

    if (fabs((double)along) <= 0.01)
        along = 0.000001F;
    return fabsf(distance * lag * along);
}

/* Collects the known pixels in the disc around (x, y), row by row. */
static int look_around(const struct march *m, int x, int y, struct known_pixel near[AROUND])
{
    size_t at = (size_t)(y + 1) * m->stride + (size_t)(x + 1);
    float slope_xy[] = { slope(m, at - 1, at, at + 1),
                         slope(m, at - m->stride, at, at + m->stride) };
    int n = 0;

    for (int v = y - RADIUS; v <= y + RADIUS; v++)
        for (int u = x - RADIUS; u <= x + RADIUS; u++) {
            bool inside = u >= 0 && v >= 0 && u < m->part.width && v < m->part.height;
            size_t other = inside ? (size_t)(v + 1) * m->stride + (size_t)(u + 1) : 0;

            if (!inside || (u - x) * (u - x) + (v - y) * (v - y) > RADIUS * RADIUS ||
                !is_known(m, other))
                continue;
            near[n] = (struct known_pixel){ .x = u,
                                            .y = v,
                                            .dx = (float)(x - u),
                                            .dy = (float)(y - v),
                                            .left = is_known(m, other - 1),
                                            .right = is_known(m, other + 1),
                                            .up = is_known(m, other - m->stride),
                                            .down = is_known(m, other + m->stride) };
            near[n].weight = telea_weight(m, at, other, slope_xy, near[n].dx, near[n].dy);
            n++;
        }
    return n;
}

/* Returns twice the central difference, or a one-sided difference, as in the source. */
static float gradient(float before, float v, float behind, bool has_before, bool has_behind)
{
    if (has_before && has_behind)
        return (behind - before) * 2;
    return has_behind ? behind - v : has_before ? v - before : 0;
}

static double telea(const struct march *m, const struct known_pixel *near, int n, int c)
{
    float sum = 0, step_x = 0, step_y = 0, weights = 1e-20F;

    for (int i = 0; i < n; i++) {
        const struct known_pixel *q = &near[i];
        float v = level(m, q->x, q->y, c);
        float gx = gradient(q->left ? level(m, q->x - 1, q->y, c) : 0, v,
                            q->right ? level(m, q->x + 1, q->y, c) : 0, q->left, q->right);
        float gy = gradient(q->up ? level(m, q->x, q->y - 1, c) : 0, v,
                            q->down ? level(m, q->x, q->y + 1, c) : 0, q->up, q->down);

        sum += q->weight * v;
        step_x -= q->weight * (gx * q->dx);
        step_y -= q->weight * (gy * q->dy);
        weights += q->weight;
    }
    return (double)(sum / weights +
                    (step_x + step_y) / (sqrtf(step_x * step_x + step_y * step_y) + 1e-20F) +
                    (m->part.type == PIXEL_F32 ? 0 : 0.5F));
}

/* Returns the sum of two absolute differences; if only one is known, it counts twice. */
static float contrast(float before, float v, float behind, bool has_before, bool has_behind)
{
    if (has_before && has_behind)
        return fabsf(behind - v) + fabsf(v - before);
    return has_behind ? fabsf(behind - v) * 2 : has_before ? fabsf(v - before) * 2 : 0;
}

static double navier_stokes(const struct march *m, const struct known_pixel *near, int n, int c)
{
    float sum = 0, weights = 1e-20F;

    for (int i = 0; i < n; i++) {
        const struct known_pixel *q = &near[i];
        float v = level(m, q->x, q->y, c), square = q->dx * q->dx + q->dy * q->dy;
        float across = -contrast(q->up ? level(m, q->x, q->y - 1, c) : 0, v,
                                 q->down ? level(m, q->x, q->y + 1, c) : 0, q->up, q->down);
        float down = contrast(q->left ? level(m, q->x - 1, q->y, c) : 0, v,
                              q->right ? level(m, q->x + 1, q->y, c) : 0, q->left, q->right);
        float along = q->dx * across + q->dy * down, w;

        if (fabs((double)along) <= 0.01)
            w = 0.000001F;
        else
            w = fabsf(along / sqrtf(square * (across * across + down * down)));
        w *= 1 / (square * square + 1);
        sum += w * v;
        weights += w;
    }
    return (double)sum / (double)weights;
}

static void fill_pixel(struct march *m, size_t at)
{
    int x = (int)(at % m->stride) - 1, y = (int)(at / m->stride) - 1;
    struct known_pixel near[AROUND];
    int n = look_around(m, x, y, near), colours = plane_colours(&m->part);

    for (int c = 0; c < colours; c++)
        set_level(m, x, y, c,
                  m->method == PAINT_INPAINT_TELEA ? telea(m, near, n, c)
                                                   : navier_stokes(m, near, n, c));
}

/* --- all of it --- */

/* Moves the front through all pixels whose `state` is UNKNOWN. */
static void march_on(struct march *m, uint8_t *state, bool fills)
{
    while (m->n) {
        size_t at = pop(m);
        const size_t next[] = { at - m->stride, at - 1, at + m->stride, at + 1 };

        state[at] = KNOWN;
        for (size_t i = 0; i < COUNTOF(next); i++) {
            if (state[next[i]] != UNKNOWN)
                continue;
            m->time[next[i]] = first_arrival(m, next[i]);
            if (fills)
                fill_pixel(m, next[i]);
            state[next[i]] = FRONT;
            push(m, next[i]);
        }
    }
}

/* Sets the state of a rectangle of the part, extended by `more` pixels on each side. */
static void mark(const struct march *m, uint8_t *state, struct rect r, int more, enum state as)
{
    int left = r.x - more > 0 ? r.x - more : 0, top = r.y - more > 0 ? r.y - more : 0;
    int right = r.x + r.w + more < m->part.width ? r.x + r.w + more : m->part.width;
    int bottom = r.y + r.h + more < m->part.height ? r.y + r.h + more : m->part.height;

    for (int y = top; y < bottom && left < right; y++)
        memset(state + (size_t)(y + 1) * m->stride + (size_t)(left + 1), (int)as,
               (size_t)(right - left));
}

static void begin_front(struct march *m)
{
    for (int y = 0; y < m->part.height; y++)
        for (int x = 0; x < m->part.width; x++) {
            size_t at = (size_t)(y + 1) * m->stride + (size_t)(x + 1);

            if (m->state[at] != UNKNOWN &&
                (m->state[at - 1] == UNKNOWN || m->state[at + 1] == UNKNOWN ||
                 m->state[at - m->stride] == UNKNOWN || m->state[at + m->stride] == UNKNOWN)) {
                m->state[at] = FRONT;
                m->time[at] = 0;
                push(m, at);
            }
        }
}

/* Computes the distances of pixels near the holes, as times before the front starts. */
static void march_outside(struct march *m, const struct rect *hole, size_t n, size_t pixels)
{
    uint8_t *outside = memory_take(pixels);

    memset(outside, KNOWN, pixels);
    for (size_t i = 0; i < n; i++)
        mark(m, outside, hole[i], RADIUS, UNKNOWN);
    for (size_t i = 0; i < pixels; i++)
        if (m->state[i] != KNOWN)
            outside[i] = KNOWN;
    march_on(m, outside, false);
    for (size_t i = 0; i < pixels; i++)
        if (m->time[i] < FAR)
            m->time[i] = -m->time[i];
    free(outside);
}

/* Returns the bounding box of the holes and of the pixels around them that are read. */
static struct rect surroundings(const struct plane *p, const struct rects *holes)
{
    int left = p->width, top = p->height, right = 0, bottom = 0;

    for (size_t i = 0; i < holes->n; i++) {
        const struct rect *r = &holes->at[i];

        left = r->x < left ? r->x : left;
        top = r->y < top ? r->y : top;
        right = r->x + r->w > right ? r->x + r->w : right;
        bottom = r->y + r->h > bottom ? r->y + r->h : bottom;
    }
    left = left > MARGIN ? left - MARGIN : 0;
    top = top > MARGIN ? top - MARGIN : 0;
    right = right + MARGIN < p->width ? right + MARGIN : p->width;
    bottom = bottom + MARGIN < p->height ? bottom + MARGIN : p->height;
    return (struct rect){ .x = left, .y = top, .w = right - left, .h = bottom - top };
}

static void run(struct march *m, const struct rect *hole, size_t n, size_t pixels)
{
    memset(m->state, BEYOND, pixels);
    mark(m, m->state, (struct rect){ .w = m->part.width, .h = m->part.height }, 0, KNOWN);
    for (size_t i = 0; i < n; i++)
        mark(m, m->state, hole[i], 0, UNKNOWN);
    for (size_t i = 0; i < pixels; i++)
        m->time[i] = FAR;
    begin_front(m);
    if (m->method == PAINT_INPAINT_TELEA) {
        march_outside(m, hole, n, pixels);
        begin_front(m);
    }
    march_on(m, m->state, true);
}

void plane_inpaint(struct plane *p, const struct rects *holes, enum paint_method method)
{
    struct rect window = surroundings(p, holes);
    struct march m = { .method = method, .stride = (size_t)(window.w + 2) };
    size_t pixels = (size_t)(window.h + 2) * m.stride;
    struct rect *hole;

    if (window.w <= 0 || window.h <= 0)
        return;
    m.part = plane_part(p, window.x, window.y, window.w, window.h);
    m.state = memory_take(pixels);
    m.time = memory_take(pixels * sizeof *m.time);
    hole = memory_take(holes->n * sizeof *hole);
    for (size_t i = 0; i < holes->n; i++) {
        hole[i] = holes->at[i];
        hole[i].x -= window.x;
        hole[i].y -= window.y;
        plane_paint(p, holes->at[i].x, holes->at[i].y, hole[i].w, hole[i].h, &(struct fill){ 0 },
                    false, 0);
    }
    run(&m, hole, holes->n, pixels);
    free(hole);
    free(m.heap);
    free(m.time);
    free(m.state);
}
