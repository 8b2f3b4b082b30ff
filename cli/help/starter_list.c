/* starter_list: the built-in pipelines as a page, as lines and as JSON. */
#include "help/starter_list.h"
#include "help/pages.h"
#include "open/starter_pipelines.h"

#include <stdio.h>
#include <string.h>

static int longest_name(void)
{
    size_t longest = 0;

    for (const struct starter *s = starters; s->name; s++)
        longest = strlen(s->name) > longest ? strlen(s->name) : longest;
    return (int)longest;
}

/* Calls `each` with every pipeline and its "$comment". */
static void walk(void (*each)(const struct starter *, const char *remark, void *context),
                 void *context)
{
    for (const struct starter *s = starters; s->name; s++) {
        struct arena arena = { 0 };
        struct faults faults = { .name = s->name, .text = { s->text, strlen(s->text) } };
        const struct value *root = value_parse(&faults, &arena);
        const struct value *remark = root ? value_get(root, "$comment") : NULL;

        each(s, remark ? remark->text : "", context);
        faults_drop(&faults);
        arena_drop(&arena);
    }
}

static void add_item(const struct starter *s, const char *remark, void *context)
{
    page_item(context, s->name, remark);
}

int starter_list_show(void)
{
    struct page p = page_text();

    page_terms(&p, (size_t)longest_name());
    walk(add_item, &p);
    return page_show(&p);
}

static void print_line(const struct starter *s, const char *remark, void *context)
{
    (void)context;
    printf("%-*s  %s\n", longest_name(), s->name, remark);
}

void starter_list_print_lines(void)
{
    walk(print_line, NULL);
}

static void add_object(const struct starter *s, const char *remark, void *context)
{
    struct text *all = context;

    text_adds(all, all->length > 1 ? ", {\"name\": " : "{\"name\": ");
    text_add_json(all, s->name, strlen(s->name));
    text_adds(all, ", \"kind\": \"pipeline\", \"summary\": ");
    text_add_json(all, remark, strlen(remark));
    text_addc(all, '}');
}

void starter_list_print_json(void)
{
    struct text all = { 0 };

    text_addc(&all, '[');
    walk(add_object, &all);
    text_addc(&all, ']');
    json_show(text_string(&all));
    text_drop(&all);
}
