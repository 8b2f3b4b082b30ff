/* recorded_steps: makes outputs of a run again from the lines of its manifest. The recorded steps
 * run with their recorded values; no random number is sampled. */
#pragma once

#include "batch/dataset/job.h"

#include "param/param.h"
#include "plan/reject.h"

/* Line that is replayed. */
struct replay_entry {
    uint64_t at;   /* offset in the manifest */
    uint64_t line; /* line number, from 1 */
    uint32_t record, k;
};

struct replay {
    const char *name;        /* of the manifest, for messages */
    struct slice text;       /* all of it */
    struct replay_entry *at; /* sorted by record and k */
    size_t n;
    uint64_t run;  /* the hash that links its lines to their run: run_key_link of the run's key */
    uint64_t hash; /* of the replayed lines */
    bool has_no_outputs; /* the run made no outputs, so that its manifest has no lines */
};

/* Selection of lines: a pattern matches, or the list names, their source or output. All lines are
 * selected if both are empty. */
struct replay_choice {
    struct names patterns;
    const char *list_name; /* the file of names, for messages; NULL: no list */
    struct slice list;     /* one name per line */
};

/* Reads the manifest `name` of the run `run` and checks each selected line against the job, whose
 * plan is the run's. The caller owns `text`. The job's records become the records of the lines.
 * Everything else is allocated in the arena. Returns false with faults. */
bool replay_read(struct replay *, const char *name, struct slice text, const struct replay_choice *,
                 struct job *, struct arena *, struct faults *);

/* Returns the line of an output; NULL if it is not replayed. */
const struct replay_entry *replay_find(const struct replay *, size_t record, unsigned k);

/* Contents of a line, in an arena. */
struct replay_line {
    const char *source, *output, *mask, *labels; /* the last two may be "" */
    const char *source_sha256;                   /* or "" */
    unsigned k;
    uint64_t key; /* of the run's random numbers */
    struct frame in;
    bool tried; /* with `reject_image_if`: the attempts were made */
    struct attempts attempts;
    struct plan plan; /* the job's, with the line's steps */
};

/* Reads the line of an entry, which has been checked. Returns false with the reason. */
bool replay_load(const struct job *, const struct replay_entry *, struct arena *,
                 struct replay_line *, struct text *why);

/* Returns the line that starts at offset `at` of a text, without its line end. */
struct slice slice_line(struct slice text, uint64_t at);

/* Returns a hash of the replayed lines, which does not depend on their order in the manifest. */
uint64_t replay_hash(const struct replay *);

/* --- for recorded_steps.c and recorded_line.c --- */

/* Reads one line of the manifest, whose source is `record`. Adds faults with their places in the
 * manifest. Returns false if there are any. */
bool replay_line_read(const struct job *, const struct replay *, struct slice line, size_t record,
                      struct arena *, struct replay_line *, struct faults *);
/* Reads the line's source and output only. */
bool replay_line_names(const struct replay *, struct slice line, struct arena *,
                       struct replay_line *, struct faults *);
