/* coco_panoptic: COCO's panoptic annotations: a picture of segments for each image, and a list that
 * describes them.
 *
 * A segment becomes an object with RLE, read from the picture. It is moved, cut and filtered like
 * any object, and finally painted into a new picture. So the picture has only ids of the list, even
 * if objects were dropped. Areas and boxes are counted on the pixels that are written. Keys that
 * COCO does not define are preserved. */
#include "labels/coco/image_cameras.h"
#include "labels/coco/mend.h"
#include "labels/coco/panoptic.h"
#include "labels/coco/segment_list.h"
#include "labels/coco/segments.h"

#include <stdlib.h>
#include <string.h>

/* --- loading --- */

/* A record's annotation, or NULL; *order is its index. */
static const struct segment_annotation *annotation_of(const struct dataset *d, size_t record,
                                                      size_t *order)
{
    const struct panoptic *p = d->state;

    *order = p->images[record].first;
    return *order == NO_SEGMENTS ? NULL : &p->annotations[*order];
}

static bool read_masks(const struct place *p, struct slice annotation, const uint32_t *id,
                       struct sample *sample, struct rle *masks)
{
    size_t n = sample->n_objects;
    struct id *sorted = ARENA_ARRAY(sample->arena, struct id, n);
    struct coco_unknown_segment stranger;
    bool good = true;

    for (size_t i = 0; i < n; i++)
        sorted[i] = (struct id){ id[i], (uint32_t)i };
    if (n)
        ids_sort(sorted, n);
    if (!coco_segments_read(sample->segments, sorted, n, sample->arena, masks, &stranger))
        return place_fault(
            p, pick_again(annotation, "file_name"), "file_name", "coco-segment-unknown",
            "pixel (%d, %d) of its picture belongs to the segment %u (red + 256 green + "
            "65536 blue), which is not in the list",
            stranger.x, stranger.y, stranger.id);
    for (size_t i = 0; i < n; i++) {
        char path[64];

        if (rle_area(&masks[i]))
            continue;
        snprintf(path, sizeof path, "segments_info[%zu].id", i);
        good = place_fault(p, coco_segment_id_at(annotation, i), path, "coco-segment-empty",
                           "no pixel of its picture belongs to the segment %u", id[i]);
    }
    return good;
}

static bool panoptic_load(const struct dataset *d, size_t record, const struct rules *rules,
                          struct sample *sample, struct faults *f)
{
    const struct panoptic *panoptic = d->state;
    struct place p = coco_place(f, "annotations", 0);
    const struct segment_annotation *a = annotation_of(d, record, &p.index);
    struct coco_segments w;
    struct coco_segment s;
    struct slice text;
    struct rle *masks;

    if (!coco_cameras_check(d, record, rules, f))
        return false;
    coco_image_load_labels(f, &panoptic->images[record], d, record, sample);
    if (!a || !sample->segments)
        return true;
    text = panoptic_text(panoptic->text, a);
    sample->n_objects = d->records[record].n_objects;
    sample->categories = d->categories;
    sample->n_categories = d->n_categories;
    sample->objects = ARENA_ARRAY(sample->arena, struct object, sample->n_objects);
    masks = ARENA_ARRAY(sample->arena, struct rle, sample->n_objects);
    if (!read_masks(&p, text, panoptic->ids + a->first, sample, masks))
        return false;
    coco_segments_begin(&w, f, text, p.index);
    while (coco_segments_next(&w, &s)) {
        size_t i = w.place.index;

        const struct category *category = categories_find(&panoptic->categories, s.category);

        sample->objects[i] =
            (struct object){ .index = i,
                             .category = category,
                             .changes = category && category->id != s.category ? CHANGE_CLASSED : 0,
                             .crowd = s.crowd,
                             .segmentation = SEGMENTATION_RLE,
                             .rle = masks[i],
                             .visibility = 1 };
    }
    return w.good;
}

/* A picture that cannot be read may have it: whoever reads it later reports why not. */
static bool panoptic_has_category(const struct dataset *d, size_t record,
                                  const struct category *category)
{
    const struct panoptic *panoptic = d->state;
    struct faults faults = dataset_faults(d);
    size_t index;
    const struct segment_annotation *a = annotation_of(d, record, &index);
    struct coco_segments w;
    struct coco_segment s;
    bool found = false;

    if (!a)
        return false;
    coco_segments_begin(&w, &faults, panoptic_text(panoptic->text, a), index);
    while (!found && coco_segments_next(&w, &s))
        found = categories_find(&panoptic->categories, s.category) == category;
    found = found || !w.good;
    faults_drop(&faults);
    return found;
}

