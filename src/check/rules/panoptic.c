/* panoptic: rules about panoptic files, and the pictures of their segments. */
#include "base/files.h"
#include "batch/inspect/inspect.h"
#include "labels/coco/segment_list.h"
#include "check/rule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    NO_PICTURE,
    NOT_LISTED,
    NOT_SHOWN,
    AREA,
    BBOX,
    NO_CATEGORY,
    WRONG_ID,
    NOT_RGB,
    OTHER_SIZE,
    NO_ISTHING,
    IMAGE_TWICE,
    ID_TWICE,
    ESCAPES,
};

static const struct rule rules[] = {
    [NO_PICTURE] = { "P001", "panoptic-png-missing", SEVERITY_ERROR, FIX_NONE,
                     "the picture of an annotation's segments is missing or cannot be decoded",
                     "The folder is wrong, or the PNGs were not downloaded.",
                     "Give the right folder with -m." },
    [NOT_LISTED] = { "P002", "panoptic-id-in-png-only", SEVERITY_ERROR, FIX_NONE,
                     "pixels have an id that is missing in the list of segments",
                     "The picture belongs to another annotation, was saved with a palette, resized "
                     "with "
                     "smoothing, or segments were only removed from the list.",
                     "Add the segment, or make its pixels 0." },
    [NOT_SHOWN] = { "P003", "panoptic-id-in-json-only", SEVERITY_ERROR, FIX_NONE,
                    "a segment has no pixel in its picture",
                    "Others cover it, or the picture belongs to another annotation.",
                    "Remove the segment from the list, or draw it." },
    [AREA] = { "P004", "panoptic-area-differs", SEVERITY_WARNING, FIX_SAFE,
               "the area of a segment is not the number of its pixels",
               "The picture was changed or resized after the areas were counted.",
               "Count the pixels again." },
    [BBOX] = { "P005", "panoptic-bbox-differs", SEVERITY_WARNING, FIX_SAFE,
               "the box of a segment does not fit its pixels",
               "The picture was changed or resized after the boxes were made. A difference of 1 "
               "pixel is not reported.",
               "Compute the box from the pixels." },
    [NO_CATEGORY] = { "P006", "panoptic-category-unknown", SEVERITY_ERROR, FIX_NONE,
                      "a segment's category is not in the list of categories",
                      "Categories were removed or merged, but segments still refer to them.",
                      "Add the category, or correct the segment." },
    [WRONG_ID] = { "P007", "panoptic-id-invalid", SEVERITY_ERROR, FIX_NONE,
                   "a segment's id is 0, or not a colour",
                   "0 is for pixels without a segment; ids are colours of 24 bits, red + 256 "
                   "green + 65536 blue.",
                   "Give the segment and its pixels an id from 1 to 16777215." },
    [NOT_RGB] = { "P008", "panoptic-png-not-rgb", SEVERITY_ERROR, FIX_NONE,
                  "the picture of segments is not an RGB PNG with 8 bits",
                  "It was saved with a palette, in gray, or as a JPEG, which changes colours.",
                  "Make it again from its source." },
    [OTHER_SIZE] = { "P009", "panoptic-png-size-differs", SEVERITY_ERROR, FIX_NONE,
                     "the size of a picture of segments differs from its image's",
                     "Only the images, or only the pictures, were resized.",
                     "Resize the picture with nearest neighbours, or use the images it was made "
                     "for." },
    [NO_ISTHING] = { "P010", "panoptic-isthing-missing", SEVERITY_WARNING, FIX_NONE,
                     "a category does not say whether it is a thing",
                     "The list is from a dataset of boxes. Evaluation needs \"isthing\": 1 for "
                     "things that can be counted, 0 for stuff.",
                     "Add \"isthing\" to the category." },
    [IMAGE_TWICE] = { "P011", "panoptic-image-twice", SEVERITY_ERROR, FIX_NONE,
                      "two annotations have segments of the same image",
                      "Two files with the image were merged.", "Remove one of them." },
    [ID_TWICE] = { "P012", "panoptic-segment-twice", SEVERITY_ERROR, FIX_NONE,
                   "two segments of an annotation have the same id",
                   "Lists were merged, or a segment was only divided in the list.",
                   "Join the two, or give one of them and its pixels another id." },
    [ESCAPES] = { "P013", "panoptic-name-escapes-root", SEVERITY_ERROR, FIX_NONE,
                  "the name of a picture of segments leads out of its folder",
                  "It is an absolute path, has \"..\" or backslashes, or is a URL.",
                  "Write the name relative to the folder of the pictures, with slashes." },
    { 0 },
};

