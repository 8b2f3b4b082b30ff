/* lvis: rules about members that LVIS adds to COCO. They list categories that an image does not
 * show, or whose objects are not all labelled, and how frequent categories are. A file belongs to
 * LVIS if an image has "neg_category_ids" or "not_exhaustive_category_ids". */
#include "check/rule.h"

#include "base/number.h"

#include <stdlib.h>
#include <string.h>

enum { POSITIVE, FREQUENCY, UNKNOWN, BOTH, WRONG_TYPE };

static const struct rule rules[] = {
    [POSITIVE] = { "N001", "negative-category-annotated", SEVERITY_WARNING, FIX_NONE,
                   "an image has objects of a category that is not in it",
                   "The image's neg_category_ids say that there are no objects of the "
                   "category, but the annotations have some. Labels were added or "
                   "merged later, but the lists of the images were not changed.",
                   "Remove the id from neg_category_ids, or the annotations that are wrong." },
    [FREQUENCY] = { "N002", "frequency-differs", SEVERITY_WARNING, FIX_NONE,
                    "the frequency of a category is lower than its image_count says",
                    "Images were added, and only one of the two was computed again. LVIS calls "
                    "categories with 1 to 10 images rare (r), up to 100 common (c), others "
                    "frequent "
                    "(f); its evaluation averages over each group. The frequency is from the "
                    "training "
                    "set: a part of it may have fewer images. A category cannot have fewer "
                    "objects (instance_count) than images.",
                    "Compute image_count, instance_count and frequency from the training set." },
    [UNKNOWN] = { "N003", "image-category-unknown", SEVERITY_WARNING, FIX_NONE,
                  "neg_category_ids or not_exhaustive_category_ids has an unknown category id",
                  "Categories were removed or numbered again without the lists of the images.",
                  "Remove the id, or add the category." },
    [BOTH] = { "N004", "negative-and-not-exhaustive", SEVERITY_WARNING, FIX_NONE,
               "a category is in both lists of an image",
               "neg_category_ids say that no object of it is in the image, "
               "not_exhaustive_category_ids that not all of them are labelled.",
               "Remove the id from the list that is wrong." },
    [WRONG_TYPE] = { "N005", "image-category-list-wrong", SEVERITY_WARNING, FIX_NONE,
                     "neg_category_ids or not_exhaustive_category_ids is not a list of ids",
                     "A single id was written without a list, or names instead of ids.",
                     "Write a list of category ids, such as [3, 17] or []." },
    { 0 },
};

static const char *const lists[] = { "neg_category_ids", "not_exhaustive_category_ids" };

/* An id of an image's neg_category_ids. */
struct negative {
    int64_t id;
    uint32_t image;
    uint32_t length;
    uint64_t offset;
    bool annotated;
};

struct lvis_state {
    struct pile negatives; /* struct negative, sorted before the first annotation */
    bool sorted;
};

/* --- images --- */

static void check_id(struct check *c, const struct image_element *e, const char *list,
                     struct slice at, int64_t id)
{
    const struct annotation_file *file = e->at.file;

    if (file->sure_categories && file->n_categories && categories_lack(&file->lookup, id))
        rule_report(c, &rules[UNKNOWN], &e->at, list, at, "no category has the id %lld",
                    (long long)id);
}

/* Reads the ids of a list; stores them for neg_category_ids. */
static void read_list(struct check *c, const struct image_element *e, const char *list,
                      struct slice value, struct pile *to)
{
    struct scan s = scan_again(value, 0);
    struct slice element;
    bool first = true;

    if (*value.at != '[') {
        rule_report(c, &rules[WRONG_TYPE], &e->at, list, value, "expected a list of ids");
        return;
    }
    scan_open(&s, '[');
    while (scan_element(&s, &first) && scan_value(&s, &element)) {
        struct negative *negative;
        int64_t id;

        if (number_scan_integer(element, &id) != element.length) {
            rule_report(c, &rules[WRONG_TYPE], &e->at, list, element, "expected an id");
            continue;
        }
        check_id(c, e, list, element, id);
        negative = pile_add(to, sizeof *negative);
        *negative = (struct negative){ .id = id,
                                       .image = e->at.index,
                                       .length = (uint32_t)element.length,
                                       .offset = (uint64_t)(element.at - e->at.file->text.at) };
    }
}

static bool has_id(const struct negative *all, size_t n, int64_t id)
{
    for (size_t i = 0; i < n; i++)
        if (all[i].id == id)
            return true;
    return false;
}

