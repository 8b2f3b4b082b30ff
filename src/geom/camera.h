/* camera: matrices of pinhole cameras, which project points in space to pixels. */
#pragma once

#include "geom/geom.h"

/* Intrinsics K, which project points in the camera's frame, or a projection P = K [R0 | t0], which
 * projects points in the world's frame. Scaled by a positive factor, both mean the same. */
struct camera {
    struct mat3 matrix; /* K, or the first three columns of P */
    double last[3];     /* the fourth column of P; 0 for K */
};

/* A camera as intrinsics, and its pose: X' = rotation X + translation. */
struct posed_camera {
    struct mat3 intrinsics; /* upper triangular; the last number is 1 */
    struct mat3 rotation;   /* its determinant is 1 */
    double translation[3];
};

/* Moves the camera with its image: the result projects each point to the place to which `map` moves
 * the point's old place. The map takes continuous coordinates. With `index`, the camera's pixels
 * count from the center of the first pixel, half a pixel less. */
void camera_move(struct camera *, const struct mat3 *map, bool index);
/* True if the matrix is upper triangular, within rounding. */
bool camera_is_triangular(const struct camera *);
/* Stores fx, fy, cx and cy of a camera that they describe: upper triangular and without skew,
 * within rounding. False if they do not. */
bool camera_four(const struct camera *, double four[4]);
/* True if the matrix has an inverse, and camera_split can divide it. */
bool camera_is_regular(const struct camera *);
/* Divides a regular camera by RQ decomposition. fy becomes positive; fx has the sign of the
 * determinant, so that a mirrored camera has a negative one. */
struct posed_camera camera_split(const struct camera *);
