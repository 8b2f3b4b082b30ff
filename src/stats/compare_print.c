/* compare_print: prints differences as text and as JSON. */
#include "stats/compare.h"

#include "json/text_id.h"

#include <string.h>

static const struct {
    const char *one, *many;
} words[COMPARED_KINDS] = {
    [COMPARED_CATEGORY] = { "category", "categories" },
    [COMPARED_IMAGE] = { "image", "images" },
    [COMPARED_OBJECT] = { "annotation", "annotations" },
    [COMPARED_FILE] = { "file", "files" },
};
static const char *const kinds[DIFFERENCES] = { "removed", "changed", "added" };
static const char marks[DIFFERENCES] = { '-', '~', '+' };

static size_t count_of(const struct survey *s, enum compared_kind what)
{
    return what == COMPARED_CATEGORY ? s->n_categories
           : what == COMPARED_IMAGE  ? s->n_images
                                     : s->n_objects;
}

/* Returns the survey in which an element is shown: added elements are only in b. */
static const struct survey *survey_of(const struct comparison *c, struct pair p, uint32_t *i)
{
    *i = p.a == SURVEY_NONE ? p.b : p.a;
    return p.a == SURVEY_NONE ? c->b : c->a;
}

static int64_t id_of(const struct survey *s, enum compared_kind what, uint32_t i)
{
    return what == COMPARED_CATEGORY ? s->categories[i].id
           : what == COMPARED_IMAGE  ? s->images[i].id
                                     : s->objects[i].id;
}

/* Returns the element of the source that has the id. */
static struct slice element_of(const struct survey *s, enum compared_kind what, uint32_t i)
{
    return what == COMPARED_CATEGORY ? s->categories[i].element
           : what == COMPARED_IMAGE  ? s->images[i].element
                                     : s->objects[i].element;
}

static const char *image_name(const struct survey *s, const struct survey_object *o)
{
    return o->image == SURVEY_NONE ? "" : s->images[o->image].name;
}

static const char *category_name(const struct survey *s, const struct survey_object *o)
{
    return o->category == SURVEY_NONE ? "" : s->categories[o->category].name;
}

static bool is_nothing(const struct comparison *c, enum compared_kind what)
{
    const struct pairs *p = c->of[what];

    return !p[DIFFERENCE_REMOVED].n && !p[DIFFERENCE_CHANGED].n && !p[DIFFERENCE_ADDED].n;
}

/* --- text --- */

static void add_visible(struct text *out, const char *before, const char *s)
{
    text_adds(out, before);
    text_add_visible(out, s, strlen(s));
}

static void print_box(const struct survey_object *o, struct text *out)
{
    for (size_t i = 0; i < 4; i++) {
        text_adds(out, i ? ", " : " [");
        number_print(out, o->box[i]);
    }
    text_addc(out, ']');
}

static void print_subject(const struct comparison *c, enum compared_kind what, struct pair p,
                          struct text *out)
{
    struct text id = { 0 };
    uint32_t i;
    const struct survey *s;

    text_adds(out, words[what].one);
    if (what == COMPARED_FILE) {
        add_visible(out, " ", c->files[p.a]);
        return;
    }
    s = survey_of(c, p, &i);
    if (id_of(s, what, i) != SURVEY_NO_ID) {
        text_id_print(id_of(s, what, i), element_of(s, what, i), "id", &id);
        add_visible(out, " ", text_string(&id));
        text_drop(&id);
    }
    if (what == COMPARED_CATEGORY) {
        add_visible(out, " ", s->categories[i].name);
    } else if (what == COMPARED_IMAGE) {
        add_visible(out, " ", s->images[i].name);
    } else {
        const struct survey_object *o = &s->objects[i];

        add_visible(out, " ", category_name(s, o));
        if (o->has_box)
            print_box(o, out);
        add_visible(out, " of ", image_name(s, o));
    }
}

/* Long values, such as outlines, are abbreviated. */
static void print_value(const struct value *v, struct text *out)
{
    enum { MAX_LENGTH = 60 };
    struct text printed = { 0 };

    if (!v)
        text_adds(&printed, "nothing");
    else
        value_print(v, &printed);
    if (printed.length > MAX_LENGTH)
        text_adds(out, "...");
    else
        text_add_visible(out, text_string(&printed), printed.length);
    text_drop(&printed);
}

