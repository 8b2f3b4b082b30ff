/* starters: the pipelines that come with lockstep, which `-p NAME` runs and `init` prints. */
#pragma once

struct starter {
    const char *name; /* "detection" */
    const char *text; /* the file, JSON */
};

extern const struct starter starters[]; /* by name, ended by a NULL name */

/* The one of this name, or NULL. */
const struct starter *starter_get(const char *name);
