/* test_fast: what each shortcut of mode fast changes stays within the bound that is told of it, on
 * photographs; and label masks differ only next to edges. */
#include "random_step.h"
#include "render_plane.h"
#include "unit.h"

#include "../../src/plan/shortcut.h"

#include <stdlib.h>
#include <string.h>

enum { DRAWS = 60, PLENTY = 1 << 24 };

static struct pool pool;
static struct arena arena;

/* --- photographs --- */

static struct text file_of(const char *path)
{
    struct text bytes = { 0 };
    FILE *f = fopen(path, "rb");
    char piece[4096];

    for (size_t n; f && (n = fread(piece, 1, sizeof piece, f)) > 0;)
        text_add(&bytes, piece, n);
    CHECK(f && bytes.length);
    if (f)
        fclose(f);
    return bytes;
}

static struct picture read_by(const struct text *bytes, const struct picture_wish *wish)
{
    struct picture p = { .plane = { 0 } };
    struct text why = { 0 };

    CHECK(picture_read((struct slice){ bytes->at, bytes->length }, &pool, PLENTY, wish, &p, &why));
    text_drop(&why);
    return p;
}

static struct text jpeg_of(const struct picture *p)
{
    struct picture_options options = { .format = PICTURE_JPEG, .quality = 95 };
    struct text bytes = { 0 }, why = { 0 };

    CHECK(picture_write(p, &options, &bytes, &why));
    text_drop(&why);
    return bytes;
}

/* --- comparing --- */

static double psnr(const struct plane *a, const struct plane *b)
{
    double sum = 0, n = (double)a->width * a->height * a->bands;

    if (!CHECK(a->width == b->width && a->height == b->height && a->bands == b->bands))
        return 0;
    for (int y = 0; y < a->height; y++)
        for (int i = 0; i < a->width * a->bands; i++) {
            double d = ((uint8_t *)a->px)[(size_t)y * a->stride + (size_t)i] -
                       ((uint8_t *)b->px)[(size_t)y * b->stride + (size_t)i];

            sum += d * d;
        }
    return sum > 0 ? 10 * log10(255 * 255 * n / sum) : 99;
}

/* --- a shortcut --- */

struct shot {
    enum shortcut_kind kind;
    bool jpeg; /* from JPEG to JPEG, else to PNG */
    bool jpeg_to_png;
    const char *steps;
};

