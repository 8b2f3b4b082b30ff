/* yolo: YOLO's labels: a text file for each image, an object a line, in shares of the image's
 * sides; boxes, outlines, or boxes with keypoints, as Ultralytics reads them. The file is
 * longer than 600 lines because it has all functions of struct format for three tasks. */
#include "labels/yolo/parts.h"
#include "labels/shared/extras.h"
#include "labels/yolo/print.h"

#include <math.h>
#include <string.h>

/* The dataset's state. */
struct yolo {
    struct yolo_classes classes;
    bool mixed; /* some lines of the dataset are boxes, and some are outlines */
    /* The place of each class of the index in the list of --classes, or SIZE_MAX; and the classes
     * of the index. NULL: numbers of labels are places in `classes`. */
    size_t *pinned;
    struct yolo_classes indexed;
};

/* --- reading --- */

/* Without names, classes are as many as the labels say. */
static size_t count_classes(const struct dataset *d)
{
    size_t n = 0, class;

    for (size_t i = 0; i < d->n_records; i++) {
        struct slice line;
        size_t at = 0;

        while (d->labels[i].at && yolo_next_line(d->labels[i], &at, &line))
            if (yolo_line_class(line, &class) && class >= n)
                n = class + 1;
    }
    return n;
}

/* True if the files have lines of both kinds. All files count, whichever images are chosen, so that
 * all runs over the dataset agree. */
static bool has_both_kinds(const struct dataset *d)
{
    bool boxes = false, outlines = false;

    for (size_t i = 0; i < d->n_records && !(boxes && outlines); i++) {
        struct slice line;
        size_t at = 0;

        while (d->labels[i].at && yolo_next_line(d->labels[i], &at, &line)) {
            bool box = yolo_line_length(line) <= YOLO_BOX_LENGTH;

            boxes |= box;
            outlines |= !box;
        }
    }
    return boxes && outlines;
}

static void note_both_kinds(struct faults *f, const struct dataset *d)
{
    if (f->notes)
        note_add(f, 0, 0, "", "yolo-mixed", "some lines are boxes, and some are outlines",
                 d->joined ? "boxes are written as outlines of their corners, because joined "
                             "images have both; --to yolo writes only boxes"
                           : "the lines stay unchanged, and Ultralytics misreads files with both "
                             "and drops the "
                             "outlines of a dataset with both; --to yolo or yolo-segment writes "
                             "one kind",
                 false);
}

/* True if the index and --classes name the same classes in the same order. */
static bool has_classes(const struct dataset *d, const struct yolo_classes *c)
{
    bool same = c->n == d->classes->n && !c->unnamed;

    for (size_t i = 0; same && i < c->n; i++)
        same = strcmp(c->at[i].name, d->classes->name[i]) == 0;
    return same;
}

/* Classes become those of --classes, by their names; what the index says of keypoints stays. An
 * index that counts its classes alone leaves their names to the list. */
static void pin_classes(struct dataset *d, struct yolo *yolo)
{
    struct yolo_classes read = yolo->classes, *c = &yolo->classes;

    yolo_classes_list(d->arena, d->classes, c);
    c->yaml = read.yaml;
    c->pinned = true;
    c->n_keypoints = read.n_keypoints;
    c->dimensions = read.dimensions;
    for (size_t i = 0; read.n && i < c->n; i++) {
        struct category class = read.at[0];

        class.name = c->at[i].name;
        class.id = c->at[i].id;
        c->at[i] = class;
    }
    if (read.unnamed || !read.n)
        return;
    yolo->pinned = ARENA_ARRAY(d->arena, size_t, read.n);
    yolo->indexed = read;
    for (size_t i = 0; i < read.n; i++)
        if (!class_list_find(d->classes, read.at[i].name, &yolo->pinned[i]))
            yolo->pinned[i] = SIZE_MAX;
}