static void print_changes(const struct comparison *c, enum compared_kind what, struct pair p,
                          struct text *out)
{
    struct arena arena = { 0 };
    struct member_difference *members;
    size_t n = compare_members(c, what, p, &arena, &members);

    for (size_t i = 0; i < n; i++) {
        add_visible(out, i ? "; " : ": ", members[i].name);
        text_addc(out, ' ');
        print_value(members[i].before, out);
        text_adds(out, " -> ");
        print_value(members[i].after, out);
    }
    arena_drop(&arena);
}

static void print_pairs(const struct comparison *c, enum compared_kind what, enum difference kind,
                        size_t max, struct text *out)
{
    const struct pairs *p = &c->of[what][kind];

    for (size_t i = 0; i < p->n && i < max; i++) {
        text_addf(out, "%c ", marks[kind]);
        print_subject(c, what, p->at[i], out);
        if (kind == DIFFERENCE_CHANGED && what != COMPARED_FILE)
            print_changes(c, what, p->at[i], out);
        text_addc(out, '\n');
    }
    if (p->n > max)
        text_addf(out, "%c and %zu more %s\n", marks[kind], p->n - max, words[what].many);
}

/* Returns the part of the name, or NULL. */
static const struct survey_part *find_part(const struct survey *s, const char *name)
{
    for (size_t i = 0; i < s->n_parts; i++)
        if (strcmp(s->parts[i].name, name) == 0)
            return &s->parts[i];
    return NULL;
}

/* Prints the counts of a part that both datasets have, or one of them. */
static void print_part(const struct survey_part *a, const struct survey_part *b, struct text *out)
{
    static const struct survey_part none;
    const struct survey_part *x = a ? a : &none, *y = b ? b : &none;

    text_addf(out, "%c part ", !a ? '+' : !b ? '-' : '~');
    text_add_visible(out, (a ? a : b)->name, strlen((a ? a : b)->name));
    text_addf(out, ": images %zu -> %zu, annotations %zu -> %zu\n", x->n_images, y->n_images,
              x->n_objects, y->n_objects);
}

static void print_parts(const struct comparison *c, struct text *out)
{
    for (size_t i = 0; i < c->a->n_parts; i++)
        print_part(&c->a->parts[i], find_part(c->b, c->a->parts[i].name), out);
    for (size_t i = 0; i < c->b->n_parts; i++)
        if (!find_part(c->a, c->b->parts[i].name))
            print_part(NULL, &c->b->parts[i], out);
}

void comparison_print_text(const struct comparison *c, size_t max, struct text *out)
{
    if (!comparison_is_empty(c))
        print_parts(c, out);
    for (int what = 0; what < COMPARED_KINDS; what++) {
        const struct pairs *p = c->of[what];

        if (is_nothing(c, (enum compared_kind)what))
            continue;
        text_addf(out, "%s:", words[what].many);
        if (what != COMPARED_FILE)
            text_addf(out, " %zu -> %zu;", count_of(c->a, (enum compared_kind)what),
                      count_of(c->b, (enum compared_kind)what));
        for (int kind = 0; kind < DIFFERENCES; kind++)
            text_addf(out, "%s %zu %s", kind ? "," : "", p[kind].n, kinds[kind]);
        text_addc(out, '\n');
        for (int kind = 0; kind < DIFFERENCES; kind++)
            print_pairs(c, (enum compared_kind)what, (enum difference)kind, max, out);
    }
}

/* --- JSON --- */

static void add_text(struct text *out, const char *key, const char *s)
{
    text_addf(out, ", \"%s\": ", key);
    text_add_json(out, s, strlen(s));
}

static void print_id(struct text *out, const char *key, const struct survey *s,
                     enum compared_kind what, uint32_t i)
{
    text_addf(out, "\"%s\": ", key);
    if (id_of(s, what, i) == SURVEY_NO_ID)
        text_adds(out, "null");
    else
        text_id_print(id_of(s, what, i), element_of(s, what, i), "id", out);
}

static void print_element(const struct comparison *c, enum compared_kind what, struct pair p,
                          struct text *out)
{
    uint32_t i;
    const struct survey *s = survey_of(c, p, &i);

