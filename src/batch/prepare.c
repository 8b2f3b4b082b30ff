/* prepare: the output folder, made ready for a job. */
#include "prepare.h"

#include "collisions.h"
#include "former.h"
#include "resume.h"
#include "swap.h"

static int refuse(const struct job *job, const char *code, struct faults *faults)
{
    fault_add(faults, 0, 0, job->out, code, "%s", errno_text());
    return EXIT_OUTPUT;
}

/* What a run that was stopped has built apart goes file by file: its folders may be deep. */
static int remove_apart(const struct job *job, struct outdir *outdir, struct faults *faults)
{
    struct former built = { 0 };
    int code = EXIT_DONE;

    if (!outdir_has_apart(outdir))
        return EXIT_DONE;
    if (!outdir_go_apart(outdir) || !former_read_list(outdir, &built, "written"))
        code = refuse(job, "out-remove", faults);
    if (!code)
        code = former_remove_files(outdir, &built, faults);
    outdir_leave_apart(outdir);
    former_drop(&built);
    return code;
}

/* A result that is there stays while the new one is built; of a run that did not end, nothing is
 * of use. */
static int make_room(const struct job *job, struct outdir *outdir, struct faults *faults)
{
    struct former former = { 0 };
    int code = former_read(outdir, &former, faults);
    bool stays = former_is_finished(outdir) &&
                 (outdir_has_apart(outdir) || !outdir_scratch_has(outdir, "journal"));

    if (!code)
        code = former_check(outdir, &former, job, faults);
    if (!code)
        code = collisions_check_folded(job, outdir, faults);
    if (!code)
        code = former_check_folders(outdir, &former, faults);
    if (code)
        outdir_abandon(outdir);
    if (!code)
        code = remove_apart(job, outdir, faults);
    if (!code && !stays)
        code = former_remove(outdir, &former, faults);
    else if (!code && (!outdir_clear(outdir) || !outdir_go_apart(outdir)))
        code = refuse(job, "out-unwritable", faults);
    former_drop(&former);
    return code;
}

static int end_swap(const struct job *job, struct outdir *outdir, struct faults *faults)
{
    struct text why = { 0 };
    int code = EXIT_DONE;

    if (!swap_end(outdir, job->durability != DURABILITY_NONE, &why) || !outdir_clear(outdir)) {
        if (!why.length)
            text_addf(&why, "%s", errno_text());
        fault_add(faults, 0, 0, job->out, "out-unfinished", "%s", text_string(&why));
        code = EXIT_OUTPUT;
    }
    text_drop(&why);
    return code;
}

static int go_on(struct job *job, struct outdir *outdir, int *finished, struct faults *faults)
{
    enum resume_state state;
    int code = resume_inspect(job, &state, finished, faults);

    if (!code && state == RESUME_SWAPS) {
        code = end_swap(job, outdir, faults);
        if (!code)
            code = resume_inspect(job, &state, finished, faults);
    }
    job->resume = state == RESUME_GOES_ON;
    if (code)
        outdir_abandon(outdir);
    else if (state == RESUME_FINISHED)
        outdir_finish(outdir); /* it may have been killed while it removed its scratch */
    else if (state == RESUME_FRESH)
        code = make_room(job, outdir, faults);
    else if (outdir_has_apart(outdir) && !outdir_go_apart(outdir))
        code = refuse(job, "out-unwritable", faults);
    return code;
}

int prepare_output(struct job *job, struct outdir *outdir, enum prepare how, int *finished,
                   struct faults *faults)
{
    int code = outdir_open(outdir, job->out, how != PREPARE_EMPTY, faults);

    if (code)
        return code;
    job->outdir = outdir;
    if (how == PREPARE_RESUME)
        return go_on(job, outdir, finished, faults);
    if (swap_is_started(outdir))
        code = end_swap(job, outdir, faults);
    return code ? code : make_room(job, outdir, faults);
}
