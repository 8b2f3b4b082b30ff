/* walk: what must hold of every op and every transform, by random draws: a walk over the registry.
 * Tests walk lockstep's own entries, `lockstep plugin-test` those of a plugin. */
#pragma once

#include "plan/apply.h"

struct walker {
    /* Is told of each check that fails: what should have held, and of which draw (`about`). */
    void (*failed)(struct walker *, const char *what);
    /* Is told of figures that were measured, in a line; may be NULL. */
    void (*measured)(struct walker *, const char *line);
    /* Is told why a step is refused on one of the sizes: may it be? NULL: it may always. */
    bool (*expected)(struct walker *, const char *name, const char *why);
    void *context;    /* theirs */
    char about[1024]; /* the step with its values, the image; "" for none */
    size_t n_checks, n_failed;
    struct pool pool;
};

/* Count a check, and return whether it held. */
bool walk_check(struct walker *, bool holds, const char *what);
/* Say what checks are about from now on: a plan's first step, on such an image. */
void walk_name(struct walker *, const struct plan *, struct frame, struct pixel_kind);
/* Give back what it holds. */
void walk_drop(struct walker *);

/* --- properties of an op --- */

/* Pixels and labels agree. A 16-bit coordinate ramp is pushed through the op: what a pixel shows is
 * where it came from, and the map that moves points must send that place to the pixel's centre. A
 * polygon moved as a vector is compared with the same polygon moved as a label mask, and RLE with
 * the mask. Of an op that moves something and does not join images. */
void walk_moves(struct walker *, const struct op *);
/* The op does to pixels and labels what its flags say, and nothing else; each of it in some draw,
 * but for labels that are not there to be found. */
void walk_effects(struct walker *, const struct op *, bool finds_nothing);
/* On images of every kind of pixels, down to 1x1: pixels are the same op by op and compiled, in
 * strips and in one piece; labels stay finite and on the canvas. How many draws were not refused.
 */
size_t walk_sizes(struct walker *, const struct op *);
/* The same draws in another process and in another order give the same bytes: nothing is kept
 * between images. */
void walk_repeats(struct walker *, const struct op *);
/* 16-bit images are done as 8-bit ones are, to within a level: of an op that recolours, and has no
 * key of noise. */
void walk_depths(struct walker *, const struct op *);

/* Checks that a printed step with all its values is accepted again and prints the same. Steps have
 * each combination of choices, and random values. Manifests and `lockstep compile` print so. */
void walk_prints(struct walker *, const struct op *);

/* --- of a transform --- */

/* Its example draws, and emits what it says that it emits. */
void walk_draws(struct walker *, const struct transform *);
/* As walk_sizes. */
size_t walk_sizes_of(struct walker *, const struct transform *);
/* Checks the same of a transform. */
void walk_prints_of(struct walker *, const struct transform *);

/* --- of a section of a pipeline --- */

/* Checks the same of the section with this name. */
void walk_prints_section(struct walker *, const char *name, const struct row *);
