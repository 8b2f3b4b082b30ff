/* hf_folders: Hugging Face's imagefolder: the folders train, validation and test, each with images
 * and metadata.jsonl. */
#include "batch/layout/layout.h"

#include <stdio.h>
#include <string.h>

#define FILE_NAME "metadata.jsonl"

/* Adds the part in a folder of the dataset; "" is the dataset itself. */
static struct layout_part *add_part(struct found_layout *to, struct arena *arena, const char *name,
                                    const char *folder)
{
    struct layout_part *part = layout_add_part(to, arena, name);

    layout_set_images(to, part, arena, folder);
    part->annotations = arena_printf(arena, "%s/" FILE_NAME, part->images[0]);
    part->file = arena_printf(arena, "%s/" FILE_NAME, part->below);
    return part;
}

/* Adds the parts below a folder: "" or "images". */
static void add_parts(struct found_layout *to, struct arena *arena, const char *above)
{
    const char *root = *above ? arena_printf(arena, "%s/%s", to->path, above) : to->path;
    const char *const *name = layout_list(root, arena);

    for (; *name; name++)
        if (layout_has_file(arena_printf(arena, "%s/%s", root, *name), FILE_NAME))
            add_part(to, arena, *name, *above ? arena_printf(arena, "%s/%s", above, *name) : *name);
}

/* True if README.md states the classes. */
static bool has_classes(const char *path)
{
    FILE *file = fopen(path, "re");
    char line[256];
    bool found = false;

    while (file && !found && fgets(line, sizeof line, file))
        found = strstr(line, "class_label:") != NULL;
    if (file)
        fclose(file);
    return found;
}

/* Readers know these words only; a part of another name disappears. */
static void place(struct arena *arena, struct layout_part *part)
{
    const char *name = *part->name ? layout_common_name(part->name) : "train";

    part->name = strcmp(name, "val") == 0 ? "validation" : name;
    part->below = part->name;
    part->labels = NULL;
    part->file = arena_printf(arena, "%s/" FILE_NAME, part->name);
}

static bool find(const char *path, struct arena *arena, struct found_layout *to,
                 struct faults *faults)
{
    (void)faults;
    if (layout_has_file(path, FILE_NAME))
        place(arena, add_part(to, arena, "", ""));
    else
        add_parts(to, arena, "");
    if (!to->n)
        add_parts(to, arena, "images");
    if (to->n && has_classes(arena_printf(arena, "%s/README.md", path)))
        to->classes = arena_printf(arena, "%s/README.md", path);
    return to->n;
}

static const char *const targets[] = { "hf", NULL };

const struct layout hf_folders_layout = {
    .name = "hf",
    .title = "Hugging Face imagefolder",
    .summary = "train/metadata.jsonl beside the images of train, and so on",
    .find = find,
    .targets = targets,
    .place = place,
    .target = "hf",
    .divided = true,
    .needs_objects = true,
};
