/* labelme: LabelMe's JSON files, one per image: polygons, rectangles and circles.
 *
 * As in LabelMe's own export to COCO, polygons and circles with one label and one group_id are one
 * object. A circle becomes a polygon when it moves. Points, lines and masks are counted and left
 * out. Other members of the files and shapes are kept. */
#include "labels/labelme/print.h"
#include "labels/shared/class_names.h"
#include "labels/shared/extras.h"

#include <stdlib.h>
#include <string.h>

/* --- reading --- */

/* An imagePath that differs from the name of its file's image. */
struct stated_image {
    const char *name;
    size_t record;
};

/* Results of reading all files. */
struct findings {
    struct pile stated; /* struct stated_image */
    struct pile categories;
    struct omissions omissions; /* shapes that are not objects */
    size_t first;               /* offset of the first of them */
};

static const char *base_of(const char *name)
{
    const char *slash = strrchr(name, '/');

    return slash ? slash + 1 : name;
}

static void note_shape(struct findings *found, const struct dataset *d,
                       const struct labelme_shape *shape)
{
    if (!found->omissions.n)
        found->first = (size_t)(shape->whole.at - d->text.at);
    omissions_add(&found->omissions, shape->type);
}

static void read_record(struct dataset *d, size_t i, struct findings *found, struct arena *arena)
{
    struct faults faults = dataset_faults(d);
    struct labelme_file file;

    labelme_read(&faults, d->labels[i], arena, &file);
    faults_drop(&faults);
    d->records[i].width = file.width;
    d->records[i].height = file.height;
    d->records[i].n_objects = file.n_objects;
    d->n_objects += file.n_objects;
    if (*file.image && strcmp(file.image, base_of(d->records[i].name)) != 0)
        *(struct stated_image *)pile_add(&found->stated, sizeof(struct stated_image)) =
            (struct stated_image){ arena_copy(d->arena, file.image, strlen(file.image)), i };
    for (size_t k = 0; k < file.n_shapes; k++) {
        const struct labelme_shape *shape = &file.shapes[k];

        if (shape->label && shape->kind == LABELME_OTHER)
            note_shape(found, d, shape);
        else if (shape->label && !d->classes)
            class_names_add(&found->categories, shape->label, d->arena);
    }
}

static void note_omissions(struct faults *f, const struct dataset *d, const struct findings *found)
{
    struct text what = { 0 };

    for (size_t i = 0; i < found->omissions.n; i++)
        text_addf(&what, "%s%zu of type \"%s\"", i ? ", " : "", found->omissions.at[i].n,
                  found->omissions.at[i].what);
    if (f->notes && what.length)
        note_add(f, found->first, 1, "", "labelme-shapes",
                 arena_printf(d->arena, "shapes that are not polygons, rectangles or circles: %s",
                              text_string(&what)),
                 "they are left out", false);
    text_drop(&what);
}

static int by_base(const void *a, const void *b)
{
    return strcmp(base_of(*(const char *const *)a), base_of(*(const char *const *)b));
}

/* Notes the first file that states another image of the dataset than the one with its name. */
static void note_images(struct faults *f, const struct dataset *d, const struct findings *found)
{
    const char **names = memory_take((d->n_records + 1) * sizeof *names);
    const struct stated_image *stated = found->stated.at;
    size_t first = 0, times = 0;

    for (size_t i = 0; i < d->n_records; i++)
        names[i] = d->records[i].name;
    qsort(names, d->n_records, sizeof *names, by_base);
    for (size_t i = found->stated.n; i-- > 0;)
        if (bsearch(&stated[i].name, names, d->n_records, sizeof *names, by_base)) {
            first = i;
            times++;
        }
    if (times && f->notes) {
        const struct stated_image *s = &stated[first];

        note_add(f, (size_t)(d->labels[s->record].at - d->text.at), 1, "", "labelme-image",
                 arena_printf(d->arena, "its imagePath is %s, which is another image than %s",
                              s->name, d->records[s->record].name),
                 "the name of the label file decides", false);
        for (size_t i = 1; i < times; i++)
            note_repeat(f, "labelme-image");
    }
    free(names);
}

