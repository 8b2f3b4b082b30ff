/* image_labels: rules about classes of whole images: members of COCO's images, annotations without
 * geometry, rows of a table. The first rules are for errors of run; check/run_errors.c knows the
 * code of each. */
#include "check/rule.h"

#include <stdlib.h>

enum { UNKNOWN, TWICE, WEIGHT, TABLE, ABOVE_ONE, ZERO };

static const struct rule rules[] = {
    [UNKNOWN] = { "M001", "image-label-unknown", SEVERITY_ERROR, FIX_NONE,
                  "an image has a label of an unknown class",
                  "The category was removed, ids were changed, or a row has no class.",
                  "Add the category, or correct the label." },
    [TWICE] = { "M002", "image-label-twice", SEVERITY_ERROR, FIX_NONE, "an image has a label twice",
                "Labels of several people or files were joined; or the image has category_id and "
                "category_ids.",
                "Keep one of them, with the class's weight for the image." },
    [WEIGHT] = { "M003", "image-label-weight", SEVERITY_ERROR, FIX_NONE,
                 "the weight of an image's label is not valid",
                 "It is a percentage, a score without bounds, or a text; or all weights of the "
                 "image are 0.",
                 "Write a number from 0 to 1; write no label for an image without a class." },
    [TABLE] = { "M004", "image-labels-table", SEVERITY_ERROR, FIX_NONE,
                "a table of image labels cannot be read",
                "A row has more or fewer cells than the first, quotes are not closed, or it is "
                "another "
                "kind of table.",
                "Write file, class and perhaps weight, or a first row that names these columns." },
    [ABOVE_ONE] = { "M005", "image-weights-above-one", SEVERITY_WARNING, FIX_NONE,
                    "the weights of an image's labels sum to more than 1",
                    "Weights were changed by hand, or labels were joined without dividing them. "
                    "This "
                    "is only reported if at least nine of ten images with weights below 1 have a "
                    "sum "
                    "of at most 1: if images have several classes at once, sums are larger.",
                    "Divide the weights by their sum." },
    [ZERO] = { "M006", "image-label-weight-zero", SEVERITY_WARNING, FIX_NONE,
               "a label of an image has the weight 0",
               "A one-hot table was written as labels, or an image has no share in a mixture.",
               "Leave the label out: the image does not belong to the class." },
    { 0 },
};

/* An annotation that is a label of its image. */
struct label {
    uint32_t image, category, index;
    double weight;
};

struct labels_state {
    struct pile labels; /* struct label */
    struct pile above;  /* uint32_t: images whose weights are more than 1 together */
    size_t soft;        /* images with a weight below 1 */
};

/* Tolerance for sums that are 1 in the file and rounded as doubles. */
enum { ROUNDING = 1000000 };

/* Checks the sum of the weights of an image's labels. */
static void check_sum(struct labels_state *state, uint32_t image, double sum, bool soft)
{
    if (!soft)
        return;
    state->soft++;
    if (sum > 1 + 1.0 / ROUNDING)
        *(uint32_t *)pile_add(&state->above, sizeof(uint32_t)) = image;
}

static void report_zero(struct check *c, const struct element *e)
{
    rule_report_plain(c, &rules[ZERO], e, NULL, (struct slice){ 0 },
                      "the image has a label with the weight 0");
}

static void check_image(struct check *c, const struct image_element *e, void *given)
{
    bool soft = false, zero = false;
    double sum = 0;

    for (size_t i = 0; i < e->labels.n; i++) {
        double weight = e->labels.at[i].weight;

        sum += weight;
        soft |= weight < 1;
        zero |= weight == 0;
    }
    if (zero)
        report_zero(c, &e->at);
    check_sum(given, e->at.index, sum, soft);
}

/* True if an annotation has no place in the image, so that it labels the whole image. */
static bool is_label(const struct annotation_element *e)
{
    const struct object *o = e->object;

    return !e->at.file->labels && e->category && e->at.image != NOT_THERE && !e->refused->n &&
           !e->pick[MEMBER_BBOX].value.at && !e->pick[MEMBER_CAPTION].value.at &&
           o->segmentation == SEGMENTATION_NONE && !o->n_keypoints && !file_is_results(e->at.file);
}

static void check_annotation(struct check *c, const struct annotation_element *e, void *given)
{
    struct labels_state *state = given;

    if (!is_label(e))
        return;
    if (e->object->weight == 0)
        report_zero(c, &e->at);
    *(struct label *)pile_add(&state->labels, sizeof(struct label)) =
        (struct label){ e->at.image, (uint32_t)(e->category - e->at.file->categories), e->at.index,
                        e->object->weight };
}

static int by_image(const void *a, const void *b)
{
    const struct label *x = a, *y = b;

    if (x->image != y->image)
        return x->image < y->image ? -1 : 1;
    if (x->category != y->category)
        return x->category < y->category ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* Checks labels that are annotations, one image after another. */
static void check_annotations(struct check *c, const struct annotation_file *file,
                              struct labels_state *state)
{
    const struct label *label = state->labels.at;
    size_t n = state->labels.n, end;

    if (n)
        qsort(state->labels.at, n, sizeof *label, by_image);
    for (size_t i = 0; i < n; i = end) {
        double sum = 0;
        bool soft = false;

        for (end = i; end < n && label[end].image == label[i].image; end++) {
            struct element e = element_of_annotation(file, label[end].index);

            sum += label[end].weight;
            soft |= label[end].weight < 1;
            if (end > i && label[end].category == label[end - 1].category)
                rule_report(c, &rules[TWICE], &e, "category_id", (struct slice){ 0 },
                            "the image already has the label \"%s\"",
                            file->categories[label[end].category].name);
        }
        check_sum(state, label[i].image, sum, soft);
    }
}

static void check_end(struct check *c, const struct annotation_file *file, void *given)
{
    enum { FEW = 10 }; /* a tenth of the images */
    struct labels_state *state = given;
    const uint32_t *above;

    check_annotations(c, file, state);
    above = state->above.at;
    for (size_t i = 0; i < state->above.n && state->above.n * FEW <= state->soft; i++) {
        struct element e = element_of_image(file, above[i]);

        rule_report_plain(c, &rules[ABOVE_ONE], &e, NULL, (struct slice){ 0 },
                          "the weights of its labels sum to more than 1");
    }
    free(state->labels.at);
    free(state->above.at);
}

const struct rule_family image_labels_family = {
    .title = "labels of images",
    .rules = rules,
    .state = sizeof(struct labels_state),
    .tables = true,
    .image = check_image,
    .annotation = check_annotation,
    .end = check_end,
};
