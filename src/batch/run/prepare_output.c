/* prepare_output: prepares the output folder for a job. */
#include "batch/run/prepare_output.h"

#include "batch/output/name_collisions.h"
#include "batch/output/earlier_files.h"
#include "batch/results/shard_result.h"
#include "batch/run/collector.h"
#include "batch/run/resume.h"
#include "batch/journal/run_key.h"
#include "batch/output/replace_result.h"
#include "batch/output/out_dir.h"
#include "batch/output/run_json_read.h"
#include "batch/output/shard_dirs.h"

#include <errno.h>

static int refuse(const struct job *job, const char *code, struct faults *faults)
{
    fault_add(faults, 0, 0, job->output.path, code, "%s", errno_text());
    return EXIT_OUTPUT;
}

/* Removes the outputs that a stopped run has left in the scratch. Removes each listed file, since
 * folders can be nested deeply. */
static int remove_scratch_outputs(const struct job *job, struct out_dir *outdir,
                                  struct faults *faults)
{
    struct earlier_files built = { 0 };
    int code = EXIT_DONE;

    if (!out_dir_has_scratch_result(outdir))
        return EXIT_DONE;
    if (!out_dir_use_scratch(outdir) || !earlier_files_read_list(outdir, &built, "written"))
        code = refuse(job, "out-remove", faults);
    if (!code)
        code = earlier_files_remove(outdir, &built, faults);
    out_dir_leave_scratch(outdir);
    earlier_files_drop(&built);
    return code;
}

/* Empties the folder for a new result. A finished result stays while the new one is built; files of
 * an unfinished run are removed. */
static int make_room(const struct job *job, struct out_dir *outdir, struct faults *faults)
{
    struct earlier_files former = { 0 };
    int code = earlier_files_read(outdir, &former, faults);
    bool stays = has_finished_run(outdir) && (out_dir_has_scratch_result(outdir) ||
                                              !out_dir_has_scratch_file(outdir, "journal"));

    if (!code)
        code = earlier_files_check_job(outdir, &former, job, faults);
    if (!code)
        code = name_collisions_check_folded(job, outdir, faults);
    if (!code)
        code = earlier_files_check_folders(outdir, &former, faults);
    if (code)
        out_dir_abandon(outdir);
    if (!code)
        code = remove_scratch_outputs(job, outdir, faults);
    if (!code && !stays)
        code = earlier_files_remove_all(outdir, &former, faults);
    else if (!code && (!out_dir_clear_scratch(outdir) || !out_dir_use_scratch(outdir)))
        code = refuse(job, "out-unwritable", faults);
    earlier_files_drop(&former);
    return code;
}

static int end_swap(const struct job *job, struct out_dir *outdir, struct faults *faults)
{
    struct text why = { 0 };
    int code = EXIT_DONE;

    if (!swap_end(outdir, job->output.durability != DURABILITY_NONE, &why) ||
        !out_dir_clear_scratch(outdir)) {
        if (!why.length)
            text_addf(&why, "%s", errno_text());
        fault_add(faults, 0, 0, job->output.path, "out-unfinished", "%s", text_string(&why));
        code = EXIT_OUTPUT;
    }
    text_drop(&why);
    return code;
}

/* Finds out what can be resumed, after completing an interrupted replacement of a result. */
static int inspect(struct job *job, struct out_dir *outdir, enum resume_state *state, int *finished,
                   struct faults *faults)
{
    int code = out_dir_has_scratch_file(outdir, OUT_SHARDS)
                   ? out_dir_refuse_occupied(job->output.path, outdir->folder - 1, true, faults)
                   : resume_inspect(job, state, finished, faults);

    if (!code && *state == RESUME_SWAP_PENDING) {
        code = end_swap(job, outdir, faults);
        if (!code)
            code = resume_inspect(job, state, finished, faults);
    }
    return code;
}

/* Replaces the contents of the folder with a new result. */
static int start_over(struct job *job, struct out_dir *outdir, struct faults *faults)
{
    int code = swap_is_started(outdir) ? end_swap(job, outdir, faults) : EXIT_DONE;

    return code ? code : make_room(job, outdir, faults);
}

/* With `overwrite`, a run that cannot be resumed is replaced. */
static int resume_job(struct job *job, struct out_dir *outdir, bool overwrite, int *finished,
                      struct faults *faults)
{
    enum resume_state state = RESUME_FRESH;
    int code = inspect(job, outdir, &state, finished, faults);

