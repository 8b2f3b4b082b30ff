/* hf: Hugging Face's imagefolder: a line of JSON per image, beside the images; read as
 * COCO.
 *
 * A line is {"file_name": ..., "objects": {"bbox": [[x, y, w, h], ...], "categories": [...]}}. Its
 * readers need the same members of the same types in each line of all parts. So boxes are always
 * written as fractions, and members of lines and of objects are written if they were read from such
 * lines: an image element of the translation contains its line. */
#include "labels/coco/image_cameras.h"
#include "labels/shared/extras.h"
#include "labels/shared/translation.h"
#include "labels/shared/written_classes.h"

#include <math.h>
#include <string.h>

/* --- reading --- */

/* True for text that begins with an object with a file name. */
static bool is_line(struct slice head)
{
    struct scan s = scan_start(head, 0);
    struct slice name, value;
    bool first = true;

    if (scan_peek(&s) != '{')
        return false;
    scan_open(&s, '{');
    while (scan_member(&s, &first, &name)) {
        if (scan_equals(name, "file_name"))
            return scan_peek(&s) == '"';
        if (!scan_value(&s, &value))
            return false;
    }
    return false;
}

struct line {
    struct faults *faults;
    struct translation *to;
    const struct value *at;
    size_t offset; /* of the line in the text */
    size_t image;
};

static bool fail(const struct line *l, const struct value *v, const char *what)
{
    return fault_add(l->faults, l->offset + v->at.offset, v->at.length, v->name ? v->name : "",
                     "hf-line", "%s", what);
}

static const struct value *find_categories(const struct value *objects)
{
    static const char *const words[] = { "categories", "category", "labels", "label" };
    const struct value *found = NULL;

    for (size_t i = 0; !found && i < COUNTOF(words); i++)
        found = value_get(objects, words[i]);
    return found;
}

/* Returns the class that a number or a name means: numbers count in the list of --classes. */
static const char *class_of(const struct line *l, const struct value *v)
{
    const struct class_list *list = l->to->classes;

    if (v->kind == VALUE_TEXT)
        return v->text;
    if (v->kind != VALUE_NUMBER || v->number < 0 || v->number != (double)(int64_t)v->number)
        return NULL;
    if (list && v->number < (double)list->n)
        return list->name[(size_t)v->number];
    return arena_printf(l->to->arena, "%lld", (long long)v->number);
}

static bool read_box(const struct line *l, const struct value *v, struct box *to)
{
    double number[4];

    if (v->kind != VALUE_LIST || v->n != 4)
        return fail(l, v, "expected a box: [x, y, width, height]");
    for (size_t i = 0; i < 4; i++) {
        if (v->item[i].kind != VALUE_NUMBER)
            return fail(l, &v->item[i], "expected a number");
        number[i] = v->item[i].number;
    }
    *to = (struct box){ number[0], number[1], number[0] + number[2], number[1] + number[3] };
    return true;
}

static bool read_objects(const struct line *l, const struct value *objects)
{
    const struct value *boxes = value_get(objects, "bbox"), *classes = find_categories(objects);
    struct text members = { 0 };
    bool good = true;

    if (!boxes || boxes->kind != VALUE_LIST)
        return fail(l, boxes ? boxes : objects, "expected a list \"bbox\" of boxes");
    if (!classes || classes->kind != VALUE_LIST || classes->n != boxes->n)
        return fail(l, classes ? classes : objects,
                    "expected a list \"categories\" with as many elements as \"bbox\"");
    for (size_t i = 0; good && i < boxes->n; i++) {
        const char *class = class_of(l, &classes->item[i]);
        struct box box;

        if (!class) {
            good = fail(l, &classes->item[i], "expected the name of a class, or its number");
            continue;
        }
        good = read_box(l, &boxes->item[i], &box);
        if (!good)
            continue;
        text_clear(&members);
        translation_print_box(box, &members);
        translation_add_object(l->to, l->image, class, l->offset, &members);
    }
    text_drop(&members);
    return good;
}

/* Lines state no sizes, and COCO needs them. */
static struct frame find_size(const struct translation *t, const char *name)
{
    struct frame frame = { 0 };

