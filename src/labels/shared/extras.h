/* extras: properties of objects that struct object does not have, for a format of --to. */
#pragma once

#include "labels/format.h"

/* Visits the extras of an object (visit_extras of its format) that the pipeline does not drop. */
void extras_visit(const struct dataset *, size_t record, const struct object *,
                  const struct rules *, void (*visit)(void *context, const struct extra *),
                  void *context);
