/* verify_labels: do the annotation files list the outputs of the manifest, and no other ones? */
#include "verify.h"

#include "mapped.h"

#include "../base/files.h"
#include "../json/document.h"
#include "../json/text_id.h"

#include <stdlib.h>
#include <string.h>

static int by_id(const void *a, const void *b)
{
    const struct numbered *x = a, *y = b;

    return x->id < y->id ? -1 : x->id > y->id;
}

/* An annotation file, and which of the outputs it lists. */
struct labels {
    struct verifying *v;
    const char *name;
    struct text wrong;
    bool *listed;
    size_t n_listed;
};

static void blame(struct labels *l, const char *what, struct slice id, const char *why)
{
    text_clear(&l->wrong);
    text_addf(&l->wrong, "%s ", what);
    text_add_visible(&l->wrong, id.at, id.length);
    text_addf(&l->wrong, " %s", why);
    verify_report(l->v, l->name, "verify-labels", text_string(&l->wrong));
}

static int64_t integer_of(struct slice element, const char *name)
{
    struct scan s = scan_again(pick_again(element, name), 0);
    int64_t number = 0;

    scan_integer(&s, &number);
    return number;
}

/* Returns the text of an id. */
static struct slice id_at(struct slice element, const char *name)
{
    struct slice id = pick_again(element, name);

    return id.at == element.at ? (struct slice){ "null", 4 } : id;
}

/* A file may leave out what the image's own file says. */
static bool is_other(struct slice element, const char *name, int side)
{
    struct slice value = pick_again(element, name);

    return value.at != element.at && !scan_is(value, "null") && integer_of(element, name) != side;
}

static struct numbered *find_output(const struct labels *l, int64_t id)
{
    const struct pile *outputs = &l->v->outputs;

    return outputs->n ? bsearch(&(struct numbered){ .id = id }, outputs->at, outputs->n,
                                sizeof(struct numbered), by_id)
                      : NULL;
}

static void check_image(void *context, struct scan *s, const struct place *place)
{
    struct labels *l = context;
    struct slice element;
    struct numbered *is;
    struct slice id;

    (void)place;
    if (!scan_value(s, &element))
        return;
    id = id_at(element, "id");
    is = find_output(l, text_id_of(element, "id"));
    if (!is) {
        blame(l, "image", id, "is not in the manifest");
    } else {
        bool *listed = &l->listed[is - (struct numbered *)l->v->outputs.at];

        l->n_listed += !*listed;
        *listed = true;
        if (is_other(element, "width", is->width) || is_other(element, "height", is->height))
            blame(l, "image", id, "has another size in the manifest");
    }
}

static void check_object(void *context, struct scan *s, const struct place *place)
{
    struct labels *l = context;
    struct slice element;

    (void)place;
    if (scan_value(s, &element) && !find_output(l, text_id_of(element, "image_id")))
        blame(l, "an annotation is of image", id_at(element, "image_id"),
              "that is not in the manifest");
}

/* False when it cannot be read: then nothing is known of what it lists. */
static bool check_file(struct verifying *v, struct labels *l, const char *name)
{
    const struct walk walks[] = { { .name = "images", .read = check_image },
                                  { .name = "annotations", .read = check_object } };
    struct faults faults = { .name = name };
    const struct place where = { .faults = &faults,
                                 .code_missing = "verify-labels",
                                 .code_type = "verify-labels" };
    struct text path = { 0 }, why = { 0 };
    struct document document;
    struct scan s;
    bool good;

    l->name = name;
    path_join(&path, v->path, name);
    if (!mapped_open(text_string(&path), &faults.text, &why)) {
        verify_report(v, name, "verify-missing", text_string(&why));
    } else {
        s = scan_start(faults.text, 0);
        if (scan_peek(&s) == '[')
            document_read_list(&where, &walks[1], l);
        else
            document_read(&where, "verify-labels", walks, COUNTOF(walks), l, &v->arena, &document);
        if (faults.n)
            verify_report(v, name, "verify-labels", faults.list[0].message);
    }
    good = !faults.n && !why.length;
    faults_drop(&faults);
    text_drop(&path);
    text_drop(&why);
    return good;
}

void verify_annotations(struct verifying *v)
{
    struct labels l = { .v = v };
    bool list = former_owns(&v->former, "images.json"), good;

    if (!former_owns(&v->former, "annotations.json"))
        return;
    l.listed = memory_take(v->outputs.n + 1);
    memset(l.listed, 0, v->outputs.n + 1);
    if (v->outputs.n)
        qsort(v->outputs.at, v->outputs.n, sizeof(struct numbered), by_id);
    good = check_file(v, &l, "annotations.json");
    if (list)
        good = check_file(v, &l, "images.json") && good;
    for (size_t i = 0; good && i < v->outputs.n; i++)
        if (!l.listed[i])
            blame(&l, "image", ((struct numbered *)v->outputs.at)[i].shown,
                  "of the manifest is not listed");
    free(l.listed);
    text_drop(&l.wrong);
}
