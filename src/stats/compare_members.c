/* compare_members: finds the members by which two elements differ. */
#include "stats/compare.h"

#include <math.h>
#include <string.h>

/* --- values --- */

static bool same_values(const struct value *a, const struct value *b, double tolerance);

/* Members may be in any order, but nearly always have the same. */
static const struct value *member_of(const struct value *object, const char *name, size_t at)
{
    if (at < object->n && strcmp(object->item[at].name, name) == 0)
        return &object->item[at];
    return value_get(object, name);
}

static bool same_items(const struct value *a, const struct value *b, double tolerance)
{
    if (a->n != b->n)
        return false;
    for (size_t i = 0; i < a->n; i++) {
        const struct value *other =
            a->kind == VALUE_LIST ? &b->item[i] : member_of(b, a->item[i].name, i);

        if (!other || !same_values(&a->item[i], other, tolerance))
            return false;
    }
    return true;
}

static bool same_values(const struct value *a, const struct value *b, double tolerance)
{
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case VALUE_NULL:
        return true;
    case VALUE_FLAG:
        return a->flag == b->flag;
    case VALUE_NUMBER:
        return a->number == b->number || fabs(a->number - b->number) <= tolerance;
    case VALUE_TEXT:
        return strcmp(a->text, b->text) == 0;
    case VALUE_LIST:
    case VALUE_OBJECT:
        return same_items(a, b, tolerance);
    }
    return false;
}

/* --- differences of single members --- */

struct found {
    struct arena *arena;
    struct member_difference *at;
    size_t n, room;
};

static void add(struct found *f, const char *name, const struct value *before,
                const struct value *after)
{
    if (f->n < f->room)
        f->at[f->n] = (struct member_difference){ name, before, after };
    f->n++;
}

/* True for ids if elements are matched by names and places. */
static bool is_ignored(const struct comparison *c, enum compared_kind what, const char *name)
{
    if (c->rules.match != COMPARE_GEOMETRY)
        return false;
    return strcmp(name, "id") == 0 ||
           (what == COMPARED_OBJECT &&
            (strcmp(name, "image_id") == 0 || strcmp(name, "category_id") == 0));
}

static void compare_trees(const struct comparison *c, enum compared_kind what,
                          const struct value *a, const struct value *b, struct found *f)
{
    for (size_t i = 0; i < a->n; i++) {
        const struct value *before = &a->item[i], *after = member_of(b, before->name, i);

        if (!is_ignored(c, what, before->name) &&
            (!after || !same_values(before, after, c->rules.tolerance)))
            add(f, before->name, before, after);
    }
    for (size_t i = 0; i < b->n; i++)
        if (!is_ignored(c, what, b->item[i].name) && !member_of(a, b->item[i].name, i))
            add(f, b->item[i].name, NULL, &b->item[i]);
}

static struct value *text_value(struct arena *arena, const char *text)
{
    struct value *v = value_new(arena, VALUE_TEXT);

    v->text = text;
    return v;
}

static struct value *numbers_value(struct arena *arena, const double *at, size_t n)
{
    struct value *v = value_list(arena, n);

    for (size_t i = 0; i < n; i++) {
        v->item[i].kind = VALUE_NUMBER;
        v->item[i].number = at[i];
    }
    return v;
}

static const char *category_name(const struct survey *s, const struct survey_object *o)
{
    return o->category == SURVEY_NONE ? "" : s->categories[o->category].name;
}

static void compare_categories(const struct comparison *c, const struct survey_object *a,
                               const struct survey_object *b, struct found *f)
{
    if (!compare_same_category(c, a, b))
        add(f, "category", text_value(f->arena, category_name(c->a, a)),
            text_value(f->arena, category_name(c->b, b)));
}

static bool near_numbers(const struct comparison *c, const double *a, const double *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (fabs(a[i] - b[i]) > c->rules.tolerance)
            return false;
    return true;
}

/* Compares objects of folders of labels, which have no JSON. Between a folder and a JSON file, only
 * boxes are compared. */
static void compare_label(const struct comparison *c, const struct survey_object *a,
                          const struct survey_object *b, struct found *f)
{
    bool mixed = a->element.at || b->element.at;
    const double *from = mixed ? a->box : a->numbers, *to = mixed ? b->box : b->numbers;
    size_t n = mixed ? 4 : a->n_numbers, m = mixed ? 4 : b->n_numbers;

    if (n != m || !near_numbers(c, from, to, n))
        add(f, mixed ? "bbox" : "coordinates", numbers_value(f->arena, from, n),
            numbers_value(f->arena, to, m));
}

static void compare_image(const struct survey_image *a, const struct survey_image *b,
                          struct found *f)
{
    const double from[] = { a->width, a->height }, to[] = { b->width, b->height };

    if (a->width != b->width || a->height != b->height)
        add(f, "size", numbers_value(f->arena, from, 2), numbers_value(f->arena, to, 2));
}

/* --- pairs --- */

static struct slice element_of(const struct survey *s, enum compared_kind what, uint32_t i)
{
    return what == COMPARED_CATEGORY ? s->categories[i].element
           : what == COMPARED_IMAGE  ? s->images[i].element
                                     : s->objects[i].element;
}

static struct value *parse(struct slice text, struct arena *arena)
{
    struct faults faults = { .name = "", .text = text };
    struct value *v = value_parse(&faults, arena);

    faults_drop(&faults);
    return v;
}

static void compare_elements(const struct comparison *c, enum compared_kind what, struct slice from,
                             struct slice to, struct found *f)
{
    const struct value *a, *b;

    if (from.length == to.length && memcmp(from.at, to.at, to.length) == 0)
        return;
    a = parse(from, f->arena);
    b = parse(to, f->arena);
    if (a && b)
        compare_trees(c, what, a, b, f);
    else /* a name is in it twice */
        add(f, "element", NULL, NULL);
}

static void compare_pair(const struct comparison *c, enum compared_kind what, struct pair p,
                         struct found *f)
{
    struct slice from = element_of(c->a, what, p.a), to = element_of(c->b, what, p.b);

    if (what == COMPARED_OBJECT && (c->rules.match == COMPARE_GEOMETRY || !from.at || !to.at))
        compare_categories(c, &c->a->objects[p.a], &c->b->objects[p.b], f);
    if (from.at && to.at)
        compare_elements(c, what, from, to, f);
    else if (what == COMPARED_IMAGE)
        compare_image(&c->a->images[p.a], &c->b->images[p.b], f);
    else if (what == COMPARED_OBJECT)
        compare_label(c, &c->a->objects[p.a], &c->b->objects[p.b], f);
}

size_t compare_members(const struct comparison *c, enum compared_kind what, struct pair p,
                       struct arena *arena, struct member_difference **members)
{
    struct found f = { .arena = arena };

    compare_pair(c, what, p, &f);
    if (!members)
        return f.n > 0;
    f = (struct found){ .arena = arena,
                        .at = ARENA_ARRAY(arena, struct member_difference, f.n),
                        .room = f.n };
    compare_pair(c, what, p, &f);
    *members = f.at;
    return f.n;
}
