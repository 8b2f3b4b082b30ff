/* label_folder: annotations in a folder with one label file per image. */
#include "batch/dataset/label_folder.h"

#include "batch/dataset/label_match.h"
#include "batch/dataset/list_images.h"
#include "batch/dataset/resolve_names.h"
#include "batch/dataset/unsupported_format.h"
#include "batch/dataset/stated_base.h"
#include "batch/io/folder.h"

#include "base/stderr_line.h"
#include "json/document.h"
#include "steps/registry.h"
#include "labels/yolo/classes.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- the text --- */

struct text_stretch {
    uint64_t begin;
    struct slice *to;
};

/* Records that the text from offset `at` on comes from a file, for the names in faults. */
static void add_part(struct label_folder *l, uint64_t at, const char *folder, const char *name,
                     struct slice *to)
{
    struct dataset *d = l->dataset;

    *(struct text_stretch *)pile_add(&l->stretches, sizeof(struct text_stretch)) =
        (struct text_stretch){ at, to };
    *(struct fault_file *)pile_add(&l->parts, sizeof(struct fault_file)) = (struct fault_file){
        .offset = at,
        .name = *folder ? arena_printf(d->arena, "%s/%s", folder, name)
                        : arena_copy(d->arena, name, strlen(name)),
    };
}

static bool is_there(const char *folder, const char *name)
{
    struct text path = { 0 };
    bool there;

    text_addf(&path, "%s/%s", folder, name);
    there = access(text_string(&path), R_OK) == 0;
    text_drop(&path);
    return there;
}

/* Returns "a" for "a/labels/.." if both are the same folder. */
static const char *tidy(struct arena *arena, const char *path)
{
    static const char up[] = "/..";
    size_t length = strlen(path), n = length - (sizeof up - 1);
    struct stat a, b;
    const char *inner;
    char *shorter;

    if (length < sizeof up || strcmp(path + n, up) != 0)
        return path;
    inner = tidy(arena, arena_copy(arena, path, n));
    n = strlen(inner);
    shorter = arena_copy(arena, inner, n);
    while (n && shorter[n - 1] != '/')
        n--;
    while (n > 1 && shorter[n - 1] == '/')
        n--;
    shorter[n] = '\0';
    return stat(path, &a) == 0 && stat(n ? shorter : ".", &b) == 0 && a.st_ino == b.st_ino &&
                   a.st_dev == b.st_dev
               ? shorter
               : path;
}

/* Returns the file with the names of classes: next to the labels, or up to two folders above. */
static const char *find_index(struct label_folder *l)
{
    static const char *const above[] = { "", "/..", "/../.." };
    static const char *const known[] = { "data.yaml",   "data.yml",  "dataset.yaml",
                                         "classes.txt", "obj.names", "_darknet.labels" };

    for (size_t i = 0; i < COUNTOF(above); i++) {
        const char *folder = tidy(&l->arena, arena_printf(&l->arena, "%s%s", l->path, above[i]));

        for (size_t k = 0; k < COUNTOF(known); k++)
            if (is_there(*folder ? folder : ".", known[k]))
                return arena_printf(l->dataset->arena, "%s%s%s", folder, *folder ? "/" : "",
                                    known[k]);
    }
    return NULL;
}

static bool read_index(struct label_folder *l)
{
    enum { MAX_INDEX_BYTES = 4 << 20 };
    struct dataset *d = l->dataset;
    struct text bytes = { 0 }, why = { 0 };
    uint64_t at;
    bool good;

    if (!l->format->index)
        return true;
    if (!d->index_name)
        d->index_name = *l->names ? l->names : find_index(l);
    if (!d->index_name && d->classes && yolo_is_yaml(d->classes->file))
        d->index_name = d->classes->file;
    if (!d->index_name)
        return true;
    good = input_read_named(d->index_name, MAX_INDEX_BYTES, &bytes, &why);
    if (good)
        add_part(l, l->text.end, "", d->index_name, &d->index);
    d->index.length = bytes.length;
    good = good && label_text_add_bytes(
                       &l->text, (struct slice){ text_string(&bytes), bytes.length }, &at, &why);
    if (!good)
        label_fail(l, d->index_name, "annotations-unread", &why);
    text_drop(&bytes);
    text_drop(&why);
    return good;
}

