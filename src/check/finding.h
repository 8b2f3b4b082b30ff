/* finding: the findings of a check, and the annotation files and folders of label files that they
 * are in, as far as these can be read.
 *  *
 *  * Findings are collected while the files are read. Then they are sorted by file, offset and
 * rule,
 *  * and each gets its line, column and fingerprint. Only then reporters see them (reporter.h).
 *  * Findings do not depend on the number of workers. */
#pragma once

#include "labels/coco/annotation_element.h"
#include "batch/dataset/dataset_choice.h"

enum severity { SEVERITY_INFO, SEVERITY_WARNING, SEVERITY_ERROR, SEVERITIES };
enum fix_kind {
    FIX_NONE,
    FIX_SAFE,   /* keeps the meaning: loses no object, changes no correct number */
    FIX_UNSAFE, /* may be wrong: done only on request */
};
const char *severity_word(enum severity); /* "error", "warning", "info" */
const char *fix_word(enum fix_kind);      /* "none", "safe", "unsafe" */

/* A row of a family's table. An id is never reused for another rule. */
struct rule {
    const char *id, *slug; /* "B005", and its name in words with hyphens */
    enum severity severity;
    enum fix_kind fix;
    const char *summary; /* "a box reaches beyond its image" */
    const char *cause;   /* the usual cause */
    const char *remedy;  /* how to fix it */
};

/* --- an annotation file --- */

#define NOT_THERE UINT32_MAX /* the index of nothing */

enum checked_list { LIST_NONE, LIST_IMAGES, LIST_ANNOTATIONS, LIST_CATEGORIES, LISTS };
const char *list_name(enum checked_list); /* "images"; "" for LIST_NONE */

/* Lists have an entry for each element, so that indices are the file's. An element that could not
 * be read is `broken`, and has no id. */
struct checked_image {
    int64_t id;       /* COCO_NO_ID: none, or not readable */
    const char *name; /* "": none */
    const char *path; /* the name that run looks for; after the inspection, the found file */
    uint64_t offset;
    uint32_t length;
    int width, height;      /* 0: not given, or not a size */
    uint32_t n_annotations; /* known before `end` */
    bool broken, labelled;  /* labelled: its element has labels */
};

struct checked_annotation {
    uint64_t offset;
    int64_t id;
    uint32_t length;
    uint32_t image, category; /* indices, or NOT_THERE */
    float box[4];             /* x, y, width, height; zeros if there is none */
    uint64_t geometry;        /* a hash of box, segmentation and keypoints; 0 without any */
    bool broken, crowd;
};

struct checked_category {
    int64_t id;
    const char *name; /* "": none */
    uint64_t offset;
    uint32_t length;
    uint32_t n_annotations; /* including labels of images; known before `end` */
    const struct category *category;
    bool broken;
};

/* A member that COCO does not define, where it first occurs. */
struct unknown_member {
    enum checked_list list;
    uint32_t index; /* index of the element */
    struct slice name;
};

/* The picture of an image's segments, and its annotation. */
struct image_picture {
    const char *name; /* NULL: none */
    uint32_t annotation;
};

/* An annotation file, or a folder of label files. For a folder, the text is all files, one after
 * another, and the members for JSON (sections, has, unknown) are empty. */
struct annotation_file {
    const char *name; /* as given on the command line */
    size_t index;     /* index among the files of the check */
    struct slice text;
    /* Where parts of the text are from, if it was joined or translated; NULL: it is the file's. */
    const struct fault_file *parts;
    size_t n_parts;
    const struct format *format; /* coco, coco_results or coco_panoptic */
    bool has[LISTS];             /* true if the list exists */
    bool readable;               /* the text could be read up to its end */
    struct checked_image *images;
    size_t n_images;
    struct checked_annotation *annotations;
    size_t n_annotations;
    struct checked_category *categories;
    size_t n_categories;
    size_t n_labels;          /* in elements of images; known before `end` */
    struct categories lookup; /* as run reads categories */
    /* Every id of the list could be read, so that an id that is not found does not exist. */
    bool sure_images, sure_categories;
    bool sure_annotations; /* every annotation and its references could be read */
    struct ids_ranges image_ids;
    enum id_kind image_kind, annotation_kind; /* kinds of their ids, never ID_KIND_OPEN */
    struct slice sections[LISTS];             /* text of the lists; LIST_NONE: the whole text */
    struct slice twice[LISTS];                /* second list of the same name; `at` is NULL: none */
    struct pile unknown;                      /* struct unknown_member: each name once per list */
    bool lvis;                                /* has members that LVIS defines */
    /* For a folder of label files; NULL for a single file. */
    struct dataset *labels;
    /* For images that are listed from folders: their classes, and masks. NULL for others. */
    struct dataset *listed;
    const char *mask_folder;          /* of label masks; NULL: none */
    size_t n_stray;                   /* masks without an image: the last places of the text */
    const struct class_list *classes; /* of --classes; NULL: not given */
    struct label_places *places;      /* batch/dataset/label_folder.h */
    const char *part;                 /* the part of a dataset that it is; NULL: of no dataset */
    struct roots roots;               /* folders of its images; none: not given */
    /* For a panoptic file: the folder of its pictures, or NULL; and the pictures of each image. */
    const char *picture_folder;
    struct image_picture *pictures;
    struct inspection *inspection; /* by index of the image (batch/inspect/inspect.h); or NULL */
    void **state;                  /* states of the families */
    const bool *ignored; /* by setting: rules that are ignored for this file; NULL: none */
};

/* The place of a finding: an element of a list, or the file (LIST_NONE). */
struct element {
    const struct annotation_file *file;
    enum checked_list list;
    uint32_t index;
    struct slice text;
    int64_t id;     /* COCO_NO_ID: none */
    uint32_t image; /* index of its image, or NOT_THERE */
};

