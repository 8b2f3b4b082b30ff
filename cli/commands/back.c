/* back: maps the results of a model on the outputs of a run back to the source images. */
#include "open/run_json.h"
#include "open/notes.h"
#include "options/plugins.h"
#include "shared/say.h"

#include "batch/finished/map_back.h"
#include "batch/dataset/label_folder.h"
#include "batch/process/limits.h"
#include "batch/dataset/resolve_names.h"
#include "batch/io/mapped_file.h"
#include "batch/dataset/unsupported_format.h"
#include "batch/journal/run_key.h"
#include "steps/registry.h"

#include <string.h>

enum merge_rule { MERGE_NONE, MERGE_NMS, MERGE_WBF };

static const struct choice merges[] = {
    { "none", MERGE_NONE, "all objects stay" },
    { "nms", MERGE_NMS, "the best of overlapping boxes of one category stays" },
    { "wbf", MERGE_WBF, "overlapping boxes of one category become their mean" },
    { 0 },
};

struct options {
    const char *manifest, *results, *run, *part, *annotations, *images, *out;
    int merge; /* enum merge_rule */
    bool skip, overwrite, quiet;
};

static const struct option options[] = {
    { 0, 'm', "FILE",
      TEXT(struct options, manifest, .help = "the manifest.jsonl of the run; - for stdin") },
    { 0, 'r', "FILE",
      TEXT(struct options, results,
           .help = "COCO results: what a model found on the outputs of the run; - for stdin") },
    { 0, 0, "FILE",
      TEXT(struct options, run, .preset = "\"\"",
           .help = "the run.json of the run. Needed if it is not next to the manifest") },
    { 0, 0, "NAME",
      TEXT(struct options, part, .preset = "\"\"",
           .help = "the part of the dataset that the results and the annotations are of, as the "
                   "manifest names it. Ids of images may be the same in several parts") },
    { 0, 'a', "PATH",
      TEXT(struct options, annotations, .preset = "\"\"",
           .help = "the run's COCO file or folder of labels. It gives the categories, by which "
                   "left and right keypoints change places if the run mirrored; the sizes of "
                   "borrowed images without a line in the manifest; and the outlines of pasted "
                   "objects") },
    { 0, 'i', "DIR",
      TEXT(struct options, images, .preset = "\"\"",
           .help = "for a folder of labels: the folder of the run's images") },
    { 0, 'o', "FILE",
      TEXT(struct options, out, .preset = "\"-\"", .writes = WRITES_FILE | WRITES_STDOUT,
           .help = "the file to write") },
    { 0, 0, "RULE",
      CHOICE(struct options, merge, .preset = "\"none\"", .choices = merges,
             .help = "what to do with an object that several outputs of one image show") },
    { 0, 0, NULL,
      FLAG(struct options, skip, .preset = "false",
           .help = "leave out and count ambiguous objects. Their places belong to several images, "
                   "or are shown twice; without this option they are an error [back-ambiguous]") },
    { 0, 0, NULL,
      FLAG(struct options, overwrite, .preset = "false", .help = "replace the file if it exists") },
    { 0, 'q', NULL, FLAG(struct options, quiet, .preset = "false", .help = "print no summary") },
    OPTIONS_END,
};

/* The files that the command opens. */
struct files {
    struct arena arena;
    struct run_file run;
    struct plan plan, merge;
    struct command_inputs categories;
    struct dataset results;
    struct back_outputs outputs;
    struct faults of_manifest, of_results;
    const char *folder; /* of the images of --part */
};

