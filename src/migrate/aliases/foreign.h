/* foreign: what other libraries call their transforms and parameters, and what to write here.
 *
 * The table is names.inc; messages about unknown names and keys read it, and whoever reads other
 * libraries' pipelines does too. */
#pragma once

#include "steps/registry.h"

struct foreign_name {
    const char *libraries; /* "Albumentations 1.x"; several with commas */
    const char *name;      /* "HorizontalFlip" */
    const char *step;      /* what to write here; NULL: nothing does this */
    const char *remark;    /* how the step differs, or what to do instead; or "" */
    const char *given;     /* values that it is for, "'key': json, ..."; NULL: whatever is given */
};

/* The i-th row of the table, or NULL behind the last. */
const struct foreign_name *foreign_at(size_t i);
/* The row for a name, or NULL. What stands before its last dot is left out ("A.Rotate"). `step` is
 * the object that has the name as its "type", or NULL: of several rows of a name, the one that
 * knows most of its keys is returned, else the first; one for given values knows their keys, too.
 */
const struct foreign_name *foreign_find(const char *name, const struct value *step);

/* Print the step of a row that has one, with the parameters of `step` (or NULL: the library's
 * defaults) translated. Nested steps are printed as [...]. */
void foreign_translate(const struct foreign_name *, const struct value *step, struct text *);

/* The rows of one of lockstep's own names, or NULL. */
const struct row *foreign_rows(const char *type);
/* Does the parameter take this value as it is? Never one that holds steps. */
bool foreign_takes(const struct row *, const struct value *);

/* For readers of a library's pipelines: rows of that library alone. */
const struct foreign_name *foreign_find_of(const char *library, const char *name,
                                           const struct value *step);
/* How many of the step's keys the row has places for, `p` not counted, or is for a value of. */
size_t foreign_known_keys(const struct foreign_name *, const struct value *step);
/* Is the row for this value of the step's? */
bool foreign_is_for(const struct foreign_name *, const struct value *key);
/* What to write for a key that the step `type` does not have (`unknown`), or whose value it does
 * not take; false when the table has nothing. A library of "" is any. */
struct foreign_instead {
    const char *libraries;
    const char *instead; /* a template of a pair "'key': $value$"; NULL: leave the key out */
    const char *remark;
};
bool foreign_instead(const char *library, const char *type, const struct value *key, bool unknown,
                     struct foreign_instead *to);
/* Does this parameter of the library's step say what is so here anyway? */
bool foreign_is_silent(const char *library, const char *name, const struct value *key);
/* What to say of the library's step for what it leaves unsaid, or "". */
const char *foreign_unsaid(const char *library, const char *name, const struct value *step);

/* What to say behind "there is no such step": what to write instead of another library's name, the
 * nearest name, or names that contain the word; each begins with "; ". `step` as above. Lives in
 * the arena. "" where nothing is near. */
const char *name_advice(const char *word, const struct value *step, struct arena *);

/* What to write instead of a key of a step that the step does not have, or of a value that its key
 * does not take: "" or words that begin with ": " or "; ". For struct reader. */
const char *key_advice(const struct value *key, bool unknown, struct arena *);

/* What to say of a step without a required key, to people whose library has a default for it: "" or
 * words that begin with "; ". For struct reader. */
const char *missing_advice(const struct value *step, const char *key);

/* A parameter of this step that has the default of another library's transform of the same name,
 * where it means something else; NULL when there is none. `remark`: what to write, in the arena. */
const struct value *foreign_default(const struct value *step, const char **remark, struct arena *);
