/* branch_steps: what several compound ops expand into. */
#pragma once

#include "steps/emit.h"

/* Branches of five_crop, which emits them: a corner each, then the middle. */
enum { FIVE_CROPS = 5 };
void emit_five_crop(struct run *, struct frame in, struct frame out, int branch);
