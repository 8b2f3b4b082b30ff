/* NAME: a text file for each image, with one box per line: x0 y0 x1 y1 CLASS. */
/* A format that works. Change the form of a line (read_line, print_line) and what an object has
 * (load_object), then delete this comment.
 *   - src/labels/format.h says what each member of struct format means. labels/formats/yolo.c and
 *     voc.c have a file for each image, as this one; coco_results.c and labels_csv.c have one file.
 *   - A fault with a code of its own needs a row in src/base/codes.c, a row in
 *     src/check/run_errors.c, and a file in tests/bad/ that raises it.
 *   - To be a choice of --to, it needs the members targets, count_omissions and lacks_written.
 *   - A folder of OUT beside those of src/batch/output/file_list.c needs an entry there. */
#include "labels/format.h"
#include "labels/shared/class_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- lines --- */

struct line {
    double corner[4]; /* x0, y0, x1, y1 in pixels, from the image's upper left corner */
    const char *class;
};

/* Finds the next line that is not blank, without the blanks around it. *at is the offset where the
 * search starts, and then the offset after the line. Returns false at the end of the file. */
static bool next_line(struct slice file, size_t *at, struct slice *line)
{
    while (*at < file.length) {
        const char *start = file.at + *at, *stop = memchr(start, '\n', file.length - *at);
        size_t length = stop ? (size_t)(stop - start) : file.length - *at;

        *at += length + (stop != NULL);
        for (; length && strchr(" \t\r", *start); start++)
            length--;
        while (length && strchr(" \t\r", start[length - 1]))
            length--;
        *line = (struct slice){ start, length };
        if (length)
            return true;
    }
    return false;
}

/* Reads a line; its class lives in the arena. Returns false if it is not such a line. */
static bool read_line(struct slice text, struct arena *arena, struct line *line)
{
    for (size_t i = 0; i < COUNTOF(line->corner); i++) {
        size_t n = number_scan(text, &line->corner[i]);

        if (!n || n == text.length || text.at[n] != ' ' ||
            fabs(line->corner[i]) > LARGEST_COORDINATE)
            return false;
        text = (struct slice){ text.at + n + 1, text.length - n - 1 };
    }
    line->class = arena_copy(arena, text.at, text.length);
    return line->corner[0] <= line->corner[2] && line->corner[1] <= line->corner[3] &&
           strlen(line->class) == text.length && text_is_utf8(line->class);
}

static void print_line(const struct object *o, struct text *out)
{
    const double corner[] = { o->final.box.x0, o->final.box.y0, o->final.box.x1, o->final.box.y1 };

    for (size_t i = 0; i < COUNTOF(corner); i++) {
        number_print(out, corner[i]);
        text_addc(out, ' ');
    }
    text_adds(out, o->category->name);
    text_addc(out, '\n');
}

/* --- reading --- */

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void add_class(struct pile *names, const char *name, struct arena *arena)
{
    const char **all = names->at;

    for (size_t i = 0; i < names->n; i++)
        if (strcmp(all[i], name) == 0)
            return;
    *(const char **)pile_add(names, sizeof name) = arena_copy(arena, name, strlen(name));
}

/* Counts the objects of a record, and adds the names of their classes. A wrong line is a fault only
 * when the record is loaded. */
static void scan_record(struct dataset *d, size_t record, struct pile *names)
{
    struct arena scratch = { 0 };
    struct slice text;
    struct line line;
    size_t at = 0;

    while (next_line(d->labels[record], &at, &text)) {
        arena_reset(&scratch);
        d->records[record].n_objects++;
        if (read_line(text, &scratch, &line))
            add_class(names, line.class, d->arena);
    }
    d->n_objects += d->records[record].n_objects;
    arena_drop(&scratch);
}

/* The files have no list of classes. Without --classes, the classes that occur are numbered from 0
 * in the order of their names. */
static bool format_read(struct faults *f, struct dataset *d)
{
    struct class_list *own = ARENA_NEW(d->arena, struct class_list);
    const struct class_list *list = d->classes ? d->classes : own;
    struct pile names = { 0 };
    size_t twice;

    (void)f;
    for (size_t i = 0; i < d->n_records; i++)
        if (d->labels[i].at)
            scan_record(d, i, &names);
    if (names.n)
        qsort(names.at, names.n, sizeof(const char *), by_name);
    arena_take_over(d->arena, names.at);
    *own = (struct class_list){ .file = d->file, .name = names.at, .n = names.n };
    class_list_sort(own, d->arena, &twice);
    d->state = (void *)list;
    d->categories = class_list_categories(list, d->arena);
    d->n_categories = list->n;
    d->categories_text = class_list_text(d->categories, d->n_categories, d->arena);
    return true;
}

