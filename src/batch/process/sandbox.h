/* sandbox: what processes are kept from that decode files of strangers: workers, those that look at
 * headers before, a dry run, and those of preview, explain and profile.
 *
 * Landlock restricts which files it opens: it reads the folders of images and masks, what symbolic
 * links in them lead to, and libraries; it writes below the output folder and nowhere else. Newer
 * kernels also let Landlock refuse TCP, and signals to other processes. A seccomp filter allows the
 * system calls that decoding needs (filter/make_filter.c) and no other call. Neither needs a
 * privilege, and either may be missing in a kernel. */
#pragma once

#include "batch/dataset/job.h"

extern const struct choice sandbox_choices[];

struct sandbox {
    int rules;        /* Landlock's rules: one more than their descriptor; 0: none */
    long abi;         /* of Landlock; 0: the kernel has none */
    bool filter;      /* the kernel filters system calls */
    struct text wide; /* a folder that may be read because too many links lead below it; or empty */
};

/* Can a worker be contained by both means here? False with the reason. */
bool sandbox_is_possible(struct text *why);

/* Prepare what is refused, as far as the job wants it and the kernel can: nothing may be written.
 * The job's images are known. */
void sandbox_open(struct sandbox *, const struct job *);
/* Processes that enter from now on may write below the open folder. */
void sandbox_allow_output(struct sandbox *, const struct outdir *);
void sandbox_close(struct sandbox *);

/* In a process that is going to decode and has no thread yet: contain it for good by what the job
 * has prepared. Where the kernel refuses what it said that it has, a job that demands it ends the
 * process with EXIT_RESOURCES and a message. */
void sandbox_enter(const struct job *);

/* What workers are contained by, as the end of a sentence: "contained: ...". */
void sandbox_describe(const struct sandbox *, struct text *);

/* --- for sandbox*.c --- */

/* Allows this process the system calls on the list only, by a seccomp filter. Returns false with
 * errno. */
bool sandbox_filter_calls(void);
/* Has the kernel such filters? */
bool sandbox_can_filter(void);
/* Call `found` for each file that is read through a symbolic link and lies outside the folders
 * themselves: with its path, and a descriptor (O_PATH) that is closed afterwards. */
typedef void sandbox_link(void *context, const char *path, int file);
void sandbox_find_links(const struct job *, sandbox_link *found, void *context);
