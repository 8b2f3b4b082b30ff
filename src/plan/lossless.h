/* lossless: resolved ops that only turn and crop, so that a JPEG's coefficients can be reused. */
#pragma once

#include "plan/apply.h"

/* True if the result is an excerpt of the picture that its coefficients can give (see
 * picture_can_write_excerpt). The answer does not depend on `optimize`. */
bool lossless_excerpt(const struct resolved_ops *, const struct picture_header *, struct arena *,
                      struct excerpt *);
