/* convert: converts another library's steps to lockstep's, by the table in aliases/. A step that
 * differs says so in its "$comment". A step without an equivalent becomes Identity, so that the
 * probabilities in a choice of steps stay the same. */
#include "migrate/import.h"

#include "migrate/aliases/template.h"
#include "steps/op_shared/join_params.h"
#include "plan/plan.h"

#include <string.h>

enum { INDENT = 4, DEEPEST = 16 };

/* A step while it is converted. */
struct conversion {
    struct import_job *m;
    const struct value *step; /* the library's step */
    const char *name;
    int depth;
    struct text json;   /* the new step without its closing brace */
    struct text remark; /* for the "$comment" */
    size_t n_lost;
};

static void add_remark(struct conversion *c, const char *words)
{
    if (*words && !strstr(text_string(&c->remark), words))
        text_addf(&c->remark, "%s%s", c->remark.length ? "; " : "", words);
}

static void lose_value(struct conversion *c, const struct value *v, const char *why)
{
    struct text json = { 0 };

    if (v->n <= 8)
        value_print(v, &json);
    import_lost(c->m, v, "%s of %s has no equivalent here%s%s%s%s",
                v->name ? v->name : "this value", c->name, json.length ? ": " : "",
                text_string(&json), *why ? "; " : "", why);
    add_remark(c, arena_printf(c->m->arena, "`%s` is not converted", v->name ? v->name : ""));
    c->n_lost++;
    text_drop(&json);
}

static void on_lost(void *context, const struct value *v)
{
    lose_value(context, v, "");
}

static void on_rounded(void *context, const struct value *v)
{
    struct conversion *c = context;
    struct text json = { 0 };

    value_print(v, &json);
    add_remark(c, arena_printf(c->m->arena, "%s was %s", v->name ? v->name : "a value",
                               text_string(&json)));
    text_drop(&json);
}

/* --- nested steps --- */

static bool is_step_list(const struct conversion *c, const struct value *v)
{
    if (v->kind != VALUE_LIST || !v->n)
        return false;
    for (size_t i = 0; i < v->n; i++)
        if (!value_get(&v->item[i], c->m->importer->type_key))
            return false;
    return true;
}

/* Returns the list for the template's placeholder of nested steps, or NULL. */
static const struct value *inner_steps(const struct conversion *c)
{
    for (size_t i = 0; i < c->step->n; i++)
        if (is_step_list(c, &c->step->item[i]))
            return &c->step->item[i];
    return NULL;
}

static void fill_steps(struct conversion *c)
{
    static const char gap[] = "[...]";
    const struct value *list = inner_steps(c);
    const char *at = strstr(text_string(&c->json), gap);
    const char *library = c->m->library;
    enum origin from = c->m->from;
    struct text whole = { 0 };

    if (!at)
        return;
    text_add(&whole, c->json.at, (size_t)(at - c->json.at));
    if (c->m->importer->host && strcmp(c->name, c->m->importer->host) == 0) {
        c->m->library = "Albumentations";
        c->m->from = ORIGIN_ALBUMENTATIONS;
    }
    if (list)
        import_steps(c->m, list, c->depth + 1, &whole);
    else
        text_adds(&whole, "[]");
    c->m->library = library;
    c->m->from = from;
    text_adds(&whole, at + strlen(gap));
    text_drop(&c->json);
    c->json = whole;
}

/* --- parameters --- */

static bool template_mentions(const char *template, const char *name)
{
    struct placeholder p;

    while (template_next(&template, &p))
        if (placeholder_names(&p, name))
            return true;
    return false;
}

static void add_value(struct conversion *c, const struct value *v)
{
    text_addf(&c->json, ", \"%s\": ", v->name);
    value_print(v, &c->json);
}

static void carry_chance(struct conversion *c, const struct value *v, const struct value *own)
{
    const struct transform *t = registry_transform(value_get(own, "type")->text);
    double preset = t && t->chance > 0 ? t->chance : 1;

    if (v->kind != VALUE_NUMBER || v->number < 0 || v->number > 1)
        lose_value(c, v, "");
    else if (value_get(own, "p"))
        lose_value(c, v, "lockstep's step has its own `p`");
    else if (v->number != 1 || preset != 1)
        add_value(c, v);
}

