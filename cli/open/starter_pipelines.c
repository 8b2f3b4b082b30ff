/* starter_pipelines: the table of built-in pipelines, from build/pipelines.inc, which the Makefile
 * writes from pipelines/. */
#include "open/starter_pipelines.h"

#include <string.h>

#define PIPELINE(name, text) { name, text },
const struct starter starters[] = {
#include "pipelines.inc"
    { NULL, NULL },
};

const struct starter *starter_get(const char *name)
{
    for (const struct starter *s = starters; s->name; s++)
        if (strcmp(s->name, name) == 0)
            return s;
    return NULL;
}
