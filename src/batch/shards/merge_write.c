/* merge_write: writes the files of a result from the spools of all shards. */
#include "batch/shards/merge.h"
#include "batch/results/shard_result.h"
#include "batch/process/signals.h"
#include "batch/webdataset/sink.h"
#include "batch/journal/spool_merge.h"
#include "batch/results/annotations_file.h"
#include "batch/results/sha256sums.h"
#include "batch/webdataset/pack.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int name_folder(const void *context, size_t i, struct text *out)
{
    const struct merge_state *m = context;
    const struct shard shard = { i, m->count };
    char name[SHARD_NAME];

    shard_print_name(&shard, name);
    text_addf(out, OUT_SHARDS "/%s", name);
    return m->source[m->home[i] - 1].view.scratch - 1;
}

void merge_start_spools(const struct merge_state *m, const char *name, struct spool_merge *to)
{
    spool_merge_start(to, m->count, name, name_folder, m);
}

static const char *say_broken(int error)
{
    return error == EBADMSG || error == ENOENT
               ? "it is not as it was written; run the shard with --resume"
               : strerror(error);
}

bool merge_end_spools(struct spool_merge *s, struct text *why)
{
    bool good = !s->broken;

    if (!good)
        text_addf(why, OUT_SCRATCH "/%s: %s [shard-damaged]", s->broken, say_broken(errno));
    spool_merge_end(s);
    return good && !signals_end();
}

/* Closes a file; keeps an earlier reason. */
static bool close_file(FILE *file, bool good, const char *name, struct text *why)
{
    if (good || !why->length)
        return collect_close(file, good, name, why);
    fclose(file);
    return false;
}

/* --- lines --- */

/* Writes the lines of a spool to a file; with `sums`, also the lines of SHA256SUMS for the outputs
 * in them. */
static bool write_lines(struct merge_state *m, const char *name, const char *spool, FILE *sums,
                        struct text *why)
{
    FILE *file = collect_open(m->outdir, name, why);
    struct spool_merge from;
    struct arena arena = { 0 };
    struct text line = { 0 };
    struct slice bytes;
    uint64_t key;
    bool good = true;

    if (!file)
        return false;
    merge_start_spools(m, spool, &from);
    while (good && !signals_end() && spool_merge_next(&from, &key, &bytes)) {
        good = fwrite(bytes.at, 1, bytes.length, file) == bytes.length;
        if (!sums)
            continue;
        text_clear(&line);
        sums_print_outputs(bytes, &arena, &line);
        arena_reset(&arena);
        good = good && fwrite(text_string(&line), 1, line.length, sums) == line.length;
    }
    text_drop(&line);
    arena_drop(&arena);
    good = merge_end_spools(&from, why) && good;
    return close_file(file, good, name, why);
}

/* --- annotations --- */

struct elements {
    struct spool_merge from;
    bool dense;
    int64_t id; /* the last id that was assigned */
    struct text renumbered;
};

static bool next_element(void *context, struct slice *out)
{
    struct elements *e = context;
    uint64_t key;

    if (signals_end() || !spool_merge_next(&e->from, &key, out))
        return false;
    if (!e->dense)
        return true;
    text_clear(&e->renumbered);
    collect_print_numbered(*out, ++e->id, &e->renumbered);
    *out = (struct slice){ e->renumbered.at, e->renumbered.length };
    return true;
}

static bool write_elements(struct merge_state *m, const char *spool, bool dense, FILE *file,
                           struct text *why)
{
    struct elements e = { .dense = dense };
    bool good;

    merge_start_spools(m, spool, &e.from);
    document_write_elements(file, next_element, &e);
    good = merge_end_spools(&e.from, why);
    text_drop(&e.renumbered);
    return good;
}

static bool write_lines_of(struct merge_state *m, const char *spool, FILE *file, struct text *why)
{
    struct spool_merge from;
    struct slice bytes;
    uint64_t key;
    bool good = true;

    merge_start_spools(m, spool, &from);
    while (good && !signals_end() && spool_merge_next(&from, &key, &bytes))
        good = fwrite(bytes.at, 1, bytes.length, file) == bytes.length;
    return merge_end_spools(&from, why) && good;
}

/* Returns the name of a spool of elements that a part contains; NULL if it is not one. */
static const char *spool_named(struct merge_state *m, struct slice bytes)
{
    static const char *const spools[] = { SPOOL_RECORDS, SPOOL_OBJECTS };

    for (size_t i = 0; i < COUNTOF(spools); i++)
        if (bytes.length >= strlen(spools[i]) &&
            memcmp(bytes.at, spools[i], strlen(spools[i])) == 0 &&
            !memchr(bytes.at, '/', bytes.length))
            return arena_copy(&m->faults->arena, bytes.at, bytes.length);
    return NULL;
}

static bool write_piece(struct merge_state *m, enum part_piece piece, struct slice bytes,
                        FILE *file, struct text *why)
{
    const char *spool = piece == PART_TEXT ? "" : spool_named(m, bytes);

    switch (piece) {
    case PART_TEXT:
        return fwrite(bytes.at, 1, bytes.length, file) == bytes.length;
    case PART_RECORDS:
        return spool && write_elements(m, spool, false, file, why);
    case PART_LINES:
        return spool && write_lines_of(m, spool, file, why);
    case PART_OBJECTS:
        return spool && write_elements(m, spool, m->first->head.dense, file, why);
    default:
        return false;
    }
}

