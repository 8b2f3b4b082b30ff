/* fourier: discrete Fourier transforms of any length, and images changed by way of them. */
#pragma once

#include "pixels/plane.h"

struct phasor { /* a complex number */
    double re, im;
};

/* X[k] is the sum of x[j] e^(-2 pi i j k / n); n >= 1. In place; `inverse` takes the other sign,
 * and does not divide by n. The same input gives the same bits every time. */
struct fourier;
struct fourier *fourier_begin(int n);
void fourier_run(const struct fourier *, struct phasor *x, bool inverse);
void fourier_end(struct fourier *);

/* Of each colour, the amplitudes of frequencies of at most `border` waves along each side become
 * those of a reference, which is stretched to the plane's size (bilinear); phases stay. The
 * reference is one of PIXEL_F32, red, green and blue on the 0..255 scale times alpha, and alpha:
 * what is transparent is black. A gray plane takes its luma. 8 and 16 bit; `out` has the frame,
 * channels and type of `in`, and alpha is copied. (Y. Yang and S. Soatto, FDA: Fourier domain
 * adaptation for semantic segmentation, CVPR 2020.) */
void plane_adapt_spectrum(const struct plane *in, struct plane *out, const struct plane *reference,
                          int border);
