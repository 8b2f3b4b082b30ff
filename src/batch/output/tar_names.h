/* tar_names: the names of the tars that outputs are packed into, OUT/data-000000.tar and so on. */
#pragma once

#include "base/arena.h"
#include "base/text.h"

#define PACK_FIRST "data-000000.tar"
/* True if a file of OUT with this name is such a tar. */
bool pack_is_tar(const char *name);
/* Returns the name of tar number i, in the arena. */
const char *pack_tar_name(struct arena *, size_t i);
/* Appends the range of the first n tars, in the form that archive_open reads. */
void pack_print_range(size_t n, struct text *out);

/* Names of the tars in the scratch. */
struct tar_names {
    struct arena arena;
    const char **names;
    size_t n;
};
/* Returns the names of the tars and of these other files, in the order in which they are moved to
 * OUT. The caller frees the array. */
const char **tar_names_with(const struct tar_names *, const char *const *files, size_t n_files,
                            size_t *n);
void tar_names_drop(struct tar_names *);
