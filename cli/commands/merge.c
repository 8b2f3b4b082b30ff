/* merge: combines the shards of a run. */
#include "open/dataset.h"
#include "shared/args.h"
#include "shared/say.h"

#include "base/stderr_line.h"
#include "batch/shards/merge.h"

struct options {
    struct optional max_errors;
    const char *out, *one_hot;
    bool quiet;
    int durability, link;
};

static const struct choice link_choices[] = {
    { "hard", MERGE_HARD, "both folders have a link to the same file, and no byte is copied" },
    { "copy", MERGE_COPY, "outputs are copied; works between file systems" },
    { "symbolic", MERGE_SYMBOLIC,
      "symbolic links to the outputs in the given folders, which must stay" },
    { "move", MERGE_MOVE,
      "outputs and shards are removed from their folders, once the result is complete and on "
      "disk" },
    { 0 },
};

static const struct choice durability_choices[] = {
    { "none", DURABILITY_NONE, "never: the system decides when it writes them" },
    { "batch", DURABILITY_BATCH, "before the command ends with code 0" },
    { 0 },
};

static const struct option options[] = {
    { 0, 'o', "DIR",
      TEXT(struct options, out, .preset = "\"\"", .writes = WRITES_FOLDER,
           .help = "the new folder to write. It combines the shards of one or several other "
                   "folders") },
    { 0, 0, "HOW",
      CHOICE(struct options, link, .preset = "\"hard\"", .choices = link_choices,
             .help = "with -o: how outputs get into the new folder") },
    { 0, 0, "FILE",
      TEXT(struct options, one_hot, .preset = "\"\"", .writes = WRITES_FILE,
           .help = "write the labels of images as a table, too. See lockstep run --one-hot") },
    { 0, 0, "N",
      OPTIONAL(struct options, max_errors, .preset = "null", .whole = true,
               .limit = { 0, 9007199254740992 },
               .help = "how many images may have failed in all shards. Without it, the value that "
                       "the shards were given") },
    { 0, 0, "WHEN",
      CHOICE(struct options, durability, .preset = "\"batch\"", .choices = durability_choices,
             .help = "when files are flushed, so that they survive a crash of the machine") },
    { 0, 'q', NULL, FLAG(struct options, quiet, .preset = "false", .help = "print errors only") },
    OPTIONS_END,
};

static void print_summary(const struct merge_result *m, const char *path)
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

/* Adds faults for missing operands and options, and for options without effect. */
static int check(const struct options *o, struct faults *faults, const char *const *operand)
{
    if (!operand[0])
        fault_add(faults, 0, 0, "", "operand-missing", "an output folder is required");
    else if (operand[1] && !*o->out)
        fault_add(faults, 0, 0, "--out", "option-missing",
                  "is required: a folder for the result of several");
    else if (option_is_given("link") && !*o->out)
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
    struct merge_result merged;
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
    .summary = "combine the shards of a run",
    .synopsis = "OUT... [-o DIR]",
    .about =
        "Writes the manifest, annotations, run.json and errors of a run that was done in shards "
        "(lockstep run --shard). They have the same bytes as those of a run in one part; the "
        "images are already there. No image and no input is read, and memory use does not grow "
        "with the result. All shards must be finished, with the same dataset, pipeline and "
        "options; otherwise merge names each shard that is missing or unfinished, with its "
        "progress, and exits with 6. If a merge was stopped, run it again; in a finished OUT it "
        "does nothing. --max-errors limits the failed images of all shards together. Shards from "
        "machines without a shared disk are in several folders, each with some of the shards. "
        "With -o they are combined in a new folder, and the given folders stay as they are unless "
        "their outputs are moved.",
    .operands = "DIR",
    .brief = true,
    .options = options,
    .options_size = sizeof(struct options),
    .examples = examples,
    .run = run,
};
