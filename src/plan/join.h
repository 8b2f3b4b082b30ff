/* join: two neighbouring actions as one, to the bit. Knows families, not ops. */
#pragma once

#include "steps/op.h"

/* Does an index map take pixels from outside? */
bool index_fills(const struct action *);
/* Does it move the pixels of the whole canvas about, losing and adding none (flips and quarter
 * turns)? Then statistics of the image are the same before and after. */
bool index_permutes(const struct action *);
/* Does it leave every pixel where it is? */
bool index_is_identity(const struct action *);

/* What `first`, then `second`, both FAMILY_INDEX, do as one. False, with the reason, when no one
 * index map does it: both fill, with different values. */
bool index_join(struct arena *, const struct action *first, const struct action *second,
                struct action *both, const char **reason);

/* The same of a FAMILY_RESAMPLE and a FAMILY_INDEX behind it. False when that is no crop. */
bool resample_join(const struct action *first, const struct action *second, struct action *both);
/* A FAMILY_RESAMPLE as the pixel loop wants it. */
struct resize_part resample_part(const struct action *);

/* `first`, then `second`, both FAMILY_TABLE of the type and colour channels given. */
void table_join(struct arena *, const struct action *first, const struct action *second,
                enum pixel_type, int colours, struct action *both);
/* The entries of a FAMILY_TABLE (see plane_table), also of one that has bits instead. */
const void *table_entries(struct arena *, const struct action *, enum pixel_type, int colours);
