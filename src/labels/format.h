/* format: the interface of annotation formats: a dataset is records (images) with objects.
 *
 * A format reads an annotation file into a dataset once, before workers are forked. Workers then
 * load the objects of one record at a time and print them after the run. The parent joins the
 * fragments in input order. Formats preserve members that they do not understand. */
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

/* An image of the dataset. */
struct record {
    const char *name;     /* file name as given, relative to the images folder */
    const char *seed_key; /* the key of its random numbers: the name, or a value from the file */
    /* The same for its picture of labels; NULL: it has none, or one named like the image. */
    const char *mask;
    const char *annotated; /* the name in the file, if `name` is another; or NULL */
    int64_t id;
    int width, height; /* as annotated; 0 if the file does not say */
    size_t n_objects;
};

struct format;
struct categories;
struct translation;
struct class_list;
struct written_classes;
struct parts;
struct combination;

/* Where Pascal VOC's corners count from. From 1 they are pixels, the last ones inclusive; from 0
 * they are coordinates. */
enum voc_base { VOC_BASE_UNKNOWN, VOC_BASE_0, VOC_BASE_1 };

/* Something that a format cannot represent, and the number of objects or files with it; counted
 * before work begins. */
struct omission {
    const char *what; /* "object{s} with a mask": without the letter in braces if n is 1 */
    size_t n;
};
struct omissions {
    struct arena arena; /* for words that are not constants */
    struct omission at[24];
    size_t n;
};
/* Counts one more; if the list is full, as its last entry. */
void omissions_add(struct omissions *, const char *what);
/* Appends the counts as text: "12 crowds, 3 values of "score"". */
void omissions_print(const struct omissions *, struct text *);
/* Returns why labels cannot represent an object with these bounds, in words for omissions_add, or
 * NULL. The frame is the image's; 0 x 0: unknown. */
const char *omission_of_bounds(const struct object *, struct box bounds, struct frame);
/* Returns the same for the name of an image whose labels are written to a folder. */
const char *omission_of_name(const char *name);
/* Returns the bounds of an object as it was loaded: its box, or the bounds of its segmentation. */
struct box object_loaded_bounds(const struct object *);
bool object_has_labelled_keypoints(const struct object *);

/* A property of an object that struct object does not have. */
struct extra {
    struct slice name;
    struct slice value; /* its text in the source */
    bool json;          /* the value is JSON; else plain text */
    bool flag;          /* COCO's file takes it over: difficult, truncated and so on */
    bool usual;         /* its value means the same as its absence */
};

/* A way in which a file deviates from its format's rules, although it was read. */
struct note {
    const char *code, *path; /* of its first place; "" for the file itself */
    size_t times;
};

