/* variants: loops compiled for several kinds of processor. */
#pragma once

#include <stdint.h> /* tells which C library it is */

/* Before a loop's function: it is compiled for several kinds of processor, of which the best is
 * taken when the program starts. All of them give the same bits. Where compiler or C library cannot
 * do that, and where WITHOUT_VARIANTS is defined, there is just the plain one. */
#if defined WITHOUT_VARIANTS || defined __clang__ || !defined __x86_64__ || !defined __GLIBC__ ||  \
    !defined __GNUC__ || __GNUC__ < 12
#define VARIANTS
#else
#define VARIANTS __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#endif
