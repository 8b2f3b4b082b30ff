/* rows: converts the parameters of a plugin's entry to lockstep's rows, and checks them. */
#include "steps/plugin/adapt.h"

#include <string.h>

enum { MAX_ROWS = 64 }; /* more than any entry has: a table without an end is noticed */

_Static_assert(sizeof(struct lockstep_optional) == sizeof(struct optional) &&
                   sizeof(struct lockstep_range) == sizeof(struct range) &&
                   sizeof(struct lockstep_colour) == sizeof(struct colour) &&
                   sizeof(struct lockstep_list) == sizeof(struct list) &&
                   sizeof(struct lockstep_numbers) == sizeof(struct numbers) &&
                   offsetof(struct lockstep_optional, number) ==
                       offsetof(struct optional, number) &&
                   offsetof(struct lockstep_colour, channel) == offsetof(struct colour, channel) &&
                   offsetof(struct lockstep_list, at) == offsetof(struct list, at) &&
                   offsetof(struct lockstep_numbers, n) == offsetof(struct numbers, n),
               "plugins see the values of parameters as they are");

static const struct {
    const struct kind *kind;
    size_t size, alignment;
} kinds[] = {
    [LOCKSTEP_NUMBER] = { &number_kind, sizeof(double), _Alignof(double) },
    [LOCKSTEP_INTEGER] = { &integer_kind, sizeof(int), _Alignof(int) },
    [LOCKSTEP_WHOLE] = { &whole_kind, sizeof(int64_t), _Alignof(int64_t) },
    [LOCKSTEP_FLAG] = { &flag_kind, sizeof(bool), _Alignof(bool) },
    [LOCKSTEP_CHOICE] = { &choice_kind, sizeof(int), _Alignof(int) },
    [LOCKSTEP_OPTIONAL] = { &optional_kind, sizeof(struct optional), _Alignof(struct optional) },
    [LOCKSTEP_RANGE] = { &range_kind, sizeof(struct range), _Alignof(struct range) },
    [LOCKSTEP_COLOUR] = { &colour_kind, sizeof(struct colour), _Alignof(struct colour) },
    [LOCKSTEP_LIST] = { &list_kind, sizeof(struct list), _Alignof(struct list) },
    [LOCKSTEP_NUMBERS] = { &numbers_kind, sizeof(struct numbers), _Alignof(struct numbers) },
    [LOCKSTEP_TEXT] = { &text_kind, sizeof(const char *), _Alignof(const char *) },
};

/* A table's rows while they are read. */
struct row_reader {
    struct adapter *a;
    const char *of; /* the entry */
    const struct lockstep_row *rows;
    size_t n, params_size;
};

static bool is_parameter_name(const char *name)
{
    return *name >= 'a' && *name <= 'z' && strlen(name) <= 40 &&
           strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(name);
}

static bool is_common_key(const char *name)
{
    static const char *const keys[] = { "type", "id", "p", "when" };

    for (size_t i = 0; i < COUNTOF(keys); i++)
        if (strcmp(keys[i], name) == 0)
            return true;
    return false;
}

static const char *place(const struct row_reader *r, const struct lockstep_row *row)
{
    return arena_printf(&r->a->faults->arena, "%s.%s", r->of, row->name);
}

static bool check_name(const struct row_reader *r, size_t i)
{
    const struct lockstep_row *row = &r->rows[i];
    struct faults *faults = r->a->faults;

    if (!is_parameter_name(row->name))
        return fault_add(faults, 0, 0, r->of, "plugin-name",
                         "parameter %zu needs a name such as lower_case_1, of at most 40 "
                         "characters",
                         i + 1);
    if (is_common_key(row->name))
        return fault_add(faults, 0, 0, place(r, row), "plugin-name",
                         "every step already has this key; rename the parameter");
    for (size_t k = 0; k < i; k++)
        if (strcmp(r->rows[k].name, row->name) == 0)
            return fault_add(faults, 0, 0, place(r, row), "plugin-clash",
                             "two parameters have this name");
    return true;
}

/* Checks that the field is inside the struct, has the kind's type, and does not overlap another
 * field. */
static bool check_field(const struct row_reader *r, size_t i)
{
    const struct lockstep_row *row = &r->rows[i];
    struct faults *faults = r->a->faults;

    if (row->kind <= 0 || (size_t)row->kind >= COUNTOF(kinds))
        return fault_add(faults, 0, 0, place(r, row), "plugin-row", "there is no kind %d",
                         row->kind);
    if (!row->help || !*row->help)
        return fault_add(faults, 0, 0, place(r, row), "plugin-row",
                         "help is missing: describe the parameter");
    if (row->size != kinds[row->kind].size || row->offset % kinds[row->kind].alignment)
        return fault_add(faults, 0, 0, place(r, row), "plugin-field",
                         "a field of %zu bytes at offset %zu cannot be %s, which has %zu bytes",
                         row->size, row->offset, kinds[row->kind].kind->name,
                         kinds[row->kind].size);
    if (row->offset > r->params_size || row->size > r->params_size - row->offset)
        return fault_add(faults, 0, 0, place(r, row), "plugin-beyond",
                         "bytes %zu to %zu are outside of params_size, %zu", row->offset,
                         row->offset + row->size, r->params_size);
    for (size_t k = 0; k < i; k++)
        if (row->offset < r->rows[k].offset + r->rows[k].size &&
            r->rows[k].offset < row->offset + row->size)
            return fault_add(faults, 0, 0, place(r, row), "plugin-overlap",
                             "it shares bytes with \"%s\": each parameter needs a field of its own",
                             r->rows[k].name);
    return true;
}

