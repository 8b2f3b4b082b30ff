/* label_match: finds the file of labels of each image; only for label_folder.c.
 *
 * The file of an image has its path and stem: below the folder, or where training tools look for
 * it, with "labels" in the place of "images" (Ultralytics) or "Annotations" in that of "JPEGImages"
 * (Pascal VOC). */
#pragma once

#include "batch/dataset/job.h"
#include "batch/dataset/label_text.h"

/* A file of the folder that may be one of labels. */
struct label_file {
    const char *name; /* relative to the folder */
    size_t stem;      /* how much of it stands before the suffix */
    const struct format *format;
    bool used;
};

struct label_folder {
    const struct job *job;
    const char *path, *names;
    struct dataset *dataset;
    struct faults *faults;
    struct arena arena;
    struct pile files;         /* of struct label_file, sorted by stem */
    const char *json;          /* the first file by its name that may be of other annotations */
    const char **images_paths; /* absolute, of each folder; NULL where it has none */
    const char *labels_path;   /* the same */
    struct label_file **of_record;
    const struct format *format;
    struct label_text text;
    struct pile parts;     /* of struct fault_file */
    struct pile stretches; /* of the text, whose addresses are known when it is mapped */
    struct label_places *places;
};

/* List the folder's files, and find those of the records; the format is the one that they have.
 * False with a fault: they cannot be listed, are of several formats, or there are none. */
bool label_search(struct label_folder *);

/* Lists the folder's files, which need no images. False with a fault if none may be one of labels,
 * or the first is of a format that is not read. */
bool label_search_any(struct label_folder *);

/* How much of a file's name stands before its suffix. */
size_t label_stem(const char *name);
/* Add what is wrong as a fault. Returns false. */
bool label_fail(struct label_folder *, const char *path, const char *code, const struct text *why);
