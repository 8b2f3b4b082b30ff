/* element: what all lists of COCO's JSON files share. */
#include "element.h"

#include <string.h>

enum { LONGEST_ELEMENT = 64 << 20 };

struct place coco_place(struct faults *f, const char *list, size_t index)
{
    return (struct place){ .faults = f,
                           .list = list,
                           .index = index,
                           .code_missing = "coco-missing-key",
                           .code_type = "coco-type" };
}

bool coco_element_fits(const struct place *p, struct slice element)
{
    if (element.length <= LONGEST_ELEMENT && p->index < UINT32_MAX)
        return true;
    element.length = 1;
    return place_fault(p, element, NULL, "coco-long",
                       "an element has at most 64 MiB, a list 2^32 - 1 of them");
}

void coco_ids_check(struct faults *f, const char *list, struct id *ids, size_t n,
                    struct slice (*stretch_of)(const void *context, size_t index),
                    const void *context)
{
    size_t first = 0;

    ids_sort(ids, n);
    for (size_t i = 1; i < n; i++) {
        struct place p = coco_place(f, list, ids[i].index);

        if (ids[i].id != ids[first].id)
            first = i;
        else if (ids[i].id != COCO_NO_ID)
            place_fault(&p, pick_again(stretch_of(context, p.index), "id"), "id", "coco-id-twice",
                        "%s[%lu] has the id %lld already", list, (unsigned long)ids[first].index,
                        (long long)ids[i].id);
    }
}

bool coco_pick_id(const struct place *p, const struct pick *pick, int64_t *to, unsigned *set)
{
    static const enum deviation of_ids[] = { DEVIATION_STRING_ID, DEVIATION_FLOAT_ID,
                                             DEVIATION_ZERO_ID };
    bool refers = strcmp(pick->name, "id") != 0; /* what it refers to is noted where that is */
    unsigned found = 0;

    if (!pick->value.at)
        return true;
    if (!id_read(pick->value, to, &found))
        return place_fault(p, pick->value, pick->name, p->code_type,
                           "an integer within 2^53 was expected");
    for (size_t i = 0; i < COUNTOF(of_ids) - refers; i++)
        if (found & 1U << of_ids[i])
            deviation_note_member(p, of_ids[i], pick->value, pick->name);
    *set |= found;
    return true;
}

int64_t coco_larger_id(int64_t largest, int64_t id)
{
    int64_t size;

    if (id == COCO_NO_ID)
        return largest;
    size = id < 0 ? -id : id;
    return size > largest ? size : largest;
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

bool coco_print_id(const struct output *out, struct slice source, struct text *text)
{
    unsigned set = 0;
    int64_t id = 0;

    if (!id_read(source, &id, &set) || (out->of <= 1 && !(set & DEVIATIONS_REPAIRED)))
        return false;
    text_add_integer(text, out->of <= 1 ? id : id * out->of + out->k);
    return true;
}

bool coco_print_shared_id(struct slice source, struct text *text)
{
    return coco_print_id(&(struct output){ .of = 1 }, source, text);
}
