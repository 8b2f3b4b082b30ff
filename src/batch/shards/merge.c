/* merge: combines the shards of a job. */
#include "batch/shards/merge.h"

#include "batch/output/earlier_files.h"
#include "batch/results/shard_result.h"
#include "batch/process/signals.h"
#include "batch/output/lock.h"
#include "batch/output/out_dir.h"
#include "batch/output/out_files.h"
#include "batch/output/run_json_read.h"
#include "batch/output/shard_dirs.h"
#include "batch/webdataset/pack.h"

#include "base/stderr_line.h"
#include "base/eintr.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- writing --- */

/* Removes files that a stopped merge has moved into place. */
static bool clear(struct merge_state *m)
{
    struct out_dir *o = m->outdir;
    struct earlier_files former = { 0 };
    bool good = earlier_files_read_list(o, &former, "written") &&
                earlier_files_remove(o, &former, m->faults) == EXIT_DONE &&
                out_dir_clear_temporary(o) &&
                (RETRY(unlinkat(o->scratch - 1, "written", 0)) == 0 || errno == ENOENT) &&
                file_list_start(o);

    earlier_files_drop(&former);
    return good;
}

static bool publish(struct merge_state *m, struct text *why)
{
    size_t n;
    const char **names = tar_names_with(&m->packed, m->files, m->n_files, &n);
    bool good = true;

    for (size_t i = 0; good && i < n; i++) {
        good = out_dir_publish(m->outdir, names[i]);
        if (!good)
            text_addf(why, "%s: %s", names[i], errno_text());
    }
    free(names);
    good = good && out_dir_verify(m->outdir, why);
    if (good && (m->options->lasting || m->options->link == MERGE_MOVE) &&
        !out_dir_sync(m->outdir)) {
        text_addf(why, "what was written did not reach the disk: %s", errno_text());
        good = false;
    }
    if (!good)
        out_dir_remove_outputs(m->outdir, OUT_FILES_RECORD, 0);
    return good;
}

static void finish(struct out_dir *o, const char *path)
{
    if (!out_dir_finish(o))
        message_print("lockstep: warning: %s is complete, but its folder %s cannot be removed: %s; "
                      "merge it again to remove it [out-scratch]",
                      path, OUT_SCRATCH, errno_text());
}

/* A bad spool is reported as an error of its shard, any other failure as a disk error. */
static int refuse_result(struct merge_state *m, struct text *why)
{
    const char *code = merge_take_code(m, why);

    if (strcmp(code, "shard-damaged") == 0)
        return merge_refuse(m, m->path, EXIT_OCCUPIED, code, text_string(why));
    return merge_refuse(m, m->path, EXIT_OUTPUT, *code ? code : "out-unwritable", text_string(why));
}

static void prune(const struct merge_state *m, struct out_dir *o)
{
    if (!out_dir_remove_empty_folders(o))
        message_print("lockstep: warning: %s: empty folders cannot be removed: %s [out-scratch]",
                      m->path, errno_text());
}

/* Packed outputs are removed only after the result is in place, so that no shard has to make them
 * again. */
static void remove_packed(const struct merge_state *m, struct out_dir *o)
{
    if (!pack_remove(o))
        message_print("lockstep: warning: %s: files that are packed stay: %s [out-scratch]",
                      m->path, errno_text());
    prune(m, o);
}

static int write_all(struct merge_state *m)
{
    struct text why = { 0 };
    int scratch = m->outdir->scratch - 1, code = EXIT_DONE;
    bool good = clear(m);

    if (!good && !m->faults->n)
        text_addf(&why, "%s", errno_text());
    good = good && (!m->options->out || merge_gather(m, &why)) && merge_write(m, &why) &&
           publish(m, &why);
    if (good)
        prune(m, m->outdir);
    if (good && RETRY(renameat(scratch, OUT_SHARDS, scratch, MERGED)) != 0) {
        text_addf(&why, "%s: %s", OUT_SHARDS, errno_text());
        out_dir_remove_outputs(m->outdir, OUT_FILES_RECORD, 0);
        good = false;
    }
    if (good) {
        if (m->packed.names.n)
            remove_packed(m, m->outdir);
        finish(m->outdir, m->path);
    } else if (signals_end())
        code = EXIT_SIGNAL + signals_end();
    else
        code = refuse_result(m, &why);
    text_drop(&why);
    return code;
}

static void finish_again(struct merge_state *m, struct out_dir *o)
{
    if (pack_has_tars(o->folder - 1))
        remove_packed(m, o);
    finish(o, m->path);
}

/* --- in the folder of all shards --- */

