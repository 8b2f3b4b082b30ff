/* prints: checks that a printed step with all its values can be read again and prints the same. */
#include "steps/properties/random_step.h"
#include "steps/properties/walk.h"

#include "steps/op_shared/join_params.h"
#include "plan/plan.h"

#include <stdio.h>
#include <string.h>

enum {
    MAX_COMBINATIONS = 2048, /* number of combinations of choices and flags; with more, only random
                                ones are tried */
    RANDOM_DRAWS = 300,
};

/* JSON around the members that the rows describe. */
struct form {
    const char *before, *after;
    const struct row *rows;
    const struct value *example; /* values to start from; NULL: none */
    struct slice example_text;
};

/* --- values --- */

static void add_steps(struct rng *rng, struct text *out)
{
    static const char *const lists[] = {
        "[]",
        "[{\"type\": \"horizontal_flip\"}]",
        "[{\"type\": \"RandomRotation\", \"degrees\": 7, \"p\": 0.25}, {\"type\": \"invert\"}]",
    };

    text_adds(out, lists[rng_integer(rng, 0, COUNTOF(lists))]);
}

static void add_range(const struct row *row, struct rng *rng, struct text *out)
{
    struct row number = *row;
    struct range r = row->usual.lo != row->usual.hi ? row->usual : row->limit;
    double middle = (r.lo + (isinf(r.hi) ? r.lo + 2 : r.hi)) / 2;

    number.kind = row->whole ? &whole_kind : &number_kind;
    number.usual = (struct range){ r.lo, middle };
    text_addc(out, '[');
    random_value(&number, rng, out);
    number.usual = (struct range){ middle, r.hi };
    text_adds(out, ", ");
    random_value(&number, rng, out);
    text_addc(out, ']');
}

/* Adds a value of one of the kinds that only transforms and sections have; false for the rest. */
static bool add_policy(const struct row *row, struct rng *rng, struct text *out)
{
    const struct kind *kind = row->kind;

    if (kind == &range_kind || kind == &optional_range_kind)
        add_range(row, rng, out);
    else if (kind == &steps_kind || kind == &donor_steps_kind)
        add_steps(rng, out);
    else if (kind == &donors_kind)
        text_adds(out, "{\"has_category\": [\"cat\"], \"same_size\": true}");
    else if (kind == &weights_kind)
        text_adds(out, "[0.25, 0.75]");
    else if (kind == &names_kind)
        text_adds(out, "[\"cat\", \"d\\u00f6g\"]");
    else if (kind == &inputs_kind)
        text_adds(out, "[{\"source\": \"b \\\"c\\\".jpg\", \"objects\": [0, 2], \"blending\": "
                       "\"feather\", \"opacity\": 0.5}, {\"top\": -4}]");
    else
        return false;
    return true;
}

static void add_value(const struct row *row, struct rng *rng, struct text *out)
{
    bool nullable = row->preset && strcmp(row->preset, "null") == 0;

    if (nullable && rng_unit(rng) < 0.3)
        text_adds(out, "null");
    else if (!add_policy(row, rng, out))
        random_value(row, rng, out);
}

/* --- documents --- */

static bool read_document(const struct text *json, struct plan *plan, struct text *why)
{
    struct faults faults = { .name = "printed", .text = { json->at, json->length } };
    bool good = plan_read(&faults, plan);

    if (!good && why)
        faults_print(&faults, 1, why);
    if (!good)
        plan_drop(plan);
    faults_drop(&faults);
    return good;
}

/* True if the document is accepted; checks what it prints. */
static bool check_document(struct walker *w, const struct text *json)
{
    struct text printed = { 0 }, again = { 0 }, why = { 0 };
    struct plan plan;
    bool accepted = read_document(json, &plan, NULL);

    if (accepted) {
        plan_print(&plan, &printed);
        plan_drop(&plan);
        snprintf(w->about, sizeof w->about, "%s", text_string((struct text *)json));
        if (!walk_check(w, read_document(&printed, &plan, &why),
                        "what is printed of an accepted step is accepted")) {
            snprintf(w->about, sizeof w->about, "%s", text_string(&why));
            walk_check(w, false, "the reason why it is not accepted");
        } else {
            plan_print(&plan, &again);
            plan_drop(&plan);
            walk_check(w, strcmp(text_string(&printed), text_string(&again)) == 0,
                       "what is printed prints the same again");
        }
    }
    text_drop(&printed);
    text_drop(&again);
    text_drop(&why);
    return accepted;
}

