/* format: what a file of formats/ may see: a dataset is records (images) with objects.
 *
 * A format reads an annotation file into a dataset once, before workers are forked; workers then
 * load the objects of one record at a time and print what has become of them; the parent puts the
 * fragments together in input order. Formats carry what they do not understand. */
#pragma once

#include "base/fault.h"
#include "base/number.h"
#include "base/text.h"
#include "json/document.h"
#include "base/id_index.h"
#include "json/members.h"
#include "json/scan.h"
#include "json/value.h"
#include "sample/sample.h"

#include <stdio.h>

/* One image of the dataset. */
struct record {
    const char *name; /* file name as given, relative to the images folder */
    const char
        *seed_key; /* what its random numbers are drawn from: the name, or what the file says */
    /* The same of its picture of labels; NULL: it has none, or one named like the image. */
    const char *mask;
    const char *annotated; /* the name as the file has it, where `name` is another; or NULL */
    int64_t id;
    int width, height; /* as annotated; 0 when the file does not say */
    size_t n_objects;
};

struct format;
struct categories;
struct class_list;
struct parts;

/* Where Pascal VOC's corners count from. From 1 they are pixels, the last ones inside; from 0 they
 * are coordinates. */
enum voc_base { VOC_BASE_UNKNOWN, VOC_BASE_0, VOC_BASE_1 };

/* What a format has no place for, and in how many objects or files: counted before work begins. */
struct omission {
    const char *what; /* "object{s} with a mask": without the bracket's letter where n is 1 */
    size_t n;
};
struct omissions {
    struct arena arena; /* of the words that are no constants */
    struct omission at[24];
    size_t n;
};
/* Count one more; what finds no room is counted as the last. */
void omissions_add(struct omissions *, const char *what);
/* Returns why labels have no place for an object with these bounds, in words for omissions_add, or
 * NULL. The frame is the image's; 0 x 0: unknown. */
const char *omission_of_bounds(const struct object *, struct box bounds, struct frame);
/* Returns the same for the name of an image whose labels are written to a folder. */
const char *omission_of_name(const char *name);
/* Returns the bounds of an object as it was loaded: its box, or those of its segmentation. */
struct box object_loaded_bounds(const struct object *);

/* A property of an object that struct object does not have. */
struct extra {
    struct slice name;
    struct slice value; /* as it stands in the source */
    bool json;          /* is the value JSON? Else plain text */
    bool flag;          /* one that COCO's file takes over: difficult, truncated and so on */
    bool usual;         /* its value says no more than its absence would */
};

/* A way in which a file deviates from its format's rules, and was read all the same. */
struct note {
    const char *code, *path; /* of its first place; "" for the file itself */
    size_t times;
};

struct dataset {
    const struct format *format;
    const char *file; /* name and text of what it was read from, for faults found later */
    struct slice text;
    bool lenient;  /* what may be wrong with it, but can be read, is a note and no fault */
    bool joined;   /* images may be joined: labels of images may get other weights */
    bool listless; /* nobody asks for images: a format without them needs no list */
    struct arena *arena;
    struct record *records;
    size_t n_records;
    const struct category *categories;
    size_t n_categories;
    const struct categories *lookup; /* the same by their ids; NULL when the file has no list */
    enum voc_base voc_base;          /* before reading: VOC_BASE_UNKNOWN leaves it to the files */
    struct slice mixed_base; /* a corner that counts from 0 where others count from 1; or NULL */
    struct slice categories_text; /* as they stand in the text */
    /* A fault of runs that mirror: the first object whose keypoints no category names, or NULL. */
    const struct fault *unnamed;
    const struct dataset *list; /* where the images are from, if not from the file itself */
    /* Of a format with many files: the text is all of them, one behind the other. One stretch of it
     * for each record, whose `at` is NULL where the record has no file. */
    const struct fault_file *files;
    size_t n_files;
    const struct slice *labels;
    struct slice index; /* the file with the names of the classes; `at` is NULL: there is none */
    const char *index_name;
    /* The absolute folders of its images, and which one has a record (NULL: the first). */
    const char *const *roots;
    size_t n_roots;
    const uint8_t *root_of;
    const struct class_list *classes; /* of --classes; NULL: the source has them */
    struct parts *parts; /* what the written index divides it into; see labels/shared/parts.h */
    /* What the annotations are written by: the format itself, or that of --to. */
    const struct format *writer;
    int writes;               /* of that format, what --to asks for: see its file */
    const struct note *notes; /* in the order of the text */
    size_t n_notes;
    /* Members of objects that hold geometry and are none of the format's: they stay as they are. */
    const char *const *loose_keys;
    size_t n_loose_keys;
    size_t n_objects;   /* in all records */
    bool text_ids;      /* the ids of images or of objects are strings */
    int64_t largest_id; /* of a record or an object: ids times K must stay below 2^53 */
    void *state;        /* the format's own */
};