static bool labelme_format_read(struct faults *f, struct dataset *d)
{
    struct findings found = { .first = 0 };
    struct arena arena = { 0 };

    for (size_t i = 0; i < d->n_records; i++) {
        arena_reset(&arena);
        if (d->labels[i].at)
            read_record(d, i, &found, &arena);
    }
    class_names_keep(&found.categories, d);
    note_omissions(f, d, &found);
    if (found.stated.n)
        note_images(f, d, &found);
    free(found.stated.at);
    arena_drop(&found.omissions.arena);
    arena_drop(&arena);
    return true;
}

static const char *labelme_image_of(struct slice text, struct arena *arena)
{
    struct faults faults = { .name = "", .text = text };
    struct labelme_file file;

    labelme_read(&faults, text, arena, &file);
    faults_drop(&faults);
    return file.image;
}

/* --- loading --- */

static void load_box(const struct labelme_shape *shape, struct arena *arena, struct object *o)
{
    struct ring ring = { shape->points, shape->n, false };

    o->bbox = rings_bounds(&(struct rings){ &ring, 1 });
    o->has_box = true;
    o->outline = ring_of_box(arena, o->bbox);
    o->size = (struct point){ o->bbox.x1 - o->bbox.x0, o->bbox.y1 - o->bbox.y0 };
    o->area = o->size.x * o->size.y;
}

static void load_rings(const struct labelme_file *file, size_t first, struct arena *arena,
                       struct object *o)
{
    size_t n = 0;

    for (size_t i = first; i != SIZE_MAX; i = file->shapes[i].next)
        n++;
    o->segmentation = SEGMENTATION_POLYGONS;
    o->rings = (struct rings){ ARENA_ARRAY(arena, struct ring, n), 0 };
    for (size_t i = first; i != SIZE_MAX; i = file->shapes[i].next)
        o->rings.ring[o->rings.n++] =
            (struct ring){ file->shapes[i].points, file->shapes[i].n, false };
    o->empty_mask = rings_area(&o->rings) <= 0;
}

static bool load_object(const struct dataset *d, struct faults *f, const struct labelme_file *file,
                        size_t first, struct arena *arena, struct object *o)
{
    const struct labelme_shape *shape = &file->shapes[first];

    o->category = class_named(d, shape->label);
    if (!o->category && d->classes)
        return class_list_fault(d->classes, f, shape->whole, "", shape->label);
    o->visibility = 1;
    if (shape->kind == LABELME_RECTANGLE)
        load_box(shape, arena, o);
    else
        load_rings(file, first, arena, o);
    return true;
}

static bool labelme_load(const struct dataset *d, size_t record, const struct rules *rules,
                         struct sample *sample, struct faults *f)
{
    struct labelme_file file;
    bool good = true;

    (void)rules;
    sample->categories = d->categories;
    sample->n_categories = d->n_categories;
    if (!d->labels[record].at)
        return true;
    if (!labelme_read(f, d->labels[record], sample->arena, &file))
        return false;
    sample->n_objects = file.n_objects;
    sample->objects = ARENA_ARRAY(sample->arena, struct object, file.n_objects);
    for (size_t i = 0; i < file.n_objects; i++) {
        sample->objects[i].index = i;
        good = load_object(d, f, &file, file.first[i], sample->arena, &sample->objects[i]) && good;
    }
    return good;
}

static int64_t labelme_object_id(const struct dataset *d, size_t record, const struct object *o)
{
    (void)d;
    (void)record;
    return (int64_t)o->index + 1;
}

/* --- the source of a record --- */

/* A record without a file differs from a record with an empty file. */
static struct slice labelme_find_record(const struct dataset *d, size_t record)
{
    return d->labels[record].at ? d->labels[record] : (struct slice){ "none", 4 };
}