/* A stretch of text that is not JSON, with the scanner's problem, in or between elements. Or an
 * element that is not an object; then there is no problem. */
struct bad_stretch {
    struct element at;
    const struct scan *scan; /* code (NULL: not an object), message, place */
    bool lost;               /* nothing after it is read */
};

/* --- findings --- */

enum shape_kind { SHAPE_BOX, SHAPE_RING, SHAPE_POINT };
struct shape {
    enum shape_kind kind;
    struct box box;
    struct ring ring;
    struct point point;
};

enum edit_kind {
    EDIT_REPLACE, /* the text replaces the stretch */
    EDIT_REMOVE,  /* removes the value, with its name or comma */
    EDIT_ADD,     /* adds the text as a member of the object in the stretch */
};
struct edit {
    enum edit_kind kind;
    uint64_t offset;
    uint32_t length;
    const char *text;
};
struct fix {
    struct edit edit;
    struct fix *next; /* further edits of the finding */
};

struct finding {
    const struct rule *rule;
    const char *message;
    const char *member;  /* the end of its pointer; NULL */
    struct shape *shape; /* or NULL */
    struct fix *fix;     /* or NULL */
    uint64_t offset;
    uint32_t length;
    uint32_t file, index, image; /* index of the file, of the element in its list, of its image */
    int64_t id;                  /* id of the element; COCO_NO_ID */
    uint8_t list, severity;      /* enums */
    bool hidden;                 /* in the baseline */
    uint64_t line, column;       /* from 1, columns in bytes; set in the end */
    uint8_t fingerprint[16]; /* set in the end; does not depend on ids or the order of elements */
};

/* A rule's settings, and its number of findings. */
struct rule_setting {
    const struct rule *rule;
    const char *family; /* the family's title */
    enum severity severity;
    bool selected;
    size_t found, hidden; /* findings, and hidden findings; set in the end */
};

/* Rules that are ignored for annotation files and images whose paths, seen from the folder, match a
 * pattern. */
struct path_ignore {
    const char *pattern, *folder; /* absolute */
    bool *rules;                  /* by setting */
};

/* Annotations to check, and the folders of their images. */
struct check_input {
    const char *name; /* an annotation file or a folder of labels; "": images alone */
    const struct found_layout *dataset; /* that it is a part of; NULL: of none */
    const struct layout_part *part;
    const char *const *folders; /* of its images */
    size_t n_folders;           /* 0: not given */
    const char *classes;        /* the file of class names; "": none */
    const char *masks;          /* folder of label masks; "": none */
    bool class_folders;         /* the classes of images are their folders */
};

enum check_level { CHECK_NO_IMAGES, CHECK_HEADERS, CHECK_PIXELS };

struct baseline;
struct check_choice;

struct check_options {
    int voc_base; /* enum voc_base */
    const struct check_input *inputs;
    size_t n_inputs;
    const struct slice *texts; /* texts to use instead of the files, if `at` is set; NULL: none */
    const char *strip_prefix;  /* removed from the start of names in annotations; "": none */
    int match;                 /* enum match: how names are matched with files in the folders */
    const char *pictures;      /* folder of the pictures of panoptic files; "": none */
    const char *mask_name;     /* template of the names of label masks; "": the stem */
    bool mask_values;          /* label masks are decoded */
    int level;                 /* enum check_level */
    int jobs;
    bool fixes;                         /* findings get fixes */
    const struct check_choice *choices; /* selects rules; was applied without a fault before */
    size_t n_choices;
    const struct baseline *baseline; /* or NULL */
};

struct check {
    const struct check_options *options;
    struct annotation_file *files;
    size_t n_files;
    struct rule_setting *settings; /* all rules, by family */
    size_t n_settings;
    struct pile ignores;                 /* struct path_ignore */
    struct pile findings;                /* struct finding */
    size_t counts[SEVERITIES], n_hidden; /* set in the end; without hidden findings */
    bool element_failed;                 /* an error was reported for the current element */
    struct arena arena;                  /* lives as long as the check */
};

/* Returns the setting of a rule, which must exist; and of the rule with this id, or NULL. */
struct rule_setting *check_setting(const struct check *, const struct rule *);
struct rule_setting *check_setting_of(const struct check *, const char *id);
/* True if the root of the file is a list of annotations. */
bool file_is_results(const struct annotation_file *);
bool file_is_panoptic(const struct annotation_file *);
/* True if it is a folder of labels of YOLO, or of Pascal VOC. */
bool file_is_yolo(const struct annotation_file *);
bool file_is_voc(const struct annotation_file *);
/* True if it is a table of labels of images, which has only images. */
bool file_is_table(const struct annotation_file *);
/* Returns the folder of an image; NULL if no folder is given. */
const char *file_root_of(const struct annotation_file *, size_t image);
/* Appends the folders of its images: "a, b". */
void file_print_roots(const struct annotation_file *, struct text *);

/* --- properties of findings, for reporters --- */

const struct annotation_file *finding_file(const struct check *, const struct finding *);
/* Return the name of the finding's file, and its place there. For a folder of label
 * files, it is one of these files. */
const char *finding_name(const struct check *, const struct finding *);
uint64_t finding_offset(const struct check *, const struct finding *);
/* Returns the line of that file at which the offset counts from 0. */
size_t finding_first_line(const struct check *, const struct finding *);
/* Returns the finding's image, or NULL. */
const struct checked_image *finding_image(const struct check *, const struct finding *);
/* Appends "/annotations/17/bbox"; "" for the file, and for labels that are not JSON. */
void finding_pointer(const struct check *, const struct finding *, struct text *);
/* Writes 32 hexadecimal digits and a NUL. */
void finding_fingerprint(const struct finding *, char hex[33]);
