/* labels: parameters and helpers that ops on detections share. */
#include "steps/op_shared/labels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct choice edges_choices[] = {
    { "continuous", EDGES_CONTINUOUS, "at x + width, as in COCO and torchvision" },
    { "inclusive", EDGES_INCLUSIVE,
      "at pixel x + max(width - 1, 0), inclusive, as in maskrcnn-benchmark: every box is at "
      "least 1 pixel wide" },
    { 0 },
};

const struct choice compare_choices[] = {
    { "gt", COMPARE_GT, "above it" },
    { "ge", COMPARE_GE, "equal to it or above" },
    { 0 },
};

const struct choice order_choices[] = {
    { "score", ORDER_SCORE, "the highest scores; with equal scores, the first in the file" },
    { "index", ORDER_INDEX, "the first in the file" },
    { 0 },
};

struct box edges_box(struct point corner, struct point size, enum box_edges edges)
{
    if (edges == EDGES_INCLUSIVE)
        size = (struct point){ fmax(size.x, 1), fmax(size.y, 1) };
    return (struct box){ corner.x, corner.y, corner.x + size.x, corner.y + size.y };
}

struct detections detections_of(struct sample *s, const struct rules *rules, enum box_edges edges,
                                const struct optional *default_score)
{
    struct detections all = { ARENA_ARRAY(s->arena, struct detection, s->n_objects), 0 };

    for (size_t i = 0; i < s->n_objects; i++) {
        struct object *o = &s->objects[i];
        struct point corner, size;

        if (o->failed || o->crowd || !(o->has_score || default_score->given) ||
            !sample_current_box(s, rules, o, &corner, &size))
            continue;
        all.at[all.n++] = (struct detection){
            o, { edges_box(corner, size, edges), o->has_score ? o->score : default_score->number }
        };
    }
    return all;
}

/* All objects are in one array, so their addresses keep their order. */
static int by_category(const void *a, const void *b)
{
    const struct detection *p = a, *q = b;
    uintptr_t x = (uintptr_t)p->object->category, y = (uintptr_t)q->object->category;

    if (x != y)
        return x < y ? -1 : 1;
    return p->object < q->object ? -1 : p->object > q->object;
}

void detections_by_category(struct detections *d)
{
    if (d->n)
        qsort(d->at, d->n, sizeof *d->at, by_category);
}

size_t detections_end(const struct detections *d, size_t from)
{
    size_t end = from;

    while (end < d->n && d->at[end].object->category == d->at[from].object->category)
        end++;
    return end;
}

static struct nms_box *boxes_of(const struct detections *d)
{
    struct nms_box *boxes = memory_take((d->n + 1) * sizeof *boxes);

    for (size_t i = 0; i < d->n; i++)
        boxes[i] = d->at[i].scored;
    return boxes;
}

void detections_suppress(const struct detections *d, const struct suppress *p, const char *reason)
{
    const struct nms_rule rule = { p->iou_threshold, p->compare == COMPARE_GE };
    struct nms_box *boxes;
    uint32_t *by;

    if (rule.inclusive && rule.threshold <= 0)
        return;
    boxes = boxes_of(d);
    by = memory_take((d->n + 1) * sizeof *by);
    nms(boxes, d->n, &rule, by);
    for (size_t i = 0; i < d->n; i++)
        if (by[i] != i)
            object_fail(d->at[i].object, reason, box_iou(boxes[by[i]].box, boxes[i].box));
    free(boxes);
    free(by);
}

void detections_limit(const struct detections *d, size_t max, enum label_order order)
{
    uint32_t *at = memory_take((d->n + 1) * sizeof *at);
    struct nms_box *boxes = boxes_of(d);
    size_t n = 0;

    nms_order(boxes, d->n, at);
    for (size_t i = 0; i < d->n; i++) {
        const struct detection *one = &d->at[order == ORDER_INDEX ? i : at[i]];

        if (!one->object->failed && n++ >= max)
            object_fail(one->object, "max_objects", (double)n);
    }
    free(boxes);
    free(at);
}

static const struct category *category_named(const struct sample *s, const char *name)
{
    for (size_t i = 0; i < s->n_categories; i++)
        if (strcmp(s->categories[i].name, name) == 0)
            return &s->categories[i];
    return NULL;
}

/* Context of find_new. */
struct class_map {
    const struct sample *sample;
    const struct names *from, *to; /* without `to`: objects are dropped */
};

static const struct category *find_new(const void *context, const struct category *category)
{
    const struct class_map *r = context;

    for (size_t i = 0; i < r->from->n; i++) {
        const struct category *found;

        if (strcmp(category->name, r->from->at[i]) != 0)
            continue;
        found = r->to ? category_named(r->sample, r->to->at[r->to->n > 1 ? i : 0]) : NULL;
        return found || !r->to ? found : category;
    }
    return category;
}

void relabel_objects(struct sample *s, const struct names *from, const struct names *to)
{
    sample_change_classes(s, find_new, &(struct class_map){ s, from, to });
}