static void check_image(struct check *c, const struct image_element *e, void *given)
{
    struct lvis_state *state = given;
    struct pile *negatives = &state->negatives, open = { 0 };
    size_t before = negatives->n;
    const struct negative *at;

    if (!e->at.file->lvis)
        return;
    for (size_t i = 0; i < COUNTOF(lists); i++) {
        struct slice value = pick_again(e->at.text, lists[i]);

        if (value.at != e->at.text.at && *value.at != 'n')
            read_list(c, e, lists[i], value, i ? &open : negatives);
    }
    at = open.at;
    for (size_t i = 0; i < open.n; i++)
        if (has_id((struct negative *)negatives->at + before, negatives->n - before, at[i].id))
            rule_report(c, &rules[BOTH], &e->at, lists[1],
                        (struct slice){ e->at.file->text.at + at[i].offset, at[i].length },
                        "the category %lld is also in neg_category_ids", (long long)at[i].id);
    free(open.at);
}

/* --- annotations --- */

static int by_image(const void *a, const void *b)
{
    const struct negative *x = a, *y = b;

    if (x->image != y->image)
        return x->image < y->image ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

static void check_annotation(struct check *c, const struct annotation_element *e, void *given)
{
    struct lvis_state *state = given;
    struct negative *found, key = { .image = e->at.image };

    (void)c;
    if (!state->negatives.n || e->at.image == NOT_THERE || !e->category)
        return;
    if (!state->sorted)
        qsort(state->negatives.at, state->negatives.n, sizeof key, by_image);
    state->sorted = true;
    key.id = e->category->id;
    found = bsearch(&key, state->negatives.at, state->negatives.n, sizeof key, by_image);
    if (found)
        found->annotated = true;
}

static void check_negatives(struct check *c, const struct annotation_file *file,
                            const struct pile *negatives)
{
    const struct negative *at = negatives->at;

    for (size_t i = 0; i < negatives->n; i++) {
        struct element e = element_of_image(file, at[i].image);

        if (at[i].annotated)
            rule_report(c, &rules[POSITIVE], &e, lists[0],
                        (struct slice){ file->text.at + at[i].offset, at[i].length },
                        "the image has objects of the category %lld", (long long)at[i].id);
    }
}

/* --- categories --- */

/* Returns a member that is a count; -1 if there is none. */
static int64_t count_of(const struct element *e, const char *name)
{
    struct slice value = pick_again(e->text, name);
    int64_t n;

    return value.at != e->text.at && number_scan_integer(value, &n) == value.length && n >= 0 ? n
                                                                                              : -1;
}

static const char frequencies[] = "rcf"; /* from rare to frequent */

static const char *frequency_of(int64_t images)
{
    return &frequencies[images <= 10 ? 0 : images <= 100 ? 1 : 2];
}

/* True if the JSON text is the given frequency, or a higher one. `given` is in `frequencies`. */
static bool is_frequent_enough(struct slice text, const char *given)
{
    return text.length == 3 && strchr(given, text.at[1]);
}

static void check_category(struct check *c, const struct element *e)
{
    struct slice at = pick_again(e->text, "frequency");
    int64_t images = count_of(e, "image_count"), objects = count_of(e, "instance_count");
    const char *right = frequency_of(images);

    if (images > 0 && at.at != e->text.at && *at.at == '"' && !is_frequent_enough(at, right))
        rule_report(c, &rules[FREQUENCY], e, "frequency", at,
                    "image_count is %lld, which means the frequency \"%c\"", (long long)images,
                    *right);
    if (objects >= 0 && objects < images)
        rule_report(c, &rules[FREQUENCY], e, "instance_count",
                    pick_again(e->text, "instance_count"), "there are %lld objects in %lld images",
                    (long long)objects, (long long)images);
}

static void check_end(struct check *c, const struct annotation_file *file, void *given)
{
    struct lvis_state *state = given;

    check_negatives(c, file, &state->negatives);
    free(state->negatives.at);
    for (size_t i = 0; file->lvis && i < file->n_categories; i++) {
        struct element e = element_of_category(file, i);

        if (!file->categories[i].broken)
            check_category(c, &e);
    }
}

const struct rule_family lvis_family = {
    .title = "LVIS",
    .rules = rules,
    .state = sizeof(struct lvis_state),
    .image = check_image,
    .annotation = check_annotation,
    .end = check_end,
};
