/* branch_steps: expansions that several compound ops share. */
#pragma once

#include "steps/emit.h"

/* Branches of five_crop: the corners, then the center. */
enum { FIVE_CROPS = 5 };
void emit_five_crop(struct run *, struct frame in, struct frame out, int branch);
