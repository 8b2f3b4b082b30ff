/* written_classes: the list of classes of the outputs. */
#include "labels/shared/written_classes.h"

const struct category *classes_written(const struct dataset *d, size_t *n)
{
    *n = d->written ? d->written->n : d->n_categories;
    return d->written ? d->written->at : d->categories;
}

size_t class_place(const struct dataset *d, const struct category *c)
{
    size_t class = (size_t)(c - d->categories);

    return d->written ? d->written->place[class] : class;
}

const struct category *class_written(const struct dataset *d, const struct category *c)
{
    size_t place = d->written ? class_place(d, c) : 0;

    return !d->written ? c : place == CLASS_GONE ? NULL : &d->written->at[place];
}

static const struct category *find_result(const void *context, const struct category *c)
{
    const struct dataset *d = context;

    return class_place(d, c) == CLASS_GONE ? d->written->result[c - d->categories] : c;
}

void classes_settle(const struct dataset *d, struct sample *s)
{
    if (d->written)
        sample_change_classes(s, find_result, d);
}
