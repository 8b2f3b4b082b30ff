/* pages: commands and their options on a page. */
#include "help/pages.h"

#include <ctype.h>
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

/* True if the option has a default. An option that replaces a value of the pipeline has none, nor
 * has an optional number, whose default is "null". */
static bool has_default(const struct row *row)
{
    return row->preset && row->kind != &flag_kind && strcmp(row->preset, "\"\"") != 0 &&
           strcmp(row->preset, "null") != 0 && !row_get(pipeline_rows, row->name) &&
           !row_get(output_rows, row->name);
}

/* True if the upper limit is only the largest exact integer. */
static bool is_endless(const struct row *row)
{
    return row->limit.hi >= 0x1p53 - 1;
}

static void add_choices(const struct row *row, struct text *out)
{
    for (const struct choice *c = row->choices; c && c->word; c++)
        text_addf(out, "%s%s", c == row->choices ? "" : ", ", c->word);
}

/* Appends the kinds of output that an option names. */
static void add_writes(unsigned writes, struct text *out)
{
    static const char *const words[] = { NULL, "output file", "output folder",
                                         "output file or folder" };
    const char *word = words[writes & (WRITES_FILE | WRITES_FOLDER)];

    if (word)
        text_addf(out, "%s%s%s", out->length ? ", " : "", word,
                  writes & WRITES_STDOUT ? ", - for stdout" : "");
}

/* Appends " (1..100, default 95)" or " (repeatable, required)"; nothing if the row has no such
 * facts. `at_length`: limits are printed, and choices are not. */
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

/* How much help says about an option. */
enum detail {
    DETAIL_LINE, /* the first sentence, on one line */
    DETAIL_TEXT, /* the help, and the words that may be given */
    DETAIL_FULL, /* the limits too, and what each word means */
};

/* Appends the first sentence, and the facts if the line is wide enough for them. */
static void add_line(const struct option *o, const struct page *p, struct text *out)
{
    struct text facts = { 0 };

    option_print_brief(o, out);
    add_facts(&o->row, false, &facts);
    if (p->column + (int)(out->length + facts.length) <= p->width)
        text_add(out, facts.at, facts.length);
    text_drop(&facts);
}

/* Prints the option as an item; `aligned`: names start at the same column with or without a
 * letter. */
static void print_option(const struct option *o, enum detail detail, bool aligned, struct page *p)
{
    struct text term = { 0 }, text = { 0 };

    if (!o->letter && aligned)
        text_adds(&term, "    ");
    add_term(o, &term);
    if (detail == DETAIL_LINE) {
        add_line(o, p, &text);
    } else {
        text_adds(&text, o->row.help);
        add_facts(&o->row, detail == DETAIL_FULL, &text);
    }
    page_item(p, text_string(&term), text_string(&text));
    if (detail == DETAIL_FULL)
        print_choices(&o->row, p);
    text_drop(&term);
    text_drop(&text);
}

/* --- the options of a command --- */

/* The options of a command that a page shows. */
struct selection {
    const struct command *command;
    enum detail detail;
    bool rare, common; /* include rare options, and those of every command */
    bool aligned;
};

static bool is_shown(const struct selection *s, const struct option *o)
{
    return (s->rare || !o->row.rare) && (s->common || !option_is_common(o));
}

/* True if the command has so many options that help prints them in groups. */
static bool has_groups(const struct command *c)
{
    enum { MAX_UNGROUPED = 20 };
    size_t n = 0;

    for (OPTIONS(o, c))
        n++;
    return n > MAX_UNGROUPED;
}

static size_t term_length(const struct option *o)
{
    return strlen("-x, --") + strlen(o->row.name) + (o->metavar ? 1 + strlen(o->metavar) : 0);
}

static void set_column(const struct selection *s, struct page *p)
{
    size_t longest = 0;

    for (OPTIONS(o, s->command))
        if (is_shown(s, o) && term_length(o) > longest)
            longest = term_length(o);
    page_terms(p, longest);
}

