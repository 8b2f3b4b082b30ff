/* label_match: finds the label file of each image. */
#include "batch/dataset/label_match.h"

#include "batch/dataset/unsupported_format.h"
#include "batch/io/folder.h"
#include "batch/io/image_name.h"
#include "batch/io/open.h"

#include "base/files.h"
#include "steps/registry.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

bool label_fail(struct label_folder *l, const char *path, const char *code, const struct text *why)
{
    return fault_add(l->faults, 0, 0, path, code, "%s", text_string(why));
}

/* --- files of the folder --- */

size_t label_stem(const char *name)
{
    const char *slash = strrchr(name, '/'), *dot = strrchr(slash ? slash + 1 : name, '.');

    return dot ? (size_t)(dot - name) : strlen(name);
}

static bool is_json(const char *suffix)
{
    return strcasecmp(suffix, ".json") == 0 || strcasecmp(suffix, ".geojson") == 0;
}

/* Appends the start of a file in the folder; nothing if it cannot be read. */
static void add_head(const struct label_folder *l, const char *name, struct text *head)
{
    struct text why = { 0 };
    struct stat status;
    int fd = input_open_regular(l->path, name, l->job->images.links, &status, &why);
    char *at = text_room(head, DETECT_BYTES);
    ssize_t got = fd >= 0 ? TEMP_FAILURE_RETRY(read(fd, at, DETECT_BYTES)) : 0;

    if (got > 0)
        text_grown(head, at + got);
    if (fd >= 0)
        close(fd);
    text_drop(&why);
}

/* True if the format cannot be the file's, by the file's start. */
static bool is_other(const struct label_folder *l, const char *name, const struct format *format)
{
    struct text head = { 0 };
    bool other;

    if (!format->is_file)
        return false;
    add_head(l, name, &head);
    other = !format->is_file((struct slice){ text_string(&head), head.length });
    text_drop(&head);
    return other;
}

/* Keeps the first name. */
static void keep_first(struct label_folder *l, const char **first, const char *name)
{
    if (!*first || strcmp(name, *first) < 0)
        *first = arena_copy(&l->arena, name, strlen(name));
}

static bool keep_file(void *context, const struct walked_file *file, struct text *why)
{
    struct label_folder *l = context;
    size_t stem = label_stem(file->name);

    (void)why;
    if (!file->hidden && is_json(file->name + stem))
        keep_first(l, &l->json, file->name);
    if (!file->hidden && strcasecmp(file->name + stem, ".csv") == 0)
        keep_first(l, &l->table, file->name);
    for (EACH(format, format, registry_formats)) {
        struct label_file *kept;

        if (!format->suffix || file->hidden || strcasecmp(file->name + stem, format->suffix) != 0)
            continue;
        kept = pile_add(&l->files, sizeof *kept);
        *kept = (struct label_file){ .name = arena_copy(&l->arena, file->name, strlen(file->name)),
                                     .stem = stem,
                                     .other = is_other(l, file->name, format),
                                     .format = format };
    }
    return true;
}

static int by_stem(const void *a, const void *b)
{
    const struct label_file *x = a, *y = b;
    int order = name_compare_stems(x->name, x->stem, y->name, y->stem);

    return order ? order : strcmp(x->name, y->name);
}

static bool list_files(struct label_folder *l)
{
    const struct tree_walk walk = {
        .path = l->path, .links = l->job->images.links, .visit = keep_file, .context = l
    };
    struct text why = { 0 };
    bool good = walk_files(&walk, &why) || label_fail(l, l->path, "annotations-unread", &why);

    text_drop(&why);
    if (l->files.n)
        qsort(l->files.at, l->files.n, sizeof(struct label_file), by_stem);
    return good;
}

/* --- finding the file of an image --- */

/* Finds a label file by its stem and l->format; if that is NULL, of any format. */
static struct label_file *find(const struct label_folder *l, const char *stem, size_t length)
{
    struct label_file *all = l->files.at;
    size_t low = 0, high = l->files.n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (name_compare_stems(all[middle].name, all[middle].stem, stem, length) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < l->files.n && name_compare_stems(all[low].name, all[low].stem, stem, length) == 0;
         low++)
        if (!l->format || all[low].format == l->format)
            return &all[low];
    return NULL;
}

/* Names of image folders, and of label folders next to them. */
static const struct {
    const char *images, *labels;
} siblings[] = { { "images", "labels" },
                 { "JPEGImages", "Annotations" },
                 { "JPEGImages", "labels" },
                 { "images", "annotations" },
                 { "images", "Annotations" } };

