/* bench_nms: measures the kernel of nms on random boxes, whose corners are uniform in a square.
 * Usage: bench_nms N SIDE FILE: makes N boxes; each is at most SIDE of the square wide and high (1:
 * corners anywhere). Writes the boxes to FILE as floats x0 y0 x1 y1 score. Prints the indices of
 * the kept boxes to stdout, and the processor seconds to stderr. */
#include "base/rng.h"
#include "geom/nms.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static float unit(struct rng *rng)
{
    return (float)rng_unit(rng);
}

static void ordered(struct rng *rng, float side, float v[2])
{
    float a = unit(rng), b = side < 1 ? a + side * unit(rng) : unit(rng);

    v[0] = 1000 * (a < b ? a : b);
    v[1] = 1000 * (a < b ? b : a);
}

static double seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
    size_t n = argc == 4 ? strtoul(argv[1], NULL, 10) : 0;
    struct rng rng = rng_start(2030, 1, RNG_DRAW);
    struct nms_box *boxes = calloc(n + 1, sizeof *boxes);
    uint32_t *by = calloc(n + 1, sizeof *by);
    FILE *file = n ? fopen(argv[3], "wb") : NULL;
    double begin, end;

    if (!file || !boxes || !by) {
        fprintf(stderr, "usage: bench_nms N SIDE FILE\n");
        return 2;
    }
    for (size_t i = 0; i < n; i++) {
        float x[2], y[2], v[5];

        ordered(&rng, strtof(argv[2], NULL), x);
        ordered(&rng, strtof(argv[2], NULL), y);
        v[0] = x[0], v[1] = y[0], v[2] = x[1], v[3] = y[1], v[4] = unit(&rng);
        fwrite(v, sizeof v, 1, file);
        boxes[i] = (struct nms_box){ { v[0], v[1], v[2], v[3] }, v[4] };
    }
    fclose(file);
    begin = seconds();
    nms(boxes, n, &(struct nms_rule){ .threshold = 0.5 }, by);
    end = seconds();
    fprintf(stderr, "%.4f\n", end - begin);
    for (size_t i = 0; i < n; i++)
        if (by[i] == i)
            printf("%zu\n", i);
    free(boxes);
    free(by);
    return 0;
}
