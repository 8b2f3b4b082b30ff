/* explain_ranges: ranges from which a transform samples its parameters. */
#include "plan/explain.h"

#include "base/number.h"
#include "plan/plan.h"

/* Returns the list, or NULL for an optional list that is not given. */
static const struct list *list_of(const struct row *row, const void *field)
{
    const struct optional_list *list = field;

    if (row->kind == &list_kind)
        return field;
    return row->kind == &optional_list_kind && list->given ? &list->list : NULL;
}

/* Gets the range of a row, given or by default; false if it has no range, or a range of one number.
 */
static bool get_range(const struct row *row, const void *params, struct range *range)
{
    const void *field = (const char *)params + row->offset;
    const struct list *list = row->ends ? list_of(row, field) : NULL;

    if (row->kind == &range_kind)
        *range = *(const struct range *)field;
    else if (row->kind == &optional_range_kind && ((const struct optional_range *)field)->given)
        *range = ((const struct optional_range *)field)->range;
    else if (list && list->n == 2)
        *range = (struct range){ list->at[0], list->at[1] };
    else
        return false;
    return range->lo < range->hi;
}

size_t explain_ranges(const struct step *step, struct text *out)
{
    struct range range;
    size_t n = 0;

    text_addc(out, '{');
    if (step->transform && step->transform->params)
        for (ROWS (row, step->transform->params))
            if (get_range(row, step->params, &range)) {
                text_addf(out, "%s\"%s\": [", n++ ? ", " : "", row->name);
                number_print(out, range.lo);
                text_adds(out, ", ");
                number_print(out, range.hi);
                text_addc(out, ']');
            }
    text_addc(out, '}');
    return n;
}
