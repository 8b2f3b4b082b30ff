/* labels: steps that change labels alone, done to annotations or results without their images. */
#include "open.h"

#include "../src/batch/relabel.h"

struct options {
    const char *pipeline, *annotations, *image_list, *out;
    int64_t seed;
    bool overwrite, quiet;
};

static const struct option options[] = {
    { 0, 'p', "FILE",
      TEXT(struct options, pipeline,
           .help = "the pipeline, JSON, of steps that change labels alone; - for stdin") },
    { 0, 'a', "FILE",
      TEXT(struct options, annotations,
           .help = "the annotations: a COCO file, or COCO's results: a list of what a model "
                   "found; - for stdin") },
    { 0, 0, "FILE",
      TEXT(struct options, image_list, .preset = "\"\"",
           .help = "for results: a COCO file with the images and categories. Without it sizes of "
                   "images are not known, and names of categories are their ids") },
    { 0, 'o', "FILE",
      TEXT(struct options, out, .preset = "\"-\"", .help = "the file to write; - for stdout") },
    { 0, 0, "N",
      WHOLE(struct options, seed, .preset = "0", .limit = { 0, 9007199254740991 },
            .help = "instead of the pipeline's seed") },
    { 0, 0, NULL,
      FLAG(struct options, overwrite, .preset = "false", .help = "replace the file if it exists") },
    { 0, 'q', NULL, FLAG(struct options, quiet, .preset = "false", .help = "no summary") },
    OPTIONS_END,
};

/* --- the work --- */

static int check_steps(const struct plan *plan)
{
    struct faults faults = { .name = plan->file, .text = plan->text };
    int code = relabel_check(plan, &faults) ? EXIT_DONE : faults_exit(&faults, EXIT_PIPELINE);

    faults_drop(&faults);
    return code;
}

static int read_annotations(const struct options *o, struct opened *to)
{
    int code = open_label_file(o->annotations, o->image_list, o->quiet ? -1 : 0, to);

    return code ? code : open_check(&to->plan, o->quiet ? -1 : 0, &to->dataset);
}

static void print_summary(const struct dataset *d, const struct relabelled *r)
{
    struct text why = { 0 };

    for (size_t i = 0; i < r->n_reasons; i++)
        text_addf(&why, "%s%s %zu", i ? ", " : " (", r->reason[i].word, r->reason[i].n);
    if (r->n_reasons)
        text_addc(&why, ')');
    message_print("lockstep: %s: %zu objects of %zu images: %zu stay, %zu of them changed; %zu "
                  "dropped%s",
                  d->file, r->n, d->n_records, r->kept, r->changed, r->n - r->kept,
                  text_string(&why));
    text_drop(&why);
}

static int relabel_file(const struct options *o, struct opened *to)
{
    struct faults faults = dataset_faults(&to->dataset);
    struct relabelled relabelled;
    struct text bytes = { 0 };
    int code = EXIT_DONE;

    if (!relabel(&to->plan, &to->dataset, &relabelled, &faults))
        code = faults_exit(&faults, EXIT_INPUT);
    else if (!relabel_print(&to->dataset, &relabelled, &bytes))
        code = open_out_refuse(o->out, "out-write", errno_text(), EXIT_OUTPUT);
    else
        code = open_end(EXIT_DONE);
    if (!code)
        code = open_out_write(o->out, &bytes);
    if (!code && !o->quiet)
        print_summary(&to->dataset, &relabelled);
    text_drop(&bytes);
    relabel_drop(&relabelled);
    faults_drop(&faults);
    return code;
}

static int run(void *given, const char *const *operand)
{
    const struct options *o = given;
    struct opened opened = { 0 };
    int code = open_out_check(o->out, o->overwrite);

    (void)operand;
    if (code)
        return code;
    code = open_plan(o->pipeline, &opened.plan);
    if (!code && option_given("seed"))
        opened.plan.seed = o->seed;
    if (!code)
        code = check_steps(&opened.plan);
    if (!code)
        code = read_annotations(o, &opened);
    if (!code)
        code = relabel_file(o, &opened);
    opened_drop(&opened);
    return code;
}

static const char *const examples[] = {
    "lockstep labels -p nms.json -a results.json -o kept.json",
    "lockstep labels -p nms.json -a results.json --image-list annotations.json > kept.json",
    NULL,
};

const struct command labels_command = {
    .name = "labels",
    .brief = true,
    .summary = "change annotations or results without their images: nms, scores, categories",
    .synopsis = "-p PIPELINE -a FILE [--image-list FILE] [-o FILE]",
    .about =
        "Does steps to the objects of each image that need no pixels: those that `lockstep list "
        "ops labels` names, and policies of them. What no step changes stays as it stands in the "
        "file, keys that COCO does not have and the digits of numbers, too; objects keep their "
        "order and ids. Boxes are those of the file: corners in pixels, without a pixel added to "
        "their sides, unless a step says `\"edges\": \"inclusive\"`. Where a step needs scores, an "
        "object without a \"score\" is an error [score-missing]. Nothing is written unless "
        "everything is right.",
    .options = options,
    .options_size = sizeof(struct options),
    .examples = examples,
    .plugins = true,
    .run = run,
};
