/* extra_members: members of annotations that are not part of COCO. */
#include "steps/op_shared/extra_members.h"

#include "json/members.h"

#include <string.h>

#define LARGEST 1e30

struct slice object_member(const struct object *o, const char *name)
{
    struct slice value = o->source.at ? pick_again(o->source, name) : o->source;

    if (value.at == o->source.at || *value.at == 'n')
        return (struct slice){ 0 };
    return value;
}

const char *object_text(const struct object *o, const char *name, struct arena *arena)
{
    const char *put = object_text_put(o, name);
    struct slice value = object_member(o, name), text;

    if (put || !value.at || *value.at != '"')
        return put;
    text = scan_unescape(arena, (struct slice){ value.at + 1, value.length - 2 });
    return strlen(text.at) == text.length ? text.at : NULL;
}

bool member_is_own(const char *name)
{
    static const char *const own[] = { "id",      "image_id",     "category_id",
                                       "bbox",    "segmentation", "area",
                                       "iscrowd", "keypoints",    "num_keypoints" };

    for (size_t i = 0; i < COUNTOF(own); i++)
        if (strcmp(name, own[i]) == 0)
            return true;
    return false;
}

static size_t count(struct slice list)
{
    size_t n = 1;

    for (size_t i = 0; i < list.length; i++)
        n += list.at[i] == ',';
    return n;
}

bool member_numbers(struct slice value, struct arena *arena, double **at, size_t *n)
{
    struct scan s = scan_start(value, 0);
    bool first = true;

    *n = 0;
    *at = NULL;
    if (!value.at || scan_peek(&s) != '[')
        return false;
    *at = ARENA_ARRAY(arena, double, count(value));
    scan_open(&s, '[');
    while (scan_element(&s, &first)) {
        bool first_of_row = true;

        if (scan_peek(&s) != '[') {
            scan_number(&s, &(*at)[(*n)++]);
            continue;
        }
        scan_open(&s, '[');
        while (scan_element(&s, &first_of_row))
            scan_number(&s, &(*at)[(*n)++]);
    }
    for (size_t i = 0; i < *n && !s.code; i++)
        if (!((*at)[i] >= -LARGEST && (*at)[i] <= LARGEST))
            return false;
    return !s.code;
}

bool object_refuse(const struct object *o, struct text *why)
{
    struct text said = { 0 };

    text_addf(&said, "object %zu of the image, from 1: %s", o->index + 1, text_string(why));
    text_clear(why);
    text_adds(why, text_string(&said));
    text_drop(&said);
    return false;
}
