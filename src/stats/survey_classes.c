/* survey_classes: makes the list of --classes the categories of a survey. */
#include "labels/shared/class_list.h"
#include "stats/survey.h"

#include <string.h>

static bool find_class(const struct survey *s, size_t category, const struct class_list *list,
                       size_t *class)
{
    return class_list_find(list, s->categories[category].name, class);
}

bool survey_pin_classes(struct survey *s, const struct class_list *list, struct faults *faults)
{
    struct survey_category *pinned = ARENA_ARRAY(&s->arena, struct survey_category, list->n);
    uint32_t *class_of = ARENA_ARRAY(&s->arena, uint32_t, s->n_categories);
    bool *told = ARENA_ARRAY(&s->arena, bool, s->n_categories);
    size_t before = faults->n, class;

    for (size_t i = 0; i < list->n; i++)
        pinned[i] = (struct survey_category){ .name = list->name[i], .id = SURVEY_NO_ID };
    for (size_t i = 0; i < s->n_categories; i++) {
        class_of[i] = SURVEY_NONE;
        if (!find_class(s, i, list, &class))
            continue;
        class_of[i] = (uint32_t) class;
        pinned[class] = s->categories[i];
    }
    for (size_t i = 0; i < s->n_objects; i++) {
        struct survey_object *o = &s->objects[i];
        uint32_t category = o->category;

        if (category == SURVEY_NONE)
            continue;
        o->category = class_of[category];
        if (o->category != SURVEY_NONE || told[category])
            continue;
        told[category] = true;
        class_list_fault(list, faults, o->element, "annotations", s->categories[category].name);
    }
    s->categories = pinned;
    s->n_categories = list->n;
    return faults->n == before;
}
