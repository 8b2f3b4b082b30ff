/* topics: pages of prose, from the text files of man/topics/. */
#include "manual/manual.h"

#include <string.h>

#define TOPIC(name, summary, ...) { name, summary, (const char *const[]){ __VA_ARGS__ } },
const struct topic topics[] = {
#include "topics.inc"
    { 0 },
};

const struct topic *topic_get(const char *name)
{
    for (const struct topic *t = topics; t->name; t++)
        if (strcmp(t->name, name) == 0)
            return t;
    return NULL;
}

/* Parts of a page that come from tables; the text names each on a line "@name". */
static const struct {
    const char *name;
    void (*print)(struct page *);
} parts[] = {
    { "codes", print_codes },
    { "deviations-kept", print_deviations_kept },
    { "deviations-repaired", print_deviations_repaired },
    { "keypoint-layouts", print_keypoint_layouts },
    { "optimize-modes", print_optimize_modes },
    { "reports", print_reports },
    { "rules", print_rules },
    { "shortcuts", print_shortcuts },
};

static void print_part(struct page *p, const char *name)
{
    for (size_t i = 0; i < COUNTOF(parts); i++)
        if (strcmp(parts[i].name, name) == 0) {
            parts[i].print(p);
            return;
        }
    page_paragraph(p, "@unknown");
}

/* The paragraph, item or example that is being collected from lines. */
struct block {
    enum { BLOCK_NONE, BLOCK_PARAGRAPH, BLOCK_ITEM, BLOCK_CODE } kind;
    struct text term, text;
};

static void end_block(struct block *b, struct page *p)
{
    if (b->kind == BLOCK_PARAGRAPH)
        page_paragraph(p, text_string(&b->text));
    else if (b->kind == BLOCK_ITEM)
        page_item(p, text_string(&b->term), text_string(&b->text));
    else if (b->kind == BLOCK_CODE)
        page_code(p, text_string(&b->text));
    text_clear(&b->text);
    b->kind = BLOCK_NONE;
}

/* Appends a line to the block, after a space. */
static void add_line(struct block *b, const char *line)
{
    line += strspn(line, " ");
    if (b->text.length)
        text_addc(&b->text, ' ');
    text_adds(&b->text, line);
}

/* Starts an item from "`term`: text". */
static void start_item(struct block *b, const char *line)
{
    const char *colon = strstr(line, "`: ");

    b->kind = BLOCK_ITEM;
    text_clear(&b->term);
    if (colon)
        text_add(&b->term, line, (size_t)(colon + 1 - line));
    add_line(b, colon ? colon + 2 : line);
}

static void print_line(struct block *b, struct page *p, const char *line)
{
    if (b->kind != BLOCK_ITEM && strncmp(line, "    ", 4) == 0) {
        b->kind = BLOCK_CODE;
        text_addf(&b->text, "%s\n", line + 4);
        return;
    }
    if (!*line || strchr("#@-", *line))
        end_block(b, p);
    if (*line == '#') {
        page_heading(p, line + 2);
    } else if (*line == '@') {
        print_part(p, line + 1);
    } else if (*line == '-') {
        start_item(b, line + 2);
    } else if (*line) {
        if (b->kind == BLOCK_NONE)
            b->kind = BLOCK_PARAGRAPH;
        add_line(b, line);
    }
}

void topic_print(struct page *p, const struct topic *topic)
{
    struct block block = { 0 };

    for (const char *const *line = topic->lines; *line; line++)
        print_line(&block, p, *line);
    end_block(&block, p);
    text_drop(&block.term);
    text_drop(&block.text);
}
