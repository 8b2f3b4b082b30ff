/* read_samples: reads WebDataset archives. */
#include "batch/webdataset/read_samples.h"

#include "base/files.h"
#include "batch/io/image_name.h"
#include "batch/io/archive_read.h"
#include "batch/io/mapped_file.h"
#include "batch/io/shard_index.h"
#include "batch/dataset/archive_open.h"

#include <stdlib.h>
#include <string.h>

#define MASK ".mask.png"

/* --- names --- */

char *sample_unescape(const char *name, size_t length, struct arena *arena)
{
    char *out = arena_copy(arena, name, length), *to = out;

    for (const char *from = out; *from; to++) {
        bool dot = strncmp(from, "%2E", 3) == 0, percent = strncmp(from, "%25", 3) == 0;

        *to = dot ? '.' : percent ? '%' : *from;
        from += dot || percent ? 3 : 1;
    }
    *to = '\0';
    return out;
}

/* --- archives --- */

/* The members of an archive: samples in the order of their labels, and masks. */
struct parts {
    struct pile samples; /* of struct sample_part */
    struct pile masks;   /* of const struct member * */
    bool labels;         /* there is a .json or .cls file */
};

static int by_place(const void *a, const void *b)
{
    const struct sample_part *p = a, *q = b;
    const struct member *x = p->json ? p->json : p->image, *y = q->json ? q->json : q->image;

    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return (p->image->at > q->image->at) - (p->image->at < q->image->at);
}

static void find_parts(const struct tar_set *set, struct parts *parts)
{
    for (size_t i = 0; i < set->n; i++) {
        const struct member *m = &set->members[i];

        if (name_ends_with(m->name, MASK)) {
            *(const struct member **)pile_add(&parts->masks, sizeof m) = m;
        } else if (name_is_image(m->name)) {
            const char *json = archive_find_companion(set, m->name, ".json");
            const char *class = archive_find_companion(set, m->name, ".cls");

            *(struct sample_part *)pile_add(&parts->samples, sizeof(struct sample_part)) =
                (struct sample_part){ m, json ? archive_find(set, json) : NULL,
                                      class ? archive_find(set, class) : NULL };
            parts->labels |= json || class;
        }
    }
    if (parts->labels)
        qsort(parts->samples.at, parts->samples.n, sizeof(struct sample_part), by_place);
}

static void take_mask(struct label_merge *j, struct tar_set *set, const struct member *m,
                      size_t files)
{
    struct member *mask = pile_add(&j->masks, sizeof *mask);
    size_t stem = strlen(m->name) - strlen(MASK);

    *mask = *m;
    mask->file += files;
    mask->name = arena_printf(&set->arena, "%s.png", sample_unescape(m->name, stem, &set->arena));
}

/* Removes labels and masks from the members of the archive. */
static bool keep_images(struct label_merge *j, struct tar_set *set, const struct parts *parts)
{
    const struct sample_part *samples = parts->samples.at;
    size_t files = j->files.n, n = 0;
    bool masks = parts->masks.n;

    for (size_t i = 0; i < parts->samples.n; i++) {
        if (samples[i].json)
            ((struct member *)samples[i].json)->size = UINT64_MAX;
        if (samples[i].class)
            ((struct member *)samples[i].class)->size = UINT64_MAX;
    }
    for (size_t i = 0; masks && i < set->n_files; i++)
        *(struct tar_file *)pile_add(&j->files, sizeof *set->files) = set->files[i];
    for (size_t i = 0; i < set->n; i++) {
        struct member m = set->members[i];

        if (name_ends_with(m.name, MASK)) {
            take_mask(j, set, &m, files);
        } else if (m.size != UINT64_MAX) {
            m.name = sample_unescape(m.name, strlen(m.name), &set->arena);
            set->members[n++] = m;
        }
    }
    set->n = n;
    return archive_sort(set, j->faults);
}

/* --- an index --- */

static bool refuse_index(struct label_merge *j, const char *path, const char *why)
{
    return fault_add(j->faults, 0, 0, path, "webdataset-index", "%s", why);
}

/* Compares the numbers of samples with those in the tars. */
static bool check_counts(struct label_merge *j, const struct tar_set *set,
                         const struct parts *parts)
{
    const struct sample_part *samples = parts->samples.at;
    const struct shard_index *index = set->index;
    int64_t *n = ARENA_ARRAY(&j->arena, int64_t, set->n_files + 1);

    for (size_t i = 0; i < parts->samples.n; i++)
        n[samples[i].image->file]++;
    for (size_t i = 0; index->counts && i < set->n_files; i++)
        if (n[i] != index->counts[i])
            return refuse_index(
                j, set->files[i].path,
                arena_printf(&j->arena,
                             "it has %lld samples, but %s states %lld: one of them was replaced",
                             (long long)n[i], index->path, (long long)index->counts[i]));
    return index->n_samples == (int64_t)parts->samples.n ||
           refuse_index(j, index->path,
                        arena_printf(&j->arena,
                                     "it states %lld samples, but its tars have %zu: a tar is "
                                     "missing from its list, or was replaced",
                                     (long long)index->n_samples, parts->samples.n));
}

