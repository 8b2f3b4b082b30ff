/* init: prints a pipeline to start from. */
#include "help/pages.h"
#include "help/starter_list.h"
#include "open/starter_pipelines.h"
#include "shared/say.h"

#include <stdio.h>
#include <string.h>

static int refuse(const char *name, const char *code, const char *what)
{
    struct nearest near = { .word = name };
    struct faults faults = { .name = "lockstep init" };

    for (const struct starter *s = starters; s->name; s++)
        nearest_try(&near, s->name);
    fault_add(&faults, 0, 0, name, code, "%s%s; lockstep init lists them", what,
              nearest_hint(&near, &faults.arena));
    faults_exit(&faults, EXIT_USAGE);
    faults_drop(&faults);
    return EXIT_USAGE;
}

static int run(void *given, const char *const *operand)
{
    const struct starter *s;

    (void)given;
    if (!operand[0])
        return starter_list_show();
    if (operand[1])
        return refuse(operand[1], "operand-unexpected", "one pipeline at a time");
    s = starter_get(operand[0]);
    if (!s)
        return refuse(operand[0], "name-unknown", "no pipeline has this name");
    fputs(s->text, stdout);
    return EXIT_DONE;
}

static const char *const examples[] = {
    "lockstep init",
    "lockstep init detection > pipeline.json",
    NULL,
};

const struct command init_command = {
    .name = "init",
    .summary = "print a pipeline to start from, with comments",
    .synopsis = "[NAME]",
    .about = "Without NAME, lists the pipelines. Each of them can also be run as it is: `-p NAME` "
             "takes it, unless a file has this name.",
    .operands = "NAME",
    .examples = examples,
    .run = run,
};
