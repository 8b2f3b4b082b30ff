/* verify: is what stands in an output folder what its manifest says, no less and no more? */
#pragma once

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