/* Calls `head` before the first option of each group. */
static void print_groups(const struct selection *s, void (*head)(struct page *, enum option_group),
                         struct page *p)
{
    for (enum option_group group = 0; group < OPTION_GROUPS; group++) {
        bool headed = false;

        for (OPTIONS(o, s->command)) {
            if (o->row.group != group || !is_shown(s, o))
                continue;
            if (!headed)
                head(p, group);
            headed = true;
            print_option(o, s->detail, s->aligned, p);
        }
    }
}

static void print_all(const struct selection *s, struct page *p)
{
    for (OPTIONS(o, s->command))
        if (is_shown(s, o))
            print_option(o, s->detail, s->aligned, p);
}

static const char *const group_names[] = {
    [OPTIONS_OTHER] = "other",
    [OPTIONS_INPUT] = "input",
    [OPTIONS_CHOICE] = "choosing images",
    [OPTIONS_RULES] = "rules",
    [OPTIONS_LABELS] = "labels",
    [OPTIONS_OUTPUT] = "output",
    [OPTIONS_ERRORS] = "errors and limits",
    [OPTIONS_SCALE] = "speed and scale",
    [OPTIONS_STEPS] = "files for steps",
    [OPTIONS_MESSAGES] = "messages",
};

/* "OPTIONS: LABELS" */
static void head_text(struct page *p, enum option_group group)
{
    struct text heading = { 0 };

    text_addf(&heading, "OPTIONS: %s", group_names[group]);
    for (size_t i = 0; i < heading.length; i++)
        heading.at[i] = (char)toupper((unsigned char)heading.at[i]);
    page_heading(p, text_string(&heading));
    text_drop(&heading);
}

/* "Labels:" */
static void head_manual(struct page *p, enum option_group group)
{
    struct text heading = { 0 };

    text_addf(&heading, "%s:", group_names[group]);
    heading.at[0] = (char)toupper((unsigned char)heading.at[0]);
    page_paragraph(p, text_string(&heading));
    text_drop(&heading);
}

static void print_hidden_count(const struct selection *s, struct page *p)
{
    struct text line = { 0 };
    size_t n = 0;

    for (OPTIONS(o, s->command))
        n += !is_shown(s, o);
    if (n) {
        text_addf(&line, "`--help-all` shows %zu more", n);
        page_paragraph(p, text_string(&line));
    }
    text_drop(&line);
}

static void print_help_options(const struct command *c, bool all, struct page *p)
{
    const bool grouped = has_groups(c);
    const struct selection s = {
        .command = c,
        .detail = all       ? DETAIL_FULL
                  : grouped ? DETAIL_LINE
                            : DETAIL_TEXT,
        .rare = all || !grouped,
        .common = true,
        .aligned = true,
    };

    set_column(&s, p);
    if (grouped) {
        print_groups(&s, head_text, p);
    } else {
        page_heading(p, "OPTIONS");
        print_all(&s, p);
    }
    print_hidden_count(&s, p);
}

int help_show_command(const struct command *c, bool all)
{
    struct page p = page_text();
    struct text usage = { 0 };

    page_title(&p, c->name, c->summary);
    if (c->examples) {
        page_heading(&p, "EXAMPLES");
        command_print_examples(c, &p);
    }
    page_heading(&p, "USAGE");
    text_addf(&usage, "lockstep %s%s%s", c->name, c->synopsis && *c->synopsis ? " " : "",
              c->synopsis ? c->synopsis : "");
    page_paragraph(&p, text_string(&usage));
    if (c->about)
        page_paragraph(&p, c->about);
    print_help_options(c, all, &p);
    text_drop(&usage);
    return page_show(&p);
}

/* --- the manual --- */

void manual_print_options(const struct command *c, struct page *p)
{
    const struct selection s = { .command = c, .detail = DETAIL_FULL, .rare = true };

    set_column(&s, p);
    if (has_groups(c))
        print_groups(&s, head_manual, p);
    else
        print_all(&s, p);
}

void manual_print_common_options(struct page *p)
{
    for (OPTIONS(o, commands[0]))
        if (option_is_common(o))
            print_option(o, DETAIL_FULL, false, p);
}
