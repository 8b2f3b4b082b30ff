/* test_border: the window of `crop_border` shows nothing from outside of the rotated image, and is
 * the largest about the middle. Each of its pixels is rotated back. */
#include "steps/transform.h"

#include "unit.h"

#include <string.h>

static void record_crop(struct run *run, const char *name, const struct arg *args, bool shared)
{
    struct window *w = run->context;

    (void)shared;
    CHECK(strcmp(name, "crop") == 0);
    for (; args->name; args++) {
        int *to = strcmp(args->name, "top") == 0      ? &w->top
                  : strcmp(args->name, "left") == 0   ? &w->left
                  : strcmp(args->name, "height") == 0 ? &w->height
                                                      : &w->width;

        *to = (int)args->number;
    }
}

static struct window window_of(struct frame f, double degrees)
{
    static const struct emitter recorder = { .op = record_crop };
    struct window w = { 0 };
    struct run run = { .emitter = &recorder, .frame = f, .context = &w };

    emit_without_border(&run, degrees);
    return w;
}

/* Returns how deep inside the image a point of the rotated one is, in pixels. */
static double depth(struct frame f, double degrees, double x, double y)
{
    double c = cos(degrees * 3.14159265358979323846 / 180);
    double s = sin(degrees * 3.14159265358979323846 / 180);
    double dx = x - f.width / 2., dy = y - f.height / 2.;
    double across = fabs(dx * c - dy * s), down = fabs(dx * s + dy * c);

    return fmin(f.width / 2. - across, f.height / 2. - down);
}

/* True if an upright window about the middle is inside the image. */
static bool is_inside(struct frame f, double degrees, int left, int top)
{
    return depth(f, degrees, left, top) > -1e-6 && depth(f, degrees, f.width - left, top) > -1e-6;
}

static int64_t largest_area(struct frame f, double degrees)
{
    int64_t largest = 0;

    for (int left = 0; 2 * left < f.width; left++)
        for (int top = 0; 2 * top < f.height; top++)
            if (is_inside(f, degrees, left, top)) {
                int64_t area = (int64_t)(f.width - 2 * left) * (f.height - 2 * top);

                largest = area > largest ? area : largest;
                break;
            }
    return largest;
}

/* Bilinear sampling of a pixel whose center is at least half a pixel inside the image takes no
 * pixel from outside. */
static int pixels_with_border(struct frame f, double degrees, const struct window *w)
{
    int n = 0;

    for (int y = w->top; y < w->top + w->height; y++)
        for (int x = w->left; x < w->left + w->width; x++)
            n += depth(f, degrees, x + 0.5, y + 0.5) < 0.5 - 1e-6;
    return n;
}

static void test_windows(void)
{
    static const struct frame frames[] = { { 64, 64 }, { 61, 61 },  { 97, 40 },  { 40, 97 },
                                           { 33, 32 }, { 120, 7 },  { 18, 113 }, { 50, 75 },
                                           { 9, 8 },   { 200, 150 } };

    for (size_t i = 0; i < COUNTOF(frames); i++)
        for (double degrees = -90; degrees <= 180; degrees += 0.375) {
            struct frame f = frames[i];
            struct window w = window_of(f, degrees);
            int64_t area = (int64_t)w.width * w.height, largest = largest_area(f, degrees);

            snprintf(unit_subject, sizeof unit_subject, "%dx%d by %g: %dx%d at %d, %d; largest: %d",
                     f.width, f.height, degrees, w.width, w.height, w.left, w.top, (int)largest);
            CHECK(w.left >= 0 && w.top >= 0 && w.left + w.width <= f.width &&
                  w.top + w.height <= f.height);
            if (largest > 0) {
                CHECK(pixels_with_border(f, degrees, &w) == 0);
                CHECK(area == largest);
            }
        }
    *unit_subject = 0;
}

static void test_right_angles(void)
{
    struct frame f = { 90, 64 };

    for (int i = -4; i <= 4; i++) {
        struct window w = window_of(f, 90 * i);

        CHECK(w.top == 0 && w.height == 64);
        CHECK(i % 2 ? w.left == 13 && w.width == 64 : w.left == 0 && w.width == 90);
    }
}

int main(void)
{
    static const struct unit_test tests[] = { TEST(test_windows), TEST(test_right_angles) };

    return unit_main(tests, COUNTOF(tests));
}
