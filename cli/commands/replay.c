/* replay: makes outputs of a run again, from its manifest. */
#include "start/start_job.h"
#include "open/run_json.h"
#include "options/label_options.h"
#include "options/plugins.h"
#include "shared/say.h"

#include "batch/io/mapped_file.h"
#include "batch/manifest/manifest_read.h"
#include "batch/manifest/recorded_steps.h"
#include "batch/journal/run_key.h"
#include "batch/finished/replay_verify.h"
#include "batch/process/sandbox.h"
#include "batch/dataset/layout_registry.h"
#include "batch/dataset/target_format.h"
#include "batch/io/folder.h"
#include "batch/output/output_names.h"
#include "batch/image/job_sandbox.h"

#include "base/files.h"

#include <string.h>

/* Members of a run's key that replace options: the lines were made with them. */
#define O struct job_options
static const struct row key_rows[] = {
    INTEGER(O, copies, .limit = { 1, 100000 }, .help = "--copies"),
    FLAG(O, include_original, .help = "--include-original"),
    CHOICE(O, link, .preset = "\"copy\"", .choices = file_link_choices, .help = "--link"),
    CHOICE(O, trust, .choices = trust_choices, .help = "--trust"),
    CHOICE(O, on_frames, .choices = on_frames_choices, .help = "--on-frames"),
    TEXT(O, strip_prefix, .help = "--strip-prefix"),
    CHOICE(O, match, .choices = match_choices, .help = "--match"),
    TEXT(O, mask_name, .help = "--mask-name"),
    TEXT(O, name_template, .help = "--name-template"),
    CHOICE(O, voc_base, .preset = "\"auto\"", .choices = voc_base_choices, .help = "--voc-base"),
    FLAG(O, voc_integers, .preset = "false", .help = "--voc-integers"),
    FLAG(O, lenient, .help = "--compat lenient"),
    FLAG(O, fast, .help = "--optimize fast"),
    ROWS_END,
};
#undef O
static const char *const other_keys[] = { "lockstep",    "libraries",  "pipeline",   "seed",
                                          "masks",       "format",     "categories", "to",
                                          "choice",      "checksums",  "out_format", "replay",
                                          "annotations", "image_list", "images",     "plugins",
                                          "stamps",      "font",       "anchors",    "parts",
                                          "part_copies", "balance",    "layout",     NULL };

/* --- run.json --- */

static const struct value *key_list(const struct run_file *run, const char *name)
{
    static const struct value none = { .kind = VALUE_LIST };
    const struct value *list = value_get(run->key_value, name);

    return list && list->kind == VALUE_LIST ? list : &none;
}

static const char *key_text(const struct run_file *run, const char *name)
{
    const struct value *value = value_get(run->key_value, name);

    return value && value->kind == VALUE_TEXT ? value->text : "";
}

/* Chooses the parts of the run, with its copies of each: 0 for a part that is passed through. */
static void read_parts(struct run_file *run, struct job_options *o)
{
    const struct value *parts = key_list(run, "parts"), *copies = key_list(run, "part_copies");
    const char **name = ARENA_ARRAY(&run->arena, const char *, parts->n + 1);
    const char **transformed = ARENA_ARRAY(&run->arena, const char *, parts->n + 1);
    const char **word = ARENA_ARRAY(&run->arena, const char *, parts->n + 1);
    size_t n = 0, n_transformed = 0;

    for (size_t i = 0; i < parts->n; i++) {
        const struct value *part = &parts->item[i];
        const struct value *number = i < copies->n ? &copies->item[i] : NULL;

        if (part->kind != VALUE_LIST || !part->n || part->item[0].kind != VALUE_TEXT ||
            !*part->item[0].text) /* of a source without parts */
            continue;
        name[n++] = part->item[0].text;
        if (!number || number->kind != VALUE_NUMBER || number->number < 1)
            continue;
        transformed[n_transformed] = part->item[0].text;
        word[n_transformed++] =
            arena_printf(&run->arena, "%s=%.0f", part->item[0].text, number->number);
    }
    o->part = (struct names){ name, n };
    o->apply_to = (struct names){ transformed, n_transformed };
    o->part_copies = (struct names){ word, n_transformed };
    o->converts = copies->n && !n_transformed;
}

/* Sets --to. Some formats are the same in several layouts: the layout of the run decides. */
static void read_target(const struct run_file *run, struct job_options *o)
{
    const char *layout = key_text(run, "layout");
    const struct layout *target;

    o->to = target_of_key(key_text(run, "to"), key_text(run, "format"));
    target = target_is_other(o->to) ? layout_of_target(target_word(o->to)) : NULL;
    if (*layout && target && strcmp(target->name, layout) != 0)
        o->to = 0;
}