/* A segment in the list. */
struct listed_segment {
    uint32_t id, index;
    int64_t category;
    struct slice text, category_at;
};

static struct slice name_of(const struct element *e)
{
    return pick_again(e->text, "file_name");
}

static void read_list(const struct element *e, struct pile *list)
{
    struct faults faults = { .name = e->file->name, .text = e->file->text };
    struct slice info = pick_again(e->text, "segments_info");
    struct coco_segments w;
    struct coco_segment s;

    list->n = 0;
    if (info.at == e->text.at || *info.at != '[')
        return;
    coco_segments_begin(&w, &faults, e->text, e->index);
    while (coco_segments_next(&w, &s))
        *(struct listed_segment *)pile_add(list, sizeof(struct listed_segment)) =
            (struct listed_segment){ .id = (uint32_t)s.id,
                                     .index = (uint32_t)w.place.index,
                                     .category = s.category,
                                     .text = s.text,
                                     .category_at = s.category_at };
    faults_drop(&faults);
}

/* Reports a finding about a member of a segment. */
static struct finding *report(struct check *c, int rule, const struct element *e,
                              const struct listed_segment *s, const char *member, const char *words)
{
    struct slice at = pick_again(s->text, member);
    char path[64];

    snprintf(path, sizeof path, "segments_info/%u/%s", (unsigned)s->index, member);
    return rule_report(c, &rules[rule], e, path, at, "%s", words);
}

/* --- checks without pictures --- */

static void check_category(struct check *c, const struct category_element *e, void *state)
{
    (void)state;
    if (file_is_panoptic(e->at.file) && !e->pick[CATEGORY_ISTHING].value.at)
        rule_report(c, &rules[NO_ISTHING], &e->at, NULL, (struct slice){ 0 },
                    "the category \"%s\" has no \"isthing\"", e->category->name);
}

static void check_categories(struct check *c, const struct element *e, const struct pile *list)
{
    const struct listed_segment *s = list->at;
    char words[64];

    for (size_t i = 0; i < list->n; i++) {
        if (s[i].category == COCO_NO_ID || categories_find(&e->file->lookup, s[i].category))
            continue;
        snprintf(words, sizeof words, "no category has the id %lld", (long long)s[i].category);
        report(c, NO_CATEGORY, e, &s[i], "category_id", words);
    }
}

static void check_name(struct check *c, const struct annotation_file *file,
                       const struct image_picture *picture)
{
    struct element e = element_of_annotation(file, picture->annotation);
    const char *why;

    if (!name_is_safe(picture->name, &why))
        rule_report(c, &rules[ESCAPES], &e, "file_name", name_of(&e), "the name %s", why);
}

static void check_end(struct check *c, const struct annotation_file *file, void *state)
{
    struct pile list = { 0 };

    (void)state;
    for (size_t i = 0; file_is_panoptic(file) && file->sure_categories && i < file->n_annotations;
         i++) {
        struct element e = element_of_annotation(file, i);

        if (file->annotations[i].broken)
            continue;
        read_list(&e, &list);
        check_categories(c, &e, &list);
    }
    for (size_t i = 0; file->pictures && i < file->n_images; i++)
        if (file->pictures[i].name)
            check_name(c, file, &file->pictures[i]);
    free(list.at);
}

/* --- checks with pictures --- */

static void compare_area(struct check *c, const struct element *e, const struct listed_segment *s,
                         const struct seen_segment *seen)
{
    struct slice at = pick_again(s->text, "area");
    double area;
    char words[120];
    struct finding *f;

    if (at.at == s->text.at || !number_scan(at, &area) || area == seen->area)
        return;
    snprintf(words, sizeof words, "the area is %.15g; the segment has %u pixels", area,
             (unsigned)seen->area);
    f = report(c, AREA, e, s, "area", words);
    if (c->options->fixes)
        finding_replace(c, f, at, "%u", (unsigned)seen->area);
}

static void compare_box(struct check *c, const struct element *e, const struct listed_segment *s,
                        const struct seen_segment *seen)
{
    struct slice at = pick_again(s->text, "bbox");
    int width = seen->x1 - seen->x0 + 1, height = seen->y1 - seen->y0 + 1;
    char words[160];
    struct finding *f;
    double v[4];

    if (at.at == s->text.at || !pick_four(at, v))
        return;
    if (fabs(v[0] - seen->x0) <= 1 && fabs(v[1] - seen->y0) <= 1 && fabs(v[2] - width) <= 1 &&
        fabs(v[3] - height) <= 1)
        return;
    snprintf(words, sizeof words,
             "the box is [%.9g, %.9g, %.9g, %.9g]; the pixels have the box [%d, %d, %d, %d]", v[0],
             v[1], v[2], v[3], seen->x0, seen->y0, width, height);
    f = report(c, BBOX, e, s, "bbox", words);
    finding_draw_box(c, f, (struct box){ seen->x0, seen->y0, seen->x0 + width, seen->y0 + height });
    if (c->options->fixes)
        finding_replace(c, f, at, "[%d, %d, %d, %d]", seen->x0, seen->y0, width, height);
}

