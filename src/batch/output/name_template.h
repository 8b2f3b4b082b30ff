/* name_template: file names made of the parts of another name: "{dir}/{stem}_L.png". */
#pragma once

#include "base/text.h"

/* Fields in braces: `dir` (the folder, "" at the top), `stem` (the name without its suffix), `ext`
 * (the suffix without its dot) and `copy` (the number of the output, three digits or more). A field
 * may replace a part: {stem/_leftImg8bit/_gtFine_labelIds} is the stem with the first text changed
 * to the second wherever it stands. "{{" and "}}" are braces. Slashes at the start, and those that
 * an empty folder leaves doubled, are dropped. */

/* Is it such a template? False with what is wrong. `copies`: is {copy} allowed? */
bool name_template_check(const char *template, bool copies, struct text *why);

/* The name that a checked template makes of another. `suffix_at` is where the suffix of `name`
 * begins (its length where there is none). In `out` (replaced). */
void name_template_print(const char *template, const char *name, size_t suffix_at, unsigned copy,
                         struct text *out);
