/* panoptic_read: a COCO panoptic file read once, from end to end. */
#include "labels/coco/unknown_keys.h"
#include "labels/coco/panoptic.h"
#include "labels/coco/segment_list.h"

#include <stdlib.h>
#include <string.h>

bool coco_panoptic_detect(const struct glance *g)
{
    return g->root == '{' && glance_has_key(g, "segments_info");
}

/* --- the index --- */

/* Memory for reading that is released afterwards. */
struct reader {
    struct faults *faults;
    struct dataset *dataset;
    struct panoptic *panoptic;
    struct coco_images images;
    struct pile annotations, claims, ids, sorted;
    struct pile loose;       /* struct slice: names of segments' members that hold geometry */
    struct pick_order order; /* of an annotation's members */
    bool has_categories;
};

/* The image that an annotation claims. */
struct claim {
    int64_t image, id;
    const char *mask;
};

static void read_image(void *context, struct scan *s, const struct place *p)
{
    struct reader *r = context;

    coco_image_read(&r->images, s, p);
}

static void read_annotation(void *context, struct scan *s, const struct place *p)
{
    struct reader *r = context;
    struct pick pick[] = { { .name = "image_id", .required = true },
                           { .name = "file_name", .required = true },
                           { .name = "segments_info", .required = true },
                           { .name = "id" } };
    struct segment_annotation *a = pile_add(&r->annotations, sizeof *a);
    struct claim *claim = pile_add(&r->claims, sizeof *claim);
    enum id_kind unknown = ID_KIND_OPEN;
    struct slice element = { 0 };
    unsigned set = 0;

    claim->image = claim->id = COCO_NO_ID;
    pick_members(s, p, &r->order, pick, COUNTOF(pick), &element);
    if (s->code || !coco_check_element_size(p, element))
        return;
    a->offset = (uint64_t)(element.at - s->text.at);
    a->length = (uint32_t)element.length & INT32_MAX >> 1;
    coco_pick_kind_id(p, &pick[0], &unknown, &claim->image, &set);
    pick_text(p, &pick[1], r->dataset->arena, &claim->mask);
    coco_pick_id(p, &pick[3], &claim->id, &set);
    a->deviates = (set & DEVIATIONS_REPAIRED) != 0;
    if (pick[2].value.at && *pick[2].value.at != '[')
        place_fault(p, pick[2].value, "segments_info", "coco-type", "expected a list");
}

static void read_categories(void *context, struct scan *s, const struct place *p)
{
    struct reader *r = context;
    struct slice value;

    r->has_categories = true;
    if (!scan_value(s, &value))
        return;
    r->dataset->categories_text = value;
    categories_read(p->faults, value, r->dataset->arena, &r->panoptic->categories);
}

static const struct walk walks[PANOPTIC_WALKS] = {
    [PANOPTIC_IMAGES] = { .name = "images", .required = true, .read = read_image },
    [PANOPTIC_ANNOTATIONS] = { .name = "annotations", .required = true, .read = read_annotation },
    [PANOPTIC_CATEGORIES] = { .name = "categories", .whole = true, .read = read_categories },
};

/* --- what elements say of each other --- */

/* Where an annotation says which image it has. */
static struct slice image_id_at(const struct reader *r, const struct segment_annotation *a)
{
    return pick_again(panoptic_text(r->faults->text, a), "image_id");
}

static bool is_repeated(const struct reader *r, const struct segment_annotation *a, uint32_t first)
{
    const struct segment_annotation *annotations = r->annotations.at;

    return coco_elements_are_equal(panoptic_text(r->faults->text, a),
                                   panoptic_text(r->faults->text, &annotations[first]));
}

