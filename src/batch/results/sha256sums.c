/* sha256sums: writes SHA256SUMS, with one line per file of the result, in the format of sha256sum.
 */
#include "batch/results/sha256sums.h"

#include "base/hash.h"
#include "base/file_view.h"
#include "json/members.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* sha256sum escapes a backslash in a name, and then starts the line with a backslash. */
void sums_print_line(const char *hex, const char *name, struct text *out)
{
    if (strchr(name, '\\'))
        text_addc(out, '\\');
    text_addf(out, "%s  ", hex);
    for (; *name; name++)
        text_addf(out, *name == '\\' ? "\\\\" : "%c", *name);
    text_addc(out, '\n');
}

/* Prints the line of an output's file, whose name and hash are members of the manifest line. */
static void print_member(struct slice line, const char *name, const char *sum, struct arena *arena,
                         struct text *out)
{
    struct slice file = pick_again(line, name), hash = pick_again(line, sum);

    if (file.at == line.at || hash.at == line.at)
        return; /* the output has no such file */
    sums_print_line(arena_copy(arena, hash.at + 1, hash.length - 2),
                    scan_unescape(arena, (struct slice){ file.at + 1, file.length - 2 }).at, out);
}

void sums_print_outputs(struct slice lines, struct arena *arena, struct text *out)
{
    while (lines.length) {
        const char *end = memchr(lines.at, '\n', lines.length);
        size_t length = end ? (size_t)(end - lines.at) : lines.length;
        struct slice line = { lines.at, length };

        print_member(line, "output", "sha256", arena, out);
        print_member(line, "mask", "mask_sha256", arena, out);
        print_member(line, "labels", "labels_sha256", arena, out);
        length += end != NULL;
        lines = (struct slice){ lines.at + length, lines.length - length };
    }
}

/* Prints the line of a file that is still in the scratch. */
bool sums_print_file(struct out_dir *outdir, const char *name, struct text *out)
{
    int file = out_dir_open_scratch_file(outdir, name);
    struct slice bytes;
    char hex[65];
    bool good = file >= 0 && view_whole(file, &bytes);

    if (good) {
        hash_hex(bytes.at, bytes.length, hex);
        sums_print_line(hex, name, out);
        view_close(bytes);
    }
    if (file >= 0)
        close(file);
    return good;
}

static bool write_text(FILE *file, struct text *text)
{
    bool good = fwrite(text_string(text), 1, text->length, file) == text->length;

    text_clear(text);
    return good;
}

bool collect_write_sums(const struct collect *c, struct slice journal, const char *const *files,
                        size_t n_files, struct text *why)
{
    static const char name[] = "SHA256SUMS";
    FILE *file = collect_open(c->job->output.outdir, name, why);
    struct arena arena = { 0 };
    struct text out = { 0 };
    struct report_view r;
    bool good = file;

    for (size_t i = 0; good && !c->packed.names.n && i < c->job->images.n_records; i++)
        if (collect_report(c, journal, job_record(c->job, i), &r) && r.outcome == OUTCOME_DONE) {
            sums_print_outputs(r.manifest, &arena, &out);
            good = write_text(file, &out);
            arena_reset(&arena);
        }
    for (size_t i = 0; good && i < n_files; i++)
        good =
            strcmp(files[i], name) == 0 || sums_print_file(c->job->output.outdir, files[i], &out);
    good = good && write_text(file, &out);
    arena_drop(&arena);
    text_drop(&out);
    return file && collect_close(file, good, name, why);
}
