/* verify_labels: checks that the annotation files have the outputs and objects of the manifest, and
 * no others. */
#include "batch/finished/verify.h"

#include "batch/io/mapped_file.h"

#include "json/value.h"

#include "base/files.h"
#include "json/document.h"
#include "json/text_id.h"

#include <stdlib.h>
#include <string.h>

static int by_id(const void *a, const void *b)
{
    const struct expected_output *x = a, *y = b;

    if (x->part != y->part)
        return x->part < y->part ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

static int by_object(const void *a, const void *b)
{
    const struct expected_object *x = a, *y = b;

    if (x->part != y->part)
        return x->part < y->part ? -1 : 1;
    if (x->image != y->image)
        return x->image < y->image ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

/* An annotation file, and what was read of it. */
struct labels {
    struct verify_state *v;
    const char *name;
    size_t part;
    struct text wrong;
    int64_t n_categories, n_elements;
};

/* Reports a fault: "WHAT ID WHY". `id` is the id as text. */
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

/* Returns an id as text; "null" if there is none. */
static struct slice id_at(struct slice element, const char *name)
{
    struct slice id = pick_again(element, name);

    return id.at == element.at ? (struct slice){ "null", 4 } : id;
}

/* True if a size differs. A file may omit a size that the image file has. */
static bool is_other(struct slice element, const char *name, int side)
{
    struct slice value = pick_again(element, name);

    return value.at != element.at && !scan_equals(value, "null") &&
           integer_of(element, name) != side;
}

static struct expected_output *find_output(const struct labels *l, int64_t id)
{
    const struct pile *outputs = &l->v->outputs;

    return outputs->n ? bsearch(&(struct expected_output){ .part = l->part, .id = id }, outputs->at,
                                outputs->n, sizeof(struct expected_output), by_id)
                      : NULL;
}

static void check_image(void *context, struct scan *s, const struct place *place)
{
    struct labels *l = context;
    struct slice element;
    struct expected_output *is;
    struct slice id;

    (void)place;
    if (!scan_value(s, &element))
        return;
    id = id_at(element, "id");
    is = find_output(l, text_id_of(element, "id"));
    if (!is) {
        blame(l, "image", id, "is not in the manifest");
    } else if (is->listed) {
        blame(l, "image", id, "is listed twice");
    } else {
        is->listed = true;
        if (is_other(element, "width", is->width) || is_other(element, "height", is->height))
            blame(l, "image", id, "has another size in the manifest");
    }
}

/* Returns the index of the first object in the manifest that is not before this one. */
static size_t find_object(const struct labels *l, int64_t image, int64_t id)
{
    const struct pile *objects = &l->v->objects;
    const struct expected_object wanted = { .part = l->part, .image = image, .id = id };
    size_t low = 0, high = objects->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (by_object((struct expected_object *)objects->at + middle, &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Marks the object of an element as found. Elements without an id, or with one that the manifest
 * does not have, are counted: any object of their image may be theirs. */
static void take_object(struct labels *l, struct expected_output *image, struct slice element)
{
    struct pile *objects = &l->v->objects;
    struct expected_object *all = objects->at;
    int64_t id = text_id_of(element, "id");
    size_t i;

    if (l->v->dense[l->part] || l->v->source_ids || pick_again(element, "id").at == element.at) {
        image->n_elements++;
        return;
    }
    i = find_object(l, image->id, id);
    while (i < objects->n && all[i].found)
        i++;
    if (i < objects->n && all[i].part == l->part && all[i].image == image->id && all[i].id == id)
        all[i].found = true;
    else
        blame(l, "annotation", id_at(element, "id"), "is not in the manifest");
}

static void check_object(void *context, struct scan *s, const struct place *place)
{
    struct labels *l = context;
    struct slice element, segments, segment;
    struct expected_output *image;
    struct scan list;
    bool first = true;

    (void)place;
    if (!scan_value(s, &element))
        return;
    l->n_elements++;
    image = find_output(l, text_id_of(element, "image_id"));
    if (!image) {
        blame(l, "an annotation is of image", id_at(element, "image_id"),
              "that is not in the manifest");
        return;
    }
    if (l->v->dense[l->part] && pick_again(element, "id").at != element.at &&
        integer_of(element, "id") != l->n_elements)
        blame(l, "annotation", id_at(element, "id"), "has an id that is not its place in the file");
    if (!l->v->run.writer || !l->v->run.writer->print_objects) {
        take_object(l, image, element);
        return;
    }
    if (image->n_labels++)
        blame(l, "image", image->shown, "has more than one annotation");
    segments = pick_again(element, "segments_info");
    list = scan_again(segments, 0);
    if (segments.at != element.at && scan_open(&list, '['))
        while (scan_element(&list, &first) && scan_value(&list, &segment))
            take_object(l, image, segment);
}

/* Checks a category: its name must be one of the run, and so must its id, unless the output format
 * defines the ids. */
static void check_category(void *context, struct scan *s, const struct place *place)
{
    struct labels *l = context;
    const struct run_facts *run = &l->v->run;
    const struct value *ids = value_get(run->root, "categories");
    const struct value *names = value_get(run->root, "category_names");
    struct slice element, name;
    bool known = false;
    int64_t id;

    (void)place;
    if (!scan_value(s, &element))
        return;
    id = integer_of(element, "id");
    name = pick_again(element, "name");
    name = name.at != element.at && *name.at == '"' ? (struct slice){ name.at + 1, name.length - 2 }
                                                    : (struct slice){ "", 0 };
    l->n_categories++;
    for (size_t i = 0; ids && names && i < ids->n && i < names->n && !known; i++)
        known = ids->item[i].kind == VALUE_NUMBER && names->item[i].kind == VALUE_TEXT &&
                ((int64_t)ids->item[i].number == id || run->reader != run->writer) &&
                scan_equals(name, names->item[i].text);
    if (!known)
        blame(l, "category", id_at(element, "id"), "is not in run.json");
}

/* Checks a file. Returns false if it cannot be read: then its contents are unknown. */
static bool check_file(struct verify_state *v, struct labels *l, const char *name)
{
    const struct walk walks[] = { { .name = "images", .read = check_image },
                                  { .name = "annotations", .read = check_object },
                                  { .name = "categories", .read = check_category } };
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
    if (!out_dir_has_entry(&v->outdir, name)) {
        text_adds(&why, "it is not there"); /* verify_run reports it */
    } else if (!mapped_open(text_string(&path), &faults.text, &why)) {
        verify_report(v, name, "verify-damaged", text_string(&why));
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

/* Reports objects of the manifest without an element in the file. Elements without ids can stand
 * for any object of their image, so they are only counted. */
static void check_objects(struct labels *l)
{
    const struct verify_state *v = l->v;
    const struct expected_object *objects = v->objects.at;
    struct expected_output *outputs = v->outputs.at;

    for (size_t i = 0; i < v->objects.n; i++) {
        struct expected_output *image = objects[i].found || objects[i].part != l->part
                                            ? NULL
                                            : find_output(l, objects[i].image);

        if (!image)
            continue;
        if (image->n_elements) {
            image->n_elements--;
        } else if (!v->dense[l->part] && !v->source_ids) {
            blame(l, "annotation", objects[i].shown, "of the manifest is not listed");
        } else {
            blame(l, "image", image->shown, "has fewer annotations than the manifest");
            while (i + 1 < v->objects.n && objects[i + 1].image == image->id)
                i++;
        }
    }
    for (size_t i = 0; i < v->outputs.n; i++)
        if (outputs[i].part == l->part && outputs[i].n_elements)
            blame(l, "image", outputs[i].shown, "has more annotations than the manifest");
}

/* Reports outputs and objects of the manifest that the file lacks. */
static void check_absent(struct labels *l)
{
    const struct verify_state *v = l->v;
    const struct expected_output *outputs = v->outputs.at;
    const struct value *categories = value_get(v->run.root, "categories");
    bool alone = v->run.writer && v->run.writer->print_objects;

    for (size_t i = 0; i < v->outputs.n; i++) {
        if (outputs[i].part != l->part)
            continue;
        if (!outputs[i].listed)
            blame(l, "image", outputs[i].shown, "of the manifest is not listed");
        else if (alone && outputs[i].masked && !outputs[i].n_labels)
            blame(l, "image", outputs[i].shown, "has no annotation");
    }
    check_objects(l);
    if (categories && l->n_categories != (int64_t)categories->n)
        verify_count(l->v, l->name, "categories", l->n_categories, (int64_t)categories->n);
}

/* --- a table of labels --- */

static int by_name(const void *a, const void *b)
{
    const struct expected_output *x = a, *y = b;

    return strcmp(x->name, y->name);
}

/* Checks a row of a table. An output without labels has no row. */
static void check_record(struct labels *l, const struct dataset *d, size_t record)
{
    static const struct rules rules = { 0 };
    struct verify_state *v = l->v;
    struct arena arena = { 0 };
    struct sample sample = { .arena = &arena, .record = record };
    struct faults faults = dataset_faults(d);
    struct expected_output *is =
        v->outputs.n ? bsearch(&(struct expected_output){ .name = d->records[record].name },
                               v->outputs.at, v->outputs.n, sizeof *is, by_name)
                     : NULL;

    text_clear(&l->wrong);
    d->format->load(d, record, &rules, &sample, &faults);
    if (!is)
        text_addf(&l->wrong, "image %s is not in the manifest", d->records[record].name);
    else if (sample.n_labels != is->n_labels)
        text_addf(&l->wrong, "image %s has %zu labels, but the manifest has %zu",
                  d->records[record].name, sample.n_labels, is->n_labels);
    if (is)
        is->listed = true;
    if (l->wrong.length)
        verify_report(v, l->name, "verify-labels", text_string(&l->wrong));
    faults_drop(&faults);
    arena_drop(&arena);
}

/* True if an output has labels, or if the table has text after its first line. */
static bool needs_rows(const struct verify_state *v, struct slice table)
{
    const char *end = table.length ? memchr(table.at, '\n', table.length) : NULL;
    bool needs = end && end + 1 < table.at + table.length;

    for (size_t i = 0; i < v->outputs.n && !needs; i++)
        needs = ((const struct expected_output *)v->outputs.at)[i].n_labels > 0;
    return needs;
}

static void check_table(struct labels *l)
{
    struct verify_state *v = l->v;
    const struct format *format = v->run.writer;
    struct text bytes = { 0 };
    struct arena arena = { 0 };
    struct dataset d = { .format = format, .file = l->name, .arena = &arena };
    struct faults faults;

    if (!out_dir_has_entry(&v->outdir, l->name) || !verify_read(v, l->name, &bytes))
        return;
    d.text = (struct slice){ text_string(&bytes), bytes.length };
    faults = dataset_faults(&d);
    if (v->outputs.n)
        qsort(v->outputs.at, v->outputs.n, sizeof(struct expected_output), by_name);
    if (!format->read(&faults, &d)) {
        if (needs_rows(v, d.text))
            verify_report(v, l->name, "verify-labels", faults.list[0].message);
    } else {
        for (size_t i = 0; i < d.n_records; i++)
            check_record(l, &d, i);
        for (size_t i = 0; i < v->outputs.n; i++) {
            const struct expected_output *is = (struct expected_output *)v->outputs.at + i;

            text_clear(&l->wrong);
            text_addf(&l->wrong, "image %s of the manifest is not listed", is->name);
            if (is->n_labels && !is->listed)
                verify_report(v, l->name, "verify-labels", text_string(&l->wrong));
        }
    }
    faults_drop(&faults);
    arena_drop(&arena);
    text_drop(&bytes);
}

/* --- all annotation files --- */

static void sort_expected(struct verify_state *v)
{
    if (v->outputs.n)
        qsort(v->outputs.at, v->outputs.n, sizeof(struct expected_output), by_id);
    if (v->objects.n)
        qsort(v->objects.at, v->objects.n, sizeof(struct expected_object), by_object);
}

static void verify_part(struct verify_state *v, size_t part)
{
    const char *name = verify_part_file(v, part);
    struct labels l = { .v = v, .name = name, .part = part };

    if (name && earlier_files_contain(&v->former, name) && check_file(v, &l, name))
        check_absent(&l);
    text_drop(&l.wrong);
}

void verify_annotations(struct verify_state *v)
{
    const struct format *writer = v->run.writer;
    struct labels l = { .v = v, .name = "annotations.json" };
    bool list = earlier_files_contain(&v->former, "images.json"), good;

    if (writer && writer->lines && !writer->ending)
        return;
    if (v->run.parts && writer) {
        sort_expected(v);
        for (size_t i = 0; i < v->run.parts->n; i++)
            verify_part(v, i);
        return;
    }

    if (writer && writer->ending) {
        l.name = format_file(writer);
        check_table(&l);
    } else if (earlier_files_contain(&v->former, l.name)) {
        sort_expected(v);
        good = check_file(v, &l, "annotations.json");
        if (list)
            good = check_file(v, &l, "images.json") && good;
        l.name = "annotations.json";
        if (good)
            check_absent(&l);
    }
    text_drop(&l.wrong);
}
