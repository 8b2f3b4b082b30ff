/* survey_labels: reads folders of labels of YOLO and Pascal VOC. */
#include "stats/survey.h"

#include <stdlib.h>
#include <string.h>

/* Stores all coordinates in a fixed order; equal objects have equal numbers. */
static void keep_numbers(struct survey *s, const struct object *o, struct survey_object *to)
{
    size_t n = o->has_box ? 4 : 0;
    double *at;

    for (size_t i = 0; i < o->rings.n; i++)
        n += 2 * o->rings.ring[i].n;
    n += 3 * o->n_keypoints;
    to->numbers = at = ARENA_ARRAY(&s->arena, double, n);
    to->n_numbers = n;
    if (o->has_box) {
        memcpy(at, to->box, sizeof to->box);
        at += 4;
    }
    for (size_t i = 0; i < o->rings.n; i++)
        for (size_t k = 0; k < o->rings.ring[i].n; k++) {
            *at++ = o->rings.ring[i].at[k].x;
            *at++ = o->rings.ring[i].at[k].y;
        }
    for (size_t i = 0; i < o->n_keypoints; i++) {
        *at++ = o->keypoints[i].at.x;
        *at++ = o->keypoints[i].at.y;
        *at++ = o->keypoints[i].visibility;
    }
}

static void keep_object(struct survey *s, const struct dataset *d, size_t record,
                        const struct object *o, struct survey_object *to)
{
    struct box box = o->has_box ? o->bbox : rings_bounds(&o->rings);
    struct point size = o->has_box ? o->size : box_extent(box);
    uint8_t *visibility;

    *to = (struct survey_object){
        .id = SURVEY_NO_ID,
        .image_id = (int64_t)record,
        .image = (uint32_t)record,
        .category = o->category ? (uint32_t)(o->category - d->categories) : SURVEY_NONE,
        .category_id = o->category ? (int64_t)(o->category - d->categories) : SURVEY_NO_ID,
        .box = { box.x0, box.y0, size.x, size.y },
        .has_box = o->has_box || o->rings.n,
        .area = o->rings.n ? rings_area(&o->rings) : -1,
        .segmentation = (uint8_t)o->segmentation,
        .crowd = o->crowd,
        .n_keypoints = (uint32_t)o->n_keypoints
    };
    to->visibility = visibility = arena_take(&s->arena, o->n_keypoints + 1);
    for (size_t i = 0; i < o->n_keypoints; i++)
        visibility[i] = (uint8_t)o->keypoints[i].visibility;
    keep_numbers(s, o, to);
}

static void keep_categories(struct survey *s, const struct dataset *d)
{
    s->n_categories = d->n_categories;
    s->categories = ARENA_ARRAY(&s->arena, struct survey_category, d->n_categories);
    for (size_t i = 0; i < d->n_categories; i++)
        s->categories[i] = (struct survey_category){ .name = d->categories[i].name,
                                                     .id = SURVEY_NO_ID,
                                                     .n_keypoints = d->categories[i].n_keypoints,
                                                     .keypoint = d->categories[i].keypoint_name };
}

void survey_read_labels(struct survey *s, const struct dataset *d, struct faults *f,
                        struct frame (*frame_of)(void *context, const struct record *),
                        void *context)
{
    static const struct rules rules = { .keypoints = KEYPOINTS_CONTINUOUS };
    struct arena scratch = { 0 };
    struct pile objects = { 0 };

    s->format = d->format ? d->format->name : "none";
    keep_categories(s, d);
    s->n_images = d->n_records;
    s->images = ARENA_ARRAY(&s->arena, struct survey_image, d->n_records);
    for (size_t i = 0; i < d->n_records; i++) {
        const struct record *record = &d->records[i];
        struct frame frame = frame_of(context, record);
        struct sample sample = { .arena = &scratch, .frame = frame };

        s->images[i] = (struct survey_image){
            .name = record->name, .id = SURVEY_NO_ID, .width = frame.width, .height = frame.height
        };
        if (frame.width < 1 || (d->format && !d->format->load(d, i, &rules, &sample, f))) {
            s->n_unread++;
            continue;
        }
        for (size_t k = 0; k < sample.n_objects; k++)
            keep_object(s, d, i, &sample.objects[k], pile_add(&objects, sizeof *s->objects));
        for (size_t k = 0; k < sample.n_labels; k++)
            keep_object(s, d, i, &(struct object){ .category = sample.labels[k].category },
                        pile_add(&objects, sizeof *s->objects));
        s->images[i].n_objects = (uint32_t)(sample.n_objects + sample.n_labels);
        arena_reset(&scratch);
    }
    s->n_objects = objects.n;
    s->objects = (void *)arena_copy(&s->arena, objects.at, objects.n * sizeof *s->objects);
    free(objects.at);
    arena_drop(&scratch);
}
