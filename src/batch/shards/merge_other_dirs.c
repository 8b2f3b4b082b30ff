/* merge_other_dirs: a result in a folder of its own, from shards in other folders, made on machines
 * without a common disk. */
#include "batch/shards/merge.h"

#include "batch/io/image_name.h"
#include "batch/io/path_within.h"
#include "batch/output/earlier_files.h"
#include "batch/output/lock.h"
#include "batch/output/out_dir.h"
#include "batch/output/out_files.h"
#include "batch/output/run_json_read.h"
#include "batch/output/shard_dirs.h"
#include "batch/results/shard_result.h"
#include "batch/process/signals.h"
#include "batch/io/walk.h"

#include "base/files.h"
#include "base/eintr.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- the folder of the result --- */

static bool find_any(void *context, const struct shard *shard, int scratch)
{
    (void)shard;
    (void)scratch;
    *(bool *)context = true;
    return true;
}

/* Checks that the folder is empty or has only what a stopped merge leaves: a list of shards, but no
 * shard. */
static int check_contents(struct merge_state *m, struct out_dir *o)
{
    static const char *const SCRATCH[] = { OUT_SCRATCH, NULL };
    static const char *const STARTED[] = { "lock", "written", NULL };
    bool shards = false;

    if (out_dir_is_empty(o))
        return EXIT_DONE;
    if (o->scratch && out_dir_has_scratch_file(o, OUT_SHARDS)) {
        if (out_dir_walk_shards(o, find_any, &shards) && !shards)
            return EXIT_DONE;
        return merge_refuse(m, m->path, EXIT_OCCUPIED, "out-shards",
                            "the folder of the result holds shards itself; use another one");
    }
    if (folder_holds_only(o->folder - 1, ".", SCRATCH) == 1 &&
        folder_holds_only(o->folder - 1, OUT_SCRATCH, STARTED) == 1)
        return EXIT_DONE;
    return merge_refuse(m, m->path, EXIT_OCCUPIED, "out-occupied",
                        "the folder of the result is not empty; use another one");
}

/* True if the folder has the finished result of these shards, as far as they still exist. */
static bool is_result(const struct merge_state *m, const struct out_dir *o)
{
    struct earlier_files former = { 0 };
    struct earlier_image_counts images;
    struct slice key;
    int code;
    bool same = !(o->scratch && out_dir_has_scratch_file(o, OUT_SHARDS)) &&
                run_json_read_finished(o, &former.arena, &key, &images, &code) &&
                (m->count || m->options->link == MERGE_MOVE);

    for (size_t i = 0; same && i < m->n_sources; i++)
        same = m->source[i].count || m->options->link == MERGE_MOVE;
    for (size_t i = 0; same && i < m->count; i++) {
        struct shard_part part = { .files_at = 0 };
        struct out_dir view;

        if (!m->home[i])
            continue;
        same = merge_view(m, i, &view) && part_read(&view, &part) &&
               part.key.length == key.length && memcmp(part.key.at, key.at, key.length) == 0;
        part_drop(&part);
        out_dir_close(&view);
    }
    earlier_files_drop(&former);
    return same;
}

static int check_sources(struct merge_state *m)
{
    int code = EXIT_DONE;

    for (size_t i = 0; i < m->n_sources; i++) {
        const char *path = m->source[i].path;

        if (path_is_within(m->path, path) || path_is_within(path, m->path))
            code = merge_refuse(m, path, EXIT_OCCUPIED, "out-inside",
                                "shards and the result must be in separate folders; to merge all "
                                "shards where they are, leave out -o");
    }
    return code;
}

static int check_shards(struct merge_state *m)
{
    int code = EXIT_DONE;

    for (size_t i = 0; i < m->n_sources; i++)
        if (!m->source[i].count)
            code = merge_refuse(m, m->source[i].path, EXIT_OCCUPIED, "merge-none",
                                "it holds no shards of a run: see lockstep status");
    return code;
}

int merge_inspect(struct merge_state *m, bool *finished)
{
    struct out_dir view;
    int code = check_sources(m);

    *finished = false;
    if (code)
        return code;
    if (out_dir_open_to_read(&view, m->path)) {
        *finished = is_result(m, &view);
        code = *finished ? EXIT_DONE : check_contents(m, &view);
    } else if (errno != ENOENT) {
        code = merge_refuse(m, m->path, EXIT_OUTPUT, "out-unwritable",
                            errno == ENOTDIR ? "it is not a folder" : errno_text());
    }
    out_dir_close(&view);
    return code || *finished ? code : check_shards(m);
}

