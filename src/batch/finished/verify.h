/* verify: compares the files of an output folder with its manifest. */
#pragma once

#include "batch/output/earlier_files.h"
#include "batch/inspect/inspect.h"
#include "batch/output/out_handles.h"

#include "base/fault.h"

/* Called for each thing that is wrong: `path` is below OUT, `code` one of verify-missing,
 * verify-hash, verify-damaged, verify-size, verify-count, verify-labels, verify-extra. */
typedef void verify_fn(void *context, const char *path, const char *code, const char *why);

/* Counts of what was looked at. */
struct verified {
    size_t n_files;  /* images, masks and files of labels of the manifest */
    size_t n_hashed; /* those with a hash in the manifest */
};

/* Checks every file in the folder of a finished run, in so many processes (0: one a processor).
 * EXIT_DONE, or the exit code with a fault added: it is no such folder, or its manifest cannot be
 * read. */
int verify_folder(const char *path, int jobs, verify_fn *, void *context, struct verified *,
                  struct faults *);

/* --- for verify*.c --- */

/* Files that are inspected at once: what is found of each takes memory. */
enum { BATCH = 8192, HALF_HASH = 32 /* hexadecimal digits: inspect.h */ };

/* An image or a mask of the manifest. */
struct promised {
    const char *name; /* there */
    const char *hash; /* "" without */
    int width, height;
};

/* An output's id and size, and what the annotation file has of it. */
struct numbered {
    int64_t id;
    struct slice shown; /* the text of the id */
    int width, height;
    const char *name;  /* below the folder of images, where labels go by it; else NULL */
    size_t n_labels;   /* of the whole image; in a file of panoptic ones, annotations */
    size_t n_elements; /* in the annotation file, of its objects */
    bool masked;       /* it has a picture of labels */
    bool listed;
};

/* An object of a line of the manifest. */
struct promised_object {
    int64_t image, id;  /* with dense ids, its place in the image */
    struct slice shown; /* the text of the id */
    bool found;         /* in the annotation file */
};

/* A file with the labels of one image. */
struct label_file {
    const char *name;
    size_t at, length; /* in the batch's text */
    int width, height; /* of the image */
    size_t n_objects;  /* that the manifest has */
};

/* The members of run.json. */
struct run_facts {
    const struct value *root;
    const struct format *reader; /* of the source's annotations; NULL: there are none, or folders */
    const struct format *writer; /* of the annotations; NULL: there are none */
    int64_t images, skipped, objects;
};

struct verifying {
    const char *path;
    const char *root; /* of the outputs: the same, or the tars in it */
    bool packed;
    int jobs;
    verify_fn *found;
    void *context;
    struct verified *counts;
    struct faults *faults;
    struct outdir outdir;
    struct former former; /* all names that the run says are its own */
    struct run_facts run;
    int64_t *category; /* ids of the run's categories, sorted; in former.arena */
    size_t n_categories;
    struct slice manifest;
    size_t n_lines, n_objects; /* of the manifest */
    struct pile outputs;       /* struct numbered */
    struct pile objects;       /* struct promised_object */
    bool dense;                /* ids of objects are their places in the annotation file */
    bool source_ids;           /* the manifest has the source's ids, which are others */
    struct arena names;        /* of outputs */
    struct arena arena;        /* of the files below, until they are inspected */
    struct record record[BATCH];
    struct promised promised[BATCH];
    size_t n;
    struct pile label_files; /* struct label_file */
    struct text labels;      /* their texts */
};

void verify_report(struct verifying *, const char *path, const char *code, const char *why);
/* Reports that the file has `n` things where the run wrote `promised`. */
void verify_count(struct verifying *, const char *path, const char *what, int64_t n,
                  int64_t promised);
/* Reads a file of OUT itself into `out` (replaced). False when it is reported, as by verify_run if
 * it is not there. */
bool verify_read(struct verifying *, const char *name, struct text *out);
/* Returns a text of a manifest's line, or "" if the line has no such member. In v->arena. */
const char *verify_text(struct verifying *, struct slice line, const char *name);
/* Returns the name below v->root of a file that a line of the manifest names. */
const char *verify_file(struct verifying *, const char *image, const char *name);

/* Reads run.json. False when it is reported that it lacks something. */
bool verify_run(struct verifying *);
/* True if the run has a category with this id. */
bool verify_has_category(const struct verifying *, int64_t id);
/* Compares the counts of run.json with the manifest, and errors.jsonl with run.json. */
void verify_counts(struct verifying *);
/* Compares the annotation files with the outputs and objects of the manifest, which are all known:
 * they get sorted. */
void verify_annotations(struct verifying *);
/* Compares the index of files of labels, as data.yaml, with the classes of run.json. */
void verify_index(struct verifying *);
/* Reads the batch's files of labels, and ends the batch. */
void verify_label_files(struct verifying *);
/* Compares SHA256SUMS with the manifest and with the files of OUT itself. */
void verify_sums(struct verifying *);
/* Compares the members of tars with the manifest: which there are, in which order, and the
 * annotations of each sample. */
void verify_tars(struct verifying *);
