/* labels: rules about folders of label files: YOLO's lines, Pascal VOC's XML. The first rules are
 * for errors of run; check/run_errors.c knows the code of each. */
#include "base/number.h"
#include "batch/dataset/label_folder.h"
#include "check/rule.h"

#include <stdlib.h>
#include <string.h>

enum {
    NO_NUMBER,
    CLASS,
    LENGTH,
    RANGE,
    KEYPOINTS,
    NAMES,
    YAML,
    XML,
    BOX,
    NO_CLASS,
    NO_NAMES,
    UNUSED,
    MISSING,
    SHARED,
    MIXED,
    MIXED_BASE
};

static const struct rule rules[] = {
    [NO_NUMBER] = { "L001", "label-no-number", SEVERITY_ERROR, FIX_NONE,
                    "a line of YOLO's labels has something that is not a number",
                    "It has a name instead of a class number, has commas, or is not a label.",
                    "Write a class and the numbers of its object, separated by spaces." },
    [CLASS] = { "L002", "label-class-unknown", SEVERITY_ERROR, FIX_NONE,
                "a line of YOLO's labels has a class without a name",
                "Classes are counted from 0, but the label from 1; or the file with the names is "
                "from another dataset.",
                "Write the number of a class, or add its name." },
    [LENGTH] = { "L003", "label-wrong-length", SEVERITY_ERROR, FIX_NONE,
                 "a line of YOLO's labels has a wrong number of values",
                 "The line was cut off, has the confidence of a prediction, or another number of "
                 "keypoints than kpt_shape in data.yaml says.",
                 "Write a class and 4 numbers of a box, 6 or more of an outline, or a box and the "
                 "keypoints." },
    [RANGE] = { "L004", "label-out-of-range", SEVERITY_ERROR, FIX_NONE,
                "a number of YOLO's labels is not a share of the image's width or height",
                "Pixels were written, or a box that reaches beyond its image was not clipped. "
                "Training "
                "tools leave such images out. Up to 0.01 beyond counts as rounding.",
                "Divide pixels by the image's width and height; clip boxes at its edges." },
    [KEYPOINTS] = { "L005", "label-keypoints-wrong", SEVERITY_ERROR, FIX_NONE,
                    "keypoints of YOLO's labels, or their settings in data.yaml, are wrong",
                    "A visibility is not 0, 1 or 2; kpt_shape is not [number, 2 or 3]; flip_idx "
                    "does not pair all keypoints.",
                    "Correct the label, or kpt_shape and flip_idx in data.yaml." },
    [NAMES] = { "L006", "class-names-wrong", SEVERITY_ERROR, FIX_NONE,
                "the file with the names of the classes is wrong",
                "data.yaml has neither names nor nc; names is neither a list nor a mapping of "
                "numbers; "
                "nc is "
                "not their number; a name is not UTF-8. Classes of labels are then not checked.",
                "Correct names and nc." },
    [YAML] = { "L007", "class-names-no-yaml", SEVERITY_ERROR, FIX_NONE,
               "data.yaml is not YAML, or has anchors",
               "It was edited by hand: an indentation, a quote or a bracket is missing. Classes "
               "of labels are then not checked.",
               "Correct the marked place in the file." },
    [XML] = { "L008", "label-no-xml", SEVERITY_ERROR, FIX_NONE,
              "a label file of Pascal VOC is not the XML of an annotation",
              "It was cut off, a name has & or < that is not escaped, it is UTF-16, has a document "
              "type, or is another kind of XML.",
              "Write the file again; & is &amp; and < is &lt;." },
    [BOX] = { "L009", "label-box-wrong", SEVERITY_ERROR, FIX_NONE,
              "the box of an object of Pascal VOC's labels is wrong",
              "xmin, ymin, xmax or ymax is missing, not a number or above 1e7; or the last pixel "
              "is before the first: the corners were swapped.",
              "Write the four corners, in pixels from 1." },
    [NO_CLASS] = { "L010", "label-without-class", SEVERITY_ERROR, FIX_NONE,
                   "an object of Pascal VOC's labels has no name",
                   "The name, which is the class, was left out or is empty.", "Name the object." },
    [NO_NAMES] = { "L011", "class-names-missing", SEVERITY_INFO, FIX_NONE,
                   "no file names the classes of YOLO's labels",
                   "There is no data.yaml, classes.txt or obj.names beside the labels or above "
                   "them. The classes have numbers as names, and every number is accepted.",
                   "Give the file with --classes." },
    [UNUSED] = { "L012", "labels-without-image", SEVERITY_WARNING, FIX_NONE,
                 "a label file belongs to no image",
                 "The image was removed, renamed or moved to another folder; "
                 "or an image has two label files, and the other is read.",
                 "Remove the file, or give the image back its name." },
    [MISSING] = { "L013", "image-without-labels", SEVERITY_INFO, FIX_NONE,
                  "images have no label file",
                  "They show no object of the classes, as training tools assume, or were "
                  "not labelled yet, or their files have other names.",
                  "Make sure that a person looked at them; write empty files for them." },
    [SHARED] = { "L014", "labels-of-two-images", SEVERITY_ERROR, FIX_NONE,
                 "two images share one label file",
                 "They differ only by their suffix, as a.jpg and a.png: one was converted "
                 "from the other. run would write the labels of both to one file.",
                 "Remove one of the two, or rename it with its labels." },
    [MIXED] = { "L015", "boxes-among-outlines", SEVERITY_WARNING, FIX_NONE,
                "YOLO's labels have boxes and outlines",
                "Datasets of two tasks were joined. If one file has both, older releases of "
                "Ultralytics read all its lines as outlines: a box becomes the two points (cx, cy) "
                "and (w, h). Newer ones drop its image. If some files have boxes and others "
                "outlines, all outlines of the split are dropped, and training uses only boxes.",
                "Write outlines for all objects, or boxes for all: run with --to yolo-segment or "
                "--to yolo does so." },
    [MIXED_BASE] = { "L016", "label-mixed-base", SEVERITY_WARNING, FIX_NONE,
                     "some of Pascal VOC's files count corners from 0, and others from 1",
                     "Files of several tools were joined: no pixel has the corner 0 if a tool "
                     "counts from 1, as the files of the VOC challenges do.",
                     "Write all corners from 1, or say which is right with --voc-base." },
    { 0 },
};

