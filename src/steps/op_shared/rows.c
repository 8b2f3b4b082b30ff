/* rows: the words of rows that several ops and transforms share. */
#include "steps/op_shared/rows.h"

const struct choice interpolation_choices[] = {
    { "nearest", INTERPOLATION_NEAREST, "the pixel under the centre" },
    { "bilinear", INTERPOLATION_BILINEAR, "four pixels blended" },
    { 0 },
};

/* Two words for one thing: torchvision's "nearest" is biased to the top left by half a source pixel
 * (its #9188), so both mean pixel centres here. */
const struct choice resize_choices[] = {
    { "nearest", INTERPOLATION_NEAREST, "the pixel under the centre" },
    { "nearest-exact", INTERPOLATION_NEAREST, "the same as \"nearest\"" },
    { "bilinear", INTERPOLATION_BILINEAR, "a triangle filter" },
    { "bicubic", INTERPOLATION_BICUBIC, "a cubic filter" },
    { "lanczos", INTERPOLATION_LANCZOS, "a windowed sinc over three lobes" },
    { "box", INTERPOLATION_BOX, "that of Pillow: all pixels under it alike" },
    { "hamming", INTERPOLATION_HAMMING, "that of Pillow: a windowed sinc over one lobe" },
    { "area", INTERPOLATION_AREA,
      "as INTER_AREA of OpenCV, along each side by itself: means of what a pixel covers; where the "
      "side grows, pixels with narrow blends between; `antialias` changes nothing" },
    { 0 },
};

const struct choice dtype_choices[] = {
    { "uint8", PIXEL_U8, "0..255" },
    { "uint16", PIXEL_U16, "0..65535" },
    { "float32", PIXEL_F32, "floats, which only TIFF files can hold" },
    { 0 },
};

const struct choice paint_choices[] = {
    { "random", PAINT_RANDOM, "noise, uniform over the full range, other in each hole" },
    { "random_uniform", PAINT_RANDOM_UNIFORM,
      "one colour for each hole, uniform over the full range" },
    { "inpaint_telea", PAINT_INPAINT_TELEA,
      "what borders on the holes, continued by Telea's method (OpenCV's INPAINT_TELEA, radius 3; "
      "other "
      "within 5 pixels of the image's edge, where OpenCV takes the hole's own pixels as known)" },
    { "inpaint_ns", PAINT_INPAINT_NS,
      "the same by lines of equal brightness (OpenCV's INPAINT_NS, radius 3)" },
    { 0 },
};

const struct choice hidden_choices[] = {
    { "keep", LABELS_KEEP, "outlines and boxes stay" },
    { "shrink", LABELS_SHRINK,
      "what is hidden is cut out of polygons and RLE, and boxes become as small as what is "
      "left; objects with nothing left are dropped" },
    { 0 },
};

const struct choice padding_choices[] = {
    { "constant", PADDING_CONSTANT, "filled with `fill`" },
    { "edge", PADDING_EDGE, "the edge pixel repeated" },
    { "reflect", PADDING_REFLECT, "mirrored without repeating the edge pixel" },
    { "symmetric", PADDING_SYMMETRIC, "mirrored with the edge pixel repeated" },
    { "wrap", PADDING_WRAP, "the image again" },
    { 0 },
};

const struct choice between_choices[] = {
    { "linear", BETWEEN_LINEAR, "bilinear in each cell" },
    { "cubic", BETWEEN_CUBIC, "a smooth curve along x and y (Catmull-Rom)" },
    { "thin_plate", BETWEEN_THIN_PLATE, "the surface that bends the least" },
    { 0 },
};

const struct choice equalize_choices[] = {
    { "pil", EQUALIZE_PIL, "PIL's and torchvision's: the highest level that there is is left out" },
    { "cv", EQUALIZE_CV,
      "that of OpenCV: the lowest level that there is is left out, and becomes 0" },
    { 0 },
};

const struct choice lens_choices[] = {
    { "camera", LENS_CAMERA, "1 + k r^2 + k r^4, r being 0.5 in the middle of a side" },
    { "fisheye", LENS_FISHEYE, "1 + k r^2, r being 1 in a corner" },
    { 0 },
};

const struct choice morphology_choices[] = {
    { "dilation", MORPHOLOGY_DILATION,
      "it becomes the brightest under the kernel, in each channel" },
    { "erosion", MORPHOLOGY_EROSION, "it becomes the darkest" },
    { 0 },
};

const struct choice light_choices[] = {
    { "linear", LIGHT_LINEAR, "from one end of the image to the other" },
    { "corner", LIGHT_CORNER, "by the distance from a corner" },
    { "gaussian", LIGHT_GAUSSIAN, "a round spot" },
    { 0 },
};

const struct choice noise_choices[] = {
    { "uniform", NOISE_UNIFORM, "all between two values alike" },
    { "gaussian", NOISE_GAUSSIAN, "the normal distribution" },
    { "laplace", NOISE_LAPLACE, "with a peak, and longer tails" },
    { "beta", NOISE_BETA, "between two values, by two shapes" },
    { 0 },
};

const struct choice spatial_choices[] = {
    { "constant", SPATIAL_CONSTANT, "each channel, all pixels alike" },
    { "per_pixel", SPATIAL_PER_PIXEL, "each channel of each pixel" },
    { "shared", SPATIAL_SHARED, "each pixel, all channels alike" },
    { 0 },
};

const struct choice adaptation_choices[] = {
    { "pca", ADAPT_PCA, "means, and the principal axes' directions" },
    { "standard", ADAPT_STANDARD, "the mean and the deviation of each channel" },
    { "minmax", ADAPT_MINMAX, "the least and the largest level of each channel" },
    { 0 },
};
