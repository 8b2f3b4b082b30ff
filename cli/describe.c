/* describe: all about one transform, op, format or section of the pipeline. */
#include "pages.h"

#include <stdio.h>

struct options {
    bool json;
};

static const struct option options[] = {
    { 0, 0, NULL, FLAG(struct options, json, .preset = "false", .help = "a JSON object") },
    OPTIONS_END,
};

static int refuse(const char *name, const char *code, const char *what)
{
    struct faults faults = { .name = "lockstep describe" };
    const char *advice = *name ? entry_advice(name, &faults.arena) : "";

    fault_add(&faults, 0, 0, name, code, "%s%s", what, *advice ? advice : "; see lockstep list");
    faults_exit(&faults, EXIT_USAGE);
    faults_drop(&faults);
    return EXIT_USAGE;
}

static int describe_json(const struct entry *e)
{
    struct text text = { 0 }, laid_out = { 0 };

    manual_json(e, &text);
    json_lay_out(text_string(&text), 100, &laid_out);
    puts(text_string(&laid_out));
    text_drop(&text);
    text_drop(&laid_out);
    return EXIT_DONE;
}

static int run(void *given, const char *const *operand)
{
    const struct options *o = given;
    struct entry entry;
    struct page p;

    if (!operand[0])
        return refuse("", "operand-missing", "a name is required");
    if (operand[1])
        return refuse("", "operand-unexpected", "one name at a time");
    if (!entry_find(operand[0], &entry))
        return refuse(operand[0], "name-unknown", "nothing has this name");
    if (o->json)
        return describe_json(&entry);
    p = page_text();
    manual_describe(&p, &entry);
    return page_show(&p);
}

static const char *const examples[] = {
    "lockstep describe RandomResizedCrop",
    "lockstep describe annotations",
    NULL,
};

const struct command describe_command = {
    .name = "describe",
    .summary = "describe a transform, op or section with its parameters",
    .synopsis = "NAME [--json]",
    .about = "NAME is one that `lockstep list` prints, or a section of the pipeline: `pipeline`, "
             "`annotations`, `output`.",
    .options = options,
    .options_size = sizeof(struct options),
    .operands = "STEP",
    .examples = examples,
    .plugins = true,
    .run = run,
};
