/* manifest_line: one line of a manifest, read. */
#include "manifest_line.h"

#include <string.h>

enum { HEX_DIGITS = 16 };

#define M struct manifest_line
const struct row manifest_rows[] = {
    TEXT(M, output, .help = "the image that was written"),
    TEXT(M, mask, .preset = "\"\"", .help = "its label mask"),
    TEXT(M, labels, .preset = "\"\"", .help = "its file of labels"),
    TEXT(M, source, .help = "the image that it was made of"),
    TEXT(M, source_sha256, .preset = "\"\"", .help = "the SHA-256 of the source"),
    TEXT(M, sha256, .preset = "\"\"", .help = "the same of the image that was written"),
    TEXT(M, mask_sha256, .preset = "\"\"", .help = "the same of its label mask"),
    TEXT(M, labels_sha256, .preset = "\"\"", .help = "the same of its file of labels"),
    WHOLE(M, copy, .limit = { 0, 1000000 }, .help = "which of the image's copies it is"),
    WHOLE(M, branch, .preset = "0", .limit = { 0, 1000000 }, .help = "which branch of the copy"),
    WHOLE(M, image_id, .preset = "0", .limit = { -9007199254740992, 9007199254740992 },
          .help = "its id in the annotations that were written"),
    WHOLE(M, from, .preset = "0", .limit = { -9007199254740992, 9007199254740992 },
          .help = "the source's id"),
    TEXT(M, key, .help = "the key of the random numbers that were drawn"),
    TEXT(M, run, .help = "what links the line to the run's run.json"),
    LIST(M, size_in, .least = 2, .most = 2, .whole = true, .limit = { 1, 2147483647 },
         .help = "width and height of the source"),
    LIST(M, size_out, .least = 2, .most = 2, .whole = true, .limit = { 1, 2147483647 },
         .help = "width and height of the output"),
    WHOLE(M, attempt, .preset = "0", .limit = { 0, MOST_ATTEMPTS }, .help = "which attempt it was"),
    ROWS_END,
};
#undef M

/* Read otherwise, or results of the steps, which are made again. */
static const char *const other_members[] = { "steps",    "matrix",        "annotations",  "dropped",
                                             "rejected", "when_rejected", "image_labels", NULL };

const struct value *manifest_line_parse(struct faults *faults, struct arena *arena,
                                        struct manifest_line *line)
{
    const struct value *root;

    params_preset(manifest_rows, line, arena);
    root = value_parse(faults, arena);
    if (root && !value_expect(root, VALUE_OBJECT, "a line of a manifest, an object", faults))
        return NULL;
    return root;
}

bool manifest_line_read(const struct value *root, struct arena *arena, struct manifest_line *line,
                        struct faults *faults)
{
    return params_read(manifest_rows, root, line, other_members, &(struct reader){ .arena = arena },
                       faults);
}

void manifest_line_put_faults(const struct faults *line, struct faults *manifest)
{
    size_t at = (size_t)(line->text.at - manifest->text.at);

    for (size_t i = 0; i < line->n; i++) {
        const struct fault *f = &line->list[i];

        fault_add(manifest, at + f->offset, f->length, f->path, f->code, "%s", f->message);
    }
}

bool manifest_read_hex(const char *text, uint64_t *number)
{
    *number = 0;
    if (strlen(text) != HEX_DIGITS)
        return false;
    for (; *text; text++) {
        const char *digit = strchr("0123456789abcdef", *text);

        if (!digit)
            return false;
        *number = *number << 4 | (uint64_t)(digit - "0123456789abcdef");
    }
    return true;
}