/* Finds --part among the parts of the run: a list of [name, folder of the images, file]. */
static int find_part(const struct options *o, struct files *f)
{
    const struct value *parts = value_get(f->run.key_value, "parts");
    size_t n = parts && parts->kind == VALUE_LIST ? parts->n : 0;
    struct text why = { 0 };

    f->folder = "";
    for (size_t i = 0; i < n && *o->part; i++) {
        const struct value *part = &parts->item[i];

        if (part->kind != VALUE_LIST || part->n < 2 || part->item[0].kind != VALUE_TEXT ||
            part->item[1].kind != VALUE_TEXT)
            continue;
        if (strcmp(part->item[0].text, o->part) == 0) {
            f->folder = part->item[1].text;
            return EXIT_DONE;
        }
        text_addf(&why, "%s\"%s\"", why.length ? ", " : "the run has no such part; it has ",
                  part->item[0].text);
    }
    if (*o->part) {
        text_adds(&why, why.length ? "" : "the dataset of the run has no parts");
        return refuse_input(o->part, &why, "part-unknown", EXIT_USAGE);
    }
    if (n && *o->annotations) {
        text_adds(&why, "is required: the part of the run's dataset that the annotations are of");
        return refuse_input("--part", &why, "option-missing", EXIT_USAGE);
    }
    return EXIT_DONE;
}

static int read_manifest(const struct options *o, struct files *f)
{
    struct text why = { 0 };

    f->of_manifest.name = input_name(o->manifest);
    if (!mapped_open(o->manifest, &f->of_manifest.text, &why))
        return refuse_input(o->manifest, &why, "replay-unread", EXIT_INPUT);
    if (!back_outputs_read(&f->outputs, run_key_link(f->run.key), o->part, &f->arena,
                           &f->of_manifest))
        return faults_exit(&f->of_manifest, EXIT_INPUT);
    f->outputs.folder = f->folder;
    return EXIT_DONE;
}

/* Removes the run's --strip-prefix from the names of images: the manifest has names without it. */
static int strip_names(struct files *f)
{
    const struct value *prefix = value_get(f->run.key_value, "strip_prefix");
    struct dataset *d = &f->categories.dataset;
    struct faults faults = dataset_faults(d);
    int code = EXIT_DONE;

    f->categories.job.images.strip_prefix =
        prefix && prefix->kind == VALUE_TEXT ? prefix->text : "";
    if (!resolve_names(&f->categories.job, d, &faults))
        code = faults_exit(&faults, EXIT_INPUT);
    faults_drop(&faults);
    return code;
}

/* Opens a folder of labels: results do not name its categories. */
static int read_folder(const struct options *o, struct files *f)
{
    f->categories.job = (struct job){ .plan = &f->plan,
                                      .dataset = &f->categories.dataset,
                                      .images.roots = { &o->images, 1, NULL },
                                      .images.max_pixels = MAX_PIXELS,
                                      .run.verbosity = -1 };
    return open_label_folder(o->annotations, "", "", (int)run_file_voc_base(&f->run),
                             &f->categories);
}

static int read_file(const struct options *o, struct files *f)
{
    struct dataset *list = &f->outputs.list;
    int code = open_label_file(o->annotations, "", "", -1, &f->categories);

    f->categories.job.dataset = &f->categories.dataset;
    list->categories = f->categories.dataset.categories;
    list->n_categories = f->categories.dataset.n_categories;
    list->lookup = f->categories.dataset.lookup;
    return code ? code : strip_names(f);
}

static int read_categories(const struct options *o, struct files *f)
{
    const char *folder, *names = "";

    if (!*o->annotations)
        return EXIT_DONE;
    if (label_folder_find(o->annotations, &f->arena, &folder, &names))
        return read_folder(o, f);
    if (*o->images)
        return refuse_path("--images", "option-unused",
                           "it is for a folder of labels, and these annotations are a file",
                           EXIT_USAGE);
    return read_file(o, f);
}

static int read_results(const struct options *o, struct files *f)
{
    struct dataset *d = &f->results;
    struct text why = { 0 };

    f->of_results.name = input_name(o->results);
    if (!mapped_open(o->results, &f->of_results.text, &why))
        return refuse_input(o->results, &why, "annotations-unread", EXIT_INPUT);
    if (detect_unsupported(o->results, f->of_results.text, &why))
        return refuse_input(o->results, &why, "annotations-other", EXIT_INPUT);
    open_skip_mark(&f->of_results);
    *d = (struct dataset){ .file = f->of_results.name,
                           .text = f->of_results.text,
                           .listless = true,
                           .arena = &f->arena,
                           .list = &f->outputs.list,
                           .format = registry_format(f->of_results.text) };
    if (!d->format->listed) {
        text_adds(&why, "COCO's results, a list of what a model found, were expected");
        return refuse_input(o->results, &why, "annotations-other", EXIT_INPUT);
    }
    return d->format->read(&f->of_results, d) ? EXIT_DONE : faults_exit(&f->of_results, EXIT_INPUT);
}

