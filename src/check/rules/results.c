/* results: rules about files of results, which are lists of detections with scores. Rules compare
 * them with annotation files if these are given. */
#include "base/hash.h"
#include "base/number.h"
#include "labels/coco/numbers.h"
#include "check/rule.h"

#include <stdlib.h>
#include <string.h>

enum { IMAGE, CATEGORY, NO_SCORE, SCORE, NOT_COMPRESSED, MANY, TWICE, MIXED, RULES };

static const struct rule rules[] = {
    [IMAGE] = { "Y002", "result-image-unknown", SEVERITY_ERROR, FIX_NONE,
                "results are of images that no annotation file of the check has",
                "They belong to another split, or have other ids. pycocotools refuses them: "
                "\"Results do not correspond to current coco set\". Reported if an annotation file "
                "is given with -a in addition to the results.",
                "Give the annotations that belong to the results, or write the ids of their "
                "images." },
    [CATEGORY] = { "Y003", "result-category-unknown", SEVERITY_ERROR, FIX_NONE,
                   "results have categories that no annotation file of the check has",
                   "They are the model's numbers, from 0, and not the ids of the "
                   "annotations, such as 1 to 90 in COCO. Evaluation ignores them, or takes "
                   "them for other categories.",
                   "Write the ids of the annotations' categories." },
    [NO_SCORE] = { "Y004", "score-missing", SEVERITY_WARNING, FIX_NONE,
                   "a result has no numeric score",
                   "The exporter left it out or used another name, such as \"confidence\". "
                   "pycocotools' evaluation stops without it.",
                   "Add the score, 0 to 1." },
    [SCORE] = { "Y009", "score-out-of-range", SEVERITY_WARNING, FIX_NONE,
                "a score is not between 0 and 1",
                "Logits or percentages were written. Average precision only sorts by them, but "
                "thresholds and calibration expect a probability.",
                "Write the probability." },
    [NOT_COMPRESSED] = { "Y005", "result-mask-not-compressed", SEVERITY_WARNING, FIX_NONE,
                         "the mask of a result is not compressed RLE",
                         "It is a polygon, or RLE as a list of counts. pycocotools reads results "
                         "of masks only if counts is a string.",
                         "Encode the mask: pycocotools.mask.encode, or .frPyObjects for polygons "
                         "and lists of counts." },
    [MANY] = { "Y006", "more-results-than-evaluated", SEVERITY_INFO, FIX_NONE,
               "an image has more results of a category than evaluation uses",
               "The threshold for scores is low. COCO's evaluation uses the 100 with the highest "
               "scores for each image and category, or 20 for keypoints. It ignores the others.",
               "Nothing, or leave out those with the lowest scores." },
    [TWICE] = { "Y007", "result-twice", SEVERITY_WARNING, FIX_NONE,
                "a result occurs twice, with the same image, category, geometry and score",
                "Several processes evaluated the same image, as with padded samplers, or "
                "files were joined twice. One of the two counts as a false positive.",
                "Remove one of them." },
    [MIXED] = { "Y008", "results-mixed", SEVERITY_WARNING, FIX_NONE,
                "a result lacks a member that the first result has",
                "Results of several tasks were joined. pycocotools reads all of them like the "
                "first "
                "one: by caption, bbox, segmentation or keypoints, whichever it has first in this "
                "order.",
                "Write a file for each task." },
    { 0 },
};

static const char *const kinds[] = { "caption", "bbox", "segmentation", "keypoints" };
enum { CAPTION, BOX, MASK, POSE, KINDS };

/* Tolerance for scores that are 0 or 1 before rounding. */
static const double score_slack = 1e-3;

/* A result, to compare it with the others. */
struct result {
    int64_t image, category;
    uint64_t hash; /* hash of geometry and score */
    uint32_t index;
};

/* The first result with a finding of a rule, and the number of such results. */
struct first {
    size_t n;
    uint32_t index;
    struct slice at;
};

struct results_state {
    struct pile results;    /* struct result */
    int kind;               /* kind of the first result that has one */
    bool known;             /* kind is set */
    struct first of[RULES]; /* one for each rule */
};

static void count(struct results_state *state, int rule, const struct annotation_element *e,
                  struct slice at)
{
    struct first *first = &state->of[rule];

    if (!first->n++) {
        first->index = e->at.index;
        first->at = at;
    }
}

static const struct pick *member_of(const struct annotation_element *e, int kind)
{
    static const enum annotation_member members[KINDS] = { MEMBER_CAPTION, MEMBER_BBOX,
                                                           MEMBER_SEGMENTATION, MEMBER_KEYPOINTS };

    return &e->pick[members[kind]];
}

