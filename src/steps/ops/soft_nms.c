/* soft_nms: lowers the scores of overlapped boxes (Bodla et al., Soft-NMS, 2017). */
#include "steps/op_shared/labels.h"

#include <stdlib.h>

enum decay { DECAY_LINEAR, DECAY_GAUSSIAN };

struct params {
    int method; /* enum decay */
    double iou_threshold, sigma, min_score;
    bool agnostic;
    int edges;
    struct optional default_score;
};

static const struct choice methods[] = {
    { "linear", DECAY_LINEAR, "by 1 - IoU, if the IoU is above the threshold" },
    { "gaussian", DECAY_GAUSSIAN, "by exp(-IoU^2 / sigma)" },
    { 0 },
};

static const struct row rows[] = {
    CHOICE(struct params, method, .preset = "\"linear\"", .choices = methods,
           .help = "factor for a score, for each overlapping box with a higher score"),
    NUMBER(struct params, iou_threshold, .preset = "0.3", .limit = { 0, 1 }, .help = "of `linear`"),
    NUMBER(struct params, sigma, .preset = "0.5", .limit = { 0, 1000 }, .above = true,
           .usual = { 0.1, 1 }, .help = "of `gaussian`"),
    NUMBER(struct params, min_score, .preset = "0.001", .limit = { 0, 1 },
           .help = "objects whose score falls below this are dropped"),
    FLAG(struct params, agnostic, .preset = "false", .help = "boxes of other categories count too"),
    EDGES_ROW(struct params),
    DEFAULT_SCORE_ROW(struct params),
    ROWS_END,
};

static void decay(struct detection *d, size_t n, const struct params *p)
{
    const struct decay_rule rule = { p->method == DECAY_GAUSSIAN, p->iou_threshold, p->sigma };
    struct nms_box *boxes = memory_take(n * sizeof *boxes);

    for (size_t i = 0; i < n; i++)
        boxes[i] = d[i].scored;
    soft_nms(boxes, n, &rule);
    for (size_t i = 0; i < n; i++)
        d[i].scored.score = boxes[i].score;
    free(boxes);
}

static void put_score(struct object *o, double score, const struct params *p)
{
    double before = o->has_score ? o->score : p->default_score.number;

    if (score < p->min_score) {
        object_fail(o, "soft_nms", score);
    } else if (score != before) {
        o->score = score;
        o->has_score = true;
        o->changes |= CHANGE_SCORED;
    }
}

static bool suppress(const void *params, const struct rules *rules, struct sample *sample,
                     struct text *why)
{
    const struct params *p = params;
    struct detections all =
        detections_of(sample, rules, (enum box_edges)p->edges, &p->default_score);

    (void)why;
    if (!p->agnostic)
        detections_by_category(&all);
    for (size_t from = 0, end; from < all.n; from = end) {
        end = p->agnostic ? all.n : detections_end(&all, from);
        decay(all.at + from, end - from, p);
    }
    for (size_t i = 0; i < all.n; i++)
        put_score(all.at[i].object, all.at[i].scored.score, p);
    return true;
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    (void)scene;
    action_labels(out, suppress, params);
    return true;
}

const struct op soft_nms_op = {
    .name = "soft_nms",
    .summary = "lower the scores of boxes that overlap others of their category with higher "
               "scores",
    .group = GROUP_LABELS,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"soft_nms\", \"method\": \"gaussian\", \"default_score\": 1}",
    .params = rows,
    .params_size = sizeof(struct params),
    .effect = EFFECT_RELABELS,
    .subject = SUBJECT_OBJECTS,
    .resolve = resolve,
    .sizeless = true,
};