    if (code == EXIT_OCCUPIED && overwrite) {
        faults_drop(faults);
        *finished = -1;
        return start_over(job, outdir, faults);
    }
    job->run.resume = state == RESUME_UNFINISHED;
    if (code)
        out_dir_abandon(outdir);
    else if (state == RESUME_FINISHED)
        /* a run can be killed while it removes its scratch */
        collect_end_scratch(outdir, job->output.path);
    else if (state == RESUME_FRESH)
        code = make_room(job, outdir, faults);
    else if (out_dir_has_scratch_result(outdir) && !out_dir_use_scratch(outdir))
        code = refuse(job, "out-unwritable", faults);
    return code;
}

/* --- a shard --- */

static int refuse_shard(const struct job *job, const char *code, const char *why,
                        struct faults *faults)
{
    fault_add(faults, 0, 0, job->output.path, code, "%s", why);
    return EXIT_OCCUPIED;
}

/* Records the job in the folder if this is its first shard; otherwise checks that this shard
 * belongs to the same job. */
static int join_shards(const struct job *job, struct out_dir *outdir, struct faults *faults)
{
    struct out_dir all = { 0 };
    struct text key = { 0 }, own = { 0 };
    int code = EXIT_DONE;
    size_t count;

    run_key_print(job, &own);
    if (!out_dir_start_shards(outdir, job->images.shard.count,
                              (struct slice){ own.at, own.length }) ||
        !out_dir_open_to_read(&all, job->output.path))
        code = refuse(job, "out-unwritable", faults);
    else if (!out_dir_read_shards(&all, &count, &key))
        code =
            errno != EBADMSG && errno != ENOENT
                ? refuse(job, "out-unwritable", faults)
                : refuse_shard(job, "out-damaged",
                               "it does not say what its shards are of: remove the folder", faults);
    else if (count != job->images.shard.count)
        code = refuse_shard(job, "shard-count",
                            arena_printf(&faults->arena,
                                         "its job has %zu shards, not %zu: use the same number for "
                                         "all shards, or another folder",
                                         count, job->images.shard.count),
                            faults);
    else if (!run_key_check(job, (struct slice){ key.at, key.length }, false, faults))
        code = EXIT_OCCUPIED;
    out_dir_close(&all);
    text_drop(&own);
    text_drop(&key);
    return code;
}

static int start_shard(const struct job *job, struct out_dir *outdir, struct faults *faults)
{
    const struct job whole = job_whole(job);
    int code = name_collisions_check_folded(&whole, outdir, faults);

    return code || out_dir_clear_scratch(outdir) ? code : refuse(job, "out-unwritable", faults);
}

static int resume_shard(struct job *job, struct out_dir *outdir, bool resume, int *finished,
                        struct faults *faults)
{
    enum resume_state state;
    int code = join_shards(job, outdir, faults);

    if (!code)
        code = resume_inspect(job, &state, finished, faults);
    if (code)
        return code;
    if (!resume && state != RESUME_FRESH)
        return refuse_shard(job, "out-unfinished",
                            state == RESUME_FINISHED
                                ? "this shard is done already; --resume says so with code 0"
                                : "this shard was stopped; go on with it with --resume",
                            faults);
    if (state == RESUME_FRESH)
        return start_shard(job, outdir, faults);
    job->run.resume = state == RESUME_UNFINISHED;
    return !job->run.resume || part_withdraw(outdir) ? EXIT_DONE
                                                     : refuse(job, "out-unwritable", faults);
}

static int prepare_shard(struct job *job, struct out_dir *outdir, bool resume, int *finished,
                         struct faults *faults)
{
    int code = out_dir_open_shard(outdir, job->output.path, &job->images.shard, faults);

    if (code)
        return code;
    job->output.outdir = outdir;
    code = resume_shard(job, outdir, resume, finished, faults);
    if (code)
        out_dir_close(outdir);
    return code;
}

int prepare_output(struct job *job, struct out_dir *outdir, enum prepare how, int *finished,
                   struct faults *faults)
{
    int code;

    if (job->images.shard.count)
        return prepare_shard(job, outdir, how == PREPARE_RESUME, finished, faults);
    code = out_dir_open(outdir, job->output.path, how != PREPARE_EMPTY, faults);

    if (code)
        return code;
    job->output.outdir = outdir;
    return how == PREPARE_RESUME || how == PREPARE_RESUME_OVERWRITE
               ? resume_job(job, outdir, how == PREPARE_RESUME_OVERWRITE, finished, faults)
               : start_over(job, outdir, faults);
}
