/* rows: parameters, and their choices, that several ops and transforms share. */
#pragma once

#include "geom/grid.h"
#include "param/param.h"
#include "pixels/plane.h"
#include "sample/sample.h"

extern const struct choice interpolation_choices[]; /* nearest, bilinear */
extern const struct choice
    resize_choices[]; /* nearest, nearest-exact, bilinear, bicubic, lanczos, box, hamming, area */
extern const struct choice dtype_choices[];    /* uint8, uint16, float32: enum pixel_type */
extern const struct choice between_choices[];  /* enum grid_surface */
extern const struct choice equalize_choices[]; /* pil, cv */
enum equalize_mode { EQUALIZE_PIL, EQUALIZE_CV };
extern const struct choice lens_choices[]; /* camera, fisheye */
enum lens { LENS_CAMERA, LENS_FISHEYE };
extern const struct choice morphology_choices[]; /* dilation, erosion */
enum morphology { MORPHOLOGY_DILATION, MORPHOLOGY_EROSION };
extern const struct choice light_choices[]; /* linear, corner, gaussian */
enum illumination { LIGHT_LINEAR, LIGHT_CORNER, LIGHT_GAUSSIAN };
extern const struct choice noise_choices[]; /* uniform, gaussian, laplace, beta */
enum noise_type { NOISE_UNIFORM, NOISE_GAUSSIAN, NOISE_LAPLACE, NOISE_BETA };
extern const struct choice spatial_choices[]; /* constant, per_pixel, shared */
enum spatial_mode { SPATIAL_CONSTANT, SPATIAL_PER_PIXEL, SPATIAL_SHARED };
/* The statistics that adapt_distribution makes equal. */
enum adaptation { ADAPT_PCA, ADAPT_STANDARD, ADAPT_MINMAX };
extern const struct choice adaptation_choices[];
extern const struct choice paint_choices[];   /* enum paint_method */
extern const struct choice hidden_choices[];  /* keep, shrink: enum hidden_rule */
extern const struct choice padding_choices[]; /* enum padding_mode */

/* clang-format off */
#define FILL_ROWS(S)                                                                               \
    COLOUR(S, fill, .preset = "0",                                                                 \
           .help = "value of pixels from outside: a number for all colour channels, or one per channel "   \
                   "(three on a gray image: their luma); alpha becomes 0 unless a value for it "   \
                   "is given"),                                                                    \
    INTEGER(S, fill_mask, .preset = "0", .limit = { 0, 65535 },                                    \
            .help = "label of mask pixels from outside the image")
#define WARP_BORDER_ROWS(S) FILL_ROWS(S), PADDING_MODE_ROW(S)
#define HIDE_ROWS(S)                                                                               \
    OPTIONAL(S, fill_mask, .preset = "null", .whole = true, .limit = { 0, 65535 },                 \
             .help = "label of mask pixels that are painted over; null: unchanged"),               \
    CHOICE(S, labels, .preset = "\"keep\"", .choices = hidden_choices,                             \
           .help = "what happens to objects that are painted over; their visibility is reduced "   \
                   "in any case, and covered keypoints get 1 (labelled, not visible)")
#define PAINT_ROWS(S)                                                                              \
    PAINT(S, fill, .preset = "0", .choices = paint_choices,                                        \
          .help = "the paint: a number, one per channel, or a method"),                            \
    FLAG(S, noise, .preset = "false", .help = "paint noise as `fill` \"random\" does, whatever "   \
                                              "`fill` is")
#define TEXT_ROWS(S)                                                                               \
    TEXT(S, key, .preset = "\"text\"",                                                             \
         .help = "the member of an object's annotation with its text, which also receives the "    \
                 "new text; only COCO annotations have such members"),                             \
    COLOUR(S, font_color, .preset = "0",                                                           \
           .help = "a number for all colour channels, or one per channel (three on a gray image: " \
                   "their luma)"),                                                                 \
    FLAG(S, clear_bg, .preset = "false",                                                           \
         .help = "first inpaint all boxes by Telea's method (OpenCV's INPAINT_TELEA, radius 3)")
