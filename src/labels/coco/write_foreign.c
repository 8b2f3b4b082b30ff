/* write_foreign: COCO's JSON of a dataset that was read from another format. */
#include "labels/coco/write_foreign.h"

#include "labels/shared/class_list.h"
#include "labels/shared/extras.h"
#include "labels/shared/written_classes.h"
#include "labels/coco/annotation.h"
#include "labels/coco/members.h"
#include "labels/coco/reader_limits.h"
#include "labels/coco/segmentation.h"
#include "labels/coco/member_text.h"

#include <string.h>

static int64_t image_id(const struct dataset *d, size_t record, const struct output *out)
{
    return out->renumbered ? out->image_id
                           : d->records[record].id * (out->of > 1 ? out->of : 1) + out->k;
}

static void print_record(const struct dataset *d, size_t record, const struct output *out,
                         struct text *text)
{
    text_adds(text, "{\"id\": ");
    text_add_integer(text, image_id(d, record, out));
    text_adds(text, ", \"file_name\": ");
    text_add_json(text, out->name, strlen(out->name));
    text_addf(text, ", \"width\": %d, \"height\": %d}", out->frame.width, out->frame.height);
}

/* --- objects --- */

static void print_area(const struct object *o, struct text *text)
{
    double area = o->area;

    if (o->segmentation == SEGMENTATION_POLYGONS)
        area = rings_area(&o->rings);
    else if (o->segmentation == SEGMENTATION_RLE)
        area = (double)rle_area(&o->rle);
    number_print(text, area);
}

static void print_keypoints(const struct object *o, const struct rules *rules, struct text *text)
{
    size_t n = 0;

    if (!o->n_keypoints)
        return;
    for (size_t i = 0; i < o->n_keypoints; i++)
        n += o->keypoints[i].visibility > 0;
    text_adds(text, ", \"keypoints\": ");
    coco_print_keypoints(o, rules, text);
    text_addf(text, ", \"num_keypoints\": %zu", n);
}

struct extras {
    const struct object *object;
    struct text *text;
};

static void print_extra(void *context, const struct extra *e)
{
    const struct extras *extras = context;
    struct text *text = extras->text;
    struct slice number = e->value;
    int64_t value;

    if (!e->flag || coco_text_is_put(extras->object, e->name))
        return;
    text_adds(text, ", ");
    text_add_json(text, e->name.at, e->name.length);
    text_adds(text, ": ");
    if (e->json || (number.length && number_scan_integer(number, &value) == number.length))
        text_add(text, e->value.at, e->value.length);
    else
        text_add_json(text, e->value.at, e->value.length);
}

/* Returns the id of the written class at this place: the id in the COCO file of --classes, or else
 * its number from 1. */
static int64_t class_id(const struct dataset *d, size_t place)
{
    size_t class = 0;

    if (!d->classes || !d->classes->id)
        return (int64_t)place + 1;
    while (class_place(d, &d->categories[class]) != place)
        class ++;
    return d->classes->id[class];
}

static void print_object(const struct dataset *d, size_t record, const struct sample *sample,
                         const struct object *o, const struct output *out,
                         const struct rules *rules, struct text *text)
{
    int64_t image = out->numbered ? out->image_id : image_id(d, record, out);

    (void)sample;
    text_adds(text, "{\"id\": ");
    text_add_integer(text, out->numbered ? out->object_id
                                         : image * COCO_PLAIN_IDS + (int64_t)o->index + 1);
    text_adds(text, ", \"image_id\": ");
    text_add_integer(text, image);
    text_adds(text, ", \"category_id\": ");
    text_add_integer(text, class_id(d, class_place(d, o->category)));
    text_adds(text, ", \"bbox\": ");
    coco_print_box(o, text);
    text_adds(text, ", \"area\": ");
    print_area(o, text);
    text_adds(text, ", \"iscrowd\": 0, \"segmentation\": ");
    if (o->segmentation == SEGMENTATION_NONE)
        text_adds(text, "[]");
    else
        segmentation_print(o, (struct slice){ "[]", 2 }, text);
    print_keypoints(o, rules, text);
    extras_visit(d, record, o, rules, print_extra, &(struct extras){ o, text });
    coco_texts_add(o, (struct slice){ 0 }, rules, text);
    text_addc(text, '}');
}

