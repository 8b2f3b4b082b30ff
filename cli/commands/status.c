/* status: prints the state of an output folder. */
#include "shared/command.h"
#include "shared/args.h"
#include "shared/say.h"

#include "batch/finished/status.h"
#include "batch/results/shard_state.h"

#include <stdio.h>

struct options {
    bool json;
};

static const struct option options[] = {
    { 0, 0, NULL,
      FLAG(struct options, json, .preset = "false", .help = "print a JSON object on one line") },
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
    .summary = "print the state of an output folder, and how far its run is",
    .synopsis = "OUT [--json]",
    .about =
        "Prints whether a run has finished in the folder, is writing to it, or was stopped. "
        "Prints the numbers of images: done, failed and left; when the run started, how often, "
        "and with which version. Also prints a key that is equal for runs with the same pipeline, "
        "options and dataset. Nothing is changed. The state is empty, finished, running, "
        "unfinished, damaged (its journal cannot be read, or files of the result are missing) or "
        "foreign (no run of lockstep wrote it); for the last two the exit code is 6.",
    .operands = "DIR",
    .options = options,
    .options_size = sizeof(struct options),
    .examples = examples,
    .brief = true,
    .run = run,
};
