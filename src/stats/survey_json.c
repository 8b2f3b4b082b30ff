/* survey_json: reads COCO's JSON files tolerantly: instances, keypoints, panoptic, results. */
#include "stats/survey.h"

#include "labels/coco/dialect.h"
#include "labels/coco/annotation_element.h"
#include "labels/coco/labels.h"
#include "labels/coco/numbers.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    struct survey *survey;
    struct arena scratch; /* for one element */
    struct pile images, categories, objects;
    struct pile flat; /* indices of objects whose segmentation is one list of numbers, uint32_t */
    struct pick_order image_order, category_order, object_order, segment_order;
};

/* --- members --- */

/* Wrong members are counted, and treated as missing. */
static int64_t read_id(struct reader *r, const struct pick *pick)
{
    unsigned set = 0;
    int64_t id;

    if (!pick->value.at)
        return SURVEY_NO_ID;
    if (id_read_any(pick->value, &id, &set))
        return id;
    r->survey->n_unread++;
    return SURVEY_NO_ID;
}

/* Removes quotes from numbers. The result lasts until the next element. */
static struct slice unquoted(struct reader *r, const struct pick *pick)
{
    arena_reset(&r->scratch);
    return numbers_unquote(pick->value, &r->scratch);
}

static double read_number(struct reader *r, const struct pick *pick, double missing)
{
    struct slice plain;
    double number;

    if (!pick->value.at)
        return missing;
    plain = unquoted(r, pick);
    if (number_scan(plain, &number) == plain.length)
        return number;
    r->survey->n_unread++;
    return missing;
}

static int read_size(struct reader *r, const struct pick *pick)
{
    double size = read_number(r, pick, 0);

    return size >= 1 && size <= INT_MAX ? (int)size : 0;
}

static const char *read_text(struct reader *r, const struct pick *pick)
{
    struct slice raw = pick->value;

    if (!raw.at)
        return "";
    if (*raw.at == '"')
        return scan_unescape(&r->survey->arena, (struct slice){ raw.at + 1, raw.length - 2 }).at;
    r->survey->n_unread++;
    return "";
}

/* Finds the members. Returns false if the element is not an object. Members that are given twice
 * count once. */
static bool read_members(struct reader *r, struct scan *s, const struct place *p,
                         struct pick_order *order, struct pick *pick, size_t n,
                         struct slice *element)
{
    size_t before = p->faults->n;

    pick_members(s, p, order, pick, n, element);
    r->survey->n_unread += p->faults->n - before;
    return !s->code && element->at && *element->at == '{';
}

/* --- elements --- */

static void read_image(void *context, struct scan *s, const struct place *p)
{
    struct reader *r = context;
    struct pick pick[] = {
        { .name = "id" }, { .name = "file_name" }, { .name = "width" }, { .name = "height" }
    };
    struct slice element = { 0 };
    struct survey_image *image;

    if (!read_members(r, s, p, &r->image_order, pick, COUNTOF(pick), &element))
        return;
    image = pile_add(&r->images, sizeof *image);
    image->element = element;
    image->id = read_id(r, &pick[0]);
    image->name = read_text(r, &pick[1]);
    image->width = read_size(r, &pick[2]);
    image->height = read_size(r, &pick[3]);
}

/* Reads names of keypoints. If one is not a string, none is used. */
static void read_keypoint_names(struct reader *r, struct slice list,
                                struct survey_category *category)
{
    struct scan s = scan_again(list, 0);
    struct pile names = { 0 };
    bool first = true, good = true;
    struct slice name;

    if (!list.at || !scan_open(&s, '['))
        return;
    while (good && scan_element(&s, &first)) {
        good = scan_peek(&s) == '"' && scan_string(&s, &r->survey->arena, &name);
        if (good)
            *(const char **)pile_add(&names, sizeof(char *)) = name.at;
    }
    if (good && names.n) {
        category->n_keypoints = names.n;
        category->keypoint = (const char *const *)(const void *)arena_copy(
            &r->survey->arena, names.at, names.n * sizeof(char *));
    }
    r->survey->n_unread += !good;
    free(names.at);
}

static void read_category(void *context, struct scan *s, const struct place *p)
{
    struct reader *r = context;
    struct pick pick[] = { { .name = "id" }, { .name = "name" }, { .name = "keypoints" } };
    struct slice element = { 0 };
    struct survey_category *category;

    if (!read_members(r, s, p, &r->category_order, pick, COUNTOF(pick), &element))
        return;
    category = pile_add(&r->categories, sizeof *category);
    category->element = element;
    category->id = read_id(r, &pick[0]);
    category->name = read_text(r, &pick[1]);
    read_keypoint_names(r, pick[2].value, category);
}

