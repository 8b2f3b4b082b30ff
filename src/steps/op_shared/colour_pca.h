/* colour_pca: the principal axes of an image's colors. */
#pragma once

/* Axes by falling variance. Each has length 1; its largest component is positive. */
struct principal_axes {
    double variance[3], axis[3][3];
};
struct principal_axes principal_axes(const double covariance[3][3]);
