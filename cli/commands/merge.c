/* merge: the shards of a run become its result. */
#include "open/dataset.h"

#include "base/stderr_line.h"
#include "batch/shards/merge.h"

struct options {
    struct optional max_errors;
    const char *out, *one_hot;
    bool quiet;
    int durability, link;
};

static const struct choice link_choices[] = {
    { "hard", MERGE_HARD, "each output is a file of both folders: no byte is copied" },
    { "copy", MERGE_COPY, "where the folders are on different file systems" },
    { "move", MERGE_MOVE,
      "outputs and shards are removed where they were, once the result is complete and on disk" },
    { 0 },
};

static const struct choice durability_choices[] = {
    { "none", DURABILITY_NONE, "never: the system writes them when it sees fit" },
    { "batch", DURABILITY_BATCH, "before the command ends with code 0" },
    { 0 },
};

static const struct option options[] = {
    { 0, 'o', "DIR",
      TEXT(struct options, out, .preset = "\"\"", .writes = WRITES_FOLDER,
           .help =
               "a folder of its own for the result of shards in one or several other folders") },
    { 0, 0, "HOW",
      CHOICE(struct options, link, .preset = "\"hard\"", .choices = link_choices,
             .help = "with -o, how outputs get there") },
    { 0, 0, "FILE",
      TEXT(struct options, one_hot, .preset = "\"\"", .writes = WRITES_FILE,
           .help = "write the labels of images as a table, too, as lockstep run --one-hot does") },
    { 0, 0, "N",
      OPTIONAL(struct options, max_errors, .preset = "null", .whole = true,
               .limit = { 0, 9007199254740992 },
               .help = "how many images may have failed in all shards; without it, what the shards "
                       "were told") },
    { 0, 0, "WHEN",
      CHOICE(struct options, durability, .preset = "\"batch\"", .choices = durability_choices,
             .help = "when the files are made to outlast a crash of the machine") },
    { 0, 'q', NULL,
      FLAG(struct options, quiet, .preset = "false", .help = "say nothing but what went wrong") },
    OPTIONS_END,
};

static void print_summary(const struct merged *m, const char *path)
{
    const struct totals *t = &m->totals;
    struct text line = { 0 };

    losses_tell(&t->counts.losses);
    if (m->before)
        text_addf(&line, "%s is finished: there is nothing to merge", path);
    else
        text_addf(&line, "%zu shards merged: %zu image%s from %zu", m->n_shards, t->counts.outputs,
                  t->counts.outputs == 1 ? "" : "s", t->done);
    if (m->annotated)
        text_addf(&line, ", %zu annotation%s from %zu", t->counts.objects_out,
                  t->counts.objects_out == 1 ? "" : "s", t->counts.objects_in);
    if (t->skipped)
        text_addf(&line, "; %zu skipped, see %s/errors.jsonl", t->skipped, path);
    message_print(m->before ? "lockstep: %s" : "lockstep: %s; in %s", text_string(&line), path);
    text_drop(&line);
}

/* Is what was said enough, and not too much? */
static int check(const struct options *o, struct faults *faults, const char *const *operand)
{
    if (!operand[0])
        fault_add(faults, 0, 0, "", "operand-missing", "an output folder is required");
    else if (operand[1] && !*o->out)
        fault_add(faults, 0, 0, "--out", "option-missing",
                  "is required: a folder for the result of several");
    else if (option_given("link") && !*o->out)
        fault_add(faults, 0, 0, "--link", "option-unused",
                  "without --out, all outputs stay where they are");
    return faults->n ? EXIT_USAGE : EXIT_DONE;
}

static int run(void *given, const char *const *operand)
{
    const struct options *o = given;
    struct faults faults = { .name = "lockstep merge" };
    const struct merge_options how = {
        .from = operand,
        .out = *o->out ? o->out : NULL,
        .link = (enum merge_link)o->link,
        .max_errors = o->max_errors.given ? (int64_t)o->max_errors.number : -1,
        .lasting = o->durability != DURABILITY_NONE,
    };
    const char *to = how.out ? how.out : operand[0];
    struct merged merged;
    int code = check(o, &faults, operand);

    if (!code)
        code = open_one_hot_check(o->one_hot, to, false);
    if (code && !faults.n)
        return code;
    if (!code)
        code = merge_folders(&how, &merged, &faults);
    if (faults.n)
        faults_exit(&faults, code);
    else if (code >= EXIT_SIGNAL)
        message_print("lockstep: error: interrupted by signal %d; the shards are as they were "
                      "[interrupted]",
                      code - EXIT_SIGNAL);
    else if (!o->quiet)
        print_summary(&merged, to);
    faults_drop(&faults);
    return open_one_hot_write(o->one_hot, to, false, code);
}

static const char *const examples[] = {
    "lockstep merge out",
    "lockstep merge from-one from-two -o out --link copy",
    NULL,
};

const struct command merge_command = {
    .name = "merge",
    .summary = "put the shards of a run together",
    .synopsis = "OUT... [-o DIR]",
    .about =
        "Writes manifest, annotations, run.json and errors of a run that was done in shards "
        "(lockstep run --shard): byte for byte those of the run in one part, whose images are "
        "there already. No image and no input is read, and memory does not grow with the result. "
        "All shards have to be done, with the same dataset, pipeline and options; a shard that is "
        "missing or not done is named, with how far it is, and the exit code is 6. A merge that "
        "was stopped is done once more; one of an OUT that is finished has nothing to do. With "
        "--max-errors, the images that failed in all shards are counted. Shards that were run on "
        "machines without a common disk are in several folders, each of which has some of them: "
        "with -o they are put together in another one, and the folders stay as they are unless "
        "their outputs are moved.",
    .operands = "DIR",
    .brief = true,
    .options = options,
    .options_size = sizeof(struct options),
    .examples = examples,
    .run = run,
};
