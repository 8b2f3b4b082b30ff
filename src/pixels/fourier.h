/* fourier: discrete Fourier transforms of any length, and a filter of images that uses them. */
#pragma once

#include "pixels/plane.h"

struct phasor { /* a complex number */
    double re, im;
};

/* Transforms n >= 1 numbers in place: X[k] is the sum of x[j] e^(-2 pi i j k / n). `inverse` uses
 * the other sign and does not divide by n. The same input always gives the same bits. fourier_begin
 * allocates tables for one n, which fourier_end frees. */
struct fourier;
struct fourier *fourier_begin(int n);
void fourier_run(const struct fourier *, struct phasor *x, bool inverse);
void fourier_end(struct fourier *);

/* Replaces the amplitudes of low frequencies, up to `border` waves along each side, by the
 * reference's amplitudes, for each color. Phases are kept. The reference is stretched to the
 * plane's size (bilinear). It is an RGBA plane of PIXEL_F32: red, green and blue on the 0..255
 * scale times alpha, and alpha; transparent pixels count as black. A gray plane uses the
 * reference's luma. 8 and 16 bits; `out` has the frame, channels and type of `in`, and alpha is
 * copied. (Y. Yang and S. Soatto, FDA: Fourier domain adaptation for semantic segmentation, CVPR
 * 2020.) */
void plane_adapt_spectrum(const struct plane *in, struct plane *out, const struct plane *reference,
                          int border);
