/* signals: requests that the user or the system sends to a run by signals. */
#include "batch/process/signals.h"

#include "base/base.h"

#include <unistd.h>

static volatile sig_atomic_t caught, times, progress, at_once;

static void on_end(int number)
{
    caught = number;
    times = times + (times < 2);
    if (at_once && times > 1)
        _exit(EXIT_SIGNAL + number);
}

static void on_progress(int number)
{
    (void)number;
    progress = 1;
}

void signals_catch(sigset_t *awake)
{
    struct sigaction end = { .sa_handler = on_end, .sa_flags = SA_RESTART };
    struct sigaction tell = { .sa_handler = on_progress, .sa_flags = SA_RESTART };
    const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
    struct sigaction before[COUNTOF(numbers)];
    sigset_t asleep;

    at_once = 0;
    sigemptyset(&asleep);
    sigaddset(&asleep, SIGUSR1);
    for (size_t i = 0; i < COUNTOF(numbers); i++)
        sigaddset(&asleep, numbers[i]);
    sigprocmask(SIG_BLOCK, &asleep, awake);
    for (size_t i = 0; i < COUNTOF(numbers); i++)
        sigaction(numbers[i], &end, &before[i]);
    sigaction(SIGUSR1, &tell, NULL);
    if (before[2].sa_handler == SIG_IGN)
        signal(SIGHUP, SIG_IGN); /* as nohup requested */
    signal(SIGPIPE, SIG_IGN);    /* writing to a dead worker fails with EPIPE */
    signal(SIGXFSZ, SIG_IGN);    /* write() reports a file that exceeds its limit */
}

void signals_unblock(const sigset_t *awake)
{
    at_once = 1;
    sigprocmask(SIG_SETMASK, awake, NULL);
}

int signals_end(void)
{
    return caught;
}

bool signals_has_repeat(void)
{
    return times > 1;
}

bool signals_progress(void)
{
    bool asked = progress;

    progress = 0;
    return asked;
}
