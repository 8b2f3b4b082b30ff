/* voc: Pascal VOC's annotations: an XML file for each image, with boxes of objects.
 *
 * Corners count from 1, or from 0 where the files show it (enum voc_base). The file is written
 * again with what has changed, in the same way. */
#include "labels/shared/class_names.h"
#include "labels/coco/unknown_keys.h"
#include "labels/shared/extras.h"
#include "labels/shared/written_classes.h"
#include "labels/voc/keys.h"
#include "labels/voc/print.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- reading --- */

/* True if an element of this name holds geometry, by COCO's names and others; `pose` is a view. */
static bool is_loose(const char *name)
{
    static const char *const own[] = { "robndbox", "segment",   "segments", "segmentation",
                                       "mask",     "keypoints", "cylinder" };
    struct slice s = { name, strlen(name) };

    for (size_t i = 0; i < COUNTOF(own); i++)
        if (strcmp(name, own[i]) == 0)
            return true;
    return coco_key_is_loose(s) && !voc_has_flag(s);
}

static void note_loose(struct pile *loose, struct arena *arena, const char *name)
{
    coco_loose_note(loose, (struct slice){ arena_copy(arena, name, strlen(name)), strlen(name) });
}

/* Notes an attribute that turns the box, as CVAT has it. */
static void note_rotation(struct pile *loose, struct arena *arena, const struct voc_extra *e)
{
    const struct voc_inner *in = voc_inner_named(e, "rotation");
    const char *value = in ? voc_inner_value(e, in) : "";
    double angle = 0;

    if (number_scan((struct slice){ value, strlen(value) }, &angle) && angle != 0)
        note_loose(loose, arena, arena_printf(arena, "%s.rotation", e->name));
}

/* Notes geometry that no rule moves. */
static void find_loose(const struct dataset *d, const struct voc_object *o, struct pile *loose)
{
    for (size_t i = 0; i < o->n_extras; i++) {
        if (is_loose(o->extras[i].name))
            note_loose(loose, d->arena, o->extras[i].name);
        note_rotation(loose, d->arena, &o->extras[i]);
    }
}

/* --- from 0 or 1 --- */

/* Files that show what corners count from: the first of each kind. */
struct evidence {
    struct slice zero, one; /* `at` is NULL: there is none */
    size_t n_objects;
};

/* A corner of 0 is no pixel that counts from 1; the challenges' files count from 1. */
static void note_evidence(struct evidence *e, const struct voc_file *file)
{
    struct slice zero = { 0 };

    e->n_objects += file->n_objects;
    for (size_t i = 0; i < file->n_objects; i++) {
        const struct voc_box *box = &file->objects[i].box;

        for (size_t k = 0; k < 2 && !zero.at; k++)
            if (box->found & 1U << k && box->number[k] == 0)
                zero = box->at[k];
    }
    if (zero.at && !e->zero.at)
        e->zero = zero;
    if (!e->one.at && file->n_objects && strncmp(file->database, "The VOC", 7) == 0)
        e->one = file->objects[0].whole;
}

static const char *name_of_file(const struct dataset *d, struct slice at)
{
    const struct fault_file *file =
        fault_file_at(d->files, d->n_files, (size_t)(at.at - d->text.at));

    return file ? file->name : d->file;
}

/* Decides for the whole dataset, and notes it where files disagree or none shows it. */
static void choose_base(struct faults *f, struct dataset *d, const struct evidence *e)
{
    if (d->voc_base != VOC_BASE_UNKNOWN)
        return;
    d->voc_base = e->zero.at ? VOC_BASE_0 : VOC_BASE_1;
    if (e->zero.at && e->one.at) {
        d->mixed_base = e->zero;
        if (f->notes)
            note_add(f, 0, 0, "", "voc-base-mixed",
                     arena_printf(d->arena,
                                  "%s has a corner of 0, but %s is from the VOC challenges, which "
                                  "count from 1",
                                  name_of_file(d, e->zero), name_of_file(d, e->one)),
                     "read as counted from 0; --voc-base 1 reads them from 1", false);
    } else if (!e->zero.at && !e->one.at && e->n_objects && f->notes && !d->voc_base_noted) {
        note_add(f, 0, 0, "", "voc-base", "no file shows whether corners count from 0 or from 1",
                 "read as counted from 1; --voc-base 0 reads them from 0", false);
    }
}

static int base_of(const struct dataset *d)
{
    return d->voc_base != VOC_BASE_0;
}

/* --- the dataset --- */