static int read_run(struct run_file *run, struct job_options *o)
{
    struct faults faults = { 0 };
    int code = run_file_open(o->run, o->manifest, run);

    if (code)
        return code;
    faults = (struct faults){ .name = run->path, .text = run->text };
    read_target(run, o);
    read_parts(run, o);
    if (!params_read(key_rows, run->key_value, o, other_keys,
                     &(struct reader){ .arena = &run->arena }, &faults))
        code = faults_exit(&faults, EXIT_INPUT);
    faults_drop(&faults);
    o->lossy = true; /* as the run, whose output exists */
    o->compat = o->lenient ? COMPAT_LENIENT : COMPAT_REPAIR;
    return code;
}

static int read_plan(const struct run_file *run, const struct job_options *o, struct plan *plan)
{
    int code = run_file_plan(run, plan);

    plan->optimize = o->fast ? OPTIMIZE_FAST : OPTIMIZE_EXACT;
    return code;
}

/* --- comparison with the run --- */

static void warn(const char *path, const char *what, const char *code)
{
    message_print("%s: warning: %s [%s]", path, what, code);
}

/* Warns of other versions, which may give other bytes. Fails if the pipeline is not the key's,
 * which certainly gives others. */
static int check_run(const struct run_file *run, const struct job_options *o, const struct job *job)
{
    bool same_versions = run_key_member_is_same(job, run->key, "lockstep") &&
                         run_key_member_is_same(job, run->key, "libraries");
    struct text why = { 0 };

    if (!same_versions && !o->quiet)
        warn(run->path,
             "the run was made by other versions of lockstep or its libraries, whose bytes may "
             "differ",
             "replay-versions");
    if (!o->quiet)
        run_file_warn_plugins(run);
    if (same_versions && !run_key_member_is_same(job, run->key, "pipeline")) {
        text_adds(&why, "its pipeline is not the one that its key is of: it was changed");
        return refuse_input(run->path, &why, "replay-foreign", EXIT_INPUT);
    }
    if (!run_key_member_is_same(job, run->key, "parts") ||
        !run_key_member_is_same(job, run->key, "layout")) {
        text_adds(&why, "the run had a dataset of other parts or with another layout; the outputs "
                        "of concat and split cannot be replayed");
        return refuse_input(*job_annotations(o) ? job_annotations(o) : "--annotations", &why,
                            "replay-foreign", EXIT_INPUT);
    }
    if (*job_annotations(o) && !run_key_member_is_same(job, run->key, "format")) {
        text_adds(&why, "the run had none, or of another format");
        return refuse_input(job_annotations(o), &why, "replay-foreign", EXIT_INPUT);
    }
    if (*job_annotations(o) && !o->quiet &&
        (!run_key_member_is_same(job, run->key, "categories") ||
         !run_key_member_is_same(job, run->key, "annotations")))
        warn(job_annotations(o), "these are not the annotations of the run, or they were changed",
             "replay-annotations");
    if (!o->quiet && !run_key_member_is_same(job, run->key, "masks"))
        warn(run->path,
             job_has_masks(job) ? "the run had no label masks"
                                : "the run had label masks: see --masks",
             "replay-masks");
    return EXIT_DONE;
}

/* --- the lines --- */

/* Reads the patterns and the files of names that --only gives. */
static int read_only(const struct job_options *o, struct replay_choice *choice, struct arena *arena)
{
    enum { MAX_LIST = 1 << 30 };
    const char **pattern = ARENA_ARRAY(arena, const char *, o->only.n + 1);
    struct text text = { 0 }, why = { 0 };
    int code = EXIT_DONE;

    *choice = (struct replay_choice){ .patterns = { pattern, 0 } };
    for (size_t i = 0; i < o->only.n && !code; i++) {
        const char *word = o->only.at[i];

        if (*word != '@') {
            pattern[choice->patterns.n++] = word;
            continue;
        }
        text_clear(&text);
        if (!input_read_named(word + 1, MAX_LIST, &text, &why))
            code = refuse_input(word + 1, &why, "images-unread", EXIT_INPUT);
        for (size_t k = 0; k < text.length; k++) /* a name may end with a NUL, too */
            text.at[k] = text.at[k] ? text.at[k] : '\n';
        choice->list_name = input_name(word + 1);
        choice->list = (struct slice){ arena_printf(arena, "%.*s\n%s", (int)choice->list.length,
                                                    choice->list.at, text_string(&text)),
                                       choice->list.length + text.length + 1 };
    }
    text_drop(&text);
    return code;
}

static int read_lines(const struct job_options *o, struct command_inputs *opened,
                      struct replay *replay)
{
    struct replay_choice choice;
    struct faults faults = { .name = input_name(o->manifest) };
    struct text why = { 0 };
    int code = read_only(o, &choice, &opened->arena);

    if (code)
        return code;
    if (!mapped_open(o->manifest, &faults.text, &why))
        return refuse_input(o->manifest, &why, "replay-unread", EXIT_INPUT);
    if (!replay_read(replay, faults.name, faults.text, &choice, &opened->job, &opened->arena,
                     &faults))
        code = faults_exit(&faults, EXIT_INPUT);
    faults_drop(&faults);
    return code;
}