struct labels_state {
    size_t boxes, outlines;
    uint32_t first_box, first_outline; /* indices of annotations */
    const struct checked_image
        *image; /* image of the last annotation, and the kinds of objects in its file so far */
    bool has_box, has_outline;
    size_t files_with_both;
};

static void check_file(struct check *c, const struct annotation_file *file, void *state)
{
    struct element e = element_of_file(file);

    (void)state;
    if (file_is_yolo(file) && !file->labels->index_name)
        rule_report_plain(c, &rules[NO_NAMES], &e, NULL, file->places->folder,
                          "no file beside the labels or above them names the classes");
}

static void check_annotation(struct check *c, const struct annotation_element *e, void *given)
{
    struct labels_state *state = given;
    bool both;

    (void)c;
    if (!file_is_yolo(e->at.file))
        return;
    if (e->image != state->image)
        state->has_box = state->has_outline = false;
    state->image = e->image;
    both = state->has_box && state->has_outline;
    state->has_box |= e->has_bbox;
    state->has_outline |= e->object->segmentation != SEGMENTATION_NONE;
    state->files_with_both += !both && state->has_box && state->has_outline;
    if (e->object->segmentation != SEGMENTATION_NONE && !state->outlines++)
        state->first_outline = e->at.index;
    if (e->has_bbox && !state->boxes++)
        state->first_box = e->at.index;
}

/* Reports boxes mixed with outlines; the rarer kind is the wrong one. */
static void check_mixed(struct check *c, const struct annotation_file *file,
                        const struct labels_state *state)
{
    bool boxes = state->boxes <= state->outlines;
    struct element e;

    if (!state->boxes || !state->outlines)
        return;
    e = element_of_annotation(file, boxes ? state->first_box : state->first_outline);
    rule_report(c, &rules[MIXED], &e, NULL, e.text,
                "%zu objects have a box, and %zu an outline; files with both: %zu; this is "
                "the first of the %s",
                state->boxes, state->outlines, state->files_with_both,
                boxes ? "boxes" : "outlines");
}

/* --- label files without an image, and images without a label file --- */

