/* segment_list: "segments_info", element by element. */
#include "labels/coco/segment_list.h"

#include "labels/coco/labels.h"
#include "labels/coco/numbers.h"
#include "labels/coco/segments.h"

#include <string.h>

void coco_segments_begin(struct coco_segments *w, struct faults *f, struct slice annotation,
                         size_t index)
{
    struct slice list = pick_again(annotation, "segments_info");

    *w = (struct coco_segments){ .scan = scan_again(f->text, (size_t)(list.at - f->text.at)),
                                 .first = true,
                                 .good = true };
    snprintf(w->list, sizeof w->list, "annotations[%zu].segments_info", index);
    w->place = coco_place(f, w->list, SIZE_MAX);
    scan_open(&w->scan, '[');
}

static bool read_crowd(const struct place *p, const struct pick *pick, bool *crowd, unsigned *set)
{
    struct slice value = pick->value.at ? pick->value : pick->null;
    unsigned found = 0;

    if (!value.at)
        return true;
    if (!coco_crowd_read(value, crowd, &found))
        return place_fault(p, value, "iscrowd", "coco-type", "expected 0 or 1");
    coco_crowd_note(p, value, found);
    *set |= found;
    return true;
}

static bool read_id(const struct place *p, const struct pick *pick, int64_t *id, unsigned *set)
{
    if (!coco_pick_id(p, pick, id, set))
        return false;
    if (*id >= 1 && *id <= LARGEST_SEGMENT)
        return true;
    return place_fault(p, pick->value, "id", "coco-segment-id",
                       "%lld is not the id of a segment: 1..%d", (long long)*id, LARGEST_SEGMENT);
}

/* Area and box are not read, but written as COCO has them. */
static unsigned look_at_quoted(const struct place *p, const struct pick *pick)
{
    struct slice value = pick->value;

    if (!value.at || !memchr(value.at, '"', value.length) || !numbers_are_quoted(value))
        return 0;
    deviation_note_member(p, DEVIATION_STRING_NUMBER, value, pick->name);
    return DEVIATION(STRING_NUMBER);
}

bool coco_segments_next(struct coco_segments *w, struct coco_segment *s)
{
    struct pick pick[] = { { .name = "id", .required = true },
                           { .name = "category_id" },
                           { .name = "iscrowd" },
                           { .name = "area" },
                           { .name = "bbox" } };
    const struct place *p = &w->place;
    struct slice element = { 0 };
    unsigned set = 0;

    *s = (struct coco_segment){ .category = COCO_NO_ID };
    if (!scan_element(&w->scan, &w->first))
        return false;
    w->place.index++;
    w->good = pick_members(&w->scan, p, &w->order, pick, COUNTOF(pick), &element) &&
              read_id(p, &pick[0], &s->id, &set) && coco_pick_id(p, &pick[1], &s->category, &set) &&
              read_crowd(p, &pick[2], &s->crowd, &set);
    set |= look_at_quoted(p, &pick[3]) | look_at_quoted(p, &pick[4]);
    s->category_at = pick[1].value;
    s->text = element;
    s->deviates = (set & DEVIATIONS_REPAIRED) != 0;
    return w->good;
}

struct slice coco_segment_id_at(struct slice annotation, size_t index)
{
    struct scan s = scan_start(pick_again(annotation, "segments_info"), 0);
    struct slice element = annotation;
    bool first = true;

    scan_open(&s, '[');
    for (size_t i = 0; i <= index && scan_element(&s, &first); i++)
        scan_value(&s, &element);
    return pick_again(element, "id");
}
