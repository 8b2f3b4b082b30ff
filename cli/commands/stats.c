/* stats: counts the contents of a dataset, and reports what a run made of it. */
#include "open/run_json.h"
#include "open/survey.h"
#include "options/job.h"
#include "options/label_options.h"
#include "shared/say.h"

#include "batch/io/mapped_file.h"
#include "batch/journal/run_key.h"
#include "base/files.h"
#include "stats/run_page.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

struct options {
    const char *images, *annotations, *masks, *mask_name, *classes, *html;
    int voc_base, labels; /* enums voc_base, label_source */
    bool json, overwrite;
};

static const struct option options[] = {
    { 0, 'i', "DIR",
      TEXT(struct options, images, .preset = "\"\"",
           .help = "folder of images, for folders of labels and --labels folders; for the output "
                   "of a run, the folder of the images that it read") },
    { 0, 0, "WHAT",
      CHOICE(struct options, labels, .preset = "\"none\"", .choices = labels_choices,
             .help = "the labels of images, without ANNOTATIONS. An image counts as an object of "
                     "its class") },
    { 0, 'm', "DIR",
      TEXT(struct options, masks, .preset = "\"\"",
           .help =
               "folder of label masks, without ANNOTATIONS: count the pixels and images of each "
               "value. Each mask has the path and stem of its image") },
    { 0, 0, "TEMPLATE",
      TEXT(struct options, mask_name, .preset = "\"\"",
           .help = "template of the names of the masks, as for `lockstep run`: {stem}_L.png") },
    { 0, 'a', "PATH",
      TEXT(struct options, annotations, .preset = "\"\"",
           .help = "for the output of a run: the annotations that it read, to count objects before "
                   "and after. A run does not record where its inputs are") },
    { 0, 0, "FILE",
      TEXT(struct options, classes, .preset = "\"\"",
           .help = "the names of the classes, in order. The file is one that `lockstep run "
                   "--classes` takes. Called --names in earlier versions",
           .was = "--names") },
    VOC_BASE_OPTION(0, struct options),
    { 0, 0, NULL,
      FLAG(struct options, json, .preset = "false", .help = "print a JSON object on one line") },
    { 0, 0, "FILE",
      TEXT(struct options, html, .preset = "\"\"", .writes = WRITES_FILE | WRITES_STDOUT,
           .help = "write a page with plots to this file, or to stdout for -. For the output of a "
                   "run, it also shows counts before and after, dropped objects, the sampled "
                   "values of the steps, and outputs beside their sources. The page is one file "
                   "that needs no other") },
    { 0, 0, NULL,
      FLAG(struct options, overwrite, .preset = "false", .help = "replace the page if it exists") },
    OPTIONS_END,
};

static int refuse(const char *path, const char *code_word, const char *why)
{
    struct text text = { 0 };

    text_adds(&text, why);
    return refuse_input(path, &text, code_word, EXIT_USAGE);
}

/* --- the output of a run --- */

/* Files that the report of a run needs. */
struct run_files {
    struct run_file run;
    struct survey_inputs source; /* its annotations, if they are given */
    struct run_inputs in;
    struct arena arena;
};

static bool run_had_annotations(const struct run_file *run)
{
    const struct value *format = value_get(run->root, "format");

    return format && format->kind == VALUE_TEXT;
}

static struct slice text_of(const struct survey_inputs *source)
{
    return source->opened.dataset.text.at ? source->opened.dataset.text : source->survey.text;
}

/* True if the run read these annotations. */
static bool are_of_run(const struct survey_inputs *source, const struct run_file *run)
{
    struct arena arena = { 0 };
    struct combination parts = {
        .at = ARENA_ARRAY(&arena, struct combination_part, source->n_parts + 1),
        .n = source->n_parts,
    };
    const struct dataset dataset = { .text = text_of(source),
                                     .combination = source->n_parts ? &parts : NULL };
    const struct job job = { .dataset = &dataset };
    bool same;

    for (size_t i = 0; i < source->n_parts; i++)
        parts.at[i].read.text = text_of(&source->parts[i]);
    same = run_key_member_is_same(&job, run->key, "annotations");
    arena_drop(&arena);
    return same;
}

