/* render_passes: the pixel work of passes, one after another; for render*.c. */
#pragma once

#include "plan/image_stats_cache.h"
#include "plan/pass_rows.h"
#include "plan/sampler.h"

/* A rendering in progress. */
struct render_work {
    struct pass_context context; /* shared by all passes */
    struct plane now;            /* the input of the next pass */
    struct frame full;           /* as in struct picture */
    struct point origin;         /* position of the plane's first pixel in the image */
    int shrink;                  /* as in struct picture */
    bool part;                   /* `now` is a part of the image that was read for other passes */
    bool ours;                   /* `now` is from the pool; false: it is borrowed from the source */
    struct stats_cache *measured; /* of the source, while `now` is the source's plane; or NULL */
};

/* Returns a plane from the pool with this frame; channels and type are those of `now`. */
struct plane render_fresh(struct render_work *, struct frame);
/* Replaces `now` by a plane from the pool. */
void render_replace(struct render_work *, struct plane with);

/* Runs the passes; leaves out the last one if has_late_pass. Returns false, with the reason, if an
 * op that had to see pixels cannot be done. */
bool render_passes(struct render_work *, const struct passes *);
/* Runs the resolved ops [first, end) with passes_careful: without the differences that
 * clamping_is_missed finds. */
bool render_carefully(struct render_work *, size_t first, size_t end);
/* Runs an action that joins images; returns false as render_passes does. */
bool render_mix(struct render_work *, const struct action *, enum optimize);
bool render_join(struct render_work *, const struct action *, enum optimize);
/* Draws an input's pixels, or its labels, on the canvas as `lay` says. Labels are always opaque. */
void lay_plane(const struct lay *, const struct plane *in, bool labels, struct pool *,
               struct plane *canvas);

/* True if the rows of the last pass are made when the picture is written (see passes.late). */
bool has_late_pass(const struct render_work *, const struct passes *);
/* Prepares `out` to make the rows of this pass. Returns false as render_passes does. */
bool late_pass_begin(const struct render_work *, const struct pass *, struct picture *out);
/* Releases what late_pass_begin took from the pool, and the plane that the pass reads. */
void late_pass_end(const struct picture_rows *);
