/* RandomHalfBody: restricts the region that TopdownAffine shows to the upper or lower half of a
 * body.
 *
 * Source: MMPose 1.x: the center is the mean of the half's labeled keypoints; the size is `padding`
 * times the size of their bounding box. */
#include "steps/transform.h"

struct params {
    int min_total_keypoints, min_upper_keypoints, min_lower_keypoints;
    double padding, upper_prioritized_prob;
    struct names upper_body, lower_body;
};

static const struct row rows[] = {
    INTEGER(struct params, min_total_keypoints, .preset = "9", .limit = { 0, 1000 },
            .usual = { 1, 9 },
            .help = "minimum number of labelled keypoints; an object with "
                    "fewer is shown whole"),
    INTEGER(struct params, min_upper_keypoints, .preset = "2", .limit = { 0, 1000 },
            .usual = { 1, 4 },
            .help = "minimum number of labelled keypoints in the upper half "
                    "to show it alone"),
    INTEGER(struct params, min_lower_keypoints, .preset = "3", .limit = { 0, 1000 },
            .usual = { 1, 4 },
            .help = "minimum number of labelled keypoints in the lower half "
                    "to show it alone"),
    NUMBER(struct params, padding, .preset = "1.5", .limit = { 0, 100 }, .above = true,
           .usual = { 1, 2 }, .help = "factor for the sides of the keypoints' bounding box"),
    NUMBER(struct params, upper_prioritized_prob, .preset = "0.7", .limit = { 0, 1 },
           .help = "probability of the upper half if either may be shown"),
    NAMES(struct params, upper_body,
          .preset = "[\"nose\", \"left_eye\", \"right_eye\", \"left_ear\", \"right_ear\", "
                    "\"left_shoulder\", \"right_shoulder\", \"left_elbow\", \"right_elbow\", "
                    "\"left_wrist\", \"right_wrist\"]",
          .help = "names of the upper half's keypoints"),
    NAMES(struct params, lower_body,
          .preset = "[\"left_hip\", \"right_hip\", \"left_knee\", \"right_knee\", "
                    "\"left_ankle\", \"right_ankle\"]",
          .help = "names of the lower half's keypoints"),
    ROWS_END,
};

/* Returns the region about n keypoints; n must be at least 1. */
static struct region region_of(const struct point *at, size_t n, double padding)
{
    struct box b = box_of_points(at, n);
    struct region r = { .size = { (b.x1 - b.x0) * padding, (b.y1 - b.y0) * padding } };

    for (size_t i = 0; i < n; i++) {
        r.center.x += at[i].x / (double)n;
        r.center.y += at[i].y / (double)n;
    }
    return r;
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    bool prefer_upper = rng_unit(run->rng) < p->upper_prioritized_prob, up, low;
    const struct kept_object *object = run_first_object(run);
    const struct point *upper, *lower;
    size_t n_upper, n_lower;
    struct region r;

    if (!object || seen_keypoints(object) < p->min_total_keypoints)
        return;
    upper = run_named_keypoints(run, object, &p->upper_body, &n_upper);
    lower = run_named_keypoints(run, object, &p->lower_body, &n_lower);
    up = n_upper && n_upper >= (size_t)p->min_upper_keypoints;
    low = n_lower && n_lower >= (size_t)p->min_lower_keypoints;
    if (!up && !low)
        return;
    if (up && (prefer_upper || !low))
        r = region_of(upper, n_upper, p->padding);
    else
        r = region_of(lower, n_lower, p->padding);
    run_set_region(run, &r);
}

const struct transform RandomHalfBody_transform = {
    .name = "RandomHalfBody",
    .summary =
        "restrict the region that a later TopdownAffine shows to the upper or lower half of a "
        "body, by its keypoints; does nothing without one",
    .group = GROUP_CROP,
    .origin = ORIGIN_MMDETECTION,
    .differs = "it follows MMPose, for the first object with a box; its `prob` is `p` here; "
               "halves are given by names of keypoints",
    .example = "{\"type\": \"RandomHalfBody\", \"p\": 0.3}",
    .emits = (const char *const[]){ NULL },
    .subject = SUBJECT_OBJECTS,
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.3,
    .draw = draw,
};