/* --- gathering --- */

/* Marks the folder as one with the shards of the sources. */
static bool start(struct merge_state *m)
{
    struct out_dir *o = m->outdir;

    return (RETRY(mkdirat(o->scratch - 1, OUT_SHARDS, 0777)) == 0 || errno == EEXIST) &&
           folder_clear(o->scratch - 1, OUT_SHARDS, (const char *const[]){ NULL }) &&
           out_dir_start_shards(o, m->count,
                                (struct slice){ m->first->key.at, m->first->key.length });
}

int merge_begin(struct merge_state *m)
{
    int code;

    *m->outdir = (struct out_dir){ .path = m->path };
    if (!out_dir_take_lock(m->outdir, F_WRLCK))
        return errno == EAGAIN
                   ? merge_refuse(m, m->path, EXIT_OCCUPIED, "out-in-use", "a run is writing to it")
                   : merge_refuse(m, m->path, EXIT_OUTPUT, "out-unwritable", errno_text());
    code = check_contents(m, m->outdir);
    if (!code && !start(m))
        code = merge_refuse(m, m->path, EXIT_OUTPUT, "out-unwritable", errno_text());
    if (code)
        out_dir_abandon(m->outdir);
    return code;
}

void merge_abandon(struct merge_state *m)
{
    struct earlier_files former = { 0 };
    struct out_dir *o = m->outdir;

    if (earlier_files_read_list(o, &former, "written") &&
        !earlier_files_remove(o, &former, m->faults) && out_dir_remove_empty_folders(o) &&
        out_dir_clear_scratch(o))
        out_dir_abandon(o);
    earlier_files_drop(&former);
}

struct gather_state {
    struct merge_state *merge;
    struct out_dir *from;
    struct text *why;
};

/* True if the error prevents a hard link but not a copy. */
static bool is_unlinkable(int error)
{
    return error == EXDEV || error == EPERM || error == EMLINK || error == EOPNOTSUPP;
}

static void say_refused(const struct gather_state *g, const struct listed_file *line)
{
    const char *lost = errno == ENOENT || errno == ENOTDIR || errno == ESTALE || errno == EINVAL
                           ? "it is not there as it was written; run the shard with --resume"
                           : NULL;

    text_addf(g->why, "%s/%.*s: ", g->from->path, (int)line->name.length, line->name.at);
    if (lost)
        text_addf(g->why, "%s [shard-damaged]", lost);
    else if (g->merge->options->link == MERGE_HARD && is_unlinkable(errno))
        text_addf(g->why, "it cannot be linked (%s); use --link copy", errno_text());
    else
        text_addf(g->why, "%s", errno_text());
}

/* Makes a symbolic link to an image or mask of a shard. Copies other files, since readers of an
 * output may refuse links to them. Fails with ESTALE if the file has another size. */
static bool link_symbolically(const struct gather_state *g, const struct listed_file *line)
{
    struct text path = { 0 };
    bool good;

    text_add(&path, line->name.at, line->name.length);
    good = out_dir_has_file(g->from, text_string(&path), line->size, NULL);
    if (good && !name_is_image(text_string(&path)))
        good = out_dir_link_or_copy(g->merge->outdir, g->from, line, false);
    else if (good)
        good = out_dir_link_image(g->merge->outdir, text_string(&path), (size_t)line->record,
                                  line->size, g->from->path, text_string(&path), true);
    else
        errno = ESTALE;
    text_drop(&path);
    return good;
}

static bool take(void *context, const struct listed_file *line)
{
    const struct gather_state *g = context;
    enum merge_link link = g->merge->options->link;
    struct out_dir *to = g->merge->outdir;
    bool good =
        !signals_end() &&
        (link == MERGE_SYMBOLIC ? link_symbolically(g, line)
                                : out_dir_link_or_copy(to, g->from, line, link != MERGE_COPY));

    if (!good && !signals_end() && link == MERGE_MOVE && is_unlinkable(errno))
        good = out_dir_link_or_copy(to, g->from, line, false);
    if (!good && !signals_end())
        say_refused(g, line);
    return good;
}

bool merge_gather(struct merge_state *m, struct text *why)
{
    bool good = true;

    for (size_t i = 0; good && i < m->count; i++) {
        struct out_dir view;
        struct gather_state g = { m, &view, why };

        good = merge_view(m, i, &view) && file_list_open_to_read(&view) &&
               file_list_walk(&view, take, &g);
        if (!good && !why->length && !signals_end())
            text_addf(why, "%s: shard %zu/%zu: %s", view.path, i, m->count, errno_text());
        out_dir_close(&view);
    }
    return good;
}

