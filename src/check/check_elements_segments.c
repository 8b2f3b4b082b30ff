/* check_elements_segments: reads the annotations of a panoptic file, which are lists of segments.
 */
#include "labels/coco/segment_list.h"
#include "check/elements.h"

#include <stdlib.h>
#include <string.h>

struct segment_walk {
    struct check *check;
    struct annotation_file *file;
    struct faults faults; /* faults of the current annotation */
    struct pick_order order;
    struct pile ids; /* struct id: ids of its segments */
};

/* Makes the annotation's image the image of its picture. */
static void link_image(struct segment_walk *w, const struct place *p, struct element *e,
                       const struct pick *pick, const char *picture)
{
    struct annotation_file *file = w->file;
    enum id_kind kind = file->image_kind;
    unsigned set = 0;
    int64_t image;
    const struct id *found;
    struct image_picture *to;

    if (!pick->value.at || !coco_pick_kind_id(p, pick, &kind, &image, &set))
        return;
    found = ids_find_near(&file->image_ids, image);
    if (!found) {
        if (file->sure_images)
            place_fault(p, pick->value, "image_id", "coco-image-unknown", "no image has the id %s",
                        id_words(pick->value, &p->faults->arena));
        return;
    }
    e->image = file->annotations[e->index].image = found->index;
    file->images[found->index].n_annotations++;
    to = &file->pictures[found->index];
    if (to->name &&
        coco_elements_are_equal(e->text, element_of_annotation(file, to->annotation).text))
        return; /* run reads the first one; rule D012 reports this */
    if (to->name)
        place_fault(p, pick->value, "image_id", "coco-segments-twice",
                    "annotations[%u] has the segments of this image already",
                    (unsigned)to->annotation);
    else if (picture)
        *to = (struct image_picture){ picture, e->index };
}

/* Reports segments of an annotation with the same id. */
static void check_ids(struct segment_walk *w, const struct place *p, struct slice annotation)
{
    struct id *ids = w->ids.at;

    if (w->ids.n)
        ids_sort(ids, w->ids.n);
    for (size_t i = 1; i < w->ids.n; i++) {
        char path[64];

        if (ids[i].id != ids[i - 1].id)
            continue;
        snprintf(path, sizeof path, "segments_info[%u].id", (unsigned)ids[i].index);
        place_fault(p, coco_segment_id_at(annotation, ids[i].index), path, "coco-segment-twice",
                    "segments_info[%u] has the id %lld already", (unsigned)ids[i - 1].index,
                    (long long)ids[i].id);
    }
}

static void read_segments(struct segment_walk *w, const struct place *p, const struct element *e)
{
    struct annotation_file *file = w->file;
    struct coco_segments list;
    struct coco_segment segment;

    w->ids.n = 0;
    coco_segments_begin(&list, &w->faults, e->text, e->index);
    while (coco_segments_next(&list, &segment)) {
        const struct category *c = categories_find(&file->lookup, segment.category);

        *(struct id *)pile_add(&w->ids, sizeof(struct id)) =
            (struct id){ segment.id, (uint32_t)list.place.index };
        if (c && file->lookup.n_listed == file->n_categories)
            file->categories[file->lookup.listed[c - file->lookup.at]].n_annotations++;
    }
    check_ids(w, p, e->text);
}

static void walk_annotation(struct segment_walk *w, size_t index)
{
    struct element e = element_of_annotation(w->file, index);
    struct place p = coco_place(&w->faults, "annotations", index);
    struct scan s = scan_again(w->file->text, (size_t)(e.text.at - w->file->text.at));
    struct pick pick[] = { { .name = "image_id", .required = true },
                           { .name = "file_name", .required = true },
                           { .name = "segments_info", .required = true },
                           { .name = "id" } };
    const char *picture = NULL;
    struct slice element;
    unsigned set = 0;

    arena_reset(&w->faults.arena);
    w->faults.n = 0;
    pick_members(&s, &p, &w->order, pick, COUNTOF(pick), &element);
    if (pick[3].value.at && coco_pick_id(&p, &pick[3], &e.id, &set))
        w->file->annotations[index].id = e.id;
    pick_text(&p, &pick[1], &w->check->arena, &picture);
    link_image(w, &p, &e, &pick[0], picture);
    if (pick[2].value.at && *pick[2].value.at != '[')
        place_fault(&p, pick[2].value, "segments_info", "coco-type", "expected a list");
    else if (pick[2].value.at)
        read_segments(w, &p, &e);
    w->check->element_failed = false;
    check_refused(w->check, &e, &w->faults);
}

void check_walk_segments(struct check *c, struct annotation_file *file)
{
    struct segment_walk w = { .check = c,
                              .file = file,
                              .faults = { .name = file->name, .text = file->text } };

    file->pictures = ARENA_ARRAY(&c->arena, struct image_picture, file->n_images + 1);
    for (size_t i = 0; i < file->n_annotations; i++)
        if (!file->annotations[i].broken)
            walk_annotation(&w, i);
    faults_drop(&w.faults);
    free(w.ids.at);
}
