/* voc_pairs: the folders train, val and so on, each with images and Pascal VOC's XML files beside
 * them; or one folder of both. labelImg and exports of Roboflow have them. */
#include "batch/layout/layout.h"

#include <string.h>

static bool has_tag(struct slice head, const char *tag)
{
    return memmem(head.at, head.length, tag, strlen(tag));
}

/* LabelMe's former XML has <annotation>, too, and neither of the others. */
static bool is_voc(struct slice head)
{
    return has_tag(head, "<annotation") && (has_tag(head, "<bndbox") || has_tag(head, "<size>"));
}

static bool find(const char *path, struct arena *arena, struct found_layout *to,
                 struct faults *faults)
{
    (void)path;
    (void)faults;
    layout_find_pairs(to, arena, ".xml", is_voc, true);
    for (size_t i = 0; i < to->n; i++) {
        if (!*to->parts[i].name)
            to->parts[i].name = "train";
        layout_place_voc(arena, &to->parts[i]);
    }
    return to->n;
}

static const char *const suffixes[] = { ".jpg", NULL };

const struct layout voc_pairs_layout = {
    .name = "labelimg",
    .title = "Pascal VOC beside images",
    .summary = "train/x.jpg and train/x.xml, and so on, or one folder of both; outputs are voc",
    .find = find,
    .format = "voc",
    .suffixes = suffixes,
    .order = LAYOUT_LATE,
};
