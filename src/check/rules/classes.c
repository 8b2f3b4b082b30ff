/* classes: rules about images whose folders are their classes, and about the list of --classes. */
#include "batch/io/equal_files.h"
#include "check/rule.h"
#include "labels/shared/class_list.h"

#include <stdlib.h>
#include <string.h>

enum { NO_IMAGES, FEW, SEVERAL, NO_CLASS, UNLISTED };

static const struct rule rules[] = {
    [NO_IMAGES] = { "F001", "class-folder-empty", SEVERITY_WARNING, FIX_NONE,
                    "a class has no images",
                    "Its folder is empty or missing, or --classes names more classes than the "
                    "folders. torchvision's ImageFolder fails on an empty folder, and numbers the "
                    "classes without one that is missing.",
                    "Add images, or remove the class." },
    [FEW] = { "F002", "class-folder-small", SEVERITY_INFO, FIX_NONE,
              "a class has fewer than 10 images",
              "It is rare. Reported for folders with 100 images or more.",
              "Collect more images, or leave the class out." },
    [SEVERAL] = { "F003", "image-in-several-classes", SEVERITY_ERROR, FIX_NONE,
                  "two classes have files of the same bytes",
                  "An image was sorted twice, with different results, or was copied instead of "
                  "moved.",
                  "Keep the image in its right class." },
    [NO_CLASS] = { "F004", "image-without-class", SEVERITY_ERROR, FIX_NONE,
                   "an image is in no class folder",
                   "It was not sorted yet, or is a picture about the dataset.",
                   "Move it to the folder of its class, or out of the dataset." },
    [UNLISTED] = { "F005", "class-unlisted", SEVERITY_ERROR, FIX_NONE,
                   "a class is not in the list of --classes",
                   "Its name is spelled differently, or the list is of another version of the "
                   "dataset.",
                   "Rename the class, or add it to the list." },
    { 0 },
};

static void check_sizes(struct check *c, const struct annotation_file *file)
{
    enum { FEWEST = 10, SAID_OF = 100 };
    struct element e = element_of_file(file);

    for (size_t i = 0; i < file->n_categories; i++) {
        const struct checked_category *category = &file->categories[i];

        if (!category->n_annotations)
            rule_report(c, &rules[NO_IMAGES], &e, category->name, (struct slice){ 0 },
                        "the class \"%s\" has no images", category->name);
        else if (category->n_annotations < FEWEST && file->n_images >= SAID_OF)
            rule_report(c, &rules[FEW], &e, category->name, (struct slice){ 0 },
                        "the class \"%s\" has %u image%s of %zu", category->name,
                        category->n_annotations, category->n_annotations == 1 ? "" : "s",
                        file->n_images);
    }
}

/* --- equal images --- */

struct classes_state {
    uint32_t *class_of; /* by image; NOT_THERE: none */
};

static void check_image(struct check *c, const struct image_element *e, void *given)
{
    struct classes_state *state = given;
    const struct annotation_file *file = e->at.file;

    (void)c;
    if (!file->listed || !file->n_categories)
        return;
    if (!state->class_of)
        state->class_of = memory_take((file->n_images + 1) * sizeof *state->class_of);
    state->class_of[e->at.index] =
        e->labels.n ? (uint32_t)(e->labels.at->category - file->listed->categories) : NOT_THERE;
}

static void check_equal(struct check *c, const struct annotation_file *file,
                        const uint32_t *class_of)
{
    struct grouped_file *files = memory_take((file->n_images + 1) * sizeof *files);
    size_t n = 0;

    for (size_t i = 0; i < file->n_images; i++)
        if (class_of[i] != NOT_THERE)
            files[n++] = (struct grouped_file){ .root = file_root_of(file, i),
                                                .name = file->images[i].name,
                                                .group = class_of[i],
                                                .index = (uint32_t)i };
    equal_files_find(files, n);
    for (size_t i = 0; i < n; i++) {
        struct element e = element_of_image(file, files[i].index);

        if (files[i].first != NO_FILE)
            rule_report(c, &rules[SEVERAL], &e, NULL, (struct slice){ 0 },
                        "the image of the class \"%s\" is also \"%s\" of the class \"%s\"",
                        file->categories[files[i].group].name, files[files[i].first].name,
                        file->categories[files[files[i].first].group].name);
    }
    free(files);
}

/* --- the list of --classes --- */

static void check_list(struct check *c, const struct annotation_file *file)
{
    size_t found;

    for (size_t i = 0; i < file->n_categories; i++) {
        const struct checked_category *category = &file->categories[i];
        struct nearest near = { .word = category->name };
        struct element e = element_of_category(file, i);

        if (!category->n_annotations || class_list_find(file->classes, category->name, &found))
            continue;
        for (size_t k = 0; k < file->classes->n; k++)
            nearest_try(&near, file->classes->name[k]);
        rule_report(c, &rules[UNLISTED], &e, "name", pick_again(e.text, "name"),
                    "the class \"%s\" is not in %s%s", category->name, file->classes->file,
                    nearest_hint(&near, &c->arena));
    }
}

static void check_end(struct check *c, const struct annotation_file *file, void *given)
{
    struct classes_state *state = given;

    if (file->listed)
        check_sizes(c, file);
    else if (file->classes)
        check_list(c, file);
    if (state->class_of && c->options->level != CHECK_NO_IMAGES &&
        rule_is_selected(c, &rules[SEVERAL]))
        check_equal(c, file, state->class_of);
    free(state->class_of);
}

const struct rule_family classes_family = {
    .title = "classes",
    .rules = rules,
    .state = sizeof(struct classes_state),
    .tables = true,
    .image = check_image,
    .end = check_end,
};
