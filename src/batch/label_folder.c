/* label_folder: a folder with a file of labels for each image.
 *
 * The file of an image has its path and stem: below the folder, or where training tools look for
 * it, with "labels" in the place of "images" (Ultralytics) or "Annotations" in that of "JPEGImages"
 * (Pascal VOC). */
#include "label_folder.h"

#include "label_text.h"
#include "listing.h"
#include "locate.h"
#include "walk.h"

#include "../base/message.h"
#include "../json/document.h"
#include "../registry.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* A file of the folder that may be one of labels. */
struct label_file {
    const char *name; /* relative to the folder */
    size_t stem;      /* how much of it stands before the suffix */
    const struct format *format;
    bool used;
};

struct label_folder {
    const struct job *job;
    const char *path, *names;
    struct dataset *dataset;
    struct faults *faults;
    struct arena arena;
    struct pile files;               /* of struct label_file, sorted by stem */
    char *images_path, *labels_path; /* absolute; NULL where they have none */
    struct label_file **of_record;
    const struct format *format;
    struct label_text text;
    struct pile parts; /* of struct fault_file */
};

static bool fail(struct label_folder *l, const char *path, const char *code, const struct text *why)
{
    return fault_add(l->faults, 0, 0, path, code, "%s", text_string(why));
}

/* --- what is there --- */

static size_t stem_of(const char *name)
{
    const char *slash = strrchr(name, '/'), *dot = strrchr(slash ? slash + 1 : name, '.');

    return dot ? (size_t)(dot - name) : strlen(name);
}

static bool keep_file(void *context, const struct walked *file, struct text *why)
{
    struct label_folder *l = context;
    size_t stem = stem_of(file->name);

    (void)why;
    for (EACH(format, format, registry_formats)) {
        struct label_file *kept;

        if (!format->suffix || file->hidden || strcasecmp(file->name + stem, format->suffix) != 0)
            continue;
        kept = pile_add(&l->files, sizeof *kept);
        *kept = (struct label_file){ .name = arena_copy(&l->arena, file->name, strlen(file->name)),
                                     .stem = stem,
                                     .format = format };
    }
    return true;
}

static int compare_stems(const char *a, size_t n, const char *b, size_t m)
{
    int order = memcmp(a, b, n < m ? n : m);

    return order ? order : (n > m) - (n < m);
}

static int by_stem(const void *a, const void *b)
{
    const struct label_file *x = a, *y = b;
    int order = compare_stems(x->name, x->stem, y->name, y->stem);

    return order ? order : strcmp(x->name, y->name);
}

static bool list_files(struct label_folder *l)
{
    const struct tree_walk walk = {
        .path = l->path, .links = l->job->links, .visit = keep_file, .context = l
    };
    struct text why = { 0 };
    bool good = walk_files(&walk, &why) || fail(l, l->path, "annotations-unread", &why);

    text_drop(&why);
    if (l->files.n)
        qsort(l->files.at, l->files.n, sizeof(struct label_file), by_stem);
    return good;
}

/* --- which is of which image --- */

/* With this stem and format, or of any format if that is NULL. */
static struct label_file *find(const struct label_folder *l, const char *stem, size_t length)
{
    struct label_file *all = l->files.at;
    size_t low = 0, high = l->files.n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (compare_stems(all[middle].name, all[middle].stem, stem, length) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < l->files.n && compare_stems(all[low].name, all[low].stem, stem, length) == 0;
         low++)
        if (!l->format || all[low].format == l->format)
            return &all[low];
    return NULL;
}

/* Folders of images, and those of their labels beside them. */
static const struct {
    const char *images, *labels;
} siblings[] = { { "images", "labels" },
                 { "JPEGImages", "Annotations" },
                 { "JPEGImages", "labels" },
                 { "images", "annotations" },
                 { "images", "Annotations" } };

/* Where the last folder of this name begins in a path, or NULL. */
static const char *last_folder(const char *path, const char *name)
{
    const char *last = NULL;
    size_t length = strlen(name);

    for (const char *at = path; at; at = strchr(at, '/')) {
        at += *at == '/';
        if (strncmp(at, name, length) == 0 && at[length] == '/')
            last = at;
    }
    return last;
}

