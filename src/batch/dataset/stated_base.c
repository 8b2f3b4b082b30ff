/* stated_base: the base of coordinates in Pascal VOC files of an earlier run. */
#include "batch/dataset/stated_base.h"

#include "json/value.h"
#include "batch/io/mapped_file.h"

#include <string.h>
#include <unistd.h>

enum voc_base stated_base_find(const char *folder, struct arena *arena)
{
    const char *path = arena_printf(arena, "%s/../run.json", folder);
    struct faults faults = { .name = path };
    const struct value *root = NULL, *key = NULL, *stated = NULL;
    struct text why = { 0 };

    if (access(path, R_OK) == 0 && mapped_open(path, &faults.text, &why))
        root = value_parse(&faults, arena);
    if (root && root->kind == VALUE_OBJECT && value_get(root, "pipeline"))
        key = value_get(root, "key");
    if (key && key->kind == VALUE_OBJECT)
        stated = value_get(key, "voc_base");
    faults_drop(&faults);
    text_drop(&why);
    if (!key || key->kind != VALUE_OBJECT)
        return VOC_BASE_UNKNOWN;
    return stated && stated->kind == VALUE_TEXT && strcmp(stated->text, "0") == 0 ? VOC_BASE_0
                                                                                  : VOC_BASE_1;
}
