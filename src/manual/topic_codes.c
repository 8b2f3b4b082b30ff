/* topic_codes: the codes of messages, from their table. */
#include "manual/manual.h"

#include <string.h>

/* "2, 3" */
static void add_exits(unsigned exits, struct text *out)
{
    const char *comma = "";

    for (int e = EXIT_DONE; e <= EXIT_RESOURCES; e++)
        if (exits >> e & 1) {
            text_addf(out, "%s%d", comma, e);
            comma = ", ";
        }
    if (exits >> CODE_SIGNAL)
        text_addf(out, "%s%d+N", comma, EXIT_SIGNAL);
}

void print_codes(struct page *p)
{
    struct text term = { 0 }, text = { 0 };

    page_terms(p, strlen("coco-empty-segmentation"));
    for (const struct code *c = codes; c->word; c++) {
        text_clear(&term);
        text_clear(&text);
        text_addf(&term, "`%s`", c->word);
        text_addf(&text, "%s (", c->means);
        add_exits(c->exits, &text);
        text_adds(&text, ")");
        page_item(p, text_string(&term), text_string(&text));
    }
    text_drop(&term);
    text_drop(&text);
}

void manual_code(struct page *p, const struct code *code)
{
    struct text exits = { 0 };

    page_title(p, code->word, code->means);
    text_adds(&exits, "Exit code: ");
    add_exits(code->exits, &exits);
    text_adds(&exits, ". See `lockstep help codes` and `lockstep help exit-codes`.");
    page_paragraph(p, text_string(&exits));
    text_drop(&exits);
}
