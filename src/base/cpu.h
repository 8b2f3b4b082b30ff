/* cpu: defines the processors that loops have special forms for, and detects which of them this
 * machine supports. All forms of a loop give the same bits.
 *
 * There are two ways to make forms. VARIANTS before a plain C loop lets the compiler make them. A
 * loop with intrinsics is a function marked FOR_SSSE3 (or similar). Call it only if cpu_has_feature
 * returns true for the feature.
 *
 * Two macros are for tests. WITHOUT_VARIANTS leaves only the plain forms, so that forms can be
 * compared. WITHOUT_AVX512 leaves out forms that need AVX-512, so that the others can be timed on
 * any machine. */
#pragma once

#include <stdbool.h>
#include <stdint.h> /* identifies the C library */

struct text;

enum cpu_feature {
    CPU_SSSE3,
    CPU_AVX2,
    CPU_AVX512_VBMI,  /* with AVX-512 BW */
    CPU_AVX512_VBMI2, /* with AVX-512 BW, DQ, VL, VBMI, VNNI and with BMI2 */
    CPU_FEATURES
};

/* Features from this one on are not used, whatever the machine supports; CPU_FEATURES except in
 * tests of the other forms. Does not affect VARIANTS. */
extern enum cpu_feature cpu_limit;

/* Precedes a loop's function: it is compiled for several kinds of processor, and the best one is
 * chosen when the program starts. This needs gcc with glibc on x86-64. */
#if defined WITHOUT_VARIANTS || defined __clang__ || !defined __x86_64__ || !defined __GLIBC__ ||  \
    !defined __GNUC__ || __GNUC__ < 12
#define VARIANTS
#else
#define CPU_HAS_CLONES
#ifdef WITHOUT_AVX512
#define VARIANTS __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define VARIANTS __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#endif
#endif

#if defined __x86_64__ && defined __GNUC__ && !defined WITHOUT_VARIANTS

#define CPU_HAS_INTRINSICS

#include <immintrin.h>

#define FOR_SSSE3 __attribute__((target("ssse3")))
#define FOR_AVX2 __attribute__((target("avx2")))
#define FOR_AVX512_VBMI __attribute__((target("avx512bw,avx512vbmi")))
#define FOR_AVX512_VBMI2                                                                           \
    __attribute__((target("avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx512vnni,bmi2")))
/* The same for a function that is always inlined into one of that kind. */
#define INLINE_FOR_SSSE3 __attribute__((target("ssse3"), always_inline)) static inline
#define INLINE_FOR_AVX2 __attribute__((target("avx2"), always_inline)) static inline
#define INLINE_FOR_AVX512_VBMI FOR_AVX512_VBMI __attribute__((always_inline)) static inline
#define INLINE_FOR_AVX512_VBMI2 FOR_AVX512_VBMI2 __attribute__((always_inline)) static inline

/* True if this machine can run functions for the feature. */
static inline bool cpu_has_feature(enum cpu_feature feature)
{
    if (feature >= cpu_limit)
        return false;
    switch (feature) {
    case CPU_SSSE3:
        return __builtin_cpu_supports("ssse3");
    case CPU_AVX2:
        return __builtin_cpu_supports("avx2");
#ifndef WITHOUT_AVX512
    case CPU_AVX512_VBMI:
        return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi");
    case CPU_AVX512_VBMI2:
        return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vbmi") &&
               __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("avx512vnni") &&
               __builtin_cpu_supports("bmi2");
#endif
    default:
        return false;
    }
}

/* True if loops that write ascending addresses gain from prefetching their output. Measured: a gain
 * on a Xeon of 2023, a loss on an EPYC of 2024. Processors of other makers than Intel are treated
 * like the latter. The result is the same. */
static inline bool cpu_gains_by_prefetch(void)
{
    return __builtin_cpu_is("intel");
}

#else

static inline bool cpu_has_feature(enum cpu_feature feature)
{
    (void)feature;
    return false;
}

static inline bool cpu_gains_by_prefetch(void)
{
    return false;
}

#endif

/* Appends the names of the forms in use, such as "ssse3 avx2 x86-64-v3", or "plain". */
void cpu_print(struct text *);
