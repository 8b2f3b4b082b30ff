/* keypoints: rules about the keypoints of annotations, and their categories. */
#include "check/rule.h"

#include "base/number.h"
#include "labels/coco/keypoints.h"

enum {
    NOT_TRIPLES,
    COUNT,
    VISIBILITY,
    NUM_DIFFERS,
    HIDDEN_PLACE,
    OUTSIDE_IMAGE,
    OUTSIDE_BOX,
    NO_NAMES,
    SKELETON,
    ALL_HIDDEN,
    NO_PAIRS,
    WRONG_PAIRS,
    NESTED,
    SKELETON_BEYOND,
};

static const struct rule rules[] = {
    [NOT_TRIPLES] = { "K001", "keypoints-not-3k", SEVERITY_ERROR, FIX_NONE,
                      "keypoints are not x, y, visibility for each",
                      "The visibilities were left out, or a number was lost.",
                      "Write three numbers for each keypoint." },
    [COUNT] = { "K002", "keypoint-count-differs", SEVERITY_ERROR, FIX_NONE,
                "an annotation's number of keypoints differs from its category's",
                "Keypoints that are not labelled were left out, or the category is wrong.",
                "Write 0, 0, 0 for a keypoint that is not labelled." },
    [VISIBILITY] = { "K003", "visibility-not-0-1-2", SEVERITY_ERROR, FIX_NONE,
                     "the visibility of a keypoint is not 0, 1 or 2",
                     "A model's score was written in its place, or a flag of another format.",
                     "Write 0 for not labelled, 1 for hidden, 2 for visible." },
    [NUM_DIFFERS] = { "K004", "num-keypoints-differs", SEVERITY_WARNING, FIX_SAFE,
                      "num_keypoints is not the number of labelled keypoints",
                      "Keypoints were changed, and the number was not.",
                      "Write the number of keypoints with a visibility above 0." },
    [HIDDEN_PLACE] = { "K005", "v0-with-coordinates", SEVERITY_INFO, FIX_NONE,
                       "a keypoint that is not labelled has coordinates",
                       "The exporter keeps its earlier coordinates. Readers ignore it.",
                       "Nothing, or write 0, 0, 0." },
    [OUTSIDE_IMAGE] = { "K006", "keypoint-outside-image", SEVERITY_WARNING, FIX_NONE,
                        "a labelled keypoint lies outside of its image",
                        "It was guessed beyond the edge, or the image was cut or scaled.",
                        "Write 0, 0, 0, or correct its coordinates." },
    [OUTSIDE_BOX] = { "K007", "keypoint-outside-bbox", SEVERITY_INFO, FIX_NONE,
                      "a labelled keypoint lies far outside of the box",
                      "The box or the keypoint belongs to another object, or the box covers only "
                      "the visible part. Up to half of the box's side is not reported.",
                      "Look at the object." },
    [NO_NAMES] = { "K008", "category-lacks-keypoints", SEVERITY_WARNING, FIX_NONE,
                   "objects have keypoints, but their category has no names for them",
                   "The exporter left out \"keypoints\" of the category. Readers cannot know which "
                   "point "
                   "is which, and which points swap in a mirror.",
                   "Add the names to the category." },
    [SKELETON] = { "K009", "skeleton-from-0", SEVERITY_ERROR, FIX_SAFE,
                   "entries of a skeleton are counted from 0",
                   "The exporter counts from 0; pycocotools subtracts 1.", "Count from 1." },
    [ALL_HIDDEN] = { "K011", "all-v0-but-num-above-0", SEVERITY_WARNING, FIX_SAFE,
                     "no keypoint is labelled, and num_keypoints is above 0",
                     "The exporter counts all keypoints. Training uses the object as a pose.",
                     "Write 0." },
    [NO_PAIRS] = { "K012", "no-left-right-pairs", SEVERITY_WARNING, FIX_NONE,
                   "names of keypoints do not say which ones swap in a mirror",
                   "They are numbers, or a side has no counterpart. A horizontal flip "
                   "would turn a left hand into a right hand; run refuses it.",
                   "Add \"flip_pairs\" to the category, see lockstep help coco; or add flip_idx to "
                   "YOLO's data.yaml." },
    [WRONG_PAIRS] = { "K013", "flip-pairs-wrong", SEVERITY_ERROR, FIX_NONE,
                      "the flip_pairs of a category are wrong",
                      "A name is misspelled, or a keypoint is in two pairs.",
                      "Write pairs of names, or of indices from 0." },
    [NESTED] = { "K014", "keypoints-as-triples", SEVERITY_ERROR, FIX_SAFE,
                 "keypoints are triples [x, y, v]", "The exporter writes points in its own format.",
                 "Write x, y, v, x, y, v, ... in one list." },
    [SKELETON_BEYOND] = { "K015", "skeleton-index-invalid", SEVERITY_ERROR, FIX_NONE,
                          "a skeleton entry is not a pair of keypoints, counted from 1",
                          "Keypoints were removed from the category, but their skeleton entries "
                          "were not.",
                          "Remove the entries, or correct their numbers." },
    { 0 },
};

