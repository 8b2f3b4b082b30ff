/* text_id: ids of elements that are strings. */
#include "json/text_id.h"

#include "base/id_index.h"
#include "json/members.h"

#include <string.h>

bool text_id_read(struct slice raw, int64_t *id)
{
    struct slice inside = { raw.at + 1, raw.length - 2 };
    struct arena scratch = { 0 };

    if (*raw.at != '"' || !inside.length)
        return false;
    if (memchr(inside.at, '\\', inside.length))
        inside = scan_unescape(&scratch, inside);
    *id = id_of_text(inside.at, inside.length);
    arena_drop(&scratch);
    return true;
}

int64_t text_id_of(struct slice element, const char *member)
{
    struct slice raw = pick_again(element, member);
    struct scan s = scan_again(raw, 0);
    int64_t id = 0;

    if (raw.at != element.at && !text_id_read(raw, &id))
        scan_integer(&s, &id);
    return id;
}

void text_id_print(int64_t id, struct slice element, const char *member, struct text *out)
{
    struct slice raw;

    if (!id_is_text(id)) {
        text_add_integer(out, id);
        return;
    }
    raw = pick_again(element, member);
    text_add(out, raw.at, raw.length);
}
