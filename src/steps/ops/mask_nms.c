/* mask_nms: of overlapping masks, keeps the one with the highest score. */
#include "steps/op_shared/labels.h"

struct params {
    double iou_threshold;
    int compare; /* enum compare */
    bool by_category;
    struct optional default_score;
};

static const struct row rows[] = {
    NUMBER(struct params, iou_threshold, .preset = "0.5", .limit = { 0, 1 },
           .help = "if the IoU of two masks exceeds this, the mask with the lower score is "
                   "dropped"),
    CHOICE(struct params, compare, .preset = "\"gt\"", .choices = compare_choices,
           .help = "how the IoU is compared with the threshold; with `ge`, a threshold of 0 "
                   "drops nothing"),
    FLAG(struct params, by_category, .preset = "false",
         .help = "compare only masks of the same category"),
    DEFAULT_SCORE_ROW(struct params),
    ROWS_END,
};

/* Collects the objects with a segmentation, and their masks. Returns false if a polygon needs the
 * unknown size of the image. */
static bool collect_masks(struct sample *s, struct detections *all, struct rle **masks)
{
    size_t n = 0;

    *masks = ARENA_ARRAY(s->arena, struct rle, s->n_objects);
    for (size_t i = 0; i < all->n; i++) {
        const struct object *o = all->at[i].object;

        if (o->segmentation == SEGMENTATION_NONE)
            continue;
        if (o->segmentation == SEGMENTATION_POLYGONS && !s->frame.width)
            return false;
        (*masks)[o - s->objects] = o->segmentation == SEGMENTATION_RLE
                                       ? o->rle
                                       : rle_from_rings(s->arena, &o->rings, s->frame);
        all->at[n++] = all->at[i];
    }
    all->n = n;
    return true;
}

static void suppress(struct sample *s, const struct detection *d, size_t n, const struct rle *masks,
                     const struct params *p)
{
    const struct nms_rule rule = { p->iou_threshold, p->compare == COMPARE_GE };
    struct nms_box *boxes = ARENA_ARRAY(s->arena, struct nms_box, n);
    uint32_t *order = ARENA_ARRAY(s->arena, uint32_t, n);

    for (size_t i = 0; i < n; i++)
        boxes[i] = d[i].scored;
    nms_order(boxes, n, order);
    for (size_t i = 0; i < n; i++) {
        const struct object *above = d[order[i]].object;

        for (size_t k = i + 1; k < n && !above->failed; k++) {
            struct object *below = d[order[k]].object;
            double iou = below->failed ? 0
                                       : rle_iou(&masks[below - s->objects],
                                                 &masks[above - s->objects], false);

            if (!below->failed && nms_suppresses(&rule, iou))
                object_fail(below, "mask_nms", iou);
        }
    }
}

static bool suppress_all(const void *params, const struct rules *rules, struct sample *sample,
                         struct text *why)
{
    const struct params *p = params;
    struct detections all = detections_of(sample, rules, EDGES_CONTINUOUS, &p->default_score);
    struct rle *masks;

    if (!collect_masks(sample, &all, &masks)) {
        text_adds(why, "masks of polygons need the image's size, which the annotations do not "
                       "give");
        return false;
    }
    if (p->compare == COMPARE_GE && p->iou_threshold <= 0)
        return true;
    if (p->by_category)
        detections_by_category(&all);
    for (size_t from = 0, end; from < all.n; from = end) {
        end = p->by_category ? detections_end(&all, from) : all.n;
        suppress(sample, all.at + from, end - from, masks, p);
    }
    return true;
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    (void)scene;
    action_labels(out, suppress_all, params);
    return true;
}

const struct op mask_nms_op = {
    .name = "mask_nms",
    .summary = "of overlapping polygons and masks, keep the one with the highest score; "
               "objects without segmentation are unchanged",
    .group = GROUP_LABELS,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"mask_nms\", \"iou_threshold\": 0.5, \"default_score\": 1}",
    .params = rows,
    .params_size = sizeof(struct params),
    .effect = EFFECT_RELABELS,
    .subject = SUBJECT_OBJECTS,
    .resolve = resolve,
    .sizeless = true,
};
