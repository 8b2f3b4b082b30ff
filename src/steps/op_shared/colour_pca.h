/* colour_pca: the principal axes of an image's colours. */
#pragma once

/* By falling variance. An axis has length 1, and its largest part is positive. */
struct principal_axes {
    double variance[3], axis[3][3];
};
struct principal_axes principal_axes(const double covariance[3][3]);
