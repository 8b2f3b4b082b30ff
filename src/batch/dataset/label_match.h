/* label_match: finds the label file of each image; only for label_folder.c.
 *
 * A label file has the path and stem of its image. It is below the label folder, or where training
 * tools expect it. Ultralytics has "labels" instead of "images" in the path, and Pascal VOC has
 * "Annotations" instead of "JPEGImages". */
#pragma once

#include "batch/dataset/job.h"
#include "batch/dataset/label_text.h"

/* A file of the folder that may contain labels. */
struct label_file {
    const char *name; /* relative to the folder */
    size_t stem;      /* length of the name without its suffix */
    const struct format *format;
    bool other; /* the start of the file does not show the format */
    bool used;
};

struct label_folder {
    const struct job *job;
    const char *path, *names;
    struct dataset *dataset;
    struct faults *faults;
    struct arena arena;
    struct pile files;         /* of struct label_file, sorted by stem */
    const char *json, *table;  /* first files by name that may hold annotations of another kind */
    const char **images_paths; /* absolute path of each image folder; NULL if it has none */
    const char *labels_path;   /* absolute path of the label folder, or NULL */
    struct label_file **of_record;
    const struct format *format;
    struct label_text text;
    struct pile parts;     /* of struct fault_file */
    struct pile stretches; /* pieces of the text, whose addresses are known after it is mapped */
    struct label_places *places;
};

/* True if the name is usual for a list of classes or a note of an exporter: README.roboflow.txt. */
bool label_is_note(const char *name);

/* Lists the folder's files, finds the label files of the records, and sets the format of these
 * files. Returns false with a fault if they cannot be listed, are of several formats, or do not
 * exist. */
bool label_search(struct label_folder *);

/* Lists the folder's files; needs no images. Returns false with a fault if no file may contain
 * labels, or if the first one has a format that is not supported. */
bool label_search_any(struct label_folder *);

/* Returns the length of a file name without its suffix. */
size_t label_stem(const char *name);
/* Adds a fault. Returns false. */
bool label_fail(struct label_folder *, const char *path, const char *code, const struct text *why);
