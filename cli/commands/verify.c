/* verify: is a result what its run wrote? */
#include "command.h"

#include "batch/finished/verify.h"

#include <stdio.h>

struct options {
    int jobs;
    bool quiet;
};

static const struct option options[] = {
    { 0, 'j', "N",
      INTEGER(struct options, jobs, .preset = "0", .limit = { 0, 1024 },
              .help = "processes that decode; 0: one for each processor") },
    { 0, 'q', NULL,
      FLAG(struct options, quiet, .preset = "false", .help = "say nothing but what is wrong") },
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
    struct verified counts;
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
    .summary = "look whether a result is what its run wrote",
    .synopsis = "OUT [-j N] [-q]",
    .about =
        "Checks every file that run.json and the manifest of a finished run list. Each must be "
        "there, be readable in its format, and have the SHA-256 of a run with --checksums. Images "
        "and masks must have the size that was written. Annotations, in one file, in a file for "
        "each image or in the samples of tars, must have the images and annotations of the "
        "manifest by number and id, and the classes of run.json. errors.jsonl and SHA256SUMS must "
        "have a line for each image that failed and for each file. No other file may be there. "
        "Prints a line for each thing that is wrong, and ends with code 1 if there is any. Without "
        "hashes, verify does not find changed values (pixels that decode, coordinates, the class "
        "of an object, other members of data.yaml or run.json), nor records in another order, nor "
        "that a file other than manifest.jsonl and errors.jsonl lacks the end of its last line: "
        "lockstep replay --verify finds changed images and annotations. A table of --one-hot is "
        "not a file of OUT, and not checked.",
    .operands = "DIR",
    .options = options,
    .options_size = sizeof(struct options),
    .examples = examples,
    .brief = true,
    .run = run,
};