static bool is_range(struct lockstep_range range)
{
    return range.lo <= range.hi; /* false for NaN */
}

static bool is_given(struct lockstep_range range)
{
    return range.lo != 0 || range.hi != 0;
}

static const char *wrong_choices(const struct lockstep_choice *c)
{
    size_t n = 0;

    for (; c && c[n].word; n++) {
        if (!is_parameter_name(c[n].word) || !c[n].help)
            return "each word of `choices` must be lower_case and have help";
        for (size_t k = 0; k < n; k++)
            if (strcmp(c[k].word, c[n].word) == 0 || c[k].value == c[n].value)
                return "two of `choices` have the same word or value";
    }
    return n ? NULL : "a choice needs `choices`";
}

static const char *wrong_limits(const struct lockstep_row *row)
{
    bool list = row->kind == LOCKSTEP_LIST || row->kind == LOCKSTEP_NUMBERS;

    if (!is_range(row->limit) || !is_range(row->usual))
        return "the lower end of a range is above its upper end, or NaN";
    if (is_given(row->limit) && is_given(row->usual) &&
        (row->usual.lo < row->limit.lo || row->usual.hi > row->limit.hi))
        return "`usual` is outside of `limit`";
    if (list && (row->least < 1 || row->least > row->most ||
                 (row->kind == LOCKSTEP_LIST && row->most > (int)COUNTOF(((struct list *)0)->at))))
        return "lengths of a list must be in order and at least 1; for LIST at most 16";
    return row->kind == LOCKSTEP_CHOICE ? wrong_choices(row->choices) : NULL;
}

static bool check_limits(const struct row_reader *r, size_t i)
{
    const char *wrong = wrong_limits(&r->rows[i]);

    return !wrong ||
           fault_add(r->a->faults, 0, 0, place(r, &r->rows[i]), "plugin-limit", "%s", wrong);
}

static const struct choice *choices_of(struct arena *arena, const struct lockstep_choice *from)
{
    struct choice *to;
    size_t n = 0;

    while (from && from[n].word)
        n++;
    to = ARENA_ARRAY(arena, struct choice, n + 1);
    for (size_t i = 0; i < n; i++)
        to[i] = (struct choice){ from[i].word, from[i].value, from[i].help };
    return n ? to : NULL;
}

static struct row host_row(struct arena *arena, const struct lockstep_row *from)
{
    bool colour = from->kind == LOCKSTEP_COLOUR;

    return (struct row){
        .name = from->name,
        .help = from->help,
        .unit = from->unit,
        .kind = kinds[from->kind].kind,
        .offset = from->offset,
        .size = from->size,
        .preset = from->preset,
        .limit =
            colour ? (struct range){ 0, 255 } : (struct range){ from->limit.lo, from->limit.hi },
        .usual = { from->usual.lo, from->usual.hi },
        .scalar = from->symmetric ? SCALAR_SYMMETRIC : SCALAR_FIXED,
        .least = from->least,
        .most = from->most,
        .choices = from->kind == LOCKSTEP_CHOICE ? choices_of(arena, from->choices) : NULL,
    };
}

/* Checks that the row accepts its default. */
static bool check_preset(const struct row_reader *r, const struct lockstep_row *own,
                         const struct row *row)
{
    struct arena arena = { 0 };
    struct faults inner = { .name = row->name };
    const struct value *value;
    void *params;

    if (!row->preset)
        return true;
    params = arena_take(&arena, r->params_size);
    inner.text = (struct slice){ row->preset, strlen(row->preset) };
    value = value_parse(&inner, &arena);
    if (value)
        row->kind->read(row, value, (char *)params + row->offset,
                        &(struct reader){ .arena = &arena }, &inner);
    if (inner.n)
        fault_add(r->a->faults, 0, 0, place(r, own), "plugin-default", "the default %s: %s",
                  row->preset, inner.list[0].message);
    faults_drop(&inner);
    arena_drop(&arena);
    return !inner.n;
}

const struct row *adapt_rows(struct adapter *a, const char *of, const struct lockstep_row *rows,
                             size_t params_size)
{
    struct row_reader r = { a, of, rows, 0, params_size };
    size_t faults = a->faults->n;
    struct row *to;

    while (rows && rows[r.n].name && r.n <= MAX_ROWS)
        r.n++;
    if (r.n > MAX_ROWS) {
        fault_add(a->faults, 0, 0, of, "plugin-row",
                  "there are more than %d parameters: end the rows with LOCKSTEP_ROWS_END",
                  MAX_ROWS);
        return NULL;
    }
    to = ARENA_ARRAY(a->arena, struct row, r.n + 1);
    for (size_t i = 0; i < r.n; i++)
        if (check_name(&r, i) && check_field(&r, i) && check_limits(&r, i)) {
            to[i] = host_row(a->arena, &rows[i]);
            check_preset(&r, &rows[i], &to[i]);
        }
    return r.n && a->faults->n == faults ? to : NULL;
}
