/* class_part_folders: class folders, as torchvision's ImageFolder reads them: PART/CLASS/image, or
 * CLASS/image. */
#include "batch/layout/layout.h"

#include "batch/io/image_name.h"

#include <string.h>

/* True if the word is a usual name for a folder of images or labels, and so not a class. */
static bool is_kind(const char *word)
{
    static const char *const words[] = { "images",     "labels",      "masks",
                                         "JPEGImages", "Annotations", "annotations",
                                         "ImageSets",  "annot",       "SegmentationClass" };

    for (size_t i = 0; i < COUNTOF(words); i++)
        if (strcmp(word, words[i]) == 0)
            return true;
    return false;
}

/* True if the name means a part: "train", "val2017". */
static bool is_part(const char *name)
{
    return layout_is_part(layout_common_name(name));
}

/* True if an image is in the folder or below it. */
static bool has_images(const char *folder, struct arena *arena)
{
    const char *const *names = layout_list(folder, arena);

    for (size_t i = 0; names[i]; i++)
        if (name_is_image(names[i]))
            return true;
    for (size_t i = 0; names[i]; i++)
        if (layout_has_folder(folder, names[i]) &&
            has_images(arena_printf(arena, "%s/%s", folder, names[i]), arena))
            return true;
    return false;
}

/* True if the folders in this one are classes: one has images, and none is known as another kind.
 */
static bool has_classes(const char *folder, struct arena *arena)
{
    const char *const *names = layout_list(folder, arena);
    bool has = false;

    for (size_t i = 0; names[i]; i++)
        if (layout_has_folder(folder, names[i])) {
            if (is_kind(names[i]))
                return false;
            has = has || has_images(arena_printf(arena, "%s/%s", folder, names[i]), arena);
        }
    return has;
}

static void add_part(struct found_layout *to, struct arena *arena, const char *name)
{
    layout_set_images(to, layout_add_part(to, arena, name), arena, name);
}

static bool find(const char *path, struct arena *arena, struct found_layout *to,
                 struct faults *faults)
{
    const char *const *names = layout_list(path, arena);
    size_t n = 0, n_parts = 0;

    (void)faults;
    for (size_t i = 0; names[i]; i++) {
        if (!layout_has_folder(path, names[i]))
            continue;
        n++;
        n_parts += is_part(names[i]);
        if (is_part(names[i]) && has_classes(arena_printf(arena, "%s/%s", path, names[i]), arena))
            add_part(to, arena, names[i]);
    }
    if (!n_parts && has_classes(path, arena))
        add_part(to, arena, "");
    return to->n && (!n_parts || to->n == n);
}

static void place(struct arena *arena, struct layout_part *part)
{
    (void)arena;
    part->name = *part->name ? part->name : "train";
    part->below = part->name;
    part->file = NULL;
}

static const char *const targets[] = { "folders", NULL };

const struct layout class_part_folders_layout = {
    .name = "folders",
    .title = "Class folders",
    .summary = "train/CLASS/image, and so on, or CLASS/image",
    .find = find,
    .targets = targets,
    .place = place,
    .labels_are_folders = true,
    .empty_parts = true,
    .order = LAYOUT_LAST,
};
