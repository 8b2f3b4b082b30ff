/* labelme_folders: the folders train, val and so on, each with images and LabelMe's JSON files
 * beside them; or one folder of both. */
#include "batch/layout/layout.h"

#include "batch/io/image_name.h"
#include "steps/registry.h"

#include <string.h>

#define FORMAT "labelme"

static bool is_labelme(const char *folder, const char *name)
{
    enum { HEAD_BYTES = 1 << 16 };
    char head[HEAD_BYTES];
    size_t n = layout_read_head(folder, name, head, sizeof head);
    bool is = false;

    for (EACH(format, format, registry_formats))
        if (n && strcmp(format->name, FORMAT) == 0)
            is = format->is_file((struct slice){ head, n });
    return is;
}

/* True if the folder, or one below it, has a file of LabelMe and images. Only the first few JSON
 * files of a folder are read. */
static bool has_files(const char *folder, struct arena *arena)
{
    enum { MAX_READ = 4 };
    const char *const *names = layout_list(folder, arena);
    bool images = false, labels = false;
    int read = 0;

    for (size_t i = 0; names[i]; i++) {
        size_t length = strlen(names[i]);

        images = images || name_is_image(names[i]);
        if (!labels && length > 5 && strcmp(names[i] + length - 5, ".json") == 0 &&
            read++ < MAX_READ)
            labels = is_labelme(folder, names[i]);
    }
    if (images && labels)
        return true;
    for (size_t i = 0; names[i]; i++)
        if (layout_has_subfolder(folder, names[i]) &&
            has_files(arena_printf(arena, "%s/%s", folder, names[i]), arena))
            return true;
    return false;
}

/* True if a folder with such files has a usual name of a part. Then all such folders are parts. */
static bool has_part(const char *path, const char *const *names, struct arena *arena)
{
    for (; *names; names++)
        if (layout_is_part_name(*names) &&
            has_files(arena_printf(arena, "%s/%s", path, *names), arena))
            return true;
    return false;
}

static void add_part(struct found_layout *to, struct arena *arena, const char *name,
                     const char *folder)
{
    struct layout_part *part = layout_add_part(to, arena, name);

    layout_set_images(to, part, arena, folder);
    part->annotations = part->images[0];
}

/* Readers take each JSON file in the folder of images for one of LabelMe, and OUT has others. */
static void place(struct arena *arena, struct layout_part *part)
{
    (void)arena;
    part->below = *part->name ? part->name : "images";
    part->file = NULL;
}

static bool find(const char *path, struct arena *arena, struct found_layout *to,
                 struct faults *faults)
{
    const char *const *names = layout_list(path, arena);

    (void)faults;
    if (has_part(path, names, arena))
        for (size_t i = 0; names[i]; i++)
            if (has_files(arena_printf(arena, "%s/%s", path, names[i]), arena))
                add_part(to, arena, names[i], names[i]);
    if (!to->n && has_files(arena_printf(arena, "%s/images", path), arena))
        add_part(to, arena, "", "images");
    else if (!to->n && has_files(path, arena)) {
        add_part(to, arena, "", "");
        place(arena, to->parts);
    }
    return to->n;
}

static const char *const targets[] = { "labelme", NULL };

const struct layout labelme_folders_layout = {
    .name = "labelme",
    .title = "LabelMe",
    .summary = "train/x.jpg and train/x.json, and so on, or one folder of both",
    .find = find,
    .format = FORMAT,
    .targets = targets,
    .place = place,
    .order = LAYOUT_LATE,
};
