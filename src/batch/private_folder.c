/* private_folder: a folder below TMPDIR that goes away with the process, however that ends. */
#include "private_folder.h"

#include "outdir.h"

#include "../base/retry.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static const char *name_of(const struct private_folder *p)
{
    return strrchr(p->path.at, '/') + 1;
}

bool private_folder_empty(const struct private_folder *p)
{
    static const char *const nothing[] = { NULL };

    return outdir_empty(p->parent - 1, name_of(p), nothing);
}

/* A session of its own: what ends a job's whole group of processes leaves it be. It holds none of
 * the files of the run, of which somebody may wait for the end. */
static _Noreturn void keep(const struct private_folder *p, int gone)
{
    sigset_t all;
    char byte;

    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    setsid();
    for (int fd = 0; fd < 1024; fd++)
        if (fd != gone && fd != p->parent - 1)
            close(fd);
    (void)RETRY(read(gone, &byte, 1));
    (void)private_folder_empty(p);
    (void)unlinkat(p->parent - 1, name_of(p), AT_REMOVEDIR);
    _exit(EXIT_DONE);
}

static bool start_keeper(struct private_folder *p)
{
    int ends[2];

    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    p->keeper = fork();
    if (p->keeper == 0) {
        close(ends[1]);
        keep(p, ends[0]);
    }
    close(ends[0]);
    p->alive = ends[1] + 1;
    return p->keeper > 0;
}

bool private_folder_open(struct private_folder *p, struct text *why)
{
    const char *parent = getenv("TMPDIR");
    bool made;

    *p = (struct private_folder){ .keeper = -1 };
    if (!parent || !*parent)
        parent = "/tmp";
    text_addf(&p->path, "%s/lockstep-XXXXXX", parent);
    p->parent = RETRY(open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) + 1;
    made = p->parent && mkdtemp(p->path.at);
    if (made && start_keeper(p))
        return true;
    text_addf(why,
              "no folder can be made in it for what is half done: %s; set TMPDIR to one where "
              "that is possible",
              errno_text());
    if (made)
        (void)rmdir(p->path.at);
    private_folder_close(p);
    return false;
}

void private_folder_close(struct private_folder *p)
{
    int status;

    if (p->alive)
        close(p->alive - 1);
    if (p->keeper > 0)
        (void)RETRY(waitpid(p->keeper, &status, 0));
    if (p->parent)
        close(p->parent - 1);
    text_drop(&p->path);
    *p = (struct private_folder){ 0 };
}
