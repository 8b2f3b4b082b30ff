/* layout: functions that layouts share. */
#include "batch/layout/layout.h"

#include "base/files.h"
#include "batch/io/folder.h"
#include "batch/io/image_name.h"
#include "batch/io/open.h"
#include "json/document.h"
#include "pixels/picture.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

const char *const *layout_list(const char *folder, struct arena *arena)
{
    DIR *list = opendir(*folder ? folder : ".");
    const struct dirent *entry;
    struct pile names = { 0 };
    const char **sorted;

    while (list && (entry = readdir(list)))
        if (entry->d_name[0] != '.')
            *(const char **)pile_add(&names, sizeof(const char *)) =
                arena_copy(arena, entry->d_name, strlen(entry->d_name));
    if (list)
        closedir(list);
    if (names.n)
        qsort(names.at, names.n, sizeof(const char *), by_name);
    sorted = ARENA_ARRAY(arena, const char *, names.n + 1);
    if (names.n)
        memcpy(sorted, names.at, names.n * sizeof *sorted);
    free(names.at);
    return sorted;
}

bool layout_has_masks(const char *folder, const char *name, struct arena *arena)
{
    const char *masks = arena_printf(arena, "%s/%s", folder, name);
    const char *const *names = layout_list(masks, arena);
    struct picture_header header;

    while (*names && !name_is_image(*names))
        names++;
    return *names && input_peek(masks, *names, LINKS_FOLLOW, &header) &&
           (header.channels == 1 || header.palette);
}

static mode_t mode_of(const char *folder, const char *name)
{
    struct text path = { 0 };
    struct stat status;
    mode_t mode;

    path_join(&path, folder, name);
    mode = stat(text_string(&path), &status) == 0 ? status.st_mode : 0;
    text_drop(&path);
    return mode;
}

bool layout_has_folder(const char *folder, const char *name)
{
    return S_ISDIR(mode_of(folder, name));
}

bool layout_has_subfolder(const char *folder, const char *name)
{
    struct text path = { 0 };
    struct stat inner, outer;
    bool good;

    path_join(&path, folder, name);
    good = stat(text_string(&path), &inner) == 0 && S_ISDIR(inner.st_mode);
    for (size_t i = path.length; good && i-- > 0;)
        if (path.at[i] == '/') {
            text_cut(&path, i ? i : 1);
            good = stat(text_string(&path), &outer) != 0 || outer.st_dev != inner.st_dev ||
                   outer.st_ino != inner.st_ino;
        }
    text_drop(&path);
    return good;
}

bool layout_has_file(const char *folder, const char *name)
{
    return S_ISREG(mode_of(folder, name));
}

size_t layout_read_head(const char *folder, const char *name, char *to, size_t size)
{
    struct text why = { 0 };
    struct stat status;
    int fd = input_open_regular(*folder ? folder : ".", name, LINKS_FOLLOW, &status, &why);
    ssize_t n = fd >= 0 ? TEMP_FAILURE_RETRY(read(fd, to, size)) : 0;

    if (fd >= 0)
        close(fd);
    text_drop(&why);
    return n > 0 ? (size_t)n : 0;
}

const char *const layout_image_words[] = { "images",  "image",      "imgs",        "img",
                                           "img_dir", "JPEGImages", "leftImg8bit", NULL };

const char *const layout_mask_words[] = { "masks", "mask",         "labels",
                                          "label", "annotations",  "annotation",
                                          "annot", "ann_dir",      "gtFine",
                                          "gt",    "groundtruth",  "ground_truth",
                                          "seg",   "segmentation", "SegmentationClass",
                                          NULL };

bool layout_has_word(const char *const *words, const char *word)
{
    while (*words && strcmp(word, *words) != 0)
        words++;
    return *words;
}

bool layout_is_part(const char *word)
{
    static const char *const words[] = { "train",      "training", "val",         "valid",
                                         "validation", "dev",      "development", "test",
                                         "testing",    "eval",     "minival",     NULL };

    return layout_has_word(words, word);
}

bool layout_is_part_name(const char *name)
{
    return layout_is_part(layout_common_name(name));
}

/* True if a word begins the name and is not a part of a longer word. */
static bool has_word(const char *name, const char *word)
{
    size_t length = strlen(word);

    return strncmp(name, word, length) == 0 && !(name[length] >= 'a' && name[length] <= 'z');
}

