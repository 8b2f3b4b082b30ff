/* verify: checks that a result is what its run wrote. */
#include "shared/command.h"
#include "shared/args.h"
#include "shared/say.h"

#include "batch/finished/verify.h"

#include <stdio.h>

struct options {
    int jobs;
    bool quiet;
};

static const struct option options[] = {
    { 0, 'j', "N",
      INTEGER(struct options, jobs, .preset = "0", .limit = { 0, 1024 },
              .help = "processes that decode files; 0: one per processor") },
    { 0, 'q', NULL, FLAG(struct options, quiet, .preset = "false", .help = "print faults only") },
    OPTIONS_END,
};

static void print(void *context, const char *path, const char *code, const char *why)
{
    size_t *wrong = context;
    struct text line = { 0 };

    ++*wrong;
    text_addf(&line, "%s: %s [%s]", path, why, code);
    for (size_t i = 0; i < line.length; i++)
        if ((unsigned char)line.at[i] < ' ' || line.at[i] == 0x7f)
            line.at[i] = '?';
    puts(text_string(&line));
    text_drop(&line);
}

static int run(void *given, const char *const *operand)
{
    const struct options *o = given;
    struct faults faults = { .name = "lockstep verify" };
    struct verify_totals counts;
    size_t wrong = 0;
    int code = operand_one_folder(&faults, operand);

    if (code)
        return code;
    code = verify_folder(operand[0], o->jobs, print, &wrong, &counts, &faults);
    if (code)
        code = faults_exit(&faults, code);
    else if (!o->quiet)
        message_print("lockstep: %zu file%s, %zu with a hash: %zu thing%s wrong", counts.n_files,
                      counts.n_files == 1 ? "" : "s", counts.n_hashed, wrong,
                      wrong == 1 ? " is" : "s are");
    faults_drop(&faults);
    return code ? code : wrong ? EXIT_PARTIAL : EXIT_DONE;
}

static const char *const examples[] = {
    "lockstep verify out",
    NULL,
};

const struct command verify_command = {
    .name = "verify",
    .summary = "check that a result is what its run wrote",
    .synopsis = "OUT [-j N] [-q]",
    .about =
        "Checks every file that run.json and the manifest of a finished run list. Each file must "
        "exist, be readable in its format, and have its SHA-256 if the run used --checksums. "
        "Images and masks must have the size that was written. Annotations, in one file, in a "
        "file for each image or in the samples of tars, must have the manifest's images and "
        "annotations by number and id, and the classes of run.json. errors.jsonl must have a line "
        "for each failed image, and SHA256SUMS a line for each file. No other file may exist. "
        "Prints one line for each fault, and exits with 1 if there is any. Without hashes, verify "
        "does not find changed values (pixels that decode, coordinates, the class of an object, "
        "other members of data.yaml or run.json) or a changed order of records. Nor does it "
        "notice if a file other than manifest.jsonl and errors.jsonl lacks the end of its last "
        "line. lockstep replay --verify finds changed images and annotations. A table of "
        "--one-hot is not part of OUT, and is not checked.",
    .operands = "DIR",
    .options = options,
    .options_size = sizeof(struct options),
    .examples = examples,
    .brief = true,
    .run = run,
};