static bool read_labels(struct label_folder *l, struct slice *labels)
{
    struct text why = { 0 };
    bool good = true;
    uint64_t begin;

    for (size_t i = 0; i < l->dataset->n_records && good; i++) {
        struct label_file *file = l->of_record[i];

        if (!file)
            continue;
        file->used = true;
        good = label_text_add(&l->text, l->path, file->name, l->job->images.links, &begin,
                              &labels[i].length, &why);
        if (good)
            add_part(l, begin, l->path, file->name, &labels[i]);
        else
            label_fail(l, arena_printf(&l->arena, "%s/%s", l->path, file->name),
                       "annotations-unread", &why);
    }
    text_drop(&why);
    return good;
}

/* --- texts for check --- */

static bool is_unused(const struct label_folder *l, const struct label_file *file)
{
    return !file->used && !file->other && file->format == l->format && !label_is_note(file->name);
}

/* Appends a line end, which represents a file in faults. */
static bool add_place(struct label_folder *l, const char *folder, const char *name,
                      struct slice *place, struct text *why)
{
    uint64_t begin = l->text.end;

    place->length = 1;
    add_part(l, begin, folder, name, place);
    return label_text_add_bytes(&l->text, (struct slice){ "", 0 }, &begin, why);
}

/* Adds the label files without an image. Skips files that cannot be read, since they are not
 * needed. */
static void add_unused(struct label_folder *l, struct slice *unused, const char **name, size_t *n)
{
    struct label_file *all = l->files.at;
    struct text why = { 0 };
    uint64_t begin;

    for (size_t i = 0; i < l->files.n; i++)
        if (is_unused(l, &all[i]) &&
            label_text_add(&l->text, l->path, all[i].name, l->job->images.links, &begin,
                           &unused[*n].length, &why)) {
            add_part(l, begin, l->path, all[i].name, &unused[*n]);
            name[*n] = arena_copy(l->dataset->arena, all[i].name, strlen(all[i].name));
            ++*n;
        }
    text_drop(&why);
}

static bool add_places(struct label_folder *l)
{
    const struct dataset *d = l->dataset;
    struct slice *images = ARENA_ARRAY(d->arena, struct slice, d->n_records);
    struct slice *unused = ARENA_ARRAY(d->arena, struct slice, l->files.n);
    const char **name = ARENA_ARRAY(d->arena, const char *, l->files.n);
    struct text why = { 0 };
    bool good = add_place(l, "", l->path, &l->places->folder, &why);

    for (size_t i = 0; i < d->n_records && good; i++)
        good = add_place(l, job_root(l->job, i), d->records[i].name, &images[i], &why);
    add_unused(l, unused, name, &l->places->n_unused);
    l->places->images = images;
    l->places->unused = unused;
    l->places->unused_name = name;
    if (!good)
        label_fail(l, l->path, "annotations-unread", &why);
    text_drop(&why);
    return good;
}

/* --- the whole dataset --- */

static void find_stretches(const struct label_folder *l)
{
    const struct text_stretch *stretches = l->stretches.at;

    for (size_t i = 0; i < l->stretches.n; i++)
        stretches[i].to->at = l->dataset->text.at + stretches[i].begin;
}

/* Checks with the first non-empty file that the labels are not of an unsupported format. */
static bool check_format(struct label_folder *l, const struct slice *labels)
{
    struct text why = { 0 };
    bool good = true;
    size_t i = 0;

    while (i < l->dataset->n_records && labels[i].length < 2)
        i++;
    if (i < l->dataset->n_records && detect_unsupported_labels(labels[i], &why))
        good = label_fail(l, arena_printf(&l->arena, "%s/%s", l->path, l->of_record[i]->name),
                          "annotations-other", &why);
    text_drop(&why);
    return good;
}

static bool read_text(struct label_folder *l)
{
    struct dataset *d = l->dataset;
    struct slice *labels = ARENA_ARRAY(d->arena, struct slice, d->n_records);
    struct text why = { 0 };
    bool good = read_index(l) && read_labels(l, labels) && (!l->places || add_places(l));
    uint64_t begin;

    if (good && !l->text.end) /* no image has labels, and an empty file cannot be mapped */
        good = label_text_add_bytes(&l->text, (struct slice){ "", 0 }, &begin, &why);
    if (good && !label_text_map(&l->text, l->path, &d->text, &why))
        good = label_fail(l, l->path, "annotations-unread", &why);
    if (good) {
        find_stretches(l);
        good = check_format(l, labels);
    }
    if (good) {
        d->labels = labels;
        d->files =
            (void *)arena_copy(d->arena, l->parts.at, l->parts.n * sizeof(struct fault_file));
        d->n_files = l->parts.n;
        d->format = l->format;
    }
    text_drop(&why);
    return good;
}

/* --- files without a counterpart --- */

