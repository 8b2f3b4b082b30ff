/* rows: the choices of parameters that several ops and transforms share. */
#include "steps/op_shared/rows.h"

const struct choice interpolation_choices[] = {
    { "nearest", INTERPOLATION_NEAREST, "the pixel under the centre" },
    { "bilinear", INTERPOLATION_BILINEAR, "four pixels blended" },
    { 0 },
};

/* "nearest" and "nearest-exact" mean the same here, pixel centers: torchvision's "nearest" is
 * biased to the top left by half a source pixel (its #9188). */
const struct choice resize_choices[] = {
    { "nearest", INTERPOLATION_NEAREST, "the pixel under the centre" },
    { "nearest-exact", INTERPOLATION_NEAREST, "the same as \"nearest\"" },
    { "bilinear", INTERPOLATION_BILINEAR, "a triangle filter" },
    { "bicubic", INTERPOLATION_BICUBIC, "a cubic filter" },
    { "lanczos", INTERPOLATION_LANCZOS, "a windowed sinc over three lobes" },
    { "box", INTERPOLATION_BOX, "the box filter of Pillow: equal weights" },
    { "hamming", INTERPOLATION_HAMMING,
      "the Hamming filter of Pillow: a windowed sinc over one lobe" },
    { "area", INTERPOLATION_AREA,
      "as INTER_AREA of OpenCV, on each axis separately: the mean over the area of a "
      "pixel; an axis that is enlarged repeats pixels with narrow blends between them; "
      "`antialias` has no effect" },
    { 0 },
};

const struct choice dtype_choices[] = {
    { "uint8", PIXEL_U8, "0..255" },
    { "uint16", PIXEL_U16, "0..65535" },
    { "float32", PIXEL_F32, "floats; only TIFF files can store them" },
    { 0 },
};

const struct choice paint_choices[] = {
    { "random", PAINT_RANDOM, "uniform noise over the full range, different in each hole" },
    { "random_uniform", PAINT_RANDOM_UNIFORM, "one colour per hole, uniform over the full range" },
    { "inpaint_telea", PAINT_INPAINT_TELEA,
      "inpainted from the border of the holes by Telea's method (OpenCV's INPAINT_TELEA, "
      "radius 3; differs within 5 pixels of the image's edge, where OpenCV takes the hole's "
      "own pixels as known)" },
    { "inpaint_ns", PAINT_INPAINT_NS,
      "inpainted along lines of equal brightness (OpenCV's INPAINT_NS, radius 3)" },
    { 0 },
};

const struct choice hidden_choices[] = {
    { "keep", LABELS_KEEP, "outlines and boxes stay" },
    { "shrink", LABELS_SHRINK,
      "hidden parts are cut out of polygons and RLE, and boxes shrink to the rest; fully "
      "hidden objects are dropped" },
    { 0 },
};

const struct choice padding_choices[] = {
    { "constant", PADDING_CONSTANT, "filled with `fill`" },
    { "edge", PADDING_EDGE, "the edge pixel repeated" },
    { "reflect", PADDING_REFLECT, "mirrored without repeating the edge pixel" },
    { "symmetric", PADDING_SYMMETRIC, "mirrored with the edge pixel repeated" },
    { "wrap", PADDING_WRAP, "the image repeated" },
    { 0 },
};

const struct choice between_choices[] = {
    { "linear", GRID_LINEAR, "bilinear in each cell" },
    { "cubic", GRID_CUBIC, "a smooth curve along x and y (Catmull-Rom)" },
    { "thin_plate", GRID_THIN_PLATE, "the surface that bends the least" },
    { 0 },
};

const struct choice equalize_choices[] = {
    { "pil", EQUALIZE_PIL,
      "the method of PIL and torchvision: pixels of the highest level in "
      "use are not counted" },
    { "cv", EQUALIZE_CV,
      "the method of OpenCV: pixels of the lowest level in use are not counted, and become 0" },
    { 0 },
};

const struct choice lens_choices[] = {
    { "camera", LENS_CAMERA, "1 + k r^2 + k r^4, r being 0.5 in the middle of a side" },
    { "fisheye", LENS_FISHEYE, "1 + k r^2, r being 1 in a corner" },
    { 0 },
};

const struct choice morphology_choices[] = {
    { "dilation", MORPHOLOGY_DILATION, "the maximum under the kernel, per channel" },
    { "erosion", MORPHOLOGY_EROSION, "the minimum under the kernel, per channel" },
    { 0 },
};

const struct choice light_choices[] = {
    { "linear", LIGHT_LINEAR, "from one end of the image to the other" },
    { "corner", LIGHT_CORNER, "by the distance from a corner" },
    { "gaussian", LIGHT_GAUSSIAN, "a round spot" },
    { 0 },
};

const struct choice noise_choices[] = {
    { "uniform", NOISE_UNIFORM, "uniform between two values" },
    { "gaussian", NOISE_GAUSSIAN, "the normal distribution" },
    { "laplace", NOISE_LAPLACE, "the Laplace distribution: a sharper peak and longer tails" },
    { "beta", NOISE_BETA, "the beta distribution, between two values" },
    { 0 },
};

const struct choice spatial_choices[] = {
    { "constant", SPATIAL_CONSTANT, "one value per channel, the same for all pixels" },
    { "per_pixel", SPATIAL_PER_PIXEL, "one value per channel and pixel" },
    { "shared", SPATIAL_SHARED, "one value per pixel, the same for all channels" },
    { 0 },
};

const struct choice adaptation_choices[] = {
    { "pca", ADAPT_PCA, "the means and the directions of the principal axes" },
    { "standard", ADAPT_STANDARD, "the mean and standard deviation of each channel" },
    { "minmax", ADAPT_MINMAX, "the minimum and maximum level of each channel" },
    { 0 },
};