/* One output of a record. */
struct output {
    unsigned k, of;   /* the k-th (from 0) of K; ids i become i * K + k when K > 1 */
    const char *name; /* of the written image, relative to the images folder */
    const char *mask; /* of the written picture of labels, too; or NULL */
    struct frame frame;
    bool renamed, resized; /* does name or frame differ from what the record says? */
    int channels;          /* of the image as read */
    /* Are its objects numbered again, as they may be of several records? Then these are the ids of
     * the image, and of the object that is printed; else the source's ids stay, but for K. */
    bool numbered;
    int64_t image_id, object_id;
    struct slice image_text; /* where objects are numbered, and the image's id is a text: that */
    size_t place;            /* of the object among those of the output that stay */
    /* Labels of the image beside those among its objects. */
    const struct image_label *labels;
    size_t n_labels;
    bool relabelled; /* are they others than the record's? */

    const struct rules *rules; /* or NULL: all keys of the record stay */
};

/* For faults of a dataset: its name, text and files. */
static inline struct faults dataset_faults(const struct dataset *d)
{
    return (struct faults){
        .name = d->file, .text = d->text, .files = d->files, .n_files = d->n_files
    };
}

/* What can be seen of an annotation file without reading all of it, and before its grammar is known
 * to be right: what tells one format from another. */
struct glance {
    char root;            /* what the text begins with, as '{' or '['; '\0' when it is blank */
    struct slice element; /* the first of its "annotations", or of a root that is a list; its `at`
                             is NULL when there is none */
};

struct glance glance_at(struct slice text);
/* Is the element an object with this key? */
bool glance_has(const struct glance *, const char *key);

/* Bits of the targets and properties that labels cannot have. Settings of a pipeline's annotations
 * about these cannot be followed, or have no effect. */
enum label_absence {
    LACKS_OBJECTS = 1,
    LACKS_KEYS = 2, /* members of objects that can be dropped or moved */
    LACKS_KEYPOINTS = 4,
    LACKS_BOXED_OUTLINES = 8, /* objects with both a box and an outline */
    LACKS_RLE = 16,
    LACKS_POLYGONS = 32,
    LACKS_IDS = 64,    /* of objects */
    LACKS_MASKS = 128, /* pictures of labels */
    LACKS_OUTLINES = 256,
    LACKS_DIALECTS = 512,    /* what --compat is about: ways to deviate from the format */
    LACKS_SIZES = 1024,      /* of images */
    LACKS_IMAGE_KEYS = 2048, /* members of images that can be dropped */
};

