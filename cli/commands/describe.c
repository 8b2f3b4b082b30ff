/* describe: prints the parameters, targets and example of one entry, or of every entry. */
#include "help/pages.h"
#include "options/plugins.h"
#include "shared/say.h"

#include <stdio.h>

struct options {
    bool json, all;
};

static const struct option options[] = {
    { 0, 0, NULL,
      FLAG(struct options, json, .preset = "false",
           .help = "print a JSON object; with --all, an array of objects") },
    { 0, 0, NULL,
      FLAG(struct options, all, .preset = "false",
           .help = "describe all names that `lockstep list` prints, in its order, then the "
                   "sections of the pipeline") },
    OPTIONS_END,
};

static int refuse(const char *name, const char *code, const char *message)
{
    struct faults faults = { .name = "lockstep describe" };

    fault_add(&faults, 0, 0, name, code, "%s", message);
    faults_exit(&faults, EXIT_USAGE);
    faults_drop(&faults);
    return EXIT_USAGE;
}

static int refuse_unknown(const char *name)
{
    struct faults faults = { .name = "lockstep describe" };
    const char *advice = entry_advice(name, &faults.arena);

    fault_add(&faults, 0, 0, name, "name-unknown", "nothing has this name%s",
              *advice ? advice : "; see lockstep list");
    faults_exit(&faults, EXIT_USAGE);
    faults_drop(&faults);
    return EXIT_USAGE;
}

static int describe_json(const struct entry *e)
{
    struct text text = { 0 };

    manual_json(e, &text);
    json_show(text_string(&text));
    text_drop(&text);
    return EXIT_DONE;
}

static int describe_text(const struct entry *e)
{
    struct page p = page_text();

    manual_describe(&p, e);
    return page_show(&p);
}

static int describe_all_json(void)
{
    struct text all = { 0 };

    text_addc(&all, '[');
    for (ENTRIES(e)) {
        text_adds(&all, e.index ? ", " : "");
        manual_json(&e, &all);
    }
    text_addc(&all, ']');
    json_show(text_string(&all));
    text_drop(&all);
    return EXIT_DONE;
}

/* Prints one page after another, so that the command stops when the reader of a pipe quits. */
static int describe_all_text(void)
{
    for (ENTRIES(e)) {
        if (e.index)
            putchar('\n');
        describe_text(&e);
    }
    return EXIT_DONE;
}

static int run(void *given, const char *const *operand)
{
    const struct options *o = given;
    struct entry entry;

    if (o->all && operand[0])
        return refuse(operand[0], "operand-unexpected",
                      "--all describes every name; leave out --all, or the name");
    if (o->all)
        return o->json ? describe_all_json() : describe_all_text();
    if (!operand[0])
        return refuse("", "operand-missing", "a name or --all is required; see lockstep list");
    if (operand[1])
        return refuse("", "operand-unexpected", "one name at a time; see lockstep list");
    if (!entry_find(operand[0], &entry))
        return refuse_unknown(operand[0]);
    return o->json ? describe_json(&entry) : describe_text(&entry);
}

static const char *const examples[] = {
    "lockstep describe RandomResizedCrop",
    "lockstep describe annotations",
    "lockstep describe --all --json | jq -r '.[] | select(.emits | index(\"rotate\")).name'",
    NULL,
};

const struct command describe_command = {
    .name = "describe",
    .summary = "describe a transform, op or section with its parameters",
    .synopsis = "NAME|--all [--json]",
    .about =
        "NAME is a name that `lockstep list` prints, or a section of the pipeline: `pipeline`, "
        "`annotations`, `output`.",
    .options = options,
    .options_size = sizeof(struct options),
    .operands = "STEP",
    .examples = examples,
    .shared = &plugin_options,
    .run = run,
};