static bool yolo_read(struct faults *f, struct dataset *d)
{
    struct yolo *yolo = ARENA_NEW(d->arena, struct yolo);

    d->state = yolo;
    if (d->index.at && !yolo_classes_read(f, d, &yolo->classes))
        return false;
    if (d->classes && !has_classes(d, &yolo->classes)) {
        pin_classes(d, yolo);
    } else if (!d->index.at) {
        yolo_classes_number(d->arena, count_classes(d), &yolo->classes);
        if (f->notes)
            note_add(f, 0, 0, "", "yolo-no-names", "no data.yaml or classes.txt names the classes",
                     "the classes have numbers as names; --classes gives a file", false);
    }
    for (size_t i = 0; i < d->n_records; i++) {
        d->records[i].n_objects = d->labels[i].at ? yolo_count_lines(d->labels[i]) : 0;
        d->n_objects += d->records[i].n_objects;
    }
    yolo->mixed = !yolo->classes.n_keypoints && has_both_kinds(d);
    if (yolo->mixed)
        note_both_kinds(f, d);
    d->categories = yolo->classes.at;
    d->n_categories = yolo->classes.n;
    d->categories_text = d->index.at && !yolo->classes.pinned
                             ? d->index
                             : class_list_text(d->categories, d->n_categories, d->arena);
    return true;
}

/* --- load_context --- */

struct load_context {
    const struct yolo *yolo;
    const struct class_list *classes; /* of --classes */
    const struct rules *rules;
    struct faults *faults;
    struct arena *arena;
    struct frame frame;
};

static bool fail(const struct load_context *l, struct slice at, const char *code,
                 const char *format, ...) PRINTF_LIKE(4, 5);
static bool fail(const struct load_context *l, struct slice at, const char *code,
                 const char *format, ...)
{
    va_list args;

    va_start(args, format);
    fault_addv(l->faults, (size_t)(at.at - l->faults->text.at), at.length, "", code, format, args);
    va_end(args);
    return false;
}

static bool load_class(const struct load_context *l, const struct yolo_line *line, struct object *o)
{
    const size_t *pinned = l->yolo->pinned;
    const struct yolo_classes *c = pinned ? &l->yolo->indexed : &l->yolo->classes;
    size_t class;

    if (!yolo_line_class(line->text, &class))
        return fail(l, line->token[0], "yolo-class", "expected the number of a class, from 0");
    if (class >= c->n || !*c->at[class].name)
        return fail(l, line->token[0], "yolo-class",
                    "no class has the number %zu: the names are of %zu classes, from 0", class,
                    c->n);
    if (pinned && pinned[class] == SIZE_MAX)
        return class_list_fault(l->classes, l->faults, line->token[0], "", c->at[class].name);
    o->category = &l->yolo->classes.at[pinned ? pinned[class] : class];
    return true;
}

static bool check_shares(const struct load_context *l, const struct yolo_line *line, size_t from,
                         size_t to, size_t step)
{
    for (size_t i = from; i < to; i++) {
        double v = line->number[i];

        if (step == 3 && (i - from) % step == 2)
            continue;
        if (v >= -YOLO_SLACK && v <= 1 + YOLO_SLACK)
            continue;
        return fail(
            l, line->token[i], "yolo-range",
            v > 1 ? "expected shares of the image's width and height, 0 to 1; divide pixels by them"
                  : "expected shares of the image's width and height, 0 to 1");
    }
    return true;
}

static bool load_box(const struct load_context *l, const struct yolo_line *line, struct object *o)
{
    const double *v = &line->number[1];
    double w = v[2] * l->frame.width, h = v[3] * l->frame.height;
    double x = v[0] * l->frame.width, y = v[1] * l->frame.height;

    if (!check_shares(l, line, 1, 5, 0))
        return false;
    if (w < 0 || h < 0)
        return fail(l, line->token[w < 0 ? 3 : 4], "yolo-range",
                    "the width and height of a box must not be negative");
    o->has_box = true;
    o->bbox = (struct box){ x - w / 2, y - h / 2, x + w / 2, y + h / 2 };
    o->outline = ring_of_box(l->arena, o->bbox);
    o->size = (struct point){ w, h };
    o->area = w * h;
    return true;
}