/* Returns the kind as pycocotools does: an empty box does not count. */
static int kind_of(const struct annotation_element *e)
{
    for (int kind = 0; kind < KINDS; kind++) {
        struct slice value = member_of(e, kind)->value;

        if (value.at && (kind != BOX || !pick_is_empty(value)))
            return kind;
    }
    return KINDS;
}

static void check_kind(const struct annotation_element *e, struct results_state *state)
{
    int kind = kind_of(e);

    if (kind == KINDS)
        return;
    if (!state->known)
        state->kind = kind;
    state->known = true;
    if (!member_of(e, state->kind)->value.at)
        count(state, MIXED, e, (struct slice){ 0 });
}

/* Checks a result's score; captions have none. */
static double check_score(const struct annotation_element *e, struct results_state *state)
{
    struct slice at = pick_again(e->at.text, "score"), plain;
    double score = 0;

    if (e->pick[MEMBER_CAPTION].value.at)
        return 0;
    plain = numbers_unquote(at, e->scratch);
    if (at.at == e->at.text.at || number_scan(plain, &score) != plain.length)
        count(state, NO_SCORE, e, at.at == e->at.text.at ? (struct slice){ 0 } : at);
    else if (score < -score_slack || score > 1 + score_slack)
        count(state, SCORE, e, at);
    return score;
}

static void check_mask(const struct annotation_element *e, struct results_state *state)
{
    struct slice mask = e->pick[MEMBER_SEGMENTATION].value, counts;

    if (!mask.at || state->kind != MASK || e->refused->n)
        return;
    counts = pick_again(mask, "counts");
    if (*mask.at == '[' || (*mask.at == '{' && counts.at != mask.at && *counts.at == '['))
        count(state, NOT_COMPRESSED, e, mask);
}

static void keep(const struct annotation_element *e, struct pile *results, double score)
{
    const struct checked_annotation *own = &e->at.file->annotations[e->at.index];
    const struct pick *image = &e->pick[MEMBER_IMAGE], *category = &e->pick[MEMBER_CATEGORY];
    struct result r = { .hash = own->geometry * 31 + hash_quick(&score, sizeof score),
                        .index = e->at.index };
    enum id_kind kind = e->at.file->image_kind;
    unsigned set = 0;

    if (own->geometry && image->value.at && category->value.at &&
        id_read_kind(image->value, &kind, &r.image, &set) &&
        id_read(category->value, &r.category, &set))
        *(struct result *)pile_add(results, sizeof r) = r;
}

static void check_annotation(struct check *c, const struct annotation_element *e, void *given)
{
    struct results_state *state = given;
    double score;

    (void)c;
    if (!file_is_results(e->at.file))
        return;
    check_kind(e, state);
    score = check_score(e, state);
    check_mask(e, state);
    keep(e, &state->results, score);
}

/* --- comparison of all results of a file --- */

