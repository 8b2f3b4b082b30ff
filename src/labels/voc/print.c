/* print: a Pascal VOC file as it is after the run. */
#include "labels/voc/print.h"

#include "labels/shared/extras.h"
#include "labels/shared/written_classes.h"
#include "labels/voc/keys.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Differences below this come from rounding; and further digits of a number are not written. */
static const double rounding = 1e-9;

static double tidied(double v)
{
    double rounded = round(v * 1e9) / 1e9;

    return fabs(v - rounded) <= rounding ? rounded : v;
}

/* Rounds the ends of a range to integers, halves outward. A range that rounding would empty becomes
 * the pixel of its middle. The result is within 0 to `size` if the range is. */
static void round_range(double *begin, double *end, int size)
{
    double middle = floor((*begin + *end) / 2), wide = *end - *begin;

    *begin = ceil(*begin - 0.5);
    *end = floor(*end + 0.5);
    if (wide <= 0 || *end > *begin)
        return;
    *begin = middle < size || *begin > size ? middle : size - 1;
    *end = *begin + 1;
}

/* Fills in xmin, ymin, xmax and ymax, counted from `base`; see struct voc_box. */
static void corners_of(struct box b, int base, const struct rules *rules, struct frame frame,
                       double to[4])
{
    if (rules->integer_boxes) {
        round_range(&b.x0, &b.x1, frame.width);
        round_range(&b.y0, &b.y1, frame.height);
    }
    to[0] = b.x0 + base;
    to[1] = b.y0 + base;
    to[2] = b.x1;
    to[3] = b.y1;
}

/* XML 1.0, 2.2: has a file no place for the character, not even as a reference? */
static bool is_no_xml(unsigned point)
{
    return (point < 0x20 && point != '\t' && point != '\n' && point != '\r') || point == 0xfffe ||
           point == 0xffff;
}

/* The character at `at`, before `end`, and its bytes; a byte that is no UTF-8 by itself. */
static unsigned point_at(const char *at, const char *end, size_t *length)
{
    size_t n = utf8_length(at, end);
    unsigned point = (unsigned char)*at & (n == 2 ? 0x1fU : n == 3 ? 0xfU : n == 4 ? 0x7U : 0xffU);

    for (size_t i = 1; i < n; i++)
        point = point << 6 | ((unsigned char)at[i] & 0x3fU);
    *length = n ? n : 1;
    return point;
}

bool voc_holds_string(const char *string)
{
    const char *end = string + strlen(string);

    for (size_t length; string < end; string += length)
        if (is_no_xml(point_at(string, end, &length)))
            return false;
    return true;
}

/* Append the string as text of XML, U+FFFD for what that has no place for; with `ascii`, other
 * characters as references, which every encoding has. Readers may trim blanks at both ends, but not
 * references. */
static void add_escaped(struct text *out, const char *string, bool ascii)
{
    const char *begin = string, *end = string + strlen(string);

    for (size_t length; string < end; string += length) {
        unsigned point = point_at(string, end, &length);
        bool outer = string == begin || string + length == end;
        bool blank = point == ' ' || point == '\t' || point == '\n';
        bool replaced = is_no_xml(point);

        if (point == '<' || point == '>' || point == '&')
            text_adds(out, point == '<' ? "&lt;" : point == '>' ? "&gt;" : "&amp;");
        else if (point == '\r' || (outer && blank) || ((replaced || length > 1) && ascii))
            text_addf(out, "&#%u;", replaced ? 0xfffd : point);
        else if (replaced)
            text_adds(out, "\xef\xbf\xbd");
        else if (point < 0x80 || length > 1 || !ascii)
            text_add(out, string, length);
    }
}

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* --- the same file again --- */

/* A stretch of the file that something else takes the place of; `element`: it goes, with the blanks
 * before it. */
struct edit {
    struct slice at;
    bool element;
    const char *by;
};

struct edits {
    const struct dataset *dataset;
    struct arena *arena;
    const struct rules *rules;
    struct frame frame; /* of the output */
    int base;
    struct pile list;
};

static void edit(struct edits *e, struct slice at, const char *by)
{
    *(struct edit *)pile_add(&e->list, sizeof(struct edit)) = (struct edit){ .at = at, .by = by };
}

static void remove_element(struct edits *e, struct slice whole)
{
    *(struct edit *)pile_add(&e->list, sizeof(struct edit)) =
        (struct edit){ .at = whole, .element = true, .by = "" };
}

static bool is_integer(struct slice text)
{
    size_t i = text.length && strchr("+-", *text.at) ? 1 : 0;

    while (i < text.length && text.at[i] >= '0' && text.at[i] <= '9')
        i++;
    return text.length && i == text.length;
}

