/* verify: compares the files of an output folder with its manifest. */
#pragma once

#include "batch/output/earlier_files.h"
#include "batch/inspect/inspect.h"
#include "batch/output/out_handles.h"

#include "base/fault.h"

/* Called for each fault: `path` is relative to OUT, `code` is one of verify-missing, verify-hash,
 * verify-damaged, verify-size, verify-count, verify-labels, verify-extra. */
typedef void verify_fn(void *context, const char *path, const char *code, const char *why);

/* Counts of the files that were compared. */
struct verify_totals {
    size_t n_files;  /* images, masks and label files in the manifest */
    size_t n_hashed; /* files with a hash in the manifest */
};

/* Checks every file in the folder of a finished run, with `jobs` processes (0: one per processor).
 * Returns EXIT_DONE, or another exit code with a fault added if there is no such folder or its
 * manifest cannot be read. */
int verify_folder(const char *path, int jobs, verify_fn *, void *context, struct verify_totals *,
                  struct faults *);

/* --- for verify*.c --- */

/* BATCH is the number of files that are inspected at once; the result of each takes memory. */
enum { BATCH = 8192, HALF_HASH = 32 /* hexadecimal digits, see inspect.h */ };

/* An image or a mask in the manifest. */
struct expected_image {
    const char *name; /* as the manifest has it */
    const char *hash; /* "" if the manifest has none */
    int width, height;
};

/* An output in the manifest, and its elements in the annotation file. */
struct expected_output {
    size_t part; /* number of its part of the dataset, in run.json; 0 without parts */
    int64_t id;
    struct slice shown; /* the id as text */
    int width, height;
    const char *name; /* relative to the folder of images, if labels are given by name; else NULL */
    size_t n_labels;  /* labels of the whole image; in a panoptic file, annotations */
    size_t n_elements; /* number of its objects in the annotation file */
    bool masked;       /* it has a label mask */
    bool listed;
};

/* An object in a line of the manifest. */
struct expected_object {
    size_t part;
    int64_t image, id;  /* with dense ids, `id` is its position in the image */
    struct slice shown; /* the id as text */
    bool found;         /* in the annotation file */
};

/* A label file of one image. */
struct label_file {
    const char *name;
    size_t at, length; /* range in the text of the batch */
    int width, height; /* of the image */
    size_t n_objects;  /* according to the manifest */
};

/* The facts in run.json. */
struct run_facts {
    const struct value *root;
    const struct value *files;   /* list of the files of the whole result, not of one output */
    const struct format *reader; /* of the source; NULL: none, or class folders */
    const struct format *writer; /* of the result; NULL: none */
    const struct value *parts;   /* list of the dataset's parts, or NULL */
    int64_t images, skipped, objects;
};

/* The tars of a part, which are opened as one archive. */
struct part_tars {
    const char *part; /* as in the names of the tars */
    size_t n;
};

struct verify_state {
    const char *path;
    const char **roots; /* only `path`, or the tars of each part in it */
    size_t n_roots;
    struct part_tars *tars; /* of each root; NULL: outputs are not packed */
    size_t root;            /* of the line that is being read */
    int jobs;
    verify_fn *found;
    void *context;
    struct verify_totals *counts;
    struct faults *faults;
    struct out_dir outdir;
    struct earlier_files former; /* all file names that the run lists */
    struct run_facts run;
    int64_t *category; /* sorted ids of the categories, in former.arena */
    size_t n_categories;
    size_t part; /* of the line that is being read */
    struct slice manifest;
    size_t n_lines, n_objects; /* numbers of lines and objects in the manifest */
    struct pile outputs;       /* struct expected_output */
    struct pile objects;       /* struct expected_object */
    bool *dense;               /* by part: object ids are positions in the annotation file */
    bool source_ids;    /* the manifest has the ids of the source, not of the annotation file */
    struct arena names; /* for names of outputs */
    struct arena arena; /* for the files of the batch */
    struct record record[BATCH];
    uint8_t root_of[BATCH];
    struct expected_image expected[BATCH];
    size_t n;
    struct pile label_files; /* struct label_file */
    struct text labels;      /* texts of the label files */
};

void verify_report(struct verify_state *, const char *path, const char *code, const char *why);
/* Reports that the file has `n` things where the run wrote `expected`. */
void verify_count(struct verify_state *, const char *path, const char *what, int64_t n,
                  int64_t expected);
/* Reads a file of OUT itself into `out` (replaced). Returns false if it cannot be read, which is
 * then reported; verify_run reports missing files. */
bool verify_read(struct verify_state *, const char *name, struct text *out);
/* Returns a text member of a manifest line, or "" if the line does not have it. The arena v->arena
 * owns the text. */
const char *verify_text(struct verify_state *, struct slice line, const char *name);
/* Sets v->part and v->root to the part that the line names. Returns false if the run has no such
 * part. */
bool verify_find_part(struct verify_state *, struct slice line);
/* Returns the name, relative to the root of the line, of a file that the line names. */
const char *verify_file(struct verify_state *, const char *image, const char *name);

/* Returns the annotation file of a part in run.json; NULL if it has none. */
const char *verify_part_file(const struct verify_state *, size_t part);
/* Reads run.json. Returns false if it lacks a member, which is then reported. */
bool verify_run(struct verify_state *);
/* True if the run has a category with this id. */
bool verify_has_category(const struct verify_state *, int64_t id);
/* Compares the counts of run.json with the manifest, and errors.jsonl with run.json. */
void verify_counts(struct verify_state *);
/* Compares the annotation files with the outputs and objects of the manifest. All of these must be
 * known; sorts them. */
void verify_annotations(struct verify_state *);
/* Compares the index of label files, such as data.yaml, with the classes in run.json. */
void verify_index(struct verify_state *);
/* Checks the label files of the batch, and clears them. */
void verify_label_files(struct verify_state *);
/* Compares SHA256SUMS with the manifest and with the files of OUT itself. */
void verify_sums(struct verify_state *);
/* Compares the members of tars with the manifest: their names, their order, and the annotations of
 * each sample. */
void verify_tars(struct verify_state *);
