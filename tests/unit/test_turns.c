/* test_turns: rotations by multiples of 90 degrees on the same canvas move all pixels, label masks
 * and run lengths alike. One rule decides for pixels that lie between two others. */
#include "forms.h"
#include "render_plane.h"

#include <string.h>

enum { SIZES = 40, SIDES = 70 };

static struct pool pool;

/* A rotation clockwise on the screen about a point, then a shift; in half pixels, which is exact.
 */
struct quarter_turn {
    int quarters;
    int centre_x2, centre_y2, shift_x2, shift_y2;
};

static int floor_half(int v2)
{
    return v2 >= 0 ? v2 / 2 : -((1 - v2) / 2);
}

/* The source pixel under the centre of (x, y). */
static void source_of(const struct quarter_turn *t, int x, int y, int *sx, int *sy)
{
    int u = 2 * x + 1 - t->shift_x2 - t->centre_x2, v = 2 * y + 1 - t->shift_y2 - t->centre_y2;

    for (int i = 0; i < t->quarters; i++) { /* back: a quarter counter-clockwise */
        int was = u;

        u = v;
        v = -was;
    }
    *sx = floor_half(u + t->centre_x2);
    *sy = floor_half(v + t->centre_y2);
}

/* Each pixel has a different color. */
static struct plane numbered(struct frame f)
{
    struct plane p = pool_plane(&pool, f, 1, PIXEL_U16);

    for (int y = 0; y < f.height; y++)
        for (int x = 0; x < f.width; x++)
            ((uint16_t *)((char *)p.px + (size_t)y * p.stride))[x] =
                (uint16_t)(1 + x + y * f.width);
    return p;
}

static unsigned pixel_at(const struct plane *p, int x, int y)
{
    return ((const uint16_t *)((const char *)p->px + (size_t)y * p->stride))[x];
}

static bool is_turned(const struct quarter_turn *t, const struct plane *in, const struct plane *out)
{
    size_t wrong = 0;

    for (int y = 0; y < out->height; y++)
        for (int x = 0; x < out->width; x++) {
            int sx, sy;
            unsigned want = 0;

            source_of(t, x, y, &sx, &sy);
            if (sx >= 0 && sy >= 0 && sx < in->width && sy < in->height)
                want = pixel_at(in, sx, sy);
            wrong += pixel_at(out, x, y) != want;
        }
    return wrong == 0;
}

/* A pixel in three, in runs that no placement but one has in the same places. */
static struct rle runs_of(struct arena *arena, const struct plane *p)
{
    struct frame f = { p->width, p->height };
    unsigned char *px = arena_take_array(arena, (size_t)f.width, (size_t)f.height);

    for (int y = 0; y < f.height; y++)
        for (int x = 0; x < f.width; x++)
            px[(size_t)y * (size_t)f.width + (size_t)x] = pixel_at(p, x, y) * 2654435761u % 3 == 1;
    return rle_from_bitmap(arena, px, (size_t)f.width, f);
}

static struct sample sample_of(struct arena *arena, const struct plane *source)
{
    struct frame f = { source->width, source->height };
    struct sample s = { .arena = arena, .name = "turns", .frame = f, .n_objects = 1 };
    struct box box = box_of_frame(f);

    s.objects = ARENA_NEW(arena, struct object);
    *s.objects = (struct object){ .has_box = true,
                                  .outline = ring_of_box(arena, box),
                                  .bbox = box,
                                  .size = { box.x1, box.y1 },
                                  .visibility = 1,
                                  .segmentation = SEGMENTATION_RLE,
                                  .rle = runs_of(arena, source) };
    return s;
}

static void check_turn(const char *step, const struct quarter_turn *t, struct frame f,
                       enum optimize how)
{
    struct arena arena = { 0 };
    struct plane source = numbered(f), out, mask;
    struct sample sample = sample_of(&arena, &source);
    struct rle want;
    struct resolved_ops resolved_ops;
    struct text why = { 0 };
    struct plan plan;
    const char *json = arena_printf(&arena, "{\"version\": 1, \"transforms\": [%s]}", step);
    struct faults faults = { .name = "turns", .text = { json, strlen(json) } };
    bool good = true;

