/* annotation_element: shared by all lists of COCO's JSON files. */
#include "labels/coco/annotation_element.h"

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

bool coco_check_element_size(const struct place *p, struct slice element)
{
    if (element.length <= LONGEST_ELEMENT && p->index < UINT32_MAX)
        return true;
    element.length = 1;
    return place_fault(p, element, NULL, "coco-long",
                       "an element may have at most 64 MiB, and a list at most 2^32 - 1 elements");
}

static bool is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* Skips white space outside strings. */
static size_t skip_space(struct slice text, size_t at)
{
    while (at < text.length && is_space(text.at[at]))
        at++;
    return at;
}

bool coco_elements_are_equal(struct slice a, struct slice b)
{
    bool quoted = false;
    size_t i = 0, k = 0;

    for (;; i++, k++) {
        if (!quoted) {
            i = skip_space(a, i);
            k = skip_space(b, k);
        }
        if (i == a.length || k == b.length)
            return i == a.length && k == b.length;
        if (a.at[i] != b.at[k])
            return false;
        if (quoted && a.at[i] == '\\') { /* the quote after it is part of the string */
            i++;
            k++;
            if (i == a.length || k == b.length || a.at[i] != b.at[k])
                return false;
        } else if (a.at[i] == '"') {
            quoted = !quoted;
        }
    }
}

/* An annotation's id refers to nothing else, so that `check --fix` may give it another. */
static void report_twice(const struct coco_list *list, const struct place *p, struct slice id,
                         const struct id *first)
{
    struct text fix = { 0 };

    place_fault(p, id, "id", "coco-id-twice", "%s[%lu] has the id %s already", list->name,
                (unsigned long)first->index, id_words(id, &list->faults->arena));
    if (strcmp(list->name, "annotations") == 0) {
        text_addf(&fix, "; \"lockstep check --fix -o FIXED %s\" writes a file with new ids",
                  list->faults->name);
        fault_append(list->faults, text_string(&fix));
        text_drop(&fix);
    }
}

void coco_ids_check(const struct coco_list *list, struct id *ids, size_t n, struct pile *repeated)
{
    size_t first = 0;

    ids_sort(ids, n);
    for (size_t i = 1; i < n; i++) {
        struct place p = coco_place(list->faults, list->name, ids[i].index);
        struct slice element;

        if (ids[i].id != ids[first].id) {
            first = i;
            continue;
        }
        if (ids[i].id == COCO_NO_ID)
            continue;
        element = list->stretch_of(list->context, ids[i].index);
        if (coco_elements_are_equal(element, list->stretch_of(list->context, ids[first].index))) {
            deviation_note_member(&p, DEVIATION_REPEATED, pick_again(element, "id"), "id");
            *(uint32_t *)pile_add(repeated, sizeof(uint32_t)) = ids[i].index;
        } else {
            report_twice(list, &p, pick_again(element, "id"), &ids[first]);
        }
    }
}

static void note_id(const struct place *p, const struct pick *pick, unsigned found)
{
    static const enum deviation of_ids[] = { DEVIATION_STRING_ID, DEVIATION_FLOAT_ID,
                                             DEVIATION_TEXT_ID, DEVIATION_ZERO_ID };
    bool refers =
        strcmp(pick->name, "id") != 0; /* a reference is noted at the element it refers to */

    for (size_t i = 0; found && i < COUNTOF(of_ids) - 2 * refers; i++)
        if (found & 1U << of_ids[i])
            deviation_note_member(p, of_ids[i], pick->value, pick->name);
}

bool coco_pick_id(const struct place *p, const struct pick *pick, int64_t *to, unsigned *set)
{
    unsigned found = 0;

    if (!pick->value.at)
        return true;
    if (!id_read(pick->value, to, &found))
        return place_fault(p, pick->value, pick->name, p->code_type,
                           "expected an integer within 2^53");
    note_id(p, pick, found);
    *set |= found;
    return true;
}

bool coco_pick_kind_id(const struct place *p, const struct pick *pick, enum id_kind *kind,
                       int64_t *to, unsigned *set)
{
    static const char *const expected[] = {
        [ID_KIND_OPEN] = "expected an integer within 2^53, or a nonempty string",
        [ID_KIND_NUMBER] = "expected an integer within 2^53, like the earlier ids",
        [ID_KIND_TEXT] = "expected a nonempty string, like the earlier ids",
    };
    unsigned found = 0;

    if (!pick->value.at)
        return true;
    if (!id_read_kind(pick->value, kind, to, &found))
        return place_fault(p, pick->value, pick->name, p->code_type, "%s", expected[*kind]);
    note_id(p, pick, found);
    *set |= found;
    return true;
}

bool coco_settle_id(const struct place *p, struct slice element, const char *member,
                    const enum id_kind *kind, int64_t *id)
{
    struct pick pick = { .name = member };
    unsigned found = 0;

    if (*kind == ID_KIND_TEXT || !id_is_text(*id))
        return false;
    pick.value = pick_again(element, member);
    if (!id_read(pick.value, id, &found))
        return false;
    note_id(p, &pick, found);
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

bool coco_print_id(const struct output *out, struct slice source, struct text *text)
{
    unsigned set = 0;
    int64_t id = 0;

    if (!id_read(source, &id, &set) || (out->of <= 1 && !(set & DEVIATIONS_REPAIRED)))
        return false;
    text_add_integer(text, out->of <= 1 ? id : id * out->of + out->k);
    return true;
}

bool coco_print_image_id(const struct output *out, int64_t id, struct slice source,
                         struct text *text)
{
    if (out->renumbered) {
        text_add_integer(text, out->image_id);
        return true;
    }
    if (!id_is_text(id))
        return coco_print_id(out, source, text);
    if (out->of > 1)
        text_add_integer(text, out->image_id);
    return out->of > 1;
}

bool coco_print_shared_id(struct slice source, struct text *text)
{
    return coco_print_id(&(struct output){ .of = 1 }, source, text);
}
