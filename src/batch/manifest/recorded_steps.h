/* recorded_steps: outputs of a run made once more from the lines of its manifest. The recorded
 * steps are done with their recorded values, and no random number is drawn. */
#pragma once

#include "batch/dataset/job.h"

#include "param/param.h"
#include "plan/reject.h"

/* A line that is done again. */
struct replay_entry {
    uint64_t at;   /* where it stands in the manifest */
    uint64_t line; /* its number, from 1 */
    uint32_t record, k;
};

struct replay {
    const char *name;        /* of the manifest, for messages */
    struct slice text;       /* all of it */
    struct replay_entry *at; /* sorted by record and k */
    size_t n;
    uint64_t run;        /* what links its lines to their run: run_key_link of that run's key */
    uint64_t hash;       /* of the lines that are done again */
    bool has_no_outputs; /* that run made none, so that its manifest has no line */
};

/* Which lines are done: those whose source or output a pattern matches, or the list names; all of
 * them where both are empty. */
struct replay_choice {
    struct names patterns;
    const char *list_name; /* the file of names, for messages; NULL: there is none */
    struct slice list;     /* a name a line */
};

/* Read the manifest `name`, whose text stays the caller's, of the replay's `run`, and check each
 * line that is chosen against the job, whose plan is the run's. The job's
 * records become those of the lines. What is made lives in the arena. False with faults. */
bool replay_read(struct replay *, const char *name, struct slice text, const struct replay_choice *,
                 struct job *, struct arena *, struct faults *);

/* The line of an output; NULL when it is not done again. */
const struct replay_entry *replay_find(const struct replay *, size_t record, unsigned k);

/* What a line says. It lives in an arena. */
struct replay_line {
    const char *source, *output, *mask, *labels; /* the last two may be "" */
    const char *source_sha256;                   /* or "" */
    unsigned k;
    uint64_t key; /* of the random numbers that were drawn */
    struct frame in;
    bool tried; /* with `reject_image_if`: these attempts were made */
    struct attempts attempts;
    struct plan plan; /* the job's, with the line's steps */
};

/* Read the line of an entry, which has been checked. False with the reason. */
bool replay_load(const struct job *, const struct replay_entry *, struct arena *,
                 struct replay_line *, struct text *why);

/* The line that begins at an offset of a text, without its end. */
struct slice slice_line(struct slice text, uint64_t at);

/* A hash of the lines that are done again, however they are ordered. */
uint64_t replay_hash(const struct replay *);

/* --- for replay*.c --- */

/* Read one line at an offset of the manifest. The record is the one of its source. Faults, with
 * their places in the manifest, are added; false when there are any. */
bool replay_line_read(const struct job *, const struct replay *, struct slice line, size_t record,
                      struct arena *, struct replay_line *, struct faults *);
/* Its source and output alone. */
bool replay_line_names(const struct replay *, struct slice line, struct arena *,
                       struct replay_line *, struct faults *);