static const struct shot shots[] = {
    { SHORTCUT_ONE_RESAMPLE, false, false,
      "{\"type\": \"RandomRotation\", \"degrees\": 20, \"interpolation\": \"bilinear\"},"
      "{\"type\": \"RandomAffine\", \"degrees\": 10, \"translate\": [0.1, 0.1], \"scale\": [0.9, "
      "1.2],"
      " \"shear\": 5, \"interpolation\": \"bilinear\"}" },
    { SHORTCUT_ONE_RESAMPLE, false, false,
      "{\"type\": \"RandomResizedCrop\", \"size\": [64, 96]},"
      "{\"type\": \"RandomRotation\", \"degrees\": 10, \"interpolation\": \"bilinear\"}" },
    { SHORTCUT_ONE_RESAMPLE, false, false,
      "{\"type\": \"Resize\", \"size\": [30, 40]}, {\"type\": \"RandomHorizontalFlip\"},"
      "{\"type\": \"RandomRotation\", \"degrees\": 30, \"interpolation\": \"bilinear\"}" },
    { SHORTCUT_LINEAR_COLOURS, false, false,
      "{\"type\": \"ColorJitter\", \"saturation\": 0.5, \"hue\": 0.05},"
      "{\"type\": \"RandomHorizontalFlip\"}" },
    { SHORTCUT_LINEAR_COLOURS, false, false,
      "{\"type\": \"ColorJitter\", \"brightness\": 0.3, \"saturation\": 0.3},"
      "{\"type\": \"RandomRotation\", \"degrees\": 10, \"interpolation\": \"bilinear\", \"fill\": "
      "90}" },
    { SHORTCUT_LINEAR_COLOURS, false, false, /* the fill is not inverted */
      "{\"type\": \"invert\"}, {\"type\": \"RandomRotation\", \"degrees\": 20, \"interpolation\": "
      "\"bilinear\", \"fill\": 220}" },
    { SHORTCUT_SAMPLED_MEAN, false, false,
      "{\"type\": \"RandomRotation\", \"degrees\": 20, \"interpolation\": \"bilinear\"},"
      "{\"type\": \"ColorJitter\", \"contrast\": 0.5}" },
    { SHORTCUT_DECODER_SCALE, false, true, "{\"type\": \"Resize\", \"size\": [22, 28]}" },
    { SHORTCUT_DECODER_SCALE, false, true,
      "{\"type\": \"RandomResizedCrop\", \"size\": [12, 14], \"scale\": [0.5, 1]}" },
    { SHORTCUT_PLANES, true, false,
      "{\"type\": \"RandomHorizontalFlip\"},"
      "{\"type\": \"ColorJitter\", \"brightness\": 0.2, \"contrast\": 0.2}" },
    { SHORTCUT_PLANES, true, false,
      "{\"type\": \"RandomRotation\", \"degrees\": 20, \"interpolation\": \"bilinear\"}" },
    { SHORTCUT_LINEAR_COLOURS, false, false,
      "{\"type\": \"ToSepia\", \"p\": 1}, {\"type\": \"ColorJitter\", \"saturation\": 0.2},"
      "{\"type\": \"RandomHorizontalFlip\"}" },
    { SHORTCUT_LINEAR_COLOURS, false, false,
      "{\"type\": \"RGBShift\", \"p\": 1}, {\"type\": \"PlanckianJitter\", \"mode\": \"cied\", "
      "\"p\": 1},"
      "{\"type\": \"RandomRotation\", \"degrees\": 10, \"interpolation\": \"bilinear\"}" },
    { SHORTCUT_PLANES, true, false,
      "{\"type\": \"RandomBrightnessContrast\", \"p\": 1, \"contrast_limit\": 0.5}" },
    { SHORTCUT_PLANES, true, false, /* bands that differ by less than chroma tells */
      "{\"type\": \"RGBShift\", \"r_shift_limit\": 0.4, \"g_shift_limit\": 0.4, \"b_shift_limit\": "
      "0.4, "
      "\"p\": 1},"
      "{\"type\": \"RandomBrightnessContrast\", \"p\": 1}, {\"type\": \"RandomHorizontalFlip\"}" },
    { SHORTCUT_LINEAR_COLOURS, true, false,
      "{\"type\": \"ColorJitter\", \"saturation\": 0.5, \"hue\": 0.05}" },
};

static bool plan_of(const char *steps, struct plan *plan)
{
    struct text json = { 0 };
    struct faults faults = { .name = "test" };
    bool good;

    text_addf(&json, "{\"version\": 1, \"transforms\": [%s]}", steps);
    faults.text = (struct slice){ json.at, json.length };
    good = plan_read(&faults, plan);
    if (!good)
        faults_print(&faults, 3, &json);
    if (!CHECK(good))
        fputs(text_string(&json), stderr);
    faults_drop(&faults);
    text_drop(&json);
    return good;
}

