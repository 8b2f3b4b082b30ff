/* test_tables: every table of parameters: defaults in limits, help present, names unique, examples
 * that are steps. These checks replace asserts at the start of a debug build. */
#include "plan/plan.h"

#include "unit.h"

#include <ctype.h>
#include <string.h>

/* Names of the table, for failed checks. */
static const char *table, *entry;

static void check_that(bool ok, const char *what, int line)
{
    if (!unit_check(ok, __FILE__, line, what))
        fprintf(stderr, "    in %s.%s\n", table, entry);
}
#define THAT(cond) check_that((cond), #cond, __LINE__)

static bool is_phrase(const char *text)
{
    return text && *text && text[strlen(text) - 1] != '.' && !isspace((unsigned char)*text) &&
           !(isupper((unsigned char)text[0]) && islower((unsigned char)text[1]));
}

static bool can_read(const struct row *row, const char *json, struct arena *arena, void *to)
{
    struct faults faults = { .name = row->name, .text = { json, strlen(json) } };
    struct value *value = value_parse(&faults, arena);
    bool good = value &&
                row->kind->read(row, value, to, &(struct reader){ .arena = arena }, &faults) &&
                !faults.n;

    faults_drop(&faults);
    return good;
}

/* The default is valid, and its printed form reads back as the same value. */
static void check_preset(const struct row *row, struct arena *arena)
{
    void *to = arena_take(arena, 256), *again = arena_take(arena, 256);
    struct text printed = { 0 }, once_more = { 0 };

    THAT(can_read(row, row->preset, arena, to));
    row->kind->print(row, to, &printed);
    THAT(can_read(row, text_string(&printed), arena, again));
    row->kind->print(row, again, &once_more);
    THAT(strcmp(text_string(&printed), text_string(&once_more)) == 0);
    text_drop(&printed);
    text_drop(&once_more);
}

static void check_schema(const struct row *row, struct arena *arena)
{
    struct text schema = { 0 };
    struct faults faults = { .name = row->name };

    text_addc(&schema, '{');
    row->kind->schema(row, &schema);
    text_addc(&schema, '}');
    faults.text = (struct slice){ schema.at, schema.length };
    THAT(schema.length > 2 && value_parse(&faults, arena));
    faults_drop(&faults);
    text_drop(&schema);
}

static void check_limits(const struct row *row)
{
    THAT(row->limit.lo <= row->limit.hi);
    THAT(row->usual.lo <= row->usual.hi);
    if (row_has_limit(row) && (row->usual.lo != 0 || row->usual.hi != 0)) {
        THAT(row->usual.lo >= row->limit.lo && row->usual.hi <= row->limit.hi);
        THAT(!row->above || row->usual.lo > row->limit.lo);
    }
    if (row->kind == &list_kind || row->kind == &optional_list_kind)
        THAT(row->least >= 1 && row->most >= row->least && row->most <= 16);
}

static void check_choices(const struct row *row)
{
    THAT((row->kind == &choice_kind || row->kind == &paint_kind) == (row->choices != NULL));
    for (const struct choice *c = row->choices; c && c->word; c++) {
        THAT(is_phrase(c->help));
        for (const struct choice *d = row->choices; d != c; d++)
            THAT(strcmp(c->word, d->word) != 0);
    }
}

static void check_rows(const char *of, const struct row *rows, size_t size)
{
    struct arena arena = { 0 };

    table = of;
    for (ROWS (row, rows)) {
        entry = row->name;
        THAT(is_phrase(row->help));
        THAT(row->kind && row->kind->wants && row->kind->read && row->kind->print);
        THAT(row_get(rows, row->name) == row);
        THAT(row->offset < size);
        check_limits(row);
        check_choices(row);
        check_schema(row, &arena);
        if (row->preset)
            check_preset(row, &arena);
    }
    arena_drop(&arena);
}

/* Keys of all steps are not taken by a step's own. */
static void check_step_rows(const char *of, const struct row *rows, size_t size)
{
    check_rows(of, rows, size);
    entry = "";
    THAT(!row_get(rows, "type"));
    for (ROWS (row, step_rows))
        THAT(!row_get(rows, row->name));
}

