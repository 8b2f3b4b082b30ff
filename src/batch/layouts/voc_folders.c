/* voc_folders: Annotations and JPEGImages, and lists of stems in ImageSets/Main; or VOCdevkit with
 * such a folder per year. */
#include "batch/layout/image_list.h"

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

/* True if the folder or one below it has an XML file. */
static bool has_xml(const char *folder, struct arena *arena)
{
    const char *const *names = layout_list(folder, arena);

    for (size_t i = 0; names[i]; i++)
        if (name_ends_with(names[i], ".xml"))
            return true;
    for (size_t i = 0; names[i]; i++)
        if (layout_has_subfolder(folder, names[i]) &&
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

static struct layout_part *add_part(struct found_layout *to, struct arena *arena, const char *root,
                                    const char *name)
{
    struct layout_part *part = layout_add_part(to, arena, name);
    const char **images = ARENA_NEW(arena, const char *);

    part->annotations = find_labels(root, arena, images);
    part->images = images;
    part->n_images = 1;
    layout_place_voc(arena, part);
    return part;
}

/* --- lists --- */

static bool has_list(const char *const *names, const char *stem, size_t length)
{
    for (; *names; names++)
        if (strlen(*names) == length + strlen(".txt") && strncmp(*names, stem, length) == 0 &&
            name_ends_with(*names, ".txt"))
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

/* Adds the part of a list. A list without lines is only noted. */
static void add_list(struct found_layout *to, struct arena *arena, const char *root,
                     const char *name, const char *list, struct folder_images *images,
                     struct text *note)
{
    struct layout_part *part = add_part(to, arena, root, name);
    struct text why = { 0 };

    if (!images->at && !folder_images_read(part->images[0], arena, images, &why))
        part->missing = arena_printf(arena, "%s: %s", part->images[0], text_string(&why));
    else if (!image_list_take(images, list, arena, part, NULL)) {
        leave_out(note, arena_printf(arena, "%s, which is empty", list));
        to->n--;
    }
    text_drop(&why);
}

/* Finds images of one list among those of another; both are in the same order. Returns false if the
 * other one lacks an image. Otherwise marks those found in `found`, unless that is NULL. */
static bool find_images(const struct layout_part *of, const struct layout_part *in, bool *found)
{
    size_t k = 0;

    for (size_t i = 0; i < of->n_places; i++, k++) {
        while (k < in->n_places && in->places[k] != of->places[i])
            k++;
        if (k == in->n_places)
            return false;
        if (found)
            found[k] = true;
    }
    return true;
}

/* True if the images of part i are exactly those of several smaller lists. `members` gets their
 * names. Lists with a common word for a part are never left out. */
static bool is_union(const struct layout_part *parts, size_t n, size_t i, struct arena *arena,
                     struct text *members)
{
    const struct layout_part *whole = &parts[i];
    bool *found = ARENA_ARRAY(arena, bool, whole->n_places + 1);
    size_t n_members = 0;

    text_clear(members);
    for (size_t k = 0; k < n; k++)
        if (parts[k].n_places && parts[k].n_places < whole->n_places &&
            find_images(&parts[k], whole, NULL)) {
            (void)find_images(&parts[k], whole, found);
            text_addf(members, "%s%s", n_members++ ? " and " : "", parts[k].name);
        }
    for (size_t k = 0; k < whole->n_places; k++)
        if (!found[k])
            return false;
    return n_members > 1;
}

/* Leaves out lists that are made of other ones. */
static void drop_unions(struct layout_part *parts, size_t *n, struct arena *arena,
                        struct text *note)
{
    bool *drop = ARENA_ARRAY(arena, bool, *n + 1);
    struct text members = { 0 };
    size_t kept = 0;

    for (size_t i = 0; i < *n; i++) {
        drop[i] = !layout_is_part(layout_common_name(parts[i].name)) &&
                  is_union(parts, *n, i, arena, &members);
        if (drop[i])
            leave_out(note, arena_printf(arena, "%s (%s)", parts[i].file, text_string(&members)));
    }
    for (size_t i = 0; i < *n; i++)
        if (!drop[i])
            parts[kept++] = parts[i];
    *n = kept;
    text_drop(&members);
}

/* `year` is appended to the names of parts. */
static void add_lists(struct found_layout *to, struct arena *arena, const char *root,
                      const char *year, struct folder_images *images, struct text *note)
{
    const char *folder = arena_printf(arena, "%s/" LISTS, root);
    const char *const *names = layout_list(folder, arena);
    bool class_lists = false, lists = false;
    size_t before = to->n, n;
    bool halves = has_list(names, "train", 5) && has_list(names, "val", 3);

    for (size_t i = 0; names[i]; i++) {
        const char *stem;

        if (!name_ends_with(names[i], ".txt"))
            continue;
        lists = true;
        if (is_class_list(names, names[i])) {
            class_lists = true;
        } else if (halves && strcmp(names[i], "trainval.txt") == 0) {
            leave_out(note, LISTS "/trainval.txt (train and val)");
        } else {
            stem = arena_copy(arena, names[i], strlen(names[i]) - strlen(".txt"));
            add_list(to, arena, root, arena_printf(arena, "%s%s", stem, year),
                     arena_printf(arena, "%s/%s", folder, names[i]), images, note);
        }
    }
    n = to->n - before;
    drop_unions(to->parts + before, &n, arena, note);
    to->n = before + n;
    if (class_lists)
        leave_out(note, "lists of one class in " LISTS);
    if (!lists)
        add_part(to, arena, root, arena_printf(arena, "train%s", year));
}

/* Images in the list of images with masks must have masks; others may have them. */
static void set_masks(struct layout_part *part, struct arena *arena, const char *root,
                      const char *year, struct folder_images *images)
{
    struct layout_part masked = { .images = part->images };
    struct text why = { 0 };
    const char *list = arena_printf(arena, MASK_LISTS "/%.*s.txt",
                                    (int)(strlen(part->name) - strlen(year)), part->name);

    part->masks = arena_printf(arena, "%s/" MASKS, root);
    part->some_masks = true;
    if (layout_has_file(root, list) &&
        (images->at || folder_images_read(part->images[0], arena, images, &why))) {
        image_list_take(images, arena_printf(arena, "%s/%s", root, list), arena, &masked, NULL);
        part->masked = masked.places;
        part->n_masked = masked.n_places;
    }
    text_drop(&why);
}

static void add_root(struct found_layout *to, struct arena *arena, const char *root,
                     const char *year, struct text *note)
{
    struct folder_images images = { 0 };
    size_t before = to->n;

    add_lists(to, arena, root, year, &images, note);
    if (layout_has_masks(root, MASKS, arena))
        for (size_t i = before; i < to->n; i++)
            set_masks(&to->parts[i], arena, root, year, &images);
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
    layout_place_voc(arena, part);
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
    .divided = true,
};