/* The text of the record has all objects. */
static struct slice labelme_find_object(const struct dataset *d, size_t record, size_t i,
                                        size_t *order)
{
    (void)d;
    (void)record;
    (void)i;
    *order = 0;
    return (struct slice){ 0 };
}

static void labelme_find_places(const struct dataset *d, size_t record, struct arena *scratch,
                                struct slice *places, size_t n)
{
    struct faults faults = dataset_faults(d);
    struct labelme_file file;

    labelme_read(&faults, d->labels[record], scratch, &file);
    for (size_t i = 0; i < n; i++)
        places[i] = file.shapes[file.first[i]].whole;
    faults_drop(&faults);
}

/* True for a value that means the same as the member's absence. */
static bool is_usual(const struct value *v)
{
    return v->kind == VALUE_NULL || (v->kind == VALUE_TEXT && !*v->text) ||
           ((v->kind == VALUE_LIST || v->kind == VALUE_OBJECT) && !v->n) ||
           (v->kind == VALUE_FLAG && !v->flag);
}

static bool is_own(const char *name)
{
    static const char *const own[] = { "label", "points", "shape_type", "mask" };

    for (size_t i = 0; i < COUNTOF(own); i++)
        if (strcmp(name, own[i]) == 0)
            return true;
    return false;
}

/* True if COCO's annotations have a member of this name, with another meaning. */
static bool is_of_coco(const char *name)
{
    static const char *const of_coco[] = { "id",      "image_id",     "category_id", "bbox",
                                           "area",    "segmentation", "iscrowd",     "keypoints",
                                           "caption", "num_keypoints" };

    for (size_t i = 0; i < COUNTOF(of_coco); i++)
        if (strcmp(name, of_coco[i]) == 0)
            return true;
    return false;
}

/* True for the group_id of an object of several shapes, which are the parts of its outline. */
static bool ties_shapes(const struct labelme_shape *shape, const char *name)
{
    return shape->next != SIZE_MAX && strcmp(name, "group_id") == 0;
}

/* COCO's file takes over all members whose names it does not use. */
static void labelme_visit_extras(const struct dataset *d, size_t record, const struct object *o,
                                 void (*visit)(void *context, const struct extra *), void *context)
{
    struct faults faults = dataset_faults(d);
    struct arena arena = { 0 };
    struct labelme_file file;

    if (labelme_read(&faults, d->labels[record], &arena, &file)) {
        const struct labelme_shape *first = &file.shapes[file.first[o->index]];
        const struct value *shape = first->value;

        for (size_t i = 0; i < shape->n; i++) {
            const struct value *v = &shape->item[i];
            struct slice whole = labelme_text_of(&file, v);
            bool text = v->kind == VALUE_TEXT;

            if (is_own(v->name))
                continue;
            visit(context, &(struct extra){
                               .name = { v->name, strlen(v->name) },
                               .value = text ? (struct slice){ v->text, strlen(v->text) } : whole,
                               .json = !text,
                               .flag = !is_usual(v) && !is_of_coco(v->name),
                               .usual = is_usual(v) || ties_shapes(first, v->name) });
        }
    }
    faults_drop(&faults);
    arena_drop(&arena);
}

/* --- writing --- */

/* In its own format, any object may stay as it is. */
static bool labelme_has_place(const struct dataset *d, const struct object *o, struct frame frame)
{
    return o->category && !o->crowd &&
           (d->format == d->writer || !omission_of_bounds(o, o->final.box, frame));
}

static bool labelme_print_file(const struct dataset *d, size_t record, const struct sample *sample,
                               const struct output *out, const struct rules *rules,
                               struct text *text)
{
    struct labelme_source *from =
        ARENA_ARRAY(sample->arena, struct labelme_source, sample->n_objects);
    struct labelme_file *own = NULL, *last = NULL;
    struct faults faults = dataset_faults(d);
    size_t last_record = 0;