static bool load_object(const struct dataset *d, struct slice text, struct arena *arena,
                        struct object *o, struct faults *f)
{
    struct line line;
    size_t class;

    if (!read_line(text, arena, &line))
        return fault_add(f, (size_t)(text.at - f->text.at), text.length, "", "csv-syntax",
                         "expected x0 y0 x1 y1 CLASS, in pixels, with x0 <= x1 and y0 <= y1");
    if (!class_list_find(d->state, line.class, &class))
        return class_list_fault(d->state, f, text, "", line.class);
    o->category = &d->categories[class];
    o->has_box = true;
    o->bbox = (struct box){ line.corner[0], line.corner[1], line.corner[2], line.corner[3] };
    o->outline = ring_of_box(arena, o->bbox);
    o->size = (struct point){ o->bbox.x1 - o->bbox.x0, o->bbox.y1 - o->bbox.y0 };
    o->area = o->size.x * o->size.y;
    o->visibility = 1;
    return true;
}

static bool format_load(const struct dataset *d, size_t record, const struct rules *rules,
                        struct sample *sample, struct faults *f)
{
    struct slice text;
    size_t at = 0, n = 0;
    bool good = true;

    (void)rules;
    sample->categories = d->categories;
    sample->n_categories = d->n_categories;
    sample->n_objects = d->records[record].n_objects;
    sample->objects = ARENA_ARRAY(sample->arena, struct object, sample->n_objects);
    while (next_line(d->labels[record], &at, &text)) {
        sample->objects[n].index = n;
        good = load_object(d, text, sample->arena, &sample->objects[n++], f) && good;
    }
    return good;
}

/* --- the source of a record --- */

/* A record without a file differs from a record with an empty file. */
static struct slice format_find_record(const struct dataset *d, size_t record)
{
    return d->labels[record].at ? d->labels[record] : (struct slice){ "none", 4 };
}

/* The text of the record has all objects. */
static struct slice format_find_object(const struct dataset *d, size_t record, size_t i,
                                       size_t *order)
{
    (void)d;
    (void)record;
    (void)i;
    *order = 0;
    return (struct slice){ 0 };
}

static void format_find_places(const struct dataset *d, size_t record, struct arena *scratch,
                               struct slice *places, size_t n)
{
    size_t at = 0;

    (void)scratch;
    for (size_t i = 0; i < n; i++)
        next_line(d->labels[record], &at, &places[i]);
}

static int64_t format_object_id(const struct dataset *d, size_t record, const struct object *o)
{
    (void)d;
    (void)record;
    return (int64_t)o->index + 1;
}

/* --- writing --- */

static bool format_has_place(const struct dataset *d, const struct object *o, struct frame frame)
{
    (void)d;
    (void)frame;
    return o->category && !o->crowd;
}

static bool format_print_file(const struct dataset *d, size_t record, const struct sample *sample,
                              const struct output *out, const struct rules *rules,
                              struct text *text)
{
    size_t before = text->length;

    (void)out;
    (void)rules;
    for (size_t i = 0; i < sample->n_objects; i++)
        if (!sample->objects[i].final.dropped)
            print_line(&sample->objects[i], text);
    return text->length > before || d->format != d->writer || d->labels[record].at;
}

static unsigned format_lacks(const struct dataset *d)
{
    (void)d;
    return LACKS_KEYS | LACKS_KEYPOINTS | LACKS_BOXED_OUTLINES | LACKS_RLE | LACKS_POLYGONS |
           LACKS_IDS | LACKS_OUTLINES | LACKS_DIALECTS | LACKS_SIZES | LACKS_IMAGE_KEYS;
}

const struct format NAME_format = {
    .name = "NAME",
    .summary = "text files of boxes: x0 y0 x1 y1 CLASS",
    .suffix = ".NAME",
    .title = "NAME",
    .folder = "labels",
    .read = format_read,
    .load = format_load,
    .find_record = format_find_record,
    .find_object = format_find_object,
    .find_places = format_find_places,
    .object_id = format_object_id,
    .ids_of_image = true,
    .holds = format_has_place,
    .lacks_read = format_lacks,
    .lacks_written = format_lacks,
    .print_file = format_print_file,
};
