/* labelme_folders: the folders train, val and so on, each with images and LabelMe's JSON files
 * beside them; or one folder of both. */
#include "batch/layout/layout.h"

#include "steps/registry.h"

#include <string.h>

#define FORMAT "labelme"

static bool is_labelme(struct slice head)
{
    bool is = false;

    for (EACH(format, format, registry_formats))
        if (strcmp(format->name, FORMAT) == 0)
            is = format->is_file(head);
    return is;
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
    (void)faults;
    (void)path;
    /* Outputs with one part have the folders of its images in "images". */
    layout_find_pairs(to, arena, ".json", is_labelme, false);
    if (to->n && !*to->parts[0].name && !*to->parts[0].below)
        place(arena, to->parts);
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