/* --- removal of what was moved --- */

struct file_removal {
    struct out_dir *from, *result;
    bool packed; /* the result has all outputs in tars */
    struct text path, *why;
};

/* Removes a file only if the result has it. */
static bool release_file(void *context, const struct listed_file *line)
{
    struct file_removal *r = context;

    text_clear(&r->path);
    text_add(&r->path, line->name.at, line->name.length);
    if (!r->packed && !out_dir_has_file(r->result, text_string(&r->path), line->size, NULL)) {
        text_addf(r->why, "%s/%s: it is not in the result", r->from->path, text_string(&r->path));
        return false;
    }
    out_dir_remove_file(r->from, text_string(&r->path));
    if (out_dir_has_entry(r->from, text_string(&r->path)))
        text_addf(r->why, "%s/%s: it cannot be removed", r->from->path, text_string(&r->path));
    return !r->why->length;
}

static bool release_shard(struct merge_state *m, size_t i, struct out_dir *result, struct text *why)
{
    const struct shard shard = { i, m->count };
    struct out_dir view;
    struct file_removal r = {
        .from = &view, .result = result, .why = why, .packed = pack_has_tars(result->folder - 1)
    };
    bool good = merge_view(m, i, &view);

    /* A shard without a list was being removed already. */
    good = good &&
           (file_list_open_to_read(&view) ? file_list_walk(&view, release_file, &r)
                                          : errno == ENOENT) &&
           out_dir_remove_shard(&m->source[m->home[i] - 1].view, &shard, PART);
    if (!good && !why->length)
        text_addf(why, "%s: shard %zu/%zu: %s", view.path, i, m->count, errno_text());
    text_drop(&r.path);
    out_dir_close(&view);
    return good;
}

struct shard_removal {
    const struct out_dir *from;
    bool holds; /* a shard that was started there and finished elsewhere stays */
};

/* Removes the folder of a shard if it is empty: its removal was under way. */
static bool remove_empty_shard(void *context, const struct shard *shard, int scratch)
{
    struct shard_removal *l = context;
    struct text path = { 0 };
    char name[SHARD_NAME];

    (void)scratch;
    shard_print_name(shard, name);
    path_join(&path, OUT_SHARDS, name);
    l->holds =
        RETRY(unlinkat(l->from->scratch - 1, text_string(&path), AT_REMOVEDIR)) != 0 || l->holds;
    text_drop(&path);
    return true;
}

/* Renames the folder before removing it, so that no half-removed shard is taken for a whole one. */
static bool end_source(struct out_dir *o)
{
    int scratch = o->scratch - 1;

    return RETRY(renameat(scratch, OUT_SHARDS, scratch, MERGED)) == 0 && out_dir_finish(o);
}

/* True if the scratch has only what a stopped removal leaves. The scratch of another run stays. */
static bool is_left_over(struct out_dir *o)
{
    static const char *const LAST[] = { "lock", "written", MERGED, NULL };

    return folder_holds_only(o->scratch - 1, ".", LAST) == 1 &&
           (out_dir_lock_existing(o) || !o->lock);
}

static bool release_source(struct merge_source *s, struct text *why)
{
    struct out_dir *o = &s->view;
    struct shard_removal l = { .from = o };
    bool good = true;

    if (s->count)
        good = out_dir_remove_empty_folders(o) && out_dir_walk_shards(o, remove_empty_shard, &l) &&
               (l.holds || end_source(o));
    else if (is_left_over(o))
        good = (o->lock && out_dir_finish(o)) ||
               RETRY(unlinkat(o->folder - 1, OUT_SCRATCH, AT_REMOVEDIR)) == 0;
    if (!good)
        text_addf(why, "%s: %s", s->path, errno_text());
    return good;
}

bool merge_release(struct merge_state *m, struct text *why)
{
    struct out_dir result;
    bool good = out_dir_open_to_read(&result, m->path);

    for (size_t i = 0; good && i < m->count; i++)
        good = !m->home[i] || release_shard(m, i, &result, why);
    for (size_t i = 0; good && i < m->n_sources; i++)
        good = !m->source[i].view.scratch || release_source(&m->source[i], why);
    out_dir_close(&result);
    return good;
}
