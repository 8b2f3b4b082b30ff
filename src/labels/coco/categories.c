/* categories: lookups in categories that were read, and the repaired list. */
#include "labels/coco/category.h"

#include "json/members.h"
#include "json/scan.h"
#include "labels/coco/annotation_element.h"
#include "labels/shared/class_list.h"

#include <stdlib.h>
#include <string.h>

const struct category *categories_find(const struct categories *c, int64_t id)
{
    const struct id *found = ids_find_near(&c->by_id, id);

    return found ? &c->at[found->index] : NULL;
}

bool categories_lack(const struct categories *c, int64_t id)
{
    return c->sure && !categories_find(c, id) && (c->n_listed || id != 0);
}

void categories_set_annotated(const struct categories *c, int64_t id)
{
    const struct id *found = ids_find_near(&c->by_id, id);

    if (found)
        c->at[found->index].annotated = true;
}

/* An element of the list, and its id if that can be read. */
struct list_element {
    struct slice text;
    struct id id;
    bool repeated; /* it repeats an earlier one */
};

/* Marks elements that repeat an earlier one. */
static void mark_repeated(struct list_element *list, size_t n)
{
    struct id *ids = memory_take((n + 1) * sizeof *ids);

    for (size_t i = 0; i < n; i++)
        ids[i] = list[i].id;
    ids_sort(ids, n);
    for (size_t i = 1, first = 0; i < n; i++)
        if (ids[i].id != ids[first].id)
            first = i;
        else
            list[ids[i].index].repeated =
                coco_elements_are_equal(list[ids[i].index].text, list[ids[first].index].text);
    free(ids);
}

static void list_elements(struct slice text, struct pile *list)
{
    struct scan s = scan_start(text, 0);
    struct slice element;
    bool first = true;

    scan_open(&s, '[');
    while (scan_element(&s, &first) && scan_value(&s, &element)) {
        struct list_element *listed = pile_add(list, sizeof *listed);
        unsigned set = 0;

        listed->text = element;
        listed->id = (struct id){ COCO_NO_ID, (uint32_t)list->n - 1 };
        id_read(pick_again(element, "id"), &listed->id.id, &set);
    }
}

void categories_repair(struct slice text, struct text *out)
{
    const char *done = text.at, *past = text.at; /* the end of the element before */
    struct pile elements = { 0 };
    const struct list_element *list;

    list_elements(text, &elements);
    list = elements.at;
    if (elements.n)
        mark_repeated(elements.at, elements.n);
    for (size_t i = 0; i < elements.n; i++) {
        struct slice id = pick_again(list[i].text, "id");

        if (list[i].repeated) {
            text_add(out, done, (size_t)(past - done));
            done = list[i].text.at + list[i].text.length;
        } else {
            text_add(out, done, (size_t)(id.at - done));
            done = id.at + id.length;
            if (!coco_print_shared_id(id, out))
                text_add(out, id.at, id.length);
        }
        past = list[i].text.at + list[i].text.length;
    }
    text_add(out, done, (size_t)(text.at + text.length - done));
    free(elements.at);
}

void coco_mend_categories(struct document *document, size_t walk, struct arena *arena)
{
    struct text text = { 0 };

    for (size_t i = 0; i < document->n; i++) {
        struct section *section = &document->sections[i];

        if (section->walk != walk)
            continue;
        categories_repair(section->value, &text);
        section->value.at = arena_copy(arena, text.at, text.length);
        section->value.length = text.length;
    }
    text_drop(&text);
}

/* --- the list of --classes --- */

/* Returns the category of the file with this name, or CATEGORY_NEW. */
static uint32_t find_named(const struct class_list *own, const char *name)
{
    size_t found;

    return class_list_find(own, name, &found) ? (uint32_t)found : CATEGORY_NEW;
}

/* Returns the names of the file's categories as a list, to search in. */
static struct class_list list_names(const struct categories *c, struct arena *arena)
{
    const char **names = ARENA_ARRAY(arena, const char *, c->n);
    struct class_list list = { .name = names, .n = c->n };
    size_t twice;

    for (size_t i = 0; i < c->n; i++)
        names[i] = c->at[i].name;
    class_list_sort(&list, arena, &twice);
    return list;
}

/* The ids in the file that mean each category of the list. */
static void index_ids(struct categories *c, const struct categories *own, const size_t *class_of,
                      struct arena *arena)
{
    size_t n = own->n ? own->n : c->n;
    struct id *ids = ARENA_ARRAY(arena, struct id, n);

    for (size_t i = 0; i < n; i++)
        ids[i] = own->n ? (struct id){ own->at[i].id, (uint32_t)class_of[i] }
                        : (struct id){ c->at[i].id, (uint32_t)i };
    ids_sort(ids, n);
    ids_divide(&c->by_id, arena, ids, n);
}

