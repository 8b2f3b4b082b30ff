/* mask_folders: images and label masks in parallel folders, without annotations: images/train and
 * masks/train, train/images and train/masks, train and train_masks, or images_train and
 * masks_train; or images and masks, without parts. */
#include "batch/layout/image_list.h"

#include "batch/io/image_name.h"

#include <string.h>

#define LISTS "ImageSets/Segmentation" /* of Pascal VOC */

/* Endings of the stems of images, and those of their masks instead, as common datasets have them.
 * The first that the masks of a folder have counts. */
static const struct {
    const char *image, *mask;
} endings[] = {
    { "_leftImg8bit", "_gtFine_labelTrainIds" },
    { "_leftImg8bit", "_gtFine_labelIds" },
    { "", "_mask" },
    { "", "_L" },
    { "", "_P" },
    { "", "_label" },
    { "", "_labels" },
    { "", "_seg" },
    { "", "_segmentation" },
    { "", "_gt" },
    { "_sat", "_mask" },
    { "_image", "_mask" },
    { "_img", "_mask" },
    { "_image", "_label" },
    { "_0000", "" },
};

/* Folders of masks beside a folder of images: train_masks beside train. */
static const char *const beside[] = { "_masks", "_mask", "_labels", "_label", "annot", "_gt" };

/* True if all files in the folder and below it are PNG images, and there is one. */
static bool has_masks(const char *folder, struct arena *arena)
{
    const char *const *names = layout_list(folder, arena);
    bool has = false;

    for (size_t i = 0; names[i]; i++) {
        if (layout_has_folder(folder, names[i])) {
            if (layout_has_subfolder(folder, names[i]) &&
                !has_masks(arena_printf(arena, "%s/%s", folder, names[i]), arena))
                return false;
        } else if (name_format(names[i]) != PICTURE_PNG) {
            return false;
        }
        has = true;
    }
    return has;
}

/* --- names of masks --- */

/* Returns the path of the first image below the folder, whose own path below it is `below`; or
 * NULL. */
static const char *first_image(const char *folder, const char *below, struct arena *arena)
{
    const char *const *names = layout_list(arena_printf(arena, "%s/%s", folder, below), arena);
    const char *found = NULL;

    for (size_t i = 0; names[i] && !found; i++)
        if (name_is_image(names[i]))
            found = arena_printf(arena, "%s%s", below, names[i]);
    for (size_t i = 0; names[i] && !found; i++)
        if (layout_has_subfolder(arena_printf(arena, "%s/%s", folder, below), names[i]))
            found = first_image(folder, arena_printf(arena, "%s%s/", below, names[i]), arena);
    return found;
}

static bool ends_with(const char *text, size_t length, const char *ending)
{
    size_t own = strlen(ending);

    return length > own && memcmp(text + length - own, ending, own) == 0;
}

/* Returns the index of the endings of the first image and its mask. Returns COUNTOF(endings) if
 * their stems are equal, or if the image has no mask. */
static size_t find_endings(const char *images, const char *masks, struct arena *arena)
{
    const char *image = first_image(images, "", arena);
    enum picture_format format;
    size_t stem = image ? (size_t)(name_suffix(image, &format) - image) : 0, i = 0;

    if (!image || layout_has_file(masks, arena_printf(arena, "%.*s.png", (int)stem, image)))
        return COUNTOF(endings);
    while (i < COUNTOF(endings) &&
           (!ends_with(image, stem, endings[i].image) ||
            !layout_has_file(masks, arena_printf(arena, "%.*s%s.png",
                                                 (int)(stem - strlen(endings[i].image)), image,
                                                 endings[i].mask))))
        i++;
    return i;
}

/* True if the names of all files in the folder and below it have the ending. */
static bool all_end_with(const char *folder, const char *ending, struct arena *arena)
{
    const char *const *names = layout_list(folder, arena);

    for (; *names; names++)
        if (layout_has_folder(folder, *names)
                ? layout_has_subfolder(folder, *names) &&
                      !all_end_with(arena_printf(arena, "%s/%s", folder, *names), ending, arena)
                : !ends_with(*names, strlen(*names), ending))
            return false;
    return true;
}

/* --- parts --- */

static void add_note(struct found_layout *to, struct arena *arena, const char *note)
{
    to->note = to->note ? arena_printf(arena, "%s; %s", to->note, note) : note;
}

/* Adds a part whose images and masks are in these folders below the path. */
static void add_part(struct found_layout *to, struct arena *arena, const char *name,
                     const char *images, const char *masks)
{
    struct layout_part *part = layout_add_part(to, arena, name);
    const char *folder;
    size_t ending;

    layout_set_images(to, part, arena, images);
    part->masks_below = masks;
    folder = arena_printf(arena, "%s/%s", to->path, masks);
    if (!*layout_list(folder, arena))
        return;
    part->masks = folder;
    ending = find_endings(part->images[0], part->masks, arena);
    if (ending == COUNTOF(endings))
        return;
    part->mask_name = *endings[ending].image
                          ? arena_printf(arena, "{dir}/{stem/%s/%s}.png", endings[ending].image,
                                         endings[ending].mask)
                          : arena_printf(arena, "{dir}/{stem}%s.png", endings[ending].mask);
    part->mask_name_below = part->mask_name;
    part->image_ending = endings[ending].image;
    part->mask_ending = arena_printf(arena, "%s.png", endings[ending].mask);
    if (!all_end_with(part->masks, part->mask_ending, arena))
        add_note(to, arena,
                 arena_printf(arena, "of %s, only files *%s are read", masks, part->mask_ending));
}

