/* format: a glance at an annotation file, to tell which format it is; what a format cannot hold. */
#include "format.h"

#include <string.h>

/* From before a list: its first element, unless it is no list or has none. */
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
        while (scan_member(&s, &first, &name) && !scan_is(name, "annotations"))
            scan_value(&s, &value);
        if (!s.code)
            glance_list(&s, &g);
    }
    if (s.code)
        g.element = (struct slice){ 0 };
    return g;
}

bool glance_has(const struct glance *g, const char *key)
{
    return g->element.at && *g->element.at == '{' &&
           pick_again(g->element, key).at != g->element.at;
}

void omissions_add(struct omissions *l, const char *what)
{
    size_t i = 0;

    while (i < l->n && strcmp(l->at[i].what, what) != 0)
        i++;
    if (i == COUNTOF(l->at))
        i--;
    else if (i == l->n)
        l->at[l->n++] = (struct omission){ arena_copy(&l->arena, what, strlen(what)), 0 };
    l->at[i].n++;
}
