/* yolo_folders: data.yaml, which names the folders or lists of images of each part; labels are in
 * parallel folders. */
#include "batch/layout/layout.h"

#include "base/files.h"
#include "labels/yolo/classes.h"
#include "labels/yolo/parts.h"

#include <string.h>

static void place(struct arena *arena, struct layout_part *part)
{
    part->name = *part->name ? layout_common_name(part->name) : "train";
    part->below = arena_printf(arena, "images/%s", part->name);
    part->file = NULL;
}

static const char *const targets[] = { "yolo", "yolo-segment", "yolo-pose", NULL };

const struct layout yolo_folders_layout = {
    .name = "yolo",
    .title = "YOLO",
    .summary = "data.yaml, images/train and labels/train, and so on",
    .targets = targets,
    .place = place,
};