/* Checks that each image has its KEY.json, and the reverse. */
static bool check_samples(struct label_merge *j, const struct tar_set *set,
                          const struct parts *parts)
{
    const struct sample_part *samples = parts->samples.at;
    size_t before = j->faults->n;
    bool *has = ARENA_ARRAY(&j->arena, bool, set->n + 1);

    for (size_t i = 0; i < parts->samples.n; i++)
        if (samples[i].json)
            has[samples[i].json - set->members] = true;
        else
            refuse_index(j, set->files[samples[i].image->file].path,
                         arena_printf(&j->arena, "%s has no KEY.json", samples[i].image->name));
    for (size_t i = 0; i < set->n; i++)
        if (name_ends_with(set->members[i].name, ".json") && !has[i])
            refuse_index(
                j, set->files[set->members[i].file].path,
                arena_printf(&j->arena, "%s has no image with its key", set->members[i].name));
    return j->faults->n == before && check_counts(j, set, parts);
}

/* Returns the index of the tars, which may be beside them; NULL: there is none. */
static const struct shard_index *index_of(const struct tar_set *set)
{
    return set->index || !set->n_files || strcmp(set->path, "-") == 0
               ? set->index
               : shard_index_of_tar(set->files[0].path);
}

static bool take(struct label_merge *j, struct tar_set *set)
{
    struct parts parts = { 0 };
    const struct sample_part *samples;
    const struct member *last = NULL;
    bool good = true, labels;

    find_parts(set, &parts);
    samples = parts.samples.at;
    labels = (parts.labels || set->index) && j->reads_labels;
    if (set->index)
        good = check_samples(j, set, &parts);
    if (good && labels) {
        j->index = index_of(set);
        sample_labels_decide(j, set, samples, parts.samples.n);
        if (j->index && j->kind != LABELS_PLAIN)
            sample_labels_add_index(j);
    }
    for (size_t i = 0; good && labels && i < parts.samples.n; i++) {
        good = sample_labels_add(j, set, &samples[i], samples[i].json != last);
        last = samples[i].json;
    }
    if (labels && !j->to->archive)
        j->to->archive = strcmp(set->path, "-") == 0 ? "stdin" : set->path;
    if (good && (parts.labels || parts.masks.n))
        good = keep_images(j, set, &parts);
    free(parts.samples.at);
    free(parts.masks.at);
    return good;
}

/* Adds the masks of all archives as an archive of their own. */
static bool add_masks(struct label_merge *j, const char *path)
{
    struct text name = { 0 };
    const struct tar_set *set;

    text_addf(&name, "%s: masks", path);
    set = archive_add(text_string(&name), &j->files, &j->masks, j->faults);
    j->to->masks = set ? set->path : NULL;
    text_drop(&name);
    return set;
}

/* The result of samples_take for an index, which may be read again. */
struct taken_samples {
    const char *masks;
    struct text labels;
};

/* Returns the set of a single index; NULL: the paths are other archives. */
static struct tar_set *only_index(const char *const *paths, size_t n)
{
    struct tar_set *set = n == 1 ? archive_opened(paths[0]) : NULL;

    return set && set->index ? set : NULL;
}

static void keep(struct tar_set *set, const struct samples *samples)
{
    set->taken = ARENA_NEW(&set->arena, struct taken_samples);
    set->taken->masks = samples->masks;
    text_add(&set->taken->labels, text_string(&samples->labels), samples->labels.length);
}

static void take_kept(const struct tar_set *set, struct samples *to)
{
    to->masks = set->taken->masks;
    to->archive = set->path;
    text_add(&to->labels, text_string(&set->taken->labels), set->taken->labels.length);
}

bool samples_take(const char *const *paths, size_t n, bool labels, struct samples *to,
                  struct faults *faults)
{
    struct tar_set *index = only_index(paths, n);
    struct label_merge j = { .to = to, .reads_labels = labels || index, .faults = faults };
    bool good = true;

    *to = (struct samples){ 0 };
    if (index && index->taken) {
        take_kept(index, to);
        return true;
    }
    for (size_t i = 0; good && i < n; i++)
        if (archive_at(paths[i]))
            good = take(&j, archive_opened(paths[i]));
    if (good && j.masks.n)
        good = add_masks(&j, paths[0]);
    if (good && j.reads_labels)
        good = sample_labels_check(&j);
    if (good)
        sample_labels_print(&j, &to->labels);
    if (good && index)
        keep(index, to);
    label_merge_drop(&j);
    return good;
}

void samples_drop(struct samples *s)
{
    text_drop(&s->labels);
}

bool samples_open(const char *path, struct slice *text, struct faults *faults)
{
    struct samples samples;
    struct text why = { 0 };
    const struct tar_set *set;

    if (!shard_index_is_path(path)) {
        bool good = mapped_open(path, text, &why);

        if (!good)
            fault_add(faults, 0, 0, path, "annotations-unread", "%s", text_string(&why));
        text_drop(&why);
        return good;
    }
    if (archive_open(path, faults) != EXIT_DONE || !samples_take(&path, 1, true, &samples, faults))
        return false;
    samples_drop(&samples);
    set = archive_at(path);
    *text = (struct slice){ text_string(&set->taken->labels), set->taken->labels.length };
    return true;
}
