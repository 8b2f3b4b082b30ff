/* name_template: file names made from the parts of another name, such as "{dir}/{stem}_L.png". */
#pragma once

#include "base/text.h"

/* The fields are written in braces. `dir` is the folder ("" at the top), `stem` is the name without
 * its suffix, and `ext` is the suffix without its dot. `copy` is the number of the output, with
 * three digits or more. A field may replace a text: {stem/_leftImg8bit/_gtFine_labelIds} is the
 * stem with each occurrence of the first text replaced by the second. "{{" and "}}" are literal
 * braces. Slashes at the start, and doubled slashes next to an empty folder, are dropped. */

/* Checks a template. Returns false with the reason. `copies`: {copy} is allowed. */
bool name_template_check(const char *template, bool copies, struct text *why);

/* Replaces `out` by the name that a checked template makes from `name`. `suffix_at` is the offset
 * of the suffix of `name`, or its length if it has no suffix. */
void name_template_print(const char *template, const char *name, size_t suffix_at, unsigned copy,
                         struct text *out);
