/* verify_tars: compares the members of the tars of a result with its manifest. */
#include "batch/finished/verify.h"

#include "batch/io/archive_read.h"
#include "batch/io/archive_set.h"
#include "batch/io/open.h"
#include "batch/io/mapped_file.h"
#include "batch/output/tar_names.h"
#include "batch/webdataset/pack.h"
#include "batch/manifest/recorded_steps.h"

#include "base/files.h"
#include "json/text_id.h"

#include <stdlib.h>
#include <string.h>

struct tars {
    struct verify_state *v;
    size_t root; /* of the part that is checked */
    const struct tar_set *set;
    const char *file; /* the annotation file of the part */
    bool *listed;     /* per member: the manifest lists it */
    uint64_t *counts; /* per tar: its samples */
    const struct member *last;
    bool unordered; /* a member in the wrong place was reported */
    struct pack_labels labels;
};

/* True if a comes after b in the tars, or b is NULL. */
static bool is_after(const struct member *a, const struct member *b)
{
    return !b || a->file > b->file || (a->file == b->file && a->at > b->at);
}

/* Marks a member as listed, and returns it. Returns NULL if it is missing, and reports that unless
 * `reported`. */
static const struct member *take(struct tars *t, const char *member, const char *name,
                                 bool reported)
{
    const struct member *is = archive_find(t->set, member);

    if (!is) {
        if (!reported)
            verify_report(t->v, name, "verify-missing", "no tar has it");
        return NULL;
    }
    if (!is_after(is, t->last) && !t->unordered) {
        t->unordered = true;
        verify_report(t->v, name, "verify-labels",
                      "it is not in its place in the tars: samples are in the order of the "
                      "manifest, with their members together");
    }
    t->last = is;
    t->listed[is - t->set->members] = true;
    return is;
}

/* Checks the annotations of one image: they must be the same as in the annotation file. */
static void check_json(struct tars *t, const char *image, int64_t id)
{
    struct text name = { 0 }, bytes = { 0 }, wanted = { 0 }, why = { 0 };
    struct stat status;

    text_adds(&name, image);
    text_cut(&name, (size_t)(strrchr(text_string(&name), '.') - name.at));
    text_adds(&name, ".json");
    if (take(t, text_string(&name), text_string(&name), false)) {
        pack_labels_print(&t->labels, id, false, &wanted);
        if (!input_read(t->v->roots[t->root], text_string(&name), LINKS_REFUSE, NULL, &bytes,
                        &status, &why))
            verify_report(t->v, text_string(&name), "verify-damaged", text_string(&why));
        else if (bytes.length != wanted.length ||
                 memcmp(text_string(&bytes), text_string(&wanted), wanted.length) != 0)
            verify_report(t->v, text_string(&name), "verify-labels",
                          arena_printf(&t->v->arena, "it differs from %s", t->file));
    }
    text_drop(&name);
    text_drop(&bytes);
    text_drop(&wanted);
    text_drop(&why);
}

/* Checks the members of a line of the part, in the order in which a run packs them. */
static void check_line(struct tars *t, struct slice line)
{
    static const char *const others[] = { "mask", "labels" };
    struct verify_state *v = t->v;
    const char *image = verify_text(v, line, "output");
    const char *member = verify_file(v, image, image);
    const struct member *is = take(t, member, image, true);

    if (is)
        t->counts[is->file]++;
    if (t->labels.text.length && pick_again(line, "image_id").at != line.at)
        check_json(t, member, text_id_of(line, "image_id"));
    for (size_t i = 0; i < COUNTOF(others); i++) {
        const char *name = verify_text(v, line, others[i]);

        if (*name)
            take(t, verify_file(v, image, name), name, true);
    }
}

static void check_lines(struct tars *t)
{
    struct verify_state *v = t->v;

    for (uint64_t at = 0; at < v->manifest.length;) {
        struct slice line = slice_line(v->manifest, at);

        if (verify_find_part(v, line) && v->root == t->root)
            check_line(t, line);
        arena_reset(&v->arena);
        at += line.length + 1;
    }
}

/* Reads the annotation file. Returns false if it cannot be read, which was reported. */
static bool read_annotations(struct tars *t, const char *part)
{
    struct verify_state *v = t->v;
    struct text path = { 0 }, why = { 0 };
    struct slice text = { "", 0 };
    bool good = true;

    t->file = v->run.parts ? pack_annotations_name(&v->former.arena, part) : "annotations.json";
    if (earlier_files_contain(&v->former, t->file)) {
        path_join(&path, v->path, t->file);
        good = mapped_open(text_string(&path), &text, &why);
    }
    good = good && pack_labels_read(&t->labels, text, &why);
    text_drop(&path);
    text_drop(&why);
    return good;
}

/* Compares the index of the part with its tars and its annotations. */
static void check_index(struct tars *t, const char *part)
{
    struct verify_state *v = t->v;
    struct arena *arena = &v->former.arena;
    const char *name = pack_index_name(arena, part);
    size_t n = t->set->n_files;
    const char **tars = ARENA_ARRAY(arena, const char *, n + 1);
    struct text bytes = { 0 }, wanted = { 0 };

    if (!t->labels.text.length || !earlier_files_contain(&v->former, name) ||
        !verify_read(v, name, &bytes))
        return;
    for (size_t i = 0; i < n; i++)
        tars[i] = pack_tar_name(arena, part, i);
    pack_index_print(&t->labels, &(struct pack_index){ part, tars, t->counts, n }, &wanted);
    if (bytes.length != wanted.length ||
        memcmp(text_string(&bytes), text_string(&wanted), wanted.length) != 0)
        verify_report(v, name, "verify-labels",
                      arena_printf(arena, "it differs from %s and the tars", t->file));
    text_drop(&bytes);
    text_drop(&wanted);
}

static void check_part(struct verify_state *v, size_t root)
{
    const char *part = v->tars[root].part;
    struct tars t = { .v = v, .root = root, .set = archive_at(v->roots[root]) };

    if (read_annotations(&t, part)) {
        t.listed = ARENA_ARRAY(&v->former.arena, bool, t.set->n);
        t.counts = ARENA_ARRAY(&v->former.arena, uint64_t, t.set->n_files);
        check_lines(&t);
        for (size_t i = 0; i < t.set->n; i++)
            if (!t.listed[i])
                verify_report(v, t.set->members[i].name, "verify-extra",
                              "it is in a tar, but the manifest does not list it");
        check_index(&t, part);
    }
    pack_labels_drop(&t.labels);
}

void verify_tars(struct verify_state *v)
{
    for (size_t i = 0; v->tars && i < v->n_roots; i++)
        check_part(v, i);
}
