/* manifest_read: one line of a manifest, read. */
#pragma once

#include "json/value.h"
#include "param/param.h"

enum { MOST_ATTEMPTS = 1000 }; /* at one output */

/* What is asked of a line. The rest follows from it, and is what it became in the run. */
struct manifest_line {
    const char *output, *mask, *labels, *source, *key, *run;
    const char *source_sha256, *sha256, *mask_sha256, *labels_sha256;
    int64_t copy, branch, attempt;
    int64_t image_id,
        from; /* ids as base/id_index.h has them: in the annotations written, and read */
    struct list size_in, size_out;
};
extern const struct row manifest_rows[];

/* Parse the faults' text, a line by itself, to an object, and give all members their defaults. All
 * lives in the arena. NULL with faults. */
const struct value *manifest_line_parse(struct faults *, struct arena *, struct manifest_line *);
/* Read the members of what was parsed. False with faults. */
bool manifest_line_read(const struct value *root, struct arena *, struct manifest_line *,
                        struct faults *);
/* The faults of a line, as those of the whole manifest. */
void manifest_line_put_faults(const struct faults *line, struct faults *manifest);
/* A number of 16 hexadecimal digits, as keys are. */
bool manifest_read_hex(const char *text, uint64_t *number);
