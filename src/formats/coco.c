/* coco: COCO's one file for a dataset: instances, keypoints, stuff, captions, and their dialects.
 *
 * The file stays where it is mapped: reading leaves a small index of where its elements stand,
 * loading takes one image's annotations apart, and printing copies every byte that no change asks
 * to be another. Keys that COCO does not know go through all of it as they are. */
#include "../format.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST_COORDINATE 1e7
enum { LONGEST_ELEMENT = 64 << 20 };

/* An id that could not be read, or that an annotation does not have: no real one is as small. */
#define NO_ID INT64_MIN

struct annotation {
    uint64_t offset;
    int64_t id;
    uint32_t length, record;
};

struct image {
    uint64_t offset;
    uint32_t length;
    uint32_t first; /* where its annotations begin in by_record */
};

/* The dataset's state. Indices are 32-bit: they are what a large file costs. */
struct coco {
    struct slice text;
    struct image *images;           /* one a record */
    struct annotation *annotations; /* in the file's order */
    uint32_t *by_record;            /* annotations of record 0, of record 1, ... */
    struct document document;       /* the top level */
    struct categories categories;
};

static struct place place_of(struct faults *f, const char *list, size_t index)
{
    return (struct place){ .faults = f,
                           .list = list,
                           .index = index,
                           .code_missing = "coco-missing-key",
                           .code_type = "coco-type" };
}

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
    struct arena scratch;
    struct pile records, images, annotations, claims;
    bool has_categories;
};

static bool element_fits(const struct place *p, struct slice element)
{
    if (element.length <= LONGEST_ELEMENT && p->index < UINT32_MAX)
        return true;
    element.length = 1;
    return place_fault(p, element, NULL, "coco-long",
                       "an element has at most 64 MiB, a list 2^32 - 1 of them");
}

/* A side of the image: at least 1. */
static bool pick_side(const struct place *p, const struct pick *pick, int *to)
{
    int64_t side = 0;

    if (!pick->value.at)
        return true;
    if (!pick_integer(p, pick, &side))
        return false;
    if (side < 1 || side > INT_MAX)
        return place_fault(p, pick->value, pick->name, "coco-size",
                           "%lld is not the side of an image: at least 1 pixel", (long long)side);
    *to = (int)side;
    return true;
}

/* Elements with faults are kept too, so that indices stay those of the file. */
static void read_image(void *context, struct scan *s, const struct place *p)
{
    struct reader *r = context;
    struct pick pick[] = { { .name = "id", .required = true },
                           { .name = "file_name", .required = true },
                           { .name = "width" },
                           { .name = "height" },
                           { .name = "seed_key" } };
    struct record *record = pile_add(&r->records, sizeof *record);
    struct image *image = pile_add(&r->images, sizeof *image);
    struct slice element = { 0 };

    record->id = NO_ID;
    record->name = "";
    pick_members(s, p, pick, COUNTOF(pick), &element);
    if (s->code || !element_fits(p, element))
        return;
    image->offset = (uint64_t)(element.at - s->text.at);
    image->length = (uint32_t)element.length;
    pick_integer(p, &pick[0], &record->id);
    pick_text(p, &pick[1], r->dataset->arena, &record->name);
    pick_side(p, &pick[2], &record->width);
    pick_side(p, &pick[3], &record->height);
    record->seed_key = record->name;
    pick_text(p, &pick[4], r->dataset->arena, &record->seed_key);
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

    a->id = claim->image = claim->category = NO_ID;
    pick_members(s, p, pick, COUNTOF(pick), &element);
    if (s->code || !element_fits(p, element))
        return;
    a->offset = (uint64_t)(element.at - s->text.at);
    a->length = (uint32_t)element.length;
    pick_integer(p, &pick[0], &a->id);
    pick_integer(p, &pick[1], &claim->image);
    pick_integer(p, &pick[2], &claim->category);
}

/* --- reading: what elements say of each other --- */

static struct slice stretch(const struct reader *r, uint64_t offset, uint32_t length)
{
    return (struct slice){ r->faults->text.at + offset, length };
}

static struct slice image_stretch(const struct reader *r, size_t i)
{
    const struct image *image = (const struct image *)r->images.at + i;

    return stretch(r, image->offset, image->length);
}

