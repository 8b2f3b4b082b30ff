/* omissions: what a format cannot hold, counted by kind. */
#include "../format.h"

#include <string.h>

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