struct format {
    const char *name, *summary;
    /* Is it a file of this format? NULL for the one format that all others are read as, which then
     * says what is wrong with them. */
    bool (*detect)(const struct glance *);
    /* What the names of its files end in, where that tells them from others, as ".csv"; or NULL.
     * Such a file is written as it is read, without elements of objects, to OUT as `file`. */
    const char *ending, *file;
    /* It numbers the classes that occur, or those of the dataset's `classes`. Other formats state
     * their classes. */
    bool numbers_classes;
    /* Its files have no images: the dataset's `list` is another one that has them. */
    bool listed;
    /* A format with a file of labels for each image: their suffix, with its dot; the folder of OUT
     * that they are written to; a file of OUT that is written beside them, or NULL. NULL, all of
     * them, for formats of one file. */
    const char *suffix, *folder, *index;
    /* Read `faults->text` (which stays mapped as long as the dataset lives). False, with faults,
     * when it cannot be read. With a suffix, the dataset has its records and their labels before;
     * what is wrong with a single one is left to `load`. */
    bool (*read)(struct faults *, struct dataset *);
    /* As the format of --to: what writes datasets of other formats; NULL: itself. */
    const struct format *foreign;
    /* Fill in sample->objects of one record, in the sample's arena; its frame is that of the
     * image's file, by which RLE masks are judged. False with a fault when an element is wrong.
     * May be called in any order and from several processes. */
    bool (*load)(const struct dataset *, size_t record, const struct rules *, struct sample *,
                 struct faults *);
    /* Append the record's own element as it is after the run. */
    void (*print_record)(const struct dataset *, size_t record, const struct output *,
                         struct text *);
    /* A format with this keeps the outlines of a record's objects in a picture of its own (the
     * record's mask), which load finds as sample->segments. Fill in the picture of the objects that
     * stay: three channels of 8 bits. `numbered`: as struct output has it; their ids are 1, 2, ...
     */
    void (*paint)(const struct dataset *, const struct sample *, bool numbered, struct plane *rgb);
    /* Append the element of an object that stays; the record is the object's own. */
    void (*print_object)(const struct dataset *, size_t record, const struct sample *,
                         const struct object *, const struct output *, const struct rules *,
                         struct text *);
    /* Does it stay just as it stands in the dataset's text? */
    bool (*object_stays)(const struct dataset *, size_t record, const struct object *,
                         const struct output *);
    /* Instead, where one element has all objects of a record: append that. */
    void (*print_objects)(const struct dataset *, size_t record, const struct sample *,
                          const struct output *, struct text *);
    /* Where the record's own element stands, in the text that it was read from. */
    struct slice (*find_record)(const struct dataset *, size_t record);
    /* Where the i-th element of its objects stands (of an object, by its index), and its `order`
     * among the source's, which grows with i. Behind the last, `at` is NULL. */
    struct slice (*find_object)(const struct dataset *, size_t record, size_t i, size_t *order);
    /* With a suffix: where the objects stand that load gave (n of them, also those with a fault),
     * in `places`; and where a category gets its name: its `at` is NULL where that is in objects.
     */
    void (*find_places)(const struct dataset *, size_t record, struct arena *scratch,
                        struct slice *places, size_t n);
    struct slice (*category_place)(const struct dataset *, size_t category);
    /* The object's id as the source has it; copies keep it where ids are those of one image. */
    int64_t (*object_id)(const struct dataset *, size_t record, const struct object *);
    bool ids_of_image;
    /* True if the format of --to has a place for a finalized object in an output of this frame.
     * Objects without a place are dropped. NULL: there is a place for all. */
    bool (*holds)(const struct dataset *, const struct object *, struct frame);
    /* Where load does not give a record's objects without its picture: has it one of this
     * category? */
    bool (*has_category)(const struct dataset *, size_t record, const struct category *);
    /* Return enum label_absence: what it lacks as the format that was read, and as the writer.
     * NULL: nothing. */
    unsigned (*lacks_read)(const struct dataset *);
    unsigned (*lacks_written)(const struct dataset *);
    /* The members of objects that drop_keys and move_keys cannot name, for they are moved as what
     * they are; ended by NULL. NULL: those of COCO. */
    const char *const *own_keys;
    /* Visit what an object has beside the members of struct object. */
    void (*visit_extras)(const struct dataset *, size_t record, const struct object *,
                         void (*visit)(void *context, const struct extra *), void *context);
    /* As the format of --to: count what of a record, as it was loaded, it cannot hold. */
    void (*count_omissions)(const struct dataset *, size_t record, const struct sample *,
                            const struct rules *, struct omissions *);
    /* With a suffix: the whole file of an output, of the objects that stay. False when there is to
     * be none. */
    bool (*print_file)(const struct dataset *, size_t record, const struct sample *,
                       const struct output *, const struct rules *, struct text *);
    /* Of its own format it makes that of the record's file: objects of other files have no place.
     */
    bool prints_over_source;
    /* --to changes datasets of its own format, too: this is added to their `writes`. 0: they stay
     * as they were read. */
    int converted;
    /* Called before the file `index` is written. Sets the dataset's parts; the caller marks folders
     * that have images. Returns false with a fault if the index cannot state them. */
    bool (*find_parts)(struct dataset *, struct faults *);
    /* The file `index`. */
    bool (*write_index)(const struct dataset *, FILE *);
    /* Write the whole file: everything but records and objects as it stands in the source, the two
     * lists with what `next_record` and `next_object` give until they return false. Without
     * next_object the file is one of images alone. */
    bool (*write)(const struct dataset *, FILE *,
                  bool (*next_record)(void *context, struct slice *),
                  bool (*next_object)(void *context, struct slice *), void *context);
};

/* The file of OUT that it writes, if it has no suffix. */
static inline const char *format_file(const struct format *f)
{
    return f->file ? f->file : "annotations.json";
}
