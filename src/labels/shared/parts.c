/* parts: finds the part of a dataset that an image or an output is in. */
#include "labels/shared/parts.h"

#include <string.h>

/* True if the relative path is inside of the folder; everything is inside of "". */
static bool is_below(const char *name, const char *folder)
{
    size_t length = strlen(folder);

    return !length || (strncmp(name, folder, length) == 0 && name[length] == '/');
}

/* True if `root`/`name` is inside of the folder; both are absolute, without a slash at the end but
 * for the root of all. */
static bool is_inside(const char *root, const char *name, const char *folder)
{
    size_t own = strlen(root), length = strlen(folder);

    own -= own == 1;
    length -= length == 1;
    if (length <= own)
        return strncmp(root, folder, length) == 0 && (!root[length] || root[length] == '/');
    return strncmp(root, folder, own) == 0 && folder[own] == '/' &&
           is_below(name, folder + own + 1);
}

bool part_folder_has_record(const struct dataset *d, const struct part_folder *f, size_t record)
{
    const char *name = d->records[record].name;
    const char *root = d->n_roots ? d->roots[d->root_of ? d->root_of[record] : 0] : NULL;

    if (!f->path)
        return f->out && is_below(name, f->out);
    return root &&
           (is_inside(root, name, f->path) || (f->resolved && is_inside(root, name, f->resolved)));
}

bool part_has_record(const struct dataset *d, const struct dataset_part *part, size_t record)
{
    for (size_t i = 0; i < part->n; i++)
        if (part_folder_has_record(d, &part->folders[i], record))
            return true;
    return false;
}

bool part_has_output(const struct dataset_part *part, const char *output)
{
    for (size_t i = 0; i < part->n; i++)
        if (part->folders[i].has_images && is_below(output, part->folders[i].out))
            return true;
    return false;
}

bool part_has_images(const struct dataset_part *part)
{
    for (size_t i = 0; i < part->n; i++)
        if (part->folders[i].has_images)
            return true;
    return false;
}