/* Returns the name if a part may name this file of OUT, or NULL. */
static const char *out_file(struct merge_state *m, struct slice bytes)
{
    const char *name = arena_copy(&m->faults->arena, bytes.at, bytes.length);

    return file_list_name_is_safe(name) ? name : NULL;
}

static void add_file(struct merge_state *m, const char *name)
{
    const char **more = ARENA_ARRAY(&m->faults->arena, const char *, m->n_files + 1);

    if (m->n_files)
        memcpy(more, m->files, m->n_files * sizeof *more);
    more[m->n_files++] = name;
    m->files = more;
}

/* Writes the files that the part of shard 0 contains. */
static bool write_files(struct merge_state *m, int part, struct text *why)
{
    enum part_piece piece = PART_TEXT;
    struct text room = { 0 };
    struct slice bytes;
    uint64_t at = m->first->files_at;
    const char *name = NULL;
    FILE *file = NULL;
    bool good = true;

    while (good && part_next(part, &at, &room, &piece, &bytes) && piece != PART_END) {
        if (piece != PART_FILE) {
            good = file && write_piece(m, piece, bytes, file, why);
            continue;
        }
        good = !file || close_file(file, true, name, why);
        name = out_file(m, bytes);
        file = good && name ? collect_open(m->outdir, name, why) : NULL;
        good = file;
        if (file)
            add_file(m, name);
    }
    if (file)
        good = close_file(file, good, name, why);
    if ((!good || piece != PART_END) && !why->length)
        text_addf(why, "%s of shard 0: %s [shard-damaged]", PART, say_broken(errno));
    text_drop(&room);
    return good && piece == PART_END;
}

static bool write_annotations(struct merge_state *m, struct text *why)
{
    struct out_dir view;
    int part = -1;
    bool good = merge_view(m, 0, &view);

    if (good)
        part = open_regular_at(view.scratch - 1, PART, O_RDONLY);
    if (part < 0)
        text_addf(why, "%s: %s", PART, errno_text());
    good = part >= 0 && write_files(m, part, why);
    if (part >= 0)
        close(part);
    out_dir_close(&view);
    return good;
}

/* --- run.json, SHA256SUMS, tars --- */

static bool write_run(struct merge_state *m, struct text *why)
{
    FILE *file = collect_open(m->outdir, "run.json", why);
    struct run_words words = m->first->words;
    struct text run = { 0 };
    const char **names;
    size_t n;
    bool good;

    if (!file)
        return false;
    words.key = m->first->key;
    names = tar_names_with(&m->packed, m->files, m->n_files, &n);
    run_words_print(&words, &m->totals, names, n, &run);
    free(names);
    good = fwrite(run.at, 1, run.length, file) == run.length;
    text_drop(&run);
    return close_file(file, good, "run.json", why);
}

/* Appends the hashes of the files in OUT itself, after the hashes of the outputs. The file does not
 * list itself. */
static bool end_sums(struct merge_state *m, FILE *sums, const char *name, struct text *why)
{
    struct text lines = { 0 };
    size_t n;
    const char **names = tar_names_with(&m->packed, m->files, m->n_files, &n);
    bool good = true;

    for (size_t i = 0; good && i < n; i++)
        good = strcmp(names[i], name) == 0 || sums_print_file(m->outdir, names[i], &lines);
    free(names);
    good = good && fwrite(text_string(&lines), 1, lines.length, sums) == lines.length;
    text_drop(&lines);
    return close_file(sums, good, name, why);
}

static bool pack(struct merge_state *m, struct text *why)
{
    const struct packing *how = &m->first->head.packing;
    struct tar_sink tars = sink_tars(m->outdir, how, &m->packed);

    tar_names_drop(&m->packed);
    return !how->max_samples || pack_outputs(m->outdir, &tars.sink, m->files, m->n_files, why);
}

bool merge_write(struct merge_state *m, struct text *why)
{
    static const char SUMS[] = "SHA256SUMS";
    bool checksums = m->first->head.checksums, good;
    FILE *sums = checksums ? collect_open(m->outdir, SUMS, why) : NULL;

    if (checksums && !sums)
        return false;
    m->n_files = 0;
    add_file(m, "manifest.jsonl");
    if (m->totals.skipped)
        add_file(m, "errors.jsonl");
    add_file(m, "run.json");
    if (checksums)
        add_file(m, SUMS);
    good = write_annotations(m, why) &&
           write_lines(m, "manifest.jsonl", SPOOL_MANIFEST,
                       m->first->head.packing.max_samples ? NULL : sums, why) &&
           (!m->totals.skipped || write_lines(m, "errors.jsonl", SPOOL_ERRORS, NULL, why)) &&
           pack(m, why) && write_run(m, why);
    if (sums && good)
        good = end_sums(m, sums, SUMS, why);
    else if (sums)
        fclose(sums);
    return good && !signals_end();
}
