/* thumbnail_crop: a part of an image with a finding's shape drawn over it. */
#include "preview/thumbnail_crop.h"

#include "base/files.h"
#include "batch/process/child.h"
#include "batch/io/open.h"
#include "batch/process/limits.h"
#include "batch/image/job_sandbox.h"
#include "batch/process/sandbox.h"
#include "pixels/picture.h"
#include "preview/svg.h"

#include <math.h>
#include <string.h>

enum {
    MAX_BYTES = 1 << 20, /* limit of a JPEG's size */
    MS = 10000,          /* time limit per picture */
    QUALITY = 85,
    MIN_SIDE = 64, /* smallest side of the region, in pixels of the image */
    LARGEST_SCALE = 4,
};

static const size_t max_pixels = 100000000;

static const struct svg_ink line_ink = { "#ff2d55", 1 }, halo_ink = { "#000000", 0.55 },
                            fill_ink = { "#ff2d55", 0.15 }, no_ink = { "#000000", 0 };

/* --- the part of the image --- */

static bool is_finite(struct box b)
{
    return isfinite(b.x0) && isfinite(b.y0) && isfinite(b.x1) && isfinite(b.y1);
}

/* Orders the corners of a box. */
static struct box upright(struct box b)
{
    return (struct box){ fmin(b.x0, b.x1), fmin(b.y0, b.y1), fmax(b.x0, b.x1), fmax(b.y0, b.y1) };
}

static struct box widened(struct box b, double by)
{
    return (struct box){ b.x0 - by, b.y0 - by, b.x1 + by, b.y1 + by };
}

static struct box joined(struct box a, struct box b)
{
    return (struct box){ fmin(a.x0, b.x0), fmin(a.y0, b.y0), fmax(a.x1, b.x1), fmax(a.y1, b.y1) };
}

static bool shape_bounds(const struct crop *c, struct box *to)
{
    if (c->box)
        *to = upright(*c->box);
    else if (c->ring && c->ring->n)
        *to = rings_bounds(&(struct rings){ (struct ring *)c->ring, 1 });
    else if (c->point)
        *to = (struct box){ c->point->x, c->point->y, c->point->x, c->point->y };
    else
        return false;
    return is_finite(*to);
}

/* Returns a region around the shape. If the shape is far outside, it is the whole image and the
 * side where the shape is. */
static struct box region_of(const struct crop *c, struct frame frame)
{
    const struct box image = box_of_frame(frame);
    double side = fmax(frame.width, frame.height);
    struct box shape, region;

    if (!shape_bounds(c, &shape))
        return image;
    region = widened(shape, 0.35 * fmax(shape.x1 - shape.x0, shape.y1 - shape.y0));
    region = widened(region, fmax(0, (MIN_SIDE - (region.x1 - region.x0)) / 2));
    region = box_intersect(region, widened(image, side / 2));
    if (box_is_empty(region))
        return widened(image, side / 20);
    return box_area(box_intersect(region, image)) < 0.1 * box_area(region) ? joined(region, image)
                                                                           : region;
}

/* --- drawing --- */

struct crop_view {
    struct box region;
    double scale;
    struct frame shown;
};

static struct point shown_at(const struct crop_view *v, struct point p)
{
    return (struct point){ (p.x - v->region.x0) * v->scale, (p.y - v->region.y0) * v->scale };
}

static void draw_ring(const struct crop_view *v, const struct ring *ring, struct text *svg)
{
    struct arena arena = { 0 };
    struct ring shown = ring_copy(&arena, ring);
    const struct rings rings = { &shown, 1 };

    for (size_t i = 0; i < shown.n; i++)
        shown.at[i] = shown_at(v, shown.at[i]);
    svg_rings(svg, &rings, no_ink, halo_ink, 4, false);
    svg_rings(svg, &rings, fill_ink, line_ink, 2, false);
    arena_drop(&arena);
}