void categories_pin(struct categories *c, const struct class_list *classes, struct arena *arena)
{
    const struct categories own = *c;
    const struct class_list names = list_names(&own, arena);
    uint32_t *listed = ARENA_ARRAY(arena, uint32_t, classes->n);
    size_t *class_of = ARENA_ARRAY(arena, size_t, own.n), class;
    int64_t next = 0;

    c->classes = classes;
    c->at = ARENA_ARRAY(arena, struct category, classes->n + own.n);
    c->n = classes->n;
    c->listed = listed;
    c->sure = own.sure || !own.text.at;
    for (size_t i = 0; i < own.n; i++)
        next = own.at[i].id > next ? own.at[i].id : next;
    for (size_t i = 0; i < classes->n; i++) {
        uint32_t same = find_named(&names, classes->name[i]);

        listed[i] = same == CATEGORY_NEW ? same : own.listed[same];
        c->at[i] = same == CATEGORY_NEW ? (struct category){ .id = 0 } : own.at[same];
        c->at[i].name = classes->name[i];
        if (classes->id)
            c->at[i].id = classes->id[i];
        else if (same == CATEGORY_NEW)
            c->at[i].id = ++next;
    }
    for (size_t i = 0, n = classes->n; i < own.n; i++) {
        bool found = class_list_find(classes, own.at[i].name, &class);

        class_of[i] = found ? class : n;
        if (!found)
            c->at[n++] = own.at[i];
        c->renumbered |= c->at[class_of[i]].id != own.at[i].id;
    }
    c->told = ARENA_ARRAY(arena, bool, classes->n + own.n);
    index_ids(c, &own, class_of, arena);
}

bool categories_pin_dataset(struct categories *c, struct dataset *d, struct faults *f,
                            bool *has_list)
{
    struct text text = { 0 };

    if (!d->classes)
        return true;
    if (!*has_list && !d->classes->id)
        return fault_add(f, 0, 0, "", "classes-value",
                         "this file does not name its categories, and %s has no ids for its "
                         "classes; give a COCO file with both",
                         d->classes->file);
    categories_pin(c, d->classes, d->arena);
    for (size_t i = 0; i < c->n; i++)
        text_addf(&text, "%lld %s\n", (long long)c->at[i].id, c->at[i].name);
    d->categories_text =
        (struct slice){ arena_copy(d->arena, text_string(&text), text.length), text.length };
    text_drop(&text);
    *has_list = true;
    return true;
}

void categories_check_listed(const struct categories *c, struct faults *f, int64_t id,
                             struct slice at, const char *path)
{
    const struct category *found = c->classes ? categories_find(c, id) : NULL;

    if (!found || (size_t)(found - c->at) < c->n || c->told[found - c->at])
        return;
    c->told[found - c->at] = true;
    class_list_fault(c->classes, f, at, path, found->name);
}

/* --- the list that is written --- */

static bool print_member(void *context, struct slice name, struct slice value, struct text *out)
{
    const struct category *c = context;
    int64_t id;
    unsigned set = 0;

    if (scan_equals(name, "name"))
        text_add_json(out, c->name, strlen(c->name));
    else if (!scan_equals(name, "id"))
        return false;
    else if (id_read(value, &id, &set) && id == c->id)
        return coco_print_shared_id(value, out);
    else
        text_add_integer(out, c->id);
    return true;
}

static void print_written(const struct dataset *d, const struct categories *c, struct text *out)
{
    struct pile elements = { 0 };
    const struct list_element *list;
    bool first = true;

    if (c->text.at)
        list_elements(c->text, &elements);
    list = elements.at;
    text_addc(out, '[');
    for (size_t i = 0; i < d->n_categories; i++) {
        const struct category *written = class_written(d, &d->categories[i]);

        if (!written)
            continue;
        text_adds(out, first ? "{" : ", {");
        first = false;
        if (c->listed[i] != CATEGORY_NEW) {
            pick_print(list[c->listed[i]].text, out, print_member, (void *)written);
        } else {
            text_adds(out, "\"id\": ");
            text_add_integer(out, written->id);
            text_adds(out, ", \"name\": ");
            text_add_json(out, written->name, strlen(written->name));
            text_adds(out, ", \"supercategory\": \"\"");
        }
        text_addc(out, '}');
    }
    text_addc(out, ']');
    free(elements.at);
}

struct document categories_in_document(const struct dataset *d, const struct categories *c,
                                       const struct document *from, size_t walk,
                                       struct arena *arena)
{
    struct document to = { ARENA_ARRAY(arena, struct section, from->n + 1), from->n };
    struct text text = { 0 };
    struct slice list;
    bool found = false;

    for (size_t i = 0; i < from->n; i++)
        to.sections[i] = from->sections[i];
    if (!d->written && !c->classes)
        return to;
    print_written(d, c, &text);
    list = (struct slice){ arena_copy(arena, text.at, text.length), text.length };
    text_drop(&text);
    for (size_t i = 0; i < to.n; i++)
        if (to.sections[i].walk == walk) {
            to.sections[i].value = list;
            found = true;
        }
    if (!found)
        to.sections[to.n++] = (struct section){ { "categories", 10 }, list, walk };
    return to;
}