/* Finds a label file by an image's path with another folder name instead of the image folder's. */
static struct label_file *find_beside(const struct label_folder *l, const char *path,
                                      const char *root)
{
    size_t before = root ? strlen(root) + (root[1] != '\0') : 0;
    struct label_file *found = NULL;
    struct text other = { 0 };

    for (size_t i = 0; i < COUNTOF(siblings) && !found; i++) {
        const char *at = path_last_folder(path, siblings[i].images);

        if (!at)
            continue;
        text_clear(&other);
        text_add(&other, path, (size_t)(at - path));
        text_adds(&other, siblings[i].labels);
        text_adds(&other, at + strlen(siblings[i].images));
        if (other.length > before && (!root || strncmp(other.at, root, before - 1) == 0) &&
            (!root || other.at[before - 1] == '/'))
            found = find(l, other.at + before, other.length - before);
    }
    text_drop(&other);
    return found;
}

static struct label_file *find_below(const struct label_folder *l, const char *folder,
                                     const char *stem)
{
    struct label_file *found;
    struct text path = { 0 };

    text_addf(&path, "%s/%s", folder, stem);
    found = find(l, path.at, path.length);
    text_drop(&path);
    return found;
}

static struct label_file *find_of_record(const struct label_folder *l, size_t record)
{
    const struct roots *roots = &l->job->images.roots;
    const char *name = l->dataset->records[record].name;
    const char *images = l->images_paths[roots->of ? roots->of[record] : 0];
    static const char *const folders[] = { "labels", "Annotations", "annotations" };
    char *stem = arena_copy(&((struct label_folder *)l)->arena, name, label_stem(name));
    struct label_file *found = NULL;
    struct text path = { 0 };

    if (images && l->labels_path) {
        text_addf(&path, "%s/%s", images, stem);
        found = find_beside(l, text_string(&path), l->labels_path);
        text_drop(&path);
    }
    if (!found)
        found = find(l, stem, strlen(stem));
    if (!found)
        found = find_beside(l, stem, NULL);
    for (size_t i = 0; i < COUNTOF(folders) && !found; i++)
        found = find_below(l, folders[i], stem);
    return found;
}

/* Finds the files of all records. Returns their number, without files of other formats. */
static size_t find_all(struct label_folder *l)
{
    const struct dataset *d = l->dataset;
    size_t n = 0;

    for (size_t i = 0; i < d->n_records; i++) {
        l->of_record[i] = find_of_record(l, i);
        n += l->of_record[i] && !l->of_record[i]->other;
    }
    return n;
}

bool label_is_note(const char *name)
{
    static const char *const notes[] = { "classes.txt", "labels.txt", "notes.txt" };
    const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;

    for (size_t i = 0; i < COUNTOF(notes); i++)
        if (strcasecmp(base, notes[i]) == 0)
            return true;
    return strncasecmp(base, "README", 6) == 0;
}

/* Returns the first file that may be labels, or NULL. */
static const struct label_file *first_label(const struct label_folder *l)
{
    const struct label_file *files = l->files.at;

    for (size_t i = 0; i < l->files.n; i++)
        if (!files[i].other && !label_is_note(files[i].name))
            return &files[i];
    return NULL;
}

/* Reports label files of an unsupported format, by the first file. Returns true if its format is
 * supported. */
static bool refuse_other(struct label_folder *l)
{
    const struct label_file *file = first_label(l);
    const char *name = file ? file->name : l->json;
    const char *path = name ? arena_printf(&l->arena, "%s/%s", l->path, name) : NULL;
    struct text head = { 0 }, why = { 0 };
    bool other;

    if (name)
        add_head(l, name, &head);
    other =
        file ? detect_unsupported_labels((struct slice){ head.at, head.length }, &why)
             : detect_unsupported(path ? path : "", (struct slice){ head.at, head.length }, &why);
    if (other)
        label_fail(l, path, "annotations-other", &why);
    text_drop(&head);
    text_drop(&why);
    return !other;
}

/* Returns a hint to a file that may contain the annotations, or "". */
static const char *file_hint(struct label_folder *l)
{
    const char *name = l->json ? l->json : l->table;

    return name ? arena_printf(&l->arena, "; to use an annotation file, name it: %s/%s", l->path,
                               name)
                : "";
}

/* Reports that label files have an unsupported format, or that no file has the name of an image.
 * Returns false. */