struct dataset {
    const struct format *format;
    const char *file;            /* name and text of the file it was read from, for later faults */
    const struct format *origin; /* the format that the text was translated from, or NULL */
    struct slice text;
    bool lenient;  /* possible errors that can be read are notes, not faults */
    bool joined;   /* images may be joined: labels of images may get other weights */
    bool listless; /* no images are needed: a format without them needs no list */
    struct arena *arena;
    struct record *records;
    size_t n_records;
    /* Place in a combination: the index there of its first record, and the indices here of its
     * records (NULL: all, in order). */
    size_t first_record;
    const size_t *own_records;
    const struct category *categories; /* objects and labels point to these */
    size_t n_categories;
    const struct categories *lookup; /* the same by their ids; NULL if the file has no list */
    bool voc_base_noted;             /* another part has noted that no file shows the base */
    enum voc_base voc_base;          /* before reading: VOC_BASE_UNKNOWN leaves it to the files */
    struct slice mixed_base; /* a corner that counts from 0 where others count from 1; or NULL */
    struct slice categories_text; /* their text in the file */
    /* A fault for runs that mirror: the first object whose keypoints no category names, or NULL. */
    const struct fault *unnamed;
    const struct dataset *list; /* where the images are from, if not from the file itself */
    /* For a format with many files: the text is all files, concatenated. Each record has a part of
     * it, whose `at` is NULL if the record has no file. */
    const struct fault_file *files;
    size_t n_files;
    const struct slice *labels;
    struct slice index; /* the file with the names of the classes; `at` is NULL if there is none */
    const char *index_name;
    /* The absolute folders of its images, and the index of each record's folder (NULL: the first).
     */
    const char *const *roots;
    size_t n_roots;
    const uint8_t *root_of;
    const struct class_list *classes;      /* of --classes; NULL: the source has them */
    const struct written_classes *written; /* if steps change the list; NULL: the categories */
    struct combination *combination; /* the datasets that it is made of; NULL: it has one source */
    struct parts *parts; /* how the written index divides it; see labels/shared/parts.h */
    /* The format that writes the annotations: the same, or the format of --to. */
    const struct format *writer;
    const char *below;        /* the folder of OUT for its images; NULL: "images" */
    int writes;               /* for that format: what --to asks for; see its file */
    const struct note *notes; /* in the order of the text */
    size_t n_notes;
    /* Members of objects that hold geometry and are unknown to the format: they are not changed. */
    const char *const *loose_keys;
    size_t n_loose_keys;
    size_t n_objects;   /* in all records */
    bool text_ids;      /* the ids of images or of objects are strings */
    int64_t largest_id; /* of a record or an object: ids times K must stay below 2^53 */
    void *state;        /* private to the format */
};

/* An output of a record. */
struct output {
    unsigned k, of;   /* the k-th (from 0) of K; ids i become i * K + k when K > 1 */
    const char *name; /* of the written image, relative to the images folder */
    const char *mask; /* of the written picture of labels, too; or NULL */
    struct frame frame;
    bool renamed, resized; /* name or frame differ from the record's */
    int channels;          /* of the image as read */
    /* True if its objects are numbered again, since they may be from several records. Then these
     * are the ids of the image and of the printed object. Otherwise the source's ids stay, except
     * for K. */
    bool numbered;
    bool renumbered; /* the image has another id than its record: image_id */
    int64_t image_id, object_id;
    struct slice image_text; /* the image's id, if objects are numbered and it is a string */
    size_t place;            /* the object's index among the output's objects that stay */
    /* Labels of the image besides those among its objects. */
    const struct image_label *labels;
    size_t n_labels;
    bool relabelled; /* they differ from the record's */

    const struct rules *rules; /* or NULL: all keys of the record stay */
    /* The map of the whole image from the record's continuous coordinates to the output's; NULL:
     * the image did not move. */
    const struct mat3 *map;
};

/* Returns faults for a dataset, with its name, text and files. */
static inline struct faults dataset_faults(const struct dataset *d)
{
    return (struct faults){
        .name = d->file, .text = d->text, .files = d->files, .n_files = d->n_files
    };
}

/* Returns the index in this dataset of the record of an object. */
static inline size_t object_record(const struct dataset *d, const struct object *o)
{
    size_t i = o->record - d->first_record;

    return d->own_records ? d->own_records[i] : i;
}

/* Features of an annotation file that identify its format. They are found without reading the whole
 * file or checking its grammar. */
struct glance {
    char root; /* the first character of the text, such as '{' or '['; '\0' if it is blank */
    struct slice element; /* the first of its "annotations", or of a root that is a list; its `at`
                             is NULL if there is none */
};

struct glance glance_at(struct slice text);
/* True if the element is an object with this key. */
bool glance_has_key(const struct glance *, const char *key);

/* Bits for targets and properties that labels cannot have. Settings of a pipeline's annotations for
 * these cannot be followed, or have no effect. */
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
    LACKS_DIALECTS = 512,    /* deviations from the format, which --compat is about */
    LACKS_SIZES = 1024,      /* of images */
    LACKS_IMAGE_KEYS = 2048, /* members of images that can be dropped */
    LACKS_CAMERAS = 4096,    /* members of images that are written, and can be moved */
};

