/* class_list: the classes that --classes pins. */
#include "labels/shared/class_list.h"

#include <stdlib.h>
#include <string.h>

struct class_name {
    const char *name;
    size_t class;
};

static int by_name(const void *a, const void *b)
{
    const struct class_name *x = a, *y = b;
    int order = strcmp(x->name, y->name);

    return order ? order : (x->class > y->class) - (x->class < y->class);
}

bool class_list_sort(struct class_list *list, struct arena *arena, size_t *twice)
{
    struct class_name *sorted = memory_take((list->n + 1) * sizeof *sorted);
    size_t *order = ARENA_ARRAY(arena, size_t, list->n);
    bool good = true;

    for (size_t i = 0; i < list->n; i++)
        sorted[i] = (struct class_name){ list->name[i], i };
    qsort(sorted, list->n, sizeof *sorted, by_name);
    for (size_t i = 0; i < list->n; i++) {
        order[i] = sorted[i].class;
        if (i && good && *sorted[i].name && strcmp(sorted[i - 1].name, sorted[i].name) == 0) {
            *twice = sorted[i].class;
            good = false;
        }
    }
    list->by_name = order;
    free(sorted);
    return good;
}

bool class_list_find(const struct class_list *list, const char *name, size_t *class)
{
    size_t low = 0, high = list->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(list->name[list->by_name[middle]], name);

        *class = list->by_name[middle];
        if (order == 0)
            return *name;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

struct category *class_list_categories(const struct class_list *list, struct arena *arena)
{
    struct category *all = ARENA_ARRAY(arena, struct category, list->n);

    for (size_t i = 0; i < list->n; i++)
        all[i] = (struct category){ .name = list->name[i], .id = (int64_t)i };
    return all;
}

struct slice class_list_text(const struct category *all, size_t n, struct arena *arena)
{
    struct text names = { 0 };
    struct slice copy;

    for (size_t i = 0; i < n; i++)
        text_addf(&names, "%s\n", all[i].name);
    copy = (struct slice){ arena_copy(arena, text_string(&names), names.length), names.length };
    text_drop(&names);
    return copy;
}

bool class_list_fault(const struct class_list *list, struct faults *f, struct slice at,
                      const char *path, const char *name)
{
    struct nearest near = { .word = name };
    size_t offset = at.at ? (size_t)(at.at - f->text.at) : 0;

    for (size_t i = 0; i < list->n; i++)
        nearest_try(&near, list->name[i]);
    return fault_add(f, offset, at.length, path, "class-unlisted",
                     "the class \"%s\" is not in %s%s", name, list->file,
                     nearest_hint(&near, &f->arena));
}
