/* detect: reads the start of an annotation file, to identify its format. */
#include "labels/format.h"

/* Returns the first element of a list; nothing if it is not a list or is empty. */
static void glance_list(struct scan *s, struct glance *g)
{
    bool first = true;

    if (scan_peek(s) == '[' && scan_open(s, '[') && scan_element(s, &first))
        scan_value(s, &g->element);
}

struct glance glance_at(struct slice text)
{
    struct scan s = scan_start(text, 0);
    struct glance g = { .root = scan_peek(&s) };
    struct slice name, value;
    bool first = true;

    if (g.root == '[') {
        glance_list(&s, &g);
    } else if (g.root == '{' && scan_open(&s, '{')) {
        while (scan_member(&s, &first, &name) && !scan_equals(name, "annotations"))
            scan_value(&s, &value);
        if (!s.code)
            glance_list(&s, &g);
    }
    if (s.code)
        g.element = (struct slice){ 0 };
    return g;
}

bool glance_has_key(const struct glance *g, const char *key)
{
    return g->element.at && *g->element.at == '{' &&
           pick_again(g->element, key).at != g->element.at;
}