/* Reads images and annotations without the steps of the pipeline: the run checked these, and replay
 * uses the steps of the lines. The list of classes equals the run's. */
static int read_dataset(const struct job_options *o, struct command_inputs *opened)
{
    struct steps steps = opened->plan.transforms;
    int code;

    opened->plan.transforms = (struct steps){ 0 };
    code = open_dataset(o, opened);
    opened->plan.transforms = steps;
    return code ? code : open_class_steps(&opened->plan, &opened->dataset);
}

static int open_all(struct job_options *o, struct run_file *run, struct command_inputs *opened,
                    struct replay *replay)
{
    struct text why = { 0 };
    int code = read_run(run, o);

    open_job(o, opened);
    if (!code && o->part.n && !*job_annotations(o)) {
        text_adds(&why, "is required: the run had a dataset with parts");
        code = refuse_input("--annotations", &why, "option-missing", EXIT_USAGE);
    }
    if (!code)
        manifest_read_hex(key_text(run, "balance"), &opened->job.naming.balance_hash);
    if (!code)
        code = read_plan(run, o, &opened->plan);
    if (!code)
        code = read_dataset(o, opened);
    if (!code)
        code = check_run(run, o, &opened->job);
    replay->run = run_key_link(run->key);
    replay->has_no_outputs = run->has_no_outputs;
    if (!code)
        code = read_lines(o, opened, replay);
    if (!code && !o->verify)
        code = open_parts(opened);
    return code;
}

/* True if each line has the hash of its output. */
static bool has_hashes(const struct replay *r)
{
    for (size_t i = 0; i < r->n; i++) {
        struct slice line = slice_line(r->text, r->at[i].at);

        if (pick_again(line, "sha256").at == line.at)
            return false;
    }
    return true;
}

static int verify(const struct job_options *o, struct job *job)
{
    struct faults faults = { .name = "lockstep replay" };
    size_t differ = 0;
    int code;

    if (!*o->out && !has_hashes(job->replay)) {
        fault_add(&faults, 0, 0, "--out", "option-missing",
                  "is required: the folder of what was written; there are lines without a hash");
        code = faults_exit(&faults, EXIT_USAGE);
    } else {
        code = replay_verify(job, &differ, &faults);
        if (code)
            faults_exit(&faults, code);
    }
    if (!code && !o->quiet)
        message_print("lockstep: %zu output%s replayed, %zu differ%s", job->replay->n,
                      job->replay->n == 1 ? "" : "s", differ, differ == 1 ? "s" : "");
    faults_drop(&faults);
    return code ? code : differ ? EXIT_PARTIAL : EXIT_DONE;
}

static int run(void *given, const char *const *operand)
{
    struct job_options o = *(const struct job_options *)given;
    struct command_inputs opened;
    struct run_file run = { .path = NULL };
    struct replay replay = { .name = NULL };
    struct sandbox sandbox = { 0 };
    struct begin begin = { .who = "lockstep replay", .options = &o, .job = &opened.job };
    int code = begin_check_options(&begin);

    (void)operand;
    if (code)
        return code;
    code = open_all(&o, &run, &opened, &replay);
    if (!code) {
        begin_set_workers(&begin);
        job_sandbox_open(&sandbox, &opened.job);
        opened.job.run.contained = &sandbox;
        opened.job.link = run_key_link_of(&opened.job);
        code = o.verify ? verify(&o, &opened.job) : begin_check(&begin);
    }
    if (!code && !o.verify)
        code = begin_job(&begin);
    sandbox_close(&sandbox);
    command_inputs_drop(&opened);
    run_file_drop(&run);
    return code;
}

static const char *const examples[] = {
    "lockstep replay -m out/manifest.jsonl -i images -a annotations.json -o again",
    "lockstep replay -m out/manifest.jsonl -i images -o some --only 'street/*'",
    "lockstep replay --verify -m out/manifest.jsonl -i images -o out",
    NULL,
};

const struct command replay_command = {
    .name = "replay",
    .summary = "make the outputs of a run again, from its manifest",
    .synopsis = "-m MANIFEST -i IMAGES -o OUT [-a ANNOTATIONS] [--only GLOB|@FILE] [options]",
    .about =
        "Applies the steps that the lines of a manifest.jsonl record, with the values that were "
        "drawn for each output. No random number is drawn: images have the same bytes as in the "
        "run, and their annotations are equal. If you change a value in a line, replay uses it, "
        "provided that the op accepts it; this lets you correct a single image by hand. "
        "Everything else (quality, rules, names, ids) comes from the run's run.json, next to the "
        "manifest or given with --run; each line tells its run. Without -a, only images are "
        "written. If no line is chosen, that is an error [images-none], unless the run made no "
        "outputs.",
    .options = job_options,
    .taker = FOR_REPLAY,
    .options_size = sizeof(struct job_options),
    .examples = examples,
    .brief = true,
    .shared = &plugin_options,
    .run = run,
};
