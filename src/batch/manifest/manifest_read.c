/* manifest_read: reads one line of a manifest. */
#include "batch/manifest/manifest_read.h"

#include "base/id_index.h"

#include <math.h>
#include <string.h>

enum { HEX_DIGITS = 16 };

#define M struct manifest_line
const struct row manifest_rows[] = {
    TEXT(M, output, .preset = "\"\"", .help = "the image that was written"),
    TEXT(M, unlinked, .preset = "\"\"",
         .help = "instead of it: the image that has labels only, after --link none"),
    TEXT(M, part, .preset = "\"\"", .help = "the part of the dataset"),
    TEXT(M, mask, .preset = "\"\"", .help = "its label mask"),
    TEXT(M, labels, .preset = "\"\"", .help = "its label file"),
    TEXT(M, source, .help = "the image that the output was made from"),
    TEXT(M, source_sha256, .preset = "\"\"", .help = "the SHA-256 of the source"),
    TEXT(M, sha256, .preset = "\"\"", .help = "the SHA-256 of the image that was written"),
    TEXT(M, mask_sha256, .preset = "\"\"", .help = "the SHA-256 of its label mask"),
    TEXT(M, labels_sha256, .preset = "\"\"", .help = "the SHA-256 of its label file"),
    WHOLE(M, copy, .limit = { 0, 1000000 }, .help = "the number of the copy"),
    WHOLE(M, branch, .preset = "0", .limit = { 0, 1000000 }, .help = "the number of the branch"),
    TEXT(M, key, .help = "the key of the random numbers"),
    TEXT(M, run, .help = "the hash that links the line to its run.json"),
    LIST(M, size_in, .least = 2, .most = 2, .whole = true, .limit = { 1, 2147483647 },
         .help = "width and height of the source"),
    LIST(M, size_out, .least = 2, .most = 2, .whole = true, .limit = { 1, 2147483647 },
         .help = "width and height of the output"),
    WHOLE(M, attempt, .preset = "0", .limit = { 0, MAX_ATTEMPTS },
          .help = "the number of the attempt"),
    ROWS_END,
};
#undef M

/* Members that are read elsewhere, or that are results of the steps and are made again. */
static const char *const other_members[] = { "steps",        "matrix",   "annotations",
                                             "dropped",      "rejected", "when_rejected",
                                             "image_labels", "image_id", "from",
                                             "origin",       NULL };

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

/* Reads an id of an image, which is missing where the run had no annotations. */
static bool read_id(const struct value *root, const char *name, int64_t *id, struct faults *faults)
{
    const double max = 0x1p53;
    const struct value *value = value_get(root, name);

    *id = 0;
    if (!value)
        return true;
    if (value->kind == VALUE_TEXT && *value->text)
        *id = id_of_text(value->text, strlen(value->text));
    else if (value->kind == VALUE_NUMBER && value->number == floor(value->number) &&
             fabs(value->number) <= max)
        *id = (int64_t)value->number;
    else
        return value_fault(faults, value, false, "param-type",
                           "expected an integer within 2^53, or a string");
    return true;
}

bool manifest_line_read(const struct value *root, struct arena *arena, struct manifest_line *line,
                        struct faults *faults)
{
    bool good = params_read(manifest_rows, root, line, other_members,
                            &(struct reader){ .arena = arena }, faults);

    if (!*line->output)
        line->output = line->unlinked;
    if (good && !*line->output)
        good = value_fault(faults, root, false, "param-missing", "\"output\" is missing: %s",
                           row_get(manifest_rows, "output")->help);
    good = read_id(root, "image_id", &line->image_id, faults) && good;
    return read_id(root, "from", &line->from, faults) && good;
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