static bool read_record(struct dataset *d, size_t i, struct pile *categories, struct pile *loose,
                        struct evidence *evidence, struct arena *arena)
{
    struct faults faults = dataset_faults(d);
    struct voc_file file;
    bool good = voc_read(&faults, d->labels[i], arena, &file);

    if (file.complete) {
        note_evidence(evidence, &file);
        d->records[i].n_objects = file.n_objects;
        d->n_objects += file.n_objects;
        if (file.frame[0] && file.frame[1]) {
            d->records[i].width = file.frame[0];
            d->records[i].height = file.frame[1];
        }
    }
    for (size_t k = 0; file.complete && k < file.n_objects; k++) {
        if (!d->classes && file.objects[k].name && *file.objects[k].name)
            class_names_add(categories, file.objects[k].name, d->arena);
        find_loose(d, &file.objects[k], loose);
    }
    good = good || strcmp(faults.list[0].code, "voc-library") != 0;
    faults_drop(&faults);
    return good;
}

static bool voc_format_read(struct faults *f, struct dataset *d)
{
    struct arena arena = { 0 };
    struct pile categories = { 0 }, loose = { 0 };
    struct evidence evidence = { 0 };
    bool good = true;

    for (size_t i = 0; i < d->n_records && good; i++) {
        arena_reset(&arena);
        if (d->labels[i].at)
            good = read_record(d, i, &categories, &loose, &evidence, &arena);
    }
    class_names_keep(&categories, d);
    coco_loose_keep(&loose, "", d);
    choose_base(f, d, &evidence);
    free(loose.at);
    if (!good) {
        struct voc_file file;

        voc_read(f, d->text, &arena, &file); /* says that the library is missing */
    }
    arena_drop(&arena);
    return good;
}

/* --- loading --- */

static bool fail(struct faults *f, struct slice at, const char *code, const char *why)
{
    return fault_add(f, (size_t)(at.at - f->text.at), at.length > 8 ? 8 : at.length, "", code, "%s",
                     why);
}

static bool load_box(struct faults *f, const struct voc_box *v, struct slice whole, int base,
                     struct arena *arena, struct object *o)
{
    if (v->wrong)
        return false; /* the reader said why */
    if (v->found != 15)
        return fail(f, whole, "voc-bndbox",
                    "expected a bndbox with xmin, ymin, xmax and ymax in this element");
    o->bbox = (struct box){ v->number[0] - base, v->number[1] - base, v->number[2], v->number[3] };
    if (o->bbox.x1 < o->bbox.x0 || o->bbox.y1 < o->bbox.y0)
        return fail(f, v->at[o->bbox.x1 < o->bbox.x0 ? 2 : 3], "voc-bndbox",
                    "the last pixel of a box lies before its first");
    o->has_box = true;
    o->outline = ring_of_box(arena, o->bbox);
    o->size = (struct point){ o->bbox.x1 - o->bbox.x0, o->bbox.y1 - o->bbox.y0 };
    o->area = o->size.x * o->size.y;
    o->visibility = 1;
    return true;
}

static bool load_points(struct faults *f, const struct voc_extra *e, int base, struct arena *arena,
                        struct object *part)
{
    struct voc_points points;
    double shift = voc_point_shift(base);

    if (!voc_read_points(f, e, arena, &points))
        return false;
    part->part.unbound = true;
    part->n_keypoints = points.n / 2;
    part->keypoints = ARENA_ARRAY(arena, struct keypoint, part->n_keypoints);
    for (size_t i = 0; i < part->n_keypoints; i++)
        part->keypoints[i] = (struct keypoint){ .at = { points.number[2 * i] - shift,
                                                        points.number[2 * i + 1] - shift },
                                                .visibility = 2 };
    return true;
}

/* Elements that the pipeline moves become parts of the object, after its own parts. */
static bool load_moved(struct faults *f, const struct voc_object *v, const struct rules *rules,
                       int base, struct arena *arena, struct object *o)
{
    bool good = true;

    for (size_t i = 0; i < v->n_extras && good; i++) {
        const struct named_key *key = voc_moved_key(&v->extras[i], rules);
        struct object *part = &o->parts[o->n_parts];
        struct voc_box box;

        if (!key)
            continue;
        *part = (struct object){ .index = o->n_parts,
                                 .visibility = 1,
                                 .part = { .flip_pair = o->n_parts, .valid = true } };
        o->n_parts++;
        good = key->kind == MOVED_POINT
                   ? load_points(f, &v->extras[i], base, arena, part)
                   : voc_read_box(f, &v->extras[i], &box) &&
                         load_box(f, &box, v->extras[i].whole, base, arena, part);
    }
    return good;
}