static int by_id(const void *a, const void *b)
{
    const struct listed_segment *x = a, *y = b;

    return (x->id > y->id) - (x->id < y->id);
}

/* Compares the list with the pixels, both sorted by id. */
static void compare_segments(struct check *c, const struct element *e, struct pile *list,
                             const struct inspected_file *picture)
{
    const struct seen_segment *seen = inspection_segments(e->file->inspection, picture);
    struct listed_segment *s = list->at;
    size_t strangers = 0, k = 0;
    uint32_t stranger = 0;

    if (list->n)
        qsort(s, list->n, sizeof *s, by_id);
    for (size_t i = 0; i < list->n; i++) {
        for (; k < picture->n_segments && seen[k].id < s[i].id; k++)
            if (!strangers++)
                stranger = seen[k].id;
        if (k < picture->n_segments && seen[k].id == s[i].id) {
            compare_area(c, e, &s[i], &seen[k]);
            compare_box(c, e, &s[i], &seen[k]);
            if (i + 1 == list->n || s[i + 1].id != s[i].id)
                k++;
        } else {
            report(c, NOT_SHOWN, e, &s[i], "id", "the segment has no pixel in its picture");
        }
    }
    for (; k < picture->n_segments; k++)
        if (!strangers++)
            stranger = seen[k].id;
    if (strangers)
        rule_report(c, &rules[NOT_LISTED], e, "file_name", name_of(e),
                    "%zu id%s of the picture's pixels %s in no segment: %s%u (red + 256 green + "
                    "65536 blue)",
                    strangers, strangers == 1 ? "" : "s", strangers == 1 ? "is" : "are",
                    strangers == 1 ? "" : "the first is ", (unsigned)stranger);
}

static void check_size(struct check *c, const struct element *e,
                       const struct inspected_file *picture)
{
    const struct checked_image *image = &e->file->images[e->image];
    const struct inspected_file *file = &e->file->inspection->images[e->image];
    struct frame own = picture->header.frame, other = { image->width, image->height };

    if (file->has_header)
        other = file->header.frame;
    if (other.width && other.height && !frame_equal(own, other))
        rule_report(c, &rules[OTHER_SIZE], e, "file_name", name_of(e),
                    "the picture is %d x %d, but the image is %d x %d", own.width, own.height,
                    other.width, other.height);
}

static void check_picture(struct check *c, const struct element *e, struct pile *list)
{
    const struct inspected_file *picture = &e->file->inspection->masks[e->image];
    const struct picture_header *h = &picture->header;

    if (picture->state == FILE_NONE)
        return;
    if (picture->state != FILE_GOOD) {
        if (picture->state == FILE_MISSING)
            rule_report(c, &rules[NO_PICTURE], e, "file_name", name_of(e),
                        "the picture is not in %s", e->file->picture_folder);
        else
            rule_report(c, &rules[NO_PICTURE], e, "file_name", name_of(e),
                        "the picture cannot be decoded%s%s", *picture->why ? ": " : "",
                        picture->why);
        return;
    }
    if (h->format != PICTURE_PNG || h->channels != 3 || h->type != PIXEL_U8 || h->palette) {
        rule_report_plain(c, &rules[NOT_RGB], e, "file_name", name_of(e),
                          "the picture is not an RGB PNG with 8 bits");
        return;
    }
    check_size(c, e, picture);
    if (picture->has_pixels) {
        read_list(e, list);
        compare_segments(c, e, list, picture);
    }
}

static void check_all(struct check *c)
{
    struct pile list = { 0 };

    for (size_t i = 0; i < c->n_files; i++) {
        const struct annotation_file *file = &c->files[i];

        for (size_t k = 0; file->picture_folder && k < file->n_images; k++) {
            struct element e;

            if (!file->pictures[k].name)
                continue;
            e = element_of_annotation(file, file->pictures[k].annotation);
            check_picture(c, &e, &list);
        }
    }
    free(list.at);
}

const struct rule_family panoptic_family = {
    .title = "panoptic segmentation",
    .rules = rules,
    .category = check_category,
    .end = check_end,
    .all = check_all,
};
