/* splits: rules about several annotation files: the training, validation and test sets of a
 * dataset. Files that list the same images are not splits, unless they are parts of a dataset: one
 * may have boxes, and another captions. */
#include "batch/io/equal_files.h"
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
                  "the splits share a folder of images, or are in one folder themselves. Links to "
                  "one file are found in any folder.",
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

    if (a->roots.n && b->roots.n)
        return a->roots.n == 1 && b->roots.n == 1 && strcmp(*a->roots.at, *b->roots.at) == 0;
    return x.length == y.length && memcmp(x.at, y.at, x.length) == 0;
}

/* --- words --- */

/* Returns the name of a split in messages. */
static const char *split_words(struct check *c, const struct annotation_file *file)
{
    return file->part && *file->part ? arena_printf(&c->arena, "the part \"%s\"", file->part)
                                     : file->name;
}

/* Returns the place of an image in messages; "" for images that a folder lists. */
static const char *place_words(struct check *c, const struct annotation_file *file, uint32_t image)
{
    return file->labels || file->listed ? ""
                                        : arena_printf(&c->arena, " (images/%u)", (unsigned)image);
}

/* --- names --- */

static void report_name(struct check *c, const struct annotation_file *file, uint32_t index,
                        const struct annotation_file *other, uint32_t other_index)
{
    struct element e = element_of_image(file, index);

    rule_report(c, &rules[BY_NAME], &e, "file_name", name_of(&e), "the image is also in %s%s",
                split_words(c, other), place_words(c, other, other_index));
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
                        own->name, other->name, split_words(c, b));
        else
            rule_report(c, &rules[CATEGORIES], &e, "id", pick_again(e.text, "id"),
                        "\"%s\" with the id %lld is not in %s", own->name, (long long)own->id,
                        split_words(c, b));
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
                        (long long)a->categories[i].id, split_words(c, a));
    }
}

/* --- contents --- */

/* Which files are no splits of each other. */
struct split_pairs {
    size_t n;
    bool *same; /* n x n */
};

/* Reports an image that is also in another split, unless its name was reported. */
static void report_image(struct check *c, const struct split_pairs *pairs, int rule,
                         const uint32_t own[2], const uint32_t other[2])
{
    const struct annotation_file *a = &c->files[other[0]], *b = &c->files[own[0]];
    struct element e = element_of_image(b, own[1]);

    if (pairs->same[other[0] * pairs->n + own[0]] ||
        (share_names(a, b) && strcmp(a->images[other[1]].name, b->images[own[1]].name) == 0))
        return;
    rule_report(c, &rules[rule], &e, "file_name", name_of(&e), "%s \"%s\" of %s%s",
                rule == BY_NAME      ? "the file is the same as"
                : rule == BY_CONTENT ? "the file has the same bytes as"
                                     : "the image looks like",
                a->images[other[1]].name, split_words(c, a), place_words(c, a, other[1]));
}

/* Returns the first of the files that list the same images as this one. */
static uint32_t group_of(const struct split_pairs *pairs, size_t file)
{
    size_t i = 0;

    while (i < file && !pairs->same[i * pairs->n + file])
        i++;
    return (uint32_t)i;
}

/* Compares the bytes of image files. */
static void check_bytes(struct check *c, const struct split_pairs *pairs)
{
    size_t n = 0, k = 0;
    struct grouped_file *files;
    uint32_t *file_of;

    for (size_t i = 0; i < c->n_files; i++)
        n += c->files[i].inspection ? c->files[i].n_images : 0;
    files = memory_take((n + 1) * sizeof *files);
    file_of = memory_take((n + 1) * sizeof *file_of);
    for (size_t i = 0; i < c->n_files; i++)
        for (size_t image = 0; c->files[i].inspection && image < c->files[i].n_images; image++) {
            file_of[k] = (uint32_t)i;
            files[k++] = (struct grouped_file){ .root = file_root_of(&c->files[i], image),
                                                .name = c->files[i].images[image].path,
                                                .group = group_of(pairs, i),
                                                .index = (uint32_t)image };
        }
    equal_files_find(files, n);
    for (size_t i = 0; i < n; i++) {
        uint32_t first = files[i].first;

        if (first != NO_FILE)
            report_image(c, pairs, files[i].linked ? BY_NAME : BY_CONTENT,
                         (uint32_t[]){ file_of[i], files[i].index },
                         (uint32_t[]){ file_of[first], files[first].index });
    }
    free(files);
    free(file_of);
}

static void check_near(struct check *c, const struct split_pairs *pairs)
{
    struct alike_images all = alike_collect(c);

    alike_find_near(&all, ALIKE_BETWEEN_FILES);
    for (size_t i = 0; i < all.n; i++) {
        const struct alike_image *own = &all.at[i];

        if (own->first != NOT_THERE)
            report_image(c, pairs, NEAR, (uint32_t[]){ own->file, own->image },
                         (uint32_t[]){ all.at[own->first].file, all.at[own->first].image });
    }
    free(all.at);
}

static void check_all(struct check *c)
{
    size_t n = c->n_files;
    struct names_of *names = memory_take(n * sizeof *names);
    struct split_pairs pairs = { n, memory_take(n * n + 1) };

    for (size_t i = 0; i < n; i++)
        names[i] = sort_names(&c->files[i]);
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < k; i++) {
            bool parts = c->files[i].part && c->files[k].part;
            bool alike = !parts && are_same(&names[i], &names[k]);

            pairs.same[i * n + k] = alike;
            if (alike || !names[i].n || !names[k].n)
                continue;
            if (share_names(&c->files[i], &c->files[k]))
                compare_names(c, names, i, k);
            compare_categories(c, &c->files[i], &c->files[k]);
        }
    if (rule_is_selected(c, &rules[BY_NAME]) || rule_is_selected(c, &rules[BY_CONTENT]))
        check_bytes(c, &pairs);
    check_near(c, &pairs);
    for (size_t i = 0; i < n; i++)
        free(names[i].at);
    free(names);
    free(pairs.same);
}

const struct rule_family splits_family = {
    .title = "splits",
    .rules = rules,
    .all = check_all,
};