static struct slice annotation_stretch(const struct reader *r, size_t i)
{
    const struct annotation *a = (const struct annotation *)r->annotations.at + i;

    return stretch(r, a->offset, a->length);
}

/* Sorts the ids; each that another element has had before is a fault. */
static void check_ids(struct reader *r, const char *list, struct id *ids, size_t n,
                      struct slice (*stretch_of)(const struct reader *, size_t))
{
    size_t first = 0;

    ids_sort(ids, n);
    for (size_t i = 1; i < n; i++) {
        struct place p = place_of(r->faults, list, ids[i].index);

        if (ids[i].id != ids[first].id)
            first = i;
        else if (ids[i].id != NO_ID)
            place_fault(&p, pick_again(stretch_of(r, p.index), "id"), "id", "coco-id-twice",
                        "%s[%lu] has the id %lld already", list, (unsigned long)ids[first].index,
                        (long long)ids[i].id);
    }
}

static int by_record_name(const void *a, const void *b)
{
    const struct record *x = *(const struct record *const *)a;
    const struct record *y = *(const struct record *const *)b;
    int order = strcmp(x->name, y->name);

    return order ? order : (x > y) - (x < y);
}

static void check_names(struct reader *r)
{
    const struct record *records = r->records.at, **sorted;
    size_t n = r->records.n;

    sorted = ARENA_ARRAY(&r->scratch, const struct record *, n);
    for (size_t i = 0; i < n; i++)
        sorted[i] = &records[i];
    qsort(sorted, n, sizeof *sorted, by_record_name);
    for (size_t i = 1; i < n; i++) {
        struct place p = place_of(r->faults, "images", (size_t)(sorted[i] - records));

        if (*sorted[i]->name && strcmp(sorted[i - 1]->name, sorted[i]->name) == 0)
            place_fault(&p, pick_again(image_stretch(r, p.index), "file_name"), "file_name",
                        "coco-name-twice", "images[%zu] has this file already",
                        (size_t)(sorted[i - 1] - records));
    }
}

/* Gives each annotation its record; faults for images and categories that are not there. An id
 * that could not be read has had its fault, and leaves open what the others mean; without a list of
 * categories their ids are only carried. */
static void settle_claims(struct reader *r, const struct id *images)
{
    struct annotation *annotations = r->annotations.at;
    const struct claim *claims = r->claims.at;
    const struct categories *categories = &r->coco->categories;
    bool sure_image = !ids_find(images, r->images.n, NO_ID);
    bool sure_category = r->has_categories && categories->sure;

    for (size_t i = 0; i < r->annotations.n; i++) {
        struct place p = place_of(r->faults, "annotations", i);
        const struct id *image = ids_find(images, r->images.n, claims[i].image);

        annotations[i].record = image ? image->index : 0;
        if (!image && sure_image && claims[i].image != NO_ID)
            place_fault(&p, pick_again(annotation_stretch(r, i), "image_id"), "image_id",
                        "coco-image-unknown", "no image has the id %lld",
                        (long long)claims[i].image);
        if (claims[i].category != NO_ID && sure_category &&
            !categories_find(categories, claims[i].category))
            place_fault(&p, pick_again(annotation_stretch(r, i), "category_id"), "category_id",
                        "coco-category-unknown", "no category has the id %lld",
                        (long long)claims[i].category);
    }
}

/* One list at a time: an id takes 16 bytes, and annotations may be millions. */
static void check_elements(struct reader *r)
{
    const struct record *records = r->records.at;
    const struct annotation *annotations = r->annotations.at;
    size_t most = r->images.n > r->annotations.n ? r->images.n : r->annotations.n;
    struct id *ids = memory_take((most + 1) * sizeof *ids);

    for (size_t i = 0; i < r->images.n; i++)
        ids[i] = (struct id){ records[i].id, (uint32_t)i };
    check_ids(r, "images", ids, r->images.n, image_stretch);
    check_names(r);
    settle_claims(r, ids);
    for (size_t i = 0; i < r->annotations.n; i++)
        ids[i] = (struct id){ annotations[i].id, (uint32_t)i };
    check_ids(r, "annotations", ids, r->annotations.n, annotation_stretch);
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

    d->n_records = r->records.n;
    d->n_objects = r->annotations.n;
    d->records = (void *)arena_copy(d->arena, r->records.at, r->records.n * sizeof *d->records);
    coco->images = (void *)arena_copy(d->arena, r->images.at, r->images.n * sizeof *coco->images);
    coco->annotations = (void *)arena_copy(d->arena, r->annotations.at,
                                           r->annotations.n * sizeof *coco->annotations);
    d->categories = coco->categories.at;
    d->n_categories = coco->categories.n;
    for (size_t i = 0; i < d->n_objects; i++)
        d->records[coco->annotations[i].record].n_objects++;
    next = ARENA_ARRAY(&r->scratch, uint32_t, d->n_records);
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
}

