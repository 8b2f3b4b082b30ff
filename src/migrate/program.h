/* program: advice for a Python program that makes a pipeline. */
#pragma once

#include "base/text.h"

/* True if the text is a Python program, recognized by a line that imports a module. `why` then says
 * which line of Python saves the pipeline, and how to import that file. */
bool program_advise(struct slice text, struct text *why);
/* True if the program itself makes a pipeline: it calls Compose. */
bool program_composes(struct slice text);