/* True if the part has masks, and nothing else where they are. */
static bool is_masked(const struct layout_part *part, struct arena *arena)
{
    return part->masks && (part->mask_name || has_masks(part->masks, arena));
}

/* Takes the parts that were added, if they have masks. */
static bool take_parts(struct found_layout *to, struct arena *arena)
{
    size_t masked = 0, other = 0;

    for (size_t i = 0; i < to->n; i++) {
        masked += is_masked(&to->parts[i], arena);
        other += to->parts[i].masks && !is_masked(&to->parts[i], arena);
    }
    if (masked && !other)
        return true;
    to->n = 0;
    to->note = NULL;
    return false;
}

/* True if the folders in a folder are parts: there are no other folders, and no images. */
static bool has_parts(const char *folder, struct arena *arena)
{
    const char *const *names = layout_list(folder, arena);
    size_t n = 0;

    for (size_t i = 0; names[i]; i++) {
        if (name_is_image(names[i]) ||
            (layout_has_folder(folder, names[i]) && !layout_is_part_name(names[i])))
            return false;
        n += layout_has_folder(folder, names[i]);
    }
    return n;
}

static void place(struct arena *arena, struct layout_part *part)
{
    const char *slash = *part->name ? "/" : "";

    part->below = arena_printf(arena, "images%s%s", slash, part->name);
    part->masks_below = arena_printf(arena, "masks%s%s", slash, part->name);
}

/* True if an image of the list has a mask. */
static bool has_mask(const struct layout_part *part, struct arena *arena)
{
    for (size_t i = 0; part->masks && i < part->n_places; i++)
        if (layout_has_file(
                part->masks,
                arena_printf(arena, "%.*s.png", (int)name_stem(part->places[i]), part->places[i])))
            return true;
    return false;
}

/* Adds the part of a list. Its images are placed apart from those of other lists. */
static void add_list(struct found_layout *to, struct arena *arena, const char *name,
                     const char *images, const char *masks, const struct folder_images *all)
{
    struct layout_part *part;
    size_t n;

    add_part(to, arena, name, images, masks);
    part = &to->parts[to->n - 1];
    image_list_take(all, arena_printf(arena, "%s/" LISTS "/%s.txt", to->path, name), arena, part,
                    &n);
    if (part->unmatched)
        part->missing = arena_printf(arena, LISTS "/%s.txt names %zu images, but %s has only %zu",
                                     name, n, images, part->n_places);
    if (!has_mask(part, arena))
        part->masks = NULL;
    place(arena, part);
}

/* Finds the parts of JPEGImages and SegmentationClass. The list of two others is left out. */
static bool find_lists(struct found_layout *to, struct arena *arena, const char *images,
                       const char *masks)
{
    const char *folder = arena_printf(arena, "%s/" LISTS, to->path);
    const char *const *names = layout_list(folder, arena);
    bool halves = layout_has_file(folder, "train.txt") && layout_has_file(folder, "val.txt");
    struct folder_images all = { 0 };
    struct text why = { 0 };

    if (!*names ||
        !folder_images_read(arena_printf(arena, "%s/%s", to->path, images), arena, &all, &why)) {
        text_drop(&why);
        return false;
    }
    for (size_t i = 0; names[i]; i++) {
        size_t length = strlen(names[i]);

        if (length < 5 || strcmp(names[i] + length - 4, ".txt") != 0 ||
            (halves && strcmp(names[i], "trainval.txt") == 0))
            continue;
        add_list(to, arena, arena_copy(arena, names[i], length - 4), images, masks, &all);
    }
    return take_parts(to, arena);
}

/* Notes masks of parts that have no images. */
static void note_parts(struct found_layout *to, struct arena *arena, const char *images,
                       const char *masks)
{
    const char *folder = arena_printf(arena, "%s/%s", to->path, masks);
    const char *const *names = layout_list(folder, arena);

    for (; *names; names++)
        if (layout_has_folder(folder, *names) &&
            !layout_has_folder(to->path, arena_printf(arena, "%s/%s", images, *names)))
            add_note(to, arena,
                     arena_printf(arena, "%s/%s is not read: there is no folder %s/%s", masks,
                                  *names, images, *names));
}

/* Finds images/train and masks/train, and so on, or images and masks. */
static bool find_parallel(struct found_layout *to, struct arena *arena, const char *images,
                          const char *masks)
{
    const char *folder = arena_printf(arena, "%s/%s", to->path, images);
    const char *const *names = layout_list(folder, arena);

    if (find_lists(to, arena, images, masks))
        return true;
    if (!has_parts(folder, arena)) {
        add_part(to, arena, "", images, masks);
        return take_parts(to, arena);
    }
    for (size_t i = 0; names[i]; i++)
        if (layout_has_folder(folder, names[i]))
            add_part(to, arena, names[i], arena_printf(arena, "%s/%s", images, names[i]),
                     arena_printf(arena, "%s/%s", masks, names[i]));
    if (!take_parts(to, arena))
        return false;
    note_parts(to, arena, images, masks);
    return true;
}

