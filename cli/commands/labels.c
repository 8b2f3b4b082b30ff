/* labels: applies steps that change only labels to annotations or results, without images. */
#include "open/dataset.h"
#include "open/pipeline.h"
#include "open/notes.h"
#include "options/label_options.h"
#include "options/plugins.h"
#include "shared/args.h"
#include "shared/say.h"

#include "base/files.h"
#include "base/output_file.h"
#include "batch/dataset/label_folder.h"
#include "batch/process/limits.h"
#include "batch/annotations/relabel.h"
#include "batch/output/output_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct options {
    const char *pipeline, *annotations, *image_list, *images, *classes, *out;
    int voc_base;
    int64_t seed;
    bool overwrite, quiet;
};

static const struct option options[] = {
    { 0, 'p', "FILE",
      TEXT(struct options, pipeline,
           .help = "the pipeline, JSON, with steps that change only labels; - for stdin") },
    { 0, 'a', "PATH",
      TEXT(struct options, annotations,
           .help = "the annotations: a COCO file, COCO results, or a folder of labels. Results "
                   "are a list of what a model found; a folder has a file for each image (see "
                   "`lockstep list formats`), or is given by its data.yaml. - for stdin") },
    { 0, 0, "FILE",
      TEXT(struct options, image_list, .preset = "\"\"",
           .help = "for results: a COCO file with the images and categories. Without it, image "
                   "sizes are unknown, and names of categories are their ids") },
    { 0, 'i', "DIR",
      TEXT(struct options, images, .preset = "\"\"",
           .help =
               "for a folder of labels: the folder of the images. Only their headers are read") },
    { 0, 0, "FILE",
      TEXT(struct options, classes, .preset = "\"\"",
           .help = "the names of the classes, in order. The file is one that `lockstep run "
                   "--classes` takes. Called --names in earlier versions",
           .was = "--names") },
    VOC_BASE_OPTION(0, struct options),
    { 0, 'o', "PATH",
      TEXT(struct options, out, .preset = "\"-\"",
           .writes = WRITES_FILE | WRITES_FOLDER | WRITES_STDOUT,
           .help = "the file to write. For a folder of labels, a folder, which must be empty or "
                   "not exist") },
    { 0, 0, "N",
      WHOLE(struct options, seed, .preset = "0", .limit = { 0, 9007199254740991 },
            .help = "replaces the pipeline's seed") },
    { 0, 0, NULL,
      FLAG(struct options, overwrite, .preset = "false",
           .help = "replace the file, or files in the folder, if they exist") },
    { 0, 'q', NULL, FLAG(struct options, quiet, .preset = "false", .help = "print no summary") },
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

/* The label file of a record. */
struct label_name {
    const char *labels, *image;
};

static int by_labels(const void *a, const void *b)
{
    return strcmp(((const struct label_name *)a)->labels, ((const struct label_name *)b)->labels);
}

/* Adds faults if two images have the same label file, with names as `run` gives them. */
static int check_names(struct command_inputs *to)
{
    const struct dataset *d = &to->dataset;
    struct label_name *named = ARENA_ARRAY(&to->arena, struct label_name, d->n_records);
    struct faults faults = dataset_faults(d);
    struct text name = { 0 };
    int code;

    for (size_t i = 0; i < d->n_records; i++) {
        labels_name(&to->job, d->records[i].name, &name);
        named[i] = (struct label_name){ arena_copy(&to->arena, text_string(&name), name.length),
                                        d->records[i].name };
    }
    qsort(named, d->n_records, sizeof *named, by_labels);
    for (size_t i = 1; i < d->n_records; i++)
        if (by_labels(&named[i - 1], &named[i]) == 0)
            fault_add(&faults, 0, 0, named[i].image, "name-collision",
                      "its label file %s is also the label file of \"%s\"", named[i].labels,
                      named[i - 1].image);
    text_drop(&name);
    code = faults_exit(&faults, faults.n ? EXIT_INPUT : EXIT_DONE);
    faults_drop(&faults);
    return code;
}

static int read_annotations(const struct options *o, bool folder, struct command_inputs *to)
{
    int verbosity = o->quiet ? -1 : 0, code;

    to->job = (struct job){ .plan = &to->plan,
                            .dataset = &to->dataset,
                            .images.roots = { &o->images, folder, NULL },
                            .images.max_pixels = MAX_PIXELS,
                            .run.verbosity = verbosity };
    if (!folder && (*o->images || o->voc_base))
        return refuse_path(*o->images ? "--images" : "--voc-base", "option-unused",
                           "it is for a folder of labels, and these annotations are a file",
                           EXIT_USAGE);
    code = folder ? open_label_folder(o->annotations, o->image_list, o->classes, o->voc_base, to)
                  : open_label_file(o->annotations, o->image_list, o->classes, verbosity, to);
    if (!code && folder)
        code = check_names(to);
    return code ? code : open_check(&to->plan, verbosity, &to->dataset, false);
}

static void print_summary(const struct dataset *d, const struct relabel_result *r)
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

/* Adds OUT/name to the files that get their names at the end. */
static int add_below(struct output_set *set, const char *out, const char *name, struct slice bytes)
{
    struct output_file *file = output_set_add(set);
    struct text path = { 0 }, why = { 0 };
    int code;

    path_join(&path, out, name);
    code = output_open(file, text_string(&path), true, &why);
    if (!code) {
        (void)fwrite(bytes.at, 1, bytes.length, file->file); /* faults stay in the FILE */
        code = output_close(file, &why);
    }
    code = open_out_failed(text_string(&path), &why, code);
    text_drop(&path);
    return code;
}

/* Removes the file that an earlier result has for an image that now has no labels. */
static int remove_below(struct output_set *set, const char *out, const char *name)
{
    struct text path = { 0 }, why = { 0 };
    int code;

    path_join(&path, out, name);
    code =
        open_out_failed(text_string(&path), &why, output_set_remove(set, text_string(&path), &why));
    text_drop(&path);
    return code;
}

static int add_index(struct output_set *set, const struct options *o, const struct dataset *d)
{
    char *bytes = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&bytes, &length);
    bool good = file && d->writer->write_index(d, file);
    int code;

    if (file)
        good = fclose(file) == 0 && good;
    code = good ? add_below(set, o->out, d->writer->index, (struct slice){ bytes, length })
                : refuse_path(o->out, "out-write", errno_text(), EXIT_OUTPUT);
    free(bytes);
    return code;
}

