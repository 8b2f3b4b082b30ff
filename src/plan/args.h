/* args: arguments of an emitted op as JSON values, which the op's rows read. */
#pragma once

#include "steps/emit.h"

/* Returns an object with a member for each argument, in the arena. */
struct value *args_object(const struct arg *, struct arena *);