static bool load_object(const struct dataset *d, struct faults *f, const struct voc_object *v,
                        const struct rules *rules, struct arena *arena, struct object *o)
{
    const int base = base_of(d);

    if (!v->name || !*v->name)
        return fail(f, v->whole, "voc-name", "the object has no name, which is its class");
    o->category = class_named(d, v->name);
    if (!o->category && d->classes)
        return class_list_fault(d->classes, f, v->name_at.at ? v->name_at : v->whole, "", v->name);
    if (!load_box(f, &v->box, v->whole, base, arena, o))
        return false;
    o->n_parts = v->n_parts;
    o->parts = ARENA_ARRAY(arena, struct object, v->n_parts + v->n_extras);
    for (size_t i = 0; i < v->n_parts; i++) {
        o->parts[i].index = i;
        o->parts[i].part = (struct part){ .flip_pair = i, .valid = true };
        if (!load_box(f, &v->parts[i].box, v->parts[i].whole, base, arena, &o->parts[i]))
            return false;
    }
    return load_moved(f, v, rules, base, arena, o);
}

static bool voc_load(const struct dataset *d, size_t record, const struct rules *rules,
                     struct sample *sample, struct faults *f)
{
    struct voc_file file;
    bool good;

    if (!d->labels[record].at)
        return true;
    good = voc_read(f, d->labels[record], sample->arena, &file);
    if (!file.complete)
        return false;
    sample->n_objects = file.n_objects;
    sample->categories = d->categories;
    sample->n_categories = d->n_categories;
    sample->objects = ARENA_ARRAY(sample->arena, struct object, file.n_objects);
    for (size_t i = 0; i < file.n_objects; i++) {
        sample->objects[i].index = i;
        good =
            load_object(d, f, &file.objects[i], rules, sample->arena, &sample->objects[i]) && good;
    }
    return good;
}

static int64_t voc_object_id(const struct dataset *d, size_t record, const struct object *o)
{
    (void)d;
    (void)record;
    return (int64_t)o->index + 1;
}

/* --- what a record was made of --- */

/* An empty file is another thing than none. */
static struct slice voc_find_record(const struct dataset *d, size_t record)
{
    return d->labels[record].at ? d->labels[record] : (struct slice){ "none", 4 };
}

static struct slice voc_find_object(const struct dataset *d, size_t record, size_t i, size_t *order)
{
    (void)d;
    (void)record;
    (void)i;
    *order = 0;
    return (struct slice){ 0 };
}

static void voc_find_places(const struct dataset *d, size_t record, struct arena *scratch,
                            struct slice *places, size_t n)
{
    struct faults faults = dataset_faults(d);
    struct voc_file file;

    voc_read(&faults, d->labels[record], scratch, &file);
    for (size_t i = 0; i < n; i++)
        places[i] = file.objects[i].whole;
    faults_drop(&faults);
}

static bool is_usual(const struct voc_extra *e)
{
    return !*e->value || strcmp(e->value, "0") == 0 || strcmp(e->value, "Unspecified") == 0;
}

static void voc_visit_extras(const struct dataset *d, size_t record, const struct object *o,
                             void (*visit)(void *context, const struct extra *), void *context)
{
    struct faults faults = dataset_faults(d);
    struct arena arena = { 0 };
    struct voc_file file;

    if (voc_read(&faults, d->labels[record], &arena, &file))
        for (size_t i = 0; i < file.objects[o->index].n_extras; i++) {
            const struct voc_extra *e = &file.objects[o->index].extras[i];

            visit(context,
                  &(struct extra){ .name = { e->name, strlen(e->name) },
                                   .value = { e->value, strlen(e->value) },
                                   .flag = voc_has_flag((struct slice){ e->name, strlen(e->name) }),
                                   .usual = is_usual(e) });
        }
    faults_drop(&faults);
    arena_drop(&arena);
}

/* --- writing --- */

/* In its own format, any object may stay as it is. */
static bool voc_has_place(const struct dataset *d, const struct object *o, struct frame frame)
{
    return o->category && !o->crowd &&
           (d->format == d->writer || !omission_of_bounds(o, o->final.box, frame));
}

static bool voc_print_file(const struct dataset *d, size_t record, const struct sample *sample,
                           const struct output *out, const struct rules *rules, struct text *text)
{
    struct faults faults = dataset_faults(d);
    struct voc_file file;

    if (d->format != d->writer) {
        voc_print_new(d, sample, out, rules, text);
        return true;
    }
    if (!d->labels[record].at || !voc_read(&faults, d->labels[record], sample->arena, &file))
        return false;
    voc_print_again(d, d->labels[record], &file, base_of(d), sample, out, rules, text);
    return true;
}

