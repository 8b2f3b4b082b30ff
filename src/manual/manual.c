/* manual: prints the tables on a page of either format. */
#include "manual/manual.h"

#include "base/number.h"
#include "steps/op_shared/font.h"
#include "steps/op_shared/stamps.h"
#include "plan/fast_bounds.h"

#include <string.h>

/* --- pages --- */

void page_drop(struct page *p)
{
    text_drop(&p->out);
}

void page_title(struct page *p, const char *name, const char *summary)
{
    p->formatter->title(p, name, summary);
    p->last = PAGE_HEADING;
}

void page_heading(struct page *p, const char *text)
{
    p->formatter->heading(p, text);
    p->last = PAGE_HEADING;
}

void page_paragraph(struct page *p, const char *text)
{
    static const char blank_line[] = "\n\n";
    struct text one = { 0 };

    for (const char *end; (end = strstr(text, blank_line)); text = end + sizeof blank_line - 1) {
        text_clear(&one);
        text_add(&one, text, (size_t)(end - text));
        p->formatter->paragraph(p, text_string(&one));
        p->last = PAGE_PARAGRAPH;
    }
    p->formatter->paragraph(p, text);
    p->last = PAGE_PARAGRAPH;
    text_drop(&one);
}

void page_item(struct page *p, const char *term, const char *text)
{
    p->formatter->item(p, term, text);
    p->last = PAGE_ITEM;
}

void page_more(struct page *p, const char *term, const char *text)
{
    p->formatter->more(p, term, text);
}

void page_code(struct page *p, const char *lines)
{
    p->formatter->code(p, lines);
    p->last = PAGE_CODE;
}

void page_terms(struct page *p, size_t longest)
{
    p->column = p->indent + (int)longest + 2;
    if (p->column > p->width / 2)
        p->column = p->width / 2;
}

/* --- rows --- */

/* Appends the kind's words; lists of a fixed length say their length. */
static void add_wants(const struct row *row, struct text *out)
{
    bool optional = row->kind == &optional_list_kind;

    if ((row->kind == &list_kind || optional) && row->least > 1) {
        text_addf(out,
                  row->least == row->most ? "a list of %d numbers" : "a list of %d to %d numbers",
                  row->least, row->most);
        text_adds(out, optional ? ", or null" : "");
    } else {
        text_adds(out, row->kind->wants);
    }
    if (row->odd)
        text_adds(out, ", odd");
}

static void add_facts(const struct row *row, struct text *out)
{
    struct text limit = { 0 };

    row_print_limit(row, &limit);
    add_wants(row, out);
    if (row_has_limit(row) && row->limit.lo == row->limit.hi)
        text_addf(out, "; only %.0f", row->limit.lo);
    else if (limit.length)
        text_addf(out, "; %s", text_string(&limit));
    else if (row->unit)
        text_addf(out, "; in %s", row->unit);
    if (!row->preset)
        text_adds(out, "; required");
    else if (strcmp(row->preset, "\"\"") != 0)
        text_addf(out, "; default %s", row->preset);
    text_drop(&limit);
}

static void row_item(struct page *p, const struct row *row)
{
    struct text term = { 0 }, facts = { 0 };

    text_addf(&term, "`%s`", row->name);
    add_facts(row, &facts);
    page_item(p, text_string(&term), row->help);
    page_more(p, NULL, text_string(&facts));
    for (const struct choice *c = row->choices; c && c->word; c++) {
        text_clear(&term);
        text_addf(&term, "`\"%s\"`", c->word);
        page_more(p, text_string(&term), c->help);
    }
    text_drop(&term);
    text_drop(&facts);
}

static size_t longest_name(const struct row *rows)
{
    size_t longest = 0;

    for (ROWS (row, rows))
        if (strlen(row->name) > longest)
            longest = strlen(row->name);
    return longest;
}

/* Prints the pipeline's other keys: its sections, and keys for people and editors. */
static void other_keys(struct page *p)
{
    for (ENTRIES(e)) {
        struct text term = { 0 }, more = { 0 };

        if (!entry_is_part(&e))
            continue;
        text_addf(&term, "`%s`", e.name);
        text_addf(&more, "an object; optional; see `lockstep describe %s`", e.name);
        page_item(p, text_string(&term), e.summary);
        page_more(p, NULL, text_string(&more));
        text_drop(&term);
        text_drop(&more);
    }
    page_item(p, "`name`", "name of the pipeline, for people");
    page_item(p, "`$schema`", "where editors find the schema that `lockstep schema` prints");
    page_paragraph(p, "Keys that begin with `x-`, and `$comment`, are ignored anywhere. Any other "
                      "unknown key is a fault.");
}

void manual_rows(struct page *p, const struct row *rows)
{
    size_t longest = longest_name(rows);

    for (ENTRIES(e))
        if (rows == pipeline_rows && entry_is_part(&e) && strlen(e.name) > longest)
            longest = strlen(e.name);
    page_terms(p, longest);
    for (ROWS (row, rows))
        row_item(p, row);
    if (rows == pipeline_rows)
        other_keys(p);
}

/* The default of a step's chance depends on its transform. */
static void common_rows(struct page *p, const struct transform *transform)
{
    struct text chance = { 0 };

    number_print(&chance, transform && transform->chance > 0 ? transform->chance : 1);
    for (ROWS (row, step_rows)) {
        struct row own = *row;

        if (strcmp(row->name, "p") == 0 && transform)
            own.preset = text_string(&chance);
        row_item(p, &own);
    }
    text_drop(&chance);
}

void manual_common_keys(struct page *p)
{
    page_terms(p, strlen("type"));
    page_item(p, "`type`", "the name of a transform or op");
    page_more(p, NULL, "a string; required");
    common_rows(p, NULL);
}

