/* stamp_folder: loads the PNG files of a folder as the stamps of steps/op_shared/stamps.h. */
#include "batch/dataset/stamp_folder.h"

#include "batch/io/open.h"
#include "batch/io/root.h"

#include "base/files.h"
#include "base/hash.h"
#include "steps/op_shared/stamps.h"
#include "steps/registry.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Stamps take 16 bytes of memory per pixel during the whole run. */
enum { MAX_STAMP_PIXELS = 1 << 24, MAX_STAMP_BYTES = 1 << 28 };

struct found {
    struct arena arena;
    const char **name;
    size_t n;
};

/* Adds a PNG file of the folder itself; names in subfolders have a slash. */
static bool add_file(void *context, const struct walked_file *file, struct text *why)
{
    struct found *f = context;

    (void)why;
    if (file->hidden || strchr(file->name, '/') || !path_matches("*.[pP][nN][gG]", file->name))
        return true;
    f->name = memory_grow(f->name, (f->n + 1) * sizeof *f->name);
    f->name[f->n++] = arena_copy(&f->arena, file->name, strlen(file->name));
    return true;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool read_stamp(const char *folder, const char *name, size_t *left, struct text *why)
{
    struct text bytes = { 0 };
    struct picture picture = { 0 };
    struct pool pool = { 0 };
    /* libvips must not be started here, since it would hang in workers, which are forked later. */
    const struct decode_hints hints = { .no_library = true };
    enum picture_format format;
    struct slice file;
    bool good = input_read_small(folder, name, LINKS_FOLLOW, MAX_STAMP_BYTES, &bytes, why);

    file = (struct slice){ text_string(&bytes), bytes.length };
    if (good && (!picture_sniff(file, &format) || format != PICTURE_PNG)) {
        text_adds(why, "it is not a PNG");
        good = false;
    }
    good = good && picture_read(file, &pool, *left, &hints, &picture, why);
    if (good) {
        *left -= (size_t)picture.plane.width * (size_t)picture.plane.height;
        stamps_add(name, &picture.plane, file);
        picture_drop(&picture, &pool);
    }
    text_drop(&bytes);
    pool_drop(&pool);
    return good;
}

bool stamps_open(const char *folder, struct faults *faults)
{
    struct found found = { .name = NULL };
    struct text why = { 0 };
    size_t left = MAX_STAMP_PIXELS;
    bool good =
        walk_files(&(struct tree_walk){ folder, LINKS_FOLLOW, false, add_file, &found }, &why);

    if (!good)
        fault_add(faults, 0, 0, folder, "stamp-unread", "%s", text_string(&why));
    else if (!found.n)
        fault_add(faults, 0, 0, folder, "stamp-none", "the folder has no PNG files");
    else
        qsort(found.name, found.n, sizeof *found.name, by_name);
    for (size_t i = 0; good && i < found.n; i++) {
        good = read_stamp(folder, found.name[i], &left, &why);
        if (!good)
            fault_add(faults, 0, 0, found.name[i], "stamp-unread", "%s", text_string(&why));
    }
    free(found.name);
    arena_drop(&found.arena);
    text_drop(&why);
    return !faults->n;
}

/* --- check of a plan --- */

static bool emits_of_stamps(const struct transform *t)
{
    for (const char *const *name = t->emits; name && *name; name++)
        if (op_takes_stamps(registry_op(*name)))
            return true;
    return false;
}

static bool check_step(const struct step *step, void *context)
{
    const struct value *name =
        step->op && op_takes_stamps(step->op) ? value_get(step->source, "stamp") : NULL;

    if (step->transform && emits_of_stamps(step->transform) && !stamp_draw(0))
        value_fault(context, step->source, false, "stamp-none",
                    "it needs stamps: give a folder of PNG files with --stamps");
    if (name && name->kind == VALUE_TEXT && *name->text && !stamp_find(name->text))
        value_fault(context, name, false, "stamp-missing",
                    "the folder that --stamps names has no such file");
    return true;
}

bool stamps_check(const struct plan *plan, struct faults *faults)
{
    steps_walk(&plan->transforms, check_step, faults);
    return !faults->n;
}