    CHECK(plan_read(&faults, &plan));
    CHECK(plan_apply(&plan, &(struct draw_id){ .seed = 1 }, (struct pixel_kind){ PIXEL_U16, 1 },
                     &sample, &resolved_ops, &why));
    CHECK(render_plane(&resolved_ops, how, &source, &pool, &arena, &out));
    render_mask(&resolved_ops, how, &source, &pool, &arena, &mask);
    want = runs_of(&arena, &out);
    good &= CHECK(is_turned(t, &source, &out));
    good &= CHECK(planes_equal(&out, &mask));
    good &= CHECK(rle_equal(&want, &sample.objects[0].rle));
    if (!good)
        fprintf(stderr, "    %dx%d: %s\n", f.width, f.height, step);
    drop_rendered(&pool, &source, &out);
    drop_rendered(&pool, &source, &mask);
    pool_return(&pool, &source);
    text_drop(&why);
    plan_drop(&plan);
    faults_drop(&faults);
    arena_drop(&arena);
}

static void check_frame(struct frame f, struct arena *arena)
{
    static const char *const interpolation[] = { "nearest", "bilinear" };

    for (int degrees = -450; degrees <= 450; degrees += 90) {
        struct quarter_turn about_middle = { ((degrees / 90) % 4 + 4) % 4, f.width, f.height, 0,
                                             0 };
        struct quarter_turn back = about_middle, about = about_middle, shifted = about_middle;
        /* Blending shows colours of no single pixel where the centre is between two. */
        bool whole = (f.width - f.height) % 2 == 0 || about_middle.quarters % 2 == 0;
        const char *how = interpolation[whole ? unit_int(0, 1) : 0];

        back.quarters = (4 - back.quarters) % 4;
        check_turn(arena_printf(arena,
                                "{\"type\": \"rotate\", \"angle\": %d, \"interpolation\": "
                                "\"%s\"}",
                                degrees, how),
                   &back, f, OPTIMIZE_NONE);
        check_turn(arena_printf(arena,
                                "{\"type\": \"affine\", \"angle\": %d, \"interpolation\": "
                                "\"%s\"}",
                                degrees, how),
                   &about_middle, f, OPTIMIZE_EXACT);
        about = back;
        about.centre_x2 = unit_int(0, 2 * f.width);
        about.centre_y2 = unit_int(0, 2 * f.height);
        check_turn(arena_printf(arena,
                                "{\"type\": \"rotate\", \"angle\": %d, \"center\": [%g, %g]}",
                                degrees, about.centre_x2 / 2., about.centre_y2 / 2.),
                   &about, f, OPTIMIZE_FAST);
        shifted.shift_x2 = unit_int(-9, 9);
        shifted.shift_y2 = unit_int(-9, 9);
        check_turn(arena_printf(arena,
                                "{\"type\": \"affine\", \"angle\": %d, \"translate\": "
                                "[%g, %g]}",
                                degrees, shifted.shift_x2 / 2., shifted.shift_y2 / 2.),
                   &shifted, f, OPTIMIZE_FAST);
    }
}

static void test_turns(void)
{
    struct arena arena = { 0 };

    check_frame((struct frame){ 60, 91 }, &arena);
    check_frame((struct frame){ 1, 2 }, &arena);
    for (int i = 0; i < SIZES; i++)
        check_frame((struct frame){ unit_int(1, SIDES), unit_int(1, SIDES) }, &arena);
    arena_drop(&arena);
}

int main(void)
{
    static const struct unit_test tests[] = { TEST(test_turns) };
    int status = forms_main(tests, COUNTOF(tests));

    pool_drop(&pool);
    return status;
}
