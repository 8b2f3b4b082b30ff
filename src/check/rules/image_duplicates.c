/* image_duplicates: rules about images that occur twice in a dataset, and files that belong to no
 * image. */
#include "batch/inspect/inspect.h"
#include "batch/io/image_name.h"
#include "batch/io/open.h"
#include "check/rule.h"
#include "check/rule_shared/near_duplicates.h"

#include <stdlib.h>
#include <string.h>

enum { EQUAL, NEAR, UNREFERENCED };

static const struct rule rules[] = {
    [EQUAL] = { "I025", "exact-duplicate-image", SEVERITY_WARNING, FIX_NONE,
                "two images have files of the same bytes",
                "A file was copied under another name, or downloaded twice. Its objects count "
                "twice, and may be in the training and the validation set.",
                "Remove one of the two, and join their annotations." },
    [NEAR] = { "I026", "near-duplicate-image", SEVERITY_INFO, FIX_NONE, "two images look alike",
               "They are frames of one film, sizes of one picture, or one file saved twice. Their "
               "64-bit difference hashes differ in at most 3 bits, and their thumbnails of 9 x 8 "
               "cells in no cell by more than 12 levels.",
               "Keep them in the same split, or remove one." },
    [UNREFERENCED] = { "I027", "unreferenced-file-on-disk", SEVERITY_INFO, FIX_NONE,
                       "image files in the folder are in no annotation file",
                       "They belong to another split, or their entries were lost.",
                       "Give the annotation files of all splits, or add images without "
                       "annotations." },
    { 0 },
};

static struct slice name_of(const struct element *e)
{
    return pick_again(e->text, "file_name");
}

static void report_pair(struct check *c, int rule, const struct alike_images *all, size_t i)
{
    const struct alike_image *own = &all->at[i], *other = &all->at[own->first];
    const struct annotation_file *file = &c->files[own->file];
    struct element e = element_of_image(file, own->image);

    /* Images that are listed twice have a rule of their own. */
    if (strcmp(file->images[own->image].path, file->images[other->image].path) == 0)
        return;
    rule_report(c, &rules[rule], &e, "file_name", name_of(&e), "%s \"%s\" (images/%u)",
                rule == EQUAL ? "the file has the same bytes as" : "the image looks like",
                file->images[other->image].name, other->image);
}

static void check_duplicates(struct check *c)
{
    struct alike_images all = alike_collect(c);

    alike_find_equal(&all, ALIKE_IN_A_FILE);
    for (size_t i = 0; i < all.n; i++)
        if (all.at[i].first != NOT_THERE)
            report_pair(c, EQUAL, &all, i);
    alike_find_near(&all, ALIKE_IN_A_FILE);
    for (size_t i = 0; i < all.n; i++)
        if (all.at[i].first != NOT_THERE)
            report_pair(c, NEAR, &all, i);
    free(all.at);
}

/* --- files without an image --- */

struct listing {
    struct arena arena;
    struct pile known, found; /* of const char *: names of images, and files without an image */
};

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool visit(void *context, const struct walked_file *file, struct text *why)
{
    struct listing *l = context;

    (void)why;
    if (file->hidden || file->lost || !name_is_image(file->entry) ||
        bsearch(&file->name, l->known.at, l->known.n, sizeof(const char *), by_name))
        return true;
    *(const char **)pile_add(&l->found, sizeof(const char *)) =
        arena_copy(&l->arena, file->name, strlen(file->name));
    return true;
}

static void report_found(struct check *c, const struct annotation_file *file, const char *folder,
                         struct listing *l)
{
    const char **found = l->found.at;
    struct element e = element_of_file(file);
    struct text names = { 0 };

    if (!l->found.n)
        return;
    qsort(found, l->found.n, sizeof *found, by_name);
    for (size_t i = 0; i < l->found.n && i < 3; i++)
        text_addf(&names, "%s%s", i ? ", " : "", found[i]);
    rule_report(c, &rules[UNREFERENCED], &e, NULL, (struct slice){ 0 },
                "%zu image file%s of %s %s named by no image: %s%s", l->found.n,
                l->found.n == 1 ? "" : "s", folder, l->found.n == 1 ? "is" : "are",
                text_string(&names), l->found.n > 3 ? ", ..." : "");
    text_drop(&names);
}

/* Adds the path of an image below `folder`, if it is below it. */
static void add_known(struct listing *l, const struct annotation_file *file, size_t image,
                      const char *folder)
{
    const char *root = file_root_of(file, image), *path = file->images[image].path;
    size_t length = strlen(folder);

    if (!root || strncmp(root, folder, length) != 0 || (root[length] && root[length] != '/'))
        return;
    if (root[length])
        path = arena_printf(&l->arena, "%s/%s", root + length + 1, path);
    *(const char **)pile_add(&l->known, sizeof(char *)) = path;
}

static void check_folder(struct check *c, const struct annotation_file *file, const char *folder)
{
    struct listing l = { 0 };
    struct text why = { 0 };
    struct tree_walk walk = {
        .path = folder, .links = LINKS_FOLLOW, .lenient = true, .visit = visit, .context = &l
    };

    for (size_t i = 0; i < c->n_files; i++)
        for (size_t k = 0; k < c->files[i].n_images; k++)
            add_known(&l, &c->files[i], k, folder);
    if (l.known.n)
        qsort(l.known.at, l.known.n, sizeof(const char *), by_name);
    if (l.known.n && walk_files(&walk, &why))
        report_found(c, file, folder, &l);
    text_drop(&why);
    free(l.known.at);
    free(l.found.at);
    arena_drop(&l.arena);
}

/* True if a file before this one has the folder. */
static bool is_checked(const struct check *c, size_t file, const char *folder)
{
    for (size_t i = 0; i < file; i++)
        for (size_t k = 0; k < c->files[i].roots.n; k++)
            if (strcmp(c->files[i].roots.at[k], folder) == 0)
                return true;
    return false;
}

static void check_all(struct check *c)
{
    check_duplicates(c);
    for (size_t i = 0; i < c->n_files && rule_is_selected(c, &rules[UNREFERENCED]); i++) {
        const struct annotation_file *file = &c->files[i];

        for (size_t k = 0; file->inspection && k < file->roots.n; k++)
            if (!is_checked(c, i, file->roots.at[k]))
                check_folder(c, file, file->roots.at[k]);
    }
}

const struct rule_family image_duplicates_family = {
    .title = "duplicate images",
    .rules = rules,
    .all = check_all,
};