static bool load_outline(const struct load_context *l, const struct yolo_line *line,
                         struct object *o)
{
    struct ring *ring = ARENA_NEW(l->arena, struct ring);

    if (!check_shares(l, line, 1, line->n, 0))
        return false;
    ring->n = (line->n - 1) / 2;
    ring->at = ARENA_ARRAY(l->arena, struct point, ring->n);
    for (size_t i = 0; i < ring->n; i++)
        ring->at[i] = (struct point){ line->number[1 + 2 * i] * l->frame.width,
                                      line->number[2 + 2 * i] * l->frame.height };
    o->segmentation = SEGMENTATION_POLYGONS;
    o->rings = (struct rings){ ring, 1 };
    o->empty_mask = ring_area(ring) <= 0;
    return true;
}

static bool load_keypoint(const struct load_context *l, const struct yolo_line *line, size_t at,
                          size_t dimensions, struct keypoint *to)
{
    double shift = l->rules->keypoints == KEYPOINTS_INDEX ? 0.5 : 0;
    const double *v = &line->number[at];
    bool placed = v[0] != 0 || v[1] != 0;
    double visibility = dimensions == 3 ? v[2] : placed ? 2 : 0;

    if (visibility != 0 && visibility != 1 && visibility != 2)
        return fail(l, line->token[at + 2], "yolo-keypoints",
                    "the visibility of a keypoint must be 0, 1 or 2");
    if (placed || visibility > 0)
        *to = (struct keypoint){ .at = { v[0] * l->frame.width + shift,
                                         v[1] * l->frame.height + shift },
                                 .visibility = visibility,
                                 .has_position = placed };
    return true;
}

static bool load_keypoints(const struct load_context *l, const struct yolo_line *line,
                           struct object *o)
{
    size_t n = l->yolo->classes.n_keypoints, d = l->yolo->classes.dimensions;

    if (!check_shares(l, line, 5, line->n, d))
        return false;
    o->n_keypoints = n;
    o->keypoints = ARENA_ARRAY(l->arena, struct keypoint, n);
    for (size_t i = 0; i < n; i++)
        if (!load_keypoint(l, line, 5 + i * d, d, &o->keypoints[i]))
            return false;
    return true;
}

static bool load_object(const struct load_context *l, struct slice text, struct object *o)
{
    size_t n_keypoints = l->yolo->classes.n_keypoints;
    size_t posed = 5 + n_keypoints * l->yolo->classes.dimensions;
    struct yolo_line line;

    if (!yolo_line_read(l->faults, text, l->arena, &line) || !load_class(l, &line, o))
        return false;
    o->visibility = 1;
    if (n_keypoints && line.n != posed)
        return fail(l, text, "yolo-length",
                    "%zu numbers, but with this kpt_shape an object has %zu: class, x, y, width, "
                    "height and %zu keypoints",
                    line.n, posed, n_keypoints);
    if (n_keypoints)
        return load_box(l, &line, o) && load_keypoints(l, &line, o);
    if (line.n == YOLO_BOX_LENGTH)
        return load_box(l, &line, o);
    if (line.n >= 7 && line.n % 2)
        return load_outline(l, &line, o);
    return fail(
        l, text, "yolo-length",
        "%zu numbers: a class and a box have 5, a class and an outline 7, 9, 11 and so on%s",
        line.n, line.n == 6 ? "; remove the confidence of a prediction" : "");
}

/* Without the image's size there is nothing to learn but whether the lines are right. */
static bool yolo_load(const struct dataset *d, size_t record, const struct rules *rules,
                      struct sample *sample, struct faults *f)
{
    struct load_context l = { d->state, d->classes, rules, f, sample->arena, sample->frame };
    struct slice file = d->labels[record], line;
    size_t at = 0, n = 0;
    bool good = true;