#define DROPOUT_ROWS(S) PAINT_ROWS(S), HIDE_ROWS(S)
#define KEY_ROW(S)                                                                                 \
    WHOLE(S, key, .preset = "0", .limit = { 0, 4294967295 },                                       \
          .help = "seed of the noise: equal keys give equal noise")
#define NOISE_RANGES_ROW(S, ...)                                                                   \
    TUPLES(S, ranges, .least = 1, .most = 2, .limit = { -1, 1 }, .usual = { -0.2, 0.2 },           \
           .help = "uniform: [[min, max]], or three such ranges, one per channel; only "           \
                   "\"constant\" uses all three, the others use the first",                        \
           __VA_ARGS__)
#define MAX_SEGMENTED_ROWS(S)                                                                      \
    OPTIONAL(S, max_size, .preset = "128", .whole = true, .unit = "pixels", .limit = { 1, 65500 }, \
             .usual = { 16, 128 },                                                                 \
             .help = "images with a longer side are reduced to this size, and enlarged again at "  \
                     "the end (unless no segment changes); null: never"),                          \
    CHOICE(S, interpolation, .preset = "\"bilinear\"", .choices = resize_choices,                  \
           .help = "interpolation for both resizes")
#define ROUGHNESS_ROW(S)                                                                           \
    NUMBER(S, roughness, .preset = "3", .limit = { 0.01, 10 }, .usual = { 0.3, 3 },                \
           .help = "roughness of the plasma fractal: the strength of each octave relative to "     \
                   "the "                                                                          \
                   "previous one, which is twice as coarse; below 1 it looks like clouds, above "  \
                   "1 like grain")
#define SPECKLE_ROWS(S)                                                                            \
    NUMBER(S, dropout_prob, .preset = "0.01", .limit = { 0, 1 }, .usual = { 0.01, 0.3 },           \
           .help = "each pixel's probability of being painted over"),                                      \
    FLAG(S, per_channel, .preset = "false", .help = "paint over each channel of a pixel "          \
                                                    "independently"),                              \
    COLOUR(S, drop_value, .preset = "0",                                                           \
           .help = "the paint: a number, one per channel, or null for random values"),                  \
    OPTIONAL(S, mask_drop_value, .preset = "null", .whole = true, .limit = { 0, 65535 },           \
             .help = "label of mask pixels where the image is painted over; null: unchanged; "     \
                     "cannot be combined with `per_channel`")
#define SUN_ROWS(S)                                                                                \
    NUMBER(S, x, .unit = "pixels", .limit = { -1000000, 1000000 }, .usual = { 0, 64 },             \
           .help = "position of the sun, from the left"),                                          \
    NUMBER(S, y, .unit = "pixels", .limit = { -1000000, 1000000 }, .usual = { 0, 48 },             \
           .help = "position of the sun, from the top")
#define CODEC_QUALITY_ROW(S)                                                                       \
    INTEGER(S, quality, .limit = { 1, 100 }, .usual = { 5, 95 },                                   \
            .help = "1 (worst) to 100; images with 16 bits lose detail below 8 bits; alpha is "    \
                    "kept")
#define SANITIZE_ROWS(S)                                                                           \
    NUMBER(S, min_size, .preset = "1", .unit = "pixels", .limit = { 1, INFINITY },                 \
           .help = "drop objects whose box is narrower or lower than this; a box that exceeds "    \
                   "the image is measured inside the image (torchvision drops it)"),               \
    NUMBER(S, min_area, .preset = "1", .unit = "pixels^2", .limit = { 1, INFINITY },               \
           .help = "drop objects whose box has a smaller area")
#define MIN_KEYPOINTS_ROW(S)                                                                       \
    OPTIONAL(S, min_keypoints, .preset = "null", .whole = true, .limit = { 1, 1000 },              \
             .help = "drop objects that had labelled keypoints but have fewer than this in the "   \
                     "image; null: drop objects that lost any, as torchvision does")
#define INTERPOLATION_ROW(S) INTERPOLATION_ROW_OF(S, "\"nearest\"")
#define BLEND_ROW(S) INTERPOLATION_ROW_OF(S, "\"bilinear\"")
#define INTERPOLATION_ROW_OF(S, word)                                                                       \
    CHOICE(S, interpolation, .preset = (word), .choices = interpolation_choices,                            \
           .help = "interpolation of pixel values; label masks always take the nearest pixel")
