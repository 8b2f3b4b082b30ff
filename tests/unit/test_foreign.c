/* test_foreign: the table of other libraries' names: each replacement is a step that can be read,
 * and each near name exists. */
#include "migrate/aliases/foreign.h"
#include "plan/plan.h"

#include "unit.h"

#include <ctype.h>
#include <string.h>

/* With a step, or as many as it takes, where steps are left out. */
static void fill_steps(const char *json, struct text *out)
{
    const char *gap = strstr(json, "[...]");

    text_add(out, json, gap ? (size_t)(gap - json) : strlen(json));
    if (gap) {
        text_adds(out, strstr(json, "OneOrOther")
                           ? "[{\"type\": \"invert\"}, {\"type\": \"invert\"}]"
                           : "[{\"type\": \"invert\"}]");
        text_adds(out, gap + strlen("[...]"));
    }
}

static bool can_read(const char *json, struct arena *arena)
{
    struct text whole = { 0 };
    struct step step = { 0 };
    bool good;

    fill_steps(json, &whole);
    good = step_read_text(arena_copy(arena, text_string(&whole), whole.length), arena, &step);
    text_drop(&whole);
    return good;
}

static void test_steps(void)
{
    const struct foreign_name *f;

    for (size_t i = 0; (f = foreign_at(i)); i++) {
        struct arena arena = { 0 };
        struct text json = { 0 };

        if (f->step) {
            foreign_translate(f, NULL, &json);
            if (!CHECK(can_read(text_string(&json), &arena)))
                fprintf(stderr, "    %s: %s\n", f->name, text_string(&json));
        }
        text_drop(&json);
        arena_drop(&arena);
    }
}

/* "the nearest is GaussianBlur": words with a capital that are not the first of a sentence. */
static void test_remarks(void)
{
    const struct foreign_name *f;

    for (size_t i = 0; (f = foreign_at(i)); i++) {
        const char *at = strstr(f->remark, "nearest ");

        CHECK(f->step || *f->remark);
        for (; at && *at; at += strcspn(at, " ,"), at += strspn(at, " ,")) {
            char word[64] = { 0 };

            if (!isupper((unsigned char)*at))
                continue;
            memcpy(word, at, strcspn(at, " ,"));
            if (!CHECK(registry_transform(word)))
                fprintf(stderr, "    %s: %s\n", f->name, word);
        }
    }
}

/* Checks the step that a foreign step becomes, with its parameters. */
static void test_parameters(void)
{
    static const char *const cases[][2] = {
        { "{\"type\": \"RandomCrop\", \"height\": 20, \"width\": 30}",
          "{\"type\": \"RandomCrop\", \"size\": [20, 30]}" },
        { "{\"type\": \"GaussNoise\", \"var_limit\": [25, 25]}",
          "{\"type\": \"GaussNoise\", \"var_limit\": [25, 25], \"mean_range\": [0, 0], \"p\": "
          "0.5}" },
        { "{\"type\": \"IAAAdditiveGaussianNoise\", \"scale\": [5.1, 10.2]}",
          "{\"type\": \"GaussNoise\", \"std_range\": [0.02, 0.04], \"mean_range\": [0, 0], "
          "\"per_channel\": false, \"p\": 0.5}" },
        { "{\"type\": \"GaussianBlur\", \"blur_limit\": [4, 8], \"sigma_limit\": 0}",
          "{\"type\": \"GaussianBlur\", \"blur_limit\": [5, 9], \"sigma\": null, \"p\": 0.5}" },
        { "{\"type\": \"GaussianBlur\", \"blur_limit\": 0, \"sigma_limit\": [0, 2]}",
          "{\"type\": \"GaussianBlur\", \"blur_limit\": null, \"sigma\": [0.001, 2], \"p\": 0.5}" },
        { "{\"type\": \"CoarseDropout\", \"max_holes\": 3, \"max_height\": 9, \"max_width\": 5, "
          "\"min_width\": 2}",
          "{\"type\": \"CoarseDropout\", \"num_holes_range\": [3, 3], \"hole_height_range\": [9, "
          "9], \"hole_width_range\": [2, 5], \"fill\": 0, \"p\": 0.5}" },
        { "{\"type\": \"Affine\", \"scale\": {\"x\": [0.5, 1], \"y\": 1}, \"translate_percent\": "
          "{\"x\": [-0.1, 0.2]}, \"rotate\": 9, \"shear\": 3}",
          "{\"type\": \"Affine\", \"scale\": [0.5, 1, 1, 1], \"translate_percent\": [-0.1, 0.2, 0, "
          "0], "
          "\"translate_px\": null, \"rotate\": [9, 9], \"shear\": 3, \"p\": 0.5}" },
        { "{\"type\": \"Affine\", \"mode\": 4, \"cval\": 7, \"fit_output\": true}",
          "{\"type\": \"Affine\", \"scale\": [1, 1], \"translate_percent\": null, "
          "\"translate_px\": null, \"rotate\": [0, 0], \"shear\": [0, 0], \"fill\": 7, "
          "\"fill_mask\": 0, \"padding_mode\": \"reflect\", \"p\": 0.5, \"fit_output\": true}" },
        { "{\"type\": \"Crop\", \"x_min\": 5, \"x_max\": 25, \"y_max\": 9}",
          "{\"type\": \"crop\", \"top\": 0, \"left\": 5, \"height\": 9, \"width\": 20}" },
        { "{\"type\": \"LetterBox\", \"new_shape\": [320, 640], \"scaleup\": false}",
          "{\"type\": \"LetterBox\", \"size\": [320, 640], \"scaleup\": false, "
          "\"antialias\": false}" },
    };

    for (size_t i = 0; i < COUNTOF(cases); i++) {
        struct arena arena = { 0 };
        struct text json = { 0 };
        struct faults faults = { .name = "case", .text = { cases[i][0], strlen(cases[i][0]) } };
        const struct value *step = value_parse(&faults, &arena);
        const struct foreign_name *f = foreign_find(value_get(step, "type")->text, step);

        if (CHECK(f && f->step)) {
            foreign_translate(f, step, &json);
            if (!CHECK(strcmp(text_string(&json), cases[i][1]) == 0))
                fprintf(stderr, "    %s\n", text_string(&json));
            CHECK(can_read(text_string(&json), &arena));
        }
        text_drop(&json);
        faults_drop(&faults);
        arena_drop(&arena);
    }
}

int main(void)
{
    static const struct unit_test tests[] = {
        TEST(test_steps),
        TEST(test_remarks),
        TEST(test_parameters),
    };

    return unit_main(tests, COUNTOF(tests));
}
