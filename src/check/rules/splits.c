/* splits: rules about several annotation files: the training, validation and test sets of a
 * dataset. Files that list the same images are not splits: one may have boxes, and another
 * captions. */
#include "batch/inspect/inspect.h"
#include "check/rule.h"
#include "check/rule_shared/near_duplicates.h"

#include <stdlib.h>
#include <string.h>

enum { BY_NAME, BY_CONTENT, NEAR, CATEGORIES };

static const struct rule rules[] = {
    [BY_NAME] = { "X003", "split-overlap-by-name", SEVERITY_ERROR, FIX_NONE,
                  "an image is in two splits",
                  "The splits were sampled independently, or a file was added to both: the model "
                  "is "
                  "then tested on training images. Names are compared if the files of "
                  "the splits share a folder of images, or are in one folder themselves.",
                  "Remove the image from one of the splits." },
    [BY_CONTENT] = { "X004", "split-overlap-by-content", SEVERITY_ERROR, FIX_NONE,
                     "two splits have files of the same bytes",
                     "The same picture is in both under different names: the model is tested on "
                     "training images.",
                     "Remove the image from one of the splits." },
    [NEAR] = { "X005", "split-near-duplicate", SEVERITY_WARNING, FIX_NONE,
               "images of two splits look alike",
               "Frames of one film, or copies of one picture, were divided among splits, or images "
               "were augmented before they were divided. See I026 for the limits.",
               "Divide by film, place or person instead of by image." },
    [CATEGORIES] = { "X006", "categories-differ-between-splits", SEVERITY_ERROR, FIX_NONE,
                     "splits have different categories",
                     "Each split was exported separately, with the categories that it happens to "
                     "have: ids, or indices made from them, mean different categories in each "
                     "split.",
                     "Give all splits the same list of categories." },
    { 0 },
};

static struct slice name_of(const struct element *e)
{
    return pick_again(e->text, "file_name");
}

/* --- which files are splits --- */

/* The images of a file, by name. */
struct image_names {
    const char *name;
    uint32_t index;
};
struct names_of {
    struct image_names *at;
    size_t n;
};

static int by_name(const void *a, const void *b)
{
    const struct image_names *x = a, *y = b;
    int order = strcmp(x->name, y->name);

    return order ? order : (x->index > y->index) - (x->index < y->index);
}

static struct names_of sort_names(const struct annotation_file *file)
{
    struct names_of names = { memory_take((file->n_images + 1) * sizeof *names.at), 0 };

    for (size_t i = 0; i < file->n_images; i++)
        if (*file->images[i].name)
            names.at[names.n++] = (struct image_names){ file->images[i].name, (uint32_t)i };
    qsort(names.at, names.n, sizeof *names.at, by_name);
    return names;
}

static bool are_same(const struct names_of *a, const struct names_of *b)
{
    if (a->n != b->n)
        return false;
    for (size_t i = 0; i < a->n; i++)
        if (strcmp(a->at[i].name, b->at[i].name) != 0)
            return false;
    return true;
}

/* Returns the part of a path before its last slash. */
static struct slice place_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return (struct slice){ path, slash ? (size_t)(slash - path) : 0 };
}

/* True if a name means the same file for both. */
static bool share_names(const struct annotation_file *a, const struct annotation_file *b)
{
    struct slice x = place_of(a->name), y = place_of(b->name);

    if (a->folder && b->folder)
        return strcmp(a->folder, b->folder) == 0;
    return x.length == y.length && memcmp(x.at, y.at, x.length) == 0;
}

/* --- names --- */

static void report_name(struct check *c, const struct annotation_file *file, uint32_t index,
                        const struct annotation_file *other, uint32_t other_index)
{
    struct element e = element_of_image(file, index);

    rule_report(c, &rules[BY_NAME], &e, "file_name", name_of(&e),
                "the image is also in %s (images/%u)", other->name, other_index);
}

static void compare_names(struct check *c, const struct names_of *names, size_t i, size_t k)
{
    const struct names_of *a = &names[i], *b = &names[k];

    for (size_t x = 0, y = 0; x < a->n && y < b->n;) {
        int order = strcmp(a->at[x].name, b->at[y].name);

        if (!order)
            report_name(c, &c->files[k], b->at[y].index, &c->files[i], a->at[x].index);
        x += order <= 0;
        y += order >= 0;
    }
}

