/* coco: COCO's one file for a dataset: instances, keypoints, stuff, captions, and their dialects.
 *
 * The file stays where it is mapped: reading leaves a small index of where its elements stand,
 * loading takes one image's annotations apart, and printing copies every byte that no change asks
 * to be another. Keys that COCO does not know go through all of it as they are. */
#include "../coco/annotation.h"
#include "../coco/images.h"

#include <stdlib.h>

struct annotation {
    uint64_t offset;
    int64_t id;
    uint32_t length, record;
};

/* The dataset's state. Indices are 32-bit: they are what a large file costs. */
struct coco {
    struct slice text;
    struct coco_image *images;      /* one a record; first: in by_record */
    struct annotation *annotations; /* in the file's order */
    uint32_t *by_record;            /* annotations of record 0, of record 1, ... */
    struct document document;       /* the top level */
    struct categories categories;
};

/* --- reading: the index --- */

/* Which image and category an annotation says it has; looked up when all are known. */
struct claim {
    int64_t image, category;
};

/* What reading needs and does not leave behind. */
struct reader {
    struct faults *faults;
    struct dataset *dataset;
    struct coco *coco;
    struct coco_images images;
    struct pile annotations, claims;
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
    struct pick pick[] = { { .name = "id", .required = true },
                           { .name = "image_id", .required = true },
                           { .name = "category_id" } };
    struct annotation *a = pile_add(&r->annotations, sizeof *a);
    struct claim *claim = pile_add(&r->claims, sizeof *claim);
    struct slice element = { 0 };

    a->id = claim->image = claim->category = COCO_NO_ID;
    pick_members(s, p, pick, COUNTOF(pick), &element);
    if (s->code || !coco_element_fits(p, element))
        return;
    a->offset = (uint64_t)(element.at - s->text.at);
    a->length = (uint32_t)element.length;
    pick_integer(p, &pick[0], &a->id);
    pick_integer(p, &pick[1], &claim->image);
    pick_integer(p, &pick[2], &claim->category);
}

/* --- reading: what elements say of each other --- */

static struct slice stretch_of(const void *context, size_t index)
{
    const struct reader *r = context;
    const struct annotation *a = (const struct annotation *)r->annotations.at + index;

    return (struct slice){ r->faults->text.at + a->offset, a->length };
}

/* Gives each annotation its record; faults for images and categories that are not there. An id
 * that could not be read has had its fault, and leaves open what the others mean; without a list of
 * categories their ids are only carried. */
static void settle_claims(struct reader *r, const struct id *images)
{
    struct annotation *annotations = r->annotations.at;
    const struct claim *claims = r->claims.at;
    const struct categories *categories = &r->coco->categories;
    bool sure_image = !ids_find(images, r->images.records.n, COCO_NO_ID);
    bool sure_category = r->has_categories && categories->sure;

    for (size_t i = 0; i < r->annotations.n; i++) {
        struct place p = coco_place(r->faults, "annotations", i);
        const struct id *image = ids_find(images, r->images.records.n, claims[i].image);

        annotations[i].record = image ? image->index : 0;
        if (!image && sure_image && claims[i].image != COCO_NO_ID)
            place_fault(&p, pick_again(stretch_of(r, i), "image_id"), "image_id",
                        "coco-image-unknown", "no image has the id %lld",
                        (long long)claims[i].image);
        if (claims[i].category != COCO_NO_ID && sure_category &&
            !categories_find(categories, claims[i].category))
            place_fault(&p, pick_again(stretch_of(r, i), "category_id"), "category_id",
                        "coco-category-unknown", "no category has the id %lld",
                        (long long)claims[i].category);
    }
}

/* One list at a time: an id takes 16 bytes, and annotations may be millions. */
static void check_elements(struct reader *r)
{
    const struct annotation *annotations = r->annotations.at;
    size_t most = r->images.records.n > r->annotations.n ? r->images.records.n : r->annotations.n;
    struct id *ids = memory_take((most + 1) * sizeof *ids);

    coco_images_check(&r->images, ids);
    settle_claims(r, ids);
    for (size_t i = 0; i < r->annotations.n; i++)
        ids[i] = (struct id){ annotations[i].id, (uint32_t)i };
    coco_ids_check(r->faults, "annotations", ids, r->annotations.n, stretch_of, r);
    free(ids);
}

/* --- reading: the whole --- */

static void read_categories(void *context, struct scan *s, const struct place *p)
{
    struct reader *r = context;
    struct slice value;

    r->has_categories = true;
    if (scan_value(s, &value))
        categories_read(p->faults, value, r->dataset->arena, &r->coco->categories);
}

enum { WALK_IMAGES, WALK_ANNOTATIONS, WALK_CATEGORIES, WALKS };
static const struct walk walks[WALKS] = {
    [WALK_IMAGES] = { .name = "images", .required = true, .read = read_image },
    [WALK_ANNOTATIONS] = { .name = "annotations", .read = read_annotation },
    [WALK_CATEGORIES] = { .name = "categories", .whole = true, .read = read_categories },
};

static int64_t larger_id(int64_t largest, int64_t id)
{
    int64_t size = id < 0 ? -id : id;

    return size > largest ? size : largest;
}