static bool refuse_all(struct label_folder *l)
{
    const char *image = l->dataset->records[0].name;
    struct text suffixes = { 0 };

    if (!refuse_other(l))
        return false;
    registry_print_label_suffixes(&suffixes);
    fault_add(l->faults, 0, 0, l->path, "labels-none",
              "no label file matches the %zu image%s in %s (of %zu label files): the file of %s "
              "would be %.*s with the suffix %s%s",
              l->dataset->n_records, l->dataset->n_records == 1 ? "" : "s", job_root(l->job, 0),
              l->files.n, image, (int)label_stem(image), image, text_string(&suffixes),
              file_hint(l));
    text_drop(&suffixes);
    return false;
}

/* --- names inside label files --- */

static const char *base_of(const char *name)
{
    const char *slash = strrchr(name, '/');

    return slash ? slash + 1 : name;
}

static const char *stated_image(struct label_folder *l, const struct label_file *file)
{
    enum { MAX_BYTES = 64 << 20 };
    struct text bytes = { 0 }, why = { 0 };
    const char *image = "";

    if (input_read_small(l->path, file->name, l->job->images.links, MAX_BYTES, &bytes, &why))
        image = l->format->image_of((struct slice){ bytes.at, bytes.length }, &l->arena);
    text_drop(&bytes);
    text_drop(&why);
    return image;
}

/* Returns the only record with this last part of its name; SIZE_MAX if there is none, or another
 * one. */
static size_t find_record(const struct label_folder *l, const char *image)
{
    const struct dataset *d = l->dataset;
    size_t found = SIZE_MAX;

    for (size_t i = 0; i < d->n_records; i++) {
        if (strcmp(base_of(d->records[i].name), image) != 0)
            continue;
        if (found != SIZE_MAX)
            return SIZE_MAX;
        found = i;
    }
    return found;
}

/* Gives files that no image is named like to the images that they state. */
static void match_stated(struct label_folder *l)
{
    struct label_file *files = l->files.at;
    size_t record;

    for (size_t i = 0; i < l->dataset->n_records; i++)
        if (l->of_record[i])
            l->of_record[i]->used = true;
    for (size_t i = 0; i < l->files.n; i++) {
        if (files[i].used || files[i].other || files[i].format != l->format)
            continue;
        record = find_record(l, stated_image(l, &files[i]));
        if (record != SIZE_MAX && !l->of_record[record]) {
            l->of_record[record] = &files[i];
            files[i].used = true;
        }
    }
}

/* Returns the format of the first label file, if its files state their images and this one states
 * an image of the dataset; else NULL. */
static const struct format *format_of_stated(struct label_folder *l)
{
    const struct label_file *file = first_label(l);

    if (!file || !file->format->image_of)
        return NULL;
    l->format = file->format;
    return find_record(l, stated_image(l, file)) == SIZE_MAX ? NULL : file->format;
}

/* Finds the format of the label files by trying each format. Adds a fault if several formats match.
 */
static bool choose_format(struct label_folder *l)
{
    const struct format *best = NULL;
    size_t n, best_n = 0;

    if (l->job->images.label_format) {
        for (EACH(format, format, registry_formats))
            if (strcmp(format->name, l->job->images.label_format) == 0)
                l->format = format;
        find_all(l);
        return true;
    }
    for (EACH(format, format, registry_formats)) {
        l->format = format;
        n = format->suffix && l->files.n ? find_all(l) : 0;
        if (n && best_n)
            return fault_add(
                l->faults, 0, 0, l->path, "labels-several",
                "%zu %s and %zu %s files match the images; give a folder with labels of one format",
                best_n, best->suffix, n, format->suffix);
        if (n) {
            best = format;
            best_n = n;
        }
    }
    if (!best)
        best = format_of_stated(l);
    if (!best && l->job->images.places && first_label(l)) /* a part, such as test, has no labels */
        best = first_label(l)->format;
    l->format = best;
    if (best) {
        find_all(l);
        return true;
    }
    return refuse_all(l);
}

bool label_search(struct label_folder *l)
{
    if (!list_files(l) || !choose_format(l))
        return false;
    if (l->format->image_of)
        match_stated(l);
    return true;
}

bool label_search_any(struct label_folder *l)
{
    struct text suffixes = { 0 };

    if (!list_files(l) || !refuse_other(l))
        return false;
    if (first_label(l))
        return true;
    registry_print_label_suffixes(&suffixes);
    fault_add(l->faults, 0, 0, l->path, "labels-none", "it has no label files with the suffix %s%s",
              text_string(&suffixes), file_hint(l));
    text_drop(&suffixes);
    return false;
}
