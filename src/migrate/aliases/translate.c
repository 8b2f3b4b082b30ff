/* translate: converts another library's step, by its template in the table and with its own
 * parameters. */
#include "migrate/aliases/foreign.h"

#include "steps/op_shared/join_params.h"
#include "migrate/aliases/template.h"

#include <string.h>

const struct row *foreign_rows(const char *type)
{
    const struct transform *transform = registry_transform(type);
    const struct op *op = transform ? NULL : registry_op(type);

    return transform ? transform->params : op ? op->params : NULL;
}

bool foreign_can_take(const struct row *row, const struct value *v)
{
    struct arena arena = { 0 };
    struct faults faults = { .name = "value" };
    bool good = row->kind != &steps_kind && row->kind != &chains_kind &&
                row->kind != &donor_steps_kind && row->kind != &inputs_kind;
    /* Large enough for the value of any kind of parameter. */
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
    /* Placeholders of nested steps are not JSON; no step here has both them and other keys. */
    faults.text = (struct slice){ json.at, json.length };
    own = value_parse(&faults, &arena);
    rows = own ? foreign_rows(value_get(own, "type")->text) : NULL;
    for (size_t i = 0; rows && step && i < step->n; i++) {
        const struct value *v = &step->item[i];
        struct placeholder p;
        const char *at = f->step;
        bool used = false;

        while (template_next(&at, &p))
            used |= placeholder_names(&p, v->name);
        row = row_get(rows, v->name);
        if (used || value_get(own, v->name) || !row || !foreign_can_take(row, v))
            continue;
        text_addf(out, ", \"%s\": ", v->name);
        value_print(v, out);
    }
    text_addc(out, '}');
    faults_drop(&faults);
    arena_drop(&arena);
    text_drop(&json);
}
