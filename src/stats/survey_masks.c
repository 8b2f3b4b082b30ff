/* survey_masks: lists the values of label masks as categories, and their pixels in an image as an
 * object. */
#include "batch/inspect/inspect.h"
#include "labels/shared/class_list.h"
#include "stats/survey.h"

#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* Sorts the values, and keeps one of each. */
static void keep_one_of_each(struct pile *values)
{
    uint32_t *at = values->at;
    size_t n = 0;

    if (values->n)
        qsort(at, values->n, sizeof *at, by_value);
    for (size_t i = 0; i < values->n; i++)
        if (!n || at[n - 1] != at[i])
            at[n++] = at[i];
    values->n = n;
}

/* Lists the values that occur or have a class. Returns their number. */
static size_t list_values(const struct inspection *masks, const struct class_list *classes,
                          uint32_t **to)
{
    struct pile values = { 0 };

    for (size_t i = 0; classes && i < classes->n; i++)
        *(uint32_t *)pile_add(&values, sizeof **to) = (uint32_t)i;
    for (size_t i = 0; i < masks->n; i++) {
        const struct inspected_file *mask = &masks->masks[i];
        const struct seen_segment *seen =
            mask->has_pixels ? inspection_segments(masks, mask) : NULL;

        for (size_t k = 0; mask->has_pixels && k < mask->n_segments; k++)
            *(uint32_t *)pile_add(&values, sizeof **to) = seen[k].id;
        if (values.n > 1 << 20)
            keep_one_of_each(&values);
    }
    keep_one_of_each(&values);
    *to = values.at;
    return values.n;
}

static const char *name_value(struct survey *s, const struct class_list *classes, uint32_t value)
{
    return classes && value < classes->n
               ? arena_printf(&s->arena, "%u %s", (unsigned)value, classes->name[value])
               : arena_printf(&s->arena, "%u", (unsigned)value);
}

static void add_mask(struct survey *s, const struct inspection *masks, size_t image,
                     const uint32_t *values, size_t n, struct pile *objects)
{
    const struct inspected_file *mask = &masks->masks[image];
    const struct seen_segment *seen = inspection_segments(masks, mask);

    for (size_t k = 0; k < mask->n_segments; k++) {
        const uint32_t *value = bsearch(&seen[k].id, values, n, sizeof *values, by_value);
        struct survey_object *o = pile_add(objects, sizeof *o);

        *o = (struct survey_object){ .id = SURVEY_NO_ID,
                                     .image_id = (int64_t)image,
                                     .category_id = seen[k].id,
                                     .image = (uint32_t)image,
                                     .category = (uint32_t)(value - values),
                                     .area = seen[k].area };
    }
    s->images[image].n_objects = (uint32_t)mask->n_segments;
}

void survey_read_masks(struct survey *s, const struct dataset *d, const struct inspection *masks,
                       const struct class_list *classes)
{
    struct pile objects = { 0 };
    uint32_t *values = NULL;
    size_t n = list_values(masks, classes, &values);

    s->format = "masks";
    s->masks = true;
    s->n_images = d->n_records;
    s->images = ARENA_ARRAY(&s->arena, struct survey_image, d->n_records + 1);
    s->n_categories = n;
    s->categories = ARENA_ARRAY(&s->arena, struct survey_category, n + 1);
    for (size_t i = 0; i < n; i++)
        s->categories[i] =
            (struct survey_category){ .name = name_value(s, classes, values[i]), .id = values[i] };
    for (size_t i = 0; i < d->n_records; i++) {
        const struct inspected_file *image = &masks->images[i];

        s->images[i] = (struct survey_image){ .name = d->records[i].name, .id = SURVEY_NO_ID };
        if (image->has_header) {
            s->images[i].width = image->header.frame.width;
            s->images[i].height = image->header.frame.height;
        }
        if (masks->masks[i].has_pixels)
            add_mask(s, masks, i, values, n, &objects);
        else
            s->n_unread++;
    }
    s->n_objects = objects.n;
    s->objects = (void *)arena_copy(&s->arena, objects.at, objects.n * sizeof *s->objects);
    free(objects.at);
    free(values);
}