/* The image of a claim becomes the annotation's, and the annotation the image's. */
static void link_claim(struct reader *r, size_t index, const struct id *image)
{
    struct segment_annotation *a = (struct segment_annotation *)r->annotations.at + index;
    const struct claim *claim = (const struct claim *)r->claims.at + index;
    struct coco_image *at = (struct coco_image *)r->images.places.at + image->index;
    struct place p = coco_place(r->faults, "annotations", index);

    if (at->first != NO_SEGMENTS && is_repeated(r, a, at->first)) {
        deviation_note_member(&p, DEVIATION_REPEATED, image_id_at(r, a), "image_id");
        a->repeated = true;
        return;
    }
    if (at->first != NO_SEGMENTS) {
        place_fault(&p, image_id_at(r, a), "image_id", "coco-segments-twice",
                    "annotations[%u] has the segments of this image already", (unsigned)at->first);
        return;
    }
    at->first = (uint32_t)index;
    a->record = image->index;
    ((struct record *)r->images.records.at)[image->index].mask = claim->mask;
}

/* An unreadable id already has a fault, and makes the meaning of the others uncertain. */
static void link_claims(struct reader *r)
{
    struct segment_annotation *annotations = r->annotations.at;
    struct claim *claims = r->claims.at;
    size_t n = r->images.records.n;
    struct id *ids = memory_take((n + 1) * sizeof *ids);

    coco_images_check(&r->images, ids);
    if (r->has_categories && r->panoptic->categories.n && r->panoptic->categories.sure)
        coco_images_check_labels(&r->images, &r->panoptic->categories);
    coco_images_drop_repeated(&r->images, ids);
    n = r->images.records.n;
    for (size_t i = 0; i < n; i++)
        ((struct coco_image *)r->images.places.at)[i].first = NO_SEGMENTS;
    for (size_t i = 0; i < r->annotations.n; i++) {
        struct place p = coco_place(r->faults, "annotations", i);
        const struct id *image;

        if (coco_settle_id(&p, panoptic_text(r->faults->text, &annotations[i]), "image_id",
                           &r->images.ids, &claims[i].image))
            annotations[i].deviates = true;
        image = ids_find(ids, n, claims[i].image);
        if (claims[i].image == COCO_NO_ID)
            continue;
        if (image)
            link_claim(r, i, image);
        else if (!ids_find(ids, n, COCO_NO_ID))
            place_fault(&p, image_id_at(r, &annotations[i]), "image_id", "coco-image-unknown",
                        "no image has the id %s",
                        id_words(image_id_at(r, &annotations[i]), &r->faults->arena));
    }
    free(ids);
}

static void check_segment(const struct reader *r, const struct coco_segments *w,
                          const struct coco_segment *s)
{
    const struct categories *categories = &r->panoptic->categories;

    categories_check_listed(categories, r->faults, s->category, s->category_at, "annotations");
    if (s->category != COCO_NO_ID && r->has_categories && categories_lack(categories, s->category))
        deviation_note_member(&w->place, DEVIATION_UNKNOWN_CATEGORY, s->category_at, "category_id");
}

/* No two segments of an annotation have one id. */
static void check_ids(struct reader *r, size_t annotation, size_t first)
{
    const uint32_t *ids = r->ids.n ? (const uint32_t *)r->ids.at + first : NULL;
    const struct segment_annotation *a =
        (const struct segment_annotation *)r->annotations.at + annotation;
    size_t n = r->ids.n - first;
    struct id *sorted;
    char path[64];

    r->sorted.n = 0;
    for (size_t i = 0; i < n; i++)
        *(struct id *)pile_add(&r->sorted, sizeof *sorted) = (struct id){ ids[i], (uint32_t)i };
    sorted = r->sorted.at;
    if (n)
        ids_sort(sorted, n);
    for (size_t i = 1; i < n; i++) {
        struct place p = coco_place(r->faults, "annotations", annotation);

        if (sorted[i].id != sorted[i - 1].id)
            continue;
        snprintf(path, sizeof path, "segments_info[%u].id", (unsigned)sorted[i].index);
        place_fault(&p, coco_segment_id_at(panoptic_text(r->faults->text, a), sorted[i].index),
                    path, "coco-segment-twice", "segments_info[%u] has the id %lld already",
                    (unsigned)sorted[i - 1].index, (long long)sorted[i].id);
    }
}

