/* duplicates: rules about annotations of an image that are there twice, or nearly. */
#include "check/rule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DUPLICATE, NEAR };

static const struct rule rules[] = {
    [DUPLICATE] = { "B013", "duplicate-annotation", SEVERITY_WARNING, FIX_UNSAFE,
                    "two annotations of an image have the same category and geometry",
                    "An object was saved twice, or two files with the object were merged. "
                    "Evaluation counts one of the two as missed.",
                    "Remove one of them." },
    [NEAR] = { "B014", "near-duplicate", SEVERITY_INFO, FIX_NONE,
               "two boxes of the same category cover nearly the same place",
               "An object was labelled twice. Reported where the intersection of two boxes is "
               "over 95 % of their union.",
               "Look at both; remove one if they show the same object." },
    { 0 },
};

/* Limit of pairs that are compared in an image with many boxes at one place; further pairs are not
 * reported. */
enum { MAX_PAIRS = 1 << 22 };
static const double min_iou = 0.95;

/* A box of an image, in the order of the sweep: by category, then from left to right. */
struct box_at {
    uint32_t index, category;
    const struct checked_annotation *annotation;
    bool reported;
};

static int by_left(const void *a, const void *b)
{
    const struct box_at *x = a, *y = b;

    if (x->category != y->category)
        return x->category < y->category ? -1 : 1;
    if (x->annotation->box[0] != y->annotation->box[0])
        return x->annotation->box[0] < y->annotation->box[0] ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static double iou(const float *a, const float *b)
{
    double w = fmin((double)a[0] + a[2], (double)b[0] + b[2]) - fmax(a[0], b[0]);
    double h = fmin((double)a[1] + a[3], (double)b[1] + b[3]) - fmax(a[1], b[1]);
    double both = w > 0 && h > 0 ? w * h : 0;

    return both / ((double)a[2] * a[3] + (double)b[2] * b[3] - both);
}

static void report(struct check *c, const struct annotation_file *file, int rule,
                   const struct box_at *a, const struct box_at *b)
{
    const struct box_at *later = a->index > b->index ? a : b, *earlier = later == a ? b : a;
    const float *v = later->annotation->box;
    struct element e = element_of_annotation(file, later->index);
    struct slice at = pick_again(e.text, "bbox");
    struct finding *f;

    if (at.at == e.text.at)
        at = (struct slice){ 0 };
    f = rule_report(c, &rules[rule], &e, at.at ? "bbox" : NULL, at, "%s %s",
                    annotation_words(c, file, earlier->index),
                    rule == DUPLICATE ? "is the same" : "covers nearly the same place");
    if (v[2] > 0 && v[3] > 0)
        finding_draw_box(c, f,
                         (struct box){ v[0], v[1], (double)v[0] + v[2], (double)v[1] + v[3] });
    if (rule == DUPLICATE && c->options->fixes)
        finding_remove(c, f, e.text);
}

static bool are_same(const struct box_at *a, const struct box_at *b)
{
    return a->annotation->geometry && a->annotation->geometry == b->annotation->geometry &&
           memcmp(a->annotation->box, b->annotation->box, sizeof a->annotation->box) == 0;
}

static bool are_near(const struct box_at *a, const struct box_at *b)
{
    const float *p = a->annotation->box, *q = b->annotation->box;

    return p[2] > 0 && p[3] > 0 && q[2] > 0 && q[3] > 0 &&
           a->annotation->crowd == b->annotation->crowd && iou(p, q) > min_iou;
}

/* A reported object is not compared again, so that many at one place are found in one pass. */
static void check_image(struct check *c, const struct annotation_file *file, struct box_at *at,
                        size_t n)
{
    size_t pairs = 0;

    qsort(at, n, sizeof *at, by_left);
    for (size_t i = 0; i < n && pairs < MAX_PAIRS; i++) {
        const float *v = at[i].annotation->box;
        double reach = (double)v[0] + (1 - min_iou) * fmax(v[2], 0);

        for (size_t j = i + 1; !at[i].reported && j < n && at[j].category == at[i].category &&
                               at[j].annotation->box[0] <= reach && pairs++ < MAX_PAIRS;
             j++) {
            bool same = are_same(&at[i], &at[j]);

            if (at[j].reported || (!same && !are_near(&at[i], &at[j])))
                continue;
            report(c, file, same ? DUPLICATE : NEAR, &at[i], &at[j]);
            at[j].reported = true;
        }
    }
}

/* Returns the annotations of the next image. */
static struct box_at *group(const struct annotation_file *file, size_t *first)
{
    struct box_at *at = memory_take((file->n_annotations + 1) * sizeof *at);
    size_t sum = 0;

    for (size_t i = 0; i < file->n_images; i++) {
        first[i] = sum;
        sum += file->images[i].n_annotations;
    }
    for (size_t i = 0; i < file->n_annotations; i++) {
        const struct checked_annotation *a = &file->annotations[i];

        if (a->image != NOT_THERE)
            at[first[a->image]++] =
                (struct box_at){ .index = (uint32_t)i, .category = a->category, .annotation = a };
    }
    return at;
}

static void check_end(struct check *c, const struct annotation_file *file, void *state)
{
    size_t *past;
    struct box_at *at;

    (void)state;
    if (file_is_results(file) || file_is_panoptic(file) || !file->n_images ||
        (!rule_is_selected(c, &rules[DUPLICATE]) && !rule_is_selected(c, &rules[NEAR])))
        return;
    past = memory_take(file->n_images * sizeof *past);
    at = group(file, past);
    for (size_t i = 0; i < file->n_images; i++) {
        size_t n = file->images[i].n_annotations;

        if (n > 1)
            check_image(c, file, at + past[i] - n, n);
    }
    free(at);
    free(past);
}

const struct rule_family duplicates_family = {
    .title = "duplicates",
    .rules = rules,
    .labels = true,
    .end = check_end,
};