static int add_files(struct output_set *set, const struct options *o,
                     const struct command_inputs *from, const struct relabel_result *r)
{
    const struct dataset *d = &from->dataset;
    struct text name = { 0 };
    int code = EXIT_DONE;

    for (size_t i = 0; i < d->n_records && !code; i++) {
        struct slice file = relabel_file(r, i);

        labels_name(&from->job, d->records[i].name, &name);
        if (file.at)
            code = add_below(set, o->out, text_string(&name), file);
        else if (o->overwrite)
            code = remove_below(set, o->out, text_string(&name));
    }
    text_drop(&name);
    return code || !d->writer->index ? code : add_index(set, o, d);
}

/* Gives all files their names, or none. */
static int write_files(const struct options *o, const struct command_inputs *from,
                       const struct relabel_result *r)
{
    struct output_set set = { 0 };
    struct text why = { 0 };
    const char *failed = o->out;
    int code = add_files(&set, o, from, r);

    if (!code)
        code = open_out_failed(failed, &why, output_set_finish(&set, &failed, &why));
    output_set_drop(&set);
    return code;
}

static int write_file(const struct options *o, const struct command_inputs *from,
                      const struct relabel_result *r)
{
    struct text bytes = { 0 };
    int code = relabel_print(&from->dataset, r, &from->plan.rules, &bytes)
                   ? open_out_write(o->out, o->overwrite, &bytes)
                   : refuse_path(o->out, "out-write", errno_text(), EXIT_OUTPUT);

    text_drop(&bytes);
    return code;
}

static int relabel_all(const struct options *o, bool folder, struct command_inputs *to)
{
    struct faults faults = dataset_faults(&to->dataset);
    struct relabel_result relabelled;
    int code = relabel(&to->job, &relabelled, &faults) ? open_end(EXIT_DONE)
                                                       : faults_exit(&faults, EXIT_INPUT);

    if (!code)
        code = folder ? write_files(o, to, &relabelled) : write_file(o, to, &relabelled);
    if (!code && !o->quiet)
        print_summary(&to->dataset, &relabelled);
    relabel_drop(&relabelled);
    faults_drop(&faults);
    return code;
}

static int run(void *given, const char *const *operand)
{
    const struct options *o = given;
    struct command_inputs opened = { 0 };
    const char *path, *names = "";
    bool folder = label_folder_find(o->annotations, &opened.arena, &path, &names);
    int code =
        folder ? open_out_check_folder(o->out, o->overwrite) : open_out_check(o->out, o->overwrite);

    (void)operand;
    if (!code)
        code = open_plan(o->pipeline, &opened.plan);
    if (!code && option_is_given("seed"))
        opened.plan.seed = o->seed;
    if (!code)
        code = check_steps(&opened.plan);
    if (!code)
        code = read_annotations(o, folder, &opened);
    opened.job.images.n_records = opened.dataset.n_records;
    if (!code)
        code = open_parts(&opened);
    if (!code)
        code = relabel_all(o, folder, &opened);
    command_inputs_drop(&opened);
    return code;
}

static const char *const examples[] = {
    "lockstep labels -p nms.json -a results.json -o kept.json",
    "lockstep labels -p nms.json -a results.json --image-list annotations.json > kept.json",
    "lockstep labels -p large.json -a labels -i images -o out",
    NULL,
};

const struct command labels_command = {
    .name = "labels",
    .brief = true,
    .summary = "change annotations or results without images: nms, scores, categories",
    .synopsis = "-p PIPELINE -a PATH [--image-list FILE] [-i DIR] [-o PATH]",
    .about =
        "Applies steps that need no pixels to the objects of each image: the ops that `lockstep "
        "list ops labels` names, and policies of them. Anything that no step changes stays as it "
        "is in the file, including keys unknown to COCO and the digits of numbers; objects keep "
        "their order and ids. Boxes are those of the file: corners in pixels, without an added "
        "pixel, unless a step says `\"edges\": \"inclusive\"`. If a step needs scores, an object "
        "without a \"score\" is an error [score-missing]. For a folder of labels, the output is a "
        "folder with the files that `lockstep run` would write next to its images: labels/ and "
        "data.yaml, or Annotations/. Nothing is written if anything is wrong: all files of the "
        "folder get their names together at the end, or none does.",
    .options = options,
    .options_size = sizeof(struct options),
    .examples = examples,
    .shared = &plugin_options,
    .run = run,
};
