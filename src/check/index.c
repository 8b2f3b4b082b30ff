/* index: finds the elements of an annotation file, even if some of them are wrong. */
#include "check/elements.h"

#include "json/skip_value.h"
#include "check/registry.h"

#include <stdlib.h>
#include <string.h>

struct indexer {
    struct check *check;
    struct annotation_file *file;
    struct scan scan;
    struct pile images, annotations, categories;
};

static void report_broken(struct indexer *x, struct element at, bool lost)
{
    struct bad_stretch broken = { .at = at, .scan = &x->scan, .lost = lost };

    for (EACH(rule_family, family, check_families))
        if (family->broken)
            family->broken(x->check, &broken);
}

/* Adds an entry for the next element of a list. */
static void add_entry(struct indexer *x, enum checked_list list, struct slice value, bool broken)
{
    uint64_t offset = (uint64_t)(value.at - x->file->text.at);
    uint32_t length = (uint32_t)(value.length < UINT32_MAX ? value.length : UINT32_MAX);

    broken |= length == UINT32_MAX || *value.at != '{';
    if (list == LIST_IMAGES)
        *(struct checked_image *)pile_add(&x->images, sizeof(struct checked_image)) =
            (struct checked_image){ .id = COCO_NO_ID,
                                    .name = "",
                                    .path = "",
                                    .offset = offset,
                                    .length = length,
                                    .broken = broken };
    else if (list == LIST_ANNOTATIONS)
        *(struct checked_annotation *)pile_add(&x->annotations, sizeof(struct checked_annotation)) =
            (struct checked_annotation){ .id = COCO_NO_ID,
                                         .offset = offset,
                                         .length = length,
                                         .image = NOT_THERE,
                                         .category = NOT_THERE,
                                         .broken = broken };
    else
        *(struct checked_category *)pile_add(&x->categories, sizeof(struct checked_category)) =
            (struct checked_category){
                .id = COCO_NO_ID, .name = "", .offset = offset, .length = length, .broken = broken
            };
}

/* Continues at another place of the text, as if there had been no error. */
static void resume(struct scan *s, size_t at, unsigned depth)
{
    *s = (struct scan){ .text = s->text, .at = at, .depth = depth };
}

/* Skips a value that is not JSON by its brackets, if a comma or the list's end follows. */
static bool skip_broken(struct scan *s, size_t start, unsigned depth, char closing)
{
    struct scan after = scan_start(s->text, 0);
    const char *past =
        start < s->text.length ? pass_value(s->text.at + start, s->text.at + s->text.length) : NULL;
    char next;

    if (!past)
        return false;
    after.at = (size_t)(past - s->text.at);
    next = scan_peek(&after);
    if (next != ',' && next != closing)
        return false;
    resume(s, (size_t)(past - s->text.at), depth);
    return true;
}

/* Returns an element of the file that has no entry yet. */
static struct element element_at(struct indexer *x, enum checked_list list, size_t index,
                                 size_t start)
{
    struct element e = element_of_file(x->file);

    e.list = list;
    e.index = (uint32_t)index;
    e.text = (struct slice){ x->file->text.at + start, 1 };
    return e;
}

/* Continues after a missing comma before an element, or a comma after the last one. Returns false
 * if it is neither. */
static bool mend_list(struct scan *s, unsigned depth, bool *over)
{
    char c = s->where < s->text.length ? s->text.at[s->where] : '\0';

    *over = c == ']';
    if (c != ']' && c != '{')
        return false;
    resume(s, s->where + (c == ']'), *over ? depth - 1 : depth);
    return true;
}

/* Indexes the elements of a list that begins here. Returns false if reading ends in it. */
static bool index_list(struct indexer *x, enum checked_list list)
{
    struct scan *s = &x->scan;
    bool first = true, over = false;
    struct slice value;
    unsigned depth;
    size_t start;

    if (!scan_open(s, '['))
        return false;
    depth = s->depth;
    for (size_t i = 0;; i++) {
        if (!scan_element(s, &first)) {
            struct scan before = *s;

            if (!s->code)
                return true;
            report_broken(
                x,
                element_at(x, list, i,
                           before.where < s->text.length ? before.where : s->text.length - 1),
                false);
            if (!mend_list(s, depth, &over))
                return false;
            if (over)
                return true;
        }
        start = s->at;
        if (scan_value(s, &value)) {
            add_entry(x, list, value, false);
            if (*value.at != '{')
                report_broken(x, element_at(x, list, i, start), false);
            continue;
        }
        report_broken(x, element_at(x, list, i, start), false);
        if (!skip_broken(s, start, depth, ']'))
            return false;
        add_entry(x, list, (struct slice){ s->text.at + start, s->at - start }, true);
    }
}

static enum checked_list list_of(struct slice name)
{
    for (int list = LIST_IMAGES; list < LISTS; list++)
        if (scan_equals(name, list_name((enum checked_list)list)))
            return (enum checked_list)list;
    return LIST_NONE;
}

/* Indexes the value of a name at the top level. Returns false if reading ends in it. */
static bool index_section(struct indexer *x, struct slice name)
{
    struct annotation_file *file = x->file;
    struct scan *s = &x->scan;
    enum checked_list list = list_of(name);
    size_t start = s->at;
    unsigned depth = s->depth;
    struct slice value;

    if (list && file->has[list]) {
        file->twice[list] = name;
        list = LIST_NONE;
    }
    if (list)
        file->has[list] = true;
    if (list && scan_peek(s) == '[') {
        if (!index_list(x, list))
            return false;
    } else if (!scan_value(s, &value)) {
        report_broken(x, element_at(x, LIST_NONE, 0, start), false);
        if (!skip_broken(s, start, depth, '}'))
            return false;
    }
    if (list)
        file->sections[list] = (struct slice){ s->text.at + start, s->at - start };
    return true;
}

static bool index_root(struct indexer *x)
{
    struct scan *s = &x->scan;
    struct slice name, value;
    bool first = true;

    if (scan_peek(s) == '[' && file_is_results(x->file)) {
        x->file->has[LIST_ANNOTATIONS] = true;
        return index_list(x, LIST_ANNOTATIONS);
    }
    if (scan_peek(s) != '{')
        return scan_value(s, &value);
    scan_open(s, '{');
    while (scan_member(s, &first, &name))
        if (!index_section(x, name))
            return false;
    return !s->code;
}

void check_index(struct check *c, struct annotation_file *file)
{
    struct indexer x = { .check = c, .file = file };
    bool bom = file->text.length >= 3 && memcmp(file->text.at, "\xef\xbb\xbf", 3) == 0;

    x.scan = scan_start(file->text, bom ? 3 : 0);
    file->readable = index_root(&x) && scan_end(&x.scan);
    if (!file->readable)
        report_broken(&x, element_at(&x, LIST_NONE, 0, 0), true);
    file->images = x.images.at;
    file->n_images = x.images.n;
    file->annotations = x.annotations.at;
    file->n_annotations = x.annotations.n;
    file->categories = x.categories.at;
    file->n_categories = x.categories.n;
}
