/* keep_top_k: keeps a number of objects with the highest scores. */
#include "steps/op_shared/labels.h"

#include <math.h>

struct params {
    int k;
    bool by_category, ties;
    struct optional default_score;
};

static const struct row rows[] = {
    INTEGER(struct params, k, .preset = "100", .limit = { 0, 1000000000 }, .usual = { 0, 5 },
            .help = "maximum number of objects per image"),
    FLAG(struct params, by_category, .preset = "false",
         .help = "apply the maximum to each "
                 "category separately"),
    FLAG(struct params, ties, .preset = "false",
         .help = "also keep objects with the same score as the last one, as in "
                 "maskrcnn-benchmark; false: of equal scores the first ones stay"),
    DEFAULT_SCORE_ROW(struct params),
    ROWS_END,
};

static void keep(struct sample *s, const struct detection *d, size_t n, const struct params *p)
{
    struct nms_box *boxes = ARENA_ARRAY(s->arena, struct nms_box, n);
    uint32_t *order = ARENA_ARRAY(s->arena, uint32_t, n);
    size_t k = (size_t)p->k;

    for (size_t i = 0; i < n; i++)
        boxes[i] = d[i].scored;
    nms_order(boxes, n, order);
    while (p->ties && k > 0 && k < n && boxes[order[k]].score == boxes[order[k - 1]].score)
        k++;
    for (size_t i = k; i < n; i++)
        object_fail(d[order[i]].object, "top_k", (double)(i + 1));
}

/* Objects without a box have a score too. */
static struct detections scored(struct sample *s, const struct params *p)
{
    struct detections all = { ARENA_ARRAY(s->arena, struct detection, s->n_objects), 0 };

    for (size_t i = 0; i < s->n_objects; i++) {
        struct object *o = &s->objects[i];

        if (!o->failed && !o->crowd && (o->has_score || p->default_score.given))
            all.at[all.n++] = (struct detection){
                .object = o,
                .scored.score = o->has_score ? o->score : p->default_score.number,
            };
    }
    return all;
}

static bool keep_all(const void *params, const struct rules *rules, struct sample *sample,
                     struct text *why)
{
    const struct params *p = params;
    struct detections all = scored(sample, p);

    (void)rules;
    (void)why;
    if (p->by_category)
        detections_by_category(&all);
    for (size_t from = 0, end; from < all.n; from = end) {
        end = p->by_category ? detections_end(&all, from) : all.n;
        keep(sample, all.at + from, end - from, p);
    }
    return true;
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    (void)scene;
    action_labels(out, keep_all, params);
    return true;
}

const struct op keep_top_k_op = {
    .name = "keep_top_k",
    .summary = "keep the objects with the highest scores, up to a number per image or category",
    .group = GROUP_LABELS,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"keep_top_k\", \"k\": 3, \"default_score\": 1}",
    .params = rows,
    .params_size = sizeof(struct params),
    .effect = EFFECT_RELABELS,
    .subject = SUBJECT_OBJECTS,
    .resolve = resolve,
    .sizeless = true,
};
