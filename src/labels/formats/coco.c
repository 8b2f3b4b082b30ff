/* coco: COCO's single file for a dataset: instances, keypoints, stuff, captions, and their
 * dialects.
 *
 * The file stays mapped. Reading makes a small index of the positions of its elements, loading
 * parses one image's annotations, and printing copies every byte that no change affects. Keys that
 * COCO does not define are preserved. */
#include "labels/coco/annotations.h"
#include "labels/coco/image_cameras.h"
#include "labels/coco/reader_limits.h"
#include "labels/coco/write_foreign.h"

#include <stdlib.h>

/* The dataset's state. */
struct coco {
    struct slice text;
    struct coco_image *images; /* one a record */
    struct coco_annotations annotations;
    struct document document; /* the top level */
    struct categories categories;
};

/* --- reading --- */

/* Memory for reading that is released afterwards. */
struct reader {
    struct faults *faults;
    struct dataset *dataset;
    struct coco *coco;
    struct coco_images images;
    struct coco_annotations_reader annotations;
    bool has_categories;
};

static void read_image(void *context, struct scan *s, const struct place *p)
{
    struct reader *r = context;

    coco_image_read(&r->images, s, p);
}

static void read_annotation(void *context, struct scan *s, const struct place *p)
{
    struct reader *r = context;

    coco_annotations_read(&r->annotations, s, p);
}

static void read_categories(void *context, struct scan *s, const struct place *p)
{
    struct reader *r = context;
    struct slice value;

    r->has_categories = true;
    if (!scan_value(s, &value))
        return;
    r->dataset->categories_text = value;
    categories_read(p->faults, value, r->dataset->arena, &r->coco->categories);
}

enum { WALK_IMAGES, WALK_ANNOTATIONS, WALK_CATEGORIES, WALKS };
static const struct walk walks[WALKS] = {
    [WALK_IMAGES] = { .name = "images", .required = true, .read = read_image },
    [WALK_ANNOTATIONS] = { .name = "annotations", .read = read_annotation },
    [WALK_CATEGORIES] = { .name = "categories", .whole = true, .read = read_categories },
};

/* Checks a list at a time: an id takes 16 bytes, and there may be millions of annotations. */
static void check_elements(struct reader *r)
{
    size_t images = r->images.records.n, annotations = r->annotations.at.n;
    struct id *ids = memory_take(((images > annotations ? images : annotations) + 1) * sizeof *ids);

    coco_images_check(&r->images, ids);
    if (r->has_categories && r->coco->categories.n && r->coco->categories.sure)
        coco_images_check_labels(&r->images, &r->coco->categories);
    coco_images_drop_repeated(&r->images, ids);
    coco_annotations_link(&r->annotations, ids, r->images.records.n, r->has_categories);
    coco_annotations_check_ids(&r->annotations, ids);
    free(ids);
}

/* Stores the result in the dataset. */
static void keep(struct reader *r)
{
    struct dataset *d = r->dataset;
    struct coco *coco = r->coco;

    d->n_records = r->images.records.n;
    d->records = r->images.records.at;
    coco->images = r->images.places.at;
    if (coco->categories.deviates)
        coco_mend_categories(&coco->document, WALK_CATEGORIES, d->arena);
    d->categories = coco->categories.at;
    d->n_categories = coco->categories.n;
    d->lookup = r->has_categories ? &coco->categories : NULL;
    coco_annotations_keep(&r->annotations, d, coco->images);
    coco_images_keep_loose(&r->images, d);
    d->text_ids = r->images.ids == ID_KIND_TEXT || r->annotations.ids == ID_KIND_TEXT;
}

static bool coco_read(struct faults *f, struct dataset *d)
{
    struct coco *coco = ARENA_NEW(d->arena, struct coco);
    struct reader r = { .faults = f,
                        .dataset = d,
                        .coco = coco,
                        .images = { .faults = f, .arena = d->arena },
                        .annotations = {
                            .faults = f, .arena = d->arena, .to = &coco->annotations } };
    struct place nowhere = coco_place(f, NULL, 0);
    size_t before = f->n;

    coco_images_note_loose(&r.images);
    coco->text = f->text;
    coco->annotations = (struct coco_annotations){ .text = f->text,
                                                   .list = "annotations",
                                                   .categories = &coco->categories };
    d->state = coco;
    if (document_read(&nowhere, "coco-root", walks, WALKS, &r, d->arena, &coco->document) &&
        categories_pin_dataset(&coco->categories, d, f, &r.has_categories))
        check_elements(&r);
    if (r.images.lvis) { /* it has no such keys */
        note_withdraw(f, deviation_kinds[DEVIATION_NO_CROWD].code);
        note_withdraw(f, deviation_kinds[DEVIATION_NO_SUPERCATEGORY].code);
    }
    if (f->n == before)
        keep(&r);
    arena_take_over(d->arena, r.images.records.at);
    arena_take_over(d->arena, r.images.places.at);
    coco_annotations_reader_drop(&r.annotations);
    free(r.images.loose.at);
    return f->n == before;
}

