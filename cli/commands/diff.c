/* diff: prints the differences of two datasets, or of the outputs of two runs. */
#include "open/survey.h"
#include "options/label_options.h"
#include "shared/say.h"

#include "stats/compare.h"

#include <stdio.h>
#include <string.h>

struct options {
    struct names images;
    const char *classes;
    int voc_base;
    int match; /* enum compare_match */
    double tolerance, iou;
    int64_t max_differences;
    bool json;
};

static const struct choice matches[] = {
    { "id", COMPARE_ID, "elements with the same id; elements without ids as with `geometry`" },
    { "geometry", COMPARE_GEOMETRY,
      "images by file name, categories by name, annotations by image, category and the largest IoU "
      "of their boxes; ids may differ" },
    { 0 },
};

static const struct option options[] = {
    { 0, 'i', "DIR",
      NAMES(struct options, images, .preset = "null",
            .help = "folder of images, for folders of labels. Give it once for both, or twice, "
                    "for A and for B") },
    { 0, 0, "FILE",
      TEXT(struct options, classes, .preset = "\"\"",
           .help = "for folders of labels: the names of the classes, in order. The file is one "
                   "that `lockstep run --classes` takes. Called --names in earlier versions",
           .was = "--names") },
    VOC_BASE_OPTION(0, struct options),
    { 0, 0, "HOW",
      CHOICE(struct options, match, .preset = "\"id\"", .choices = matches,
             .help = "how to find elements that are the same") },
    { 0, 0, "IOU",
      NUMBER(struct options, iou, .preset = "0.5", .limit = { 0.01, 1 },
             .help = "with --match geometry: the smallest IoU of two boxes of the same object") },
    { 0, 0, "NUMBER",
      NUMBER(struct options, tolerance, .preset = "0", .limit = { 0, 1e9 },
             .help = "numbers that differ by no more than this are equal") },
    { 0, 0, "N",
      WHOLE(struct options, max_differences, .preset = "20", .limit = { 0, 1e9 },
            .help = "print at most N differences of each kind; the JSON has all of them") },
    { 0, 0, NULL, FLAG(struct options, json, .preset = "false", .help = "print a JSON object") },
    OPTIONS_END,
};

static int refuse(const char *path, const char *code_word, const char *why)
{
    struct text text = { 0 };

    text_adds(&text, why);
    return refuse_input(path, &text, code_word, EXIT_USAGE);
}

/* Matches by id only if both sides have ids. */
static enum compare_match match_of(const struct options *o, const struct survey *a,
                                   const struct survey *b)
{
    const struct survey *all[] = { a, b };

    for (size_t i = 0; i < COUNTOF(all); i++)
        if (strncmp(all[i]->format, "coco", 4) != 0 || strcmp(all[i]->format, "coco_results") == 0)
            return COMPARE_GEOMETRY;
    return (enum compare_match)o->match;
}

static int print(const struct options *o, const char *const *operand, const struct survey_inputs *a,
                 const struct survey_inputs *b)
{
    const struct compare_rules rules = { match_of(o, &a->survey, &b->survey), o->tolerance,
                                         o->iou };
    struct text out = { 0 }, why = { 0 };
    struct comparison c;
    bool good = true;
    int code;

    compare_surveys(&a->survey, &b->survey, &rules, &c);
    if (a->is_out && b->is_out)
        good = compare_outputs(&c, operand[0], operand[1], &why);
    else if (a->n_parts && b->n_parts)
        good = compare_image_files(&c, &why);
    if (!good) {
        comparison_drop(&c);
        return refuse_input("lockstep diff", &why, "out-unreadable", EXIT_INPUT);
    }
    if (comparison_has_new_ids(&c))
        message_print(
            "lockstep diff: note: no id of A is in B; --match geometry compares images by "
            "their names, and objects by their boxes [ids-new]");
    if (o->json)
        comparison_print_json(&c, &out);
    else
        comparison_print_text(&c, (size_t)o->max_differences, &out);
    fwrite(text_string(&out), 1, out.length, stdout);
    code = comparison_is_empty(&c) ? EXIT_DONE : EXIT_PARTIAL;
    text_drop(&out);
    text_drop(&why);
    comparison_drop(&c);
    return code;
}

/* Opens a side, and fails if parts of it cannot be read: they can be neither equal nor different.
 */
static int open_whole(const struct survey_place *place, struct survey_inputs *to)
{
    int code = open_survey(place, to);

    return code == EXIT_PARTIAL ? EXIT_INPUT : code;
}

/* Returns the places that belong to one operand (0: A, 1: B). An option that is given once applies
 * to each side that is a folder of labels; to both if neither is, so that opening refuses it. */
static struct survey_place place_of(const struct options *o, const char *const *operand,
                                    size_t side)
{
    bool is_served =
        survey_is_label_folder(operand[side]) || !survey_is_label_folder(operand[!side]);
    struct survey_place place = { .path = operand[side],
                                  .images = "",
                                  .classes = is_served ? o->classes : "",
                                  .voc_base = is_served ? o->voc_base : VOC_BASE_UNKNOWN };

    if (o->images.n == 2)
        place.images = o->images.at[side];
    else if (o->images.n == 1 && is_served)
        place.images = o->images.at[0];
    return place;
}

static int run(void *given, const char *const *operand)
{
    const struct options *o = given;
    struct survey_inputs a = { 0 }, b = { 0 };
    struct survey_place place;
    int code;

    if (!operand[0] || !operand[1])
        return refuse("", "operand-missing", "two datasets, or outputs of runs, are required");
    if (operand[2])
        return refuse(operand[2], "operand-unexpected", "two datasets are compared, no more");
    if (o->images.n > 2)
        return refuse("--images", "option-unused", "give it once, or twice: for A and for B");
    place = place_of(o, operand, 0);
    code = open_whole(&place, &a);
    place = place_of(o, operand, 1);
    if (!code)
        code = open_whole(&place, &b);
    if (!code)
        code = print(o, operand, &a, &b);
    survey_inputs_drop(&a);
    survey_inputs_drop(&b);
    return code;
}

static const char *const examples[] = {
    "lockstep diff old.json new.json",
    "lockstep diff old.json new.json --match geometry --tolerance 0.01",
    "lockstep diff out-a out-b --json | jq .files.changed",
    "lockstep diff pets-1/data.yaml pets-2/data.yaml",
    NULL,
};

const struct command diff_command = {
    .name = "diff",
    .summary = "print the differences of two datasets or outputs",
    .synopsis = "A B [--match geometry] [options]",
    .about =
        "Compares categories, images and annotations: which ones were added, removed or changed, "
        "and in which members. The order of elements and members does not matter, nor how numbers "
        "are written. A and B are COCO files, folders of labels, whole "
        "datasets, or output folders of runs. Images of datasets and images and masks of outputs "
        "are compared byte by byte, too; those of datasets by their parts and names. The exit "
        "code is 0 if nothing differs and 1 if something does. A file with parts that cannot be "
        "read is refused; `lockstep check` lists them.",
    .operands = "FILE",
    .options = options,
    .options_size = sizeof(struct options),
    .examples = examples,
    .run = run,
};