    (void)rules;
    if (d->format == d->writer && d->labels[record].at) {
        own = last = ARENA_NEW(sample->arena, struct labelme_file);
        labelme_read(&faults, d->labels[record], sample->arena, own);
        last_record = record; /* of this dataset */
    }
    for (size_t i = 0; d->format == d->writer && i < sample->n_objects; i++) {
        const struct object *o = &sample->objects[i];

        if (!last || object_record(d, o) != last_record) {
            last = ARENA_NEW(sample->arena, struct labelme_file);
            labelme_read(&faults, d->labels[object_record(d, o)], sample->arena, last);
            last_record = object_record(d, o);
        }
        from[i] = (struct labelme_source){ last, o->index };
    }
    faults_drop(&faults);
    if (d->format == d->writer && !own && !sample->n_objects)
        return false;
    labelme_print(own, sample, from, out, text);
    return true;
}

/* --- what it cannot hold --- */

static void count_extra(void *context, const struct extra *e)
{
    struct text what = { 0 };

    if (e->usual)
        return;
    text_addf(&what, "value{s} of \"%.*s\"", (int)e->name.length, e->name.at);
    omissions_add(context, text_string(&what));
    text_drop(&what);
}

static void count_object(const struct dataset *d, size_t record, const struct object *o,
                         const struct rules *rules, struct frame frame, struct omissions *omissions)
{
    const char *unplaced = omission_of_bounds(o, object_loaded_bounds(o), frame);

    if (!o->category)
        omissions_add(omissions, "object{s} without a category");
    if (o->crowd)
        omissions_add(omissions, "crowd{s}");
    if (!o->category || o->crowd)
        return;
    if (unplaced) {
        omissions_add(omissions, unplaced);
        return;
    }
    if (o->segmentation == SEGMENTATION_RLE)
        omissions_add(omissions, "run-length mask{s} (written as outlines)");
    if (object_has_labelled_keypoints(o))
        omissions_add(omissions, "set{s} of keypoints");
    if (o->n_parts)
        omissions_add(omissions, "set{s} of parts");
    extras_visit(d, record, o, rules, count_extra, omissions);
}

static void labelme_count_omissions(const struct dataset *d, size_t record,
                                    const struct sample *sample, const struct rules *rules,
                                    struct omissions *omissions)
{
    const char *hidden = omission_of_name(d->records[record].name);

    if (hidden)
        omissions_add(omissions, hidden);
    for (size_t i = 0; i < sample->n_objects; i++)
        count_object(d, record, &sample->objects[i], rules, sample->frame, omissions);
}

static unsigned labelme_lacks_read(const struct dataset *d)
{
    (void)d;
    return LACKS_KEYS | LACKS_IMAGE_KEYS | LACKS_KEYPOINTS | LACKS_BOXED_OUTLINES | LACKS_DIALECTS;
}

static unsigned labelme_lacks_written(const struct dataset *d)
{
    (void)d;
    return LACKS_KEYPOINTS | LACKS_RLE | LACKS_IDS;
}

static const struct target targets[] = {
    { "labelme", "LabelMe's files beside the images: OUT/images/*.json", 0 },
    { 0 },
};

const struct format labelme_format = {
    .name = "labelme",
    .summary = "LabelMe's JSON files: polygons, rectangles and circles; other members are kept",
    .targets = targets,
    .suffix = ".json",
    .is_file = labelme_is_file,
    .image_of = labelme_image_of,
    .title = "LabelMe",
    .folder = "images",
    .read = labelme_format_read,
    .load = labelme_load,
    .find_record = labelme_find_record,
    .find_object = labelme_find_object,
    .find_places = labelme_find_places,
    .object_id = labelme_object_id,
    .ids_of_image = true,
    .holds = labelme_has_place,
    .lacks_read = labelme_lacks_read,
    .lacks_written = labelme_lacks_written,
    .visit_extras = labelme_visit_extras,
    .count_omissions = labelme_count_omissions,
    .print_file = labelme_print_file,
};
