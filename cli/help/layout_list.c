/* layout_list: the layouts of whole datasets as a page, as lines and as JSON. */
#include "help/layout_list.h"
#include "help/pages.h"

#include "batch/dataset/layout_registry.h"

#include <stdio.h>
#include <string.h>

static int longest_name(void)
{
    size_t longest = 0;

    for (size_t i = 0; layouts[i]; i++)
        longest = strlen(layouts[i]->name) > longest ? strlen(layouts[i]->name) : longest;
    return (int)longest;
}

/* Sets `text` to "COCO: its files. --to coco writes it". */
static void describe(const struct layout *l, struct text *text)
{
    text_clear(text);
    text_addf(text, "%s: %s", l->title, l->summary);
    for (size_t i = 0; l->targets && l->targets[i]; i++)
        text_addf(text, "%s%s", i ? ", " : ". --to ", l->targets[i]);
    if (l->targets && l->targets[0])
        text_adds(text, l->targets[1] ? " write it" : " writes it");
}

int layout_list_show(void)
{
    struct page p = page_text();
    struct text text = { 0 };

    page_terms(&p, (size_t)longest_name());
    for (size_t i = 0; layouts[i]; i++) {
        describe(layouts[i], &text);
        page_item(&p, layouts[i]->name, text_string(&text));
    }
    text_drop(&text);
    return page_show(&p);
}

void layout_list_print_lines(void)
{
    struct text text = { 0 };

    for (size_t i = 0; layouts[i]; i++) {
        describe(layouts[i], &text);
        printf("%-*s  %s\n", longest_name(), layouts[i]->name, text_string(&text));
    }
    text_drop(&text);
}

static void add_member(struct text *all, const char *name, const char *value)
{
    text_addf(all, ", \"%s\": ", name);
    text_add_json(all, value, strlen(value));
}

void layout_list_print_json(void)
{
    struct text all = { 0 };

    text_addc(&all, '[');
    for (size_t i = 0; layouts[i]; i++) {
        const struct layout *l = layouts[i];

        text_adds(&all, i ? ", {\"name\": " : "{\"name\": ");
        text_add_json(&all, l->name, strlen(l->name));
        add_member(&all, "kind", "layout");
        add_member(&all, "title", l->title);
        add_member(&all, "summary", l->summary);
        text_adds(&all, ", \"targets\": [");
        for (size_t k = 0; l->targets && l->targets[k]; k++) {
            text_adds(&all, k ? ", " : "");
            text_add_json(&all, l->targets[k], strlen(l->targets[k]));
        }
        text_adds(&all, "]}");
    }
    text_addc(&all, ']');
    json_show(text_string(&all));
    text_drop(&all);
}
