/* coco_results: detections of a model, in the form that COCO's evaluation reads: a list of
 * annotations alone, [{"image_id": 139, "category_id": 1, "bbox": [...], "score": 0.9}, ...].
 *
 * Images and categories are those of the dataset's list. If no images are needed, they are the ones
 * that the results name. Elements need no id. Members besides outlines and keypoints, such as
 * scores and captions, are preserved. */
#include "labels/coco/annotations.h"
#include "labels/coco/image_cameras.h"

#include <stdlib.h>

/* Without a list of categories. */
static const struct categories no_categories;

static bool detect(const struct glance *g)
{
    return g->root == '[';
}

static void read_result(void *context, struct scan *s, const struct place *p)
{
    coco_annotations_read(context, s, p);
}

/* Image ids as the list has them. */
static void link_records(struct coco_annotations_reader *r, const struct dataset *list)
{
    struct id *ids = memory_take((list->n_records + 1) * sizeof *ids);

    for (size_t i = 0; i < list->n_records; i++)
        ids[i] = (struct id){ list->records[i].id, (uint32_t)i };
    ids_sort(ids, list->n_records);
    coco_annotations_link(r, ids, list->n_records, list->lookup != NULL);
    free(ids);
}

static void keep_list(struct dataset *d)
{
    d->n_records = d->list->n_records;
    d->records = (void *)arena_copy(d->arena, d->list->records, d->n_records * sizeof *d->records);
    d->categories = d->list->categories;
    d->n_categories = d->list->n_categories;
    d->lookup = d->list->lookup;
    d->categories_text = d->list->categories_text;
    d->text_ids = d->list->text_ids;
}

static void keep(const struct coco_annotations_reader *r, struct dataset *d)
{
    if (d->list)
        keep_list(d);
    coco_annotations_keep(r, d, ARENA_ARRAY(d->arena, struct coco_image, d->n_records));
}

/* Makes the categories that the results name, if the list of images has none. */
static void make_categories(struct coco_annotations_reader *r, struct dataset *d)
{
    struct categories *own = ARENA_NEW(d->arena, struct categories);
    struct dataset named = { .arena = d->arena };

    r->to->categories = own;
    coco_annotations_list(r, &named, own);
    d->categories = own->at;
    d->n_categories = own->n;
    d->lookup = own;
}

/* The lists of images and categories that there are not. */
static void make_list(struct coco_annotations_reader *r, struct dataset *d)
{
    struct categories *own = ARENA_NEW(d->arena, struct categories);

    r->to->categories = own;
    coco_annotations_list(r, d, own);
    d->categories = own->at;
    d->n_categories = own->n;
    d->lookup = own;
}

static bool results_read(struct faults *f, struct dataset *d)
{
    static const struct walk walk = { .name = "", .read = read_result };
    struct coco_annotations *results = ARENA_NEW(d->arena, struct coco_annotations);
    struct coco_annotations_reader r = {
        .faults = f, .arena = d->arena, .to = results, .listless = !d->list
    };
    struct place nowhere = coco_place(f, NULL, 0);
    size_t before = f->n;

    *results =
        (struct coco_annotations){ .text = f->text,
                                   .list = "",
                                   .results = true,
                                   .categories = d->list && d->list->lookup ? d->list->lookup
                                                                            : &no_categories };
    d->state = results;
    if (document_read_list(&nowhere, &walk, &r))
        d->list ? link_records(&r, d->list) : make_list(&r, d);
    if (f->n == before)
        keep(&r, d);
    if (f->n == before && d->list && d->listless && !d->lookup)
        make_categories(&r, d);
    coco_annotations_reader_drop(&r);
    return f->n == before;
}

static bool results_load(const struct dataset *d, size_t record, const struct rules *rules,
                         struct sample *sample, struct faults *f)
{
    return (!d->list || coco_cameras_check(d, record, rules, f)) &&
           coco_annotations_load(d->state, d, record, rules, sample, f);
}

static void results_print_object(const struct dataset *d, size_t record,
                                 const struct sample *sample, const struct object *o,
                                 const struct output *out, const struct rules *rules,
                                 struct text *text)
{
    (void)sample;
    coco_annotations_print(d->state, record, o, out, rules, text);
}

static bool results_object_is_unchanged(const struct dataset *d, size_t record,
                                        const struct object *o, const struct output *out)
{
    return coco_annotations_are_unchanged(d->state, record, o, out);
}

static struct slice results_find_record(const struct dataset *d, size_t record)
{
    return d->list->format->find_record(d->list, record);
}

static struct slice results_find_object(const struct dataset *d, size_t record, size_t i,
                                        size_t *order)
{
    return coco_annotations_find(d->state, d, record, i, order);
}

static void results_print_record(const struct dataset *d, size_t record, const struct output *out,
                                 struct text *text)
{
    d->list->format->print_record(d->list, record, out, text);
}

static int64_t results_object_id(const struct dataset *d, size_t record, const struct object *o)
{
    return coco_annotations_id(d->state, record, o);
}

static bool results_write(const struct dataset *d, FILE *file,
                          bool (*next_record)(void *context, struct slice *),
                          bool (*next_object)(void *context, struct slice *), void *context)
{
    (void)d;
    (void)next_record; /* the list has them */
    return document_write_list(file, next_object, context);
}

const struct format coco_results_format = {
    .name = "coco_results",
    .summary = "COCO's results: a list of a model's predictions; with --image-list",
    .detect = detect,
    .listed = true,
    .read = results_read,
    .load = results_load,
    .print_record = results_print_record,
    .print_object = results_print_object,
    .object_is_unchanged = results_object_is_unchanged,
    .find_record = results_find_record,
    .find_object = results_find_object,
    .object_id = results_object_id,
    .write = results_write,
};
