/* foreign: names of transforms and parameters in other libraries, and what to write for them in
 * lockstep.
 *
 * The table is names.inc. It is used by messages about unknown names and keys, and by importers. */
#pragma once

#include "steps/registry.h"

struct foreign_name {
    const char *libraries; /* "Albumentations 1.x"; several with commas */
    const char *name;      /* "HorizontalFlip" */
    const char *step;      /* the step to write in lockstep; NULL: no equivalent */
    const char *remark;    /* how the step differs, or what to do instead; may be "" */
    const char *given; /* values for which the row is valid, "'key': json, ..."; NULL: any values */
};

/* Returns row i of the table, or NULL after the last one. */
const struct foreign_name *foreign_at(size_t i);
/* Returns the row for a name, or NULL. The part up to the name's last dot is ignored ("A.Rotate").
 * `step` is the object with the name as its "type", or NULL. Of several rows, returns the row that
 * knows most of the step's keys, else the first one. A row for given values knows their keys too.
 */
const struct foreign_name *foreign_find(const char *name, const struct value *step);

/* Prints the step of a row that has one, with the parameters of `step` (or NULL: the library's
 * defaults) translated. Nested steps are printed as [...]. */
void foreign_translate(const struct foreign_name *, const struct value *step, struct text *);

/* Returns the parameters of a lockstep step, or NULL. */
const struct row *foreign_rows(const char *type);
/* True if the parameter takes this value without a change; false for parameters that hold steps. */
bool foreign_can_take(const struct row *, const struct value *);

/* Returns a row as foreign_find does, but only of that library, for importers. */
const struct foreign_name *foreign_find_of(const char *library, const char *name,
                                           const struct value *step);
/* Returns how many of the step's keys, except `p`, the row uses in its template or has as a
 * condition. */
size_t foreign_known_keys(const struct foreign_name *, const struct value *step);
/* True if the row is for this value of the step. */
bool foreign_is_for(const struct foreign_name *, const struct value *key);
/* Finds what to write for a key that the step `type` does not have (`unknown`), or does not take
 * with this value. Returns false if the table has no row. A library of "" means any. */
struct foreign_instead {
    const char *libraries;
    const char *instead; /* a template of a pair "'key': $value$"; NULL: omit the key */
    const char *remark;
};
bool foreign_instead(const char *library, const char *type, const struct value *key, bool unknown,
                     struct foreign_instead *to);
/* True if this value of the library's parameter is lockstep's behavior anyway. */
bool foreign_is_silent(const char *library, const char *name, const struct value *key);
/* Returns a remark on a parameter that the library's step does not give, or "". */
const char *foreign_unsaid(const char *library, const char *name, const struct value *step);

/* Returns advice after "there is no such step": the equivalent of another library's name, the
 * nearest name, or names that contain the word. Each part begins with "; ". `step` is as above. The
 * text is in the arena; "" if nothing is similar. */
const char *name_advice(const char *word, const struct value *step, struct arena *);

/* Returns advice for a key that the step does not have, or for a value that the key does not take:
 * what to write instead. It is "" or begins with ": " or "; ". For struct reader. */
const char *key_advice(const struct value *key, bool unknown, struct arena *);

/* Returns advice for a missing required key that has a default in another library. It is "" or
 * begins with "; ". For struct reader. */
const char *missing_advice(const struct value *step, const char *key);

/* Finds a parameter with the default of another library's transform of the same name, where the
 * value means something else. Returns NULL if there is none. `remark` says what to write; it is in
 * the arena. */
const struct value *foreign_default(const struct value *step, const char **remark, struct arena *);
