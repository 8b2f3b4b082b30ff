/* member_text: members of annotations that steps have put texts into. */
#include "labels/coco/member_text.h"

#include "json/members.h"

#include <string.h>

static const char *put_into(const struct object *o, struct slice name)
{
    for (const struct put_text *t = o->texts; t; t = t->before)
        if (scan_equals(name, t->key))
            return t->text;
    return NULL;
}

bool coco_text_is_put(const struct object *o, struct slice name)
{
    return put_into(o, name) != NULL;
}

bool coco_text_print(const struct object *o, struct slice name, struct text *text)
{
    const char *put = put_into(o, name);

    if (put)
        text_add_json(text, put, strlen(put));
    return put != NULL;
}

static bool is_left_out(const char *key, const struct rules *rules)
{
    for (size_t i = 0; i < rules->drop_keys.n; i++)
        if (strcmp(rules->drop_keys.at[i].name, key) == 0)
            return true;
    return false;
}

void coco_texts_add(const struct object *o, struct slice element, const struct rules *rules,
                    struct text *text)
{
    for (const struct put_text *t = o->texts; t; t = t->before) {
        if (object_text_put(o, t->key) != t->text || is_left_out(t->key, rules) ||
            (element.at && pick_again(element, t->key).at != element.at))
            continue;
        text_adds(text, ", ");
        text_add_json(text, t->key, strlen(t->key));
        text_adds(text, ": ");
        text_add_json(text, t->text, strlen(t->text));
    }
}
