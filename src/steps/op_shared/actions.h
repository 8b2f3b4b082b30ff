/* actions: builders of actions, for the `resolve` of an op. Each fills in the family and the
 * family's data. If pixels move, it also sets the output canvas and the map. */
#pragma once

#include "base/number.h"
#include "steps/op.h"

/* Returns a fill for the plane, scaled to its type, for all its channels. */
struct fill scene_fill(const struct scene *, const struct colour *);
/* The same with a border mode: enum padding_mode. */
struct fill scene_border(const struct scene *, const struct colour *, int mode);
/* Returns a color for functions of a pixel's colors: on the 0..255 scale, three equal values for
 * gray. */
void scene_colour(const struct scene *, const struct colour *, float rgb[3]);

/* A window: pixel (x, y) of a frame of size `out` comes from (x + left, y + top) of the input.
 * Outside, pixels are filled, or continue as the border of the action's `fill` says; windows, turns
 * and warps use that border. */
void action_window(const struct scene *, struct action *, int top, int left, struct frame out);
/* A flip or quarter turn: mirrors left-right if `mirror`, then makes `turns` counterclockwise
 * quarter turns. */
void action_turn(const struct scene *, struct action *, bool mirror, int turns);
/* A warp; `forward` maps input to output. Becomes FAMILY_INDEX if it moves whole pixels,
 * FAMILY_NOTHING if it is the identity. Returns false if the map has no inverse. */
bool action_warp(const struct scene *, struct action *, const struct mat3 *forward,
                 struct frame out, enum interpolation);
/* A displacement field over the scene's frame, which must be the field's frame. FAMILY_NOTHING if
 * it displaces nothing. Returns false if a displacement exceeds a million pixels. */
bool action_field(const struct scene *, struct action *, const struct field *, enum interpolation);
/* A resize of the whole frame, with any interpolation; NEAREST takes pixel centers. */
void action_resize(const struct scene *, struct action *, struct frame out, enum interpolation,
                   bool antialias);
/* RoIAlign of the scene: the output's pixels are equal cells of a box, which must have an area and
 * may exceed the image. Each is the mean of across x down samples, both at least 1. FAMILY_NOTHING
 * if the cells are the pixels themselves. */
void action_align(const struct scene *, struct action *, struct box, struct frame out, int across,
                  int down);
/* A table over the color values: value_of is called for each level, on the 0..255 scale. */
void action_table(const struct scene *, struct action *,
                  double (*value_of)(const void *context, double level), const void *context);
/* The linear table level * factor + offset. */
void action_line(const struct scene *, struct action *, double factor, double offset);
/* The same with a factor and an offset per color channel; gray images use the first. FAMILY_NOTHING
 * if all factors are 1 and all offsets 0. */
void action_lines(const struct scene *, struct action *, const double factor[3],
                  const double offset[3]);
/* A separate table for each color channel. */
void action_tables(const struct scene *, struct action *,
                   double (*value_of)(const void *context, int channel, double level),
                   const void *context);
/* Tables that keep and flip bits of a level of the image's own type, not on the 0..255 scale. */
void action_bits(struct action *, const struct sample_bits *);
/* A function of a pixel's colors; `context` must live as long as the arena. `linear` is the same
 * function without rounding and clamping; it is copied and may be NULL. */
void action_colours(const struct scene *, struct action *, colour_fn *, const void *context,
                    const struct colour_matrix *linear);
/* Rectangles painted over the scene. `key` seeds noise (for any paint) and random colors. `mask` is
 * their label in label masks, if any. The rectangles must live as long as the arena. */
void action_paint(const struct scene *, struct action *, const struct rects *, const struct paint *,
                  bool noise, int64_t key);
void action_hides(const struct scene *, struct action *, const struct optional *fill_mask,
                  int labels);
/* Changes labels only; the parameters must live as long as the arena. */
void action_labels(struct action *, label_fn *, const void *params);
/* A function of a pixel's colors and place; `context` must live as long as the arena. */
void action_colours_at(const struct scene *, struct action *, place_fn *, const void *context);
/* A function of the whole image that keeps the channels; `context` must live as long as the arena.
 */
void action_raster(struct action *, raster_fn *, const void *context);
/* The sum of n taps at each pixel (plane_convolve_taps); the taps must live as long as the arena.
 */
struct tap;
void action_taps(const struct scene *, struct action *, const struct tap *, int n);
/* A kernel of 3x3 weights, row by row, blended with the pixel itself by alpha, 0..1; 0 changes
 * nothing. */
void action_kernel(const struct scene *, struct action *, const double kernel[9], double alpha);
/* Samples of another type. With `scale`, the floats 0..1 are the full range of integers; otherwise
 * values stay, within the type's range. */
void action_convert(const struct scene *, struct action *, enum pixel_type, bool scale);
/* Return the number of levels of a channel of the scene's pixels, 256 or 65536, and the number of
 * color channels, 1 or 3. */
int scene_levels(const struct scene *);
int scene_colours(const struct scene *);
/* Returns the integer level of `level`, which a table builder gets on the 0..255 scale, on the
 * pixels' own scale. */
int scene_index(const struct scene *, double level);
/* Expands a list of one number or three to three channels. Returns false if the image is gray and
 * there are three: such an image stays unchanged. */
bool scene_channels(const struct scene *, const struct list *, double channel[3]);