    if (t->finder)
        t->finder->find(t->finder->context, name, t->arena, &frame);
    return frame;
}

static bool read_line(struct line *l, struct slice text)
{
    const char *file;
    const struct value *name = value_get(l->at, "file_name");
    const struct value *objects = value_get(l->at, "objects");

    if (l->at->kind != VALUE_OBJECT || !name || name->kind != VALUE_TEXT)
        return fail(l, name ? name : l->at, "expected an object with the text \"file_name\"");
    file = strncmp(name->text, "./", 2) == 0 ? name->text + 2 : name->text;
    l->image = translation_add_image(l->to, file, find_size(l->to, file), l->offset);
    translation_keep_line(l->to, l->image, text);
    if (!objects || objects->kind == VALUE_NULL)
        return true;
    if (objects->kind != VALUE_OBJECT)
        return fail(l, objects, "expected an object with the lists \"bbox\" and \"categories\"");
    return read_objects(l, objects);
}

static bool translate(struct faults *f, struct translation *to)
{
    size_t before = f->n;

    for (size_t at = 0; at < f->text.length && f->n < before + 20;) {
        const char *begin = f->text.at + at, *end = memchr(begin, '\n', f->text.length - at);
        size_t length = end ? (size_t)(end - begin) : f->text.length - at;
        struct slice text = { begin, length };
        struct faults own = { .name = f->name, .text = text };
        struct line l = { .faults = f, .to = to, .offset = at };
        struct arena arena = { 0 };

        while (text.length && strchr(" \t\r", text.at[text.length - 1]))
            text.length--;
        if (text.length) {
            l.at = value_parse(&own, &arena);
            if (l.at)
                read_line(&l, text);
            else
                fault_add(f, at + own.list[0].offset, own.list[0].length, "", own.list[0].code,
                          "%s", own.list[0].message);
        }
        faults_drop(&own);
        arena_drop(&arena);
        at += length + 1;
    }
    return f->n == before;
}

/* --- writing --- */

/* Returns the line that a record was read from; `at` is NULL if it was read from something else. */
static struct slice line_of(const struct dataset *d, size_t record)
{
    struct slice element = { 0 }, line;

    if (!d->origin || strcmp(d->origin->name, "hf") != 0)
        return element;
    element = d->format->find_record(d, record);
    line = pick_again(element, TRANSLATED_LINE);
    return line.at == element.at ? (struct slice){ 0 } : line;
}

/* Returns an element of a list that a line has for its objects; `at` is NULL if there is none. */
static struct slice element_of(struct slice list, size_t index)
{
    struct slice element = { 0 };
    struct scan s = scan_again(list, 0);
    bool first = true;

    if (!list.at || *list.at != '[')
        return element;
    scan_open(&s, '[');
    for (size_t i = 0; scan_element(&s, &first) && scan_value(&s, &element); i++)
        if (i == index)
            return element;
    return (struct slice){ 0 };
}

struct printed_line {
    const struct dataset *dataset;
    const struct sample *sample;
    const struct output *out;
};

/* Returns what the line of an object's own record has in this list. */
static struct slice own_element(const struct printed_line *p, const struct object *o,
                                struct slice name)
{
    struct slice line = line_of(p->dataset, object_record(p->dataset, o)), objects, list;
    struct text key = { 0 };

    if (!line.at)
        return line;
    text_add(&key, name.at, name.length);
    objects = pick_again(line, "objects");
    list = pick_again(objects, text_string(&key));
    text_drop(&key);
    return list.at == objects.at ? (struct slice){ 0 } : element_of(list, o->index);
}

/* Appends a number, without errors of rounding, so that it is read as a fraction. */
static void print_fraction(double v, struct text *text)
{
    size_t before = text->length;

    number_print(text, round(v * 1e9) / 1e9);
    if (!strpbrk(text_string(text) + before, ".eE"))
        text_adds(text, ".0");
}

static void print_box(const struct object *o, struct text *text)
{
    const struct box b = o->final.box;
    const double v[] = { b.x0, b.y0, b.x1 - b.x0, b.y1 - b.y0 };

    text_addc(text, '[');
    for (size_t i = 0; i < COUNTOF(v); i++) {
        text_adds(text, i ? ", " : "");
        print_fraction(v[i], text);
    }
    text_addc(text, ']');
}

