/* vips_door: a library loaded when first met. */
#include "vips_door.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static volatile sig_atomic_t loading;

/* GLib and C++ answer a failed allocation by a signal to the own process, others use NULL. GLib has
 * SIGTRAP for other causes, too, which are met in its log, and abort(3) has any, but not while code
 * is loaded.
 */
static void on_end(int number)
{
    static const char MESSAGE[] = "lockstep: out of memory\n";

    if (number == SIGTRAP || loading || errno == ENOMEM) {
        if (write(STDERR_FILENO, MESSAGE, sizeof MESSAGE - 1) < 0)
            _exit(EXIT_RESOURCES);
        _exit(EXIT_RESOURCES);
    }
    signal(number, SIG_DFL);
    raise(number);
}

/* GLib that is not ready yet waits for itself when it wants to tell of a failed allocation. */
static void on_tick(int number)
{
    if (errno == ENOMEM)
        on_end(number);
}

/* Libraries that end the process by exit(3), with a code of theirs. */
static void on_leave(void)
{
    if (loading)
        on_end(SIGTRAP);
}

/* Unless it is caught already, as by a sanitizer. */
static void catch_end(int number)
{
    struct sigaction now;

    if (sigaction(number, NULL, &now) == 0 && now.sa_handler == SIG_DFL)
        signal(number, on_end);
}

/* dlopen(3), in which a failed allocation ends the process, whatever the library makes of it. */
static void *open_library(const char *file)
{
    const struct itimerval second = { { 1, 0 }, { 1, 0 } }, none = { { 0, 0 }, { 0, 0 } };
    static bool met;
    void *library;

    met = met || atexit(on_leave) == 0;
    catch_end(SIGTRAP);
    catch_end(SIGABRT);
    catch_end(SIGSEGV);
    signal(SIGALRM, on_tick);
    errno = 0;
    loading = true;
    setitimer(ITIMER_REAL, &second, NULL);
    library = dlopen(file, RTLD_LAZY | RTLD_LOCAL);
    setitimer(ITIMER_REAL, &none, NULL);
    loading = false;
    memory_check();
    signal(SIGALRM, SIG_DFL);
    return library;
}

static bool complain(const struct door *door, const char *cause, const char *detail,
                     struct text *why)
{
    size_t length = strlen(door->file);

    /* dlerror(3) begins with the file that it is about. */
    if (!strncmp(detail, door->file, length) && !strncmp(detail + length, ": ", 2))
        detail += length + 2;
    text_addf(why, "%s cannot be loaded: %s", door->file, cause);
    text_add_visible(why, detail, strlen(detail));
    text_addf(why, "; install %s", door->package);
    return false;
}

bool door_open(const struct door *door, void *functions, struct text *why)
{
    void *library = open_library(door->file);
    const char *fault = library ? NULL : dlerror();

    if (!library)
        return complain(door, "", fault ? fault : "no reason is given", why);
    for (size_t i = 0; i < door->count; i++) {
        void *symbol = dlsym(library, door->names[i]);

        if (!symbol)
            return complain(door, "it has no ", door->names[i], why);
        /* POSIX has them of one form; ISO C has no cast from one to the other. */
        memcpy((char *)functions + i * sizeof symbol, &symbol, sizeof symbol);
    }
    return true;
}
