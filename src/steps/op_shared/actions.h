/* actions: builders of actions, for the `resolve` of an op. Each fills in the family, what the
 * family needs, and, where pixels move, the output canvas and the map. */
#pragma once

#include "base/number.h"
#include "steps/op.h"

/* A fill as the plane wants it: scaled to its type, spread over its channels. */
struct fill scene_fill(const struct scene *, const struct colour *);
/* The same with a border that may go on otherwise: enum padding_mode. */
struct fill scene_border(const struct scene *, const struct colour *, int mode);
/* The same for functions of a pixel's colours: on the 0..255 scale, three equal ones for gray. */
void scene_colour(const struct scene *, const struct colour *, float rgb[3]);

/* Pixels (x, y) of a frame of size `out` come from (x + left, y + top) of the input; what is
 * outside is filled, or goes on as the border of the action's `fill` does, which windows, turns and
 * warps look at. */
void action_window(const struct scene *, struct action *, int top, int left, struct frame out);
/* A flip or quarter turn: `turns` quarter turns counter-clockwise of what was mirrored (left-right)
 * if `mirror`. */
void action_turn(const struct scene *, struct action *, bool mirror, int turns);
/* A warp: forward is input to output. Becomes FAMILY_INDEX when it moves whole pixels,
 * FAMILY_NOTHING when it is the identity. False when it has no inverse. */
bool action_warp(const struct scene *, struct action *, const struct mat3 *forward,
                 struct frame out, enum interpolation);
/* A displacement field over the scene's frame, which must be its own; FAMILY_NOTHING when nothing
 * is displaced. False when it is displaced by more than a million pixels somewhere. */
bool action_field(const struct scene *, struct action *, const struct field *, enum interpolation);
/* A resize of the whole frame. interpolation: any; NEAREST: pixel centres. */
void action_resize(const struct scene *, struct action *, struct frame out, enum interpolation,
                   bool antialias);
/* RoIAlign of the scene: the output's pixels are equal cells of a box, which has an area, and may
 * reach beyond the image; means of across x down samples in each, at
 * least 1. FAMILY_NOTHING where they are the pixels themselves. */
void action_align(const struct scene *, struct action *, struct box, struct frame out, int across,
                  int down);
/* A table over the colour values: value_of is asked for each level on the 0..255 scale. */
void action_table(const struct scene *, struct action *,
                  double (*value_of)(const void *context, double level), const void *context);
/* The same for level * factor + offset, which is linear. */
void action_line(const struct scene *, struct action *, double factor, double offset);
/* With a factor and an offset for each colour channel, of which gray images take the first.
 * FAMILY_NOTHING when all factors are 1 and all offsets 0. */
void action_lines(const struct scene *, struct action *, const double factor[3],
                  const double offset[3]);
/* The same with a table of its own for each colour channel. */
void action_tables(const struct scene *, struct action *,
                   double (*value_of)(const void *context, int channel, double level),
                   const void *context);
/* Tables that keep and flip bits, of a level of the image's own type, not of the 0..255 scale. */
void action_bits(struct action *, const struct sample_bits *);
/* A function of a pixel's colours; context must live as long as the arena. linear: what it is
 * short of rounding and clamping, copied; or NULL. */
void action_colours(const struct scene *, struct action *, colour_fn *, const void *context,
                    const struct colour_matrix *linear);
/* Rectangles of the scene painted over; noise, whatever the paint, and random colours are by the
 * key; mask: the label that they get in label masks, if any. The rectangles must live as long as
 * the arena. */
void action_paint(const struct scene *, struct action *, const struct rects *, const struct paint *,
                  bool noise, int64_t key);
void action_hides(const struct scene *, struct action *, const struct optional *fill_mask,
                  int labels);
/* Labels alone; the parameters must live as long as the arena. */
void action_labels(struct action *, label_fn *, const void *params);
/* A function of a pixel's colours and place; context must live as long as the arena. */
void action_colours_at(const struct scene *, struct action *, place_fn *, const void *context);
/* A function of the whole image that changes no channels; context must live as long as the arena.
 */
void action_raster(struct action *, raster_fn *, const void *context);
/* The sum of n taps at each pixel (plane_convolve_taps); they must live as long as the arena. */
struct tap;
void action_taps(const struct scene *, struct action *, const struct tap *, int n);
/* A kernel of 3x3 weights, in rows, blended with the pixel itself by alpha, 0..1; 0 is nothing. */
void action_kernel(const struct scene *, struct action *, const double kernel[9], double alpha);
/* Samples of another type: 0..1 of floats is the full range of integers when `scale`, else values
 * are kept, as far as the type can. */
void action_convert(const struct scene *, struct action *, enum pixel_type, bool scale);
/* Levels of a channel of this scene's pixels, 256 or 65536, and colour channels, 1 or 3. */
int scene_levels(const struct scene *);
int scene_colours(const struct scene *);
/* The level, 0 and up, that a table is being asked for: `level` on the pixels' own scale. */
int scene_index(const struct scene *, double level);
/* One number for all colour channels, or three, as three. False when the image is gray and there
 * are three: such an image stays as it is. */
bool scene_channels(const struct scene *, const struct list *, double channel[3]);
