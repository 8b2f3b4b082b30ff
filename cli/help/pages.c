/* pages: commands and their options on a page. */
#include "help/pages.h"

#include <stdio.h>
#include <string.h>

int page_show(struct page *p)
{
    fputs(text_string(&p->out), stdout);
    page_drop(p);
    return EXIT_DONE;
}

int json_show(const char *json)
{
    struct text laid_out = { 0 };

    json_lay_out(json, 100, &laid_out);
    puts(text_string(&laid_out));
    text_drop(&laid_out);
    return EXIT_DONE;
}

void command_print_usage(const struct command *c, struct text *out)
{
    text_addf(out, "lockstep %s%s%s", c->name, c->synopsis && *c->synopsis ? " " : "",
              c->synopsis ? c->synopsis : "");
}

void command_print_examples(const struct command *c, struct page *p)
{
    struct text lines = { 0 };

    for (const char *const *line = c->examples; line && *line; line++)
        text_addf(&lines, "%s\n", *line);
    if (lines.length)
        page_code(p, text_string(&lines));
    text_drop(&lines);
}

/* "`-p`, `--pipeline` <FILE>" */
static void add_term(const struct option *o, struct text *out)
{
    if (o->letter)
        text_addf(out, "`-%c`, `", o->letter);
    else
        text_adds(out, "`");
    option_print_name(o, out);
    text_adds(out, "`");
    if (o->metavar)
        text_addf(out, " <%s>", o->metavar);
}

/* Options that stand in for a value of the pipeline have no default of their own; nor have those
 * that may be absent, as a number of "null". */
static bool has_default(const struct row *row)
{
    return row->preset && row->kind != &flag_kind && strcmp(row->preset, "\"\"") != 0 &&
           strcmp(row->preset, "null") != 0 && !row_get(pipeline_rows, row->name) &&
           !row_get(output_rows, row->name);
}

/* A limit that is only there because numbers end. */
static bool is_endless(const struct row *row)
{
    return row->kind == &whole_kind && row->limit.hi >= 0x1p53;
}

static void add_choices(const struct row *row, struct text *out)
{
    for (const struct choice *c = row->choices; c && c->word; c++)
        text_addf(out, "%s%s", c == row->choices ? "" : ", ", c->word);
}

/* Prints the kinds of output that an option names. */
static void add_writes(unsigned writes, struct text *out)
{
    static const char *const words[] = { NULL, "output file", "output folder",
                                         "output file or folder" };
    const char *word = words[writes & (WRITES_FILE | WRITES_FOLDER)];

    if (word)
        text_addf(out, "%s%s%s", out->length ? ", " : "", word,
                  writes & WRITES_STDOUT ? ", - for stdout" : "");
}

/* Prints " (1..100, default 95)", " (repeatable, required)": the facts of the row's table that
 * there are. */
static void add_facts(const struct row *row, bool at_length, struct text *out)
{
    struct text facts = { 0 };

    if (!at_length)
        add_choices(row, &facts);
    else if (!is_endless(row))
        row_print_limit(row, &facts);
    if (row->kind == &names_kind)
        text_adds(&facts, "repeatable");
    add_writes(row->writes, &facts);
    if (!row->preset)
        text_addf(&facts, "%srequired", facts.length ? ", " : "");
    if (has_default(row)) {
        size_t length = strlen(row->preset), quote = *row->preset == '"';

        text_adds(&facts, facts.length ? at_length ? ", default " : "; default " : "default ");
        text_add(&facts, row->preset + quote, length - 2 * quote);
    }
    if (facts.length)
        text_addf(out, " (%s)", text_string(&facts));
    text_drop(&facts);
}

static bool choices_have_help(const struct row *row)
{
    for (const struct choice *c = row->choices; c && c->word; c++)
        if (!c->help || !*c->help)
            return false;
    return row->choices;
}

static void print_choices(const struct row *row, struct page *p)
{
    struct text words = { 0 };

    if (row->choices && !choices_have_help(row)) {
        add_choices(row, &words);
        page_more(p, NULL, text_string(&words));
    }
    for (const struct choice *c = row->choices; c && c->word && choices_have_help(row); c++) {
        text_clear(&words);
        text_addf(&words, "`%s`", c->word);
        page_more(p, text_string(&words), c->help);
    }
    text_drop(&words);
}

static void print_option(const struct option *o, bool at_length, struct page *p)
{
    struct text term = { 0 }, text = { 0 };

    if (!o->letter && !at_length)
        text_adds(&term, "    ");
    add_term(o, &term);
    text_adds(&text, o->row.help);
    add_facts(&o->row, at_length, &text);
    page_item(p, text_string(&term), text_string(&text));
    if (at_length)
        print_choices(&o->row, p);
    text_drop(&term);
    text_drop(&text);
}

static size_t term_length(const struct option *o)
{
    return strlen("-x, --") + strlen(o->row.name) + (o->metavar ? 1 + strlen(o->metavar) : 0);
}

void command_print_options(const struct command *c, bool at_length, struct page *p)
{
    size_t longest = 0;

    for (OPTIONS(o, c))
        longest = term_length(o) > longest ? term_length(o) : longest;
    page_terms(p, longest);
    for (OPTIONS(o, c))
        if (!at_length || !option_is_common(o))
            print_option(o, at_length, p);
}

void options_print_common(struct page *p)
{
    for (OPTIONS(o, commands[0]))
        if (option_is_common(o))
            print_option(o, true, p);
}
