/* voc_folders: Annotations and JPEGImages, and lists of stems in ImageSets/Main; or VOCdevkit with
 * such a folder per year. */
#include "batch/layout/layout.h"

#include "base/files.h"

#include <string.h>

#define LISTS "ImageSets/Main"
#define MASKS "SegmentationClass" /* of some images */
#define MASK_LISTS "ImageSets/Segmentation"

/* Names of the two folders: those of Pascal VOC first. */
static const struct {
    const char *labels, *images;
} pairs[] = { { "Annotations", "JPEGImages" },
              { "Annotations", "images" },
              { "annotations", "images" },
              { "annotations", "JPEGImages" } };

static bool ends_with(const char *name, const char *suffix)
{
    size_t length = strlen(name), own = strlen(suffix);

    return length > own && strcmp(name + length - own, suffix) == 0;
}

/* True if the folder or one below it has an XML file. */
static bool has_xml(const char *folder, struct arena *arena)
{
    const char *const *names = layout_list(folder, arena);

    for (size_t i = 0; names[i]; i++)
        if (ends_with(names[i], ".xml"))
            return true;
    for (size_t i = 0; names[i]; i++)
        if (layout_has_folder(folder, names[i]) &&
            has_xml(arena_printf(arena, "%s/%s", folder, names[i]), arena))
            return true;
    return false;
}

/* Returns the folder of labels below `path`, and the folder of its images; NULL if there are none.
 */
static const char *find_labels(const char *path, struct arena *arena, const char **images)
{
    for (size_t i = 0; i < COUNTOF(pairs); i++)
        if (layout_has_folder(path, pairs[i].labels) && layout_has_folder(path, pairs[i].images) &&
            has_xml(arena_printf(arena, "%s/%s", path, pairs[i].labels), arena)) {
            *images = arena_printf(arena, "%s/%s", path, pairs[i].images);
            return arena_printf(arena, "%s/%s", path, pairs[i].labels);
        }
    return NULL;
}

static void place_voc(struct arena *arena, struct layout_part *part)
{
    part->below = "JPEGImages";
    part->labels = "Annotations";
    part->file = *part->name ? arena_printf(arena, LISTS "/%s.txt", part->name) : NULL;
    part->masks_below = MASKS;
    part->mask_list = *part->name ? arena_printf(arena, MASK_LISTS "/%s.txt", part->name) : NULL;
}

static void add_part(struct found_layout *to, struct arena *arena, const char *root,
                     const char *name, const char *list)
{
    struct layout_part *part = layout_add_part(to, arena, name);
    const char **images = ARENA_NEW(arena, const char *);

    part->annotations = find_labels(root, arena, images);
    part->images = images;
    part->n_images = 1;
    part->list = list;
    place_voc(arena, part);
}

/* --- lists --- */

static bool has_list(const char *const *names, const char *stem, size_t length)
{
    for (; *names; names++)
        if (strlen(*names) == length + strlen(".txt") && strncmp(*names, stem, length) == 0 &&
            ends_with(*names, ".txt"))
            return true;
    return false;
}

/* True for a list such as cat_train.txt, which says which images of train.txt show a cat. */
static bool is_class_list(const char *const *names, const char *name)
{
    const char *end = strrchr(name, '_');

    return end && has_list(names, end + 1, strlen(end + 1) - strlen(".txt"));
}

/* Adds what is not read. */
static void leave_out(struct text *note, const char *what)
{
    text_addf(note, "%s%s", note->length ? ", " : "", what);
}