/* --- loading and printing --- */

static bool coco_load(const struct dataset *d, size_t record, const struct rules *rules,
                      struct sample *sample, struct faults *f)
{
    const struct coco *coco = d->state;

    coco_image_load_labels(f, &coco->images[record], d, record, sample);
    return coco_cameras_check(d, record, rules, f) &&
           coco_annotations_load(&coco->annotations, d, record, rules, sample, f);
}

static void coco_print_object(const struct dataset *d, size_t record, const struct sample *sample,
                              const struct object *o, const struct output *out,
                              const struct rules *rules, struct text *text)
{
    const struct coco *coco = d->state;

    (void)sample;
    coco_annotations_print(&coco->annotations, record, o, out, rules, text);
}

static bool coco_object_is_unchanged(const struct dataset *d, size_t record, const struct object *o,
                                     const struct output *out)
{
    const struct coco *coco = d->state;

    return coco_annotations_are_unchanged(&coco->annotations, record, o, out);
}

static struct slice coco_find_record(const struct dataset *d, size_t record)
{
    const struct coco *coco = d->state;
    const struct coco_image *image = &coco->images[record];

    return (struct slice){ coco->text.at + image->offset, image->length };
}

static struct slice coco_find_object(const struct dataset *d, size_t record, size_t i,
                                     size_t *order)
{
    const struct coco *coco = d->state;

    return coco_annotations_find(&coco->annotations, d, record, i, order);
}

static void coco_print_record(const struct dataset *d, size_t record, const struct output *out,
                              struct text *text)
{
    const struct coco *coco = d->state;

    coco_print_image(d, coco->text, &coco->images[record], d->records[record].id, out, text);
}

static int64_t coco_object_id(const struct dataset *d, size_t record, const struct object *o)
{
    const struct coco *coco = d->state;

    return coco_annotations_id(&coco->annotations, record, o);
}

static void coco_visit_extras(const struct dataset *d, size_t record, const struct object *o,
                              void (*visit)(void *context, const struct extra *), void *context)
{
    const struct coco *coco = d->state;

    coco_annotations_visit(&coco->annotations, record, o, visit, context);
}

static void coco_visit_record_extras(const struct dataset *d, size_t record,
                                     void (*visit)(void *context, const struct extra *),
                                     void *context)
{
    coco_image_visit(coco_find_record(d, record), visit, context);
}

/* --- writing --- */

static bool coco_write(const struct dataset *d, FILE *file,
                       bool (*next_record)(void *context, struct slice *),
                       bool (*next_object)(void *context, struct slice *), void *context)
{
    const struct coco *coco = d->state;
    struct arena arena = { 0 };
    struct document whole =
        categories_in_document(d, &coco->categories, &coco->document, WALK_CATEGORIES, &arena);
    struct section *sections = ARENA_ARRAY(&arena, struct section, whole.n + 1);
    struct document document =
        next_object ? whole : document_without(&whole, WALK_ANNOTATIONS, sections);
    bool (*const next[WALKS])(void *, struct slice *) = {
        [WALK_IMAGES] = next_record,
        [WALK_ANNOTATIONS] = next_object,
    };
    bool good = document_write(&document, file, next, WALKS, context);

    arena_drop(&arena);
    return good;
}

static const struct target targets[] = {
    { "coco", "OUT/annotations.json", 0 },
    { "roboflow", "COCO in Roboflow's folders: PART/_annotations.coco.json", 1 },
    { "webdataset", "COCO in tars with an index: PART-000000.tar, PART-index.json", 2 },
    { 0 },
};

const struct format coco_format = {
    .name = "coco",
    .summary = "COCO JSON: boxes, polygons, RLE, keypoints, captions, whole bodies",
    .targets = targets,
    .foreign = &coco_plain_format,
    .read = coco_read,
    .load = coco_load,
    .print_record = coco_print_record,
    .print_object = coco_print_object,
    .object_is_unchanged = coco_object_is_unchanged,
    .find_record = coco_find_record,
    .find_object = coco_find_object,
    .object_id = coco_object_id,
    .visit_extras = coco_visit_extras,
    .visit_record_extras = coco_visit_record_extras,
    .reader_limits = coco_reader_limits,
    .write = coco_write,
};
