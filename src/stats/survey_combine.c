/* survey_combine: makes one survey of the parts of a dataset. */
#include "stats/survey.h"

#include <string.h>

/* Adds a category unless there is one of its name. Returns its index. */
static uint32_t add_category(struct survey *to, const struct survey_category *category)
{
    for (size_t i = 0; i < to->n_categories; i++) {
        const struct survey_category *known = &to->categories[i];

        if (strcmp(known->name, category->name) == 0 && (*known->name || known->id == category->id))
            return (uint32_t)i;
    }
    to->categories[to->n_categories] = *category;
    return (uint32_t)to->n_categories++;
}

static void add_images(struct survey *to, const struct survey *from, size_t part)
{
    const char *below = to->parts[part].below;

    for (size_t i = 0; i < from->n_images; i++) {
        struct survey_image *image = &to->images[to->n_images++];

        *image = from->images[i];
        image->part = (uint32_t)part;
        if (*below && *image->name)
            image->name = arena_printf(&to->arena, "%s/%s", below, image->name);
    }
}

static void add_objects(struct survey *to, const struct survey *from, size_t first,
                        const uint32_t *category)
{
    for (size_t i = 0; i < from->n_objects; i++) {
        struct survey_object *o = &to->objects[to->n_objects++];

        *o = from->objects[i];
        if (o->image != SURVEY_NONE)
            o->image += (uint32_t)first;
        if (o->category != SURVEY_NONE)
            o->category = category[o->category];
    }
}

void survey_combine(struct survey *to, const struct survey *const *from,
                    const struct survey_part *parts, size_t n)
{
    struct survey_part *own = (void *)arena_copy(&to->arena, parts, n * sizeof *parts);
    size_t images = 0, categories = 0, objects = 0;

    to->format = n ? from[0]->format : "none";
    for (size_t i = 0; i < n; i++) {
        images += from[i]->n_images;
        categories += from[i]->n_categories;
        objects += from[i]->n_objects;
        to->n_unread += from[i]->n_unread;
        to->masks |= from[i]->masks;
    }
    to->parts = own;
    to->n_parts = n;
    to->images = ARENA_ARRAY(&to->arena, struct survey_image, images + 1);
    to->categories = ARENA_ARRAY(&to->arena, struct survey_category, categories + 1);
    to->objects = ARENA_ARRAY(&to->arena, struct survey_object, objects + 1);
    for (size_t i = 0; i < n; i++) {
        uint32_t *category = ARENA_ARRAY(&to->arena, uint32_t, from[i]->n_categories + 1);
        size_t first = to->n_images;

        for (size_t k = 0; k < from[i]->n_categories; k++)
            category[k] = add_category(to, &from[i]->categories[k]);
        own[i].n_images = from[i]->n_images;
        own[i].n_objects = from[i]->n_objects;
        own[i].first_object = to->n_objects;
        add_images(to, from[i], i);
        add_objects(to, from[i], first, category);
    }
}

const char *survey_part_of_image(const struct survey *s, size_t image)
{
    return s->n_parts ? s->parts[s->images[image].part].name : "";
}

const char *survey_part_of_object(const struct survey *s, size_t object)
{
    size_t i = 0;

    while (i + 1 < s->n_parts && object >= s->parts[i + 1].first_object)
        i++;
    return s->n_parts ? s->parts[i].name : "";
}
