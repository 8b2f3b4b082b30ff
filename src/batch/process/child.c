/* child: child processes that decode untrusted files, and the reasons for which they end. */
#include "batch/process/child.h"

#include "batch/process/limits.h"
#include "batch/process/stop_child.h"

#include "base/clock.h"
#include "base/files.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

pid_t child_fork(const struct sandbox *sandbox, uint64_t max_memory)
{
    pid_t parent = getpid(), pid;

    fflush(NULL);
    pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)
            _exit(EXIT_INTERNAL);
        if (max_memory)
            limits_keep_to(max_memory);
        sandbox_enter(sandbox);
    }
    return pid;
}

/* --- reasons for the end of a process --- */

const char *child_explain_death(const char *who, int status, uint64_t kills, int *exit,
                                struct text *why)
{
    const char *code = "worker-memory", *lower = limits_lower(limits_memory());

    *exit = EXIT_RESOURCES;
    text_addf(why, "%s ", who);
    if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_RESOURCES) {
        text_addf(why, "ran out of memory (%s)", lower ? lower : "half of the memory");
    } else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL && kills != KILLED_BY_LOCKSTEP) {
        code = limits_explain_kill(kills, why);
    } else {
        *exit = EXIT_INTERNAL;
        code = "worker-crashed";
        if (WIFSIGNALED(status))
            text_addf(why, "died of signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
        else
            text_addf(why, "ended with code %d", WEXITSTATUS(status));
    }
    return code;
}

const char *child_explain_timeout(int64_t ms, int *exit, struct text *why)
{
    *exit = EXIT_INPUT;
    text_addf(why, "decoding took longer than %lld s", (long long)ms / 1000);
    return "image-timeout";
}

/* --- a child that returns a result --- */

/* Precedes the result, so that a truncated result is detected. */
struct head {
    uint64_t length;
    int code; /* exit code of the task */
};

static NORETURN void work(const struct child_work *w, int to)
{
    struct text answer = { 0 };
    struct head head = { 0 };

    text_add(&answer, (const char *)&head, sizeof head);
    head.code = w->work(w->context, &answer);
    head.length = answer.length - sizeof head;
    memcpy(answer.at, &head, sizeof head);
    fflush(NULL);
    _exit(file_write_all(to, answer.at, answer.length) ? EXIT_DONE : EXIT_OUTPUT);
}

/* Reads until end of file, or until there are more than `max` bytes. Returns false if the time
 * `until` comes first. */
static bool receive(int from, int64_t until, size_t max, struct text *answer)
{
    enum { STEP = 1 << 16 };

    while (answer->length <= max) {
        struct pollfd polled = { .fd = from, .events = POLLIN };
        int64_t left = until - clock_now();
        struct timespec wait = { left / 1000000000, left % 1000000000 };
        char *to = text_room(answer, STEP);
        ssize_t got;

        if (left <= 0)
            return false;
        if (ppoll(&polled, 1, &wait, NULL) <= 0)
            continue;
        got = TEMP_FAILURE_RETRY(read(from, to, STEP));
        if (got <= 0)
            break;
        text_grown(answer, to + got);
    }
    return true;
}

static bool is_whole(const struct text *answer, size_t max, struct head *head)
{
    if (answer->length < sizeof *head || answer->length - sizeof *head > max)
        return false;
    memcpy(head, answer->at, sizeof *head);
    return head->length == answer->length - sizeof *head;
}

/* Starts a child that runs the task; `from` gets the read end of its pipe. Returns false with
 * errno. */
static bool start(const struct child_work *w, pid_t *pid, int *from)
{
    int ends[2];

    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    *pid = child_fork(w->sandbox, w->max_memory);
    if (*pid == 0) {
        close(ends[0]);
        work(w, ends[1]);
    }
    close(ends[1]);
    *from = ends[0];
    if (*pid < 0)
        close(ends[0]);
    return *pid > 0;
}

int child_run(const struct child_work *w, struct text *result, struct text *why, const char **code)
{
    struct text answer = { 0 };
    struct head head;
    int from, status, exit = EXIT_RESOURCES;
    uint64_t kills = limits_memory_kills();
    pid_t pid;
    bool ended, gone;

    if (!start(w, &pid, &from)) {
        text_addf(why, "%s cannot be started: %s", w->who, errno_text());
        *code = "worker-start";
        return exit;
    }
    ended = receive(from, clock_now() + w->ms * 1000000, sizeof head + w->max_result, &answer);
    close(from);
    gone = ended && answer.length <= sizeof head + w->max_result && wait_for_child(pid, &status);
    if (!gone)
        stop_child(pid, &status);
    if (is_whole(&answer, w->max_result, &head)) {
        exit = head.code;
        text_add(result, answer.at + sizeof head, head.length);
    } else if (!ended) {
        *code = child_explain_timeout(w->ms, &exit, why);
    } else {
        *code = child_explain_death(w->who, status, gone ? kills : KILLED_BY_LOCKSTEP, &exit, why);
    }
    text_drop(&answer);
    return exit;
}