/* --- categories --- */

static const struct checked_category *find_category(const struct annotation_file *file,
                                                    const struct checked_category *like)
{
    for (size_t i = 0; i < file->n_categories; i++)
        if (file->categories[i].id == like->id)
            return &file->categories[i];
    return NULL;
}

/* Reports each category of a file that is not in the other with the same id. */
static void compare_list(struct check *c, const struct annotation_file *a,
                         const struct annotation_file *b)
{
    for (size_t i = 0; i < a->n_categories; i++) {
        const struct checked_category *own = &a->categories[i], *other = find_category(b, own);
        struct element e = element_of_category(a, i);

        if (other && strcmp(own->name, other->name) == 0)
            continue;
        if (other)
            rule_report(c, &rules[CATEGORIES], &e, "id", pick_again(e.text, "id"),
                        "the id %lld means \"%s\" here, but \"%s\" in %s", (long long)own->id,
                        own->name, other->name, b->name);
        else
            rule_report(c, &rules[CATEGORIES], &e, "id", pick_again(e.text, "id"),
                        "\"%s\" with the id %lld is not in %s", own->name, (long long)own->id,
                        b->name);
    }
}

static void compare_categories(struct check *c, const struct annotation_file *a,
                               const struct annotation_file *b)
{
    bool sure = a->sure_categories && b->sure_categories && a->n_categories && b->n_categories;

    /* Pascal VOC only has classes with objects; YOLO without names has as many classes as labels
     * need. */
    if (a->labels && (!a->labels->index.at || !b->labels || !b->labels->index.at))
        return;
    if (!sure || a->format != b->format)
        return;
    compare_list(c, b, a);
    for (size_t i = 0; i < a->n_categories; i++) {
        struct element e = element_of_file(b);

        if (!find_category(b, &a->categories[i]))
            rule_report(c, &rules[CATEGORIES], &e, "categories", b->sections[LIST_CATEGORIES],
                        "\"%s\" with the id %lld of %s is missing", a->categories[i].name,
                        (long long)a->categories[i].id, a->name);
    }
}

/* --- contents --- */

static void compare_contents(struct check *c, const struct alike_images *all, int rule,
                             const bool *same)
{
    for (size_t i = 0; i < all->n; i++) {
        const struct alike_image *own = &all->at[i], *other;
        const struct annotation_file *a, *b;
        struct element e;

        if (own->first == NOT_THERE)
            continue;
        other = &all->at[own->first];
        a = &c->files[other->file];
        b = &c->files[own->file];
        if (same[other->file * c->n_files + own->file] ||
            (share_names(a, b) &&
             strcmp(a->images[other->image].name, b->images[own->image].name) == 0))
            continue;
        e = element_of_image(b, own->image);
        rule_report(c, &rules[rule], &e, "file_name", name_of(&e), "%s \"%s\" of %s (images/%u)",
                    rule == BY_CONTENT ? "the file has the same bytes as" : "the image looks like",
                    a->images[other->image].name, a->name, other->image);
    }
}

static void check_contents(struct check *c, const bool *same)
{
    struct alike_images all = alike_collect(c);

    alike_find_equal(&all, ALIKE_BETWEEN_FILES);
    compare_contents(c, &all, BY_CONTENT, same);
    alike_find_near(&all, ALIKE_BETWEEN_FILES);
    compare_contents(c, &all, NEAR, same);
    free(all.at);
}

static void check_all(struct check *c)
{
    size_t n = c->n_files;
    struct names_of *names = memory_take(n * sizeof *names);
    bool *same = memory_take(n * n);

    for (size_t i = 0; i < n; i++)
        names[i] = sort_names(&c->files[i]);
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < k; i++) {
            bool alike = are_same(&names[i], &names[k]);

            same[i * n + k] = alike;
            if (alike || !names[i].n || !names[k].n)
                continue;
            if (share_names(&c->files[i], &c->files[k]))
                compare_names(c, names, i, k);
            compare_categories(c, &c->files[i], &c->files[k]);
        }
    check_contents(c, same);
    for (size_t i = 0; i < n; i++)
        free(names[i].at);
    free(names);
    free(same);
}

const struct rule_family splits_family = {
    .title = "splits",
    .rules = rules,
    .all = check_all,
};
