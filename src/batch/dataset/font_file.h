/* font_file: the font file that --font names becomes the font of steps/op_shared/font.h. */
#pragma once

#include "plan/plan.h"

/* False with faults (font-unread): it cannot be read, or is no font with outlines. */
bool font_file_open(const char *path, struct faults *);

/* Is there a font, if a step draws text? False with faults in the plan's text (font-none). */
bool font_check(const struct plan *, struct faults *);