const char *layout_common_name(const char *part)
{
    static const struct {
        const char *word, *common;
    } words[] = { { "train", "train" }, { "training", "train" }, { "val", "val" },
                  { "valid", "val" },   { "validation", "val" }, { "test", "test" },
                  { "testing", "test" } };

    for (size_t i = 0; i < COUNTOF(words); i++)
        if (has_word(part, words[i].word))
            return words[i].common;
    return part;
}

struct layout_part *layout_add_part(struct found_layout *to, struct arena *arena, const char *name)
{
    struct layout_part *more = ARENA_ARRAY(arena, struct layout_part, to->n + 1);

    if (to->n)
        memcpy(more, to->parts, to->n * sizeof *more);
    to->parts = more;
    more[to->n] = (struct layout_part){ .name = name, .annotations = "", .below = "" };
    return &more[to->n++];
}

void layout_set_images(const struct found_layout *of, struct layout_part *part, struct arena *arena,
                       const char *name)
{
    const char **folder = ARENA_NEW(arena, const char *);

    *folder = *name ? arena_printf(arena, "%s/%s", of->path, name) : of->path;
    part->images = folder;
    part->n_images = 1;
    part->below = name;
}

void layout_place_voc(struct arena *arena, struct layout_part *part)
{
    part->below = "JPEGImages";
    part->labels = "Annotations";
    part->file = arena_printf(arena, "ImageSets/Main/%s.txt", part->name);
    part->masks_below = "SegmentationClass";
    part->mask_list = arena_printf(arena, "ImageSets/Segmentation/%s.txt", part->name);
}

/* --- labels beside images --- */

typedef bool is_label_fn(struct slice head);

/* True if the folder, or one below it, has images and files of labels. Only the first few files of
 * labels of a folder are read. */
static bool has_pairs(const char *folder, struct arena *arena, const char *suffix,
                      is_label_fn *is_label)
{
    enum { MAX_READ = 4, HEAD_BYTES = 1 << 16 };
    char head[HEAD_BYTES];
    const char *const *names = layout_list(folder, arena);
    bool images = false, labels = false;
    int read = 0;

    for (size_t i = 0; names[i]; i++) {
        images = images || name_is_image(names[i]);
        if (!labels && name_ends_with(names[i], suffix) && read++ < MAX_READ)
            labels = is_label(
                (struct slice){ head, layout_read_head(folder, names[i], head, sizeof head) });
    }
    if (images && labels)
        return true;
    for (size_t i = 0; names[i]; i++)
        if (layout_has_subfolder(folder, names[i]) &&
            has_pairs(arena_printf(arena, "%s/%s", folder, names[i]), arena, suffix, is_label))
            return true;
    return false;
}

static void add_pairs(struct found_layout *to, struct arena *arena, const char *name,
                      const char *folder)
{
    struct layout_part *part = layout_add_part(to, arena, name);

    layout_set_images(to, part, arena, folder);
    part->annotations = part->images[0];
}

/* Adds the folders in `below`, a folder of the dataset, as parts if one of them has a usual name of
 * a part. */
static void add_pair_parts(struct found_layout *to, struct arena *arena, const char *below,
                           const char *suffix, is_label_fn *is_label)
{
    const char *folder = *below ? arena_printf(arena, "%s/%s", to->path, below) : to->path;
    const char *const *names = layout_list(folder, arena);
    bool has_part = false;

    for (size_t i = 0; names[i]; i++)
        if (has_pairs(arena_printf(arena, "%s/%s", folder, names[i]), arena, suffix, is_label)) {
            add_pairs(to, arena, names[i],
                      *below ? arena_printf(arena, "%s/%s", below, names[i]) : names[i]);
            has_part = has_part || layout_is_part_name(names[i]);
        }
    if (!has_part)
        to->n = 0;
}

void layout_find_pairs(struct found_layout *to, struct arena *arena, const char *suffix,
                       is_label_fn *is_label, bool in_images)
{
    static const char *const folders[] = { "", "images" };

    for (size_t i = 0; i < (in_images ? COUNTOF(folders) : 1) && !to->n; i++)
        add_pair_parts(to, arena, folders[i], suffix, is_label);
    for (size_t i = COUNTOF(folders); i-- > 0 && !to->n;)
        if (has_pairs(arena_printf(arena, "%s/%s", to->path, folders[i]), arena, suffix, is_label))
            add_pairs(to, arena, "", folders[i]);
}
