/* image_entries: rules about the list of images: names and sizes, without the images' files. */
#include "check/rule.h"

#include "base/files.h"
#include "labels/coco/images.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { ESCAPES, BAD_SIZE, SAME_NAME, SAME_BUT_CASE, NOT_PORTABLE, ZERO_SIZE };

static const struct rule rules[] = {
    [ESCAPES] = { "I002", "file-name-escapes-root", SEVERITY_ERROR, FIX_NONE,
                  "a file name is not a plain path below the folder of the images",
                  "The exporter wrote an absolute path, a URL, or one with \"..\" or backslashes.",
                  "Write the path below the folder of the images, with slashes." },
    [BAD_SIZE] = { "I015", "json-size-not-positive", SEVERITY_ERROR, FIX_NONE,
                   "the width or height of an image is not a size",
                   "The exporter did not read the image, and wrote 0 or -1.",
                   "Write the size of the image's file." },
    [SAME_NAME] = { "I023", "duplicate-file-name", SEVERITY_ERROR, FIX_NONE,
                    "two images have the same file name",
                    "Files were merged, or the folders were removed from the images' names.",
                    "Join the two images, or write the folders into the names." },
    [SAME_BUT_CASE] = { "I024", "names-differ-by-case", SEVERITY_WARNING, FIX_NONE,
                        "file names of two images differ only by case",
                        "On Windows and macOS they are the same file.", "Rename one of them." },
    [NOT_PORTABLE] = { "I029", "non-portable-name", SEVERITY_WARNING, FIX_NONE,
                       "a file name cannot be used on every system",
                       "It has a character of < > \" | ? *, a part that ends with a blank or "
                       "a dot, or is named like a device of Windows, such as aux.jpg.",
                       "Rename the file." },
    [ZERO_SIZE] = { "I030", "json-size-zero", SEVERITY_WARNING, FIX_NONE,
                    "the width and height of an image are 0",
                    "The exporter did not read the image. run reads the size from its file.",
                    "Write the size of the image's file." },
    { 0 },
};

static bool is_device(const char *part, size_t length)
{
    static const char *const names[] = { "con", "prn", "aux", "nul" };
    const char *dot = memchr(part, '.', length);
    size_t stem = dot ? (size_t)(dot - part) : length;

    for (size_t i = 0; i < COUNTOF(names); i++)
        if (stem == 3 && strncasecmp(part, names[i], 3) == 0)
            return true;
    return stem == 4 && (strncasecmp(part, "com", 3) == 0 || strncasecmp(part, "lpt", 3) == 0) &&
           part[3] >= '1' && part[3] <= '9';
}

static bool is_portable(const char *name)
{
    for (const char *part = name;; part++) {
        size_t length = strcspn(part, "/");

        if (strcspn(part, "<>\"|?*") < length || is_device(part, length) ||
            (length && (part[length - 1] == ' ' || part[length - 1] == '.')))
            return false;
        part += length;
        if (!*part)
            return true;
    }
}

static void check_side(struct check *c, const struct image_element *e, const struct pick *pick)
{
    unsigned set = 0;
    int64_t side = 0;

    if (!pick->value.at)
        return;
    if (!whole_read(pick->value, &side, &set) || side < 1 || side > INT_MAX)
        rule_report_plain(c, &rules[BAD_SIZE], &e->at, pick->name, pick->value,
                          "expected the side of an image, an integer of at least 1");
}

static void check_size(struct check *c, const struct image_element *e, const struct pick *width,
                       const struct pick *height)
{
    const struct pick *stated = width->value.at ? width : height;

    if (coco_size_is_zero(width, height)) {
        rule_report_plain(c, &rules[ZERO_SIZE], &e->at, stated->name, stated->value,
                          "width and height are 0");
        return;
    }
    check_side(c, e, width);
    check_side(c, e, height);
}

/* Names on this system may contain characters with a meaning on other systems. */
static bool is_allowed(const struct annotation_file *file, const char *name, const char **why)
{
    if (!file->labels && !file->listed)
        return name_is_safe(name, why);
    *why = NAME_UTF8_FAULT;
    return text_is_utf8(name) && name_is_possible(name, why);
}

static void check_image(struct check *c, const struct image_element *e, void *state)
{
    const char *name = e->image->name, *why = "";
    struct slice at = e->pick[IMAGE_FILE_NAME].value;

    (void)state;
    check_size(c, e, &e->pick[IMAGE_WIDTH], &e->pick[IMAGE_HEIGHT]);
    if (!*name && at.at && *at.at == '"')
        rule_report_plain(c, &rules[ESCAPES], &e->at, "file_name", at, "the name is empty");
    if (!*name)
        return;
    if (!is_allowed(e->at.file, e->image->path, &why))
        rule_report(c, &rules[ESCAPES], &e->at, "file_name", at, "%s", why);
    else if (!is_portable(e->image->path))
        rule_report_plain(c, &rules[NOT_PORTABLE], &e->at, "file_name", at,
                          "the name cannot be used on every system");
}

/* --- names of other images --- */

static int by_case(const void *a, const void *b)
{
    const struct checked_image *x = *(const struct checked_image *const *)a;
    const struct checked_image *y = *(const struct checked_image *const *)b;
    int order = strcasecmp(x->path, y->path);

    if (!order)
        order = strcmp(x->path, y->path);
    return order ? order : (x > y) - (x < y);
}

static void report_pair(struct check *c, const struct annotation_file *file,
                        const struct checked_image *before, const struct checked_image *image)
{
    bool same = strcmp(before->path, image->path) == 0;
    size_t index = (size_t)(image - file->images);
    struct element e = element_of_image(file, index);
    struct slice at = pick_again(e.text, "file_name");

    if (same && !file->labels &&
        coco_elements_are_equal(e.text,
                                element_of_image(file, (size_t)(before - file->images)).text))
        return; /* rule D012 reports this */
    if (at.at == e.text.at)
        at = (struct slice){ 0 };
    if (same)
        rule_report(c, &rules[SAME_NAME], &e, "file_name", at, "images[%zu] has this name already",
                    (size_t)(before - file->images));
    else
        rule_report(c, &rules[SAME_BUT_CASE], &e, "file_name", at,
                    "images[%zu] has the name \"%s\"", (size_t)(before - file->images),
                    before->name);
}

static void check_end(struct check *c, const struct annotation_file *file, void *state)
{
    const struct checked_image **sorted =
        memory_take((file->n_images + 1) * sizeof(struct checked_image *));

    (void)state;
    for (size_t i = 0; i < file->n_images; i++)
        sorted[i] = &file->images[i];
    qsort(sorted, file->n_images, sizeof *sorted, by_case);
    for (size_t i = 1; i < file->n_images; i++)
        if (*sorted[i]->path && strcasecmp(sorted[i - 1]->path, sorted[i]->path) == 0)
            report_pair(c, file, sorted[i - 1], sorted[i]);
    free(sorted);
}

const struct rule_family image_entries_family = {
    .title = "list of images",
    .rules = rules,
    .labels = true,
    .tables = true,
    .image = check_image,
    .end = check_end,
};
