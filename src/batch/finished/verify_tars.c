/* verify_tars: compares the members of the tars of a result with its manifest. */
#include "batch/finished/verify.h"

#include "batch/io/archive_read.h"
#include "batch/io/archive_set.h"
#include "batch/io/open.h"
#include "batch/io/mapped_file.h"
#include "batch/webdataset/pack.h"
#include "batch/manifest/recorded_steps.h"

#include "base/files.h"
#include "json/text_id.h"

#include <stdlib.h>
#include <string.h>

struct tars {
    struct verify_state *v;
    const struct tar_set *set;
    bool *listed; /* per member: the manifest lists it */
    const struct member *last;
    bool unordered; /* a member in the wrong place was reported */
    struct pack_labels labels;
};

/* True if a comes after b in the tars, or b is NULL. */
static bool is_after(const struct member *a, const struct member *b)
{
    return !b || a->file > b->file || (a->file == b->file && a->at > b->at);
}

/* Marks a member as listed. Returns false if it is missing, and reports that unless `reported`. */
static bool take(struct tars *t, const char *member, const char *name, bool reported)
{
    const struct member *is = archive_find(t->set, member);

    if (!is) {
        if (!reported)
            verify_report(t->v, name, "verify-missing", "no tar has it");
        return false;
    }
    if (!is_after(is, t->last) && !t->unordered) {
        t->unordered = true;
        verify_report(t->v, name, "verify-labels",
                      "it is not in its place in the tars: samples are in the order of the "
                      "manifest, with their members together");
    }
    t->last = is;
    t->listed[is - t->set->members] = true;
    return true;
}

/* Checks the annotations of one image: they must be the same as in annotations.json. */
static void check_json(struct tars *t, const char *image, int64_t id)
{
    struct text name = { 0 }, bytes = { 0 }, wanted = { 0 }, why = { 0 };
    struct stat status;

    text_adds(&name, image);
    text_cut(&name, (size_t)(strrchr(text_string(&name), '.') - name.at));
    text_adds(&name, ".json");
    if (take(t, text_string(&name), text_string(&name), false)) {
        pack_labels_print(&t->labels, id, &wanted);
        if (!input_read(t->v->root, text_string(&name), LINKS_REFUSE, NULL, &bytes, &status, &why))
            verify_report(t->v, text_string(&name), "verify-damaged", text_string(&why));
        else if (bytes.length != wanted.length ||
                 memcmp(text_string(&bytes), text_string(&wanted), wanted.length) != 0)
            verify_report(t->v, text_string(&name), "verify-labels",
                          "it differs from annotations.json");
    }
    text_drop(&name);
    text_drop(&bytes);
    text_drop(&wanted);
    text_drop(&why);
}

/* Checks the members of a line, in the order in which a run packs them. */
static void check_line(struct tars *t, struct slice line)
{
    static const char *const others[] = { "mask", "labels" };
    struct verify_state *v = t->v;
    const char *image = verify_text(v, line, "output");
    const char *member = verify_file(v, image, image);

    take(t, member, image, true);
    if (t->labels.text.length && pick_again(line, "image_id").at != line.at)
        check_json(t, member, text_id_of(line, "image_id"));
    for (size_t i = 0; i < COUNTOF(others); i++) {
        const char *name = verify_text(v, line, others[i]);

        if (*name)
            take(t, verify_file(v, image, name), name, true);
    }
    arena_reset(&v->arena);
}

/* Reads annotations.json. Returns false if it cannot be read, which is then reported. */
static bool read_annotations(struct tars *t)
{
    struct text path = { 0 }, why = { 0 };
    struct slice text = { "", 0 };
    bool good = true;

    if (earlier_files_contain(&t->v->former, "annotations.json")) {
        path_join(&path, t->v->path, "annotations.json");
        good = mapped_open(text_string(&path), &text, &why);
    }
    good = good && pack_labels_read(&t->labels, text, &why);
    text_drop(&path);
    text_drop(&why);
    return good;
}

void verify_tars(struct verify_state *v)
{
    struct tars t = { .v = v, .set = v->packed ? archive_at(v->root) : NULL };

    if (!t.set || !read_annotations(&t))
        return;
    t.listed = memory_take(t.set->n + 1);
    memset(t.listed, 0, t.set->n + 1);
    for (uint64_t at = 0; at < v->manifest.length;) {
        struct slice line = slice_line(v->manifest, at);

        check_line(&t, line);
        at += line.length + 1;
    }
    for (size_t i = 0; i < t.set->n; i++)
        if (!t.listed[i])
            verify_report(v, t.set->members[i].name, "verify-extra",
                          "it is in a tar, but the manifest does not list it");
    free(t.listed);
    pack_labels_drop(&t.labels);
}