/* --- describe --- */

/* Lays out JSON whose strings have no spaces on lines of up to `width` bytes. */
static void fill(const char *json, int width, struct text *out)
{
    int at = 0;

    while (*json) {
        int length = (int)strcspn(json, " ");

        if (at && at + 1 + length > width) {
            text_adds(out, "\n  ");
            at = 2;
        } else if (at) {
            text_addc(out, ' ');
            at++;
        }
        text_add(out, json, (size_t)length);
        at += length;
        json += length;
        json += strspn(json, " ");
    }
}

/* True if it may make samples of a type that some file formats cannot hold. */
static bool makes_types(const struct entry *e)
{
    bool makes = e->op && e->op->family == FAMILY_CONVERT;

    for (const char *const *name = e->transform ? e->transform->emits : NULL; name && *name; name++)
        makes |= registry_op(*name)->family == FAMILY_CONVERT;
    return makes;
}

static bool takes_stamps(const struct entry *e)
{
    bool takes = e->op && op_takes_stamps(e->op);

    for (const char *const *name = e->transform ? e->transform->emits : NULL; name && *name; name++)
        takes |= op_takes_stamps(registry_op(*name));
    return takes;
}

static bool draws_text(const struct entry *e)
{
    bool draws = e->op && op_draws_text(e->op);

    for (const char *const *name = e->transform ? e->transform->emits : NULL; name && *name; name++)
        draws |= op_draws_text(registry_op(*name));
    return draws;
}

/* Prints a command line that runs the example. */
static void describe_example(struct page *p, const struct entry *e)
{
    struct text line = { 0 }, command = { 0 };

    /* The bar stays on the last line: a shell reports a line that begins with one as an error. */
    text_addf(&line, "echo '{\"version\": 1, \"transforms\": [%s]}'", e->example);
    fill(text_string(&line), p->width - p->indent - 2, &command);
    text_addf(&command, " |\n  lockstep run -p - -i images -o out%s%s%s%s",
              makes_types(e) ? " --format tiff" : "", takes_stamps(e) ? " --stamps stamps" : "",
              draws_text(e) ? " --font font.ttf" : "",
              e->origin == ORIGIN_PLUGIN ? " --plugin FILE" : "");
    page_heading(p, "EXAMPLE");
    page_code(p, text_string(&command));
    text_drop(&line);
    text_drop(&command);
}

void manual_shortcuts(struct page *p, unsigned set)
{
    struct text term = { 0 }, text = { 0 };
    size_t longest = 0;

    for (int i = 0; i < SHORTCUTS; i++)
        if (set & 1U << i && strlen(shortcuts[i].name) > longest)
            longest = strlen(shortcuts[i].name);
    page_terms(p, longest);
    for (int i = 0; i < SHORTCUTS; i++)
        if (set & 1U << i) {
            text_clear(&term);
            text_clear(&text);
            text_addf(&term, "`%s`", shortcuts[i].name);
            shortcut_print(&shortcuts[i], &text);
            page_item(p, text_string(&term), text_string(&text));
        }
    text_drop(&term);
    text_drop(&text);
}

/* Prints the shortcuts of mode fast that may concern the entry. */
static void describe_shortcuts(struct page *p, const struct entry *e)
{
    unsigned set = entry_shortcuts(e);

    if (!set)
        return;
    page_heading(p, "SHORTCUTS");
    page_paragraph(p, "With `\"optimize\": \"fast\"`, depending on the steps around it, pixels may "
                      "differ by these (see `lockstep help optimize`):");
    manual_shortcuts(p, set);
}

static void describe_step(struct page *p, const struct entry *e)
{
    struct text targets = { 0 };

    if (e->rows) {
        page_heading(p, "PARAMETERS");
        manual_rows(p, e->rows);
    }
    page_heading(p, "COMMON KEYS");
    page_terms(p, longest_name(step_rows));
    common_rows(p, e->transform);
    page_heading(p, "TARGETS");
    entry_print_targets(e, &targets);
    text_addc(&targets, ' ');
    entry_print_emits(e, &targets);
    page_paragraph(p, text_string(&targets));
    describe_shortcuts(p, e);
    describe_example(p, e);
    text_drop(&targets);
}

static void describe_section(struct page *p, const struct row *rows)
{
    page_heading(p, "KEYS");
    manual_rows(p, rows);
}

void manual_describe(struct page *p, const struct entry *e)
{
    const struct topic *topic = topic_get(e->name);
    struct text origin = { 0 };

    page_title(p, e->name, e->summary);
    entry_print_origin(e, &origin);
    if (origin.length)
        page_paragraph(p, text_string(&origin));
    text_drop(&origin);
    if (entry_is_step(e))
        describe_step(p, e);
    else if (e->rows)
        describe_section(p, e->rows);
    else if (topic)
        topic_print(p, topic);
}

void manual_refer(struct page *p, const struct entry *e)
{
    struct text effect = { 0 }, example = { 0 };

    page_title(p, e->name, e->summary);
    if (!entry_is_step(e)) {
        manual_rows(p, e->rows);
        return;
    }
    entry_print_origin(e, &effect);
    text_addc(&effect, ' ');
    entry_print_targets(e, &effect);
    text_addc(&effect, ' ');
    entry_print_emits(e, &effect);
    if (e->transform && e->transform->chance > 0) {
        text_adds(&effect, " Its default of `p` is ");
        number_print(&effect, e->transform->chance);
        text_addc(&effect, '.');
    }
    while (effect.at[effect.length - 1] == ' ')
        effect.at[--effect.length] = '\0';
    page_paragraph(p, text_string(&effect));
    manual_rows(p, e->rows);
    fill(e->example, p->width, &example);
    page_code(p, text_string(&example));
    text_drop(&effect);
    text_drop(&example);
}