/* True if the step has the key of a pair "key": value. */
static bool has_key_of(const struct value *own, const char *pair)
{
    for (size_t i = 0; i < own->n; i++)
        if (strncmp(pair + 1, own->item[i].name, strcspn(pair + 1, "\"")) == 0 &&
            own->item[i].name[strcspn(pair + 1, "\"")] == '\0')
            return true;
    return false;
}

/* Adds a pair of the table. If the step already has the key, its value must be the same. */
static void add_pair(struct conversion *c, const struct value *v, const char *pair,
                     const struct value *own)
{
    const struct template_listener listener = { c, on_lost, on_rounded };
    struct text json = { 0 };

    template_expand_noting(pair, c->step, &listener, &json);
    if (!has_key_of(own, text_string(&json)))
        text_addf(&c->json, ", %s", text_string(&json));
    else if (!strstr(text_string(&c->json), text_string(&json)))
        lose_value(c, v, "");
    text_drop(&json);
}

/* Converts a key or a value that lockstep's step does not have, by the table. */
static void carry_instead(struct conversion *c, const struct value *v, const struct value *own,
                          bool unknown)
{
    struct foreign_instead found;

    if (!foreign_instead(c->m->library, value_get(own, "type")->text, v, unknown, &found)) {
        lose_value(c, v, "");
        return;
    }
    if (found.instead)
        add_pair(c, v, found.instead, own);
    if (*found.remark)
        add_remark(c, arena_printf(c->m->arena, "%s: %s", v->name, found.remark));
}

static void carry(struct conversion *c, const struct value *v, const char *template,
                  const struct foreign_name *f, const struct value *own)
{
    const struct row *row = row_get(foreign_rows(value_get(own, "type")->text), v->name);

    if (strcmp(v->name, c->m->importer->type_key) == 0 || template_mentions(template, v->name) ||
        foreign_is_silent(c->m->library, c->name, v) || (f && foreign_is_for(f, v)))
        return;
    if (strcmp(v->name, "p") == 0)
        carry_chance(c, v, own);
    else if (row && row->kind == &steps_kind && is_step_list(c, v))
        text_addf(&c->json, ", \"%s\": [...]", v->name);
    else if (row && !value_get(own, v->name) && foreign_can_take(row, v))
        add_value(c, v);
    else if (v->kind != VALUE_NULL)
        carry_instead(c, v, own, !row);
}

/* True if the step has the value at one of these keys. */
static bool has_value_at(const char *json, const char *const *keys, const char *value)
{
    char said[64];

    for (; *keys; keys++) {
        snprintf(said, sizeof said, "\"%s\": \"%s\"", *keys, value);
        if (strstr(json, said))
            return true;
    }
    return false;
}

/* torch has two words for two kinds of nearest pixel; lockstep's is "nearest-exact". */
static bool asks_exact_nearest(const struct value *step)
{
    const struct value *v = value_get(step, "interpolation");

    return v && v->kind == VALUE_TEXT && strcasestr(v->text, "exact");
}

/* OpenCV has no antialiasing. Its nearest pixel differs from lockstep's, and so does torch's. */
static void adjust_resize(struct conversion *c, const struct value *own)
{
    static const char *const all[] = { "interpolation", "downscale", "upscale", NULL };
    static const char *const shrinking[] = { "interpolation", "downscale", NULL };
    const char *json = text_string(&c->json);

    if (!row_get(foreign_rows(value_get(own, "type")->text), "antialias"))
        return;
    if (c->m->from == ORIGIN_ALBUMENTATIONS && !strstr(json, "\"antialias\"") &&
        !has_value_at(json, shrinking, "area") && !has_value_at(json, shrinking, "nearest"))
        text_adds(&c->json, ", \"antialias\": false");
    if (has_value_at(text_string(&c->json), all, "nearest") && !asks_exact_nearest(c->step))
        add_remark(c, "the nearest pixel is the one under the output pixel's centre, as in "
                      "Pillow, not under its corner, as in OpenCV and for tensors");
}

/* Parses a step of lockstep, into the arena, without its nested steps; returns NULL if it is not
 * JSON. */
static const struct value *parse_step(struct conversion *c, const char *json)
{
    char *text = arena_copy(c->m->arena, json, strlen(json));
    struct faults faults = { .name = c->name, .text = { text, strlen(text) } };
    const struct value *step;

    /* Placeholders of nested steps are not JSON. */
    for (char *gap = strstr(text, "[...]"); gap; gap = strstr(gap, "[...]"))
        memcpy(gap, "[   ]", 5);
    step = value_parse(&faults, c->m->arena);
    faults_drop(&faults);
    return step;
}