static void draw_shape(const struct crop *c, const struct crop_view *v, struct text *svg)
{
    struct box bounds;

    if (!shape_bounds(c, &bounds))
        return;
    if (c->point) {
        struct point at = shown_at(v, *c->point);

        svg_circle(svg, at, 7, no_ink, halo_ink, 4);
        svg_circle(svg, at, 7, no_ink, line_ink, 2);
        svg_circle(svg, at, 1.5, line_ink, no_ink, 0);
    } else if (c->ring) {
        draw_ring(v, c->ring, svg);
    } else {
        struct arena arena = { 0 };
        struct ring ring = ring_of_box(&arena, bounds);

        draw_ring(v, &ring, svg);
        arena_drop(&arena);
    }
}

/* --- pixels --- */

/* Copies one to four channels as RGB; alpha is ignored. */
static void copy_rgb(const struct plane *from, struct plane *to, int left, int top)
{
    int colours = plane_colours(from);

    for (int y = 0; y < from->height; y++) {
        const uint8_t *in = (const uint8_t *)from->px + (size_t)y * from->stride;
        uint8_t *out = (uint8_t *)to->px + (size_t)(y + top) * to->stride + 3 * (size_t)left;

        for (int x = 0; x < from->width; x++, in += from->channels, out += 3)
            for (int b = 0; b < 3; b++)
                out[b] = in[colours == 1 ? 0 : b];
    }
}

/* Resizes the image's part of the region into its place. */
static void paint_image(const struct picture *p, const struct crop_view *v, struct pool *pool,
                        struct plane *canvas)
{
    struct box part = box_intersect(v->region, box_of_frame(p->full));
    int x0 = (int)floor(part.x0 / p->shrink), y0 = (int)floor(part.y0 / p->shrink);
    int x1 = (int)fmin(p->plane.width, ceil(part.x1 / p->shrink));
    int y1 = (int)fmin(p->plane.height, ceil(part.y1 / p->shrink));
    struct point from = shown_at(v, (struct point){ x0 * p->shrink, y0 * p->shrink });
    struct point to = shown_at(v, (struct point){ fmin(x1 * p->shrink, p->full.width),
                                                  fmin(y1 * p->shrink, p->full.height) });
    int left = (int)fmax(0, nearbyint(from.x)), top = (int)fmax(0, nearbyint(from.y));
    struct frame size = { (int)fmin(canvas->width, nearbyint(to.x)) - left,
                          (int)fmin(canvas->height, nearbyint(to.y)) - top };
    struct plane window, small, bytes;

    if (x1 <= x0 || y1 <= y0 || size.width < 1 || size.height < 1)
        return;
    window = plane_part(&p->plane, x0, y0, x1 - x0, y1 - y0);
    small = pool_plane(pool, size, window.channels, window.type);
    plane_resize(&window, &small, INTERPOLATION_BILINEAR, true);
    bytes = pool_plane(pool, size, window.channels, PIXEL_U8);
    if (window.type == PIXEL_U8)
        copy_rgb(&small, canvas, left, top);
    else {
        plane_convert(&small, &bytes);
        copy_rgb(&bytes, canvas, left, top);
    }
    pool_return(pool, &small);
    pool_return(pool, &bytes);
}

static struct crop_view view_of(const struct crop *c, struct frame frame)
{
    struct crop_view v = { .region = region_of(c, frame) };
    double width = v.region.x1 - v.region.x0, height = v.region.y1 - v.region.y0;

    v.scale = fmin(LARGEST_SCALE, fmin(CROP_WIDTH / width, CROP_HEIGHT / height));
    v.shown = (struct frame){ (int)fmax(1, nearbyint(width * v.scale)),
                              (int)fmax(1, nearbyint(height * v.scale)) };
    return v;
}

static bool draw(const struct crop *c, const struct crop_view *v, const struct picture *p,
                 struct pool *pool, struct text *jpeg, struct text *why)
{
    static const struct fill ground = { .channel = { 214, 217, 222 } };
    const struct picture_options options = { .format = PICTURE_JPEG,
                                             .quality = c->quality ? c->quality : QUALITY,
                                             .subsampling = SUBSAMPLING_420 };
    struct picture made = { .format = PICTURE_JPEG, .shrink = 1 };
    struct text svg = { 0 };
    bool good;

