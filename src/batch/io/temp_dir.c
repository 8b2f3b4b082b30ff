/* temp_dir: a folder below TMPDIR that is removed when the process ends for any reason. */
#include "batch/io/temp_dir.h"

#include "batch/io/walk.h"

#include "base/environment.h"
#include "base/files.h"
#include "base/eintr.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/wait.h>

static const char *name_of(const struct private_folder *p)
{
    return strrchr(p->path.at, '/') + 1;
}

bool private_folder_empty(const struct private_folder *p)
{
    static const char *const nothing[] = { NULL };

    return folder_clear(p->parent - 1, name_of(p), nothing);
}

static bool remove_folder(const struct private_folder *p)
{
    return private_folder_empty(p) && unlinkat(p->parent - 1, name_of(p), AT_REMOVEDIR) == 0;
}

/* Waits for the end of the run in its own session, so that killing the job's process group spares
 * it. Closes all files of the run, since a reader of a pipe may wait for its end. A byte from
 * `gone` means that the folder was not made. */
static _Noreturn void keep(const struct private_folder *p, int gone, int ready)
{
    bool good = true;
    sigset_t all;
    char byte = 0;

    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    setsid();
    for (int fd = 0; fd < 1024; fd++)
        if (fd != gone && fd != ready && fd != p->parent - 1)
            close(fd);
    good = file_write_all(ready, &byte, 1);
    close(ready);
    if (RETRY(read(gone, &byte, 1)) == 0)
        good = remove_folder(p);
    _exit(good ? EXIT_DONE : EXIT_OUTPUT);
}

/* Starts the keeper before the folder is made, and waits until it is immune to signals other than
 * SIGKILL. */
static bool start_keeper(struct private_folder *p)
{
    int ends[2], ready[2];
    char byte;

    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    p->alive = ends[1] + 1;
    if (pipe2(ready, O_CLOEXEC) != 0) {
        close(ends[0]);
        return false;
    }
    p->keeper = fork();
    if (p->keeper == 0) {
        close(ends[1]);
        keep(p, ends[0], ready[1]);
    }
    close(ends[0]);
    close(ready[1]);
    if (p->keeper > 0)
        (void)RETRY(read(ready[0], &byte, 1));
    close(ready[0]);
    return p->keeper > 0;
}

/* Makes the folder, with a name that cannot be guessed. */
static bool make(struct private_folder *p)
{
    if (mkdirat(p->parent - 1, name_of(p), S_IRWXU) == 0)
        return true;
    (void)!write(p->alive - 1, "", 1);
    return false;
}

bool private_folder_open(struct private_folder *p, struct text *why)
{
    const char *parent = environment_get("TMPDIR");
    unsigned long long number = 0;

    *p = (struct private_folder){ .keeper = -1 };
    if (!parent || !*parent)
        parent = "/tmp";
    p->parent = RETRY(open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) + 1;
    if (p->parent && getrandom(&number, sizeof number, 0) == sizeof number) {
        text_addf(&p->path, "%s/lockstep-%016llx", parent, number);
        p->made = start_keeper(p) && make(p);
    }
    if (p->made)
        return true;
    text_addf(why,
              "no folder for temporary files can be made in it: %s; set TMPDIR to another folder",
              errno_text());
    private_folder_close(p);
    return false;
}

void private_folder_close(struct private_folder *p)
{
    int status = 0;

    if (p->alive)
        close(p->alive - 1);
    if (p->keeper > 0)
        (void)RETRY(waitpid(p->keeper, &status, 0));
    if (p->made && status != 0) /* the keeper was killed */
        (void)remove_folder(p);
    if (p->parent)
        close(p->parent - 1);
    text_drop(&p->path);
    *p = (struct private_folder){ 0 };
}