static int open_run_source(const struct options *o, struct run_files *to)
{
    bool folder = survey_is_label_folder(o->annotations);
    int code = open_survey_with_nan(
        &(struct survey_place){ .path = o->annotations,
                                .images = folder ? o->images : "",
                                .classes = folder ? o->classes : "",
                                .voc_base = folder ? o->voc_base : VOC_BASE_UNKNOWN },
        &to->source);

    if (code != EXIT_DONE && code != EXIT_PARTIAL)
        return code;
    if (are_of_run(&to->source, &to->run)) {
        to->in.before = &to->source.survey;
        return code;
    }
    to->in.no_before = "the run did not read the annotations of -a, or they were changed";
    message_print("lockstep: warning: %s: the run did not read these annotations, or they were "
                  "changed: objects before the run are not counted [replay-annotations]",
                  o->annotations);
    return EXIT_DONE;
}

static int open_run(const struct options *o, const char *out, struct run_files *to)
{
    const char *manifest = arena_printf(&to->arena, "%s/manifest.jsonl", out);
    struct text why = { 0 };
    int code = run_file_open("", manifest, &to->run);

    if (code)
        return code;
    if (!mapped_open(manifest, &to->in.manifest, &why))
        return refuse_input(manifest, &why, "replay-unread", EXIT_INPUT);
    to->in.run_json = to->run.root;
    to->in.out = out;
    to->in.images = o->images;
    to->in.packed = strcmp(run_text(to->run.key_value, "out_format"), "dir") != 0;
    if (*o->annotations)
        return open_run_source(o, to);
    if (run_had_annotations(&to->run))
        to->in.no_before = "the run does not record where its annotations are; name them with -a";
    return EXIT_DONE;
}

static void close_run(struct run_files *opened)
{
    survey_inputs_drop(&opened->source);
    run_file_drop(&opened->run);
    arena_drop(&opened->arena);
}

/* --- what is printed --- */

static int print_all(const struct options *o, const struct dataset_stats *stats,
                     const struct run_report *report)
{
    struct text out = { 0 }, run = { 0 };
    int code = EXIT_DONE;

    if (*o->html) {
        if (report)
            run_page_print(report, &out);
        else
            stats_print_html(stats, &out);
        code = open_out_write(o->html, o->overwrite, &out);
        text_clear(&out);
    }
    if (o->json && report)
        run_report_print_json(report, &run);
    if (o->json)
        stats_print_json(stats, &run, &out);
    else if (!*o->html)
        stats_print_text(stats, &out);
    if (!code)
        fwrite(text_string(&out), 1, out.length, stdout);
    text_drop(&out);
    text_drop(&run);
    return code;
}

/* Reports a run if the dataset is its output. */
static int report(const struct options *o, const char *path, const struct survey_inputs *opened)
{
    struct run_files run = { 0 };
    struct run_report made;
    struct dataset_stats stats;
    bool reports = opened->is_out && (o->json || *o->html);
    int code = reports ? open_run(o, path, &run) : EXIT_DONE;
    int printed = EXIT_DONE;

    stats_count(&opened->survey, &stats);
    if (code == EXIT_DONE || code == EXIT_PARTIAL) {
        run.in.after = &stats;
        if (reports)
            run_report_make(&made, &run.in);
        printed = print_all(o, &stats, reports ? &made : NULL);
        if (reports) {
            code = made.n_unread && !code ? EXIT_PARTIAL : code;
            run_report_drop(&made);
        }
    }
    stats_drop(&stats);
    close_run(&run);
    return printed ? printed : code;
}

/* --- the command --- */

/* True if --overwrite must not replace the file: it is no page. */
static bool is_foreign(const char *path)
{
    static const char begin[] = "<!DOCTYPE html>";
    char head[sizeof begin - 1] = "";
    FILE *file = file_is_stream(path) ? NULL : fopen(path, "rb");
    bool is = file && (fread(head, 1, sizeof head, file) != sizeof head ||
                       strncasecmp(head, begin, sizeof head) != 0);

    if (file)
        fclose(file);
    return is;
}

static int check_page(const struct options *o)
{
    int code = *o->html ? open_out_check(o->html, o->overwrite) : EXIT_DONE;

    return code || !*o->html || !is_foreign(o->html)
               ? code
               : refuse_path(o->html, "out-foreign",
                             "the file exists and is no HTML page; it is left alone",
                             EXIT_OCCUPIED);
}