static struct plane rendered(const struct drawing *drawing, enum optimize how,
                             const struct text *bytes, bool jpegs, unsigned *used)
{
    struct passes passes = passes_of(drawing, how, &arena, NULL);
    struct picture source, out;
    struct picture_wish wish;
    struct text why = { 0 }, again;
    struct plane plane;

    render_wish(drawing, &passes, jpegs, &wish);
    *used = shortcuts_of(drawing, &passes, &wish);
    source = read_by(bytes, &wish);
    CHECK(render_image(drawing, &passes, &source, SUBSAMPLING_420, &pool, &arena, &out, &why));
    if (jpegs) { /* what a reader of the file sees */
        struct picture seen;

        again = jpeg_of(&out);
        seen = read_by(&again, NULL);
        plane =
            pool_plane(&pool, (struct frame){ seen.plane.width, seen.plane.height }, 3, PIXEL_U8);
        plane_copy(&seen.plane, &plane);
        picture_drop(&seen, &pool);
        text_drop(&again);
    } else {
        plane = pool_plane(&pool, (struct frame){ out.plane.width, out.plane.height }, 3, PIXEL_U8);
        plane_copy(&out.plane, &plane);
    }
    render_drop(&out, &source, &pool);
    picture_drop(&source, &pool);
    text_drop(&why);
    return plane;
}

/* One draw; how near fast comes to none. */
static double one_draw(const struct shot *shot, const struct plan *plan, uint64_t key,
                       const struct text *bytes, struct frame frame, unsigned *used)
{
    struct sample sample = { .arena = &arena, .frame = frame };
    struct drawing drawing;
    struct text why = { 0 };
    struct plane none, fast;
    double near = 99;
    unsigned unused;

    *used = 0;
    if (CHECK(plan_apply(plan, &(struct lot){ .seed = key }, (struct pixel_kind){ PIXEL_U8, 3 },
                         &sample, &drawing, &why))) {
        none = rendered(&drawing, OPTIMIZE_NONE, bytes, shot->jpeg, &unused);
        fast = rendered(&drawing, OPTIMIZE_FAST, bytes, shot->jpeg, used);
        near = psnr(&none, &fast);
        pool_return(&pool, &none);
        pool_return(&pool, &fast);
    }
    text_drop(&why);
    arena_reset(&arena);
    return near;
}

static void shoot(const struct shot *shot, const char *path, double *worst, int *times)
{
    struct text bytes = file_of(path);
    struct picture p = read_by(&bytes, NULL);
    struct plan plan;

    if (shot->jpeg || shot->jpeg_to_png) {
        text_drop(&bytes);
        bytes = jpeg_of(&p);
    }
    if (plan_of(shot->steps, &plan))
        for (int i = 0; i < DRAWS; i++) {
            unsigned used;
            double near = one_draw(shot, &plan, (uint64_t)i * 7919 + 1, &bytes, p.full, &used);

            if (!(used & 1U << shot->kind))
                continue;
            *worst = fmin(*worst, near);
            ++*times;
        }
    plan_drop(&plan);
    picture_drop(&p, &pool);
    text_drop(&bytes);
}

static void test_bounds(void)
{
    for (size_t i = 0; i < COUNTOF(shots); i++) {
        const struct shortcut *s = &shortcuts[shots[i].kind];
        double worst = 99;
        int times = 0;

        shoot(&shots[i], "tests/golden/img/in_photo_a.png", &worst, &times);
        shoot(&shots[i], "tests/golden/img/in_photo_b.png", &worst, &times);
        printf("# %-15s %3d draws, PSNR %.1f dB at the least; told: %.0f\n", s->name, times, worst,
               s->psnr);
        CHECK(times > DRAWS / 2);
        if (!CHECK(worst >= s->psnr))
            fprintf(stderr, "    %s\n", shots[i].steps);
    }
}

/* --- label masks --- */

enum { MASK_PIPELINES = 200, MOST_MOVES = 3 };

/* Is there another label, or the canvas's end, in one of the eight pixels around? */
static bool is_at_edge(const struct plane *p, int x, int y)
{
    uint8_t label = ((uint8_t *)p->px)[(size_t)y * p->stride + (size_t)x];

    for (int i = y - 1; i <= y + 1; i++)
        for (int j = x - 1; j <= x + 1; j++)
            if (i < 0 || j < 0 || i >= p->height || j >= p->width ||
                ((uint8_t *)p->px)[(size_t)i * p->stride + (size_t)j] != label)
                return true;
    return false;
}

