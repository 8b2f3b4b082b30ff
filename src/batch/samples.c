/* samples: archives of WebDataset, taken apart. */
#include "samples.h"

#include "names.h"

#include "../base/hash.h"
#include "../json/document.h"

#include <stdlib.h>
#include <string.h>

#define MASK ".mask.png"

/* A section of all labels. */
struct joined {
    const char *name;
    bool list, once;    /* of a list: each element once */
    struct text value;  /* of a list: its elements */
    struct text last;   /* as it stood last: then there is nothing new in it */
    struct pile hashes; /* of uint64_t: elements that are there */
};

struct joining {
    struct samples *to;
    bool reads_labels;
    struct faults *faults;
    struct arena arena;
    struct pile sections; /* of struct joined */
    struct pile masks;    /* of struct member */
    struct pile files;    /* of struct tar_file */
};

static bool ends_with(const char *name, const char *end)
{
    size_t length = strlen(name), n = strlen(end);

    return length > n && strcmp(name + length - n, end) == 0;
}

/* --- names --- */

/* The name as it was before it was escaped. */
static char *unescape(const char *name, size_t length, struct arena *arena)
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

/* --- labels --- */

static struct joined *find_section(struct joining *j, struct slice name, bool list)
{
    struct joined *all = j->sections.at, *new;

    for (size_t i = 0; i < j->sections.n; i++)
        if (scan_is(name, all[i].name))
            return &all[i];
    new = pile_add(&j->sections, sizeof *new);
    new->name = arena_copy(&j->arena, name.at, name.length);
    new->list = list;
    new->once = strcmp(new->name, "images") != 0 && strcmp(new->name, "annotations") != 0;
    return new;
}

static bool is_there(struct joined *s, struct slice element)
{
    uint64_t hash = hash_quick(element.at, element.length), *all = s->hashes.at;

    for (size_t i = 0; i < s->hashes.n; i++)
        if (all[i] == hash)
            return true;
    *(uint64_t *)pile_add(&s->hashes, sizeof hash) = hash;
    return false;
}

static void add_elements(struct joined *s, struct slice value)
{
    struct scan scan = scan_again(value, 0);
    struct slice element;
    bool first = true;

    scan_open(&scan, '[');
    while (scan_element(&scan, &first) && scan_value(&scan, &element)) {
        if (s->once && is_there(s, element))
            continue;
        text_adds(&s->value, s->value.length ? ",\n" : "");
        text_add(&s->value, element.at, element.length);
    }
}

static void add_section(struct joining *j, struct slice name, struct slice value)
{
    bool list = *value.at == '[';
    size_t before = j->sections.n;
    struct joined *s = find_section(j, name, list);

    if (s->once && s->last.length == value.length &&
        memcmp(s->last.at, value.at, value.length) == 0)
        return;
    text_clear(&s->last);
    text_add(&s->last, value.at, value.length);
    if (s->list && list)
        add_elements(s, value);
    else if (j->sections.n > before)
        text_add(&s->value, value.at, value.length);
}

/* A document is whole, or nothing of it counts. */
static bool is_coco(struct slice text)
{
    struct scan s = scan_start(text, 0);
    struct slice name, value;
    bool first = true, images = false;

    if (scan_peek(&s) != '{')
        return false;
    scan_open(&s, '{');
    while (scan_member(&s, &first, &name) && scan_value(&s, &value))
        images |= scan_is(name, "images") && *value.at == '[';
    return scan_end(&s) && images;
}

static bool add_labels(struct joining *j, const struct tar_set *set, const char *name)
{
    enum { MOST = 1 << 28 };
    const char *path = strcmp(set->path, "-") == 0 ? "stdin" : set->path;
    struct text bytes = { 0 }, why = { 0 };
    struct stat status;
    struct slice text, member, value;
    struct scan s;
    bool first = true, good = archive_read(set, name, NULL, MOST, &bytes, &status, &why);

    text = (struct slice){ text_string(&bytes), bytes.length };
    if (!good)
        fault_add(j->faults, 0, 0, path, "archive-labels", "%s: %s", name, text_string(&why));
    else if (!is_coco(text))
        good = fault_add(j->faults, 0, 0, path, "archive-labels",
                         "%s is no COCO file of its image, and other labels in archives are not "
                         "read: give one COCO file of all images with -a",
                         name);
    s = scan_again(text, 0);
    if (good)
        scan_open(&s, '{');
    while (good && scan_member(&s, &first, &member) && scan_value(&s, &value))
        add_section(j, member, value);
    text_drop(&bytes);
    text_drop(&why);
    return good;
}

