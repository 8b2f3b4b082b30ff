/* manual: prints the parts of the man pages that are generated from tables, for man/make.sh. */
#include "help/pages.h"

#include <stdio.h>
#include <string.h>

/* ".B name" lines of a synopsis. */
static void print_synopsis(struct page *p)
{
    for (size_t i = 0; commands[i]; i++) {
        const struct command *c = commands[i];

        if (c->hidden)
            continue;
        text_addf(&p->out, "%s.B lockstep %s\n", i ? ".br\n" : "", c->name);
        if (c->synopsis && *c->synopsis) {
            struct text words = { 0 };

            for (const char *s = c->synopsis; *s; s++)
                text_adds(&words, *s == '-' ? "\\-" : (char[]){ *s, 0 });
            text_addf(&p->out, "%s\n", text_string(&words));
            text_drop(&words);
        }
    }
}

static void print_commands(struct page *p)
{
    struct text title = { 0 };

    for (size_t i = 0; commands[i]; i++) {
        const struct command *c = commands[i];

        if (c->hidden)
            continue;
        text_clear(&title);
        text_addf(&title, "lockstep %s", c->name);
        page_title(p, text_string(&title), c->summary);
        if (c->about)
            page_paragraph(p, c->about);
        manual_print_options(c, p);
        command_print_examples(c, p);
    }
    text_drop(&title);
}

/* Adds all entries of a kind, without what they have in common. */
static void print_group(struct page *p, const char *kind)
{
    for (ENTRIES(e))
        if (strcmp(e.kind, kind) == 0)
            manual_refer(p, &e);
}

static void print_transforms(struct page *p)
{
    print_group(p, "transform");
}

static void print_ops(struct page *p)
{
    print_group(p, "op");
}

static void print_formats(struct page *p)
{
    for (ENTRIES(e))
        if (strcmp(e.kind, "format") == 0)
            page_item(p, e.name, e.summary);
}

/* Adds the names of the steps of each group. */
static void print_groups(struct page *p)
{
    struct text names = { 0 };

    for (enum group g = GROUP_NONE + 1; g < GROUPS; g++) {
        text_clear(&names);
        for (ENTRIES(e))
            if (e.group == g)
                text_addf(&names, "%s%s", names.length ? ", " : "", e.name);
        page_item(p, group_name(g), text_string(&names));
    }
    text_drop(&names);
}

static const struct {
    const char *name;
    void (*print)(struct page *);
} parts[] = {
    { "synopsis", print_synopsis },
    { "common-options", manual_print_common_options },
    { "groups", print_groups },
    { "commands", print_commands },
    { "step", manual_common_keys },
    { "transforms", print_transforms },
    { "ops", print_ops },
    { "formats", print_formats },
    { "coverage", manual_coverage },
};

static bool print_part(const char *name, struct page *p)
{
    struct entry entry;

    for (size_t i = 0; i < COUNTOF(parts); i++)
        if (strcmp(parts[i].name, name) == 0) {
            parts[i].print(p);
            return true;
        }
    if (topic_get(name)) {
        topic_print(p, topic_get(name));
        return true;
    }
    if (!entry_find(name, &entry) || !entry.rows)
        return false;
    manual_rows(p, entry.rows);
    return true;
}

static int run(void *given, const char *const *operand)
{
    struct page p = page_roff();

    (void)given;
    for (size_t i = 0; operand[i]; i++)
        if (!print_part(operand[i], &p)) {
            message_print("lockstep manual: error: %s: there is no such part [name-unknown]",
                          operand[i]);
            page_drop(&p);
            return EXIT_USAGE;
        }
    return page_show(&p);
}

const struct command manual_command = {
    .name = "manual",
    .summary = "print generated parts of the man pages",
    .synopsis = "PART...",
    .about =
        "For man/make.sh. A part is synopsis, common-options, commands, step, groups, transforms, "
        "ops, formats, coverage, a topic, or anything that has parameters.",
    .operands = "PART",
    .hidden = true,
    .run = run,
};