/* Pixels that differ where not both have an edge. */
static int far_off(const struct plane *a, const struct plane *b)
{
    int n = 0;

    for (int y = 0; y < a->height; y++)
        for (int x = 0; x < a->width; x++)
            n += ((uint8_t *)a->px)[(size_t)y * a->stride + (size_t)x] !=
                     ((uint8_t *)b->px)[(size_t)y * b->stride + (size_t)x] &&
                 !(is_at_edge(a, x, y) && is_at_edge(b, x, y));
    return n;
}

/* Large labels, so that a pixel is within one of an edge or within none. */
static struct plane labels(struct frame f)
{
    struct plane p = pool_plane(&pool, f, 1, PIXEL_U8);

    for (int y = 0; y < f.height; y++)
        for (int x = 0; x < f.width; x++)
            ((uint8_t *)p.px)[(size_t)y * p.stride + (size_t)x] =
                (uint8_t)(1 + x / 40 + 4 * (y / 40));
    return p;
}

/* Steps that keep sizes about: each nearest step of mode none is off by half a pixel of its own, so
 * that what is compared must not be enlarged by the next. */
static void mask_pipeline(struct text *steps)
{
    static const char *const step[] = {
        "{\"type\": \"RandomRotation\", \"degrees\": 40, \"fill_mask\": 99}",
        "{\"type\": \"RandomAffine\", \"degrees\": 10, \"scale\": [1, 1.2], \"fill_mask\": 99}",
        "{\"type\": \"RandomHorizontalFlip\"}",
        "{\"type\": \"RandomVerticalFlip\"}",
        "{\"type\": \"pad\", \"padding\": [3, 9, 5, 1], \"fill_mask\": 99}",
        "{\"type\": \"crop\", \"top\": 11, \"left\": 7, \"height\": 101, \"width\": 120}",
    };
    int turns = 0;

    for (int n = unit_int(2, MOST_MOVES + 1), i = 0; i < n; i++) {
        int k = unit_int(turns < 2 ? 0 : 2, 5);

        turns += k < 2;
        text_addf(steps, "%s%s", i ? ", " : "", step[k]);
    }
}

static void test_masks(void)
{
    struct frame frame = { 160, 120 };
    struct plane source = labels(frame);
    long differ = 0;

    for (int i = 0; i < MASK_PIPELINES; i++) {
        struct text steps = { 0 }, why = { 0 };
        struct sample sample = { .arena = &arena, .frame = frame };
        struct drawing drawing;
        struct plane none, fast;
        struct plan plan;

        mask_pipeline(&steps);
        if (plan_of(text_string(&steps), &plan) &&
            CHECK(plan_apply(&plan, &(struct lot){ .seed = (uint64_t)i },
                             (struct pixel_kind){ PIXEL_U8, 3 }, &sample, &drawing, &why))) {
            render_mask(&drawing, OPTIMIZE_NONE, &source, &pool, &arena, &none);
            render_mask(&drawing, OPTIMIZE_FAST, &source, &pool, &arena, &fast);
            if (!CHECK(far_off(&none, &fast) == 0))
                fprintf(stderr, "    %d pixels: %s\n", far_off(&none, &fast), text_string(&steps));
            differ += psnr(&none, &fast) < 99;
            if (none.px != source.px)
                pool_return(&pool, &none);
            if (fast.px != source.px)
                pool_return(&pool, &fast);
        }
        plan_drop(&plan);
        text_drop(&steps);
        text_drop(&why);
        arena_reset(&arena);
    }
    printf(
        "# label masks of %d pipelines, %ld of them not the same; no label off by over a pixel\n",
        MASK_PIPELINES, differ);
    CHECK(differ > 0);
    pool_return(&pool, &source);
}

int main(void)
{
    static const struct unit_test tests[] = {
        TEST(test_bounds),
        TEST(test_masks),
    };
    int status = unit_main(tests, COUNTOF(tests));

    pool_drop(&pool);
    arena_drop(&arena);
    return status;
}
