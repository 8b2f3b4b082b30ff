/* starter_pipelines: the pipelines that come with lockstep, which `-p NAME` runs and `init` prints.
 */
#pragma once

struct starter {
    const char *name; /* "detection" */
    const char *text; /* the file, JSON */
};

extern const struct starter starters[]; /* by name, ended by a NULL name */

/* The one of this name, or NULL. */
const struct starter *starter_get(const char *name);

/* The pipelines and what each is for, its "$comment": as a page (returns EXIT_DONE), a line each,
 * and a JSON array of objects. */
int starters_show(void);
void starters_print_lines(void);
void starters_print_json(void);
