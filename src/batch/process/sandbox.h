/* sandbox: limits what processes that decode untrusted files may do. It contains workers, processes
 * that read headers before the run, dry runs, and the decoders of preview, explain and profile.
 *
 * Landlock restricts which files a process opens. A process reads the folders of images and masks,
 * the targets of symbolic links in them, and libraries. It writes below the output folder only.
 * Newer kernels also let Landlock refuse TCP, and signals to other processes. A seccomp filter
 * allows the system calls that decoding needs (filter/make_filter.c) and no other call. Neither
 * needs a privilege, and a kernel may lack either. */
#pragma once

#include "base/text.h"
#include "param/param.h"

/* How strictly processes that decode are contained. */
enum sandbox_mode { SANDBOX_AUTO, SANDBOX_ON, SANDBOX_OFF };
extern const struct choice sandbox_choices[];

struct sandbox {
    int rules;        /* descriptor of the Landlock rule set + 1; 0: none */
    long abi;         /* version of Landlock; 0: the kernel has none */
    bool filter;      /* the kernel filters system calls */
    bool must_work;   /* SANDBOX_ON: a process that cannot be contained ends */
    struct text wide; /* a folder that may be read as a whole since too many links lead below it; or
                         empty */
};

/* Receives the target of a symbolic link: its path, and its descriptor (O_PATH), which the caller
 * closes afterwards. */
typedef void sandbox_link(void *to, const char *path, int file);

/* The files that contained processes may read. */
struct sandbox_access {
    const int *folders; /* descriptors (O_PATH) */
    size_t n_folders;
    /* Calls `found` for each file outside the folders that is read through a symbolic link. NULL:
     * links are not followed. */
    void (*find_links)(const void *context, sandbox_link *found, void *to);
    const void *context;
};

/* True if Landlock and seccomp both work here. Otherwise `why` gets the reason. */
bool sandbox_is_possible(struct text *why);

/* Prepares a sandbox as strict as the mode requests and the kernel supports. Its processes may read
 * the files of `access` and libraries, and may write nothing. */
void sandbox_open(struct sandbox *, enum sandbox_mode, const struct sandbox_access *);
/* Allows processes that enter the sandbox later to write below an open folder. */
void sandbox_allow_writing(struct sandbox *, int folder);
void sandbox_close(struct sandbox *);

/* Contains the calling process permanently; NULL does nothing. Call it before decoding starts,
 * while the process has one thread. With SANDBOX_ON, if the kernel refuses a feature that it
 * reported, prints a message and ends the process with EXIT_RESOURCES. */
void sandbox_enter(const struct sandbox *);

/* Appends a description of the containment for the end of a sentence: "contained: ...". */
void sandbox_describe(const struct sandbox *, struct text *);

/* --- for sandbox*.c --- */

/* Restricts this process to the listed system calls by a seccomp filter. Returns false with errno.
 */
bool sandbox_filter_calls(void);
/* True if the kernel supports seccomp filters. */
bool sandbox_can_filter(void);
