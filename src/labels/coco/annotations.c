/* annotations: the list of annotations of COCO's JSON files. */
#include "labels/coco/annotations.h"

#include "labels/coco/annotation.h"
#include "labels/coco/keypoints.h"
#include "labels/coco/unknown_keys.h"
#include "labels/coco/labels.h"
#include "labels/coco/members.h"
#include "labels/coco/numbers.h"

#include <stdlib.h>
#include <string.h>

/* --- reading: the index --- */

/* The image and category that an annotation names; looked up when all are known. */
struct claim {
    int64_t image, category;
    /* 0, too, where there is none: then the file has faults. REPEATED: it is left out. */
    uint32_t record;
    bool keypoints; /* it has several, annotated */
};

#define REPEATED UINT32_MAX

static void note_unknown(void *context, struct slice name)
{
    struct coco_annotations_reader *r = context;

    r->attributes |= scan_equals(name, "attributes");
    if (coco_key_is_loose(name))
        coco_loose_note(&r->loose, name);
}

/* CVAT's boxes are turned by an angle that is among the "attributes". */
static void look_at_attributes(struct coco_annotations_reader *r, struct slice element)
{
    struct slice attributes, rotation;
    double angle = 0;

    if (!memmem(element.at, element.length, "\"rotation\"", 10))
        return;
    attributes = pick_again(element, "attributes");
    if (attributes.at == element.at || *attributes.at != '{')
        return;
    rotation = pick_again(attributes, "rotation");
    if (rotation.at != attributes.at && number_scan(rotation, &angle) && angle != 0)
        coco_loose_note(&r->loose, (struct slice){ "attributes.rotation", 19 });
}

/* A member has strings. */
static void note_quoted(void *context, struct slice name, struct slice value, size_t strings)
{
    struct coco_annotations_reader *r = context;
    const char *member = *value.at == '[' || *value.at == '"' ? coco_number_member(name) : NULL;

    (void)strings;
    if (!member || !numbers_are_quoted(value))
        return;
    r->quoted = true;
    deviation_note_member(r->place, DEVIATION_STRING_NUMBER, value, member);
}

/* The members that were picked. */
enum {
    PICK_ID,
    PICK_IMAGE,
    PICK_CATEGORY,
    PICK_LABELS,
    PICK_KEYPOINTS = PICK_LABELS + LABELS,
    PICK_COUNT,
    PICKS
};

static unsigned look_at(const struct coco_annotations_reader *r, const struct place *p,
                        struct slice element, const struct pick pick[PICKS],
                        const struct pick plain[PICKS])
{
    return coco_labels_look(p, element, &pick[PICK_LABELS], &plain[PICK_LABELS], r->to->results) |
           coco_keypoints_look(p, &pick[PICK_KEYPOINTS], plain[PICK_KEYPOINTS].value) |
           coco_whole_look(p, &pick[PICK_COUNT]);
}

/* Looks at an annotation that has numbers in quotes. */
static unsigned look_at_quoted(const struct coco_annotations_reader *r, const struct place *p,
                               struct slice element, const struct pick pick[PICKS])
{
    struct arena scratch = { 0 };
    struct pick plain[PICKS];
    unsigned set;

    for (size_t i = 0; i < PICKS; i++) {
        plain[i] = pick[i];
        plain[i].value = numbers_unquote(pick[i].value, &scratch);
    }
    set = DEVIATION(STRING_NUMBER) | look_at(r, p, element, pick, plain);
    arena_drop(&scratch);
    return set;
}