    if (!l.frame.width)
        l.frame = (struct frame){ 1, 1 };
    sample->n_objects = d->records[record].n_objects;
    sample->categories = d->categories;
    sample->n_categories = d->n_categories;
    sample->objects = ARENA_ARRAY(sample->arena, struct object, sample->n_objects);
    while (file.at && yolo_next_line(file, &at, &line)) {
        sample->objects[n].index = n;
        good = load_object(&l, line, &sample->objects[n++]) && good;
    }
    return good;
}

static int64_t yolo_object_id(const struct dataset *d, size_t record, const struct object *o)
{
    (void)d;
    (void)record;
    return (int64_t)o->index + 1;
}

/* --- what a record was made of --- */

/* An empty file is another thing than none. */
static struct slice yolo_find_record(const struct dataset *d, size_t record)
{
    return d->labels[record].at ? d->labels[record] : (struct slice){ "none", 4 };
}

/* The record's own stretch has them all. */
static struct slice yolo_find_object(const struct dataset *d, size_t record, size_t i,
                                     size_t *order)
{
    (void)d;
    (void)record;
    (void)i;
    *order = 0;
    return (struct slice){ 0 };
}

static void yolo_find_places(const struct dataset *d, size_t record, struct arena *scratch,
                             struct slice *places, size_t n)
{
    size_t at = 0;

    (void)scratch;
    for (size_t i = 0; i < n; i++)
        yolo_next_line(d->labels[record], &at, &places[i]);
}

static struct slice yolo_category_place(const struct dataset *d, size_t category)
{
    const struct yolo *yolo = d->state;

    return yolo->classes.place[category];
}

/* --- writing --- */

/* True if lines stay what they were: their numbers, and whether they are boxes, outlines or poses.
 */
static bool keeps_lines(const struct dataset *d)
{
    return d->format == d->writer && d->writes < YOLO_CONVERTED;
}

/* Returns what all lines become, unless they stay what they were. */
static enum yolo_task task_of_target(const struct dataset *d)
{
    return (enum yolo_task)(d->writes % YOLO_CONVERTED);
}

static enum yolo_task task_of_line(const struct object *o, const struct yolo_line *source)
{
    return o->n_keypoints ? YOLO_POSE : source->n == YOLO_BOX_LENGTH ? YOLO_DETECT : YOLO_SEGMENT;
}

/* Returns what the object of a source line becomes. Readers take all lines of a file for outlines
 * if one line is an outline. So all are, where joined images would have both kinds. */
static enum yolo_task task_of_object(const struct dataset *d, const struct object *o,
                                     const struct yolo_line *line)
{
    const struct yolo *own = d->state;

    if (!keeps_lines(d))
        return task_of_target(d);
    return own->mixed && d->joined ? YOLO_SEGMENT : task_of_line(o, line);
}

/* The most that a category has: all objects of a file have as many. */
static size_t count_keypoints(const struct dataset *d)
{
    size_t n = 0;

    for (size_t i = 0; i < d->n_categories; i++)
        if (d->categories[i].n_keypoints > n)
            n = d->categories[i].n_keypoints;
    return n;
}

/* Returns what a line cannot hold of an object with these bounds; NULL: it can hold the object. */
static const char *find_unplaced(const struct dataset *d, const struct object *o, struct box bounds,
                                 struct frame frame)
{
    if (task_of_target(d) == YOLO_POSE && !count_keypoints(d))
        return "object{s} without keypoints (--to yolo writes boxes)";
    return omission_of_bounds(o, bounds, frame);
}

static bool yolo_has_place(const struct dataset *d, const struct object *o, struct frame frame)
{
    return o->category && !o->crowd &&
           (keeps_lines(d) || !find_unplaced(d, o, o->final.box, frame));
}

