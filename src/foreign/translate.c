/* translate: another library's step, by the template that the table has for it, with its own
 * parameters. */
#include "foreign.h"

#include "../op/joint.h"
#include "template.h"

#include <stdlib.h>
#include <string.h>

/* --- values of other libraries --- */

/* A number, or the mean of a list of numbers; false when it is neither. */
static bool middle(const struct value *v, double *to)
{
    double sum = 0;

    if (v->kind == VALUE_NUMBER) {
        *to = v->number;
        return true;
    }
    if (v->kind != VALUE_LIST || !v->n)
        return false;
    for (size_t i = 0; i < v->n; i++) {
        if (v->item[i].kind != VALUE_NUMBER)
            return false;
        sum += v->item[i].number;
    }
    *to = sum / (double)v->n;
    return true;
}

/* The largest absolute value of a number or a list of numbers; false when it is neither. */
static bool largest(const struct value *v, double *to)
{
    *to = 0;
    if (v->kind == VALUE_NUMBER)
        *to = fabs(v->number);
    for (size_t i = 0; v->kind == VALUE_LIST && i < v->n; i++) {
        if (v->item[i].kind != VALUE_NUMBER)
            return false;
        *to = fmax(*to, fabs(v->item[i].number));
    }
    return v->kind == VALUE_NUMBER || (v->kind == VALUE_LIST && v->n);
}

/* Six digits are enough for what people type. */
static bool print_rounded(struct text *out, double value)
{
    text_addf(out, "%.6g", value);
    return true;
}

/* "3", "[1, 3]" or {"x": ...}: [3, 3], [1, 3], that of x. */
static bool print_pair(const struct value *v, double context, struct text *out)
{
    (void)context;
    if (v->kind == VALUE_OBJECT && value_get(v, "x"))
        return print_pair(value_get(v, "x"), 0, out);
    if (v->kind != VALUE_NUMBER && (v->kind != VALUE_LIST || v->n != 2))
        return false;
    if (v->kind == VALUE_LIST) {
        value_print(v, out);
        return true;
    }
    text_addf(out, "[%.6g, %.6g]", v->number, v->number);
    return true;
}

/* How far a shift goes along x and y, from a number, a range, or one of either for x and y. */
static bool print_reach(const struct value *v, double context, struct text *out)
{
    const struct value *x = value_get(v, "x"), *y = value_get(v, "y");
    double to_x = 0, to_y = 0;

    (void)context;
    if (v->kind != VALUE_OBJECT)
        x = y = v;
    if ((!x && !y) || (x && !largest(x, &to_x)) || (y && !largest(y, &to_y)))
        return false;
    text_addf(out, "[%.6g, %.6g]", fmin(to_x, 1), fmin(to_y, 1));
    return true;
}

static bool print_scaled_middle(const struct value *v, double factor, struct text *out)
{
    double value;

    return middle(v, &value) && print_rounded(out, value * factor);
}

static bool print_round(const struct value *v, double context, struct text *out)
{
    double value;

    (void)context;
    return middle(v, &value) && print_rounded(out, round(value));
}

static bool print_negative(const struct value *v, double context, struct text *out)
{
    (void)context;
    return v->kind == VALUE_NUMBER && print_rounded(out, -v->number);
}

/* A standard deviation on the scale 0..1 from a variance on 0..255. */
static bool print_root(const struct value *v, double context, struct text *out)
{
    double value;

    (void)context;
    return middle(v, &value) && value >= 0 && print_rounded(out, sqrt(value) / 255);
}

/* The largest kernel of a range, made odd; 0 means what the library derives from a sigma of
 * 3, its default. */
static bool print_odd(const struct value *v, double context, struct text *out)
{
    double value;

    (void)context;
    if (!largest(v, &value))
        return false;
    return print_rounded(out, value < 1 ? 21 : 2 * floor(value / 2) + 1);
}

/* [width, height] as [height, width]; of a list of such pairs the first. */
static bool print_swapped(const struct value *v, double context, struct text *out)
{
    (void)context;
    if (v->kind == VALUE_LIST && v->n && v->item[0].kind == VALUE_LIST)
        v = &v->item[0];
    if (v->kind == VALUE_NUMBER) {
        text_addf(out, "[%.6g, %.6g]", v->number, v->number);
        return true;
    }
    if (v->kind != VALUE_LIST || v->n != 2 || v->item[0].kind != VALUE_NUMBER ||
        v->item[1].kind != VALUE_NUMBER)
        return false;
    text_addf(out, "[%.6g, %.6g]", v->item[1].number, v->item[0].number);
    return true;
}

/* One of words by OpenCV's number, or by a word that `aliases` pairs with it. */
static bool print_word(const struct value *v, const char *const *by_number, size_t n,
                       struct text *out)
{
    const char *word = NULL;

