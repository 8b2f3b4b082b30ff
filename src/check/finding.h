/* finding: what a check finds, and what it is found in: annotation files, and folders with a file
 * of labels for each image, as far as they can be read.
 *
 * Findings are collected while the files are walked; when all are there they are sorted by file,
 * offset and rule, and each gets its line and column and its fingerprint: then reporters see them
 * (reporter.h). Nothing in a finding depends on the number of workers. */
#pragma once

#include "labels/coco/annotation_element.h"

enum severity { SEVERITY_INFO, SEVERITY_WARNING, SEVERITY_ERROR, SEVERITIES };
enum fix_kind {
    FIX_NONE,
    FIX_SAFE,   /* the meaning stays: no object is lost, no number that is right is changed */
    FIX_UNSAFE, /* it may be wrong: only when asked for */
};
const char *severity_word(enum severity); /* "error", "warning", "info" */
const char *fix_word(enum fix_kind);      /* "none", "safe", "unsafe" */

/* A row of a family's table. The id is never used for another rule. */
struct rule {
    const char *id, *slug; /* "B005", and words for it with hyphens */
    enum severity severity;
    enum fix_kind fix;
    const char *summary; /* "a box reaches beyond its image" */
    const char *cause;   /* how that comes about */
    const char *remedy;  /* how to mend it */
};

/* --- an annotation file --- */

#define NOT_THERE UINT32_MAX /* an index of nothing */

enum checked_list { LIST_NONE, LIST_IMAGES, LIST_ANNOTATIONS, LIST_CATEGORIES, LISTS };
const char *list_name(enum checked_list); /* "images"; "" for LIST_NONE */

/* Lists have an entry for each element, so that indices are those of the file; one that could not
 * be read is `broken`, and has no id. */
struct checked_image {
    int64_t id;       /* COCO_NO_ID: none, or none that can be read */
    const char *name; /* "": none */
    const char *path; /* the name that run looks for; after the inspection, the file found */
    uint64_t offset;
    uint32_t length;
    int width, height;      /* 0: not said, or no size */
    uint32_t n_annotations; /* counted before `end` */
    bool broken, labelled;  /* labelled: its element has labels of it */
};

struct checked_annotation {
    uint64_t offset;
    int64_t id;
    uint32_t length;
    uint32_t image, category; /* indices, or NOT_THERE */
    float box[4];             /* x, y, width, height; zeros where it has none */
    uint64_t geometry;        /* a hash of box, segmentation and keypoints; 0: none of them */
    bool broken, crowd;
};

struct checked_category {
    int64_t id;
    const char *name; /* "": none */
    uint64_t offset;
    uint32_t length;
    uint32_t n_annotations; /* and labels of images; counted before `end` */
    const struct category *category;
    bool broken;
};

/* A member that COCO does not know, where it was met first. */
struct unknown_member {
    enum checked_list list;
    uint32_t index; /* of the element */
    struct slice name;
};

/* The picture of an image's segments, and the annotation that has it. */
struct image_picture {
    const char *name; /* NULL: none */
    uint32_t annotation;
};

/* An annotation file; or a folder with a file of labels for each image, which has no JSON: its text
 * is all of them, one behind the other; what is of JSON alone (sections, has, unknown) is empty. */
struct annotation_file {
    const char *name; /* as the command line has it */
    size_t index;     /* among the files of the check */
    struct slice text;
    const struct format *format; /* coco, coco_results or coco_panoptic */
    bool has[LISTS];             /* is the list there? */
    bool readable;               /* the text could be read up to its end */
    struct checked_image *images;
    size_t n_images;
    struct checked_annotation *annotations;
    size_t n_annotations;
    struct checked_category *categories;
    size_t n_categories;
    size_t n_labels;          /* of images, in their elements; counted before `end` */
    struct categories lookup; /* as run reads them */
    /* Every id of the list could be read: one that is not found is not there. */
    bool sure_images, sure_categories;
    bool sure_annotations; /* every annotation could be read, and what it refers to */
    struct ids_ranges image_ids;
    enum id_kind image_kind, annotation_kind; /* what their ids are: never ID_KIND_OPEN */
    struct slice sections[LISTS];             /* the lists themselves; LIST_NONE: the whole text */
    struct slice twice[LISTS]; /* the name of a second list of the name; `at` is NULL: none */
    struct pile unknown;       /* struct unknown_member: each name of a list once */
    bool lvis;                 /* it has members of LVIS's */
    /* Of a folder with a file of labels for each image; NULL for one file. */
    struct dataset *labels;
    struct label_places *places; /* batch/dataset/label_folder.h */
    const char *folder;          /* of its images; NULL: not given */
    /* Of a panoptic file: the folder of its pictures, or NULL; and those of each image. */
    const char *picture_folder;
    struct image_picture *pictures;
    struct inspection
        *inspection;     /* of its image files (batch/inspect/inspect.h), by index; or NULL */
    void **state;        /* of the families */
    const bool *ignored; /* by setting: what is not reported of it; NULL: nothing */
};

