/* temp_dir: a folder below TMPDIR that goes away with the process, however that ends. */
#pragma once

#include "base/text.h"

#include <sys/types.h>

struct private_folder {
    struct text path;
    int parent; /* one more than the descriptor of TMPDIR; 0: there is none */
    int alive;  /* one more than the pipe's end that all processes of the run hold */
    pid_t keeper;
    bool made;
};

/* Makes it, for this user alone, in $TMPDIR or /tmp. First it forks a process that removes the
 * folder as soon as this process, and all that are forked later, are gone: killed or not. Returns
 * false with a reason. */
bool private_folder_open(struct private_folder *, struct text *why);
/* Remove what is in it. False with errno. */
bool private_folder_empty(const struct private_folder *);
/* Removes it, and waits until it is gone, even if that process was killed. */
void private_folder_close(struct private_folder *);