/* --- the files of a dataset with parts --- */

/* Prints the stem of an image, as lists in ImageSets/Main have it. */
static void voc_print_record(const struct dataset *d, size_t record, const struct output *out,
                             struct text *text)
{
    const char *dot = strrchr(out->name, '.');

    (void)d;
    (void)record;
    text_addf(text, "%.*s\n", dot ? (int)(dot - out->name) : (int)strlen(out->name), out->name);
}

static bool voc_write(const struct dataset *d, FILE *file,
                      bool (*next_record)(void *context, struct slice *),
                      bool (*next_object)(void *context, struct slice *), void *context)
{
    struct slice line;

    (void)d;
    (void)next_object;
    while (next_record(context, &line))
        fwrite(line.at, 1, line.length, file);
    return fflush(file) == 0 && !ferror(file);
}

/* Writes labelmap.txt, the list of classes that readers need for names that are not VOC's own. */
static bool voc_write_index(const struct dataset *d, FILE *file)
{
    size_t n;
    const struct category *all = classes_written(d, &n);

    fputs("# label:color_rgb:parts:actions\n", file);
    for (size_t i = 0; i < n; i++)
        fprintf(file, "%s:::\n", all[i].name);
    return fflush(file) == 0 && !ferror(file);
}

/* --- what it cannot hold --- */

static void count_string(const char *string, struct omissions *omissions)
{
    if (!voc_holds_string(string))
        omissions_add(omissions, "text{s} with control characters (U+FFFD is written for each)");
}

static void count_flag(const struct extra *e, struct omissions *omissions)
{
    struct slice v = e->value;
    struct arena arena = { 0 };

    if (e->json && v.length >= 2 && *v.at == '"') {
        v = scan_unescape(&arena, (struct slice){ v.at + 1, v.length - 2 });
        count_string(arena_copy(&arena, v.at, v.length), omissions);
    }
    arena_drop(&arena);
}

static void count_extra(void *context, const struct extra *e)
{
    struct text what = { 0 };

    if (voc_has_flag(e->name))
        count_flag(e, context);
    if (e->usual || voc_has_flag(e->name))
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
    count_string(o->category->name, omissions);
    if (o->segmentation != SEGMENTATION_NONE)
        omissions_add(omissions, "outline{s}");
    if (object_has_labelled_keypoints(o))
        omissions_add(omissions, "set{s} of keypoints");
    if (o->n_parts)
        omissions_add(omissions, "set{s} of parts");
    extras_visit(d, record, o, rules, count_extra, omissions);
}

static void voc_count_omissions(const struct dataset *d, size_t record, const struct sample *sample,
                                const struct rules *rules, struct omissions *omissions)
{
    const char *hidden = omission_of_name(d->records[record].name);

    if (hidden)
        omissions_add(omissions, hidden);
    for (size_t i = 0; i < sample->n_objects; i++)
        count_object(d, record, &sample->objects[i], rules, sample->frame, omissions);
}

static unsigned voc_lacks_read(const struct dataset *d)
{
    (void)d;
    return LACKS_KEYPOINTS | LACKS_OUTLINES | LACKS_BOXED_OUTLINES | LACKS_DIALECTS |
           LACKS_IMAGE_KEYS;
}

static unsigned voc_lacks_written(const struct dataset *d)
{
    (void)d;
    return LACKS_KEYPOINTS | LACKS_RLE | LACKS_POLYGONS | LACKS_IDS;
}

static const struct target targets[] = {
    { "voc", "Pascal VOC's boxes: OUT/Annotations/*.xml", 0 },
    { 0 },
};

const struct format voc_format = {
    .name = "voc",
    .summary = "Pascal VOC's XML files: boxes; other elements are kept",
    .targets = targets,
    .suffix = ".xml",
    .title = "Pascal VOC",
    .folder = "Annotations",
    .divided_index = "labelmap.txt",
    .read = voc_format_read,
    .load = voc_load,
    .find_record = voc_find_record,
    .find_object = voc_find_object,
    .find_places = voc_find_places,
    .object_id = voc_object_id,
    .ids_of_image = true,
    .holds = voc_has_place,
    .lacks_read = voc_lacks_read,
    .lacks_written = voc_lacks_written,
    .own_keys = voc_own_keys,
    .visit_extras = voc_visit_extras,
    .count_omissions = voc_count_omissions,
    .print_record = voc_print_record,
    .print_file = voc_print_file,
    .prints_over_source = true,
    .write_index = voc_write_index,
    .write = voc_write,
    .lines = true,
};
