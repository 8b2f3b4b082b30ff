/* webdataset_folders: WebDataset with the index of rf-detr: PART-index.json beside the tars that it
 * lists. */
#include "batch/layout/layout.h"

#include "base/files.h"
#include "batch/io/archive_set.h"
#include "batch/io/shard_index.h"

#include <string.h>

/* True if a name of the folder is of a tar of this part, although the index cannot be read. */
static bool has_tar(const char *const *names, const char *index)
{
    size_t length = strlen(index) - strlen("index.json");

    for (; *names; names++)
        if (strncmp(*names, index, length) == 0 && archive_is_path(*names) &&
            !shard_index_is_path(*names))
            return true;
    return false;
}

static void set_places(struct arena *arena, struct layout_part *part)
{
    part->below = part->name;
    part->labels = NULL;
    part->file = arena_printf(arena, "annotations/%s.json", part->name);
}

static void add_part(struct found_layout *to, struct arena *arena, const char *path,
                     struct faults *faults)
{
    const struct shard_index *index = shard_index_read(path, faults);
    const char **images = ARENA_NEW(arena, const char *);
    struct layout_part *part;

    if (!index)
        return;
    part = layout_add_part(to, arena, index->part);
    *images = part->annotations = index->path;
    part->images = images;
    part->n_images = 1;
    set_places(arena, part);
}

/* Notes tars that no index lists. */
static void note_others(struct found_layout *to, struct arena *arena, const char *const *names)
{
    struct text others = { 0 };

    for (; *names; names++)
        if (archive_is_path(*names) && !shard_index_is_path(*names) &&
            !shard_index_of_tar(arena_printf(arena, "%s/%s", to->path, *names)))
            text_addf(&others, "%s%s", others.length ? ", " : "", *names);
    if (others.length)
        to->note = arena_printf(arena, "these archives are in no index, and not read: %s",
                                text_string(&others));
    text_drop(&others);
}

static bool find(const char *path, struct arena *arena, struct found_layout *to,
                 struct faults *faults)
{
    const char *const *names;
    size_t before = faults->n;

    if (!path_is_folder(path)) {
        if (!shard_index_is_file(path))
            return false;
        add_part(to, arena, path, faults);
        return true;
    }
    names = layout_list(path, arena);
    for (size_t i = 0; names[i]; i++) {
        const char *file = arena_printf(arena, "%s/%s", path, names[i]);

        if (shard_index_is_path(names[i]) &&
            (shard_index_is_file(file) || has_tar(names, names[i])))
            add_part(to, arena, file, faults);
    }
    if (to->n && faults->n == before)
        note_others(to, arena, names);
    return to->n || faults->n > before;
}

/* Readers look for train, val and test. */
static void place(struct arena *arena, struct layout_part *part)
{
    part->name = *part->name ? layout_common_name(part->name) : "train";
    set_places(arena, part);
}

static const char *const targets[] = { "webdataset", NULL };
static const char *const suffixes[] = { ".jpg", ".png", ".webp", ".bmp", NULL };

const struct layout webdataset_folders_layout = {
    .name = "webdataset",
    .title = "WebDataset",
    .summary = "train-index.json beside train-000000.tar, and so on",
    .find = find,
    .targets = targets,
    .suffixes = suffixes,
    .place = place,
    .divided = true,
    .packed = true,
    .empty_parts = true,
    .order = LAYOUT_FIRST,
};
