/* status: what an output folder holds. */
#include "command.h"

#include "batch/finished/status.h"
#include "batch/results/shard_state.h"

#include <stdio.h>

struct options {
    bool json;
};

static const struct option options[] = {
    { 0, 0, NULL,
      FLAG(struct options, json, .preset = "false", .help = "a JSON object in a line") },
    OPTIONS_END,
};

static int run(void *given, const char *const *operand)
{
    const struct options *o = given;
    struct faults faults = { .name = "lockstep status" };
    struct text out = { 0 };
    struct status status;
    int code = operand_one_folder(&faults, operand);

    if (code)
        return code;
    code = status_read(operand[0], &status, &faults);
    if (code != EXIT_INPUT)
        status_print(&status, operand[0], o->json, &out);
    fputs(text_string(&out), stdout);
    if (code)
        faults_exit(&faults, code);
    text_drop(&out);
    status_drop(&status);
    faults_drop(&faults);
    return code;
}

static const char *const examples[] = {
    "lockstep status out",
    "lockstep status out --json | jq -r .state",
    NULL,
};

const struct command status_command = {
    .name = "status",
    .summary = "print what an output folder holds: how far a run is",
    .synopsis = "OUT [--json]",
    .about =
        "Tells whether a run has finished in the folder, is writing to it, or was stopped, and of "
        "how many images: done, failed, left; since when, how often it was started, by which "
        "version; and a key that is the same for runs of the same pipeline, options and dataset. "
        "Nothing is changed. The state is empty, finished, running, unfinished, damaged (its "
        "journal cannot be read, or files of the result are gone) or foreign (no run of lockstep "
        "wrote this); for the last two the exit code is 6.",
    .operands = "DIR",
    .options = options,
    .options_size = sizeof(struct options),
    .examples = examples,
    .brief = true,
    .run = run,
};
