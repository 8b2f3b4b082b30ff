/* distortion_keys: members of image records that hold the distortion coefficients of a camera. */
#include "labels/shared/distortion_keys.h"

#include "json/scan.h"

bool is_distortion_key(struct slice name)
{
    /* OpenCV, ROS, Kalibr, COLMAP. */
    static const char *const distortion[] = { "D",
                                              "distortion",
                                              "distortion_coefficients",
                                              "distortion_coeffs",
                                              "dist_coeffs",
                                              "k1",
                                              "k2",
                                              "k3",
                                              "k4",
                                              "k5",
                                              "k6",
                                              "p1",
                                              "p2" };

    for (size_t i = 0; i < COUNTOF(distortion); i++)
        if (scan_equals(name, distortion[i]))
            return true;
    return false;
}