/* True if the row describes a difference of this value. */
static bool has_difference(const struct row *row, const struct value *v)
{
    struct text json = { 0 };
    const char *at;
    bool differs;

    if (!row->differs || !v || v->kind == VALUE_NULL)
        return false;
    value_print(v, &json);
    at = row->differs_at ? strstr(row->differs_at, text_string(&json)) : NULL;
    differs = row->differs_at ? at && strchr(" ", at[json.length])
                              : !row->preset || strcmp(row->preset, text_string(&json)) != 0;
    text_drop(&json);
    return differs;
}

/* Adds to the remark how a step differs from its library's, and also for each nested step that the
 * table adds. */
static void add_differences(struct conversion *c, const struct value *v)
{
    const struct value *type = v->kind == VALUE_OBJECT ? value_get(v, "type") : NULL;
    const struct transform *t = type ? registry_transform(type->text) : NULL;
    const struct op *op = type && !t ? registry_op(type->text) : NULL;
    enum origin origin = t ? t->origin : op ? op->origin : ORIGIN_NONE;
    const char *differs = t ? t->differs : op ? op->differs : NULL;

    if (origin == c->m->from) {
        add_remark(c, differs ? differs : "");
        for (ROWS (row, t ? t->params : op ? op->params : NULL))
            if (has_difference(row, value_get(v, row->name)))
                add_remark(c, row->differs);
    }
    for (size_t i = 0; i < v->n; i++)
        add_differences(c, &v->item[i]);
}

static void convert_keys(struct conversion *c, const char *template, const struct foreign_name *f)
{
    const struct template_listener listener = { c, on_lost, on_rounded };
    struct text json = { 0 };
    const struct value *own, *whole;

    template_expand_noting(template, c->step, &listener, &json);
    text_add(&c->json, json.at, json.length - 1);
    own = parse_step(c, text_string(&json));
    for (size_t i = 0; own && i < c->step->n; i++)
        carry(c, &c->step->item[i], template, f, own);
    if (own)
        adjust_resize(c, own);
    whole = parse_step(c, arena_printf(c->m->arena, "%s}", text_string(&c->json)));
    if (whole)
        add_differences(c, whole);
    fill_steps(c);
    text_drop(&json);
}

/* --- a step --- */

static void print_nothing(struct conversion *c, const char *why)
{
    const struct value *p = value_get(c->step, "p");

    text_addf(&c->json, "{\"type\": \"Identity\"");
    if (p && p->kind == VALUE_NUMBER && p->number >= 0 && p->number < 1)
        add_value(c, p);
    add_remark(
        c, arena_printf(c->m->arena, "%s is not converted%s%s", c->name, *why ? "; " : "", why));
}

/* Checks that the new step can be read. Otherwise it becomes Identity, and `c` has the reason. */
static void check_result(struct conversion *c)
{
    struct text whole = { 0 };
    struct faults faults = { .name = c->name };
    struct plan plan = { 0 };

    text_addf(&whole, "{\"version\": 1, \"transforms\": [%s}]}", text_string(&c->json));
    faults.text = (struct slice){ whole.at, whole.length };
    if (!plan_read(&faults, &plan) && faults.n) {
        const char *path = strchr(faults.list[0].path, '.');

        import_lost(c->m, c->step, "%s would be refused here: %s: %s", c->name,
                    path ? path + 1 : "", faults.list[0].message);
        c->n_lost++;
        text_drop(&c->json);
        text_drop(&c->remark);
        c->json = c->remark = (struct text){ 0 };
        print_nothing(c, "its parameters would be refused here");
    }
    plan_drop(&plan);
    faults_drop(&faults);
    text_drop(&whole);
}

/* True if the library's steps are known only by the table; false for steps inside another
 * library's. */
static bool is_by_table(const struct conversion *c)
{
    return c->m->importer->by_table && c->m->from == c->m->importer->origin;
}

/* True if the step is an alternative in a choice, and its probability is its weight. */
static bool is_chosen(const struct conversion *c)
{
    const struct value *list = c->step->parent, *type;

    type = list && list->parent ? value_get(list->parent, c->m->importer->type_key) : NULL;
    return type && type->kind == VALUE_TEXT &&
           (strstr(type->text, "OneOf") || strstr(type->text, "SomeOf"));
}

