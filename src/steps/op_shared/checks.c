/* checks: conditions between parameters that several ops and transforms share. */
#include "steps/op_shared/checks.h"

#include "steps/op_shared/extra_members.h"

#include <string.h>

bool padding_check(const struct list *padding, const struct value *step, struct faults *faults)
{
    if (padding->n == 3)
        return value_fault(faults, value_get(step, "padding"), false, "param-length",
                           "expected 1, 2 or 4 numbers, not 3");
    return true;
}

bool expand_check(bool expand, const struct optional_list *center, const struct value *step,
                  struct faults *faults)
{
    if (expand && center->given)
        return value_fault(faults, value_get(step, "center"), true, "param-conflict",
                           "\"center\" cannot be combined with \"expand\", which rotates about "
                           "the middle of the image");
    return true;
}

bool max_size_check(const struct size *size, const struct optional *max_size,
                    const struct value *step, struct faults *faults)
{
    const struct value *given = value_get(step, "max_size");

    if (size->single && size->height == 0 && !max_size->given)
        return value_fault(faults, value_get(step, "size"), false, "param-conflict",
                           "0 needs \"max_size\"");
    if (!size->single && (size->height == 0 || size->width == 0))
        return value_fault(faults, value_get(step, "size"), false, "param-range",
                           "a side of 0 pixels");
    if (max_size->given && !size->single)
        return value_fault(faults, given, true, "param-conflict",
                           "\"max_size\" needs a \"size\" of one number");
    if (max_size->given && max_size->number <= size->height)
        return value_fault(faults, given, false, "param-range",
                           "%.0f is not larger than \"size\", %d", max_size->number, size->height);
    return true;
}

bool num_output_channels_check(int channels, const struct value *step, struct faults *faults)
{
    if (channels == 2)
        return value_fault(faults, value_get(step, "num_output_channels"), false, "param-range",
                           "expected 1 or 3, not 2");
    return true;
}

double weights_sum(const struct weights *w)
{
    double sum = 0;

    for (size_t i = 0; i < w->n; i++)
        sum += w->at[i];
    return sum;
}

bool weights_check(const struct weights *w, size_t n, const char *of, const struct value *step,
                   struct faults *faults)
{
    const struct value *weights = value_get(step, "weights");
    double sum = weights_sum(w);

    if (w->n && w->n != n)
        return value_fault(faults, weights, false, "param-length", "%zu weights for %zu %s", w->n,
                           n, of);
    if (w->n && !(sum > 0 && isfinite(sum)))
        return value_fault(faults, weights, false, "param-range",
                           "the weights must have a positive sum");
    return true;
}

bool mask_drop_check(bool per_channel, const struct optional *mask_drop_value,
                     const struct value *step, struct faults *faults)
{
    if (per_channel && mask_drop_value->given)
        return value_fault(faults, value_get(step, "mask_drop_value"), true, "param-conflict",
                           "\"mask_drop_value\" cannot be combined with \"per_channel\", which "
                           "keeps the mask");
    return true;
}

bool channels_check(const struct list *list, const char *name, const struct value *step,
                    struct faults *faults)
{
    if (list->n == 2)
        return value_fault(faults, value_get(step, name), false, "param-length",
                           "expected 1 or 3 numbers, not 2");
    return true;
}

bool noise_ranges_check(const struct tuples *ranges, const struct value *step,
                        struct faults *faults)
{
    const struct value *given = value_get(step, "ranges");

    if (ranges->n != 1 && ranges->n != 3)
        return value_fault(faults, given, false, "param-length",
                           "expected one or three ranges, not %zu", ranges->n);
    for (size_t i = 0; i < ranges->n; i++)
        if (ranges->at[2 * i] > ranges->at[2 * i + 1])
            return value_fault(faults, &given->item[i], false, "param-order",
                               "the first number is larger than the second");
    return true;
}

bool circles_check(const struct tuples *circles, size_t numbers, const double *max, const char *is,
                   const struct value *step, struct faults *faults)
{
    const struct value *given = value_get(step, "circles");
    bool good = true;

    for (size_t i = 0; i < circles->n * numbers; i++) {
        size_t k = i % numbers;

        if (k >= 2 && (circles->at[i] < 0 || circles->at[i] > max[k]))
            good = value_fault(faults, &given->item[i / numbers].item[k], false, "param-range",
                               "a circle must be %s", is);
    }
    return good;
}

bool text_key_check(const char *key, const struct value *step, struct faults *faults)
{
    static const char *const numbers[] = { "score", "weight", "code", "anchor" };
    bool taken = member_is_own(key) || !*key;

    for (size_t i = 0; i < COUNTOF(numbers); i++)
        taken |= strcmp(key, numbers[i]) == 0;
    return !taken || value_fault(faults, value_get(step, "key"), false, "param-conflict",
                                 "\"%s\" cannot hold text; choose another member", key);
}