enum { ID, IMAGE_ID, CATEGORY_ID, BBOX, AREA, CROWD, SEGMENTATION, KEYPOINTS, SEGMENTS, MEMBERS };

static void set_members(struct pick pick[MEMBERS])
{
    static const char *const names[MEMBERS] = { "id",           "image_id",  "category_id",
                                                "bbox",         "area",      "iscrowd",
                                                "segmentation", "keypoints", "segments_info" };

    for (size_t i = 0; i < MEMBERS; i++)
        pick[i] = (struct pick){ .name = names[i] };
}

static void read_box(struct reader *r, const struct pick *pick, struct survey_object *o)
{
    double v[4];

    if (!pick->value.at || pick_is_empty(pick->value))
        return;
    o->has_box = pick_four(unquoted(r, pick), v);
    if (o->has_box)
        memcpy(o->box, v, sizeof v);
    r->survey->n_unread += !o->has_box;
}

static void read_keypoints(struct reader *r, const struct pick *pick, struct survey_object *o)
{
    uint8_t *visibility;
    struct scan s;
    double *v;
    size_t n;

    if (!pick->value.at)
        return;
    s = scan_start(unquoted(r, pick), 0);
    if (*pick->value.at != '[' || !pick_numbers(&s, HUGE_VAL, &r->scratch, &v, &n) || n % 3 ||
        n > UINT32_MAX) {
        r->survey->n_unread++;
        return;
    }
    visibility = arena_take(&r->survey->arena, n / 3 + 1);
    for (size_t i = 0; i < n / 3; i++) {
        double as_is = v[3 * i + 2];

        visibility[i] = as_is == 0 || as_is == 1 || as_is == 2 ? (uint8_t)as_is : 3;
    }
    o->n_keypoints = (uint32_t)(n / 3);
    o->visibility = visibility;
}

static void read_object(struct reader *r, const struct pick pick[MEMBERS], struct slice element,
                        struct survey_object *o)
{
    struct slice outline = pick[SEGMENTATION].value;
    unsigned set = 0;

    o->element = element;
    o->id = read_id(r, &pick[ID]);
    o->category_id = read_id(r, &pick[CATEGORY_ID]);
    o->area = read_number(r, &pick[AREA], -1);
    read_box(r, &pick[BBOX], o);
    read_keypoints(r, &pick[KEYPOINTS], o);
    if (outline.at && *outline.at == '{')
        o->segmentation = SEGMENTATION_RLE;
    else if (outline.at && *outline.at == '[' && !pick_is_empty(outline))
        o->segmentation = SEGMENTATION_POLYGONS;
    if (pick[CROWD].value.at && !coco_crowd_read(pick[CROWD].value, &o->crowd, &set)) {
        o->crowd = false;
        r->survey->n_unread++;
    }
}

/* Reads each segment of a panoptic annotation as an object. */
static void read_segments(struct reader *r, const struct place *p, struct slice list,
                          int64_t image_id)
{
    struct scan s = scan_again(list, 0);
    bool first = true;

    if (*list.at != '[') {
        r->survey->n_unread++;
        return;
    }
    scan_open(&s, '[');
    while (scan_element(&s, &first)) {
        struct pick pick[MEMBERS];
        struct slice element = { 0 };
        struct survey_object *o;

        set_members(pick);
        if (!read_members(r, &s, p, &r->segment_order, pick, MEMBERS, &element))
            continue;
        o = pile_add(&r->objects, sizeof *o);
        read_object(r, pick, element, o);
        o->image_id = image_id;
        o->segmentation = SEGMENTATION_RLE;
    }
}

static bool is_flat_list(struct slice outline)
{
    struct scan s;

    if (!outline.at || *outline.at != '[' || pick_is_empty(outline))
        return false;
    s = scan_again(outline, 0);
    return scan_open(&s, '[') && scan_peek(&s) != '[';
}

static void read_annotation(void *context, struct scan *s, const struct place *p)
{
    struct reader *r = context;
    struct pick pick[MEMBERS];
    struct slice element = { 0 };
    struct survey_object *o;
    int64_t image_id;

    set_members(pick);
    if (!read_members(r, s, p, &r->object_order, pick, MEMBERS, &element))
        return;
    image_id = read_id(r, &pick[IMAGE_ID]);
    if (pick[SEGMENTS].value.at) {
        read_segments(r, p, pick[SEGMENTS].value, image_id);
        return;
    }
    o = pile_add(&r->objects, sizeof *o);
    o->image_id = image_id;
    read_object(r, pick, element, o);
    if (is_flat_list(pick[SEGMENTATION].value))
        *(uint32_t *)pile_add(&r->flat, sizeof(uint32_t)) = (uint32_t)(r->objects.n - 1);
}