/* True if a line has five or more numbers, like a line of YOLO's labels. */
static bool is_label_line(struct slice line)
{
    size_t n = 0;

    for (size_t i = 0; i < line.length;) {
        struct slice rest = { line.at + i, line.length - i };
        double number;
        size_t length = strchr(" \t\r", *rest.at) ? 1 : number_scan(rest, &number);

        if (!length)
            return false;
        n += !strchr(" \t\r", *rest.at);
        i += length;
    }
    return n >= 5;
}

/* True if the first line is a label, unlike in lists of images, licenses and notes. A blank file is
 * a label file without objects. */
static bool looks_like_labels(const struct annotation_file *file, struct slice text)
{
    const char *end;
    size_t at = 0;

    if (!file_is_yolo(file))
        return memmem(text.at, text.length, "<annotation", strlen("<annotation"));
    while (at < text.length && strchr(" \t\r\n", text.at[at]))
        at++;
    end = at < text.length ? memchr(text.at + at, '\n', text.length - at) : NULL;
    return at == text.length ||
           is_label_line((struct slice){ text.at + at,
                                         end ? (size_t)(end - text.at) - at : text.length - at });
}

static void check_unused(struct check *c, const struct annotation_file *file)
{
    const struct label_places *places = file->places;

    for (size_t i = 0; i < places->n_unused; i++) {
        struct slice text = places->unused[i];
        struct element e = element_of_file(file);

        e.text = (struct slice){ text.at, 1 };
        if (looks_like_labels(file, text))
            rule_report(c, &rules[UNUSED], &e, places->unused_name[i], (struct slice){ 0 },
                        "no image has its labels here");
    }
}

static void check_missing(struct check *c, const struct annotation_file *file)
{
    size_t n = 0, first = 0;
    struct element e;

    for (size_t i = 0; i < file->n_images; i++)
        if (!file->labels->labels[i].at && !n++)
            first = i;
    if (!n)
        return;
    e = element_of_image(file, first);
    rule_report(c, &rules[MISSING], &e, NULL, (struct slice){ 0 },
                "%zu of %zu images have no label file; this is the first", n, file->n_images);
}

/* --- images that share a label file --- */

struct stem {
    const char *name;
    size_t length;
    uint32_t index;
};

static int by_stem(const void *a, const void *b)
{
    const struct stem *x = a, *y = b;
    int order = memcmp(x->name, y->name, x->length < y->length ? x->length : y->length);

    if (order || x->length != y->length)
        return order ? order : (x->length > y->length) - (x->length < y->length);
    return (x->index > y->index) - (x->index < y->index);
}

static void check_shared(struct check *c, const struct annotation_file *file)
{
    struct stem *stems = memory_take((file->n_images + 1) * sizeof *stems);

    for (size_t i = 0; i < file->n_images; i++) {
        const char *name = file->images[i].name, *slash = strrchr(name, '/');
        const char *dot = strrchr(slash ? slash : name, '.');

        stems[i] = (struct stem){ name, dot ? (size_t)(dot - name) : strlen(name), (uint32_t)i };
    }
    qsort(stems, file->n_images, sizeof *stems, by_stem);
    for (size_t i = 1; i < file->n_images; i++) {
        struct element e = element_of_image(file, stems[i].index);

        if (stems[i].length == stems[i - 1].length &&
            memcmp(stems[i].name, stems[i - 1].name, stems[i].length) == 0 &&
            file->labels->labels[stems[i].index].at)
            rule_report(c, &rules[SHARED], &e, NULL, (struct slice){ 0 },
                        "\"%s\" has the same label file", stems[i - 1].name);
    }
    free(stems);
}

static void check_base(struct check *c, const struct annotation_file *file)
{
    struct element e = element_of_file(file);

    e.text = file->labels->mixed_base;
    if (e.text.at)
        rule_report(c, &rules[MIXED_BASE], &e, NULL, e.text,
                    "this corner is 0, but other files are from the VOC challenges");
}

static void check_end(struct check *c, const struct annotation_file *file, void *given)
{
    if (!file->labels)
        return;
    check_base(c, file);
    check_mixed(c, file, given);
    check_unused(c, file);
    check_missing(c, file);
    check_shared(c, file);
}

const struct rule_family labels_family = {
    .title = "folders of labels",
    .rules = rules,
    .state = sizeof(struct labels_state),
    .labels = true,
    .file = check_file,
    .annotation = check_annotation,
    .end = check_end,
};