static int check_options(const struct options *o, bool is_out)
{
    if (o->json && strcmp(o->html, "-") == 0)
        return refuse("--html", "option-unused",
                      "--json prints to stdout, too; write the page to a file");
    if (*o->annotations && !is_out)
        return refuse("--annotations", "option-unused",
                      "it names what a run read, and this is not the output folder of a run");
    if (is_out && *o->annotations && !o->json && !*o->html)
        return refuse("--annotations", "option-unused",
                      "counts before the run are in the output of --json and --html");
    if (is_out && *o->images && !*o->annotations && !*o->html)
        return refuse("--images", "option-unused",
                      "for the output of a run, images are shown on the page of --html");
    return check_page(o);
}

static int run(void *given, const char *const *operand)
{
    const struct options *o = given;
    struct survey_inputs opened;
    bool folders = o->labels == IMAGE_LABELS_FOLDERS, masks = *o->masks, is_out;
    struct survey_place place;
    int code, reported;

    if (!operand[0] && !folders && !masks)
        return refuse("", "operand-missing", "annotations, or the output of a run, are required");
    if (operand[0] && (operand[1] || folders || masks))
        return refuse(operand[!folders && !masks], "operand-unexpected", "one dataset at a time");
    if (folders && masks)
        return refuse("--masks", "option-unused", "--labels folders already gives the classes");
    if ((folders || masks) && !*o->images)
        return refuse(folders ? "--labels folders" : "--masks", "option-missing",
                      folders ? "it needs -i, the folder of the classes"
                              : "it needs -i, the folder of the images");
    if (*o->mask_name && !masks && !operand[0])
        return refuse("--mask-name", "option-unused", "it needs --masks");
    is_out = operand[0] && survey_is_out(operand[0]);
    code = check_options(o, is_out);
    if (code)
        return code;
    place = (struct survey_place){ .path = operand[0] ? operand[0] : "",
                                   .masks = masks ? o->masks : NULL,
                                   .mask_name = o->mask_name,
                                   .images = o->images,
                                   .classes = o->classes,
                                   .voc_base = o->voc_base,
                                   .folders = folders };
    if (is_out) /* then these are of its source */
        place.images = "";
    if (is_out && *o->annotations)
        place = (struct survey_place){ .path = operand[0], .images = "", .classes = "" };
    code = open_survey_with_nan(&place, &opened);
    if (code == EXIT_DONE || code == EXIT_PARTIAL) {
        reported = *o->mask_name && !opened.survey.masks
                       ? refuse("--mask-name", "option-unused", "there are no label masks")
                       : report(o, operand[0] ? operand[0] : "", &opened);
        code = reported ? reported : code;
    }
    survey_inputs_drop(&opened);
    return code;
}

static const char *const examples[] = {
    "lockstep stats annotations.json",
    "lockstep stats annotations.json --html stats.html",
    "lockstep stats out --html report.html -i images -a annotations.json",
    "lockstep stats labels -i images --json | jq .sizes",
    "lockstep stats -i pets --labels folders",
    "lockstep stats data.yaml",
    "lockstep stats -i images --masks masks --classes classes.txt",
    NULL,
};

const struct command stats_command = {
    .name = "stats",
    .summary = "count categories, sizes, shapes and positions in annotations",
    .synopsis = "ANNOTATIONS|DATASET|--labels folders|--masks DIR [-i IMAGES] [-a SOURCE] [--json] "
                "[--html FILE]",
    .about =
        "Counts the objects of each category and of each image, and how many objects are small, "
        "medium and large. As in COCO's evaluation, these are areas below 32 x 32, below 96 x 96, "
        "and larger; without an area, the area of the box counts. Also prints width : height of "
        "boxes, area relative to the box, image sizes, where the centers of boxes are in their "
        "images, and the visibility of keypoints. Crowds are counted, too. ANNOTATIONS is a COCO "
        "file, a folder of labels, a whole dataset, or the output folder of a finished run. "
        "Objects of a dataset with parts are counted in each part and in all. The JSON and the "
        "page "
        "report a run with its source: objects before and after by class, size and part, dropped "
        "objects by reason, and the sampled values of the steps. Parts that cannot be read are "
        "left out with a warning, and the exit code is 1.",
    .operands = "FILE",
    .options = options,
    .options_size = sizeof(struct options),
    .examples = examples,
    .run = run,
};
