/* noise: smooth random values, pure in position and seed. */
#pragma once

#include <stdint.h>

/* [0, 1) for a lattice point. */
double noise_at(int x, int y, uint32_t seed);
/* About -1..1, smooth over a unit of x and y. */
double noise_smooth(double x, double y, uint32_t seed);
/* The sum of octaves, each half as large and twice as fine; about -1..1. */
double noise_fractal(double x, double y, uint32_t seed, int octaves);
