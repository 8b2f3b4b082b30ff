/* label_folder: a folder with a file of labels for each image. */
#include "label_folder.h"

#include "label_search.h"
#include "listing.h"
#include "locate.h"

#include "../base/message.h"
#include "../json/document.h"
#include "../registry.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* --- the text --- */

static void add_part(struct label_folder *l, uint64_t at, const char *folder, const char *name)
{
    struct dataset *d = l->dataset;

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

/* The file that names the classes: beside the labels, or at most two folders above. */
static const char *find_index(struct label_folder *l)
{
    static const char *const above[] = { "", "/..", "/../.." };
    static const char *const known[] = { "data.yaml",   "data.yml",  "dataset.yaml",
                                         "classes.txt", "obj.names", "_darknet.labels" };

    for (size_t i = 0; i < COUNTOF(above); i++) {
        const char *folder = arena_printf(&l->arena, "%s%s", l->path, above[i]);

        for (size_t k = 0; k < COUNTOF(known); k++)
            if (is_there(folder, known[k]))
                return arena_printf(l->dataset->arena, "%s/%s", folder, known[k]);
    }
    return NULL;
}

static bool read_index(struct label_folder *l)
{
    enum { MOST_INDEX = 4 << 20 };
    struct dataset *d = l->dataset;
    struct text bytes = { 0 }, why = { 0 };
    uint64_t at;
    bool good;

    d->index_name = *l->names ? l->names : l->format->index ? find_index(l) : NULL;
    if (!d->index_name)
        return true;
    if (!l->format->index)
        return fault_add(l->faults, 0, 0, "--names", "option-unused",
                         "it is for YOLO's labels; these name their classes");
    good = input_read_named(d->index_name, MOST_INDEX, &bytes, &why);
    if (good)
        add_part(l, l->text.end, "", d->index_name);
    d->index.length = bytes.length;
    good = good && label_text_add_bytes(
                       &l->text, (struct slice){ text_string(&bytes), bytes.length }, &at, &why);
    if (!good)
        label_fail(l, d->index_name, "annotations-unread", &why);
    text_drop(&bytes);
    text_drop(&why);
    return good;
}

/* The stretches are offsets until the text is mapped. */
static bool read_labels(struct label_folder *l, struct slice *labels, uint64_t *begin)
{
    struct text why = { 0 };
    bool good = true;

    for (size_t i = 0; i < l->dataset->n_records && good; i++) {
        struct label_file *file = l->of_record[i];

        if (!file)
            continue;
        file->used = true;
        good = label_text_add(&l->text, l->path, file->name, l->job->links, &begin[i],
                              &labels[i].length, &why);
        if (good)
            add_part(l, begin[i], l->path, file->name);
        else
            label_fail(l, arena_printf(&l->arena, "%s/%s", l->path, file->name),
                       "annotations-unread", &why);
    }
    text_drop(&why);
    return good;
}

static bool read_text(struct label_folder *l)
{
    struct dataset *d = l->dataset;
    struct slice *labels = ARENA_ARRAY(d->arena, struct slice, d->n_records);
    uint64_t *begin = memory_take((d->n_records + 1) * sizeof *begin);
    struct text why = { 0 };
    bool good = read_index(l) && read_labels(l, labels, begin);

    if (good && !label_text_map(&l->text, l->path, &d->text, &why))
        good = label_fail(l, l->path, "annotations-unread", &why);
    if (good) {
        for (size_t i = 0; i < d->n_records; i++)
            if (l->of_record[i])
                labels[i].at = d->text.at + begin[i];
        if (d->index_name)
            d->index.at = d->text.at;
        d->labels = labels;
        d->files =
            (void *)arena_copy(d->arena, l->parts.at, l->parts.n * sizeof(struct fault_file));
        d->n_files = l->parts.n;
        d->format = l->format;
    }
    free(begin);
    text_drop(&why);
    return good;
}

/* --- what has no counterpart --- */

/* Lists of classes and notes of exporters are no labels. */
static bool is_note(const char *name)
{
    static const char *const notes[] = { "classes.txt", "labels.txt", "notes.txt" };
    const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;

    for (size_t i = 0; i < COUNTOF(notes); i++)
        if (strcasecmp(base, notes[i]) == 0)
            return true;
    return strncasecmp(base, "README", 6) == 0;
}

static void print_counts(const struct label_folder *l)
{
    const struct label_file *all = l->files.at;
    const struct dataset *d = l->dataset;
    size_t unused = 0, lacking = 0;
    const char *first = "", *without = "";

    for (size_t i = l->files.n; i-- > 0;)
        if (!all[i].used && all[i].format == l->format && !is_note(all[i].name)) {
            unused++;
            first = all[i].name;
        }
    for (size_t i = d->n_records; i-- > 0;)
        if (!l->of_record[i]) {
            lacking++;
            without = d->records[i].name;
        }
    if (unused)
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

static void find_paths(struct label_folder *l)
{
    const struct roots *roots = &l->job->roots;

    l->images_paths = ARENA_ARRAY(&l->arena, const char *, roots->n);
    for (size_t i = 0; i < roots->n; i++)
        l->images_paths[i] = absolute(l, roots->at[i]);
    l->labels_path = absolute(l, l->path);
}

bool label_folder_open(struct job *job, const char *path, const char *names, struct dataset *d,
                       struct faults *faults)
{
    struct label_folder l = {
        .job = job, .path = path, .names = names, .dataset = d, .faults = faults
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
    if (good && job->passed) {
        job->passed->labels = d->format->suffix;
        job->passed->own[COUNTOF(job->passed->own) - 1] = d->index_name;
        listing_compare(job);
    }
    if (good && job->verbosity >= 0)
        print_counts(&l);
    label_text_drop(&l.text);
    arena_drop(&l.arena);
    free(l.files.at);
    free(l.parts.at);
    free(l.of_record);
    text_drop(&why);
    return good;
}