static void print_labels(const struct joining *j, struct text *out)
{
    const struct joined *all = j->sections.at;

    for (size_t i = 0; i < j->sections.n; i++) {
        text_addf(out, "%s\"%s\": %s", i ? ",\n" : "{", all[i].name, all[i].list ? "[" : "");
        text_add(out, text_string(&all[i].value), all[i].value.length);
        text_adds(out, all[i].list ? "]" : "");
    }
    text_adds(out, j->sections.n ? "}\n" : "");
}

/* --- archives --- */

/* Where the members that go stand. */
struct parts {
    struct pile labels; /* of const struct member * */
    struct pile masks;
};

static int by_place(const void *a, const void *b)
{
    const struct member *x = *(const struct member *const *)a;
    const struct member *y = *(const struct member *const *)b;

    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

static void find_parts(const struct tar_set *set, struct parts *parts)
{
    for (size_t i = 0; i < set->n; i++) {
        const struct member *m = &set->members[i];
        const char *slice = NULL;

        if (ends_with(m->name, MASK))
            *(const struct member **)pile_add(&parts->masks, sizeof m) = m;
        else if (name_is_image(m->name))
            slice = archive_slice(set, m->name);
        if (slice)
            *(const struct member **)pile_add(&parts->labels, sizeof m) = archive_find(set, slice);
    }
    if (parts->labels.n)
        qsort(parts->labels.at, parts->labels.n, sizeof(struct member *), by_place);
}

static void take_mask(struct joining *j, struct tar_set *set, const struct member *m, size_t files)
{
    struct member *mask = pile_add(&j->masks, sizeof *mask);
    size_t stem = strlen(m->name) - strlen(MASK);

    *mask = *m;
    mask->file += files;
    mask->name = arena_printf(&set->arena, "%s.png", unescape(m->name, stem, &set->arena));
}

/* Only images stay. */
static bool keep_images(struct joining *j, struct tar_set *set, const struct parts *parts)
{
    const struct member *const *labels = parts->labels.at;
    size_t files = j->files.n, n = 0;
    bool masks = parts->masks.n;

    for (size_t i = 0; i < parts->labels.n; i++)
        ((struct member *)labels[i])->size = UINT64_MAX;
    for (size_t i = 0; masks && i < set->n_files; i++)
        *(struct tar_file *)pile_add(&j->files, sizeof *set->files) = set->files[i];
    for (size_t i = 0; i < set->n; i++) {
        struct member m = set->members[i];

        if (ends_with(m.name, MASK)) {
            take_mask(j, set, &m, files);
        } else if (m.size != UINT64_MAX) {
            m.name = unescape(m.name, strlen(m.name), &set->arena);
            set->members[n++] = m;
        }
    }
    set->n = n;
    return archive_sort(set, j->faults);
}

static bool take(struct joining *j, struct tar_set *set)
{
    struct parts parts = { 0 };
    const struct member *const *labels, *last = NULL;
    bool good = true;

    find_parts(set, &parts);
    labels = parts.labels.at;
    for (size_t i = 0; good && i < parts.labels.n; i++) {
        if (j->reads_labels && labels[i] != last) /* several images of one key */
            good = add_labels(j, set, labels[i]->name);
        last = labels[i];
    }
    if (parts.labels.n && !j->to->archive)
        j->to->archive = strcmp(set->path, "-") == 0 ? "stdin" : set->path;
    if (good && (parts.labels.n || parts.masks.n))
        good = keep_images(j, set, &parts);
    free(parts.labels.at);
    free(parts.masks.at);
    return good;
}

/* Those of all, as an archive of its own. */
static bool add_masks(struct joining *j, const char *path)
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
    struct joining j = { .to = to, .reads_labels = labels, .faults = faults };
    struct joined *sections;
    bool good = true;

    *to = (struct samples){ 0 };
    for (size_t i = 0; good && i < n; i++)
        if (archive_at(paths[i]))
            good = take(&j, archive_opened(paths[i]));
    if (good && j.masks.n)
        good = add_masks(&j, paths[0]);
    if (good)
        print_labels(&j, &to->labels);
    sections = j.sections.at;
    for (size_t i = 0; i < j.sections.n; i++) {
        text_drop(&sections[i].value);
        text_drop(&sections[i].last);
        free(sections[i].hashes.at);
    }
    free(sections);
    free(j.masks.at);
    free(j.files.at);
    arena_drop(&j.arena);
    return good;
}

void samples_drop(struct samples *s)
{
    text_drop(&s->labels);
}
