/* check_elements_labels: passes the objects of a folder of label files, as run reads them, to the
 * families of rules. */
#include "base/hash.h"
#include "batch/inspect/inspect.h"
#include "batch/dataset/label_folder.h"
#include "check/elements.h"

#include <stdlib.h>
#include <string.h>

struct label_walk {
    struct check *check;
    struct annotation_file *file;
    struct pile annotations; /* struct checked_annotation */
    struct arena scratch;    /* for one image */
    struct faults faults;    /* for one image */
};

static bool has_classes(const struct annotation_file *file)
{
    return file->labels->format->category_place != NULL;
}

/* --- classes --- */

static void index_categories(struct annotation_file *file)
{
    const struct dataset *d = file->labels;

    file->n_categories = d->n_categories;
    file->categories = memory_take((d->n_categories + 1) * sizeof *file->categories);
    for (size_t i = 0; i < d->n_categories; i++) {
        struct slice at = has_classes(file) ? d->format->category_place(d, i) : (struct slice){ 0 };

        if (!at.at)
            at = file->places->folder;
        file->categories[i] =
            (struct checked_category){ .id = has_classes(file) ? (int64_t)i : COCO_NO_ID,
                                       .name = d->categories[i].name,
                                       .offset = (uint64_t)(at.at - file->text.at),
                                       .length = (uint32_t)at.length,
                                       .category = &d->categories[i] };
    }
}

/* Places a class that only objects name at the first of them. */
static void place_category(struct checked_category *category, const struct checked_annotation *a,
                           bool own)
{
    if (!own && !category->n_annotations) {
        category->offset = a->offset;
        category->length = a->length;
    }
    category->n_annotations++;
}

/* --- objects --- */

static struct checked_annotation *add_annotation(struct label_walk *w, size_t record,
                                                 const struct object *o, struct slice at)
{
    struct annotation_file *file = w->file;
    const struct dataset *d = file->labels;
    struct checked_annotation *a = pile_add(&w->annotations, sizeof *a);

    *a = (struct checked_annotation){ .offset = (uint64_t)(at.at - file->text.at),
                                      .id = COCO_NO_ID,
                                      .length = (uint32_t)at.length,
                                      .image = (uint32_t)record,
                                      .category = NOT_THERE };
    file->annotations = w->annotations.at;
    file->n_annotations = w->annotations.n;
    file->images[record].n_annotations++;
    if (o->category) {
        a->category = (uint32_t)(o->category - d->categories);
        place_category(&file->categories[a->category], a, has_classes(file));
    }
    return a;
}

/* True if the fault is in this stretch. */
static bool is_within(const struct annotation_file *file, size_t offset, struct slice at)
{
    size_t begin = (size_t)(at.at - file->text.at);

    return offset >= begin && offset < begin + at.length;
}

/* Reports the faults of the stretch; returns false if there are none. If names of classes or of
 * keypoints could not be read, a line may be right although it seems wrong. */
static bool report_refused(struct label_walk *w, const struct element *e, struct slice at)
{
    bool found = false;

    for (size_t i = 0; i < w->faults.n; i++) {
        struct faults one = { .list = &w->faults.list[i], .n = 1 };

        if (!is_within(w->file, w->faults.list[i].offset, at))
            continue;
        found = true;
        w->check->element_failed = false;
        if (w->file->readable || strcmp(w->faults.list[i].code, "yolo-number") == 0)
            check_refused(w->check, e, &one);
        w->faults.list[i].code = ""; /* mark as reported */
    }
    return found;
}

static void walk_object(struct label_walk *w, size_t record, const struct object *o,
                        struct slice at)
{
    static const struct faults nothing;
    struct annotation_file *file = w->file;
    struct pick pick[ANNOTATION_MEMBERS] = { 0 };
    struct checked_annotation *a = add_annotation(w, record, o, at);
    struct box bounds = o->has_box ? o->bbox : rings_bounds(&o->rings);
    struct annotation_element e = { .at = element_of_annotation(file, file->n_annotations - 1),
                                    .pick = pick,
                                    .image = &file->images[record],
                                    .category = a->category == NOT_THERE
                                                    ? NULL
                                                    : &file->categories[a->category],
                                    .has_bbox = o->has_box,
                                    .bbox = { o->bbox.x0, o->bbox.y0, o->size.x, o->size.y },
                                    .object = o,
                                    .refused = &nothing,
                                    .scratch = &w->scratch };