/* A number stays a number while its class has that name. */
static void print_class(const struct printed_line *p, const struct object *o, struct slice own,
                        struct text *text)
{
    const char *name = class_written(p->dataset, o->category)->name;

    if (own.at && *own.at != '"' && strlen(name) == own.length &&
        memcmp(own.at, name, own.length) == 0)
        text_adds(text, name);
    else
        text_add_json(text, name, strlen(name));
}

static void print_member(const struct printed_line *p, const struct object *o, struct slice name,
                         struct text *text)
{
    struct slice own = own_element(p, o, name);

    if (scan_equals(name, "bbox"))
        print_box(o, text);
    else if (scan_equals(name, "categories") || scan_equals(name, "category") ||
             scan_equals(name, "labels") || scan_equals(name, "label"))
        print_class(p, o, own, text);
    else if (scan_equals(name, "area"))
        print_fraction(o->area, text);
    else if (own.at)
        text_add(text, own.at, own.length);
    else
        text_adds(text, "null");
}

/* Appends the list of a member of all objects that stay. */
static bool print_list(void *context, struct slice name, struct slice value, struct text *text)
{
    const struct printed_line *p = context;
    bool first = true;

    (void)value;
    text_addc(text, '[');
    for (size_t i = 0; i < p->sample->n_objects; i++) {
        const struct object *o = &p->sample->objects[i];

        if (o->final.dropped)
            continue;
        text_adds(text, first ? "" : ", ");
        first = false;
        print_member(p, o, name, text);
    }
    text_addc(text, ']');
    return true;
}

static const char new_objects[] = "{\"bbox\": [], \"categories\": []}";

static void print_objects(const struct printed_line *p, struct slice objects, struct text *text)
{
    text_addc(text, '{');
    pick_print(objects, text, print_list, (void *)p);
    text_addc(text, '}');
}

static bool print_line_member(void *context, struct slice name, struct slice value,
                              struct text *text)
{
    const struct printed_line *p = context;

    if (scan_equals(name, "file_name"))
        text_add_json(text, p->out->name, strlen(p->out->name));
    else if (scan_equals(name, "objects") && *value.at == '{')
        print_objects(p, value, text);
    else if (scan_equals(name, "width"))
        text_addf(text, "%d", p->out->frame.width);
    else if (scan_equals(name, "height"))
        text_addf(text, "%d", p->out->frame.height);
    else if (scan_equals(name, "image_id") && p->out->of > 1)
        text_add_integer(text, p->out->image_id);
    else
        return coco_camera_print(p->out, name, value, text);
    return true;
}

static void print_line(const struct dataset *d, size_t record, const struct sample *sample,
                       const struct output *out, struct text *text)
{
    const struct printed_line p = { d, sample, out };
    struct slice line = line_of(d, record);

    text_addc(text, '{');
    if (line.at) {
        pick_print(line, text, print_line_member, (void *)&p);
    } else {
        text_adds(text, "\"file_name\": ");
        text_add_json(text, out->name, strlen(out->name));
        text_adds(text, ", \"objects\": ");
        print_objects(&p, (struct slice){ new_objects, strlen(new_objects) }, text);
    }
    text_adds(text, "}\n");
}

static bool write_lines(const struct dataset *d, FILE *file,
                        bool (*next_record)(void *context, struct slice *),
                        bool (*next_object)(void *context, struct slice *), void *context)
{
    struct slice line;

    (void)d;
    (void)next_record;
    while (next_object(context, &line))
        fwrite(line.at, 1, line.length, file);
    return fflush(file) == 0 && !ferror(file);
}

