/* layout: how the files of a dataset are arranged in folders: its parts, their images and their
 * annotations. One layout per file of layouts/; the build finds it by its name. */
#pragma once

#include "base/arena.h"
#include "base/fault.h"

/* A part of a dataset as its files state it. All texts are in the arena. */
struct layout_part {
    const char *name;          /* "train"; "" for a dataset that is not divided */
    const char *annotations;   /* a file, a folder of labels, or a data.yaml; "": it has none */
    const char *const *images; /* the folders of its images */
    size_t n_images;
    /* Its images are only these files, and those in these folders: paths below its only folder of
     * images. NULL: all are its images. */
    const char *const *places;
    size_t n_places;
    const char *list; /* the file that names them; NULL: there is none */
    /* The folder of its label masks, parallel to its only folder of images; NULL: it has none.
     * `some_masks`: only images with the stem of one in `masked`, sorted by stem, must have masks.
     */
    const char *masks;
    bool some_masks;
    const char *const *masked;
    size_t n_masked;
    const char *mask_name;   /* the template of the names of masks; NULL: the stems of the images */
    const char *mask_ending; /* only files with this ending are masks; NULL: all */
    /* The end of the stems of its images, which copies keep: 1__a000_leftImg8bit.png; or NULL. */
    const char *image_ending;
    const char *index;     /* the file of class names beside labels; NULL: it is searched */
    const char *missing;   /* why it cannot be read; or NULL */
    const char *unmatched; /* a message about lines of a list that name no image; or NULL */
    /* Paths below OUT for an output of the same layout. `below` is the folder of its images; "" is
     * OUT itself. `labels` is the folder of its label files that replaces `below`; NULL: the
     * folder of the format. `file` is its annotation file, or its list of images for a format with
     * one file per image; NULL: none. */
    const char *below, *labels, *file;
    /* The same for its masks; NULL: readers of the layout find no masks. */
    const char *masks_below, *mask_name_below;
    const char *mask_list; /* its list of the images that have masks; NULL: none */
    const char *origin;    /* the name of its dataset, if several are concatenated; or NULL */
};

struct found_layout {
    const struct layout *layout; /* NULL: the path is not a dataset */
    const char *path;            /* the folder of the dataset */
    const char *classes;         /* a file of class names for all parts; "": none */
    struct layout_part *parts;
    size_t n;
    const char *note; /* what is not read, for a message; or NULL */
};

/* The order in which layouts are tried. */
enum layout_order {
    LAYOUT_COMMON,
    LAYOUT_FIRST, /* a dataset that has this layout has no other */
    LAYOUT_LATE,  /* its files may be beside those of other layouts */
    LAYOUT_LAST,  /* a dataset has this layout only if it has no other */
};

struct layout {
    const char *name, *title, *summary; /* "roboflow", "Roboflow COCO", ... */
    /* Recognizes a dataset by its files, and finds its parts; the members of `to` are empty before.
     * Returns false if the path has another layout; then nothing is added to `faults`. If it has
     * this layout but cannot be read, returns true with a fault. */
    bool (*find)(const char *path, struct arena *, struct found_layout *to, struct faults *);
    /* The values of --to that are arranged in this way; ended by NULL. NULL: there is none. */
    const char *const *targets;
    /* Sets `below` and `file` of a part for an output of this layout. Changes its name if readers
     * of this layout expect another word for it. */
    void (*place)(struct arena *, struct layout_part *);
    /* Suffixes of the only images that common readers open, ended by NULL; NULL: they open all. */
    const char *const *suffixes;
    /* The value of --to that writes a dataset of this layout again; NULL: --to is not required. */
    const char *target;
    bool divided;       /* with --to, a dataset without parts gets one */
    bool empty_parts;   /* a part may have no images */
    bool needs_objects; /* common readers refuse a part without any object */
    /* The format of its files of labels, one per image; NULL: it has others. A part may lack
     * all of them. */
    const char *format;
    /* Class folders: labels of images are the folders that they are in. */
    bool labels_are_folders;
    bool packed; /* images are in tars, with their labels */
    enum layout_order order;
};

/* --- for layouts/ --- */

/* Returns the names in a folder, sorted, and NULL at their end. Leaves out hidden names. An
 * unreadable folder has no names. */
const char *const *layout_list(const char *folder, struct arena *);
bool layout_has_folder(const char *folder, const char *name);
/* True if it is a folder to search next, and not a link to a folder of this path. */
bool layout_has_subfolder(const char *folder, const char *name);
bool layout_has_file(const char *folder, const char *name);
/* Reads up to `size` bytes at the beginning of a regular file. Returns their number; 0 if it cannot
 * be read. */
size_t layout_read_head(const char *folder, const char *name, char *to, size_t size);
/* True if the folder `name` has label masks: its first image has one value per pixel. */
bool layout_has_masks(const char *folder, const char *name, struct arena *);
/* Usual names for a folder of images, and for a folder of label masks; NULL follows the last. */
extern const char *const layout_image_words[], *const layout_mask_words[];
bool layout_has_word(const char *const *words, const char *word);
/* True if the word names a part, as common tools use it: train, val, valid, validation, dev, test,
 * ... */
bool layout_is_part(const char *word);
/* True if the name means a part: "train", "val2017". */
bool layout_is_part_name(const char *name);
/* Returns the common word for a part: "train" for train2017 and training, "val" for val2017, valid
 * validation, and "test" for similar words; other names do not change. */
const char *layout_common_name(const char *part);
/* Sets where an output in the layout of Pascal VOC has the files of a part. */
void layout_place_voc(struct arena *, struct layout_part *);
/* Appends a part. */
struct layout_part *layout_add_part(struct found_layout *, struct arena *, const char *name);
/* Sets the folder of its images: `name` below the dataset's path; "": that itself. */
void layout_set_images(const struct found_layout *, struct layout_part *, struct arena *,
                       const char *name);
/* Finds parts whose files of labels, with this suffix, are beside their images: folders such as
 * train, with their subfolders. With `in_images`, parts may also be in the folder "images". Without
 * parts, the folder "images" or the whole dataset is one part. `is_label` tells from the start of a
 * file whether it is one of labels. Adds no part if there are no such files. */
void layout_find_pairs(struct found_layout *, struct arena *, const char *suffix,
                       bool (*is_label)(struct slice head), bool in_images);