static int64_t panoptic_object_id(const struct dataset *d, size_t record, const struct object *o)
{
    const struct panoptic *p = d->state;

    return p->ids[p->annotations[p->images[record].first].first + o->index];
}

static void panoptic_paint(const struct dataset *d, const struct sample *sample, bool numbered,
                           struct plane *rgb)
{
    int64_t place = 0;

    memset(rgb->px, 0, plane_bytes(rgb));
    for (size_t i = 0; i < sample->n_objects; i++) {
        const struct object *o = &sample->objects[i];

        if (!o->final.dropped)
            coco_segment_paint(&o->rle, numbered ? ++place : panoptic_object_id(d, o->record, o),
                               rgb);
    }
}

/* --- print_context --- */

static void panoptic_print_record(const struct dataset *d, size_t record, const struct output *out,
                                  struct text *text)
{
    const struct panoptic *p = d->state;

    coco_print_image(d, p->text, &p->images[record], d->records[record].id, out, text);
}

/* A segment as it is printed. */
struct printed_segment {
    const struct object *object;
    int64_t id; /* 0: the source's id */
};

static bool print_segment_member(void *context, struct slice name, struct slice value,
                                 struct text *text)
{
    const struct printed_segment *segment = context;
    const struct object *o = segment->object;
    struct box b = o->final.box;

    (void)value;
    if (segment->id && scan_equals(name, "id")) {
        text_add_integer(text, segment->id);
        return true;
    }
    if (!object_is_touched(o))
        return false;
    if (scan_equals(name, "category_id") && o->changes & CHANGE_CLASSED)
        text_add_integer(text, o->category->id);
    else if (scan_equals(name, "area"))
        number_print(text, o->area);
    else if (scan_equals(name, "bbox"))
        text_addf(text, "[%.0f, %.0f, %.0f, %.0f]", b.x0, b.y0, b.x1 - b.x0, b.y1 - b.y0);
    else
        return false;
    return true;
}

static void print_segment(struct slice element, bool deviates,
                          const struct printed_segment *segment, struct text *text)
{
    struct text mended = { 0 };

    if (deviates) {
        coco_segment_mend(element, &mended);
        element = (struct slice){ mended.at, mended.length };
    }
    text_addc(text, '{');
    pick_print(element, text, print_segment_member, (void *)segment);
    text_addc(text, '}');
    text_drop(&mended);
}

static void print_segments(const struct sample *sample, bool deviates, struct slice list,
                           struct text *text)
{
    struct scan s = scan_start(list, 0);
    struct slice element;
    bool first = true, comma = false;

    scan_open(&s, '[');
    text_addc(text, '[');
    for (size_t i = 0; scan_element(&s, &first) && scan_value(&s, &element); i++) {
        struct printed_segment segment = { &sample->objects[i], 0 };
        const struct object *o = segment.object;

        if (o->final.dropped)
            continue;
        text_adds(text, comma ? ", " : "");
        comma = true;
        if (!object_is_touched(o) && !deviates) {
            text_add(text, element.at, element.length);
            continue;
        }
        print_segment(element, deviates, &segment, text);
    }
    text_addc(text, ']');
}

/* On the way through the segments of a record. */
struct segment_walk {
    struct scan scan;
    size_t record, next; /* the index of the segment that the scan is before */
    bool first, started;
};

/* The text of an object's segment; those of one record are mostly asked for in order. */
static struct slice find_segment(const struct dataset *d, const struct object *o,
                                 struct segment_walk *walk)
{
    const struct panoptic *panoptic = d->state;
    struct slice element = { 0 };

    if (!walk->started || walk->record != o->record || o->index < walk->next) {
        size_t order;
        const struct segment_annotation *a = annotation_of(d, o->record, &order);
        struct slice text = panoptic_text(panoptic->text, a);

        *walk = (struct segment_walk){ .scan = scan_start(pick_again(text, "segments_info"), 0),
                                       .record = o->record,
                                       .first = true,
                                       .started = true };
        scan_open(&walk->scan, '[');
    }
    for (; walk->next <= o->index; walk->next++)
        if (!scan_element(&walk->scan, &walk->first) || !scan_value(&walk->scan, &element))
            break;
    return element;
}

/* Segments of several records: by the numbers that panoptic_paint gives. */
static void print_numbered(const struct dataset *d, const struct sample *sample, struct text *text)
{
    struct segment_walk walk = { .started = false };
    int64_t place = 0;

    text_addc(text, '[');
    for (size_t i = 0; i < sample->n_objects; i++) {
        struct printed_segment segment = { &sample->objects[i], 0 };

        if (segment.object->final.dropped)
            continue;
        segment.id = ++place;
        text_adds(text, place > 1 ? ", " : "");
        print_segment(find_segment(d, segment.object, &walk), true, &segment, text);
    }
    text_addc(text, ']');
}

