/* numbers: members of an annotation that are numbers, as exporters write them. */
#include "labels/coco/numbers.h"

#include "base/number.h"

#include <string.h>

const char *coco_number_member(struct slice name)
{
    /* COCO, results of models, labels of images, COCO-WholeBody. */
    static const char *const members[] = { "bbox",           "segmentation",  "area",
                                           "keypoints",      "score",         "weight",
                                           "foot_kpts",      "face_kpts",     "face_box",
                                           "lefthand_kpts",  "lefthand_box",  "lefthand_score",
                                           "righthand_kpts", "righthand_box", "righthand_score" };

    for (size_t i = 0; i < COUNTOF(members); i++)
        if (*name.at == *members[i] && scan_equals(name, members[i]))
            return members[i];
    return NULL;
}

static bool is_quoted_number(struct slice value)
{
    double number;

    return value.length > 2 && *value.at == '"' &&
           number_scan((struct slice){ value.at + 1, value.length - 2 }, &number) ==
               value.length - 2;
}

/* Consumes a value, and counts its numbers in quotes. False when it has something else. */
static bool count_quoted(struct scan *s, size_t *quoted)
{
    struct slice value;
    bool first = true;
    char c = scan_peek(s);

    if (c == '[') {
        scan_open(s, '[');
        while (scan_element(s, &first))
            if (!count_quoted(s, quoted))
                return false;
        return !s->code;
    }
    if (!scan_value(s, &value))
        return false;
    if (c == '"') {
        ++*quoted;
        return is_quoted_number(value);
    }
    return c == '-' || (c >= '0' && c <= '9');
}

bool numbers_are_quoted(struct slice value)
{
    struct scan s = scan_start(value, 0);
    size_t quoted = 0;

    return count_quoted(&s, &quoted) && quoted;
}

struct slice numbers_unquote(struct slice value, struct arena *arena)
{
    struct slice plain = { 0 };
    char *to;

    if (!value.at || !memchr(value.at, '"', value.length) || !numbers_are_quoted(value))
        return value;
    plain.at = to = arena_take(arena, value.length);
    for (size_t i = 0; i < value.length; i++)
        if (value.at[i] != '"')
            *to++ = value.at[i];
    plain.length = (size_t)(to - plain.at);
    return plain;
}

unsigned coco_whole_look(const struct place *p, const struct pick *pick)
{
    static const enum deviation kinds[] = { DEVIATION_STRING_NUMBER, DEVIATION_FLOAT_NUMBER };
    unsigned set = 0;
    int64_t number;

    if (!pick->value.at || !whole_read(pick->value, &number, &set))
        return 0;
    for (size_t i = 0; set && i < COUNTOF(kinds); i++)
        if (set & 1U << kinds[i])
            deviation_note_member(p, kinds[i], pick->value, pick->name);
    return set;
}

bool coco_whole_repair(struct slice value, struct text *text)
{
    unsigned set = 0;
    int64_t number;

    if (!whole_read(value, &number, &set) || !set)
        return false;
    text_add_integer(text, number);
    return true;
}
