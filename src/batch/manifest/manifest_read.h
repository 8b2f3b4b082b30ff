/* manifest_read: reads one line of a manifest. */
#pragma once

#include "json/value.h"
#include "param/param.h"

enum { MAX_ATTEMPTS = 1000 }; /* per output */

/* Members of a line that a replay reads. The other members follow from them, and record the result
 * of the run. */
struct manifest_line {
    const char *output, *unlinked, *part, *mask, *labels, *source, *key, *run;
    const char *source_sha256, *sha256, *mask_sha256, *labels_sha256;
    int64_t copy, branch, attempt;
    int64_t image_id,
        from; /* ids as in base/id_index.h: in the written annotations, and in the source */
    struct list size_in, size_out;
};
extern const struct row manifest_rows[];

/* Parses the text of `faults`, which is one line, to an object, and sets all members to their
 * defaults. Everything lives in the arena. Returns NULL with faults. */
const struct value *manifest_line_parse(struct faults *, struct arena *, struct manifest_line *);
/* Reads the members of a parsed line. Returns false with faults. */
bool manifest_line_read(const struct value *root, struct arena *, struct manifest_line *,
                        struct faults *);
/* Adds the faults of a line to the faults of the whole manifest, with their offsets in it. */
void manifest_line_put_faults(const struct faults *line, struct faults *manifest);
/* Reads a number of 16 hexadecimal digits, the form of keys. Returns false if the text has another
 * form. */
bool manifest_read_hex(const char *text, uint64_t *number);
