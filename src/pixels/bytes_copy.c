/* bytes_copy: rows of planes, which are often far from the caches. */
#include "samples.h"

#include <string.h>

/* What is written is prefetched: of planes of 36 MB that no cache held, on a Xeon, copies took 0.85
 * of the time of memcpy, and as long where the cache held them. Stores past the caches took 0.65
 * and three times as long. Without AVX-512 the loop took 1.5 times as long as memcpy on an EPYC of
 * 2024. */
VARIANTS void bytes_copy(const unsigned char *restrict from, unsigned char *restrict to, size_t n)
{
    enum { LINE = 64 };
    size_t done = 0;

    if (!cpu_has(CPU_AVX512_VBMI)) {
        memcpy(to, from, n);
        return;
    }
    for (; done + LINE <= n; done += LINE) {
        prefetch_written(to + done, LINE);
        memcpy(to + done, from + done, LINE);
    }
    memcpy(to + done, from + done, n - done);
}