/* --- whole files --- */

/* Returns the sorted ids of n elements of `size` bytes; an id is at `offset`. */
static struct id *sorted_ids(const void *at, size_t n, size_t size, size_t offset)
{
    struct id *ids = memory_take((n + 1) * sizeof *ids);

    for (size_t i = 0; i < n; i++) {
        memcpy(&ids[i].id, (const char *)at + i * size + offset, sizeof ids[i].id);
        ids[i].index = (uint32_t)i;
    }
    ids_sort(ids, n);
    return ids;
}

static uint32_t find(const struct ids_ranges *near, int64_t id)
{
    const struct id *found = id == SURVEY_NO_ID ? NULL : ids_find_near(near, id);

    return found ? found->index : SURVEY_NONE;
}

static void link_objects(struct survey *s)
{
    struct arena arena = { 0 };
    struct id *images =
        sorted_ids(s->images, s->n_images, sizeof *s->images, offsetof(struct survey_image, id));
    struct id *categories = sorted_ids(s->categories, s->n_categories, sizeof *s->categories,
                                       offsetof(struct survey_category, id));
    struct ids_ranges near_images, near_categories;

    ids_divide(&near_images, &arena, images, s->n_images);
    ids_divide(&near_categories, &arena, categories, s->n_categories);
    for (size_t i = 0; i < s->n_objects; i++) {
        struct survey_object *o = &s->objects[i];

        o->image = find(&near_images, o->image_id);
        o->category = find(&near_categories, o->category_id);
        if (o->image != SURVEY_NONE)
            s->images[o->image].n_objects++;
    }
    arena_drop(&arena);
    free(images);
    free(categories);
}

/* Decides what flat lists are, after the sizes of images are known. */
static void judge_flat_lists(struct survey *s, const struct pile *flat)
{
    const uint32_t *index = flat->at;

    for (size_t i = 0; i < flat->n; i++) {
        struct survey_object *o = &s->objects[index[i]];
        struct frame frame = { 0 };
        enum flat_list is;

        if (o->image != SURVEY_NONE && s->images[o->image].width && s->images[o->image].height)
            frame = (struct frame){ s->images[o->image].width, s->images[o->image].height };
        is = coco_flat_list_judge(o->element, frame);
        o->segmentation = is == FLAT_LIST_RLE       ? SEGMENTATION_RLE
                          : is == FLAT_LIST_POLYGON ? SEGMENTATION_POLYGONS
                                                    : SEGMENTATION_NONE;
        s->n_unread += is == FLAT_LIST_NEITHER;
    }
}

static void *keep(struct survey *s, struct pile *pile, size_t size, size_t *n)
{
    void *kept = arena_copy(&s->arena, pile->at, pile->n * size);

    *n = pile->n;
    free(pile->at);
    return kept;
}

static const struct walk walks[] = {
    { .name = "images", .read = read_image },
    { .name = "annotations", .read = read_annotation },
    { .name = "categories", .read = read_category },
};

/* True if the document has any of COCO's lists; otherwise adds a fault. */
static bool has_lists(const struct document *d, struct faults *f)
{
    for (size_t i = 0; i < d->n; i++)
        if (d->sections[i].walk < COUNTOF(walks))
            return true;
    return fault_add(f, 0, 1, "images", "coco-missing-key", "this key is missing%s",
                     pick_alike_hint(f->text, "images", &f->arena));
}

bool survey_read_json(struct survey *s, const struct format *format, struct faults *f)
{
    static const struct walk results = { .name = "", .read = read_annotation };
    struct reader r = { .survey = s };
    struct place nowhere = coco_place(f, NULL, 0);
    struct document document;
    bool good;

    nowhere.nan_words = s->accepts_nan;
    s->format = format->name;
    s->text = f->text;
    if (format->listed)
        good = document_read_list(&nowhere, &results, &r);
    else
        good =
            document_read(&nowhere, "coco-root", walks, COUNTOF(walks), &r, &s->arena, &document) &&
            has_lists(&document, f);
    s->images = keep(s, &r.images, sizeof *s->images, &s->n_images);
    s->categories = keep(s, &r.categories, sizeof *s->categories, &s->n_categories);
    s->objects = keep(s, &r.objects, sizeof *s->objects, &s->n_objects);
    arena_drop(&r.scratch);
    if (good) {
        link_objects(s);
        judge_flat_lists(s, &r.flat);
    }
    free(r.flat.at);
    return good;
}

void survey_drop(struct survey *s)
{
    arena_drop(&s->arena);
}
