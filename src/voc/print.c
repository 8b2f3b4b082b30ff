/* print: a Pascal VOC file as it is after the run. */
#include "print.h"

#include <math.h>
#include <string.h>

/* Differences below this come from rounding; and further digits of a number are not written. */
static const double rounding = 1e-9;

static double tidied(double v)
{
    double rounded = round(v * 1e9) / 1e9;

    return fabs(v - rounded) <= rounding ? rounded : v;
}

/* As xmin, ymin, xmax, ymax: pixels from 1, the last ones inside. */
static void corners_of(struct box b, double to[4])
{
    to[0] = b.x0 + 1;
    to[1] = b.y0 + 1;
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
 * characters as references, which every encoding has. */
static void add_escaped(struct text *out, const char *string, bool ascii)
{
    const char *end = string + strlen(string);

    for (size_t length; string < end; string += length) {
        unsigned point = point_at(string, end, &length);
        bool replaced = is_no_xml(point);

        if (point == '<' || point == '>' || point == '&')
            text_adds(out, point == '<' ? "&lt;" : point == '>' ? "&gt;" : "&amp;");
        else if (point == '\r' || ((replaced || length > 1) && ascii))
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

/* A file that is copied up to a place; edits come in the order of the text. */
struct copy {
    struct slice text;
    size_t done;
    struct text *out;
};

static void copy_to(struct copy *c, const char *at)
{
    size_t to = (size_t)(at - c->text.at);

    if (to > c->done) {
        text_add(c->out, c->text.at + c->done, to - c->done);
        c->done = to;
    }
}

/* Past a stretch whose place something else has taken. */
static void skip(struct copy *c, struct slice s)
{
    size_t end = (size_t)(s.at + s.length - c->text.at);

    if (end > c->done)
        c->done = end;
}

/* What is gone takes the blanks before it along, back to the line's end. */
static void remove_element(struct copy *c, struct slice s)
{
    const char *begin = s.at;

    while (begin > c->text.at + c->done && strchr(" \t", begin[-1]))
        begin--;
    if (begin > c->text.at + c->done && begin[-1] == '\n')
        begin--;
    if (begin > c->text.at + c->done && begin[-1] == '\r')
        begin--;
    copy_to(c, begin);
    skip(c, s);
}

/* Corners stand in any order. */
static void copy_box(struct copy *c, const struct voc_box *box, const struct object *o)
{
    double now[4];
    unsigned order[4] = { 0, 1, 2, 3 };

    corners_of(o->final.box, now);
    for (size_t i = 1; i < 4; i++)
        for (size_t k = i; k > 0 && box->at[order[k]].at < box->at[order[k - 1]].at; k--) {
            unsigned swap = order[k];

            order[k] = order[k - 1];
            order[k - 1] = swap;
        }
    for (size_t i = 0; i < 4; i++) {
        unsigned k = order[i];

        if (fabs(now[k] - box->number[k]) <= rounding)
            continue;
        copy_to(c, box->at[k].at);
        number_print(c->out, tidied(now[k]));
        skip(c, box->at[k]);
    }
}

static void copy_name(struct copy *c, const struct voc_object *v, const struct object *o)
{
    copy_to(c, v->name_at.at);
    add_escaped(c->out, o->category->name, true);
    skip(c, v->name_at);
}

/* A box stands before the parts, or behind them, and the name anywhere between. */
static void copy_object(struct copy *c, const struct voc_object *v, const struct object *o)
{
    bool boxed = false, named = !o || !(o->changes & CHANGE_CLASSED);

    if (!o || o->final.dropped) {
        remove_element(c, v->whole);
        return;
    }
    for (size_t i = 0; i <= v->n_parts; i++) {
        const struct voc_part *part = i < v->n_parts ? &v->parts[i] : NULL;

        if (!boxed && (!part || v->box.at[0].at < part->whole.at)) {
            if (!named && v->name_at.at < v->box.at[0].at) {
                copy_name(c, v, o);
                named = true;
            }
            copy_box(c, &v->box, o);
            boxed = true;
        }
        if (!named && (!part || v->name_at.at < part->whole.at)) {
            copy_name(c, v, o);
            named = true;
        }
        if (part && !o->parts[i].part.valid)
            remove_element(c, part->whole);
        else if (part && o->parts[i].has_box)
            copy_box(c, &part->box, &o->parts[i]);
    }
}

static void copy_side(struct copy *c, struct slice at, int side)
{
    copy_to(c, at.at);
    text_addf(c->out, "%d", side);
    skip(c, at);
}

static void copy_head(struct copy *c, const struct voc_file *f, const struct output *out,
                      unsigned which)
{
    if (which == 0 && f->filename.at && out->renamed) {
        copy_to(c, f->filename.at);
        add_escaped(c->out, base_of(out->name), true);
        skip(c, f->filename);
    }
    if (which == 1 && f->width.at && out->resized)
        copy_side(c, f->width, out->frame.width);
    if (which == 2 && f->height.at && out->resized)
        copy_side(c, f->height, out->frame.height);
}

/* What stands before a place of the text, of name and size, in the text's order. */
static void copy_heads(struct copy *c, const struct voc_file *f, const struct output *out,
                       const char *from, const char *to)
{
    const struct slice heads[] = { f->filename, f->width, f->height };

    for (size_t pass = 0; pass < COUNTOF(heads); pass++) {
        unsigned first = COUNTOF(heads);

        for (unsigned i = 0; i < COUNTOF(heads); i++)
            if (heads[i].at && heads[i].at >= from && heads[i].at < to &&
                (first == COUNTOF(heads) || heads[i].at < heads[first].at))
                first = i;
        if (first == COUNTOF(heads))
            return;
        copy_head(c, f, out, first);
        from = heads[first].at + 1;
    }
}

void voc_print_again(struct slice text, const struct voc_file *f, const struct sample *s,
                     const struct output *out, struct text *to)
{
    struct copy c = { .text = text, .out = to };
    const struct object **now = ARENA_ARRAY(s->arena, const struct object *, f->n_objects);
    const char *from = text.at;

    for (size_t i = 0; i < s->n_objects; i++)
        now[s->objects[i].index] = &s->objects[i];
    for (size_t i = 0; i < f->n_objects; i++) {
        copy_heads(&c, f, out, from, f->objects[i].whole.at);
        copy_object(&c, &f->objects[i], now[i]);
        from = f->objects[i].whole.at;
    }
    copy_heads(&c, f, out, from, text.at + text.length);
    copy_to(&c, text.at + text.length);
}

/* --- a new one --- */

static const char *const flags[] = { "pose", "truncated", "difficult", "occluded" };
static const char *const usual[] = { "Unspecified", "0", "0", NULL };

bool voc_has_flag(struct slice name)
{
    for (size_t i = 0; i < COUNTOF(flags); i++)
        if (scan_is(name, flags[i]))
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

    if (!scan_is(e->name, f->name))
        return;
    if (e->json && v.length >= 2 && *v.at == '"')
        v = scan_unescape(f->arena, (struct slice){ v.at + 1, v.length - 2 });
    f->value = e->json && v.length && *v.at == 't'   ? "1"
               : e->json && v.length && *v.at == 'f' ? "0"
                                                     : arena_copy(f->arena, v.at, v.length);
}

static void print_flags(const struct dataset *d, const struct object *o, struct arena *arena,
                        struct text *to)
{
    for (size_t i = 0; i < COUNTOF(flags); i++) {
        struct flag f = { .name = flags[i], .arena = arena, .value = usual[i] };

        if (d->format->visit_extras)
            d->format->visit_extras(d, o->record, o, find_flag, &f);
        if (!f.value)
            continue;
        text_addf(to, "\t\t<%s>", f.name);
        add_escaped(to, f.value, false);
        text_addf(to, "</%s>\n", f.name);
    }
}

static void print_box(const struct object *o, struct text *to)
{
    static const char *const names[] = { "xmin", "ymin", "xmax", "ymax" };
    double now[4];

    corners_of(o->final.box, now);
    text_adds(to, "\t\t<bndbox>\n");
    for (size_t i = 0; i < COUNTOF(names); i++) {
        text_addf(to, "\t\t\t<%s>", names[i]);
        number_print(to, tidied(now[i]));
        text_addf(to, "</%s>\n", names[i]);
    }
    text_adds(to, "\t\t</bndbox>\n");
}

void voc_print_new(const struct dataset *d, const struct sample *s, const struct output *out,
                   struct text *to)
{
    text_adds(to, "<annotation>\n\t<folder>images</folder>\n\t<filename>");
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
        add_escaped(to, o->category->name, false);
        text_adds(to, "</name>\n");
        print_flags(d, o, s->arena, to);
        print_box(o, to);
        text_adds(to, "\t</object>\n");
    }
    text_adds(to, "</annotation>\n");
}
