/* tar_names: the names of the tars that outputs are packed into, OUT/data-000000.tar and so on. */
#pragma once

#include "base/arena.h"
#include "base/text.h"

#define PACK_FIRST "data-000000.tar"
/* Is the name, in OUT, that of such a tar? */
bool pack_is_tar(const char *name);
/* The i-th of them. */
const char *pack_tar_name(struct arena *, size_t i);
/* Append the range of n of them, as archive_open takes it. */
void pack_print_range(size_t n, struct text *out);

/* Tars in the scratch, by their names. */
struct packed {
    struct arena arena;
    const char **names;
    size_t n;
};
/* The tars and the other files, in the order in which they get to OUT; free() ends it. */
const char **packed_with(const struct packed *, const char *const *files, size_t n_files,
                         size_t *n);
void packed_drop(struct packed *);
