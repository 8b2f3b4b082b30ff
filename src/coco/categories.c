/* categories: what is asked of categories that were read, and their list written back. */
#include "category.h"

#include "../json/pick.h"
#include "../json/scan.h"
#include "dialect.h"

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

void categories_repair(struct slice text, struct text *out)
{
    struct scan s = scan_start(text, 0);
    const char *done = text.at;
    struct slice element;
    bool first = true;

    scan_open(&s, '[');
    while (scan_element(&s, &first) && scan_value(&s, &element)) {
        struct slice id = pick_again(element, "id");
        unsigned set = 0;
        int64_t number;

        if (!id_read(id, &number, &set) || !(set & DEVIATIONS_REPAIRED))
            continue;
        text_add(out, done, (size_t)(id.at - done));
        text_addf(out, "%lld", (long long)number);
        done = id.at + id.length;
    }
    text_add(out, done, (size_t)(text.at + text.length - done));
}