/* The lines of a record's file. */
struct file_lines {
    size_t record;
    struct yolo_line *at;
    size_t n;
};

/* Where the object was read; images that are joined have lines of several files. */
static const struct yolo_line *source_of(const struct dataset *d, const struct object *o,
                                         struct arena *arena, struct file_lines *last)
{
    if (!last->at || last->record != o->record) {
        last->at = yolo_lines(d->labels[object_record(d, o)], arena, &last->n);
        last->record = o->record;
    }
    return &last->at[o->index];
}

/* Keypoints of an object that is written as a pose: as many as data.yaml says. */
static size_t count_written_keypoints(const struct dataset *d, const struct yolo *own)
{
    if (own)
        return keeps_lines(d) || task_of_target(d) == YOLO_POSE ? own->classes.n_keypoints : 0;
    return task_of_target(d) == YOLO_POSE ? count_keypoints(d) : 0;
}

static bool yolo_print_file(const struct dataset *d, size_t record, const struct sample *sample,
                            const struct output *out, const struct rules *rules, struct text *text)
{
    const struct yolo *own = d->format == d->writer ? d->state : NULL;
    struct slice file = own ? d->labels[record] : (struct slice){ 0 };
    struct yolo_print print = { .dataset = d, .rules = rules, .frame = out->frame };
    struct file_lines lines = { 0 };
    size_t before = text->length;

    print.n_keypoints = count_written_keypoints(d, own);
    print.dimensions = own ? own->classes.dimensions : 3;
    for (size_t i = 0; i < sample->n_objects; i++) {
        const struct object *o = &sample->objects[i];
        const struct yolo_line *line = NULL;

        if (o->final.dropped)
            continue;
        if (own)
            line = source_of(d, o, sample->arena, &lines);
        print.task = line ? task_of_object(d, o, line) : task_of_target(d);
        print.source = line && print.task == task_of_line(o, line) ? line : NULL;
        yolo_print_object(&print, sample, o, text);
        text_addc(text, '\n');
    }
    if (own && !file.at && text->length == before)
        return false;
    if (own && file.at &&
        yolo_same_lines(file,
                        (struct slice){ text_string(text) + before, text->length - before })) {
        text_cut(text, before);
        text_add(text, file.at, file.length);
    }
    return true;
}

static void count_extra(void *context, const struct extra *e)
{
    struct text what = { 0 };

    if (e->usual)
        return;
    text_addf(&what, "value{s} of \"%.*s\"", (int)e->name.length, e->name.at);
    omissions_add(context, text_string(&what));
    text_drop(&what);
}

static void count_outline(const struct dataset *d, const struct object *o,
                          struct omissions *omissions)
{
    if (task_of_target(d) != YOLO_SEGMENT && o->segmentation != SEGMENTATION_NONE)
        omissions_add(omissions, "outline{s} (--to yolo-segment writes them)");
    else if (o->segmentation == SEGMENTATION_RLE)
        omissions_add(omissions, "run-length mask{s} (written as outlines)");
    else if (o->segmentation == SEGMENTATION_POLYGONS && o->rings.n > 1)
        omissions_add(omissions, "outline{s} of several parts (tied into one each)");
    else if (task_of_target(d) == YOLO_SEGMENT && o->segmentation == SEGMENTATION_NONE)
        omissions_add(omissions, "object{s} without an outline (written as corners of boxes)");
}

/* Counts visible keypoints so far outside of the image that no line can hold them. */
static void count_keypoints_outside(const struct object *o, const struct rules *rules,
                                    struct frame frame, struct omissions *omissions)
{
    for (size_t i = 0; frame.width && i < o->n_keypoints; i++)
        if (o->keypoints[i].visibility > 0 &&
            yolo_keypoint_is_outside(&o->keypoints[i], rules, frame))
            omissions_add(omissions, "visible keypoint{s} outside of the image (written as 0 0 0)");
}

