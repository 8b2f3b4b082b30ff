/* roboflow_folders: the folders train, valid and test, each with images and _annotations.coco.json.
 */
#include "batch/layout/layout.h"

#include <string.h>

#define FILE_NAME "_annotations.coco.json"

static bool find(const char *path, struct arena *arena, struct found_layout *to,
                 struct faults *faults)
{
    const char *const *name = layout_list(path, arena);

    (void)faults;
    for (; *name; name++)
        if (layout_has_file(arena_printf(arena, "%s/%s", path, *name), FILE_NAME)) {
            struct layout_part *part = layout_add_part(to, arena, *name);

            layout_set_images(to, part, arena, *name);
            part->annotations = arena_printf(arena, "%s/%s/" FILE_NAME, path, *name);
            part->file = arena_printf(arena, "%s/" FILE_NAME, *name);
        }
    return to->n;
}

/* Readers look for the folder "valid". */
static void place(struct arena *arena, struct layout_part *part)
{
    const char *name = *part->name ? layout_common_name(part->name) : "train";

    part->name = strcmp(name, "val") == 0 ? "valid" : name;
    part->below = part->name;
    part->file = arena_printf(arena, "%s/" FILE_NAME, part->name);
}

static const char *const targets[] = { "roboflow", NULL };

const struct layout roboflow_folders_layout = {
    .name = "roboflow",
    .title = "Roboflow COCO",
    .summary = "train/_annotations.coco.json beside the images of train, and so on",
    .find = find,
    .targets = targets,
    .place = place,
    .empty_parts = true,
    .divided = true,
};