void coco_annotations_read(struct coco_annotations_reader *r, struct scan *s, const struct place *p)
{
    struct pick pick[PICKS] = { { .name = "id", .required = !r->to->results },
                                { .name = "image_id", .required = true },
                                { .name = "category_id" },
                                /* labels.h */
                                { .name = "bbox" },
                                { .name = "segmentation" },
                                { .name = "area" },
                                { .name = "iscrowd" },
                                { .name = "keypoints" },
                                { .name = "num_keypoints" } };
    struct coco_stretch *a = pile_add(&r->at, sizeof *a);
    struct claim *claim = pile_add(&r->claims, sizeof *claim);
    enum id_kind unknown = ID_KIND_OPEN;
    struct slice element = { 0 };
    unsigned set = 0;

    a->index = (uint32_t)p->index;
    a->id = claim->image = claim->category = COCO_NO_ID;
    r->order.unknown = note_unknown;
    r->order.quoted = note_quoted;
    r->order.context = r;
    r->place = p;
    r->quoted = false;
    pick_members(s, p, &r->order, pick, COUNTOF(pick), &element);
    if (r->attributes && element.at)
        look_at_attributes(r, element);
    if (s->code || !coco_check_element_size(p, element))
        return;
    a->offset = (uint64_t)(element.at - s->text.at);
    a->length = (uint32_t)element.length & INT32_MAX >> 1;
    coco_pick_kind_id(p, &pick[PICK_ID], &r->ids, &a->id, &set);
    coco_pick_kind_id(p, &pick[PICK_IMAGE], r->listless ? &r->image_ids : &unknown, &claim->image,
                      &set);
    coco_pick_id(p, &pick[PICK_CATEGORY], &claim->category, &set);
    set |= r->quoted ? look_at_quoted(r, p, element, pick) : look_at(r, p, element, pick, pick);
    if (set & DEVIATION(FLAT_POLYGON))
        *(uint32_t *)pile_add(&r->flat, sizeof(uint32_t)) = (uint32_t)r->at.n - 1;
    claim->keypoints = coco_keypoints_are_annotated(pick[PICK_KEYPOINTS].value);
    a->deviates = (set & DEVIATIONS_REPAIRED) != 0;
}

/* --- reading: what elements say of each other --- */

static struct slice stretch_of(const void *context, size_t index)
{
    const struct coco_annotations_reader *r = context;
    const struct coco_stretch *a = (const struct coco_stretch *)r->at.at + index;

    return (struct slice){ r->faults->text.at + a->offset, a->length };
}

/* Keypoints are paired by the names that a category has for them. */
static void link_keypoints(struct coco_annotations_reader *r, const struct place *p)
{
    const struct claim *claim = (const struct claim *)r->claims.at + p->index;
    struct text path = { 0 };
    struct slice at;

    if (categories_find(r->to->categories, claim->category)) {
        categories_set_annotated(r->to->categories, claim->category);
        return;
    }
    if (r->unnamed)
        return;
    r->unnamed = ARENA_NEW(r->arena, struct fault);
    at = pick_again(stretch_of(r, p->index), "keypoints");
    place_path(p, "keypoints", &path);
    *r->unnamed = (struct fault){
        .code = "coco-flip-pairs",
        .path = arena_copy(r->arena, path.at, path.length),
        .message = "the pipeline mirrors, and no category says which of these keypoints swap then; "
                   "give the annotation a category with \"keypoints\" or \"flip_pairs\"",
        .remedy = "keypoints keep their order",
        .offset = (size_t)(at.at - r->faults->text.at),
        .length = at.length
    };
    text_drop(&path);
}

static void report_unknown(const struct coco_annotations_reader *r, const struct place *p)
{
    struct slice id = pick_again(stretch_of(r, p->index), "image_id");

    place_fault(p, id, "image_id", "coco-image-unknown", "no image has the id %s",
                id_words(id, &r->faults->arena));
}

/* An unreadable id already has a fault, and makes the meaning of the others uncertain. */
void coco_annotations_link(struct coco_annotations_reader *r, const struct id *images, size_t n,
                           bool has_categories)
{
    struct claim *claims = r->claims.at;
    struct coco_stretch *annotations = r->at.at;
    const struct categories *categories = r->to->categories;
    bool sure_image = !ids_find(images, n, COCO_NO_ID);
    enum id_kind kind = n && id_is_text(images[n - 1].id) ? ID_KIND_TEXT : ID_KIND_NUMBER;
    struct arena scratch = { 0 };
    struct ids_ranges near;

    ids_divide(&near, &scratch, images, n);
    for (size_t i = 0; i < r->at.n; i++) {
        struct place p = coco_place(r->faults, r->to->list, i);
        const struct id *image;

        if (coco_settle_id(&p, stretch_of(r, i), "image_id", &kind, &claims[i].image))
            annotations[i].deviates = true;
        image = ids_find_near(&near, claims[i].image);
        claims[i].record = image ? image->index : 0;
        if (claims[i].keypoints)
            link_keypoints(r, &p);
        if (!image && sure_image && claims[i].image != COCO_NO_ID)
            report_unknown(r, &p);
        if (categories->classes) /* reads the element again */
            categories_check_listed(categories, r->faults, claims[i].category,
                                    pick_again(stretch_of(r, i), "category_id"), "annotations");
        if (claims[i].category != COCO_NO_ID && has_categories &&
            categories_lack(categories, claims[i].category))
            deviation_note_member(&p, DEVIATION_UNKNOWN_CATEGORY,
                                  pick_again(stretch_of(r, i), "category_id"), "category_id");
    }
    arena_drop(&scratch);
}

