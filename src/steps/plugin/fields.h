/* fields: samples a plugin's function as a displacement field. */
#pragma once

#include "geom/field.h"

/* Returns a field, in the arena, that differs from the function by at most about FIELD_ERROR pixels
 * at all pixel centers. The function is also called for points some pixels outside the canvas. */
struct field *field_on_centres(struct arena *, struct frame, displace_fn *, const void *context);