static int read_merge(const struct options *o, struct files *f)
{
    static const char nms[] = "{\"version\": 1, \"transforms\": [{\"type\": \"batched_nms\"}]}";
    static const char wbf[] =
        "{\"version\": 1, \"transforms\": [{\"type\": \"weighted_boxes_fusion\"}]}";
    const char *text = o->merge == MERGE_NMS ? nms : wbf;
    struct faults faults = { .name = "--merge", .text = { text, strlen(text) } };
    int code = EXIT_DONE;

    if (o->merge != MERGE_NONE && !plan_read(&faults, &f->merge))
        code = faults_exit(&faults, EXIT_INTERNAL);
    faults_drop(&faults);
    return code;
}

static void print_summary(const struct back_counts *c)
{
    message_print("lockstep: %zu objects: %zu written; %zu of them split, %zu outside, %zu merged, "
                  "%zu on ambiguous outputs",
                  c->objects, c->written, c->split, c->lost, c->merged_away, c->ambiguous);
}

static int do_back(const struct options *o, struct files *f)
{
    struct back_counts counts;
    struct text bytes = { 0 };
    int code = EXIT_DONE;

    if (!map_back(&f->outputs, &f->plan, &f->results, *o->annotations ? &f->categories.job : NULL,
                  o->merge == MERGE_NONE ? NULL : &f->merge, o->skip, &bytes, &counts,
                  &f->of_manifest, &f->of_results)) {
        code = f->of_manifest.n ? faults_exit(&f->of_manifest, EXIT_INPUT) : code;
        code = f->of_results.n ? faults_exit(&f->of_results, EXIT_INPUT) : code;
    }
    code = open_end(code);
    if (!code)
        code = open_out_write(o->out, o->overwrite, &bytes);
    if (!code && !o->quiet)
        print_summary(&counts);
    text_drop(&bytes);
    return code;
}

static int run(void *given, const char *const *operand)
{
    const struct options *o = given;
    struct files f = { .run = { .path = NULL } };
    int code = open_out_check(o->out, o->overwrite);

    (void)operand;
    if (!code)
        code = run_file_open(o->run, o->manifest, &f.run);
    if (!code)
        code = find_part(o, &f);
    if (!code)
        code = run_file_plan(&f.run, &f.plan);
    if (!code)
        code = read_manifest(o, &f);
    if (!code)
        code = read_categories(o, &f);
    if (!code)
        code = read_results(o, &f);
    if (!code)
        code = read_merge(o, &f);
    if (!code)
        code = do_back(o, &f);
    faults_drop(&f.of_manifest);
    faults_drop(&f.of_results);
    command_inputs_drop(&f.categories);
    plan_drop(&f.plan);
    plan_drop(&f.merge);
    run_file_drop(&f.run);
    arena_drop(&f.arena);
    return code;
}

static const char *const examples[] = {
    "lockstep back -m out/manifest.jsonl -r results.json -o merged.json",
    "lockstep back -m out/manifest.jsonl -r results.json -o merged.json --merge wbf",
    NULL,
};

const struct command back_command = {
    .name = "back",
    .brief = true,
    .summary = "map a model's results on outputs back to the source images",
    .synopsis = "-m MANIFEST -r RESULTS [-o FILE] [--merge none|nms|wbf] [--skip]",
    .about =
        "Reverses what the manifest records for each output, for the objects in COCO results "
        "whose image_id is the output's id: boxes, polygons, masks and keypoints. Each object is "
        "cut at the canvases that it passes. An object on several images, as in a mosaic, is "
        "split, and its parts keep its score. An object on pasted objects is not split: it goes "
        "to the image that shows most of it. No image is opened, except the headers of images of "
        "a folder of labels.",
    .options = options,
    .options_size = sizeof(struct options),
    .examples = examples,
    .shared = &plugin_options,
    .run = run,
};