/* A choice of --to: a form in which a format writes annotations. */
struct target {
    const char *word, *help; /* "yolo-segment" */
    int writes;              /* the dataset's `writes` */
};

/* Something that widely used readers of a format leave out or fail at. */
struct reader_limit {
    const char *what; /* after "3 images" */
    int side;         /* images with a side below this many pixels; 0: images with such objects */
    bool (*excludes)(const struct object *); /* the object is finalized, and stays */
};
enum { MAX_READER_LIMITS = 3 };

struct format {
    const char *name, *summary;
    const struct target *targets; /* ended by a NULL word; NULL: it is not a choice of --to */
    /* Returns true if it is a file of this format. NULL for the default format, which other files
     * are read as and which reports their errors. */
    bool (*detect)(const struct glance *);
    /* For a format that is read as COCO: returns true if the start of a file shows the format; and
     * adds the images and objects of `faults->text` to the translation. False with faults. It has
     * no other functions; `foreign` may write it. */
    bool (*is_source)(struct slice head);
    bool (*translate)(struct faults *, struct translation *);
    /* The suffix of its files' names if that identifies the format, such as ".csv"; or NULL. Such a
     * file is written in the form it was read, without elements of objects, to OUT as `file`. */
    const char *ending, *file;
    /* Its files have no images: the dataset's `list` has them. */
    bool listed;
    /* For a format with a file of labels per image: their suffix, with its dot; the folder in OUT
     * for them; an additional file in OUT, or NULL. All are NULL for formats with one file. */
    const char *suffix, *folder, *index;
    /* Labels are beside the last folder "images" of a path; otherwise beside the first folder. */
    bool beside_last_images;
    /* The additional file in OUT for a dataset with parts; NULL: `index`. */
    const char *divided_index;
    /* With a suffix that other files have, too: true if the start of a file shows this format.
     * NULL: all files with the suffix are labels. */
    bool (*is_file)(struct slice head);
    /* Returns the name of the image that a file states, without its folder, in the arena; "" if
     * there is none. It counts where no image has the file's own name. NULL: files do not state it.
     */
    const char *(*image_of)(struct slice text, struct arena *);
    const char *title; /* with a suffix, or if it is read as COCO: the format's name in messages,
                          such as "Pascal VOC" */
    /* Reads `faults->text` (which stays mapped as long as the dataset lives). False, with faults,
     * if it cannot be read. With a suffix, the dataset already has its records and their labels;
     * `load` reports errors in a single one. */
    bool (*read)(struct faults *, struct dataset *);
    /* For the format of --to: the format that writes datasets of other formats; NULL: itself. */
    const struct format *foreign;
    /* Fills in sample->objects of one record, in the sample's arena. The sample's frame is from the
     * image's file; RLE masks must match it. False with a fault if an element is invalid. May be
     * called in any order and from several processes. */
    bool (*load)(const struct dataset *, size_t record, const struct rules *, struct sample *,
                 struct faults *);
    /* Appends the record's own element as it is after the run. */
    void (*print_record)(const struct dataset *, size_t record, const struct output *,
                         struct text *);
    /* A format with this function stores the outlines of a record's objects in a separate picture
     * (the record's mask), which load finds as sample->segments. Paints the objects that stay:
     * three channels of 8 bits. `numbered`: as in struct output; ids are 1, 2, ... */
    void (*paint)(const struct dataset *, const struct sample *, bool numbered, struct plane *rgb);
    /* Appends the element of an object that stays; the record is the object's own. */
    void (*print_object)(const struct dataset *, size_t record, const struct sample *,
                         const struct object *, const struct output *, const struct rules *,
                         struct text *);
    /* Returns true if the object's text in the dataset is unchanged. */
    bool (*object_is_unchanged)(const struct dataset *, size_t record, const struct object *,
                                const struct output *);
    /* Instead of print_object, if one element has all objects of a record: appends it. */
    void (*print_objects)(const struct dataset *, size_t record, const struct sample *,
                          const struct output *, struct text *);
    /* Returns the record's own element in the text that it was read from. */
    struct slice (*find_record)(const struct dataset *, size_t record);
    /* Returns the i-th element of its objects (an object has an index), and its `order` among the
     * source's, which grows with i. `at` is NULL after the last. */
    struct slice (*find_object)(const struct dataset *, size_t record, size_t i, size_t *order);
    /* With a suffix: stores the positions of the n objects that load returned, including those with
     * a fault, in `places`. category_place returns where a category is named; `at` is NULL if
     * objects name it. */
    void (*find_places)(const struct dataset *, size_t record, struct arena *scratch,
                        struct slice *places, size_t n);
    struct slice (*category_place)(const struct dataset *, size_t category);
    /* Returns the object's id in the source; copies keep it if ids are unique only within an image.
     */
    int64_t (*object_id)(const struct dataset *, size_t record, const struct object *);
    bool ids_of_image;
    /* True if the format of --to can represent a finalized object in an output of this frame. Other
     * objects are dropped. NULL: it can represent all. */
    bool (*holds)(const struct dataset *, const struct object *, struct frame);
    /* If load needs the record's picture to find its objects: returns true if the record has an
     * object of this category. */
    bool (*has_category)(const struct dataset *, size_t record, const struct category *);
    /* Return enum label_absence: what the format lacks when it is read, and when it is written.
     * NULL: nothing. */
    unsigned (*lacks_read)(const struct dataset *);
    unsigned (*lacks_written)(const struct dataset *);
    /* The members of objects that drop_keys and move_keys cannot name, since the format moves them
     * by itself; ended by NULL. NULL: COCO's members. */
    const char *const *own_keys;
    /* Visits properties of an object that struct object does not have. */
    void (*visit_extras)(const struct dataset *, size_t record, const struct object *,
                         void (*visit)(void *context, const struct extra *), void *context);
    /* Visits members of a record that struct record does not have. NULL: there are none. */
    void (*visit_record_extras)(const struct dataset *, size_t record,
                                void (*visit)(void *context, const struct extra *), void *context);
    /* For the format of --to: counts what it cannot represent of a record, as it was loaded. */
    void (*count_omissions)(const struct dataset *, size_t record, const struct sample *,
                            const struct rules *, struct omissions *);
    /* With a suffix: prints the whole file of an output, with the objects that stay. False if there
     * is to be no file. */
    bool (*print_file)(const struct dataset *, size_t record, const struct sample *,
                       const struct output *, const struct rules *, struct text *);
    /* For datasets of its own format, it edits the record's file: objects from other files cannot
     * be added. */
    bool prints_over_source;
    /* --to also changes datasets of its own format: this is added to their `writes`. 0: they stay
     * as they were read. */
    int converted;
    /* Called before the file `index` is written. Sets the dataset's parts; the caller marks folders
     * that have images. Returns false with a fault if the index cannot state them. */
    bool (*find_parts)(struct dataset *, struct faults *);
    /* For files that it writes: ended by a NULL `what`; or NULL. At most MAX_READER_LIMITS. */
    const struct reader_limit *reader_limits;
    /* Its file is lines, one element each. */
    bool lines;
    /* Writes the file `index`. */
    bool (*write_index)(const struct dataset *, FILE *);
    /* Writes the whole file; with a suffix, the list of a part's images. Everything except records
     * and objects is copied from the source. The two lists have the elements that `next_record` and
     * `next_object` return until they return false. Without next_object the file has only images.
     */
    bool (*write)(const struct dataset *, FILE *,
                  bool (*next_record)(void *context, struct slice *),
                  bool (*next_object)(void *context, struct slice *), void *context);
};

/* The file of OUT that it writes, if it has no suffix. */
static inline const char *format_file(const struct format *f)
{
    return f->file ? f->file : "annotations.json";
}
