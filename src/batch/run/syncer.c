/* syncer: a process that syncs outputs to disk while the run continues. */
#include "batch/run/syncer.h"

#include "batch/process/stop_child.h"
#include "batch/output/lock.h"
#include "batch/output/out_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

static void serve(struct out_dir *outdir, int from, int to)
{
    char request;

    while (read(from, &request, 1) == 1) {
        int error = out_dir_sync(outdir) ? 0 : errno;

        if (write(to, &error, sizeof error) != sizeof error)
            break;
    }
}

bool syncer_start(struct syncer *s, struct out_dir *outdir)
{
    int requests[2], answers[2];

    *s = (struct syncer){ .to = -1, .from = -1 };
    if (pipe2(requests, O_CLOEXEC) != 0)
        return false;
    if (pipe2(answers, O_CLOEXEC) != 0) {
        close(requests[0]);
        close(requests[1]);
        return false;
    }
    s->pid = fork();
    if (s->pid == 0) {
        signal(SIGINT, SIG_IGN);
        signal(SIGHUP, SIG_IGN);
        signal(SIGTERM, SIG_IGN);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        close(requests[1]);
        close(answers[0]);
        out_dir_unlock(outdir); /* it may outlive the run while the disk is slow */
        serve(outdir, requests[0], answers[1]);
        _exit(0);
    }
    close(requests[0]);
    close(answers[1]);
    s->to = requests[1];
    s->from = answers[0];
    if (s->pid < 0) {
        s->pid = 0;
        close(s->to);
        close(s->from);
        return false;
    }
    return true;
}

/* A write to a dead syncer is ignored: syncer_answer then returns SYNCER_GONE. */
void syncer_ask(struct syncer *s)
{
    (void)!write(s->to, "s", 1);
    s->busy = true;
}

enum syncer_answer syncer_answer(struct syncer *s)
{
    int error;

    s->busy = false;
    if (read(s->from, &error, sizeof error) != sizeof error)
        return SYNCER_GONE;
    errno = error;
    return error ? SYNCER_FAILED : SYNCER_DONE;
}

void syncer_stop(struct syncer *s)
{
    int status;

    if (!s->pid)
        return;
    close(s->to);
    close(s->from);
    stop_child(s->pid, &status);
    *s = (struct syncer){ 0 };
}
