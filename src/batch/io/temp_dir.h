/* temp_dir: a folder below TMPDIR that is removed when the process ends for any reason. */
#pragma once

#include "base/text.h"

#include <sys/types.h>

struct private_folder {
    struct text path;
    int parent; /* descriptor of TMPDIR + 1; 0: no folder */
    int alive;  /* descriptor + 1 of the end of a pipe that all processes of the run keep open */
    pid_t keeper;
    bool made;
};

/* Makes a folder in $TMPDIR or /tmp that only this user can access. First forks a process, which
 * removes the folder when this process and all its later children have ended, even if they were
 * killed. Returns false with a reason. */
bool private_folder_open(struct private_folder *, struct text *why);
/* Removes the contents of the folder. Returns false with errno. */
bool private_folder_empty(const struct private_folder *);
/* Removes the folder and waits until it is gone, even if the forked process was killed. */
void private_folder_close(struct private_folder *);