/* An element of a list, or the file (LIST_NONE): where a finding is. */
struct element {
    const struct annotation_file *file;
    enum checked_list list;
    uint32_t index;
    struct slice text;
    int64_t id;     /* COCO_NO_ID: none */
    uint32_t image; /* the index of its image, or NOT_THERE */
};

/* A stretch that is no JSON: the scanner's problem, in an element or between them. Or an element
 * that is no object: there is no problem. */
struct broken {
    struct element at;
    const struct scan *scan; /* code (NULL: no object), what, where */
    bool lost;               /* nothing behind it is read */
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
    EDIT_REPLACE, /* the text takes the place of the stretch */
    EDIT_REMOVE,  /* the value, with its name or comma */
    EDIT_ADD,     /* the stretch is an object: the text is one more member of it */
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
    const char *member;  /* the rest of its pointer; NULL */
    struct shape *shape; /* or NULL */
    struct fix *fix;     /* or NULL */
    uint64_t offset;
    uint32_t length;
    uint32_t file, index, image; /* of the file, of the element in its list, of its image */
    int64_t id;                  /* of the element; COCO_NO_ID */
    uint8_t list, severity;      /* enums */
    bool hidden;                 /* the baseline has it */
    uint64_t line, column;       /* from 1, columns in bytes; known when all are there */
    uint8_t fingerprint[16];     /* known then; the same when ids or the order of elements change */
};

/* What is asked of a rule, and how often it was found. */
struct rule_setting {
    const struct rule *rule;
    const char *family; /* its title */
    enum severity severity;
    bool selected;
    size_t found, hidden; /* findings; those of them that the baseline has, known at the end */
};

/* Rules that are not reported of files whose names fit a pattern: annotation files, as they are
 * seen from the folder, and images. */
struct path_ignore {
    const char *pattern, *folder; /* absolute */
    bool *rules;                  /* by setting */
};

enum check_level { CHECK_NO_IMAGES, CHECK_HEADERS, CHECK_PIXELS };

struct baseline;
struct check_choice;

struct check_options {
    int voc_base;              /* enum voc_base */
    const char *const *files;  /* annotation files */
    const struct slice *texts; /* what to read in their place, where `at` is set; NULL: nothing */
    size_t n_files;
    const char *const *folders; /* of the images: one for all files, or one for each */
    size_t n_folders;           /* 0: none is known */
    const char *strip_prefix;   /* taken from the start of names in annotations; "": nothing */
    int match;                  /* enum match: how these names mean files of the folders */
    const char *classes;        /* the file of --classes, for labels; "": none */
    const char *pictures;       /* folder of the pictures of panoptic files; "": none */
    int level;                  /* enum check_level */
    int jobs;
    bool fixes;                         /* findings carry them */
    const struct check_choice *choices; /* which rules; they were applied before without a fault */
    size_t n_choices;
    const struct baseline *baseline; /* or NULL */
};

struct check {
    const struct check_options *options;
    struct annotation_file *files;
    size_t n_files;
    struct rule_setting *settings; /* of all rules, by family and in its order */
    size_t n_settings;
    struct pile ignores;                 /* struct path_ignore */
    struct pile findings;                /* struct finding */
    size_t counts[SEVERITIES], n_hidden; /* known at the end; of those that are not hidden */
    bool element_failed; /* an error was reported for the element that is looked at */
    struct arena arena;  /* as long as the check */
};

/* The setting of a rule, which must be there; of the rule with this id, or NULL. */
struct rule_setting *check_setting(const struct check *, const struct rule *);
struct rule_setting *check_setting_of(const struct check *, const char *id);
/* Has the file the list of annotations as its root? */
bool file_is_results(const struct annotation_file *);
bool file_is_panoptic(const struct annotation_file *);
/* Is it a folder of YOLO's labels, or of Pascal VOC's? */
bool file_is_yolo(const struct annotation_file *);
bool file_is_voc(const struct annotation_file *);
/* Is it a table of labels of images? It has images alone. */
bool file_is_table(const struct annotation_file *);

/* --- of a finding, for reporters --- */

const struct annotation_file *finding_file(const struct check *, const struct finding *);
/* The name of the file that it is in, and its place in that: of a folder with a file of labels for
 * each image, one of these files. */
const char *finding_name(const struct check *, const struct finding *);
uint64_t finding_offset(const struct check *, const struct finding *);
/* The image, or NULL. */
const struct checked_image *finding_image(const struct check *, const struct finding *);
/* "/annotations/17/bbox"; "" for the file, and for labels that are no JSON. */
void finding_pointer(const struct check *, const struct finding *, struct text *);
/* 32 hexadecimal digits and a NUL. */
void finding_fingerprint(const struct finding *, char hex[33]);
