/* topic_check: the rules and the reports of a check, from their tables. */
#include "manual/manual.h"

#include "check/registry.h"
#include "check/reporter.h"

#include <string.h>

void print_reports(struct page *p)
{
    struct text term = { 0 }, text = { 0 };

    page_terms(p, strlen("markdown"));
    for (EACH(reporter, reporter, check_reporters)) {
        text_clear(&term);
        text_clear(&text);
        text_addf(&term, "`%s`", reporter->name);
        text_adds(&text, reporter->summary);
        if (reporter->complete)
            text_adds(&text, "; counts all findings");
        else
            text_addf(&text, "; the first %zu findings of a rule", reporter->max_findings);
        page_item(p, text_string(&term), text_string(&text));
    }
    text_drop(&term);
    text_drop(&text);
}

void print_rules(struct page *p)
{
    struct arena arena = { 0 };
    struct text term = { 0 }, text = { 0 };

    page_terms(p, strlen("B005"));
    for (const struct rule **rule = check_rules(&arena); *rule; rule++) {
        text_clear(&term);
        text_clear(&text);
        text_addf(&term, "`%s`", (*rule)->id);
        text_addf(&text, "%s (%s", (*rule)->summary, severity_word((*rule)->severity));
        if ((*rule)->fix != FIX_NONE)
            text_addf(&text, "; %s fix", fix_word((*rule)->fix));
        text_addc(&text, ')');
        page_item(p, text_string(&term), text_string(&text));
    }
    text_drop(&term);
    text_drop(&text);
    arena_drop(&arena);
}
