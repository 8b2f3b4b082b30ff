/* class_part_folders: class folders, as torchvision's ImageFolder reads them: PART/CLASS/image, or
 * CLASS/image. */
#include "batch/layout/layout.h"

#include "batch/io/image_name.h"

#include <string.h>

/* True if the word is a usual name for a folder of images or labels, and so not a class. */
static bool is_kind(const char *word)
{
    return layout_has_word(layout_image_words, word) || layout_has_word(layout_mask_words, word) ||
           strcmp(word, "Annotations") == 0 || strcmp(word, "ImageSets") == 0;
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

/* Returns the length of the name of a file of labels of one image, without its suffix; 0: it has
 * another suffix. */
static size_t label_stem(const char *name)
{
    static const char *const suffixes[] = { ".txt", ".xml", ".json" };
    const char *suffix = strrchr(name, '.');

    for (size_t i = 0; suffix && i < COUNTOF(suffixes); i++)
        if (strcmp(suffix, suffixes[i]) == 0)
            return (size_t)(suffix - name);
    return 0;
}

/* True if the folder has labels: a file of labels is beside its image there or in a folder below,
 * or no image is there. */
static bool has_labels(const char *folder, bool below, struct arena *arena)
{
    const char *const *names = layout_list(folder, arena);
    const char *label = NULL, *image = NULL;

    for (size_t i = 0; names[i]; i++) {
        bool is_image = name_is_image(names[i]);
        size_t stem = is_image ? name_stem(names[i]) : label_stem(names[i]);
        const char *other = is_image ? label : image;

        if (!stem)
            continue;
        if (other && strncmp(other, names[i], stem + 1) == 0)
            return true;
        if (is_image)
            image = names[i];
        else
            label = names[i];
    }
    for (size_t i = 0; names[i]; i++)
        if (layout_has_subfolder(folder, names[i]) &&
            has_labels(arena_printf(arena, "%s/%s", folder, names[i]), true, arena))
            return true;
    return label && !image && !below;
}

/* True if the folders in this one are classes: one has images, and none is known as another kind
 * or has labels. */
static bool has_classes(const char *folder, struct arena *arena)
{
    const char *const *names = layout_list(folder, arena);
    bool has = false;

    for (size_t i = 0; names[i]; i++)
        if (layout_has_folder(folder, names[i])) {
            const char *inner = arena_printf(arena, "%s/%s", folder, names[i]);

            if (is_kind(names[i]) || has_labels(inner, false, arena))
                return false;
            has = has || has_images(inner, arena);
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
        n_parts += layout_is_part_name(names[i]);
        if (layout_is_part_name(names[i]) &&
            has_classes(arena_printf(arena, "%s/%s", path, names[i]), arena))
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
    .order = LAYOUT_LAST,
};