static void count_object(const struct dataset *d, size_t record, const struct object *o,
                         const struct rules *rules, struct frame frame, struct omissions *omissions)
{
    const char *unplaced = find_unplaced(d, o, object_loaded_bounds(o), frame);

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
    count_outline(d, o, omissions);
    if (task_of_target(d) == YOLO_POSE)
        count_keypoints_outside(o, rules, frame, omissions);
    if (task_of_target(d) != YOLO_POSE && object_has_labelled_keypoints(o))
        omissions_add(omissions, "set{s} of keypoints (--to yolo-pose writes them)");
    if (o->n_parts)
        omissions_add(omissions, "set{s} of parts");
    extras_visit(d, record, o, rules, count_extra, omissions);
}

static void yolo_count_omissions(const struct dataset *d, size_t record,
                                 const struct sample *sample, const struct rules *rules,
                                 struct omissions *omissions)
{
    const char *hidden = omission_of_name(d->records[record].name);

    if (hidden)
        omissions_add(omissions, hidden);
    for (size_t i = 0; i < sample->n_objects; i++)
        count_object(d, record, &sample->objects[i], rules, sample->frame, omissions);
}

static bool yolo_find_parts(struct dataset *d, struct faults *f)
{
    const struct yolo *own = d->format == d->writer ? d->state : NULL;

    return yolo_parts_find(d, own ? own->classes.yaml : NULL, f);
}

static bool yolo_write_index(const struct dataset *d, FILE *file)
{
    const struct yolo *own = d->format == d->writer ? d->state : NULL;
    size_t n = count_written_keypoints(d, own);
    struct text text = { 0 };
    bool good;

    yolo_index_print(d, own ? &own->classes : NULL, n, &text);
    good = fwrite(text.at, 1, text.length, file) == text.length;
    text_drop(&text);
    return good;
}

static unsigned yolo_lacks_read(const struct dataset *d)
{
    const struct yolo *own = d->state;

    return LACKS_KEYS | LACKS_IMAGE_KEYS | LACKS_BOXED_OUTLINES | LACKS_SIZES |
           (own->classes.n_keypoints ? 0U : LACKS_KEYPOINTS);
}

static unsigned yolo_lacks_written(const struct dataset *d)
{
    unsigned lacks = LACKS_RLE | LACKS_IDS;

    return keeps_lines(d) || task_of_target(d) == YOLO_POSE ? lacks : lacks | LACKS_KEYPOINTS;
}

static const struct target targets[] = {
    { "yolo", "boxes: OUT/labels/*.txt and OUT/data.yaml", YOLO_DETECT },
    { "yolo-segment", "outlines: the same files", YOLO_SEGMENT },
    { "yolo-pose", "boxes with keypoints: the same files", YOLO_POSE },
    { 0 },
};

static const struct reader_limit reader_limits[] = {
    { .side = 10, .what = "a side below 10 pixels; Ultralytics leaves such images out" },
    { 0 },
};

const struct format yolo_format = {
    .name = "yolo",
    .summary = "YOLO's text files: boxes, outlines, or keypoints, and data.yaml",
    .targets = targets,
    .suffix = ".txt",
    .title = "YOLO",
    .folder = "labels",
    .beside_last_images = true,
    .index = "data.yaml",
    .read = yolo_read,
    .load = yolo_load,
    .find_record = yolo_find_record,
    .find_object = yolo_find_object,
    .find_places = yolo_find_places,
    .category_place = yolo_category_place,
    .object_id = yolo_object_id,
    .ids_of_image = true,
    .holds = yolo_has_place,
    .lacks_read = yolo_lacks_read,
    .lacks_written = yolo_lacks_written,
    .count_omissions = yolo_count_omissions,
    .print_file = yolo_print_file,
    .converted = YOLO_CONVERTED,
    .find_parts = yolo_find_parts,
    .reader_limits = reader_limits,
    .write_index = yolo_write_index,
};