    made.plane = pool_plane(pool, v->shown, 3, PIXEL_U8);
    plane_paint(&made.plane, 0, 0, v->shown.width, v->shown.height, &ground, false, 0);
    paint_image(p, v, pool, &made.plane);
    svg_open(&svg, v->shown);
    draw_shape(c, v, &svg);
    svg_close(&svg);
    good = picture_overlay(&made.plane, svg.at, svg.length, why) &&
           picture_write(&made, &options, jpeg, why);
    pool_return(pool, &made.plane);
    text_drop(&svg);
    return good;
}

/* Returns the reduction for decoding a JPEG, which need not be larger than it is shown. */
static int shrink_of(double scale)
{
    return scale <= 0.125 ? 8 : scale <= 0.25 ? 4 : scale <= 0.5 ? 2 : 1;
}

/* True if the image still has the size that the caller knows. */
static bool has_frame(const struct crop *c, struct frame frame, struct text *why)
{
    if (!c->frame.width || (c->frame.width == frame.width && c->frame.height == frame.height))
        return true;
    text_addf(why, "the image has changed: it has %d x %d pixels, and had %d x %d", frame.width,
              frame.height, c->frame.width, c->frame.height);
    return false;
}

static bool make(const struct crop *c, struct text *jpeg, struct text *why)
{
    struct text bytes = { 0 };
    struct picture_header header;
    struct decode_hints hints = { 0 };
    struct picture picture;
    struct pool pool = { 0 };
    struct crop_view view;
    struct stat status;
    struct slice file;
    const struct input_check check = input_check_picture(&max_pixels);
    bool good = input_read(c->folder, c->name, LINKS_FOLLOW, &check, &bytes, &status, why);

    file = (struct slice){ bytes.at, bytes.length };
    good = good && picture_probe(file, &header, why) && has_frame(c, header.frame, why);
    if (good) {
        view = view_of(c, header.frame);
        hints.shrink = shrink_of(view.scale);
        good = picture_read(file, &pool, max_pixels, &hints, &picture, why);
    }
    if (good) {
        good = draw(c, &view, &picture, &pool, jpeg, why);
        picture_drop(&picture, &pool);
    }
    pool_drop(&pool);
    text_drop(&bytes);
    return good;
}

/* --- in a child process --- */

/* Writes a letter that tells a JPEG from a reason, and then one of them. */
static int work(void *crop, struct text *result)
{
    struct text jpeg = { 0 }, why = { 0 };
    bool good = make(crop, &jpeg, &why);
    const struct text *rest = good ? &jpeg : &why;

    text_addc(result, good ? '+' : '-');
    text_add(result, rest->at, rest->length);
    return EXIT_DONE;
}

static bool take_answer(const struct text *answer, struct text *jpeg, struct text *why)
{
    bool good = answer->length && *answer->at == '+';

    if (answer->length)
        text_add(good ? jpeg : why, answer->at + 1, answer->length - 1);
    return good;
}

bool crop_make(const struct crop *c, struct text *jpeg, struct text *why)
{
    struct crop crop = *c;
    struct record record = { .name = c->name };
    const struct dataset dataset = { .records = &record, .n_records = 1 };
    struct job job;
    struct sandbox sandbox;
    const struct child_work todo = { .sandbox = &sandbox,
                                     .max_memory = limits_memory() / 2,
                                     .max_result = MAX_BYTES,
                                     .ms = MS,
                                     .who = "its decoder",
                                     .work = work,
                                     .context = &crop };
    struct text answer = { 0 };
    const char *reason, *code;
    bool good;

    if (!name_is_safe(c->name, &reason)) {
        text_adds(why, reason);
        return false;
    }
    job_for_reading(&job, &dataset, (struct roots){ &c->folder, 1, NULL }, (struct roots){ 0 },
                    &sandbox);
    good = child_run(&todo, &answer, why, &code) == EXIT_DONE && take_answer(&answer, jpeg, why);
    sandbox_close(&sandbox);
    text_drop(&answer);
    return good;
}