static void note_unknown(void *context, struct slice name)
{
    struct reader *r = context;

    if (coco_key_is_loose(name))
        coco_loose_note(&r->loose, name);
}

static void check_segments(struct reader *r)
{
    struct segment_annotation *annotations = r->annotations.at;
    struct record *records = r->images.records.at;

    for (size_t i = 0; i < r->annotations.n; i++) {
        struct coco_segments w;
        struct coco_segment s;

        annotations[i].first = (uint32_t)r->ids.n;
        if (annotations[i].repeated)
            continue;
        coco_segments_begin(&w, r->faults, panoptic_text(r->faults->text, &annotations[i]), i);
        w.order.unknown = note_unknown;
        w.order.context = r;
        while (coco_segments_next(&w, &s)) {
            check_segment(r, &w, &s);
            annotations[i].deviates |= s.deviates;
            *(uint32_t *)pile_add(&r->ids, sizeof(uint32_t)) = (uint32_t)s.id;
        }
        check_ids(r, i, annotations[i].first);
        records[annotations[i].record].n_objects = r->ids.n - annotations[i].first;
    }
}

/* --- the whole --- */

static void keep(struct reader *r)
{
    struct dataset *d = r->dataset;
    struct panoptic *p = r->panoptic;
    const struct claim *claims = r->claims.at;

    d->n_records = r->images.records.n;
    d->n_objects = r->ids.n;
    d->records = r->images.records.at;
    p->images = r->images.places.at;
    p->annotations =
        (void *)arena_copy(d->arena, r->annotations.at, r->annotations.n * sizeof *p->annotations);
    p->ids = (void *)arena_copy(d->arena, r->ids.at, r->ids.n * sizeof *p->ids);
    if (p->categories.deviates)
        coco_mend_categories(&p->document, PANOPTIC_CATEGORIES, d->arena);
    d->categories = p->categories.at;
    d->n_categories = p->categories.n;
    coco_loose_keep(&r->loose, "", d);
    coco_images_keep_loose(&r->images, d);
    d->text_ids = r->images.ids == ID_KIND_TEXT;
    d->lookup = r->has_categories ? &p->categories : NULL;
    for (size_t i = 0; i < d->n_records; i++)
        d->largest_id = coco_larger_id(d->largest_id, id_number(d->records[i].id, i));
    for (size_t i = 0; i < r->claims.n; i++)
        d->largest_id = coco_larger_id(d->largest_id, claims[i].id);
}

bool coco_panoptic_read(struct faults *f, struct dataset *d)
{
    struct reader r = { .faults = f, .dataset = d, .images = { .faults = f, .arena = d->arena } };
    struct place nowhere = coco_place(f, NULL, 0);
    size_t before = f->n;

    r.panoptic = ARENA_NEW(d->arena, struct panoptic);
    r.panoptic->text = f->text;
    coco_images_note_loose(&r.images);
    d->state = r.panoptic;
    if (document_read(&nowhere, "coco-root", walks, PANOPTIC_WALKS, &r, d->arena,
                      &r.panoptic->document) &&
        categories_pin_dataset(&r.panoptic->categories, d, f, &r.has_categories))
        link_claims(&r);
    if (f->n == before)
        check_segments(&r);
    if (f->n == before)
        keep(&r);
    arena_take_over(d->arena, r.images.records.at);
    arena_take_over(d->arena, r.images.places.at);
    free(r.annotations.at);
    free(r.claims.at);
    free(r.ids.at);
    free(r.sorted.at);
    free(r.loose.at);
    free(r.images.loose.at);
    return f->n == before;
}

const char *coco_panoptic_folder(const char *path, struct arena *arena)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');

    return arena_copy(arena, path, dot && dot > name ? (size_t)(dot - path) : strlen(path));
}