/* An equal number keeps its text, unless that must be an integer. */
static void edit_number(struct edits *e, struct slice at, double before, double now, bool integer)
{
    struct text text = { 0 };

    if (fabs(now - before) <= rounding && (!integer || is_integer(at)))
        return;
    number_print(&text, tidied(now));
    edit(e, at, arena_copy(e->arena, text_string(&text), text.length));
    text_drop(&text);
}

static void edit_text(struct edits *e, struct slice at, const char *string)
{
    struct text text = { 0 };

    add_escaped(&text, string, true);
    edit(e, at, arena_copy(e->arena, text_string(&text), text.length));
    text_drop(&text);
}

static void edit_box(struct edits *e, const struct voc_box *box, const struct object *o)
{
    double now[4];

    corners_of(o->final.box, e->base, e->rules, e->frame, now);
    for (size_t i = 0; i < 4; i++)
        edit_number(e, box->at[i], box->number[i], now[i], e->rules->integer_boxes);
}

static void edit_points(struct edits *e, const struct voc_points *points, const struct object *o)
{
    for (size_t i = 0; i < points->n; i++) {
        struct point at = o->keypoints[i / 2].at;

        edit_number(e, points->at[i]->text, points->number[i],
                    (i % 2 ? at.y : at.x) + voc_point_shift(e->base), false);
    }
}

static void edit_moved(struct edits *e, const struct voc_extra *extra, const struct object *part)
{
    struct faults none = { .name = "" };
    struct voc_points points;
    struct voc_box box;

    if (part->n_keypoints && voc_read_points(&none, extra, e->arena, &points))
        edit_points(e, &points, part);
    else if (!part->part.valid)
        remove_element(e, extra->whole);
    else if (!part->n_keypoints && voc_read_box(&none, extra, &box))
        edit_box(e, &box, part);
    faults_drop(&none);
}

static void drop_inner(struct edits *e, const struct voc_extra *extra, const struct rules *rules)
{
    size_t length = strlen(extra->name);

    for (size_t i = 0; i < rules->drop_keys.n; i++) {
        const char *key = rules->drop_keys.at[i].name;
        const struct voc_inner *in = NULL;

        if (strncmp(key, extra->name, length) == 0 && key[length] == '.')
            in = voc_inner_named(extra, key + length + 1);
        if (in)
            remove_element(e, in->whole);
    }
}

/* The parts of an object are those of the file, then the elements that the pipeline moves. */
static void edit_extras(struct edits *e, const struct voc_object *v, const struct object *o,
                        const struct rules *rules)
{
    size_t part = v->n_parts;

    for (size_t i = 0; i < v->n_extras; i++) {
        if (voc_is_dropped(&v->extras[i], rules)) {
            remove_element(e, v->extras[i].whole);
            continue;
        }
        drop_inner(e, &v->extras[i], rules);
        if (voc_moved_key(&v->extras[i], rules))
            edit_moved(e, &v->extras[i], &o->parts[part++]);
    }
}

static void edit_object(struct edits *e, const struct voc_object *v, const struct object *o,
                        const struct rules *rules)
{
    if (!o || o->final.dropped) {
        remove_element(e, v->whole);
        return;
    }
    if (strcmp(class_written(e->dataset, o->category)->name, v->name) != 0)
        edit_text(e, v->name_at, class_written(e->dataset, o->category)->name);
    edit_box(e, &v->box, o);
    for (size_t i = 0; i < v->n_parts; i++) {
        if (!o->parts[i].part.valid)
            remove_element(e, v->parts[i].whole);
        else if (o->parts[i].has_box)
            edit_box(e, &v->parts[i].box, &o->parts[i]);
    }
    edit_extras(e, v, o, rules);
}

static void edit_head(struct edits *e, const struct voc_file *f, const struct output *out)
{
    if (f->filename.at && out->renamed)
        edit_text(e, f->filename, base_of(out->name));
    if (f->width.at && out->resized)
        edit(e, f->width, arena_printf(e->arena, "%d", out->frame.width));
    if (f->height.at && out->resized)
        edit(e, f->height, arena_printf(e->arena, "%d", out->frame.height));
}

static int by_place(const void *a, const void *b)
{
    const struct edit *x = a, *y = b;

    return x->at.at != y->at.at ? (x->at.at > y->at.at ? 1 : -1)
                                : (x->at.length < y->at.length) - (x->at.length > y->at.length);
}

/* Removed elements take the blanks before them along, back to the end of the line before. */
static const char *begin_of(const struct edit *e, const char *from)
{
    const char *begin = e->at.at;

    if (!e->element)
        return begin;
    while (begin > from && strchr(" \t", begin[-1]))
        begin--;
    if (begin > from && begin[-1] == '\n')
        begin--;
    if (begin > from && begin[-1] == '\r')
        begin--;
    return begin;
}

