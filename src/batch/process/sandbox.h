/* sandbox: what processes are kept from that decode files of strangers: workers, those that look at
 * headers before, a dry run, and those of preview, explain and profile.
 *
 * Landlock restricts which files it opens: it reads the folders of images and masks, what symbolic
 * links in them lead to, and libraries; it writes below the output folder and nowhere else. Newer
 * kernels also let Landlock refuse TCP, and signals to other processes. A seccomp filter allows the
 * system calls that decoding needs (filter/make_filter.c) and no other call. Neither needs a
 * privilege, and either may be missing in a kernel. */
#pragma once

#include "base/text.h"
#include "param/param.h"

/* How far processes that decode are contained. */
enum sandbox_mode { SANDBOX_AUTO, SANDBOX_ON, SANDBOX_OFF };
extern const struct choice sandbox_choices[];

struct sandbox {
    int rules;        /* Landlock's rules: one more than their descriptor; 0: none */
    long abi;         /* of Landlock; 0: the kernel has none */
    bool filter;      /* the kernel filters system calls */
    bool must_work;   /* a process that cannot be contained ends: SANDBOX_ON */
    struct text wide; /* a folder that may be read because too many links lead below it; or empty */
};

/* Takes a file that a symbolic link leads to: its path, and its descriptor (O_PATH), which is
 * closed afterwards. */
typedef void sandbox_link(void *to, const char *path, int file);

/* The files that contained processes may read. */
struct sandbox_access {
    const int *folders; /* descriptors (O_PATH) */
    size_t n_folders;
    /* Calls `found` for each file that is read through a symbolic link and lies outside the
     * folders; NULL: links are not followed. */
    void (*find_links)(const void *context, sandbox_link *found, void *to);
    const void *context;
};

/* Can a worker be contained by both means here? False with the reason. */
bool sandbox_is_possible(struct text *why);

/* Prepares a sandbox as far as the mode asks for it and the kernel can: its processes may read what
 * `access` names, and libraries, and may write nothing. */
void sandbox_open(struct sandbox *, enum sandbox_mode, const struct sandbox_access *);
/* Allows processes that enter from now on to write below a folder, by its descriptor. */
void sandbox_allow_writing(struct sandbox *, int folder);
void sandbox_close(struct sandbox *);

/* In a process that is going to decode and has no thread yet: contains it for good; NULL does
 * nothing. If the kernel refuses what it said that it has, SANDBOX_ON ends the process with
 * EXIT_RESOURCES and a message. */
void sandbox_enter(const struct sandbox *);

/* What workers are contained by, as the end of a sentence: "contained: ...". */
void sandbox_describe(const struct sandbox *, struct text *);

/* --- for sandbox*.c --- */

/* Allows this process the system calls on the list only, by a seccomp filter. Returns false with
 * errno. */
bool sandbox_filter_calls(void);
/* Has the kernel such filters? */
bool sandbox_can_filter(void);
