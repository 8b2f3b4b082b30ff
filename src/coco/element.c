/* element: what all lists of COCO's JSON files share. */
#include "element.h"

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

bool coco_print_id(const struct output *out, struct slice source, struct text *text)
{
    int64_t id = 0;

    if (out->of <= 1)
        return false;
    number_scan_integer(source, &id);
    text_addf(text, "%lld", (long long)(id * out->of + out->k));
    return true;
}
