/* fields: a plugin's function as a displacement field. */
#pragma once

#include "geom/field.h"

/* A field that at the centres of pixels is nowhere farther than about FIELD_ERROR pixels from the
 * function, which is also asked some pixels beyond the canvas. In the arena. */
struct field *field_on_centres(struct arena *, struct frame, displace_fn *, const void *context);
