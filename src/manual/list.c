/* list: prints all entries, or the entries of some classes. */
#include "manual/manual.h"

#include <string.h>

static int longest_name(void)
{
    int longest = 0;

    for (ENTRIES(e))
        if ((int)strlen(e.name) > longest)
            longest = (int)strlen(e.name);
    return longest;
}

static void list_entry(struct page *p, const struct entry *e)
{
    struct text term = { 0 };
    char letters[5];

    entry_letters(e, letters);
    text_addf(&term, "%-*s  %s %c", longest_name(), e->name, letters, origin_letter(e->origin));
    page_terms(p, term.length);
    page_item(p, text_string(&term), e->summary);
    text_drop(&term);
}

static bool has_plugins(void)
{
    for (ENTRIES(e))
        if (e.origin == ORIGIN_PLUGIN)
            return true;
    return false;
}

static void print_legend(struct page *p)
{
    struct text line = { 0 };

    effects_print_legend(&line);
    text_adds(&line,
              ". From: T torchvision, A Albumentations, Y YOLO, M MMDetection, - lockstep's own");
    text_adds(&line, has_plugins() ? ", P a plugin" : "");
    page_paragraph(p, text_string(&line));
    text_drop(&line);
}

/* Lists the entries of a group: transforms, then ops, in the order of entries. */
static bool list_group(struct page *p, enum group group, const char *const *classes)
{
    bool listed = false;

    for (ENTRIES(e)) {
        if (e.group != group || !entry_is_of(&e, classes))
            continue;
        if (!listed)
            page_heading(p, group ? group_name(group) : "formats");
        listed = true;
        list_entry(p, &e);
    }
    return listed;
}

void manual_list(struct page *p, const char *const *classes)
{
    bool steps = false;

    for (enum group g = GROUP_GEOMETRY; g < GROUPS; g++)
        steps |= list_group(p, g, classes);
    list_group(p, GROUP_NONE, classes);
    if (steps)
        print_legend(p);
}

void manual_list_lines(struct text *out, const char *const *classes)
{
    char letters[5];

    for (ENTRIES(e)) {
        if (!entry_is_of(&e, classes))
            continue;
        entry_letters(&e, letters);
        text_addf(out, "%-*s  %s  %-9s  %-8s  %-14s  %s\n", longest_name(), e.name, letters, e.kind,
                  group_name(e.group), origin_name(e.origin), e.summary);
    }
}

void manual_list_differences(struct page *p, const char *const *classes)
{
    page_terms(p, (size_t)longest_name());
    for (ENTRIES(e))
        if (e.differs && entry_is_of(&e, classes))
            page_item(p, e.name, e.differs);
}