/* The file at the path with another folder in the place of the images'. */
static struct label_file *find_beside(const struct label_folder *l, const char *path,
                                      const char *root)
{
    size_t before = root ? strlen(root) + (root[1] != '\0') : 0;
    struct label_file *found = NULL;
    struct text other = { 0 };

    for (size_t i = 0; i < COUNTOF(siblings) && !found; i++) {
        const char *at = last_folder(path, siblings[i].images);

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

static struct label_file *find_of_record(const struct label_folder *l, const char *name)
{
    static const char *const folders[] = { "labels", "Annotations", "annotations" };
    char *stem = arena_copy(&((struct label_folder *)l)->arena, name, stem_of(name));
    struct label_file *found = NULL;
    struct text path = { 0 };

    if (l->images_path && l->labels_path) {
        text_addf(&path, "%s/%s", l->images_path, stem);
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

static size_t find_all(struct label_folder *l)
{
    const struct dataset *d = l->dataset;
    size_t n = 0;

    for (size_t i = 0; i < d->n_records; i++) {
        l->of_record[i] = find_of_record(l, d->records[i].name);
        n += l->of_record[i] != NULL;
    }
    return n;
}

/* Its files are those of more than one format: each is tried by itself. */
static bool choose_format(struct label_folder *l)
{
    const struct format *best = NULL;
    size_t n, best_n = 0;

    for (EACH(format, format, registry_formats)) {
        l->format = format;
        n = format->suffix && l->files.n ? find_all(l) : 0;
        if (n && best_n)
            return fault_add(l->faults, 0, 0, l->path, "labels-several",
                             "%zu %s and %zu %s files fit the images: give a folder that has the "
                             "labels of one kind",
                             best_n, best->suffix, n, format->suffix);
        if (n) {
            best = format;
            best_n = n;
        }
    }
    l->format = best;
    if (best) {
        find_all(l);
        return true;
    }
    return fault_add(
        l->faults, 0, 0, l->path, "labels-none",
        "no file of labels of the %zu images in %s is there (%zu .txt and .xml files are): that of "
        "%s would be %.*s.txt (YOLO) or .xml (Pascal VOC)",
        l->dataset->n_records, l->job->images, l->files.n, l->dataset->records[0].name,
        (int)stem_of(l->dataset->records[0].name), l->dataset->records[0].name);
}

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
        fail(l, d->index_name, "annotations-unread", &why);
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
            fail(l, arena_printf(&l->arena, "%s/%s", l->path, file->name), "annotations-unread",
                 &why);
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
        good = fail(l, l->path, "annotations-unread", &why);
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

static void tell(const struct label_folder *l)
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

bool label_folder_open(const struct job *job, const char *path, const char *names,
                       struct dataset *d, struct faults *faults)
{
    struct label_folder l = {
        .job = job, .path = path, .names = names, .dataset = d, .faults = faults
    };
    struct text why = { 0 };
    bool good = listing_read(job->images, job->links, d, NULL, &why);

    if (!good)
        fault_add(faults, 0, 0, job->images, "images-unread", "%s", text_string(&why));
    else if (!d->n_records)
        good = fault_add(faults, 0, 0, job->images, "images-none",
                         "there are no images in this folder");
    l.images_path = realpath(job->images, NULL);
    l.labels_path = realpath(path, NULL);
    l.of_record = memory_take((d->n_records + 1) * sizeof *l.of_record);
    good = good && list_files(&l) && choose_format(&l) && read_text(&l);
    if (good && job->passed) {
        job->passed->labels = d->format->suffix;
        job->passed->own[COUNTOF(job->passed->own) - 1] = d->index_name;
        listing_compare(job->images, job->links, d, job->passed);
    }
    if (good && job->verbosity >= 0)
        tell(&l);
    label_text_drop(&l.text);
    arena_drop(&l.arena);
    free(l.files.at);
    free(l.parts.at);
    free(l.of_record);
    free(l.images_path);
    free(l.labels_path);
    text_drop(&why);
    return good;
}
