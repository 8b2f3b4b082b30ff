/* score_threshold: drops objects with low scores. */
#include "steps/op_shared/labels.h"

struct params {
    double threshold;
    int compare; /* enum compare */
    struct optional default_score;
};

static const struct row rows[] = {
    NUMBER(struct params, threshold, .preset = "0.05", .limit = { -1e9, 1e9 }, .usual = { 0, 1 },
           .help = "objects with a higher score are kept"),
    CHOICE(struct params, compare, .preset = "\"gt\"", .choices = compare_choices,
           .help = "how the score is compared with the threshold"),
    DEFAULT_SCORE_ROW(struct params),
    ROWS_END,
};

static bool keep(const void *params, const struct rules *rules, struct sample *sample,
                 struct text *why)
{
    const struct params *p = params;

    (void)rules;
    (void)why;
    for (size_t i = 0; i < sample->n_objects; i++) {
        struct object *o = &sample->objects[i];
        double score = o->has_score ? o->score : p->default_score.number;
        bool stays = score > p->threshold || (p->compare == COMPARE_GE && score == p->threshold);

        if (!stays && (o->has_score || p->default_score.given))
            object_fail(o, "score", score);
    }
    return true;
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    (void)scene;
    action_labels(out, keep, params);
    return true;
}

const struct op score_threshold_op = {
    .name = "score_threshold",
    .summary = "drop objects with low scores",
    .group = GROUP_LABELS,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"score_threshold\", \"threshold\": 0.3, \"default_score\": 1}",
    .params = rows,
    .params_size = sizeof(struct params),
    .effect = EFFECT_RELABELS,
    .subject = SUBJECT_OBJECTS,
    .resolve = resolve,
    .sizeless = true,
};
