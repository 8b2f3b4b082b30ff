/* verify: is what stands in an output folder what its manifest says, no less and no more? */
#pragma once

#include "former.h"
#include "inspect.h"

#include "../base/fault.h"

/* What is wrong, one by one: `path` is below OUT, `code` one of verify-missing, verify-hash,
 * verify-damaged, verify-size, verify-labels, verify-extra. */
typedef void verify_fn(void *context, const char *path, const char *code, const char *why);

/* What was looked at. */
struct verified {
    size_t n_files;  /* images, masks and files of labels of the manifest */
    size_t n_hashed; /* of which the manifest has a hash */
};

/* Look at every file in the folder of a finished run, by so many processes (0: one a processor).
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

/* An output's id and size. */
struct numbered {
    int64_t id;
    struct slice shown; /* the text of the id */
    int width, height;
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
    struct pile outputs;  /* of struct numbered */
    struct arena arena;   /* of the files below, until they are inspected */
    struct record record[BATCH];
    struct promised promised[BATCH];
    size_t n;
};

void verify_report(struct verifying *, const char *path, const char *code, const char *why);
/* Hold the annotation files against the outputs, which are all known: they get sorted. */
void verify_annotations(struct verifying *);
