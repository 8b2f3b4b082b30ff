/* weighted_boxes_fusion: fuses boxes of several models into one (Solovyev et al., 2021). */
#include "steps/op_shared/labels.h"

#include <math.h>

enum fused_score { FUSED_AVG, FUSED_MAX };

struct params {
    double iou_threshold, skip_box_threshold;
    int score; /* enum fused_score */
    int models;
    bool agnostic;
    int edges; /* enum box_edges */
    struct optional default_score;
};

static const struct choice scores[] = {
    { "avg", FUSED_AVG, "the mean of the fused ones" },
    { "max", FUSED_MAX, "the highest of the fused ones" },
    { 0 },
};

static const struct row rows[] = {
    NUMBER(struct params, iou_threshold, .preset = "0.55", .limit = { 0, 1 },
           .help = "a box is fused if its IoU with the boxes fused so far exceeds this"),
    NUMBER(struct params, skip_box_threshold, .preset = "0", .limit = { 0, 1 }, .usual = { 0, 0.3 },
           .help = "objects with a lower score are dropped first"),
    CHOICE(struct params, score, .preset = "\"avg\"", .choices = scores,
           .help = "the score of a fused box"),
    INTEGER(struct params, models, .preset = "1", .limit = { 1, 1000 }, .usual = { 1, 4 },
            .help = "number of models whose results are in the file: scores are multiplied by "
                    "min(number of fused boxes, models) / models"),
    FLAG(struct params, agnostic, .preset = "false",
         .help = "also fuse boxes of different categories; the category of the highest score "
                 "wins"),
    EDGES_ROW(struct params),
    DEFAULT_SCORE_ROW(struct params),
    ROWS_END,
};

/* Fused boxes: the first is the one with the highest score. */
struct cluster {
    const struct detection *first;
    struct box box;      /* their mean, weighted by scores */
    double corners[4];   /* sums of coordinates, weighted by scores */
    double sum, highest; /* of scores */
    size_t n;
};

static void join(struct cluster *c, const struct detection *d)
{
    double score = d->scored.score;
    const double v[] = { d->scored.box.x0, d->scored.box.y0, d->scored.box.x1, d->scored.box.y1 };

    for (size_t i = 0; i < COUNTOF(v); i++)
        c->corners[i] += score * v[i];
    c->sum += score;
    c->highest = fmax(c->highest, score);
    if (c->n++ == 0)
        c->box = d->scored.box;
    else if (c->sum > 0)
        c->box = (struct box){ c->corners[0] / c->sum, c->corners[1] / c->sum,
                               c->corners[2] / c->sum, c->corners[3] / c->sum };
}

/* Returns the cluster with the largest IoU with the box, the first of equal ones; n if there is
 * none above the threshold. */
static size_t nearest(const struct cluster *c, size_t n, struct box box, double threshold)
{
    size_t best = n;

    for (size_t i = 0; i < n; i++) {
        double iou = box_iou(c[i].box, box);

        if (iou > threshold) {
            threshold = iou;
            best = i;
        }
    }
    return best;
}

static bool has_only_a_box(const struct object *o)
{
    return o->segmentation == SEGMENTATION_NONE && !o->n_keypoints && !o->n_parts;
}

static void put(struct sample *s, const struct cluster *c, const struct params *p)
{
    struct object *o = c->first->object;
    double score = p->score == FUSED_MAX ? c->highest : c->sum / (double)c->n;
    size_t found = c->n < (size_t)p->models ? c->n : (size_t)p->models;

    score *= (double)found / p->models;
    if (score != c->first->scored.score) {
        o->score = score;
        o->has_score = true;
        o->changes |= CHANGE_SCORED;
    }
    if (c->n > 1)
        sample_put_box(s, o, (struct point){ c->box.x0, c->box.y0 }, box_extent(c->box));
}

/* Takes boxes in descending order of scores. Returns false if two objects would be fused that have
 * more than a box. */
static bool fuse(struct sample *s, const struct detection *d, size_t n, const struct params *p)
{
    struct cluster *c = ARENA_ARRAY(s->arena, struct cluster, n);
    struct nms_box *boxes = ARENA_ARRAY(s->arena, struct nms_box, n);
    uint32_t *order = ARENA_ARRAY(s->arena, uint32_t, n);
    size_t clusters = 0;

    for (size_t i = 0; i < n; i++)
        boxes[i] = d[i].scored;
    nms_order(boxes, n, order);
    for (size_t i = 0; i < n; i++) {
        const struct detection *one = &d[order[i]];
        size_t at = nearest(c, clusters, one->scored.box, p->iou_threshold);

        if (at == clusters) {
            c[clusters++].first = one;
        } else {
            if (!has_only_a_box(one->object) || !has_only_a_box(c[at].first->object))
                return false;
            object_fail(one->object, "fused", box_iou(c[at].box, one->scored.box));
        }
        join(&c[at], one);
    }
    for (size_t i = 0; i < clusters; i++)
        put(s, &c[i], p);
    return true;
}

static struct detections without_low(struct detections all, double threshold)
{
    size_t n = 0;

    for (size_t i = 0; i < all.n; i++)
        if (all.at[i].scored.score < threshold)
            object_fail(all.at[i].object, "score", all.at[i].scored.score);
        else
            all.at[n++] = all.at[i];
    return (struct detections){ all.at, n };
}

static bool fuse_all(const void *params, const struct rules *rules, struct sample *sample,
                     struct text *why)
{
    const struct params *p = params;
    struct detections all =
        without_low(detections_of(sample, rules, (enum box_edges)p->edges, &p->default_score),
                    p->skip_box_threshold);
    bool good = true;

    if (!p->agnostic)
        detections_by_category(&all);
    for (size_t from = 0, end; good && from < all.n; from = end) {
        end = p->agnostic ? all.n : detections_end(&all, from);
        good = fuse(sample, all.at + from, end - from, p);
    }
    if (!good)
        text_adds(why, "objects with segmentations or keypoints cannot be fused; use nms");
    return good;
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    (void)scene;
    action_labels(out, fuse_all, params);
    return true;
}

const struct op weighted_boxes_fusion_op = {
    .name = "weighted_boxes_fusion",
    .summary = "fuse overlapping boxes of one category into their mean, weighted by scores",
    .group = GROUP_LABELS,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"weighted_boxes_fusion\", \"iou_threshold\": 0.9, \"default_score\": "
               "1}",
    .params = rows,
    .params_size = sizeof(struct params),
    .effect = EFFECT_RELABELS,
    .subject = SUBJECT_OBJECTS,
    .resolve = resolve,
    .sizeless = true,
};