/* `year` is appended to the names of parts. */
static void add_lists(struct found_layout *to, struct arena *arena, const char *root,
                      const char *year, struct text *note)
{
    const char *folder = arena_printf(arena, "%s/" LISTS, root);
    const char *const *names = layout_list(folder, arena);
    size_t before = to->n;
    bool class_lists = false;
    bool halves = has_list(names, "train", 5) && has_list(names, "val", 3);

    for (size_t i = 0; names[i]; i++) {
        const char *stem;

        if (!ends_with(names[i], ".txt"))
            continue;
        if (is_class_list(names, names[i])) {
            class_lists = true;
        } else if (halves && strcmp(names[i], "trainval.txt") == 0) {
            leave_out(note, LISTS "/trainval.txt");
        } else {
            stem = arena_copy(arena, names[i], strlen(names[i]) - strlen(".txt"));
            add_part(to, arena, root, arena_printf(arena, "%s%s", stem, year),
                     arena_printf(arena, "%s/%s", folder, names[i]));
        }
    }
    if (class_lists)
        leave_out(note, "lists of one class in " LISTS);
    if (to->n == before)
        add_part(to, arena, root, year, NULL);
}

/* Images in the list of images with masks must have masks; others may have them. */
static void set_masks(struct layout_part *part, struct arena *arena, const char *root,
                      const char *year)
{
    const char *list = arena_printf(arena, "%s/" MASK_LISTS "/%.*s.txt", root,
                                    (int)(strlen(part->name) - strlen(year)), part->name);

    part->masks = arena_printf(arena, "%s/" MASKS, root);
    part->some_masks = true;
    part->masked = layout_read_list(list, arena, &part->n_masked);
}

static void add_root(struct found_layout *to, struct arena *arena, const char *root,
                     const char *year, struct text *note)
{
    size_t before = to->n;

    add_lists(to, arena, root, year, note);
    if (layout_has_masks(root, MASKS, arena))
        for (size_t i = before; i < to->n; i++)
            set_masks(&to->parts[i], arena, root, year);
    else if (layout_has_folder(root, MASKS))
        leave_out(note, MASKS " (no masks with one value per pixel)");
    if (layout_has_folder(root, "SegmentationObject"))
        leave_out(note, "SegmentationObject");
    if (!*to->classes && layout_has_file(root, "labelmap.txt"))
        to->classes = arena_printf(arena, "%s/labelmap.txt", root);
}

/* Adds the years in a folder. The names of their parts get the year if there are several. */
static void add_years(struct found_layout *to, struct arena *arena, const char *folder,
                      struct text *note)
{
    const char *const *names = layout_list(folder, arena), *images;
    size_t n = 0;

    for (size_t i = 0; names[i]; i++)
        n += strncmp(names[i], "VOC", 3) == 0 &&
             find_labels(arena_printf(arena, "%s/%s", folder, names[i]), arena, &images);
    for (size_t i = 0; names[i] && n; i++) {
        const char *root = arena_printf(arena, "%s/%s", folder, names[i]);

        if (strncmp(names[i], "VOC", 3) == 0 && find_labels(root, arena, &images))
            add_root(to, arena, root, n > 1 ? names[i] + 3 : "", note);
    }
}

static bool find(const char *path, struct arena *arena, struct found_layout *to,
                 struct faults *faults)
{
    struct text note = { 0 };
    const char *images;

    (void)faults;
    if (find_labels(path, arena, &images))
        add_root(to, arena, path, "", &note);
    else if (layout_has_folder(path, "VOCdevkit"))
        add_years(to, arena, arena_printf(arena, "%s/VOCdevkit", path), &note);
    else
        add_years(to, arena, path, &note);
    if (note.length)
        to->note = arena_printf(arena, "these are not read: %s", text_string(&note));
    text_drop(&note);
    return to->n;
}

/* Readers know train, val, trainval and test. */
static void place(struct arena *arena, struct layout_part *part)
{
    part->name = *part->name ? layout_common_name(part->name) : "train";
    place_voc(arena, part);
}

static const char *const targets[] = { "voc", NULL };
static const char *const suffixes[] = { ".jpg", NULL };

const struct layout voc_folders_layout = {
    .name = "voc",
    .title = "Pascal VOC",
    .summary = "JPEGImages, Annotations, and ImageSets/Main/train.txt and so on",
    .find = find,
    .targets = targets,
    .place = place,
    .suffixes = suffixes,
};