/* Sorts the ids, and keeps the first element of each id. COCO_NO_ID is left out. */
static size_t unique_ids(struct id *ids, size_t n)
{
    size_t unique = 0;

    ids_sort(ids, n);
    for (size_t i = 0; i < n; i++)
        if (ids[i].id != COCO_NO_ID && (!unique || ids[unique - 1].id != ids[i].id)) {
            ids[unique++] = ids[i];
        }
    return unique;
}

/* Gives each id its place in the sorted ids for an index. Returns what its element says, as a name.
 */
static const char *name_id(struct coco_annotations_reader *r, struct id *id, size_t place,
                           const char *member)
{
    struct slice raw = pick_again(stretch_of(r, id->index), member);

    id->index = (uint32_t)place;
    if (id_is_text(id->id))
        return scan_unescape(r->arena, (struct slice){ raw.at + 1, raw.length - 2 }).at;
    return arena_printf(r->arena, "%lld", (long long)id->id);
}

/* Texts that are integers count as these where no image has another text for an id. */
static void settle_image_ids(struct coco_annotations_reader *r)
{
    struct coco_stretch *annotations = r->at.at;
    struct claim *claims = r->claims.at;

    for (size_t i = 0; i < r->at.n; i++) {
        struct place p = coco_place(r->faults, r->to->list, i);

        if (coco_settle_id(&p, stretch_of(r, i), "image_id", &r->image_ids, &claims[i].image))
            annotations[i].deviates = true;
    }
}

void coco_annotations_list(struct coco_annotations_reader *r, struct dataset *d,
                           struct categories *c)
{
    const struct claim *claims = r->claims.at;
    struct id *images = ARENA_ARRAY(d->arena, struct id, r->at.n + 1);
    struct id *classes = ARENA_ARRAY(d->arena, struct id, r->at.n + 1);

    settle_image_ids(r);
    for (size_t i = 0; i < r->at.n; i++) {
        images[i] = (struct id){ claims[i].image, (uint32_t)i };
        classes[i] = (struct id){ claims[i].category, (uint32_t)i };
    }
    d->n_records = unique_ids(images, r->at.n);
    d->records = ARENA_ARRAY(d->arena, struct record, d->n_records);
    for (size_t i = 0; i < d->n_records; i++) {
        const char *name = name_id(r, &images[i], i, "image_id");

        d->records[i] = (struct record){ .name = name, .seed_key = name, .id = images[i].id };
    }
    c->n = unique_ids(classes, r->at.n);
    c->at = ARENA_ARRAY(d->arena, struct category, c->n);
    c->sure = true;
    for (size_t i = 0; i < c->n; i++)
        c->at[i] = (struct category){ .name = name_id(r, &classes[i], i, "category_id"),
                                      .id = classes[i].id };
    ids_divide(&c->by_id, d->arena, classes, c->n);
    coco_annotations_link(r, images, d->n_records, true);
}

