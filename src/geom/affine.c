/* affine: torchvision's affine matrix, and the origin of a centered crop. */
#include "geom/geom.h"

#include "base/number.h"

#include <math.h>

double radians(double degrees)
{
    return degrees * 3.14159265358979323846 / 180;
}

/* Multiples of 90 degrees have a cosine of exactly -1, 0 or 1. Computed from radians, 0 would
 * become 6e-17, and pixels on the border between two would go to either. */
static double cos_degrees(double degrees)
{
    double angle = fmod(fabs(degrees), 360);

    if (fmod(angle, 90) == 0)
        return angle == 0 ? 1 : angle == 180 ? -1 : 0;
    return cos(radians(angle));
}

static double sin_degrees(double degrees)
{
    double angle = fmod(fabs(degrees), 360), sine = sin(radians(angle));

    if (fmod(angle, 90) == 0)
        sine = angle == 90 ? 1 : angle == 270 ? -1 : 0;
    return degrees < 0 ? -sine : sine;
}

struct mat3 mat3_affine(double degrees, double tx, double ty, double scale, double shear_x,
                        double shear_y, struct point centre)
{
    double sx = radians(shear_x), sy = radians(shear_y);
    double c = cos_degrees(degrees - shear_y) / cos(sy);
    double s = sin_degrees(degrees - shear_y) / cos(sy);
    double m0 = scale * c, m1 = -scale * (c * tan(sx) + sin_degrees(degrees));
    double m3 = scale * s, m4 = scale * (cos_degrees(degrees) - s * tan(sx));

    return (struct mat3){ { m0, m1, centre.x + tx - m0 * centre.x - m1 * centre.y, m3, m4,
                            centre.y + ty - m3 * centre.x - m4 * centre.y, 0, 0, 1 } };
}

int center_crop_begin(int in, int out)
{
    return out > in ? -((out - in) / 2) : round_half_even((in - out) / 2.);
}