/* True if lines have only the members that README.md describes. */
static bool is_plain(const struct dataset *d)
{
    struct slice line = d->n_records ? line_of(d, 0) : (struct slice){ 0 };
    struct slice name, value, objects;
    struct scan s;
    bool first = true, plain = true;

    if (!line.at)
        return true;
    for (s = scan_again(line, 0), scan_open(&s, '{'); scan_member(&s, &first, &name);) {
        plain &= scan_equals(name, "file_name") || scan_equals(name, "objects");
        scan_value(&s, &value);
    }
    objects = pick_again(line, "objects");
    if (objects.at == line.at || *objects.at != '{')
        return false;
    first = true;
    for (s = scan_again(objects, 0), scan_open(&s, '{'); scan_member(&s, &first, &name);) {
        plain &= scan_equals(name, "bbox") || scan_equals(name, "categories");
        scan_value(&s, &value);
    }
    return plain;
}

/* Writes README.md: its head states the classes in their order. Readers require that it states all
 * members of the lines, so lines with others get none. */
static bool write_readme(const struct dataset *d, FILE *file)
{
    size_t n;
    const struct category *all = classes_written(d, &n);
    struct text name = { 0 };

    if (n && is_plain(d)) {
        fputs("---\nconfigs:\n- config_name: default\n  features:\n  - name: image\n"
              "    dtype: image\n  - name: objects\n    struct:\n    - name: bbox\n      list:\n"
              "        list: float64\n    - name: categories\n      list:\n        class_label:\n"
              "          names:\n",
              file);
        for (size_t i = 0; i < n; i++) {
            text_clear(&name);
            text_add_json(&name, all[i].name, strlen(all[i].name));
            fprintf(file, "            '%zu': %s\n", i, text_string(&name));
        }
        fputs("---\n", file);
    }
    fputs("Images with boxes: each part has a metadata.jsonl. Load it with\n"
          "`datasets.load_dataset(FOLDER)`.\n",
          file);
    text_drop(&name);
    return fflush(file) == 0 && !ferror(file);
}

/* Returns why a line cannot hold an object with these bounds, or NULL. Boxes from such lines stay
 * as they are. */
static const char *find_unplaced(const struct dataset *d, const struct object *o, struct box bounds,
                                 struct frame frame)
{
    bool own = d->origin && strcmp(d->origin->name, "hf") == 0;

    return own ? NULL : omission_of_bounds(o, bounds, frame);
}

static bool can_hold(const struct dataset *d, const struct object *o, struct frame frame)
{
    return o->category && !o->crowd && !find_unplaced(d, o, o->final.box, frame);
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

static void count_omissions(const struct dataset *d, size_t record, const struct sample *sample,
                            const struct rules *rules, struct omissions *omissions)
{
    for (size_t i = 0; i < sample->n_objects; i++) {
        const struct object *o = &sample->objects[i];
        const char *unplaced = find_unplaced(d, o, object_loaded_bounds(o), sample->frame);

        if (!o->category)
            unplaced = "object{s} without a category";
        else if (o->crowd)
            unplaced = "crowd{s}";
        if (unplaced) {
            omissions_add(omissions, unplaced);
            continue;
        }
        if (o->segmentation != SEGMENTATION_NONE)
            omissions_add(omissions, "outline{s}");
        if (object_has_labelled_keypoints(o))
            omissions_add(omissions, "set{s} of keypoints");
        extras_visit(d, record, o, rules, count_extra, omissions);
    }
}

static unsigned lacks_written(const struct dataset *d)
{
    (void)d;
    return LACKS_KEYPOINTS | LACKS_RLE | LACKS_POLYGONS | LACKS_IDS;
}

static const struct format lines_format = {
    .name = "hf",
    .title = "Hugging Face imagefolder",
    .file = "metadata.jsonl",
    .index = "README.md",
    .print_objects = print_line,
    .holds = can_hold,
    .lacks_written = lacks_written,
    .count_omissions = count_omissions,
    .write_index = write_readme,
    .write = write_lines,
    .lines = true,
};

static const struct target targets[] = {
    { "hf", "Hugging Face's imagefolder: PART/metadata.jsonl", 0 },
    { 0 },
};

const struct format hf_format = {
    .name = "hf",
    .summary = "metadata.jsonl of Hugging Face's imagefolder: boxes; read as COCO",
    .title = "metadata.jsonl",
    .targets = targets,
    .foreign = &lines_format,
    .is_source = is_line,
    .translate = translate,
    .index = "README.md",
    .file = "metadata.jsonl",
    .lines = true,
};