/* Parameters shared by ops and transforms that displace pixels. */
#define FIELD_ROWS(S)                                                                              \
    CHOICE(S, interpolation, .preset = "\"bilinear\"", .choices = interpolation_choices,                    \
           .help = "interpolation of pixel values; label masks always take the nearest pixel"),     \
    WARP_BORDER_ROWS(S)
#define RESIZE_ROWS(S)                                                                             \
    CHOICE(S, interpolation, .preset = "\"bilinear\"", .choices = resize_choices,                  \
           .help = "interpolation of pixel values; label masks always take the nearest pixel"),     \
    FLAG(S, antialias, .preset = "true",                                                           \
         .help = "widen the filter when shrinking, so that no pixel is skipped")
#define CHANNELS_ROW(S)                                                                            \
    INTEGER(S, num_output_channels, .preset = "1", .limit = { 1, 3 },                              \
            .help = "1, or 3 for three equal channels; alpha is kept")
#define CROP_ROWS(S)                                                                               \
    INTEGER(S, top, .unit = "pixels", .limit = { -1000000, 1000000 }, .usual = { -8, 24 },         \
            .help = "first row; may be outside the image"),                                        \
    INTEGER(S, left, .unit = "pixels", .limit = { -1000000, 1000000 }, .usual = { -8, 24 },        \
            .help = "first column; may be outside the image"),                                     \
    INTEGER(S, height, .unit = "pixels", .limit = { 1, 65500 }, .usual = { 24, 72 },               \
            .help = "rows of the window"),                                                         \
    INTEGER(S, width, .unit = "pixels", .limit = { 1, 65500 }, .usual = { 24, 72 },                \
            .help = "columns of the window")
#define ROI_ALIGN_ROWS(S)                                                                          \
    INTEGER(S, sampling_ratio, .preset = "-1", .limit = { -1, 100 },                               \
            .help = "samples along each side of a cell; 0 or less: the cell's side in pixels, "    \
                    "rounded up"),                                                                 \
    FLAG(S, aligned, .preset = "false",                                                            \
         .help = "treat the box's coordinates as continuous; false, as torchvision's default: "    \
                 "the box is half a pixel further right and down, and at least 1 pixel wide and "  \
                 "high")
#define MAX_OUTPUTS_ROW(S)                                                                         \
    INTEGER(S, max_outputs, .preset = "1000", .limit = { 1, 100000 },                              \
            .help = "maximum number of images that one image becomes; the outputs of the image "   \
                    "with id i have ids from i * K on, where K depends on this number but not "    \
                    "on "                                                                          \
                    "the images; an image that would become more is refused [plan-many]")
#define CROP_SIZE_ROW(S)                                                                           \
    SIZE(S, size, .unit = "pixels", .limit = { 1, 65500 }, .usual = { 24, 48 },                    \
         .help = "[height, width] of the results, or one number for squares")
#define DTYPE_ROWS(S)                                                                              \
    CHOICE(S, dtype, .choices = dtype_choices, .help = "the type of the result's samples"),         \
    FLAG(S, scale, .preset = "false",                                                              \
         .help = "map full range to full range (0..1 for floats); if false, values stay, "         \
                 "clamped "                                                                        \
                 "to the type's range (torchvision lets them wrap around)")
#define NORMALIZE_ROWS(S)                                                                          \
    LIST(S, mean, .least = 1, .most = 3, .usual = { 0.2, 0.6 },                                    \
         .help = "subtracted first; on the scale 0..1, one per colour channel or one for all"),    \
    LIST(S, std, .least = 1, .most = 3, .limit = { 0, INFINITY }, .above = true,                   \
         .usual = { 0.1, 0.4 }, .help = "divisor; like `mean`")
#define CENTER_ROW(S)                                                                              \
    POINT(S, center, .preset = "null", .unit = "pixels", .usual = { 0, 60 },                       \
          .help = "the point that stays; null: the middle of the image")
#define PADDING_MODE_ROW(S)                                                                        \
    CHOICE(S, padding_mode, .preset = "\"constant\"", .choices = padding_choices,                  \
           .help = "how the border is filled; mirrored objects get no labels of their own")
/* clang-format on */
