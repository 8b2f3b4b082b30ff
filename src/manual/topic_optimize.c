/* topic_optimize: the modes of --optimize, and the shortcuts of mode fast, from their tables. */
#include "manual/manual.h"

#include "plan/fast_bounds.h"

#include <string.h>

void print_optimize_modes(struct page *p)
{
    struct text term = { 0 };

    page_terms(p, strlen("exact"));
    for (const struct choice *c = optimize_choices; c->word; c++) {
        text_clear(&term);
        text_addf(&term, "`%s`", c->word);
        page_item(p, text_string(&term), c->help);
    }
    text_drop(&term);
}

void print_shortcuts(struct page *p)
{
    manual_shortcuts(p, (1U << SHORTCUTS) - 1);
}
