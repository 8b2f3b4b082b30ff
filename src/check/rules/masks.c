/* masks: rules about label masks without annotations: a gray picture for each image, whose values
 * are classes. */
#include "batch/inspect/inspect.h"
#include "check/rule.h"
#include "labels/shared/class_list.h"

#include <string.h>

enum { MISSING, STRAY, OTHER_SIZE, VALUE, KIND, UNREAD };

static const struct rule rules[] = {
    [MISSING] = { "G001", "mask-missing", SEVERITY_ERROR, FIX_NONE, "an image has no mask",
                  "The image was not labelled yet, or its mask has a name that --mask-name does "
                  "not "
                  "make.",
                  "Add the mask, state --mask-name, or move the image away." },
    [STRAY] = { "G002", "mask-without-image", SEVERITY_WARNING, FIX_NONE, "a mask has no image",
                "The image was removed or renamed, or is in another folder.",
                "Add the image, or remove the mask." },
    [OTHER_SIZE] = { "G003", "mask-size", SEVERITY_ERROR, FIX_NONE,
                     "a mask and its image differ in size",
                     "One of them was resized, or the mask belongs to another image.",
                     "Make the mask again from its source." },
    [VALUE] = { "G004", "mask-value-unlisted", SEVERITY_ERROR, FIX_NONE,
                "a mask has values that are no class of --classes",
                "Edges were smoothed or compressed, the values are those of another list, or the "
                "mask has been scaled to be visible. 255 is not reported, since it usually marks "
                "pixels without a class.",
                "Save the mask without loss, or give the right list." },
    [KIND] = { "G005", "mask-kind", SEVERITY_ERROR, FIX_NONE,
               "a mask has colors, fractions or a lossy format",
               "Its classes are colors, or it is a picture of the mask.",
               "Make a gray PNG with the number of a class in each pixel. Palettes are fine." },
    [UNREAD] = { "G006", "mask-undecodable", SEVERITY_ERROR, FIX_NONE, "a mask cannot be decoded",
                 "It is damaged, empty, or of another kind.", "Copy the file again." },
    { 0 },
};

static void check_stray(struct check *c, const struct annotation_file *file)
{
    struct element e = element_of_file(file);

    for (size_t i = 0; i < file->n_stray; i++) {
        e.text = (struct slice){ file->text.at + file->text.length - file->n_stray + i, 1 };
        rule_report_plain(c, &rules[STRAY], &e, NULL, (struct slice){ 0 },
                          "no image has this mask");
    }
}

static void check_values(struct check *c, const struct element *e,
                         const struct inspected_file *mask)
{
    enum { VOID = 255 };
    const struct annotation_file *file = e->file;
    const struct seen_segment *seen = inspection_segments(file->inspection, mask);
    size_t n = 0, pixels = 0;
    uint32_t first = 0;

    for (size_t i = 0; i < mask->n_segments; i++)
        if (seen[i].id >= file->classes->n && seen[i].id != VOID) {
            first = n++ ? first : seen[i].id;
            pixels += seen[i].area;
        }
    if (n)
        rule_report(c, &rules[VALUE], e, NULL, (struct slice){ 0 },
                    "its mask has %zu value%s that %s no class, in %zu pixel%s: %s%u; the classes "
                    "are 0 to %zu",
                    n, n == 1 ? "" : "s", n == 1 ? "is" : "are", pixels, pixels == 1 ? "" : "s",
                    n == 1 ? "" : "the first is ", (unsigned)first, file->classes->n - 1);
}

/* Returns why a mask cannot be used; "" if it can. */
static const char *kind_fault(const struct picture_header *h)
{
    if (h->format == PICTURE_JPEG || (h->format == PICTURE_WEBP && !h->lossless))
        return "has a lossy format, which changes values near edges";
    if (h->palette)
        return h->format == PICTURE_PNG ? "" : "has a palette; only PNG keeps its indices";
    if (h->type == PIXEL_F32)
        return "has fractions";
    return h->channels == 1 ? "" : "has several channels; a mask is gray, with one value per class";
}

static void check_mask(struct check *c, const struct element *e)
{
    const struct annotation_file *file = e->file;
    const struct inspected_file *mask = &file->inspection->masks[e->image],
                                *image = &file->inspection->images[e->image];
    const struct picture_header *h = &mask->header;
    const struct dataset *d = file->listed ? file->listed : file->labels;
    const char *name = d->records[e->image].mask;

    if (mask->state == FILE_MISSING) {
        rule_report(c, &rules[MISSING], e, NULL, (struct slice){ 0 }, "its mask %s is not in %s",
                    name, file->mask_folder);
        return;
    }
    if (mask->state != FILE_GOOD && mask->state != FILE_NONE) {
        rule_report(c, &rules[UNREAD], e, NULL, (struct slice){ 0 },
                    "its mask %s cannot be decoded%s%s", name, *mask->why ? ": " : "", mask->why);
        return;
    }
    if (mask->has_header && image->has_header && !frame_equal(h->frame, image->header.frame))
        rule_report(c, &rules[OTHER_SIZE], e, NULL, (struct slice){ 0 },
                    "its mask is %d x %d, but the image is %d x %d", h->frame.width,
                    h->frame.height, image->header.frame.width, image->header.frame.height);
    if (mask->has_header && *kind_fault(h))
        rule_report(c, &rules[KIND], e, NULL, (struct slice){ 0 }, "its mask %s %s", name,
                    kind_fault(h));
    else if (mask->has_pixels && file->classes)
        check_values(c, e, mask);
}

static void check_all(struct check *c)
{
    for (size_t i = 0; i < c->n_files; i++) {
        const struct annotation_file *file = &c->files[i];

        if (!file->mask_folder)
            continue;
        check_stray(c, file);
        for (size_t k = 0; file->inspection && k < file->n_images; k++) {
            struct element e = element_of_image(file, k);

            check_mask(c, &e);
        }
    }
}

const struct rule_family masks_family = {
    .title = "label masks",
    .rules = rules,
    .all = check_all,
};
