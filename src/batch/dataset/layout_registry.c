/* layout_registry: the list of all layouts, from build/layouts.inc, which the Makefile generates
 * from file names. */
#include "batch/dataset/layout_registry.h"

#include "batch/dataset/job.h"

#include <string.h>

#define LAYOUT(name) extern const struct layout name##_layout;
#include "layouts.inc"
#undef LAYOUT

#define LAYOUT(name) &name##_layout,
const struct layout *const layouts[] = {
#include "layouts.inc"
    NULL
};
#undef LAYOUT

bool layout_recognize(const char *path, struct arena *arena, struct found_layout *to,
                      struct faults *faults)
{
    static const enum layout_order orders[] = { LAYOUT_FIRST, LAYOUT_COMMON, LAYOUT_LATE,
                                                LAYOUT_LAST };
    size_t before = faults->n;

    for (size_t k = 0; k < COUNTOF(orders); k++)
        for (size_t i = 0; layouts[i]; i++) {
            if (!layouts[i]->find || layouts[i]->order != orders[k])
                continue;
            *to = (struct found_layout){ .layout = layouts[i], .path = path, .classes = "" };
            if (layouts[i]->find(path, arena, to, faults))
                return faults->n == before;
        }
    *to = (struct found_layout){ .path = path, .classes = "" };
    return true;
}

const struct layout *layout_of_target(const char *word)
{
    for (size_t i = 0; layouts[i]; i++)
        for (size_t k = 0; layouts[i]->targets && layouts[i]->targets[k]; k++)
            if (strcmp(layouts[i]->targets[k], word) == 0)
                return layouts[i];
    return NULL;
}

void layout_take_part(const struct found_layout *found, const struct layout_part *part,
                      struct job *job, struct dataset *dataset)
{
    job->images.roots = (struct roots){ part->images, part->n_images, NULL };
    job->images.places = part->places;
    job->images.n_places = part->n_places;
    job->images.class_roots = found->layout && found->layout->labels_are_folders;
    job->images.masks = (struct roots){ &part->masks, part->masks != NULL, NULL };
    job->images.label_format = found->layout ? found->layout->format : NULL;
    dataset->index_name = part->index;
}
