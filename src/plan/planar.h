/* planar: passes on the Y, Cb and Cr planes of a JPEG, each plane at its own resolution. With 4:2:0
 * that is half the samples of RGB, and needs no conversion. */
#pragma once

#include "pixels/picture.h"
#include "plan/pass_rows.h"

/* Returns the planes of `out` that are not the source's to the pool. */
void planar_drop(struct picture *out, const struct picture *source, struct pool *);

/* Runs passes on planes; see render_image. Ops from *done on are not done: planes cannot represent
 * their effect on this image's colors. `out` is then RGB, of the part of the source that was read.
 */
bool planar_render(const struct pass_context *, const struct passes *, const struct picture *source,
                   enum subsampling, struct picture *out, size_t *done);

/* Returns the part of a planar source that the passes read, in pixels of luma, with even x and y.
 * It is the window of render_hints, whose margin includes the chroma that is blended. */
struct rect planar_part(const struct pass_context *, const struct passes *,
                        const struct picture *source);
/* Converts a part of the picture, with even x and y, to RGB, in planes from the pool. The pixels
 * are those of the whole picture, to the bit, except within two pixels of the part's edges. */
struct picture planar_colours(const struct picture *, const struct rect *part, struct pool *);