static const struct value *example_value(const struct form *form, const struct row *row)
{
    return form->example ? value_get(form->example, row->name) : NULL;
}

static bool has_choices(const struct row *row)
{
    return row->kind == &choice_kind || row->kind == &flag_kind;
}

static size_t count_choices(const struct row *row)
{
    size_t n = 0;

    if (row->kind == &flag_kind)
        return 2;
    while (row->choices[n].word)
        n++;
    return n;
}

static void add_choice(const struct row *row, size_t i, struct text *out)
{
    if (row->kind == &flag_kind)
        text_adds(out, i ? "true" : "false");
    else
        text_addf(out, "\"%s\"", row->choices[i].word);
}

/* Prints a document with choices by the number `combination`. Other values are those of the
 * example, or with `rng` partly random and partly left out. */
static void print_document(const struct form *form, uint64_t combination, struct rng *rng,
                           struct text *out)
{
    text_adds(out, form->before);
    for (ROWS (row, form->rows)) {
        const struct value *given = example_value(form, row);
        struct text value = { 0 };

        if (has_choices(row)) {
            size_t n = count_choices(row);

            add_choice(row, (size_t)(combination % n), &value);
            combination /= n;
        } else if (rng && rng_unit(rng) < 0.4) {
            add_value(row, rng, &value);
        } else if (given) {
            text_add(&value, form->example_text.at + given->at.offset, given->at.length);
        }
        if (value.length)
            text_addf(out, ", \"%s\": %s", row->name, text_string(&value));
        text_drop(&value);
    }
    text_adds(out, form->after);
}

static void check_documents(struct walker *w, const struct form *form, const char *name)
{
    struct rng rng = rng_start(1, rng_stream(name), RNG_DRAW);
    uint64_t combinations = 1, listed;
    size_t accepted = 0;

    for (ROWS (row, form->rows))
        if (has_choices(row) && combinations <= MAX_COMBINATIONS)
            combinations *= count_choices(row);
    listed = combinations <= MAX_COMBINATIONS ? combinations : 0;
    for (uint64_t i = 0; i < listed + RANDOM_DRAWS; i++) {
        struct text json = { 0 };

        if (i < listed)
            print_document(form, i, NULL, &json);
        else
            print_document(form, rng_u64(&rng), &rng, &json);
        accepted += check_document(w, &json);
        text_drop(&json);
    }
    snprintf(w->about, sizeof w->about, "%s", name);
    walk_check(w, accepted > 0, "some values are accepted");
}

static void check_step(struct walker *w, const char *name, const struct row *rows,
                       const char *example)
{
    static const char after[] = ", \"p\": 0.5, \"when\": {\"min_size\": 3}}]}";
    struct arena arena = { 0 };
    struct faults faults = { .name = name, .text = { example, strlen(example) } };
    struct text before = { 0 };
    struct form form = { .rows = rows, .example_text = faults.text };

    form.example = value_parse(&faults, &arena);
    text_addf(&before, "{\"version\": 1, \"transforms\": [{\"type\": \"%s\"", name);
    form.before = text_string(&before);
    form.after = after;
    check_documents(w, &form, name);
    text_drop(&before);
    faults_drop(&faults);
    arena_drop(&arena);
}

void walk_prints(struct walker *w, const struct op *op)
{
    check_step(w, op->name, op->params, op->example);
}

void walk_prints_of(struct walker *w, const struct transform *t)
{
    check_step(w, t->name, t->params, t->example);
}

void walk_prints_section(struct walker *w, const char *name, const struct row *rows)
{
    struct text before = { 0 };
    struct form form = { .after = "}}", .rows = rows };

    text_addf(&before, "{\"version\": 1, \"transforms\": [], \"%s\": {\"$comment\": \"\"", name);
    form.before = text_string(&before);
    check_documents(w, &form, name);
    text_drop(&before);
}
