/* stats: counts the contents of a dataset. */
#include "open/survey.h"
#include "options/job.h"
#include "options/label_options.h"
#include "shared/say.h"

#include "stats/stats.h"

#include <stdio.h>

struct options {
    const char *images, *classes;
    int voc_base, labels; /* enums voc_base, labels */
    bool json, html;
};

static const struct option options[] = {
    { 0, 'i', "DIR",
      TEXT(struct options, images, .preset = "\"\"",
           .help = "folder of images, for folders of labels and --labels folders") },
    { 0, 0, "WHAT",
      CHOICE(struct options, labels, .preset = "\"none\"", .choices = labels_choices,
             .help = "the labels of images, without ANNOTATIONS. An image counts as an object of "
                     "its class") },
    { 0, 0, "FILE",
      TEXT(struct options, classes, .preset = "\"\"",
           .help = "the names of the classes, in order. The file is one that `lockstep run "
                   "--classes` takes. Called --names in earlier versions",
           .was = "--names") },
    VOC_BASE_OPTION(0, struct options),
    { 0, 0, NULL,
      FLAG(struct options, json, .preset = "false", .help = "print a JSON object on one line") },
    { 0, 0, NULL,
      FLAG(struct options, html, .preset = "false",
           .help = "print an HTML page with plots, in one file without scripts") },
    OPTIONS_END,
};

static int refuse(const char *path, const char *code_word, const char *why)
{
    struct text text = { 0 };

    text_adds(&text, why);
    return refuse_input(path, &text, code_word, EXIT_USAGE);
}

static void print(const struct options *o, const struct survey *survey)
{
    struct text out = { 0 };
    struct dataset_stats stats;

    stats_count(survey, &stats);
    if (o->json)
        stats_print_json(&stats, &out);
    else if (o->html)
        stats_print_html(&stats, &out);
    else
        stats_print_text(&stats, &out);
    fwrite(text_string(&out), 1, out.length, stdout);
    text_drop(&out);
    stats_drop(&stats);
}

static int run(void *given, const char *const *operand)
{
    const struct options *o = given;
    struct survey_inputs opened;
    bool folders = o->labels == IMAGE_LABELS_FOLDERS;
    int code;

    if (!operand[0] && !folders)
        return refuse("", "operand-missing", "annotations, or the output of a run, are required");
    if (operand[0] && (operand[1] || folders))
        return refuse(operand[!folders], "operand-unexpected", "one dataset at a time");
    if (folders && !*o->images)
        return refuse("--labels folders", "option-missing",
                      "it needs -i, the folder of the classes");
    if (o->json && o->html)
        return refuse("--html", "option-unused",
                      "--json prints no page; give one of the two options");
    code = open_survey_with_nan(&(struct survey_place){ folders ? "" : operand[0], o->images,
                                                        o->classes, o->voc_base, folders },
                                &opened);
    if (code == EXIT_DONE || code == EXIT_PARTIAL)
        print(o, &opened.survey);
    survey_inputs_drop(&opened);
    return code;
}

static const char *const examples[] = {
    "lockstep stats annotations.json",
    "lockstep stats annotations.json --html > stats.html",
    "lockstep stats labels -i images --json | jq .sizes",
    "lockstep stats -i pets --labels folders",
    NULL,
};

const struct command stats_command = {
    .name = "stats",
    .summary = "count categories, sizes, shapes and positions in annotations",
    .synopsis = "ANNOTATIONS|--labels folders [-i IMAGES] [--json | --html]",
    .about =
        "Counts the objects of each category and of each image, and how many objects are small, "
        "medium and large. As in COCO's evaluation, these are areas below 32 x 32, below 96 x 96, "
        "and larger; without an area, the area of the box counts. Also prints width : height of "
        "boxes, area relative to the box, image sizes, where the centers of boxes are in their "
        "images, and the visibility of keypoints. Crowds are counted, too. ANNOTATIONS is a COCO "
        "file, a folder of labels, or the output folder of a run. Parts that "
        "cannot be read are left out with a warning, and the exit code is 1.",
    .operands = "FILE",
    .options = options,
    .options_size = sizeof(struct options),
    .examples = examples,
    .run = run,
};
