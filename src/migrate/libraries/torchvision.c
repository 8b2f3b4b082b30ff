/* torchvision: reads the output of print() for a Compose of transforms, v1 or v2. */
#include "migrate/import.h"
#include "migrate/python.h"

#include <string.h>

static bool detect(struct slice text)
{
    return python_call_begins(text) != NULL;
}

static bool read(struct import_job *m)
{
    static const char *const always[] = { "Compose", "Sequential", "ModuleList" };
    const struct value *root = python_read(m->faults, m->arena), *type, *steps;
    struct value *list;

    if (!root)
        return false;
    m->origin = "torchvision";
    type = root->kind == VALUE_OBJECT ? value_get(root, "type") : NULL;
    steps = root->kind == VALUE_OBJECT ? value_get(root, "transforms") : NULL;
    for (size_t i = 0; type && steps && i < COUNTOF(always); i++)
        if (strcmp(type->text, always[i]) == 0) {
            m->steps = steps;
            return true;
        }
    list = value_list(m->arena, 1);
    list->item[0] = *root;
    m->steps = list;
    return true;
}

const struct importer torchvision_importer = {
    .library = "torchvision",
    .origin = ORIGIN_TORCHVISION,
    .files = "the output of print() for a Compose, v1 and v2",
    .type_key = "type",
    .detect = detect,
    .read = read,
};
