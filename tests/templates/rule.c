/* NAME: rules about names of categories. */
/* A family of one rule that works. Change the rows and the functions, then delete this comment.
 *   - src/check/rule.h says which functions a family can have, in which order they are called, and
 *     how a finding gets a picture and a fix. boxes.c has all of this.
 *   - The id is a letter and three digits. Once released, it never becomes another rule's id.
 *   - A row has: id, slug, severity, kind of fix, summary, cause, remedy. */
#include "check/rule.h"

#include <string.h>

enum { PLACEHOLDER };

static const struct rule rules[] = {
    [PLACEHOLDER] = { "RULE_ID", "HYPHENS-placeholder", SEVERITY_WARNING, FIX_NONE,
                      "the name of a category is \"todo\"",
                      "The name was to be filled in later, and was forgotten.",
                      "Write the name of the category." },
    { 0 },
};

static void check_category(struct check *c, const struct category_element *e, void *state)
{
    (void)state;
    if (strcmp(e->category->name, "todo") == 0)
        rule_report_plain(c, &rules[PLACEHOLDER], &e->at, "name", e->pick[CATEGORY_NAME].value,
                          "the name is \"todo\"");
}

const struct rule_family NAME_family = {
    .title = "TITLE",
    .rules = rules,
    .category = check_category,
};
