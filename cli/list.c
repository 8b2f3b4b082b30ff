/* list: the names of all transforms, ops and formats. */
#include "pages.h"

#include <stdio.h>
#include <string.h>

struct options {
    bool json;
};

static const struct option options[] = {
    { 0, 0, NULL,
      FLAG(struct options, json, .preset = "false",
           .help = "a JSON array of objects, with all parameters") },
    OPTIONS_END,
};

static bool is_group(const char *group)
{
    for (ENTRIES(e))
        if (entry_in_group(&e, group))
            return true;
    return false;
}

static int unknown_group(const char *group)
{
    struct nearest near = { .word = group };
    struct faults faults = { .name = "lockstep list" };

    for (ENTRIES(e))
        nearest_try(&near, arena_printf(&faults.arena, "%ss", e.kind));
    fault_add(&faults, 0, 0, group, "name-unknown", "there is no such group%s",
              nearest_hint(&near, &faults.arena));
    faults_exit(&faults, EXIT_USAGE);
    faults_drop(&faults);
    return EXIT_USAGE;
}

static int list_json(const char *group)
{
    struct text all = { 0 }, laid_out = { 0 };

    text_addc(&all, '[');
    for (ENTRIES(e)) {
        if (!entry_in_group(&e, group))
            continue;
        text_adds(&all, all.length > 1 ? ", " : "");
        manual_json(&e, &all);
    }
    text_addc(&all, ']');
    json_lay_out(text_string(&all), 100, &laid_out);
    puts(text_string(&laid_out));
    text_drop(&all);
    text_drop(&laid_out);
    return EXIT_DONE;
}

static int run(void *given, const char *const *operand)
{
    const struct options *o = given;
    struct page p;

    if (operand[0] && !is_group(operand[0]))
        return unknown_group(operand[0]);
    if (operand[0] && operand[1])
        return unknown_group(operand[1]);
    if (o->json)
        return list_json(operand[0]);
    p = page_text();
    manual_list(&p, operand[0]);
    return page_show(&p);
}

static const char *const examples[] = {
    "lockstep list transforms",
    "lockstep list --json | jq -r '.[].name'",
    NULL,
};

const struct command list_command = {
    .name = "list",
    .summary = "list all transforms, ops and formats",
    .synopsis = "[transforms|ops|formats] [--json]",
    .about = "Transforms draw random values and emit ops; ops take concrete values. Both can be "
             "steps of a pipeline. The letters say what a step does to the image and its labels.",
    .options = options,
    .options_size = sizeof(struct options),
    .operands = "transforms|ops|formats",
    .examples = examples,
    .run = run,
};