/* Context of print_member. */
struct print_context {
    const struct dataset *dataset;
    size_t record;
    const struct sample *sample;
    const struct output *output;
    bool renamed, touched; /* do the picture's name, or the segments, differ from the source? */
    bool deviates;         /* the source, in a way that is repaired */
};

static bool print_member(void *context, struct slice name, struct slice value, struct text *text)
{
    const struct print_context *p = context;

    if (scan_equals(name, "id"))
        return coco_print_id(p->output, value, text);
    if (scan_equals(name, "image_id"))
        return coco_print_image_id(p->output, p->dataset->records[p->record].id, value, text);
    if (p->renamed && scan_equals(name, "file_name"))
        text_add_json(text, p->output->mask, strlen(p->output->mask));
    else if (p->output->numbered && scan_equals(name, "segments_info"))
        print_numbered(p->dataset, p->sample, text);
    else if ((p->touched || p->deviates) && scan_equals(name, "segments_info"))
        print_segments(p->sample, p->deviates, value, text);
    else
        return false;
    return true;
}

static void panoptic_print_objects(const struct dataset *d, size_t record,
                                   const struct sample *sample, const struct output *out,
                                   struct text *text)
{
    const struct panoptic *panoptic = d->state;
    size_t index;
    const struct segment_annotation *a = annotation_of(d, record, &index);
    struct print_context p = { .dataset = d, .record = record, .sample = sample, .output = out };
    struct slice element;

    if (!a)
        return;
    element = panoptic_text(panoptic->text, a);
    p.deviates = a->deviates;
    p.renamed = strcmp(out->mask, d->records[record].mask) != 0;
    for (size_t i = 0; i < sample->n_objects; i++)
        p.touched |= sample->objects[i].final.dropped || object_is_touched(&sample->objects[i]);
    if (out->of <= 1 && !p.renamed && !p.touched && !p.deviates && !out->numbered) {
        text_add(text, element.at, element.length);
        return;
    }
    text_addc(text, '{');
    pick_print(element, text, print_member, &p);
    text_addc(text, '}');
}

static struct slice panoptic_find_record(const struct dataset *d, size_t record)
{
    const struct panoptic *p = d->state;

    return (struct slice){ p->text.at + p->images[record].offset, p->images[record].length };
}

static struct slice panoptic_find_object(const struct dataset *d, size_t record, size_t i,
                                         size_t *order)
{
    const struct panoptic *p = d->state;
    const struct segment_annotation *a = annotation_of(d, record, order);

    return a && i == 0 ? panoptic_text(p->text, a) : (struct slice){ 0 };
}

/* --- writing --- */

static bool panoptic_write(const struct dataset *d, FILE *file,
                           bool (*next_record)(void *context, struct slice *),
                           bool (*next_object)(void *context, struct slice *), void *context)
{
    const struct panoptic *p = d->state;
    struct arena arena = { 0 };
    struct document whole =
        categories_in_document(d, &p->categories, &p->document, PANOPTIC_CATEGORIES, &arena);
    struct section *sections = ARENA_ARRAY(&arena, struct section, whole.n + 1);
    struct document document =
        next_object ? whole : document_without(&whole, PANOPTIC_ANNOTATIONS, sections);
    bool (*const next[PANOPTIC_WALKS])(void *, struct slice *) = {
        [PANOPTIC_IMAGES] = next_record,
        [PANOPTIC_ANNOTATIONS] = next_object,
    };
    bool good = document_write(&document, file, next, PANOPTIC_WALKS, context);

    arena_drop(&arena);
    return good;
}

/* Segments are pixels of a picture, and all their keys are kept. */
static unsigned panoptic_lacks(const struct dataset *d)
{
    (void)d;
    return LACKS_KEYS | LACKS_KEYPOINTS | LACKS_BOXED_OUTLINES | LACKS_RLE | LACKS_POLYGONS |
           LACKS_IDS | LACKS_MASKS;
}

const struct format coco_panoptic_format = {
    .name = "coco_panoptic",
    .summary = "COCO panoptic JSON: segments, with a PNG of segment ids for each image",
    .detect = coco_panoptic_detect,
    .read = coco_panoptic_read,
    .load = panoptic_load,
    .has_category = panoptic_has_category,
    .paint = panoptic_paint,
    .print_record = panoptic_print_record,
    .print_objects = panoptic_print_objects,
    .find_record = panoptic_find_record,
    .find_object = panoptic_find_object,
    .object_id = panoptic_object_id,
    .ids_of_image = true,
    .lacks_read = panoptic_lacks,
    .write = panoptic_write,
};