static void print_counts(const struct label_folder *l)
{
    const struct label_file *all = l->files.at;
    const struct dataset *d = l->dataset;
    size_t unused = 0, lacking = 0;
    const char *first = "", *without = "";

    for (size_t i = l->files.n; i-- > 0;)
        if (is_unused(l, &all[i])) {
            unused++;
            first = all[i].name;
        }
    for (size_t i = d->n_records; i-- > 0;)
        if (!l->of_record[i]) {
            lacking++;
            without = d->records[i].name;
        }
    if (unused && !l->job->images.places) /* else other parts have their images */
        message_print("lockstep: note: %s: %zu %s file%s no image, the first is %s "
                      "[labels-unused]",
                      l->path, unused, l->format->suffix, unused == 1 ? " has" : "s have", first);
    if (lacking)
        message_print("lockstep: note: %s: %zu of %zu images %s no file of labels, and so no "
                      "objects; the first is %s [labels-missing]",
                      l->path, lacking, d->n_records, lacking == 1 ? "has" : "have", without);
}

static const char *absolute(struct label_folder *l, const char *path)
{
    char *found = realpath(path, NULL), *copy;

    copy = found ? arena_copy(&l->arena, found, strlen(found)) : NULL;
    free(found);
    return copy;
}

static const char *const *copy_paths(struct arena *arena, const char *const *paths, size_t n)
{
    const char **copies = ARENA_ARRAY(arena, const char *, n);

    for (size_t i = 0; i < n; i++)
        copies[i] = paths[i] ? arena_copy(arena, paths[i], strlen(paths[i])) : NULL;
    return copies;
}

static void find_paths(struct label_folder *l)
{
    const struct roots *roots = &l->job->images.roots;

    l->images_paths = ARENA_ARRAY(&l->arena, const char *, roots->n);
    for (size_t i = 0; i < roots->n; i++)
        l->images_paths[i] = absolute(l, roots->at[i]);
    l->labels_path = absolute(l, l->path);
    l->dataset->roots = copy_paths(l->dataset->arena, l->images_paths, roots->n);
    l->dataset->n_roots = roots->n;
    l->dataset->root_of = roots->of;
}

bool label_folder_find(const char *path, struct arena *arena, const char **folder,
                       const char **names)
{
    const char *slash = strrchr(path, '/');
    struct stat status;

    *folder = path;
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        return true;
    if (!yolo_is_yaml(path))
        return false;
    *folder = !slash ? "." : slash == path ? "/" : arena_copy(arena, path, (size_t)(slash - path));
    if (!**names)
        *names = path;
    return true;
}

bool label_folder_open(struct job *job, const char *path, const char *names, struct dataset *d,
                       struct label_places *places, struct faults *faults)
{
    struct label_folder l = {
        .job = job, .path = path, .names = names, .dataset = d, .places = places, .faults = faults
    };
    const char *folder = "";
    struct text why = { 0 };
    bool good = listing_read(job, d, NULL, &folder, &why);

    if (!good)
        fault_add(faults, 0, 0, folder, "images-unread", "%s", text_string(&why));
    else if (!d->n_records)
        good = fault_add(faults, 0, 0, folder, "images-none", "there are no images in this folder");
    find_paths(&l);
    l.of_record = memory_take((d->n_records + 1) * sizeof *l.of_record);
    good = good && label_search(&l) && read_text(&l);
    if (good && d->voc_base == VOC_BASE_UNKNOWN && strcmp(d->format->name, "voc") == 0)
        d->voc_base = stated_base_find(path, d->arena);
    if (good && job->images.passed) {
        job->images.passed->labels = d->format->suffix;
        job->images.passed->own[COUNTOF(job->images.passed->own) - 1] = d->index_name;
        listing_compare(job);
    }
    if (good && job->run.verbosity >= 0)
        print_counts(&l);
    label_text_drop(&l.text);
    arena_drop(&l.arena);
    free(l.files.at);
    free(l.parts.at);
    free(l.stretches.at);
    free(l.of_record);
    text_drop(&why);
    return good;
}

bool label_folder_refuse(const char *path, struct faults *faults)
{
    const struct job job = { .run.verbosity = -1 };
    struct label_folder l = { .job = &job, .path = path, .faults = faults };
    const char *names = "";
    bool has_labels;

    label_folder_find(path, &l.arena, &l.path, &names);
    has_labels = label_search_any(&l);
    if (has_labels)
        fault_add(faults, 0, 0, path, "option-missing",
                  "a label folder needs its image folder: -i IMAGES");
    arena_drop(&l.arena);
    free(l.files.at);
    return has_labels;
}