    if (v->kind == VALUE_NUMBER && v->number >= 0 && v->number < (double)n)
        word = by_number[(size_t)v->number];
    if (!word)
        return false;
    text_addf(out, "\"%s\"", word);
    return true;
}

/* cv2.BORDER_CONSTANT, _REPLICATE, _REFLECT, _WRAP, _REFLECT_101; numpy's words. */
static bool print_border(const struct value *v, double context, struct text *out)
{
    static const char *const modes[] = { "constant", "edge", "symmetric", NULL, "reflect" };

    (void)context;
    for (size_t i = 0; v->kind == VALUE_TEXT && i < COUNTOF(modes); i++)
        if (modes[i] && strcmp(v->text, modes[i]) == 0) {
            text_addf(out, "\"%s\"", modes[i]);
            return true;
        }
    return print_word(v, modes, COUNTOF(modes), out);
}

/* cv2.INTER_NEAREST to _LANCZOS4; Pillow's and torchvision's words in capitals. Area is what
 * "bilinear" with "antialias" comes near to. */
static bool print_interpolation(const struct value *v, double context, struct text *out)
{
    static const char *const taps[] = { "nearest", "bilinear", "bicubic", "bilinear", "lanczos" };
    static const char *const known[] = { "nearest", "bilinear", "bicubic", "lanczos" };
    const char *word = v->kind == VALUE_TEXT ? v->text : "", *dot = strrchr(word, '.');

    (void)context;
    word = dot ? dot + 1 : word;
    for (size_t i = 0; i < COUNTOF(known); i++)
        if (strcasecmp(word, known[i]) == 0) {
            text_addf(out, "\"%s\"", known[i]);
            return true;
        }
    return print_word(v, taps, COUNTOF(taps), out);
}

static bool print_steps(const struct value *v, double context, struct text *out)
{
    (void)v;
    (void)context;
    text_adds(out, "[...]");
    return true;
}

static const struct {
    const char *name;
    bool (*print)(const struct value *, double context, struct text *);
    double context;
} functions[] = {
    { "pair", print_pair, 0 },
    { "reach", print_reach, 0 },
    { "mid", print_scaled_middle, 1 },
    { "2*", print_scaled_middle, 2 },
    { "mid*3", print_scaled_middle, 3 },
    { "mid*100", print_scaled_middle, 100 },
    { "mid*180", print_scaled_middle, 180 },
    { "mid*255", print_scaled_middle, 255 },
    { "mid/255", print_scaled_middle, 1.0 / 255 },
    { "round", print_round, 0 },
    { "neg", print_negative, 0 },
    { "sqrt255", print_root, 0 },
    { "odd", print_odd, 0 },
    { "swap", print_swapped, 0 },
    { "border", print_border, 0 },
    { "interpolation", print_interpolation, 0 },
    { "steps", print_steps, 0 },
};

/* --- templates --- */

bool template_next(const char **at, struct placeholder *p)
{
    const char *begin = strchr(*at, '$'), *end, *equals, *colon;

    if (!begin)
        return false;
    end = strchr(begin + 1, '$');
    equals = strchr(begin, '=');
    colon = memchr(begin, ':', (size_t)(equals - begin));
    *p = (struct placeholder){ .begin = begin,
                               .function = { begin + 1, 0 },
                               .names = { colon ? colon + 1 : begin + 1, 0 },
                               .preset = { equals + 1, (size_t)(end - equals - 1) },
                               .end = end + 1 };
    p->function.length = colon ? (size_t)(colon - begin - 1) : 0;
    p->names.length = (size_t)(equals - p->names.at);
    *at = end + 1;
    return true;
}

bool placeholder_names(const struct placeholder *p, const char *name)
{
    size_t length = strlen(name);
    const char *at = p->names.at, *end = at + p->names.length;

    while (at < end) {
        const char *bar = memchr(at, '|', (size_t)(end - at));

        bar = bar ? bar : end;
        if ((size_t)(bar - at) == length && strncmp(at, name, length) == 0)
            return true;
        at = bar + 1;
    }
    return false;
}

/* The first of its names that the step has. */
static const struct value *given_value(const struct placeholder *p, const struct value *step)
{
    const char *at = p->names.at, *end = at + p->names.length;

    while (step && at < end) {
        const char *bar = memchr(at, '|', (size_t)(end - at));

        bar = bar ? bar : end;
        for (size_t i = 0; i < step->n; i++) {
            const char *name = step->item[i].name;

            if (name && strlen(name) == (size_t)(bar - at) &&
                strncmp(at, name, (size_t)(bar - at)) == 0)
                return &step->item[i];
        }
        at = bar + 1;
    }
    return NULL;
}

