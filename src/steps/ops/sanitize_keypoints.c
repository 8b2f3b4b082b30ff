/* sanitize_keypoints: drops objects that lost keypoints. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/rows.h"

struct params {
    struct optional min_keypoints;
};

static const struct row rows[] = {
    MIN_KEYPOINTS_ROW(struct params),
    ROWS_END,
};

static bool sanitize(const void *params, const struct rules *rules, struct sample *sample,
                     struct text *why)
{
    const struct params *p = params;

    (void)rules;
    (void)why;
    sample_sanitize_keypoints(sample, p->min_keypoints.given ? (int)p->min_keypoints.number : -1);
    return true;
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    (void)scene;
    action_labels(out, sanitize, params);
    return true;
}

const struct op sanitize_keypoints_op = {
    .name = "sanitize_keypoints",
    .summary = "drop objects that have keypoints outside the image at this step",
    .group = GROUP_LABELS,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"sanitize_keypoints\"}",
    .params = rows,
    .params_size = sizeof(struct params),
    .effect = EFFECT_RELABELS,
    .subject = SUBJECT_KEYPOINTS,
    .resolve = resolve,
};