/* What was read becomes the dataset: annotations are grouped by record, in the file's order. */
static void keep(struct reader *r)
{
    struct dataset *d = r->dataset;
    struct coco *coco = r->coco;
    uint32_t *next, sum = 0;

    d->n_records = r->images.records.n;
    d->n_objects = r->annotations.n;
    d->records =
        (void *)arena_copy(d->arena, r->images.records.at, d->n_records * sizeof *d->records);
    coco->images =
        (void *)arena_copy(d->arena, r->images.places.at, d->n_records * sizeof *coco->images);
    coco->annotations = (void *)arena_copy(d->arena, r->annotations.at,
                                           r->annotations.n * sizeof *coco->annotations);
    d->categories = coco->categories.at;
    d->n_categories = coco->categories.n;
    for (size_t i = 0; i < d->n_objects; i++)
        d->records[coco->annotations[i].record].n_objects++;
    next = memory_take((d->n_records + 1) * sizeof *next);
    for (size_t i = 0; i < d->n_records; i++) {
        next[i] = coco->images[i].first = sum;
        sum += (uint32_t)d->records[i].n_objects;
        d->largest_id = larger_id(d->largest_id, d->records[i].id);
    }
    coco->by_record = ARENA_ARRAY(d->arena, uint32_t, d->n_objects);
    for (size_t i = 0; i < d->n_objects; i++) {
        coco->by_record[next[coco->annotations[i].record]++] = (uint32_t)i;
        d->largest_id = larger_id(d->largest_id, coco->annotations[i].id);
    }
    free(next);
}

static bool coco_read(struct faults *f, struct dataset *d)
{
    struct reader r = { .faults = f, .dataset = d, .images = { .faults = f, .arena = d->arena } };
    struct place nowhere = coco_place(f, NULL, 0);
    size_t before = f->n;

    r.coco = ARENA_NEW(d->arena, struct coco);
    r.coco->text = f->text;
    d->state = r.coco;
    if (document_read(&nowhere, "coco-root", walks, WALKS, &r, d->arena, &r.coco->document))
        check_elements(&r);
    if (f->n == before)
        keep(&r);
    free(r.images.records.at);
    free(r.images.places.at);
    free(r.annotations.at);
    free(r.claims.at);
    return f->n == before;
}

/* --- loading --- */

static size_t annotation_index(const struct dataset *d, size_t record, size_t object)
{
    const struct coco *coco = d->state;

    return coco->by_record[coco->images[record].first + object];
}

static struct slice annotation_text(const struct coco *coco, size_t index)
{
    const struct annotation *a = &coco->annotations[index];

    return (struct slice){ coco->text.at + a->offset, a->length };
}

static bool coco_load(const struct dataset *d, size_t record, const struct rules *rules,
                      struct sample *sample, struct faults *f)
{
    const struct record *r = &d->records[record];
    const struct coco *coco = d->state;
    /* An image whose element does not tell its size has that of its file. */
    struct frame frame =
        r->width && r->height ? (struct frame){ r->width, r->height } : sample->frame;
    bool good = true;

    sample->n_objects = r->n_objects;
    sample->objects = ARENA_ARRAY(sample->arena, struct object, r->n_objects);
    for (size_t i = 0; i < r->n_objects; i++) {
        struct place p = coco_place(f, "annotations", annotation_index(d, record, i));
        struct coco_annotation a = { annotation_text(coco, p.index), frame, &coco->categories };

        sample->objects[i].index = i;
        good = coco_annotation_load(&a, &p, rules, sample->arena, &sample->objects[i]) && good;
    }
    return good;
}

/* --- printing --- */

static void coco_print_object(const struct dataset *d, size_t record, const struct sample *sample,
                              const struct object *o, const struct output *out,
                              const struct rules *rules, struct text *text, size_t *order)
{
    (void)sample;
    *order = annotation_index(d, record, o->index);
    coco_annotation_print(annotation_text(d->state, *order), o, out, rules, text);
}

static void coco_print_record(const struct dataset *d, size_t record, const struct output *out,
                              struct text *text)
{
    const struct coco *coco = d->state;
    const struct coco_image *image = &coco->images[record];

    coco_print_image((struct slice){ coco->text.at + image->offset, image->length }, out, text);
}

static int64_t coco_object_id(const struct dataset *d, size_t record, const struct object *o)
{
    const struct coco *coco = d->state;

    return coco->annotations[annotation_index(d, record, o->index)].id;
}

/* --- writing --- */

static bool coco_write(const struct dataset *d, FILE *file,
                       bool (*next_record)(void *context, struct slice *),
                       bool (*next_object)(void *context, struct slice *), void *context)
{
    const struct coco *coco = d->state;
    bool (*const next[WALKS])(void *, struct slice *) = {
        [WALK_IMAGES] = next_record,
        [WALK_ANNOTATIONS] = next_object,
    };

    return document_write(&coco->document, file, next, WALKS, context);
}

const struct format coco_format = {
    .name = "coco",
    .summary = "COCO JSON: boxes, polygons, run lengths, keypoints, captions",
    .read = coco_read,
    .load = coco_load,
    .print_record = coco_print_record,
    .print_object = coco_print_object,
    .object_id = coco_object_id,
    .write = coco_write,
};
