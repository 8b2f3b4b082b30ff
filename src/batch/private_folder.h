/* private_folder: a folder below TMPDIR that goes away with the process, however that ends. */
#pragma once

#include "../base/text.h"

#include <sys/types.h>

struct private_folder {
    struct text path;
    int parent; /* one more than the descriptor of TMPDIR; 0: there is none */
    int alive;  /* one more than the pipe's end that all processes of the run hold */
    pid_t keeper;
};

/* Make it, for this user alone, in $TMPDIR or /tmp. A process is forked that removes it as soon as
 * this one, and all that are forked later, are gone: killed or not. False with a reason. */
bool private_folder_open(struct private_folder *, struct text *why);
/* Remove what is in it. False with errno. */
bool private_folder_empty(const struct private_folder *);
/* Remove it, and wait until it is gone. */
void private_folder_close(struct private_folder *);