static bool coco_read(struct faults *f, struct dataset *d)
{
    struct reader r = { .faults = f, .dataset = d };
    struct place nowhere = place_of(f, NULL, 0);
    size_t before = f->n;

    r.coco = ARENA_NEW(d->arena, struct coco);
    r.coco->text = f->text;
    d->state = r.coco;
    if (document_read(&nowhere, "coco-root", walks, WALKS, &r, d->arena, &r.coco->document))
        check_elements(&r);
    if (f->n == before)
        keep(&r);
    free(r.records.at);
    free(r.images.at);
    free(r.annotations.at);
    free(r.claims.at);
    arena_drop(&r.scratch);
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

static bool is_empty_list(struct slice value)
{
    struct scan s = scan_start(value, 0);
    bool first = true;

    return *value.at == '[' && scan_open(&s, '[') && !scan_element(&s, &first);
}

static bool load_box(const struct place *p, const struct pick *pick, struct arena *arena,
                     struct object *o)
{
    double *v;
    size_t n;

    if (!pick->value.at || is_empty_list(pick->value))
        return true;
    if (!pick_numbers(pick->value, LARGEST_COORDINATE, arena, &v, &n) || n != 4)
        return place_fault(p, pick->value, "bbox", "coco-bbox",
                           "[x, y, width, height] was expected, none above 1e7 in magnitude");
    if (v[2] < 0 || v[3] < 0)
        return place_fault(p, pick->value, "bbox", "coco-bbox",
                           "the width and height of a box are not negative");
    o->has_box = true;
    o->hull = (struct box){ v[0], v[1], v[0] + v[2], v[1] + v[3] };
    o->outline = ring_of_box(arena, o->hull);
    o->extent = (struct point){ v[2], v[3] };
    return true;
}

static bool load_segmentation(const struct place *p, const struct pick *pick,
                              const struct record *record, struct arena *arena, struct object *o)
{
    struct frame frame = { record->width, record->height };
    struct segmentation_fault fault;

    if (!pick->value.at)
        return true;
    if (!record->height)
        frame.width = 0;
    if (!segmentation_read(pick->value, frame, arena, o, &fault))
        return place_fault(p, fault.at, "segmentation", fault.code, "%s", fault.what);
    return true;
}

static bool load_crowd(const struct place *p, const struct pick *pick, struct object *o)
{
    struct slice v = pick->value;

    if (!v.at)
        return true;
    o->crowd = *v.at == '1' || *v.at == 't';
    if (*v.at == 't' || *v.at == 'f' || (v.length == 1 && (*v.at == '0' || *v.at == '1')))
        return true;
    return place_fault(p, v, "iscrowd", "coco-type", "0 or 1 was expected");
}

static struct keypoint keypoint_of(const double v[3], const struct rules *rules)
{
    double shift = rules->keypoints == KEYPOINTS_INDEX ? 0.5 : 0;

    if (v[2] == 0)
        return (struct keypoint){ 0 };
    return (struct keypoint){ .at = { v[0] + shift, v[1] + shift }, .visibility = (int)v[2] };
}

static bool load_keypoints(const struct place *p, const struct pick *pick,
                           const struct rules *rules, struct arena *arena, struct object *o)
{
    size_t n, wanted = o->category ? o->category->n_keypoints : 0;
    double *v;

    if (!pick->value.at || is_empty_list(pick->value))
        return true;
    if (!pick_numbers(pick->value, LARGEST_COORDINATE, arena, &v, &n) || n % 3)
        return place_fault(p, pick->value, "keypoints", "coco-keypoints",
                           "x, y, visibility for each keypoint were expected");
    if (wanted && n != 3 * wanted)
        return place_fault(p, pick->value, "keypoints", "coco-keypoints",
                           "%zu numbers, but the category has %zu keypoints: 3 for each", n,
                           wanted);
    o->n_keypoints = n / 3;
    o->keypoints = ARENA_ARRAY(arena, struct keypoint, o->n_keypoints);
    for (size_t i = 0; i < o->n_keypoints; i++) {
        double visibility = v[3 * i + 2];

        if (visibility != 0 && visibility != 1 && visibility != 2)
            return place_fault(p, pick->value, "keypoints", "coco-keypoints",
                               "the visibility of a keypoint is 0, 1 or 2, not %g", visibility);
        o->keypoints[i] = keypoint_of(&v[3 * i], rules);
    }
    return true;
}

static bool load_object(const struct dataset *d, const struct record *record,
                        const struct rules *rules, const struct place *p, struct arena *arena,
                        struct object *o)
{
    struct pick pick[] = { { .name = "category_id" },  { .name = "bbox" },
                           { .name = "segmentation" }, { .name = "area" },
                           { .name = "iscrowd" },      { .name = "keypoints" },
                           { .name = "num_keypoints" } };
    const struct coco *coco = d->state;
    const struct annotation *a = &coco->annotations[p->index];
    struct scan s = scan_start(coco->text, a->offset);
    int64_t category = NO_ID, counted;
    struct slice element;
    bool good = pick_members(&s, p, pick, COUNTOF(pick), &element);

    if (s.code)
        return place_scan_fault(p, &s);
    good = pick_integer(p, &pick[0], &category) && good;
    o->category = categories_find(&coco->categories, category);
    o->visibility = 1;
    o->has_area = pick[3].value.at;
    good = load_box(p, &pick[1], arena, o) && good;
    good = load_segmentation(p, &pick[2], record, arena, o) && good;
    good = pick_number(p, &pick[3], &o->area) && good;
    good = load_crowd(p, &pick[4], o) && good;
    good = load_keypoints(p, &pick[5], rules, arena, o) && good;
    return pick_integer(p, &pick[6], &counted) && good;
}

static bool coco_load(const struct dataset *d, size_t record, const struct rules *rules,
                      struct sample *sample, struct faults *f)
{
    const struct record *r = &d->records[record];
    bool good = true;

    sample->n_objects = r->n_objects;
    sample->objects = ARENA_ARRAY(sample->arena, struct object, r->n_objects);
    for (size_t i = 0; i < r->n_objects; i++) {
        struct place p = place_of(f, "annotations", annotation_index(d, record, i));

        sample->objects[i].index = i;
        good = load_object(d, r, rules, &p, sample->arena, &sample->objects[i]) && good;
    }
    return good;
}

/* --- printing --- */

/* What is printed, for the functions of single keys. */
struct printing {
    const struct object *object;
    const struct record *record;
    const struct output *output;
    const struct rules *rules;
};

/* Ids of copies: i * K + k. */
static bool print_id(const struct output *out, struct slice source, struct text *text)
{
    int64_t id = 0;

    if (out->of <= 1)
        return false;
    number_scan_integer(source, &id);
    text_addf(text, "%lld", (long long)(id * out->of + out->k));
    return true;
}

static void print_box(const struct printing *p, struct slice source, struct text *text)
{
    const struct object *o = p->object;
    const double v[] = { o->settled_box.x0, o->settled_box.y0, o->settled_extent.x,
                         o->settled_extent.y };

    if (!o->has_box) {
        text_add(text, source.at, source.length);
        return;
    }
    for (size_t i = 0; i < COUNTOF(v); i++) {
        text_adds(text, i ? ", " : "[");
        number_print(text, v[i]);
    }
    text_addc(text, ']');
}

static void print_segmentation(const struct printing *p, struct slice source, struct text *text)
{
    segmentation_print(p->object, source, text);
}

static void print_area(const struct printing *p, struct slice source, struct text *text)
{
    if (p->object->has_area)
        number_print(text, p->object->area);
    else
        text_add(text, source.at, source.length);
}

static void print_keypoints(const struct printing *p, struct slice source, struct text *text)
{
    double shift = p->rules->keypoints == KEYPOINTS_INDEX ? 0.5 : 0;

    if (!p->object->n_keypoints) {
        text_add(text, source.at, source.length);
        return;
    }
    for (size_t i = 0; i < p->object->n_keypoints; i++) {
        const struct keypoint *k = &p->object->keypoints[i];

        text_adds(text, i ? ", " : "[");
        number_print(text, k->visibility ? k->at.x - shift : 0);
        text_adds(text, ", ");
        number_print(text, k->visibility ? k->at.y - shift : 0);
        text_addf(text, ", %d", k->visibility);
    }
    text_addc(text, ']');
}

static void print_count(const struct printing *p, struct slice source, struct text *text)
{
    size_t n = 0;

    (void)source;
    for (size_t i = 0; i < p->object->n_keypoints; i++)
        n += p->object->keypoints[i].visibility > 0;
    text_addf(text, "%zu", n);
}

/* Which changes make which key another; all other keys are carried. */
static const struct {
    const char *key;
    unsigned changes;
    void (*print)(const struct printing *, struct slice source, struct text *);
} members[] = {
    { "bbox", CHANGE_MOVED | CHANGE_CUT | CHANGE_TURNED, print_box },
    { "segmentation", CHANGE_MOVED | CHANGE_CUT | CHANGE_TURNED | CHANGE_REDRAWN,
      print_segmentation },
    { "area", CHANGE_SCALED | CHANGE_CUT | CHANGE_TURNED, print_area },
    { "keypoints",
      CHANGE_MOVED | CHANGE_CUT | CHANGE_TURNED | CHANGE_MIRRORED | CHANGE_HIDDEN | CHANGE_COVERED,
      print_keypoints },
    { "num_keypoints", CHANGE_HIDDEN, print_count },
};

static bool print_object_member(void *context, struct slice name, struct slice value,
                                struct text *text)
{
    const struct printing *p = context;

    if (scan_is(name, "id") || scan_is(name, "image_id"))
        return print_id(p->output, value, text);
    for (size_t i = 0; i < COUNTOF(members); i++) {
        if ((p->object->changes & members[i].changes) && scan_is(name, members[i].key)) {
            members[i].print(p, value, text);
            return true;
        }
    }
    return false;
}

static void coco_print_object(const struct dataset *d, size_t record, const struct sample *sample,
                              const struct object *o, const struct output *out,
                              const struct rules *rules, struct text *text, size_t *order)
{
    struct printing p = { o, &d->records[record], out, rules };
    struct slice element;

    (void)sample;
    *order = annotation_index(d, record, o->index);
    element = annotation_text(d->state, *order);
    if (!object_is_touched(o) && out->of <= 1) {
        text_add(text, element.at, element.length);
        return;
    }
    text_addc(text, '{');
    pick_print(element, text, print_object_member, &p);
    text_addc(text, '}');
}

static bool print_record_member(void *context, struct slice name, struct slice value,
                                struct text *text)
{
    const struct printing *p = context;
    const struct output *out = p->output;

    if (scan_is(name, "id"))
        return print_id(out, value, text);
    if (out->renamed && scan_is(name, "file_name"))
        text_add_json(text, out->name, strlen(out->name));
    else if (out->resized && scan_is(name, "width"))
        text_addf(text, "%d", out->frame.width);
    else if (out->resized && scan_is(name, "height"))
        text_addf(text, "%d", out->frame.height);
    else
        return false;
    return true;
}

static void coco_print_record(const struct dataset *d, size_t record, const struct output *out,
                              struct text *text)
{
    const struct coco *coco = d->state;
    const struct image *image = &coco->images[record];
    struct printing p = { .record = &d->records[record], .output = out };
    struct slice element = { coco->text.at + image->offset, image->length };

    if (out->of <= 1 && !out->renamed && !out->resized) {
        text_add(text, element.at, element.length);
        return;
    }
    text_addc(text, '{');
    pick_print(element, text, print_record_member, &p);
    /* pick_again gives the whole element for a key that it does not have. */
    if (out->resized && pick_again(element, "width").at == element.at)
        text_addf(text, ", \"width\": %d", out->frame.width);
    if (out->resized && pick_again(element, "height").at == element.at)
        text_addf(text, ", \"height\": %d", out->frame.height);
    text_addc(text, '}');
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
