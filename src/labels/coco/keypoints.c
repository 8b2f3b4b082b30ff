/* keypoints: checks the text of an annotation's "keypoints", before they are loaded. */
#include "labels/coco/keypoints.h"

/* Returns how many numbers a list has; 0 if it is not a list or has other elements. */
static size_t count_numbers(struct slice list)
{
    struct scan s = scan_start(list, 0);
    bool first = true;
    double number;
    size_t n = 0;

    if (*list.at != '[' || !scan_open(&s, '['))
        return 0;
    while (scan_element(&s, &first)) {
        if (!scan_number(&s, &number))
            return 0;
        n++;
    }
    return n;
}

bool coco_keypoints_are_triples(struct slice value)
{
    struct scan s = scan_start(value, 0);
    struct slice child;
    bool first = true;
    size_t n = 0;

    if (*value.at != '[' || !scan_open(&s, '[') || scan_peek(&s) != '[')
        return false;
    while (scan_element(&s, &first) && scan_value(&s, &child)) {
        if (count_numbers(child) != 3)
            return false;
        n++;
    }
    return n > 0;
}

unsigned coco_keypoints_look(const struct place *p, const struct pick *pick, struct slice plain)
{
    if (!plain.at || !coco_keypoints_are_triples(plain))
        return 0;
    deviation_note_member(p, DEVIATION_TRIPLE_KEYPOINTS, pick->value, pick->name);
    return DEVIATION(TRIPLE_KEYPOINTS);
}

bool coco_keypoints_are_annotated(struct slice value)
{
    bool other_than_zero = false;
    size_t commas = 0;

    for (size_t i = 0; i < value.length; i++) {
        commas += value.at[i] == ',';
        other_than_zero |= value.at[i] >= '1' && value.at[i] <= '9';
        if (other_than_zero && commas > 2)
            return true;
    }
    return false;
}

void coco_keypoints_find(struct slice element, size_t n, struct text *text)
{
    struct scan s = scan_start(element, 0);
    struct slice name, value;
    bool first = true;

    if (!element.length || !scan_open(&s, '{'))
        return;
    while (scan_member(&s, &first, &name) && scan_value(&s, &value)) {
        if (count_numbers(value) != 3 * n)
            continue;
        text_adds(text, "; its \"");
        text_add_visible(text, name.at, name.length);
        text_adds(text, "\" fits");
        return;
    }
}

void coco_keypoints_repair(struct slice value, struct text *out)
{
    struct scan s = scan_start(value, 0);
    struct slice triple;
    bool first = true;
    size_t n = 0;

    text_addc(out, '[');
    scan_open(&s, '[');
    while (scan_element(&s, &first) && scan_value(&s, &triple)) {
        text_adds(out, n++ ? ", " : "");
        text_add(out, triple.at + 1, triple.length - 2);
    }
    text_addc(out, ']');
}
