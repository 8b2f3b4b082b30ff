/* join: two neighboring actions as one, with the same bits. Knows families, not ops. */
#pragma once

#include "steps/op.h"

/* True if the index map reads pixels outside of its input. */
bool index_has_fill(const struct action *);
/* True if the index map only rearranges all pixels of the canvas (flips and quarter turns), so that
 * statistics of the image stay the same. */
bool index_permutes(const struct action *);
/* True if every pixel stays where it is. */
bool index_is_identity(const struct action *);

/* Joins `first`, then `second`, both FAMILY_INDEX. Returns false, with the reason, if no single
 * index map does both: both fill, with different values. */
bool index_join(struct arena *, const struct action *first, const struct action *second,
                struct action *both, const char **reason);

/* Joins a FAMILY_RESAMPLE and a later FAMILY_INDEX. Returns false if the index map is not a crop.
 */
bool resample_join(const struct action *first, const struct action *second, struct action *both);
/* Returns a FAMILY_RESAMPLE in the form of the pixel loop. */
struct resize_part resample_part(const struct action *);

/* Joins `first`, then `second`, both FAMILY_TABLE, for this type and number of color channels. */
void table_join(struct arena *, const struct action *first, const struct action *second,
                enum pixel_type, int colours, struct action *both);
/* Returns the entries of a FAMILY_TABLE (see plane_table), also for a table that is given as bits.
 */
const void *table_entries(struct arena *, const struct action *, enum pixel_type, int colours);