/* Removes `always_apply` of Albumentations 1.x if it is true: the probability becomes 1, except in
 * a choice of steps, where it stays. */
static void settle_always(struct conversion *c)
{
    const struct value *always = value_get(c->step, "always_apply");
    struct value *step = ARENA_NEW(c->m->arena, struct value);

    if (!always || always->kind != VALUE_FLAG || !always->flag)
        return;
    *step = *c->step;
    step->item = ARENA_ARRAY(c->m->arena, struct value, c->step->n);
    step->n = 0;
    for (size_t i = 0; i < c->step->n; i++) {
        const struct value *v = &c->step->item[i];

        if (v != always && (is_chosen(c) || strcmp(v->name, "p") != 0))
            step->item[step->n++] = *v;
    }
    if (!is_chosen(c))
        step->item[step->n++] = (struct value){
            .kind = VALUE_NUMBER, .number = 1, .name = "p", .parent = c->step, .at = always->at
        };
    c->step = step;
}

static void convert(struct conversion *c)
{
    const struct foreign_name *f;
    const struct transform *own = registry_transform(c->name);

    settle_always(c);
    f = foreign_find_of(c->m->library, c->name, c->step);
    if (own && own->emits && (own->origin != c->m->from || is_by_table(c)))
        own = NULL; /* a step of another library, with other parameters; only containers are
                       compatible */
    if (own && f && f->step && strstr(f->libraries, ".x") && !foreign_known_keys(f, c->step))
        f = NULL; /* a row for another version */
    if (f ? !f->step : !own) {
        import_lost(c->m, c->step, "%s has no equivalent here%s%s", c->name, f ? "; " : "",
                    f ? f->remark : "");
        c->n_lost++;
        print_nothing(c, f ? f->remark : "");
        return;
    }
    if (f)
        add_remark(c, f->remark);
    add_remark(c, foreign_unsaid(c->m->library, c->name, c->step));
    convert_keys(c, f ? f->step : arena_printf(c->m->arena, "{'type': '%s'}", c->name), f);
    check_result(c);
}

/* Names and omits a step that a loader needs, but files do not. */
static bool is_for_loader(struct import_job *m, const char *name, const struct value *step)
{
    const struct foreign_name *f = foreign_find_of(m->library, name, step);

    return f && !f->step && strncmp(f->remark, "leave it out", 12) == 0;
}

static void print_step(struct conversion *c, struct text *out)
{
    text_add(out, c->json.at, c->json.length);
    if (c->remark.length) {
        text_adds(out, ", \"$comment\": ");
        text_add_json(out, c->remark.at, c->remark.length);
    }
    text_addc(out, '}');
    c->m->changed += c->remark.length && !c->n_lost;
    c->m->equal += !c->remark.length;
}

void import_steps(struct import_job *m, const struct value *list, int depth, struct text *out)
{
    size_t n = 0;

    text_addc(out, '[');
    for (size_t i = 0; i < list->n && depth < DEEPEST; i++) {
        const struct value *type = value_get(&list->item[i], m->importer->type_key);
        const char *dot = type && type->kind == VALUE_TEXT ? strrchr(type->text, '.') : NULL;
        struct conversion c = { .m = m, .step = &list->item[i], .depth = depth };

        if (!type || type->kind != VALUE_TEXT) {
            import_lost(m, &list->item[i], "not a step: it has no \"%s\"", m->importer->type_key);
            continue;
        }
        c.name = dot && dot[1] ? dot + 1 : type->text;
        if (is_for_loader(m, c.name, c.step)) {
            text_addf(&m->left_out, "%s%s", m->left_out.length ? ", " : "", c.name);
            continue;
        }
        convert(&c);
        text_addf(out, "%s\n%*s", n++ ? "," : "", INDENT * depth, "");
        print_step(&c, out);
        text_drop(&c.json);
        text_drop(&c.remark);
    }
    if (depth == DEEPEST)
        import_lost(m, list, "steps are more than %d levels deep", DEEPEST);
    if (n)
        text_addf(out, "\n%*s", INDENT * (depth - 1) + (depth == 1 ? 2 : 0), "");
    text_addc(out, ']');
}
