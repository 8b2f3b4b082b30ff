/* help: an overview, a command, a topic, or anything that has a name. */
#include "help/pages.h"
#include "open/starter_pipelines.h"
#include "shared/say.h"

#include <stdio.h>
#include <string.h>

/* Lists commands, the seldom used ones in one paragraph: the overview fits a screen. */
static void print_commands(struct page *p)
{
    struct text brief = { 0 };
    size_t longest = 0;

    for (size_t i = 0; commands[i]; i++)
        if (!commands[i]->hidden && !commands[i]->brief && strlen(commands[i]->name) > longest)
            longest = strlen(commands[i]->name);
    page_terms(p, longest);
    for (size_t i = 0; commands[i]; i++) {
        if (commands[i]->hidden)
            continue;
        if (commands[i]->brief)
            text_addf(&brief, "%s%s", brief.length ? ", " : "and ", commands[i]->name);
        else
            page_item(p, commands[i]->name, commands[i]->summary);
    }
    page_paragraph(p, text_string(&brief));
    text_drop(&brief);
}

static void print_topics(struct page *p)
{
    struct text names = { 0 };

    for (ENTRIES(e)) /* the sections of a pipeline are asked for most */
        if (!entry_is_step(&e) && e.rows)
            text_addf(&names, "%s%s", names.length ? ", " : "", e.name);
    for (const struct topic *t = topics; t->name; t++)
        text_addf(&names, ", %s", t->name);
    page_paragraph(p, text_string(&names));
    text_drop(&names);
}

static int help_overview(void)
{
    static const char *const shown[] = { "run" };
    struct page p = page_text();

    page_title(&p, "lockstep", "transform images and their COCO annotations in lockstep");
    page_heading(&p, "EXAMPLES");
    for (size_t i = 0; i < COUNTOF(shown); i++) {
        struct text line = { 0 };
        const struct command *c = command_get(shown[i]);

        text_addf(&line, "  %s\n", c && c->examples ? c->examples[0] : "");
        text_add(&p.out, line.at, line.length);
        text_drop(&line);
    }
    p.last = PAGE_CODE;
    page_heading(&p, "COMMANDS");
    print_commands(&p);
    page_heading(&p, "TOPICS (lockstep help TOPIC)");
    print_topics(&p);
    return page_show(&p);
}

static int help_topic(const struct topic *t)
{
    struct page p = page_text();

    page_title(&p, t->name, t->summary);
    topic_print(&p, t);
    return page_show(&p);
}

static int help_code(const struct code *code)
{
    struct page p = page_text();

    manual_code(&p, code);
    return page_show(&p);
}

static int help_unknown(const char *name)
{
    struct nearest near = { .word = name };
    struct faults faults = { .name = "lockstep help" };
    const char *advice = entry_advice(name, &faults.arena);

    for (size_t i = 0; commands[i]; i++)
        if (!commands[i]->hidden)
            nearest_try(&near, commands[i]->name);
    for (const struct topic *t = topics; t->name; t++)
        nearest_try(&near, t->name);
    for (const struct code *c = codes; c->word; c++)
        nearest_try(&near, c->word);
    fault_add(&faults, 0, 0, name, "name-unknown", "there is no help on it%s",
              near.best ? nearest_hint(&near, &faults.arena) : advice);
    faults_exit(&faults, EXIT_USAGE);
    faults_drop(&faults);
    return EXIT_USAGE;
}

static int run(void *given, const char *const *operand)
{
    struct entry entry;
    struct page p;

    (void)given;
    if (!operand[0])
        return help_overview();
    if (command_get(operand[0]))
        return help_show_command(command_get(operand[0]), false);
    if (topic_get(operand[0]))
        return help_topic(topic_get(operand[0]));
    if (code_get(operand[0]))
        return help_code(code_get(operand[0]));
    if (!entry_find(operand[0], &entry))
        return help_unknown(operand[0]);
    p = page_text();
    manual_describe(&p, &entry);
    if (strcmp(entry.name, "pipeline") == 0) {
        page_heading(&p, "EXAMPLE");
        page_code(&p, starter_get("detection")->text);
    }
    return page_show(&p);
}

static const char *const examples[] = {
    "lockstep help run",
    "lockstep help reproducibility",
    "lockstep help coco-flip-pairs",
    NULL,
};

const struct command help_command = {
    .name = "help",
    .brief = true,
    .summary = "print help on a command or topic",
    .synopsis = "[COMMAND|TOPIC|NAME]",
    .about =
        "Without an operand, prints an overview. An operand can also be a transform, an op, a "
        "section of the pipeline, or the code of a message. `lockstep COMMAND --help` prints the "
        "same as `lockstep help COMMAND`; with --help-all, it prints all options, with their "
        "values and limits.",
    .operands = "COMMAND",
    .examples = examples,
    .run = run,
};