    print_id(out, "id", s, what, i);
    if (p.a != SURVEY_NONE && p.b != SURVEY_NONE && c->rules.match == COMPARE_GEOMETRY) {
        text_adds(out, ", ");
        print_id(out, "id_after", c->b, what, p.b);
    }
    if (what == COMPARED_CATEGORY) {
        add_text(out, "name", s->categories[i].name);
    } else if (what == COMPARED_IMAGE) {
        add_text(out, "file_name", s->images[i].name);
    } else {
        add_text(out, "image", image_name(s, &s->objects[i]));
        add_text(out, "category", category_name(s, &s->objects[i]));
        if (s->objects[i].has_box) {
            text_adds(out, ", \"bbox\":");
            print_box(&s->objects[i], out);
        }
    }
}

static void print_members(const struct comparison *c, enum compared_kind what, struct pair p,
                          struct text *out)
{
    struct arena arena = { 0 };
    struct member_difference *members;
    size_t n = compare_members(c, what, p, &arena, &members);

    text_adds(out, ", \"members\": [");
    for (size_t i = 0; i < n; i++) {
        text_adds(out, i ? ", {\"name\": " : "{\"name\": ");
        text_add_json(out, members[i].name, strlen(members[i].name));
        if (members[i].before) {
            text_adds(out, ", \"before\": ");
            value_print(members[i].before, out);
        }
        if (members[i].after) {
            text_adds(out, ", \"after\": ");
            value_print(members[i].after, out);
        }
        text_addc(out, '}');
    }
    text_addc(out, ']');
    arena_drop(&arena);
}

static void print_list(const struct comparison *c, enum compared_kind what, enum difference kind,
                       struct text *out)
{
    const struct pairs *p = &c->of[what][kind];

    text_addf(out, ", \"%s\": [", kinds[kind]);
    for (size_t i = 0; i < p->n; i++) {
        text_adds(out, i ? ",\n  {" : "\n  {");
        if (what == COMPARED_FILE) {
            text_adds(out, "\"name\": ");
            text_add_json(out, c->files[p->at[i].a], strlen(c->files[p->at[i].a]));
        } else {
            print_element(c, what, p->at[i], out);
            if (kind == DIFFERENCE_CHANGED)
                print_members(c, what, p->at[i], out);
        }
        text_addc(out, '}');
    }
    text_addc(out, ']');
}

static void print_json_parts(const struct survey *s, struct text *out)
{
    for (size_t i = 0; i < s->n_parts; i++) {
        text_adds(out, i ? ", {\"name\": " : "{\"name\": ");
        text_add_json(out, s->parts[i].name, strlen(s->parts[i].name));
        text_addf(out, ", \"images\": %zu, \"annotations\": %zu}", s->parts[i].n_images,
                  s->parts[i].n_objects);
    }
}

void comparison_print_json(const struct comparison *c, struct text *out)
{
    text_addf(out, "{\"schema\": \"lockstep.diff/1\", \"same\": %s, \"match\": \"%s\"",
              comparison_is_empty(c) ? "true" : "false",
              c->rules.match == COMPARE_GEOMETRY ? "geometry" : "id");
    add_text(out, "a", c->a->name);
    add_text(out, "b", c->b->name);
    if (c->a->n_parts || c->b->n_parts) {
        text_adds(out, ",\n \"parts\": {\"a\": [");
        print_json_parts(c->a, out);
        text_adds(out, "], \"b\": [");
        print_json_parts(c->b, out);
        text_adds(out, "]}");
    }
    for (int what = 0; what < COMPARED_KINDS; what++) {
        text_addf(out, ",\n \"%s\": {", words[what].many);
        if (what != COMPARED_FILE)
            text_addf(out, "\"a\": %zu, \"b\": %zu", count_of(c->a, (enum compared_kind)what),
                      count_of(c->b, (enum compared_kind)what));
        else
            text_addf(out, "\"compared\": %s", c->files ? "true" : "false");
        for (int kind = 0; kind < DIFFERENCES; kind++)
            print_list(c, (enum compared_kind)what, (enum difference)kind, out);
        text_addc(out, '}');
    }
    text_adds(out, "}\n");
}