/* --- the file --- */

static void print_names(const struct category *c, struct text *text)
{
    text_adds(text, ", \"keypoints\": [");
    for (size_t i = 0; i < c->n_keypoints; i++) {
        const char *name = c->keypoint_name ? c->keypoint_name[i] : "";

        text_adds(text, i ? ", " : "");
        if (*name)
            text_add_json(text, name, strlen(name));
        else
            text_addf(text, "\"%zu\"", i);
    }
    text_addc(text, ']');
    if (c->unnamed || c->n_unpaired)
        return;
    text_adds(text, ", \"flip_pairs\": [");
    for (size_t i = 0, n = 0; i < c->n_mirror; i++)
        if (c->mirror[i] > i)
            text_addf(text, "%s[%zu, %zu]", n++ ? ", " : "", i, c->mirror[i]);
    text_addc(text, ']');
}

static void print_categories(const struct dataset *d, struct text *text)
{
    bool first = true;

    size_t n;
    const struct category *classes = classes_written(d, &n);

    for (size_t i = 0; i < n; i++) {
        const struct category *c = &classes[i];

        if (!*c->name)
            continue;
        text_addf(text, "%s\n{\"id\": %lld, \"name\": ", first ? "" : ",",
                  (long long)class_id(d, i));
        first = false;
        text_add_json(text, c->name, strlen(c->name));
        text_adds(text, ", \"supercategory\": \"\"");
        if (c->n_keypoints)
            print_names(c, text);
        text_addc(text, '}');
    }
}

static void write_list(FILE *file, const char *name, bool (*next)(void *, struct slice *),
                       void *context)
{
    struct slice element;
    bool first = true;

    fprintf(file, "\"%s\": [", name);
    while (next(context, &element)) {
        fputs(first ? "\n" : ",\n", file);
        fwrite(element.at, 1, element.length, file);
        first = false;
    }
    fputs(first ? "], " : "\n], ", file);
}

static bool write_document(const struct dataset *d, FILE *file,
                           bool (*next_record)(void *context, struct slice *),
                           bool (*next_object)(void *context, struct slice *), void *context)
{
    struct text categories = { 0 };

    print_categories(d, &categories);
    fputc('{', file);
    write_list(file, "images", next_record, context);
    write_list(file, "annotations", next_object, context);
    fprintf(file, "\"categories\": [%s\n]}\n", text_string(&categories));
    text_drop(&categories);
    return fflush(file) == 0 && !ferror(file);
}

/* --- what it cannot hold --- */

static bool has_place(const struct dataset *d, const struct object *o, struct frame frame)
{
    (void)d;
    return o->category && !omission_of_bounds(o, o->final.box, frame);
}

static void count_extra(void *context, const struct extra *e)
{
    struct text what = { 0 };

    if (e->usual || e->flag)
        return;
    text_addf(&what, "value{s} of \"%.*s\"", (int)e->name.length, e->name.at);
    omissions_add(context, text_string(&what));
    text_drop(&what);
}

static void count_omissions(const struct dataset *d, size_t record, const struct sample *sample,
                            const struct rules *rules, struct omissions *omissions)
{
    for (size_t i = 0; i < sample->n_objects; i++) {
        const struct object *o = &sample->objects[i];
        const char *unplaced = omission_of_bounds(o, object_loaded_bounds(o), sample->frame);

        if (unplaced) {
            omissions_add(omissions, unplaced);
            continue;
        }
        if (o->n_parts)
            omissions_add(omissions, "set{s} of parts");
        extras_visit(d, record, o, rules, count_extra, omissions);
    }
}

const struct format coco_plain_format = {
    .name = "coco",
    .print_record = print_record,
    .print_object = print_object,
    .holds = has_place,
    .count_omissions = count_omissions,
    .reader_limits = coco_reader_limits,
    .write = write_document,
};
