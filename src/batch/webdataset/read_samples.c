/* read_samples: reads WebDataset archives. */
#include "batch/webdataset/read_samples.h"

#include "batch/io/image_name.h"
#include "batch/io/archive_read.h"

#include <stdlib.h>
#include <string.h>

#define MASK ".mask.png"

static bool ends_with(const char *name, const char *end)
{
    size_t length = strlen(name), n = strlen(end);

    return length > n && strcmp(name + length - n, end) == 0;
}

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

        if (ends_with(m->name, MASK)) {
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

        if (ends_with(m.name, MASK)) {
            take_mask(j, set, &m, files);
        } else if (m.size != UINT64_MAX) {
            m.name = sample_unescape(m.name, strlen(m.name), &set->arena);
            set->members[n++] = m;
        }
    }
    set->n = n;
    return archive_sort(set, j->faults);
}

static bool take(struct label_merge *j, struct tar_set *set)
{
    struct parts parts = { 0 };
    const struct sample_part *samples;
    const struct member *last = NULL;
    bool good = true;

    find_parts(set, &parts);
    samples = parts.samples.at;
    if (parts.labels && j->reads_labels)
        sample_labels_decide(j, set, samples, parts.samples.n);
    for (size_t i = 0; good && parts.labels && j->reads_labels && i < parts.samples.n; i++) {
        good = sample_labels_add(j, set, &samples[i], samples[i].json != last);
        last = samples[i].json;
    }
    if (parts.labels && !j->to->archive)
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

bool samples_take(const char *const *paths, size_t n, bool labels, struct samples *to,
                  struct faults *faults)
{
    struct label_merge j = { .to = to, .reads_labels = labels, .faults = faults };
    bool good = true;

    *to = (struct samples){ 0 };
    for (size_t i = 0; good && i < n; i++)
        if (archive_at(paths[i]))
            good = take(&j, archive_opened(paths[i]));
    if (good && j.masks.n)
        good = add_masks(&j, paths[0]);
    if (good)
        sample_labels_print(&j, &to->labels);
    label_merge_drop(&j);
    return good;
}

void samples_drop(struct samples *s)
{
    text_drop(&s->labels);
}