/* JSON in which ' means ". */
static void add_quoted(struct text *out, const char *at, size_t length)
{
    for (size_t i = 0; i < length; i++)
        text_addc(out, at[i] == '\'' ? '"' : at[i]);
}

/* "minus NAME": a length, from its two ends. */
static bool print_minus(const struct placeholder *p, const struct value *v,
                        const struct value *step, struct text *out)
{
    struct placeholder other = { .names = { p->function.at + 6, p->function.length - 6 } };
    const struct value *from = given_value(&other, step);

    if (v->kind != VALUE_NUMBER || (from && from->kind != VALUE_NUMBER))
        return false;
    return print_rounded(out, v->number - (from ? from->number : 0));
}

static bool print_placeholder(const struct placeholder *p, const struct value *v,
                              const struct value *step, struct text *out)
{
    if (!p->function.length) {
        value_print(v, out);
        return true;
    }
    if (strncmp(p->function.at, "minus ", 6) == 0)
        return print_minus(p, v, step, out);
    for (size_t i = 0; i < COUNTOF(functions); i++)
        if (strlen(functions[i].name) == p->function.length &&
            strncmp(functions[i].name, p->function.at, p->function.length) == 0)
            return functions[i].print(v, functions[i].context, out);
    return false;
}

static void add_preset(const struct placeholder *p, const struct value *step, struct text *out)
{
    struct arena arena = { 0 };
    struct text json = { 0 };
    struct faults faults = { .name = "default" };
    const struct value *value = NULL;

    add_quoted(&json, p->preset.at, p->preset.length);
    faults.text = (struct slice){ json.at, json.length };
    if (p->function.length && strcmp(text_string(&json), "null") != 0)
        value = value_parse(&faults, &arena);
    if (strncmp(p->function.at, "steps:", 6) == 0)
        text_adds(out, "[...]");
    else if (!value || !print_placeholder(p, value, step, out))
        text_add(out, json.at, json.length);
    faults_drop(&faults);
    arena_drop(&arena);
    text_drop(&json);
}

void template_expand(const char *template, const struct value *step, struct text *out)
{
    const char *at = template, *from = template;
    struct placeholder p;

    while (template_next(&at, &p)) {
        const struct value *v = given_value(&p, step);

        add_quoted(out, from, (size_t)(p.begin - from));
        from = p.end;
        if (!v || !print_placeholder(&p, v, step, out))
            add_preset(&p, step, out);
    }
    add_quoted(out, from, strlen(from));
}

/* --- whole steps --- */

static const struct row *rows_of(const char *type)
{
    const struct transform *transform = registry_transform(type);
    const struct op *op = transform ? NULL : registry_op(type);

    return transform ? transform->params : op ? op->params : NULL;
}

/* A value that the step's own key takes as it is. */
static bool taken(const struct row *row, const struct value *v)
{
    struct arena arena = { 0 };
    struct faults faults = { .name = "value" };
    bool good = row->kind != &steps_kind && row->kind != &chains_kind &&
                row->kind != &donor_steps_kind && row->kind != &inputs_kind;
    /* Larger than what any kind of parameter reads into. */
    union {
        struct list list;
        struct optional_list optional;
        struct corners corners;
        char bytes[1024];
    } to;

    memset(&to, 0, sizeof to);
    good = good && row->kind->read(row, v, &to, &(struct reader){ .arena = &arena }, &faults);
    faults_drop(&faults);
    arena_drop(&arena);
    return good;
}

void foreign_translate(const struct foreign_name *f, const struct value *step, struct text *out)
{
    struct arena arena = { 0 };
    struct faults faults = { .name = f->name };
    struct text json = { 0 };
    const struct value *own;
    const struct row *rows, *row;

    template_expand(f->step, step, &json);
    text_add(out, json.at, json.length - 1);
    /* Placeholders of nested steps are no JSON: no step here has both them and other keys. */
    faults.text = (struct slice){ json.at, json.length };
    own = value_parse(&faults, &arena);
    rows = own ? rows_of(value_get(own, "type")->text) : NULL;
    for (size_t i = 0; rows && step && i < step->n; i++) {
        const struct value *v = &step->item[i];
        struct placeholder p;
        const char *at = f->step;
        bool used = false;

        while (template_next(&at, &p))
            used |= placeholder_names(&p, v->name);
        row = row_get(rows, v->name);
        if (used || value_get(own, v->name) || !row || !taken(row, v))
            continue;
        text_addf(out, ", \"%s\": ", v->name);
        value_print(v, out);
    }
    text_addc(out, '}');
    faults_drop(&faults);
    arena_drop(&arena);
    text_drop(&json);
}