static int by_place(const void *a, const void *b)
{
    const struct result *x = a, *y = b;

    if (x->image != y->image)
        return x->image < y->image ? -1 : 1;
    if (x->category != y->category)
        return x->category < y->category ? -1 : 1;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static bool share_place(const struct result *a, const struct result *b)
{
    return a->image == b->image && a->category == b->category;
}

static void check_twice(struct check *c, const struct annotation_file *file,
                        const struct pile *results)
{
    const struct result *all = results->at;

    for (size_t i = 1; i < results->n; i++) {
        struct element e = element_of_annotation(file, all[i].index);

        if (share_place(&all[i - 1], &all[i]) && all[i - 1].hash == all[i].hash)
            rule_report(c, &rules[TWICE], &e, NULL, e.text, "the result %lu is the same",
                        (unsigned long)all[i - 1].index);
    }
}

static void check_many(struct check *c, const struct annotation_file *file,
                       const struct results_state *state)
{
    const struct result *all = state->results.at;
    size_t max_results = state->kind == POSE ? 20 : 100, places = 0, n = 1;
    struct element e = element_of_file(file);

    for (size_t i = 1; i <= state->results.n; i++) {
        if (i < state->results.n && share_place(&all[i - 1], &all[i])) {
            n++;
            continue;
        }
        if (n > max_results && !places++)
            e = element_of_annotation(file, all[i - n].index);
        n = 1;
    }
    if (places)
        rule_report(c, &rules[MANY], &e, NULL, (struct slice){ 0 },
                    "%zu times an image has more than %zu results of a category; this is for the "
                    "first",
                    places, max_results);
}

static void report_first(struct check *c, const struct annotation_file *file, int rule,
                         const struct first *first, const char *member, const char *what)
{
    struct element e;

    if (!first->n)
        return;
    e = element_of_annotation(file, first->index);
    rule_report(c, &rules[rule], &e, member, first->at, "%zu of %zu results %s; this is the first",
                first->n, file->n_annotations, what);
}

static void check_end(struct check *c, const struct annotation_file *file, void *given)
{
    static const char *const poses[] = { "have no caption", "have no box", "have no mask",
                                         "have no keypoints" };
    struct results_state *state = given;

    if (!file_is_results(file))
        return;
    report_first(c, file, NO_SCORE, &state->of[NO_SCORE], "score", "have no score");
    report_first(c, file, SCORE, &state->of[SCORE], "score", "have scores outside 0 to 1");
    report_first(c, file, NOT_COMPRESSED, &state->of[NOT_COMPRESSED], "segmentation",
                 "have masks that are not compressed RLE");
    report_first(c, file, MIXED, &state->of[MIXED], kinds[state->kind], poses[state->kind]);
    if (state->results.n)
        qsort(state->results.at, state->results.n, sizeof(struct result), by_place);
    check_twice(c, file, &state->results);
    check_many(c, file, state);
    free(state->results.at);
}

/* --- comparison with annotations --- */

/* True if there are other files, and every id of their images or categories is known. */
static bool has_truth(const struct check *c, enum checked_list list)
{
    bool found = false;

    for (size_t i = 0; i < c->n_files; i++) {
        const struct annotation_file *file = &c->files[i];

        if (file_is_results(file) || file->labels)
            continue;
        if (!(list == LIST_IMAGES ? file->sure_images : file->sure_categories))
            return false;
        found |= file->n_images > 0;
    }
    return found;
}

/* True also for a value that is not an id, which another rule reports. */
static bool has_image(const struct check *c, struct slice raw)
{
    bool is_id = false;

    for (size_t i = 0; i < c->n_files; i++) {
        const struct annotation_file *file = &c->files[i];
        enum id_kind kind = file->image_kind;
        unsigned set = 0;
        int64_t id;

        if (file_is_results(file) || !id_read_kind(raw, &kind, &id, &set))
            continue;
        is_id = true;
        if (ids_find_near(&file->image_ids, id))
            return true;
    }
    return !is_id;
}

static bool has_category(const struct check *c, struct slice raw)
{
    unsigned set = 0;
    int64_t id;

    if (!id_read(raw, &id, &set))
        return true;
    for (size_t i = 0; i < c->n_files; i++)
        if (!file_is_results(&c->files[i]) && !categories_lack(&c->files[i].lookup, id))
            return true;
    return false;
}

/* Reports one finding for image ids and one for category ids: wrong ids are rarely alone. */
static void check_ids(struct check *c, const struct annotation_file *file, int rule,
                      const char *member, bool (*is_known)(const struct check *, struct slice))
{
    struct first first = { 0 };
    struct arena scratch = { 0 };
    struct element e;

    for (size_t i = 0; i < file->n_annotations; i++) {
        struct slice at;

        e = element_of_annotation(file, i);
        at = file->annotations[i].broken ? e.text : pick_again(e.text, member);
        if (at.at == e.text.at || is_known(c, at))
            continue;
        if (!first.n++) {
            first.index = (uint32_t)i;
            first.at = at;
        }
    }
    if (!first.n)
        return;
    e = element_of_annotation(file, first.index);
    rule_report(c, &rules[rule], &e, member, first.at,
                "%zu of %zu results have an id that is not in the annotations; the first is %s",
                first.n, file->n_annotations, id_words(first.at, &scratch));
    arena_drop(&scratch);
}

static void check_all(struct check *c)
{
    bool images = has_truth(c, LIST_IMAGES), categories = has_truth(c, LIST_CATEGORIES);

    for (size_t i = 0; i < c->n_files; i++) {
        const struct annotation_file *file = &c->files[i];

        if (file_is_results(file) && images)
            check_ids(c, file, IMAGE, "image_id", has_image);
        if (file_is_results(file) && categories)
            check_ids(c, file, CATEGORY, "category_id", has_category);
    }
}

const struct rule_family results_family = {
    .title = "results",
    .rules = rules,
    .state = sizeof(struct results_state),
    .annotation = check_annotation,
    .end = check_end,
    .all = check_all,
};
