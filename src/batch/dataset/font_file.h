/* font_file: loads the font file of --font as the font of steps/op_shared/font.h. */
#pragma once

#include "plan/plan.h"

/* Loads a font. Returns false with faults (font-unread) if the file cannot be read or is not an
 * outline font. */
bool font_file_open(const char *path, struct faults *);

/* Checks that a font is loaded if a step draws text. Returns false with faults in the plan's text
 * (font-none). */
bool font_check(const struct plan *, struct faults *);
