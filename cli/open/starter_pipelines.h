/* starter_pipelines: the built-in pipelines, which `-p NAME` runs and `init` prints. */
#pragma once

struct starter {
    const char *name; /* "detection" */
    const char *text; /* the file, JSON */
};

extern const struct starter starters[]; /* by name, ended by a NULL name */

/* Returns NULL if no built-in pipeline has this name. */
const struct starter *starter_get(const char *name);