static struct slice value_of(const struct annotation_element *e)
{
    return e->pick[MEMBER_KEYPOINTS].value;
}

/* --- errors of run --- */

static void check_refused_list(struct check *c, const struct annotation_element *e)
{
    const struct category *category = e->object->category;
    struct slice at = value_of(e);
    struct scan s = scan_again(at, 0);
    double *v;
    size_t n;

    if (!pick_numbers(&s, LARGEST_COORDINATE, e->scratch, &v, &n) || n % 3) {
        rule_report_plain(c, &rules[NOT_TRIPLES], &e->at, "keypoints", at,
                          "expected x, y, visibility for each keypoint");
        return;
    }
    if (category && category->n_keypoints && n / 3 != category->n_keypoints) {
        rule_report(c, &rules[COUNT], &e->at, "keypoints", at,
                    "there are %zu keypoints; a %s has %zu", n / 3, category->name,
                    category->n_keypoints);
        return;
    }
    for (size_t i = 2; i < n; i += 3)
        if (v[i] != 0 && v[i] != 1 && v[i] != 2) {
            rule_report(c, &rules[VISIBILITY], &e->at, "keypoints", at,
                        "the visibility of keypoint %zu is %g", i / 3, v[i]);
            return;
        }
}

static void check_nested(struct check *c, const struct annotation_element *e)
{
    struct slice at = value_of(e);
    struct text text = { 0 };
    struct finding *f;

    if (!(e->deviations & DEVIATION(TRIPLE_KEYPOINTS)))
        return;
    f = rule_report_plain(c, &rules[NESTED], &e->at, "keypoints", at,
                          "keypoints are triples [x, y, v]");
    if (f && c->options->fixes) {
        coco_keypoints_repair(at, &text);
        finding_replace(c, f, at, "%s", text_string(&text));
        text_drop(&text);
    }
}

/* --- accepted by run --- */

static void check_number(struct check *c, const struct annotation_element *e, size_t labelled)
{
    struct slice at = e->pick[MEMBER_NUM_KEYPOINTS].value;
    struct finding *f;
    int64_t given;

    if (!at.at || number_scan_integer(at, &given) != at.length || given == (int64_t)labelled)
        return;
    if (labelled)
        f = rule_report(c, &rules[NUM_DIFFERS], &e->at, "num_keypoints", at,
                        "num_keypoints is %lld, but %zu are labelled", (long long)given, labelled);
    else
        f = rule_report(c, &rules[ALL_HIDDEN], &e->at, "num_keypoints", at,
                        "num_keypoints is %lld, but none is labelled", (long long)given);
    if (c->options->fixes)
        finding_replace(c, f, at, "%zu", labelled);
}

static struct finding *report_point(struct check *c, const struct annotation_element *e, int rule,
                                    size_t i, const char *what)
{
    const struct category *category = e->object->category;
    const struct keypoint *k = &e->object->keypoints[i];
    const char *name = category && category->keypoint_name && i < category->n_keypoints
                           ? category->keypoint_name[i]
                           : "";
    struct finding *f = rule_report(c, &rules[rule], &e->at, "keypoints", value_of(e),
                                    "keypoint %zu%s%s at %g, %g %s", i, *name ? ", " : "", name,
                                    k->at.x, k->at.y, what);

    finding_draw_point(c, f, k->at);
    return f;
}

static bool is_far(double at, double from, double size)
{
    return at < from - size / 2 - 1 || at > from + size + size / 2 + 1;
}

/* Reports one finding of each kind per annotation: misplaced keypoints rarely occur alone. */
static void check_places(struct check *c, const struct annotation_element *e)
{
    const struct object *o = e->object;
    const struct checked_image *image = e->image;
    bool hidden = false, outside = false, far = false;

    for (size_t i = 0; i < o->n_keypoints; i++) {
        const struct keypoint *k = &o->keypoints[i];

        if (k->visibility <= 0) {
            if (k->has_position && !hidden)
                report_point(c, e, HIDDEN_PLACE, i, "is not labelled");
            hidden |= k->has_position;
        } else if (image && image->width && image->height &&
                   (k->at.x < -1 || k->at.y < -1 || k->at.x > image->width + 1 ||
                    k->at.y > image->height + 1)) {
            if (!outside)
                report_point(c, e, OUTSIDE_IMAGE, i, "lies outside of the image");
            outside = true;
        } else if (e->has_bbox && e->bbox[2] > 0 && e->bbox[3] > 0 && !far &&
                   (is_far(k->at.x, e->bbox[0], e->bbox[2]) ||
                    is_far(k->at.y, e->bbox[1], e->bbox[3]))) {
            report_point(c, e, OUTSIDE_BOX, i, "lies far outside of the box");
            far = true;
        }
    }
}