void coco_annotations_check_ids(struct coco_annotations_reader *r, struct id *ids)
{
    const struct coco_list list = { r->faults, r->to->list, stretch_of, r };
    struct coco_stretch *annotations = r->at.at;
    struct claim *claims = r->claims.at;
    struct pile repeated = { 0 };
    const uint32_t *index;

    for (size_t i = 0; i < r->at.n; i++) {
        struct place p = coco_place(r->faults, r->to->list, i);

        if (coco_settle_id(&p, stretch_of(r, i), "id", &r->ids, &annotations[i].id))
            annotations[i].deviates = true;
        ids[i] = (struct id){ annotations[i].id, (uint32_t)i };
    }
    coco_ids_check(&list, ids, r->at.n, &repeated);
    index = repeated.at;
    for (size_t i = 0; i < repeated.n; i++)
        claims[index[i]].record = REPEATED;
    r->n_repeated = repeated.n;
    free(repeated.at);
}

/* --- keeping --- */

void coco_annotations_reader_drop(struct coco_annotations_reader *r)
{
    free(r->at.at);
    free(r->claims.at);
    free(r->loose.at);
    free(r->flat.at);
}

/* Classifies flat lists, now that the sizes of images are known. */
static void judge_flat_lists(const struct coco_annotations_reader *r, const struct dataset *d)
{
    struct coco_stretch *annotations = r->at.at;
    const struct claim *claims = r->claims.at;
    const uint32_t *flat = r->flat.at;

    for (size_t i = 0; i < r->flat.n; i++) {
        struct coco_stretch *a = &annotations[flat[i]];
        const struct record *record;
        struct place p = coco_place(r->faults, r->to->list, a->index);
        struct frame frame = { 0 };

        if (claims[flat[i]].record == REPEATED)
            continue;
        record = &d->records[claims[flat[i]].record];
        if (record->width && record->height)
            frame = (struct frame){ record->width, record->height };
        a->flat_rle = coco_flat_list_look(&p, stretch_of(r, flat[i]), frame).width != 0;
    }
}

void coco_annotations_keep(const struct coco_annotations_reader *r, struct dataset *d,
                           struct coco_image *images)
{
    struct coco_annotations *to = r->to;
    const struct coco_stretch *annotations = r->at.at;
    const struct claim *claims = r->claims.at;
    uint32_t *next = memory_take((d->n_records + 1) * sizeof *next), sum = 0;

    judge_flat_lists(r, d);
    coco_loose_keep(&r->loose, "", d);
    d->n_objects = r->at.n - r->n_repeated;
    d->unnamed = r->unnamed;
    for (size_t i = 0; i < d->n_records; i++)
        d->records[i].n_objects = 0;
    for (size_t i = 0; i < r->at.n; i++)
        if (claims[i].record != REPEATED)
            d->records[claims[i].record].n_objects++;
    for (size_t i = 0; i < d->n_records; i++) {
        next[i] = images[i].first = sum;
        sum += (uint32_t)d->records[i].n_objects;
        d->largest_id = coco_larger_id(d->largest_id, id_number(d->records[i].id, i));
    }
    to->images = images;
    to->records = d->records;
    to->at = ARENA_ARRAY(d->arena, struct coco_stretch, d->n_objects);
    for (size_t i = 0; i < r->at.n; i++) {
        if (claims[i].record == REPEATED)
            continue;
        to->at[next[claims[i].record]++] = annotations[i];
        d->largest_id =
            coco_larger_id(d->largest_id, id_number(annotations[i].id, annotations[i].index));
    }
    free(next);
}

/* --- loading and printing --- */

enum { CACHE_LINE = 64, FETCHED = 16 * CACHE_LINE };

static const struct coco_stretch *stretch_at(const struct coco_annotations *a, size_t record,
                                             size_t object)
{
    return &a->at[a->images[record].first + object];
}

static struct slice text_at(const struct coco_annotations *a, const struct coco_stretch *s)
{
    return (struct slice){ a->text.at + s->offset, s->length };
}

static struct coco_annotation annotation_at(const struct coco_annotations *a, size_t record,
                                            const struct coco_stretch *s)
{
    const struct record *image = s->flat_rle ? &a->records[record] : NULL;

    return (struct coco_annotation){ .text = text_at(a, s),
                                     .categories = a->categories,
                                     .result = a->results,
                                     .id = s->id,
                                     .image = a->records[record].id,
                                     .index = s->index,
                                     .deviates = s->deviates,
                                     .flat_rle = { image ? image->width : 0,
                                                   image ? image->height : 0 } };
}