/* An edit within an element that is removed is none. */
static void apply(const struct edits *e, struct slice text, struct text *to)
{
    const struct edit *list = e->list.at;
    const char *from = text.at;

    if (e->list.n)
        qsort(e->list.at, e->list.n, sizeof *list, by_place);
    for (size_t i = 0; i < e->list.n; i++) {
        if (list[i].at.at < from)
            continue;
        text_add(to, from, (size_t)(begin_of(&list[i], from) - from));
        text_adds(to, list[i].by);
        from = list[i].at.at + list[i].at.length;
    }
    text_add(to, from, (size_t)(text.at + text.length - from));
}

void voc_print_again(const struct dataset *d, struct slice text, const struct voc_file *f, int base,
                     const struct sample *s, const struct output *out, const struct rules *rules,
                     struct text *to)
{
    struct edits e = {
        .dataset = d, .arena = s->arena, .rules = rules, .frame = out->frame, .base = base
    };
    const struct object **now = ARENA_ARRAY(s->arena, const struct object *, f->n_objects);

    for (size_t i = 0; i < s->n_objects; i++)
        now[s->objects[i].index] = &s->objects[i];
    edit_head(&e, f, out);
    for (size_t i = 0; i < f->n_objects; i++)
        edit_object(&e, &f->objects[i], now[i], rules);
    apply(&e, text, to);
    free(e.list.at);
}

/* --- a new one --- */

static const char *const flags[] = { "pose", "truncated", "difficult", "occluded" };
static const char *const usual[] = { "Unspecified", "0", "0", NULL };

bool voc_has_flag(struct slice name)
{
    for (size_t i = 0; i < COUNTOF(flags); i++)
        if (scan_equals(name, flags[i]))
            return true;
    return false;
}

struct flag {
    const char *name;
    struct arena *arena;
    const char *value; /* or NULL */
};

static void find_flag(void *context, const struct extra *e)
{
    struct flag *f = context;
    struct slice v = e->value;

    if (!scan_equals(e->name, f->name))
        return;
    if (e->json && v.length >= 2 && *v.at == '"')
        v = scan_unescape(f->arena, (struct slice){ v.at + 1, v.length - 2 });
    f->value = e->json && v.length && *v.at == 't'   ? "1"
               : e->json && v.length && *v.at == 'f' ? "0"
                                                     : arena_copy(f->arena, v.at, v.length);
}

static void print_flags(const struct dataset *d, const struct object *o, const struct rules *rules,
                        struct arena *arena, struct text *to)
{
    for (size_t i = 0; i < COUNTOF(flags); i++) {
        struct flag f = { .name = flags[i], .arena = arena, .value = usual[i] };

        extras_visit(d, object_record(d, o), o, rules, find_flag, &f);
        if (!f.value)
            continue;
        text_addf(to, "\t\t<%s>", f.name);
        add_escaped(to, f.value, false);
        text_addf(to, "</%s>\n", f.name);
    }
}

static void print_box(const struct object *o, const struct rules *rules, struct frame frame,
                      struct text *to)
{
    static const char *const names[] = { "xmin", "ymin", "xmax", "ymax" };
    double now[4];

    corners_of(o->final.box, 1, rules, frame, now);
    text_adds(to, "\t\t<bndbox>\n");
    for (size_t i = 0; i < COUNTOF(names); i++) {
        text_addf(to, "\t\t\t<%s>", names[i]);
        number_print(to, tidied(now[i]));
        text_addf(to, "</%s>\n", names[i]);
    }
    text_adds(to, "\t\t</bndbox>\n");
}

void voc_print_new(const struct dataset *d, const struct sample *s, const struct output *out,
                   const struct rules *rules, struct text *to)
{
    text_adds(to, "<annotation>\n\t<folder>");
    add_escaped(to, base_of(d->below ? d->below : "images"), false);
    text_adds(to, "</folder>\n\t<filename>");
    add_escaped(to, base_of(out->name), false);
    text_addf(to,
              "</filename>\n\t<size>\n\t\t<width>%d</width>\n\t\t<height>%d</height>\n"
              "\t\t<depth>%d</depth>\n\t</size>\n\t<segmented>0</segmented>\n",
              out->frame.width, out->frame.height, out->channels);
    for (size_t i = 0; i < s->n_objects; i++) {
        const struct object *o = &s->objects[i];

        if (o->final.dropped)
            continue;
        text_adds(to, "\t<object>\n\t\t<name>");
        add_escaped(to, class_written(d, o->category)->name, false);
        text_adds(to, "</name>\n");
        print_flags(d, o, rules, s->arena, to);
        print_box(o, rules, out->frame, to);
        text_adds(to, "\t</object>\n");
    }
    text_adds(to, "</annotation>\n");
}
