/* lossless: which drawn ops only turn and crop, so that a JPEG's coefficients will do. */
#pragma once

#include "plan/apply.h"

/* Is all that the drawn ops do to this picture an excerpt of it that its coefficients can give
 * (see picture_excerpt_fits)? The same answer however ops are joined. */
bool lossless_excerpt(const struct drawn_ops *, const struct picture_header *, struct arena *,
                      struct excerpt *);
