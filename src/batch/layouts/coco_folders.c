/* coco_folders: one file of annotations per part, such as annotations/instances_train2017.json, and
 * its images in a folder of the part's name, or one folder "images" for all. */
#include "batch/layout/layout.h"

#include "base/files.h"
#include "batch/io/folder.h"
#include "batch/io/image_name.h"

#include <string.h>

static bool is_json(const char *name)
{
    size_t length = strlen(name);

    return length > 5 && strcmp(name + length - 5, ".json") == 0;
}

/* Kinds of annotations that COCO has for the same images, the most common first. */
static const char *const kinds[] = { "instances_", "person_keypoints_", "captions_",
                                     "stuff_",     "panoptic_",         "image_info_" };

/* Returns the kind of a file by its name; COUNTOF(kinds): no such prefix. */
static size_t kind_of(const char *name)
{
    size_t i = 0;

    while (i < COUNTOF(kinds) && strncmp(name, kinds[i], strlen(kinds[i])) != 0)
        i++;
    return i;
}

/* Returns the name of the part that a file is about: "instances_train2017.json" is "train2017". */
static const char *part_of(const char *name, struct arena *arena)
{
    size_t kind = kind_of(name), skip = kind < COUNTOF(kinds) ? strlen(kinds[kind]) : 0;

    return arena_copy(arena, name + skip, strlen(name) - skip - strlen(".json"));
}

/* True if the stem begins or ends with a word for a part: "train2017", "my_val". */
static bool names_part(const char *part)
{
    static const char *const words[] = { "train", "val", "test", "dev" };
    size_t length = strlen(part);

    for (size_t i = 0; i < COUNTOF(words); i++) {
        size_t own = strlen(words[i]);

        if (strncmp(part, words[i], own) == 0 ||
            (length > own && strcmp(part + length - own, words[i]) == 0))
            return true;
    }
    return false;
}

/* True if the file is a list: results of a detector, which state no images. */
static bool is_list(const char *folder, const char *name)
{
    char head[64];
    size_t n = layout_read_head(folder, name, head, sizeof head), i = 0;

    while (i < n && memchr(" \t\r\n", head[i], 4))
        i++;
    return i < n && head[i] == '[';
}

/* True if the i-th name is of a JSON file with annotations of several images: no image beside it
 * has its stem. */
static bool is_annotations(const char *folder, const char *const *names, size_t i)
{
    size_t stem = strlen(names[i]) - strlen(".json"), k = i;

    if (!is_json(names[i]) || is_list(folder, names[i]))
        return false;
    while (k && strncmp(names[k - 1], names[i], stem) == 0)
        k--;
    for (; names[k] && strncmp(names[k], names[i], stem) == 0; k++)
        if (name_stem(names[k]) == stem && name_is_image(names[k]))
            return false;
    return true;
}

/* Finds the images of a part: in a folder of its name, or in "images". A dataset without parts has
 * them in "images". */
static bool find_images(struct found_layout *to, struct layout_part *part, struct arena *arena)
{
    const char *const tries[] = { part->name, arena_printf(arena, "images/%s", part->name),
                                  arena_printf(arena, "%s/images", part->name), "images" };

    for (size_t i = *part->name ? 0 : COUNTOF(tries) - 1; i < COUNTOF(tries); i++)
        if (layout_has_folder(to->path, tries[i])) {
            layout_set_images(to, part, arena, tries[i]);
            return true;
        }
    return false;
}

/* True if a file states no image: outputs have no folder for such a part. */
static bool is_empty(const char *file, struct arena *arena)
{
    enum { MAX_BYTES = 1 << 20 };
    struct text bytes = { 0 }, why = { 0 };
    bool empty = input_read_named(file, MAX_BYTES, &bytes, &why) &&
                 !strstr(arena_copy(arena, text_string(&bytes), bytes.length), "\"file_name\"");

    text_drop(&bytes);
    text_drop(&why);
    return empty;
}

static void add_part(struct found_layout *to, struct arena *arena, const char *folder,
                     const char *name, const char *part, struct faults *faults)
{
    struct layout_part *added = layout_add_part(to, arena, part);
    const char *below = *folder ? arena_printf(arena, "%s/%s", folder, name) : name;

    added->annotations = arena_printf(arena, "%s/%s", to->path, below);
    /* Only files of known names are at the top of OUT. */
    added->file = *part ? arena_printf(arena, "annotations/%s", name) : name;
    if (find_images(to, added, arena))
        return;
    added->below = part;
    if (!is_empty(added->annotations, arena))
        fault_add(faults, 0, 0, added->annotations, "dataset-layout",
                  "the images of this part are neither in %s/%s nor in %s/images; name them: "
                  "-a %s=%s -i %s=FOLDER",
                  to->path, part, to->path, part, added->annotations, part);
}

/* Takes the files of one kind. */
static void add_parts(struct found_layout *to, struct arena *arena, const char *folder,
                      const char *const *names, size_t kind, struct faults *faults)
{
    const char *path = *folder ? arena_printf(arena, "%s/%s", to->path, folder) : to->path;
    struct text others = { 0 };

    for (size_t i = 0; names[i]; i++) {
        const char *part;

        if (!is_annotations(path, names, i))
            continue;
        part = part_of(names[i], arena);
        if (kind_of(names[i]) == kind && (kind < COUNTOF(kinds) || names_part(part)))
            add_part(to, arena, folder, names[i], part, faults);
        else
            text_addf(&others, "%s%s", others.length ? ", " : "", names[i]);
    }
    if (others.length)
        to->note = arena_printf(arena, "these files are not read: %s", text_string(&others));
    text_drop(&others);
}

static bool find(const char *path, struct arena *arena, struct found_layout *to,
                 struct faults *faults)
{
    const char *folder = layout_has_folder(path, "annotations") ? "annotations" : "";
    const char *below = *folder ? arena_printf(arena, "%s/annotations", path) : path;
    const char *const *names = layout_list(below, arena);
    size_t kind = COUNTOF(kinds);
    bool has_part = false;

    if (!*folder && layout_has_file(path, "annotations.json")) {
        if (!layout_has_folder(path, "images"))
            return false;
        add_part(to, arena, "", "annotations.json", "", faults);
        return true;
    }
    for (size_t i = 0; names[i]; i++)
        if (is_annotations(below, names, i)) {
            size_t own = kind_of(names[i]);

            kind = own < kind ? own : kind;
            has_part |= own < COUNTOF(kinds) || names_part(part_of(names[i], arena));
        }
    if (!has_part || (!*folder && !names[0]))
        return false;
    add_parts(to, arena, folder, names, kind, faults);
    return to->n;
}

static void place(struct arena *arena, struct layout_part *part)
{
    part->below = *part->name ? part->name : "images";
    part->file = *part->name ? arena_printf(arena, "annotations/instances_%s.json", part->name)
                             : "annotations.json";
}

static const char *const targets[] = { "coco", NULL };

const struct layout coco_folders_layout = {
    .name = "coco",
    .title = "COCO",
    .summary = "annotations/instances_train.json and the folder train, and so on",
    .find = find,
    .targets = targets,
    .place = place,
    .empty_parts = true,
};