    if (report_refused(w, &e.at, at)) {
        a->broken = true;
        return;
    }
    a->geometry = check_hash_shape(o, o->has_box ? hash_quick(&o->bbox, sizeof o->bbox) : 0);
    if (!file->readable || (file_is_yolo(file) && (!e.image->width || !e.image->height)))
        return; /* without a size, shares cannot become pixels */
    a->box[0] = (float)bounds.x0;
    a->box[1] = (float)bounds.y0;
    a->box[2] = (float)(bounds.x1 - bounds.x0);
    a->box[3] = (float)(bounds.y1 - bounds.y0);
    if (o->has_box)
        pick[MEMBER_BBOX].value = at;
    if (o->segmentation != SEGMENTATION_NONE)
        pick[MEMBER_SEGMENTATION].value = at;
    if (o->n_keypoints)
        pick[MEMBER_KEYPOINTS].value = at;
    FOR_FAMILIES(w->check, file, annotation, &e);
}

static struct frame frame_of(struct annotation_file *file, size_t record)
{
    struct checked_image *image = &file->images[record];
    const struct inspected_file *seen = file->inspection ? &file->inspection->images[record] : NULL;

    if (!image->width && seen && seen->has_header) {
        image->width = seen->header.frame.width;
        image->height = seen->header.frame.height;
    }
    return (struct frame){ image->width, image->height };
}

/* Reads the objects of a file, then reports errors of the file as a whole. */
static void walk_record(struct label_walk *w, size_t record)
{
    static const struct rules rules = { .keypoints = KEYPOINTS_CONTINUOUS };
    const struct dataset *d = w->file->labels;
    struct sample sample = { .arena = &w->scratch, .record = record };
    struct element e = element_of_image(w->file, record);
    struct slice *places;

    arena_reset(&w->scratch);
    arena_reset(&w->faults.arena);
    w->faults.n = 0;
    sample.frame = frame_of(w->file, record);
    d->format->load(d, record, &rules, &sample, &w->faults);
    places = ARENA_ARRAY(&w->scratch, struct slice, sample.n_objects);
    if (sample.n_objects)
        d->format->find_places(d, record, &w->scratch, places, sample.n_objects);
    w->file->images[record].broken = w->faults.n && !sample.n_objects;
    for (size_t i = 0; i < sample.n_objects; i++)
        walk_object(w, record, &sample.objects[i], places[i]);
    for (size_t i = 0; i < w->faults.n; i++)
        if (*w->faults.list[i].code)
            report_refused(w, &e, (struct slice){ w->file->text.at + w->faults.list[i].offset, 1 });
}

/* --- all records --- */

static void walk_images(struct check *c, struct annotation_file *file)
{
    static const struct pick none[IMAGE_MEMBERS];

    for (size_t i = 0; i < file->n_images; i++) {
        struct image_element e = { .at = element_of_image(file, i),
                                   .pick = none,
                                   .image = &file->images[i] };

        FOR_FAMILIES(c, file, image, &e);
    }
}

static void walk_categories(struct check *c, struct annotation_file *file)
{
    static const struct pick none[CATEGORY_MEMBERS];

    for (size_t i = 0; i < file->n_categories; i++) {
        struct category_element e = { .at = element_of_category(file, i),
                                      .pick = none,
                                      .category = &file->categories[i] };

        FOR_FAMILIES(c, file, category, &e);
    }
}

void check_walk_labels(struct check *c, struct annotation_file *file, const struct faults *refused)
{
    struct label_walk w = { .check = c, .file = file, .faults = dataset_faults(file->labels) };
    struct element e;

    check_make_states(c, file);
    index_categories(file);
    file->sure_categories = file->readable;
    file->sure_annotations = file->readable;
    e = element_of_file(file);
    c->element_failed = false;
    check_refused(c, &e, refused);
    FOR_FAMILIES(c, file, file, file);
    walk_categories(c, file);
    walk_images(c, file);
    for (size_t i = 0; i < file->n_images; i++)
        walk_record(&w, i);
    FOR_FAMILIES(c, file, end, file);
    arena_drop(&w.scratch);
    faults_drop(&w.faults);
}