static void check_annotation(struct check *c, const struct annotation_element *e, void *state)
{
    const struct object *o = e->object;
    size_t labelled = 0;

    (void)state;
    if (!value_of(e).at)
        return;
    check_nested(c, e);
    if (!o->n_keypoints && !pick_is_empty(value_of(e))) {
        check_refused_list(c, e);
        return;
    }
    for (size_t i = 0; i < o->n_keypoints; i++)
        labelled += o->keypoints[i].visibility > 0;
    if (o->n_keypoints && !file_is_results(e->at.file)) {
        check_number(c, e, labelled);
        check_places(c, e);
    }
    if (o->category && !e->at.file->labels && coco_keypoints_are_annotated(value_of(e)))
        categories_set_annotated(&e->at.file->lookup, e->category ? e->category->id : COCO_NO_ID);
}

/* --- categories --- */

/* Reads the two ends of a bone. Returns false if they are not a pair of integers. */
static bool read_bone(struct slice bone, int64_t end[2], struct slice at[2])
{
    struct scan s = scan_again(bone, 0);
    bool first = true;
    size_t n = 0;

    if (*bone.at != '[')
        return false;
    scan_open(&s, '[');
    while (n < 2 && scan_element(&s, &first) && scan_value(&s, &at[n])) {
        if (number_scan_integer(at[n], &end[n]) != at[n].length)
            return false;
        n++;
    }
    return n == 2 && !scan_element(&s, &first);
}

struct skeleton_check {
    size_t n, wrong;     /* bones, and bones that are not pairs of 0 .. the number of keypoints */
    bool from_0, from_1; /* an end is 0; an end is the number of keypoints */
    struct slice first;  /* the first that is not a pair counted from 1 */
};

static struct skeleton_check read_bones(struct slice skeleton, int64_t max)
{
    struct scan s = scan_again(skeleton, 0);
    struct skeleton_check b = { 0 };
    struct slice bone, at[2];
    bool first = true;

    scan_open(&s, '[');
    for (; scan_element(&s, &first) && scan_value(&s, &bone); b.n++) {
        int64_t end[2] = { 0, 0 };
        bool wrong =
            !read_bone(bone, end, at) || end[0] < 0 || end[1] < 0 || end[0] > max || end[1] > max;

        b.wrong += wrong;
        b.from_0 |= !wrong && (!end[0] || !end[1]);
        b.from_1 |= !wrong && (end[0] == max || end[1] == max);
        if ((wrong || !end[0] || !end[1]) && !b.first.at)
            b.first = bone;
    }
    return b;
}

/* Adds 1 to every end. */
static void fix_bones(struct check *c, struct finding *f, struct slice skeleton)
{
    struct scan s = scan_again(skeleton, 0);
    struct slice bone, at[2];
    bool first = true;
    int64_t end[2];

    scan_open(&s, '[');
    while (scan_element(&s, &first) && scan_value(&s, &bone))
        for (size_t i = 0; i < 2 && read_bone(bone, end, at); i++)
            finding_replace(c, f, at[i], "%lld", (long long)end[i] + 1);
}

static void check_skeleton(struct check *c, const struct category_element *e)
{
    struct slice skeleton = e->pick[CATEGORY_SKELETON].value;
    const struct category *category = e->category->category;
    struct finding *f;
    struct skeleton_check b;

    if (!skeleton.at || *skeleton.at != '[' || !category || !category->n_keypoints)
        return;
    b = read_bones(skeleton, (int64_t)category->n_keypoints);
    if (!b.first.at)
        return;
    if (b.from_0 && !b.from_1 && !b.wrong) {
        f = rule_report_plain(c, &rules[SKELETON], &e->at, "skeleton", b.first,
                              "entries are counted from 0; COCO counts from 1");
        if (f && c->options->fixes)
            fix_bones(c, f, skeleton);
    } else {
        rule_report(c, &rules[SKELETON_BEYOND], &e->at, "skeleton", b.first,
                    "entries must be pairs of keypoints from 1 to %zu", category->n_keypoints);
    }
}

static void check_category(struct check *c, const struct category_element *e, void *state)
{
    (void)state;
    check_skeleton(c, e);
}

static void check_end(struct check *c, const struct annotation_file *file, void *state)
{
    (void)state;
    for (size_t i = 0; i < file->n_categories; i++) {
        const struct category *category = file->categories[i].category;
        struct element e = element_of_category(file, i);

        if (!category || !category->annotated)
            continue;
        if (!category->n_keypoints)
            rule_report(c, &rules[NO_NAMES], &e, "keypoints", (struct slice){ 0 },
                        "objects of \"%s\" have keypoints, but the category has no names for them",
                        category->name);
        else if (category->n_unpaired || category->unnamed)
            rule_report(c, &rules[NO_PAIRS], &e, "keypoints", pick_again(e.text, "keypoints"),
                        "the keypoints of \"%s\" do not say which ones swap in a mirror",
                        category->name);
        if (file->labels)
            return; /* all classes have the keypoints of data.yaml */
    }
}

const struct rule_family keypoints_family = {
    .title = "keypoints",
    .rules = rules,
    .labels = true,
    .category = check_category,
    .annotation = check_annotation,
    .end = check_end,
};