/* Handles a folder without shards: a finished run needs no merge. */
static int check_finished(struct merge_state *m, struct out_dir *o, struct merge_result *merged)
{
    struct earlier_files former = { 0 };
    struct earlier_image_counts images;
    struct slice key;
    int code;

    if ((o->scratch && out_dir_has_scratch_file(o, "journal")) ||
        !run_json_read_finished(o, &former.arena, &key, &images, &code)) {
        code = merge_refuse(m, m->path, EXIT_OCCUPIED, "merge-none",
                            "it holds no shards of a run: see lockstep status");
    } else {
        merged->before = true;
        if (o->lock)
            finish_again(m, o); /* a stopped merge may have left its scratch */
    }
    earlier_files_drop(&former);
    return code;
}

static int merge_in_place(struct merge_state *m, struct merge_result *merged)
{
    struct merge_source *s = m->source;
    int code;

    if (!s->view.scratch)
        return check_finished(m, &s->view, merged);
    *m->outdir = (struct out_dir){ .path = m->path };
    if (!out_dir_take_lock(m->outdir, F_WRLCK))
        return errno == EAGAIN
                   ? merge_refuse(m, m->path, EXIT_OCCUPIED, "out-in-use",
                                  "a run or a shard is writing to it")
                   : merge_refuse(m, m->path, EXIT_OUTPUT, "out-unwritable", errno_text());
    if (!out_dir_has_scratch_file(m->outdir, OUT_SHARDS))
        return check_finished(m, m->outdir, merged);
    code = merge_find(m);
    code = code ? code : merge_read(m);
    return code ? code : write_all(m);
}

/* --- in another folder --- */

/* Removes what was moved. A failure is only a warning, since the result is complete. */
static void release(struct merge_state *m)
{
    struct text why = { 0 };

    if (m->options->link == MERGE_MOVE && !merge_release(m, &why))
        message_print(
            "lockstep: warning: %s is complete, but the moved files cannot be removed from "
            "their old folder: %s; merge again to remove them [out-scratch]",
            m->path, text_string(&why));
    text_drop(&why);
}

/* Completes a merge that was stopped while it removed its scratch or what was moved. */
static int finish_stopped(struct merge_state *m, struct merge_result *merged)
{
    struct out_dir *o = m->outdir;

    merged->before = true;
    if (out_dir_open_to_read(o, m->path) && o->scratch) {
        out_dir_close(o);
        *o = (struct out_dir){ .path = m->path };
        if (out_dir_take_lock(o, F_WRLCK))
            finish_again(m, o);
    }
    release(m);
    return EXIT_DONE;
}

static int merge_to_folder(struct merge_state *m, struct merge_result *merged)
{
    bool finished;
    int code = merge_find(m);

    if (!code)
        code = merge_inspect(m, &finished);
    if (!code && finished)
        return finish_stopped(m, merged);
    if (!code)
        code = merge_read(m);
    if (!code && m->options->link == MERGE_SYMBOLIC && m->first->head.packing.max_samples)
        code = merge_refuse(m, "--link", EXIT_USAGE, "option-unused",
                            "tars contain the images themselves");
    if (!code)
        code = merge_begin(m);
    if (code)
        return code;
    code = write_all(m);
    if (code)
        merge_abandon(m);
    else
        release(m);
    return code;
}

/* --- all of it --- */

static int merge(struct merge_state *m, struct merge_result *merged)
{
    sigset_t awake;
    int code;

    signals_catch(&awake);
    signals_unblock(&awake);
    code = m->options->out ? merge_to_folder(m, merged) : merge_in_place(m, merged);
    if (merged->before)
        return code;
    merged->totals = m->totals;
    merged->n_shards = m->count;
    merged->annotated = m->first->head.annotated;
    if (!code)
        code = !m->totals.skipped ? EXIT_DONE : m->totals.done ? EXIT_PARTIAL : EXIT_INPUT;
    return code;
}

int merge_folders(const struct merge_options *options, struct merge_result *merged,
                  struct faults *faults)
{
    struct out_dir outdir = { 0 };
    struct shard_part first = { .files_at = 0 };
    struct merge_state m = { .path = options->out ? options->out : options->from[0],
                             .options = options,
                             .outdir = &outdir,
                             .faults = faults,
                             .first = &first };
    int code;

    *merged = (struct merge_result){ .n_shards = 0 };
    code = merge_open(&m);
    if (!code)
        code = merge(&m, merged);
    tar_names_drop(&m.packed);
    out_dir_close(&outdir);
    merge_close(&m);
    part_drop(&first);
    return code;
}
