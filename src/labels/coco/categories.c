/* categories: lookups in categories that were read, and the repaired list. */
#include "labels/coco/category.h"

#include "json/members.h"
#include "json/scan.h"
#include "labels/coco/annotation_element.h"

#include <stdlib.h>

const struct category *categories_find(const struct categories *c, int64_t id)
{
    const struct id *found = ids_find_near(&c->by_id, id);

    return found ? &c->at[found->index] : NULL;
}

bool categories_lack(const struct categories *c, int64_t id)
{
    return c->sure && !categories_find(c, id) && (c->n || id != 0);
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
