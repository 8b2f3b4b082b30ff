/* program: what to do with a Python program that makes a pipeline. */
#pragma once

#include "base/text.h"

/* True if the text is a Python program, as a line that imports a module tells. `why` then says
 * which line of Python saves the pipeline that it makes, and how that file is imported. */
bool program_advise(struct slice text, struct text *why);
/* True if the program makes a pipeline itself: it calls Compose. */
bool program_composes(struct slice text);
