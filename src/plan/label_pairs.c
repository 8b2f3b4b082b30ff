/* label_pairs: pairs of labels as a parameter: [[a, b], ...], no label twice. */
#include "plan/plan.h"

/* A pair is read like a list of two integers within the row's limits. */
static struct row pair_row(const struct row *row)
{
    return (struct row){
        .kind = &list_kind, .limit = row->limit, .whole = true, .least = 2, .most = 2
    };
}

static bool check_pair(const struct value *value, const struct label_pairs *before,
                       const int32_t pair[2], struct faults *faults)
{
    if (pair[0] == pair[1])
        return value_fault(faults, value, false, "param-twice", "%d is paired with itself",
                           pair[0]);
    for (size_t i = 0; i < before->n; i++)
        for (int k = 0; k < 4; k++)
            if (before->at[i][k % 2] == pair[k / 2])
                return value_fault(faults, &value->item[k / 2], false, "param-twice",
                                   "%d is in another pair already", pair[k / 2]);
    return true;
}

static bool label_pairs_read(const struct row *row, const struct value *value, void *to,
                             const struct reader *reader, struct faults *faults)
{
    struct label_pairs *pairs = to;
    struct row one = pair_row(row);
    int32_t(*at)[2];

    *pairs = (struct label_pairs){ 0 };
    if (!value_expect(value, VALUE_LIST, row->kind->wants, faults))
        return false;
    at = arena_take(reader->arena, value->n * sizeof *at);
    pairs->at = (const int32_t(*)[2])at;
    for (size_t i = 0; i < value->n; i++) {
        const struct value *item = &value->item[i];
        struct list list = { 0 };
        int32_t *pair = at[pairs->n];

        if (!list_kind.read(&one, item, &list, reader, faults))
            continue;
        pair[0] = (int32_t)list.at[0];
        pair[1] = (int32_t)list.at[1];
        pairs->n += check_pair(item, pairs, pair, faults);
    }
    return pairs->n == value->n;
}

static void label_pairs_show(const struct row *row, const void *from, struct text *out)
{
    const struct label_pairs *pairs = from;

    (void)row;
    text_addc(out, '[');
    for (size_t i = 0; i < pairs->n; i++)
        text_addf(out, "%s[%d, %d]", i ? ", " : "", pairs->at[i][0], pairs->at[i][1]);
    text_addc(out, ']');
}

static void label_pairs_schema(const struct row *row, struct text *out)
{
    struct row one = pair_row(row);

    text_adds(out, "\"type\": \"array\", \"items\": {");
    list_kind.schema(&one, out);
    text_addc(out, '}');
}

const struct kind label_pairs_kind = { "label pairs", "a list of pairs of labels, [[a, b], ...]",
                                       label_pairs_read, label_pairs_show, label_pairs_schema };