static void check_example(const char *name, const char *example)
{
    struct text pipeline = { 0 };
    struct faults faults = { .name = name };
    struct plan plan;

    table = name;
    entry = "example";
    text_addf(&pipeline, "{\"version\": 1, \"transforms\": [%s]}", example);
    faults.text = (struct slice){ pipeline.at, pipeline.length };
    THAT(plan_read(&faults, &plan));
    THAT(plan.transforms.n == 1 && strcmp(step_name(&plan.transforms.step[0]), name) == 0);
    plan_drop(&plan);
    faults_drop(&faults);
    text_drop(&pipeline);
}

static void test_sections(void)
{
    check_rows("pipeline", pipeline_rows, 256);
    check_rows("annotations", annotation_rows, sizeof(struct rules));
    check_rows("output", output_rows, sizeof(struct output_rules));
    check_rows("step", step_rows, 256);
}

static void test_ops(void)
{
    for (EACH(op, op, registry_ops)) {
        check_step_rows(op->name, op->params, op->params_size);
        check_example(op->name, op->example);
        THAT(is_phrase(op->summary));
        THAT((op->resolve || op->expand) && op->effect);
        THAT(!family_joins(op->family) || (op->expand && !op->resolve));
        THAT((op->family == FAMILY_JOIN) == (op->images != NULL));
        THAT(!registry_transform(op->name) && registry_op(op->name) == op);
    }
}

/* A value of the one must be a value of the other: it is copied without being checked. */
static void check_shared_row(const struct row *from, const struct row *to)
{
    entry = to->name;
    THAT(from->size == to->size);
    THAT(!row_has_limit(to) ||
         (row_has_limit(from) && from->limit.lo >= to->limit.lo && from->limit.hi <= to->limit.hi));
    THAT(!to->above || from->above || from->limit.lo > to->limit.lo);
    THAT((!to->whole || from->whole) && (!to->odd || from->odd));
    THAT(from->least >= to->least && from->most <= to->most);
}

static void check_shared(const struct row *from, const struct op *op)
{
    for (ROWS (row, op->params)) {
        const struct row *own = row_shared(from, row);

        if (own)
            check_shared_row(own, row);
    }
}

static void test_transforms(void)
{
    for (EACH(transform, t, registry_transforms)) {
        bool container = false, joins = false;

        check_step_rows(t->name, t->params, t->params_size);
        check_example(t->name, t->example);
        for (ROWS (row, t->params))
            container |= row->kind == &steps_kind;
        THAT(is_phrase(t->summary));
        THAT(t->draw && t->chance >= 0 && t->chance <= 1);
        THAT(container == (t->emits == NULL));
        for (const char *const *name = t->emits; name && *name; name++)
            check_shared(t->params, registry_op(*name));
        THAT(registry_transform(t->name) == t);
        for (const char *const *name = t->emits; name && *name; name++) {
            THAT(registry_op(*name));
            joins |= registry_op(*name)->images != NULL;
        }
        THAT(joins == (t->images != NULL));
    }
}

static void test_formats(void)
{
    for (EACH(format, f, registry_formats)) {
        table = f->name;
        entry = "format";
        THAT(f->summary && *f->summary && (f->translate || (f->read && f->load)));
        THAT(f->translate || (f->suffix ? f->print_file != NULL : f->write != NULL));
    }
}

/* The registry is made from file names: each must name the file's contents. */
static void check_file_name(const char *file, const char *name)
{
    table = file;
    entry = name;
    THAT(strcmp(file, name) == 0);
}

#define OP(file) extern const struct op file##_op;
#define TRANSFORM(file) extern const struct transform file##_transform;
#define FORMAT(file) extern const struct format file##_format;
#include "registry.inc"
#undef OP
#undef TRANSFORM
#undef FORMAT

static void test_file_names(void)
{
#define OP(file) check_file_name(#file, file##_op.name);
#define TRANSFORM(file) check_file_name(#file, file##_transform.name);
#define FORMAT(file) check_file_name(#file, file##_format.name);
#include "registry.inc"
}

int main(void)
{
    static const struct unit_test tests[] = {
        TEST(test_sections), TEST(test_ops),        TEST(test_transforms),
        TEST(test_formats),  TEST(test_file_names),
    };

    return unit_main(tests, COUNTOF(tests));
}
