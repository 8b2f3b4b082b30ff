/* walk: properties that every op and every transform must have, checked with random draws. Tests
 * walk over lockstep's own registry, `lockstep plugin-test` over the entries of a plugin. */
#pragma once

#include "steps/properties/walker.h"

/* --- properties of an op --- */

/* Checks that pixels and labels agree. A 16-bit coordinate ramp goes through the op. Each pixel
 * then shows its origin, and the map for points must send that place to the pixel's center. A
 * polygon moved as a vector is compared with the same polygon moved as a label mask, and RLE with
 * the mask. For an op that moves something and does not join images. */
void walk_moves(struct walker *, const struct op *);
/* Checks that the op changes pixels and labels as its flags say, and in no other way. Each effect
 * must occur in some draw, except effects on labels that `finds_nothing` rules out. */
void walk_effects(struct walker *, const struct op *, bool finds_nothing);
/* Renders images of every kind of pixels, down to 1x1. Pixels must be the same op by op and
 * compiled, in strips and in one piece; labels must stay finite and on the canvas. Returns the
 * number of draws that were not refused. */
size_t walk_sizes(struct walker *, const struct op *);
/* Checks that the same draws in another process and in another order give the same bytes: no state
 * survives an image. */
void walk_repeats(struct walker *, const struct op *);
/* Checks that 16-bit and 8-bit images give the same result to within a level; for an op that
 * recolors and has no noise key. */
void walk_depths(struct walker *, const struct op *);

/* Checks that a printed step with all its values is accepted again and prints the same. Steps have
 * each combination of choices, and random values. Manifests and `lockstep compile` print so. */
void walk_prints(struct walker *, const struct op *);

/* --- of a transform --- */

/* Checks that the transform's example can be drawn, and emits only the ops of its `emits`. */
void walk_draws(struct walker *, const struct transform *);
/* Checks a transform as walk_sizes checks an op. */
size_t walk_sizes_of(struct walker *, const struct transform *);
/* Checks a transform as walk_prints checks an op. */
void walk_prints_of(struct walker *, const struct transform *);

/* --- of a section of a pipeline --- */

/* Checks the section with this name as walk_prints checks an op. */
void walk_prints_section(struct walker *, const char *name, const struct row *);