/* An image's annotations may be anywhere in the file, and memory is slow. So the lines of the next
 * annotation are prefetched. (Compilers drop calls that do nothing else.) */
static inline __attribute__((always_inline)) void fetch(struct slice text)
{
    for (size_t i = 0; i < text.length && i < FETCHED; i += CACHE_LINE)
        __builtin_prefetch(text.at + i);
}

/* Prefetches the first and last lines of all annotations of an image: finding their pages takes
 * longest, but the processor looks for several at once. */
static inline __attribute__((always_inline)) void fetch_ends(const struct coco_annotations *a,
                                                             const struct dataset *d, size_t record)
{
    size_t n = record < d->n_records ? d->records[record].n_objects : 0;

    for (size_t i = 0; i < n; i++) {
        struct slice text = text_at(a, stretch_at(a, record, i));

        __builtin_prefetch(text.at);
        __builtin_prefetch(text.at + text.length);
    }
}

bool coco_annotations_load(const struct coco_annotations *a, const struct dataset *d, size_t record,
                           const struct rules *rules, struct sample *sample, struct faults *f)
{
    const struct record *r = &d->records[record];
    struct pick_order order = { 0 };
    bool good = true;

    fetch_ends(a, d, record + 1);
    sample->n_objects = r->n_objects;
    sample->categories = d->categories;
    sample->n_categories = d->n_categories;
    sample->objects = ARENA_ARRAY(sample->arena, struct object, r->n_objects);
    for (size_t i = 0; i < r->n_objects; i++) {
        const struct coco_stretch *s = stretch_at(a, record, i);
        struct place p = coco_place(f, a->list, s->index);
        struct coco_annotation one = annotation_at(a, record, s);

        one.frame = sample->frame;
        if (s + 1 < a->at + d->n_objects)
            fetch(text_at(a, s + 1));
        sample->objects[i].index = i;
        good = coco_annotation_load(&one, &p, &order, rules, sample->arena, &sample->objects[i]) &&
               good;
    }
    return good;
}

void coco_annotations_print(const struct coco_annotations *a, size_t record, const struct object *o,
                            const struct output *out, const struct rules *rules, struct text *text)
{
    struct coco_annotation one = annotation_at(a, record, stretch_at(a, record, o->index));

    coco_annotation_print(&one, o, out, rules, text);
}

bool coco_annotations_are_unchanged(const struct coco_annotations *a, size_t record,
                                    const struct object *o, const struct output *out)
{
    struct coco_annotation one = annotation_at(a, record, stretch_at(a, record, o->index));

    return coco_annotation_is_unchanged(&one, o, out);
}

struct slice coco_annotations_find(const struct coco_annotations *a, const struct dataset *d,
                                   size_t record, size_t i, size_t *order)
{
    const struct coco_stretch *s = stretch_at(a, record, i);

    if (i >= d->records[record].n_objects)
        return (struct slice){ 0 };
    *order = s->index;
    return text_at(a, s);
}

int64_t coco_annotations_id(const struct coco_annotations *a, size_t record, const struct object *o)
{
    const struct coco_stretch *s = stretch_at(a, record, o->index);

    return s->id == COCO_NO_ID ? (int64_t)s->index : s->id;
}

static bool is_own(struct slice name)
{
    static const char *const own[] = { "id",           "image_id",  "category_id",
                                       "bbox",         "area",      "iscrowd",
                                       "segmentation", "keypoints", "num_keypoints" };

    for (size_t i = 0; i < COUNTOF(own); i++)
        if (scan_equals(name, own[i]))
            return true;
    return false;
}

void coco_annotations_visit(const struct coco_annotations *a, size_t record, const struct object *o,
                            void (*visit)(void *context, const struct extra *), void *context)
{
    struct coco_annotation one = annotation_at(a, record, stretch_at(a, record, o->index));
    struct scan s = scan_start(one.text, 0);
    struct slice name, value;
    bool first = true;

    scan_open(&s, '{');
    while (scan_member(&s, &first, &name) && scan_value(&s, &value))
        if (!is_own(name))
            visit(context, &(struct extra){ .name = name,
                                            .value = value,
                                            .json = true,
                                            .usual = coco_is_nothing(value) });
}
