/* class_names: classes of a format whose objects name them. */
#include "labels/shared/class_names.h"

#include <stdlib.h>
#include <string.h>

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct category *)a)->name, ((const struct category *)b)->name);
}

const struct category *class_named(const struct dataset *d, const char *name)
{
    const struct category key = { .name = name };
    size_t class;

    if (d->classes)
        return class_list_find(d->classes, name, &class) ? &d->categories[class] : NULL;
    return d->n_categories ? bsearch(&key, d->categories, d->n_categories, sizeof key, by_name)
                           : NULL;
}

/* Inserts the name; later ones move. */
void class_names_add(struct pile *pile, const char *name, struct arena *arena)
{
    const struct category *all = pile->at;
    struct category *added;
    size_t low = 0, high = pile->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(all[middle].name, name);

        if (order == 0)
            return;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    pile_add(pile, sizeof *added);
    added = (struct category *)pile->at + low;
    memmove(added + 1, added, (pile->n - 1 - low) * sizeof *added);
    *added = (struct category){ .name = arena_copy(arena, name, strlen(name)) };
}

/* Names are what makes one dataset another for a run that continues. */
void class_names_keep(struct pile *pile, struct dataset *d)
{
    struct category *all = pile->at;

    for (size_t i = 0; i < pile->n; i++)
        all[i].id = (int64_t)i;
    d->n_categories = d->classes ? d->classes->n : pile->n;
    if (d->classes)
        d->categories = class_list_categories(d->classes, d->arena);
    else if (pile->n)
        d->categories = (void *)arena_copy(d->arena, all, pile->n * sizeof *d->categories);
    d->categories_text = class_list_text(d->categories, d->n_categories, d->arena);
    free(pile->at);
    *pile = (struct pile){ 0 };
}