/* Returns the first folder in a folder whose name is one of the words; or NULL. */
static const char *find_word(const char *folder, const char *const *words, struct arena *arena)
{
    const char *const *names = layout_list(folder, arena);

    for (; *names; names++)
        if (layout_has_word(words, *names) && layout_has_folder(folder, *names))
            return *names;
    return NULL;
}

/* Finds train/images and train/masks, and so on. */
static bool find_below(struct found_layout *to, struct arena *arena)
{
    const char *const *names = layout_list(to->path, arena);

    for (size_t i = 0; names[i]; i++) {
        const char *folder = arena_printf(arena, "%s/%s", to->path, names[i]);
        const char *images = find_word(folder, layout_image_words, arena);
        const char *masks = find_word(folder, layout_mask_words, arena);

        if (layout_is_part_name(names[i]) && images)
            add_part(to, arena, names[i], arena_printf(arena, "%s/%s", names[i], images),
                     arena_printf(arena, "%s/%s", names[i], masks ? masks : "masks"));
    }
    return take_parts(to, arena);
}

/* Finds train and train_masks, and so on. */
static bool find_beside(struct found_layout *to, struct arena *arena, const char *suffix)
{
    const char *const *names = layout_list(to->path, arena);

    for (size_t i = 0; names[i]; i++)
        if (layout_is_part(names[i]) && layout_has_folder(to->path, names[i]))
            add_part(to, arena, names[i], names[i], arena_printf(arena, "%s%s", names[i], suffix));
    return take_parts(to, arena);
}

static bool is_joint(char c)
{
    return c == '_' || c == '-';
}

/* Finds the word for images at the start or at the end of the name of a folder: images_train,
 * imagesTr or train_images. Returns the word, with its place in the name; or NULL. */
static const char *find_image_word(const char *name, size_t *at)
{
    size_t length = strlen(name);

    for (const char *const *words = layout_image_words; *words; words++) {
        size_t own = strlen(*words);

        if (own >= length)
            continue;
        *at = length - own;
        if (strcmp(name + *at, *words) == 0 && is_joint(name[*at - 1]))
            return *words;
        *at = 0;
        if (memcmp(name, *words, own) == 0 &&
            (is_joint(name[own]) || (name[own] >= 'A' && name[own] <= 'Z')))
            return *words;
    }
    return NULL;
}

/* Returns the name of the part of images_prepped_train or train_images; NULL: it is no part. */
static const char *joint_part(const char *name, const char *word, size_t at, struct arena *arena)
{
    const char *part = at ? arena_copy(arena, name, at - 1) : name + strlen(word);
    const char *end = part + strlen(part);

    part += is_joint(*part);
    while (end > part && !is_joint(end[-1]))
        end--;
    return layout_is_part_name(end) || strcmp(part, "Tr") == 0 || strcmp(part, "Ts") == 0
               ? part /* Tr and Ts are the parts of nnU-Net */
               : NULL;
}

/* Finds images_train and masks_train, and so on. */
static bool find_joint(struct found_layout *to, struct arena *arena, const char *masks)
{
    const char *const *names = layout_list(to->path, arena);

    for (size_t i = 0; names[i]; i++) {
        size_t at;
        const char *word = find_image_word(names[i], &at);
        const char *part = word ? joint_part(names[i], word, at, arena) : NULL;

        if (part && layout_has_folder(to->path, names[i]))
            add_part(to, arena, part, names[i],
                     arena_printf(arena, "%.*s%s%s", (int)at, names[i], masks,
                                  names[i] + at + strlen(word)));
    }
    return take_parts(to, arena);
}

static bool find(const char *path, struct arena *arena, struct found_layout *to,
                 struct faults *faults)
{
    const char *const *names = layout_list(path, arena);

    (void)faults;
    for (size_t i = 0; names[i]; i++)
        for (size_t k = 0; layout_has_word(layout_image_words, names[i]) && names[k]; k++)
            if (layout_has_word(layout_mask_words, names[k]) && layout_has_folder(path, names[i]) &&
                layout_has_folder(path, names[k]) && find_parallel(to, arena, names[i], names[k]))
                return true;
    for (size_t i = 0; i < COUNTOF(beside); i++)
        if (find_beside(to, arena, beside[i]))
            return true;
    for (size_t i = 0; layout_mask_words[i]; i++)
        if (find_joint(to, arena, layout_mask_words[i]))
            return true;
    return find_below(to, arena);
}

const struct layout mask_folders_layout = {
    .name = "masks",
    .title = "Folders of masks",
    .summary = "images/train/x.jpg and masks/train/x.png, and so on, and no annotations",
    .find = find,
    .place = place,
    .order = LAYOUT_LATE,
};
