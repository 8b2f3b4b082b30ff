/* categories: rules about the names of categories. */
#include "check/rule.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { NO_NAME, SAME_NAME, ALIKE, NO_SUPER, ROOT, BACKGROUND };

static const struct rule rules[] = {
    [NO_NAME] = { "C001", "category-name-empty", SEVERITY_ERROR, FIX_NONE, "a category has no name",
                  "The exporter wrote numbers alone, or a name was deleted.", "Name it." },
    [SAME_NAME] = { "C002", "duplicate-category-name", SEVERITY_WARNING, FIX_NONE,
                    "two categories have the same name",
                    "Files were merged, or the categories differ only by their supercategory.",
                    "Join them, or put the difference into their names." },
    [ALIKE] = { "C003", "names-differ-by-case-or-space", SEVERITY_WARNING, FIX_NONE,
                "names of two categories differ only by case, blanks, hyphens or underscores",
                "Two people typed a label: \"traffic light\", \"Traffic_light\".",
                "Join the two categories." },
    [NO_SUPER] = { "C004", "supercategory-missing", SEVERITY_INFO, FIX_SAFE,
                   "a category has no supercategory",
                   "The exporter left it out. Few tools read it.",
                   "Add it, or write the category's own name." },
    [ROOT] = { "C005", "unannotated-root-category", SEVERITY_INFO, FIX_NONE,
               "a category is only the root of the others, without an annotation",
               "Roboflow adds one with the id 0 to every export. Code that counts categories "
               "then counts one class too many.",
               "Nothing: loaders of such exports expect it. Remove it for code that counts "
               "categories." },
    [BACKGROUND] = { "C010", "background-category", SEVERITY_WARNING, FIX_NONE,
                     "a category is the background",
                     "labelme writes one for pixels without an object. Detectors have a "
                     "background of their own.",
                     "Remove the category and its annotations." },
    { 0 },
};

static bool is_background(const char *name)
{
    static const char *const words[] = { "background", "__background__", "_background_" };

    for (size_t i = 0; i < COUNTOF(words); i++)
        if (strcasecmp(name, words[i]) == 0)
            return true;
    return false;
}

static void check_category(struct check *c, const struct category_element *e, void *state)
{
    const struct pick *name = &e->pick[CATEGORY_NAME], *super = &e->pick[CATEGORY_SUPERCATEGORY];
    struct finding *f;

    (void)state;
    if (!*e->category->name && !e->at.file->labels) /* YOLO's numbers may have gaps */
        rule_report_plain(c, &rules[NO_NAME], &e->at, "name", name->value, "there is no name");
    if (is_background(e->category->name))
        rule_report_plain(c, &rules[BACKGROUND], &e->at, "name", name->value,
                          "this is the background");
    if (super->value.at || e->at.file->labels)
        return;
    f = rule_report_plain(c, &rules[NO_SUPER], &e->at, "supercategory", super->null,
                          super->null.at ? "supercategory is null" : "supercategory is missing");
    if (c->options->fixes && super->null.at && name->value.at)
        finding_replace(c, f, super->null, "%.*s", (int)name->value.length, name->value.at);
    else if (c->options->fixes && name->value.at)
        finding_add_member(c, f, e->at.text, "\"supercategory\": %.*s", (int)name->value.length,
                           name->value.at);
}

/* --- names of other categories --- */

/* A name normalized: lower case, without characters that join its words. */
struct normalized_name {
    char *words;
    const char *name;
    uint32_t index;
};

static int by_words(const void *a, const void *b)
{
    const struct normalized_name *x = a, *y = b;
    int order = strcmp(x->words, y->words);

    return order ? order : (x->index > y->index) - (x->index < y->index);
}

static char *mean(struct arena *arena, const char *name)
{
    char *words = arena_copy(arena, name, strlen(name)), *to = words;

    for (const char *at = words; *at; at++)
        if (!strchr(" \t_-", *at))
            *to++ = *at >= 'A' && *at <= 'Z' ? (char)(*at - 'A' + 'a') : *at;
    *to = '\0';
    return words;
}

static void check_names(struct check *c, const struct annotation_file *file)
{
    struct normalized_name *names = memory_take((file->n_categories + 1) * sizeof *names);
    struct arena arena = { 0 };

    for (size_t i = 0; i < file->n_categories; i++)
        names[i] = (struct normalized_name){ mean(&arena, file->categories[i].name),
                                             file->categories[i].name, (uint32_t)i };
    qsort(names, file->n_categories, sizeof *names, by_words);
    for (size_t i = 1; i < file->n_categories; i++) {
        const struct normalized_name *before = &names[i - 1];
        struct element e = element_of_category(file, names[i].index);
        bool same = strcmp(before->name, names[i].name) == 0;

        if (category_is_root(file, before->index) || category_is_root(file, names[i].index))
            continue;
        if (*names[i].words && strcmp(before->words, names[i].words) == 0 &&
            (file->labels ||
             !coco_elements_are_equal(e.text, element_of_category(file, before->index).text)))
            rule_report(c, &rules[same ? SAME_NAME : ALIKE], &e, "name", pick_again(e.text, "name"),
                        "categories[%lu] has the name \"%s\"", (unsigned long)before->index,
                        before->name);
    }
    arena_drop(&arena);
    free(names);
}

/* Reports root categories of a file with objects. */
static void check_root(struct check *c, const struct annotation_file *file)
{
    for (size_t i = 0; i < file->n_categories; i++) {
        struct element e = element_of_category(file, i);

        if (category_is_root(file, i) && file->n_annotations)
            rule_report(c, &rules[ROOT], &e, NULL, (struct slice){ 0 },
                        "\"%s\" is the supercategory of others, and has no annotation",
                        file->categories[i].name);
    }
}

static void check_end(struct check *c, const struct annotation_file *file, void *state)
{
    (void)state;
    check_names(c, file);
    check_root(c, file);
}

const struct rule_family categories_family = {
    .title = "categories",
    .rules = rules,
    .labels = true,
    .category = check_category,
    .end = check_end,
};
