/* mask_folders: images and label masks in parallel folders, without annotations; parts are folders
 * in both. */
#include "batch/layout/layout.h"

#include "batch/io/image_name.h"

#include <string.h>

/* True if all files in the folder and below it are PNG images, and there is one. */
static bool has_masks(const char *folder, struct arena *arena)
{
    const char *const *names = layout_list(folder, arena);
    bool has = false;

    for (size_t i = 0; names[i]; i++) {
        if (layout_has_folder(folder, names[i])) {
            if (!has_masks(arena_printf(arena, "%s/%s", folder, names[i]), arena))
                return false;
        } else if (name_format(names[i]) != PICTURE_PNG) {
            return false;
        }
        has = true;
    }
    return has;
}

static bool find(const char *path, struct arena *arena, struct found_layout *to,
                 struct faults *faults)
{
    static const char *const pairs[][2] = { { "images", "masks" },
                                            { "images", "labels" },
                                            { "images", "annotations" },
                                            { "JPEGImages", "SegmentationClass" } };

    (void)faults;
    for (size_t i = 0; i < COUNTOF(pairs); i++) {
        const char *masks = arena_printf(arena, "%s/%s", path, pairs[i][1]);

        if (!layout_has_folder(path, pairs[i][0]) || !layout_has_folder(path, pairs[i][1]) ||
            !has_masks(masks, arena))
            continue;
        layout_set_images(to, layout_add_part(to, arena, ""), arena, pairs[i][0]);
        to->masks = masks;
        return true;
    }
    return false;
}

const struct layout mask_folders_layout = {
    .name = "masks",
    .title = "Folders of masks",
    .summary = "images/x.jpg and masks/x.png, and no annotations",
    .find = find,
    .order = LAYOUT_LAST,
};
