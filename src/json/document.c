/* document: the top level of a large JSON file. */
#include "json/document.h"

#include <stdlib.h>
#include <string.h>

void *pile_add(struct pile *p, size_t size)
{
    if (p->n == p->room) {
        p->room = 2 * p->room + 64;
        p->at = memory_grow(p->at, p->room * size);
    }
    return memset((char *)p->at + size * p->n++, 0, size);
}

/* --- reading --- */

enum { RELEASE_EVERY = 1 << 23 /* bytes */ };

struct reader {
    struct place where;
    const struct walk *walks;
    size_t n;
    void *context;
    struct pile sections;
    unsigned had;  /* a bit for each walk */
    size_t rested; /* how far the text was read and need not stay in memory */
};

/* Returns the walk that the section is for; n for none. A second section with the same name is a
 * fault. */
static size_t find_walk(struct reader *r, struct slice name)
{
    struct faults *f = r->where.faults;

    for (size_t i = 0; i < r->n; i++) {
        if (!scan_equals(name, r->walks[i].name))
            continue;
        if (r->had & 1u << i) {
            fault_add(f, (size_t)(name.at - f->text.at), name.length, r->walks[i].name,
                      "json-twice", "this name is given twice");
            break;
        }
        r->had |= 1u << i;
        return i;
    }
    return r->n;
}

static void rest(struct reader *r, const struct scan *s)
{
    const struct faults *f = r->where.faults;

    if (!f->rest || s->at - r->rested < RELEASE_EVERY)
        return;
    f->rest((struct slice){ s->text.at + r->rested, s->at - r->rested });
    r->rested = s->at;
}

static void read_list(struct reader *r, struct scan *s, const struct walk *w)
{
    struct place p = r->where;
    struct slice value;
    bool first = true;

    p.list = w->name;
    if (scan_peek(s) != '[') {
        if (scan_value(s, &value))
            fault_add(p.faults, (size_t)(value.at - s->text.at), value.length, w->name, p.code_type,
                      "expected a list");
        return;
    }
    scan_open(s, '[');
    for (; scan_element(s, &first); p.index++) {
        w->read(r->context, s, &p);
        if (s->code) {
            place_scan_fault(&p, s);
            return;
        }
        rest(r, s);
    }
    if (s->code)
        place_scan_fault(&r->where, s);
}

static void read_section(struct reader *r, struct scan *s, struct slice name)
{
    struct section *section = pile_add(&r->sections, sizeof *section);

    section->name = name;
    section->value.at = s->text.at + s->at;
    section->walk = find_walk(r, name);
    if (section->walk < r->n && !r->walks[section->walk].whole)
        read_list(r, s, &r->walks[section->walk]);
    else if (section->walk < r->n)
        r->walks[section->walk].read(r->context, s, &r->where);
    else
        scan_value(s, &section->value);
    section->value.length = (size_t)(s->text.at + s->at - section->value.at);
}

/* A text without an object: its grammar may be wrong, or it may be another kind of file. */
static void refuse_root(struct reader *r, struct scan *s, const char *code)
{
    struct slice value;

    if (scan_value(s, &value) && scan_end(s))
        fault_add(r->where.faults, (size_t)(value.at - s->text.at), 1, "", code,
                  "expected an object with the key \"%s\"", r->walks[0].name);
}

static void check_sections(struct reader *r)
{
    for (size_t i = 0; i < r->n; i++)
        if (r->walks[i].required && !(r->had & 1u << i))
            fault_add(
                r->where.faults, 0, 1, r->walks[i].name, r->where.code_missing,
                "this key is missing%s",
                pick_alike_hint(r->where.faults->text, r->walks[i].name, &r->where.faults->arena));
}

/* The scanner's problem, unless the list that met it has reported it already. */
static void report(struct reader *r, const struct scan *s)
{
    const struct faults *f = r->where.faults;
    const struct fault *last = f->n ? &f->list[f->n - 1] : NULL;

    if (!last || last->code != s->code || last->offset != s->where)
        place_scan_fault(&r->where, s);
}

bool document_read(const struct place *where, const char *code_root, const struct walk *walks,
                   size_t n, void *context, struct arena *arena, struct document *to)
{
    struct reader r = { .where = *where, .walks = walks, .n = n, .context = context };
    struct scan s = scan_start(where->faults->text, 0);
    struct slice name;
    bool first = true;

    s.nan_words = where->nan_words;
    if (scan_peek(&s) == '{') {
        scan_open(&s, '{');
        while (scan_member(&s, &first, &name))
            read_section(&r, &s, name);
        if (scan_end(&s))
            check_sections(&r);
    } else {
        refuse_root(&r, &s, code_root);
    }
    if (s.code)
        report(&r, &s);
    to->n = r.sections.n;
    to->sections = (void *)arena_copy(arena, r.sections.at, to->n * sizeof *to->sections);
    free(r.sections.at);
    return !s.code;
}

bool document_read_list(const struct place *where, const struct walk *walk, void *context)
{
    struct reader r = { .where = *where, .walks = walk, .n = 1, .context = context };
    struct scan s = scan_start(where->faults->text, 0);

    s.nan_words = where->nan_words;
    read_list(&r, &s, walk);
    if (!s.code)
        scan_end(&s);
    if (s.code)
        report(&r, &s);
    return !s.code;
}

/* --- writing --- */

static void write_slice(FILE *file, struct slice text)
{
    fwrite(text.at, 1, text.length, file);
}

void document_write_elements(FILE *file, bool (*next)(void *, struct slice *), void *context)
{
    struct slice element;
    bool any = false;

    while (next(context, &element)) {
        fputs(any ? ",\n" : "\n", file);
        write_slice(file, element);
        any = true;
    }
    if (any)
        fputc('\n', file);
}

static void write_list(FILE *file, bool (*next)(void *, struct slice *), void *context)
{
    fputc('[', file);
    document_write_elements(file, next, context);
    fputc(']', file);
}

struct document document_without(const struct document *d, size_t walk, struct section *sections)
{
    struct document left = { sections, 0 };

    for (size_t i = 0; i < d->n; i++)
        if (d->sections[i].walk != walk)
            left.sections[left.n++] = d->sections[i];
    return left;
}

bool document_write(const struct document *d, FILE *file,
                    bool (*const next[])(void *context, struct slice *), size_t n, void *context)
{
    fputc('{', file);
    for (size_t i = 0; i < d->n; i++) {
        const struct section *s = &d->sections[i];

        fputs(i ? ", \"" : "\"", file);
        write_slice(file, s->name);
        fputs("\": ", file);
        if (s->walk < n && next[s->walk])
            write_list(file, next[s->walk], context);
        else
            write_slice(file, s->value);
    }
    fputs("}\n", file);
    return fflush(file) == 0 && !ferror(file);
}

bool document_write_list(FILE *file, bool (*next)(void *context, struct slice *), void *context)
{
    write_list(file, next, context);
    fputc('\n', file);
    return fflush(file) == 0 && !ferror(file);
}
