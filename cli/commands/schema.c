/* schema: prints the JSON Schema of pipelines, or checks pipelines without running them. */
#include "open/dataset.h"
#include "open/pipeline.h"
#include "help/pages.h"
#include "options/plugins.h"
#include "shared/say.h"

#include <stdio.h>

struct options {
    bool check;
};

static const struct option options[] = {
    { 0, 0, NULL,
      FLAG(struct options, check, .preset = "false",
           .help = "check pipelines without running them") },
    OPTIONS_END,
};

static int refuse(const char *code, const char *what)
{
    struct faults faults = { .name = "lockstep schema" };

    fault_add(&faults, 0, 0, "", code, "%s", what);
    faults_exit(&faults, EXIT_USAGE);
    faults_drop(&faults);
    return EXIT_USAGE;
}

static int check(const char *const *path)
{
    int code = EXIT_DONE;

    for (; *path; path++) {
        struct plan plan = { 0 };
        int found = open_plan(*path, &plan);

        if (!found)
            printf("%s: good\n", *path);
        else
            code = found;
        plan_drop(&plan);
    }
    return code;
}

static int run(void *given, const char *const *operand)
{
    const struct options *o = given;
    struct text schema = { 0 };

    if (o->check)
        return operand[0] ? check(operand)
                          : refuse("operand-missing", "name the pipelines to check");
    if (operand[0])
        return refuse("operand-unexpected", "pipelines are read with --check only");
    manual_schema(&schema);
    fputs(text_string(&schema), stdout);
    text_drop(&schema);
    return EXIT_DONE;
}

static const char *const examples[] = {
    "lockstep schema > pipeline.schema.json",
    "lockstep schema --check flip.json train.json",
    NULL,
};

const struct command schema_command = {
    .name = "schema",
    .brief = true,
    .summary = "print the JSON Schema of pipelines, or check pipelines",
    .synopsis = "[--check FILE...]",
    .about = "Editors use the schema (draft 2020-12) to complete and check pipelines: name it in "
             "\"$schema\". With `--check`, files are read as `run` would read them. Faults go to "
             "stderr with their places, and the exit code is 3 if there are any.",
    .options = options,
    .options_size = sizeof(struct options),
    .operands = "FILE",
    .examples = examples,
    .shared = &plugin_options,
    .run = run,
};
