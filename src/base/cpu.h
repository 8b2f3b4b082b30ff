/* cpu: the one place that says for which processors loops have forms of their own, and which of
 * them this machine can run. All forms of a loop give the same bits.
 *
 * There are two ways to have forms. VARIANTS before a plain C loop lets the compiler make them.
 * A loop written with intrinsics is a function marked FOR_SSSE3 (or another), which may be called
 * only where cpu_has says that the processor can run it.
 *
 * With WITHOUT_VARIANTS defined (tests compare the forms), there are only the plain ones; with
 * WITHOUT_AVX512 (so that their speed can be measured on any machine), those that need no AVX-512.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h> /* tells which C library it is */

struct text;

enum cpu_feature {
    CPU_SSSE3,
    CPU_AVX2,
    CPU_AVX512_VBMI,  /* with AVX-512 BW */
    CPU_AVX512_VBMI2, /* with AVX-512 BW, DQ, VL, VBMI, VNNI and with BMI2 */
    CPU_FEATURES
};

/* Features from this one on are not used, whatever the machine has; CPU_FEATURES unless a test
 * looks at the other forms. Says nothing of VARIANTS. */
extern enum cpu_feature cpu_limit;

/* Before a loop's function: it is compiled for several kinds of processor, of which the best is
 * taken when the program starts. Only gcc with glibc on x86-64 can do that. */
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

/* Can this machine run functions for that feature? */
static inline bool cpu_has(enum cpu_feature feature)
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

/* Do loops that write upwards gain when what they will write is prefetched? Measured: on a Xeon of
 * 2023 they do, on an EPYC of 2024 they lose. Processors of other makers than Intel are taken to be
 * like the latter. The bytes are the same. */
static inline bool cpu_gains_by_prefetch(void)
{
    return __builtin_cpu_is("intel");
}

#else

static inline bool cpu_has(enum cpu_feature feature)
{
    (void)feature;
    return false;
}

static inline bool cpu_gains_by_prefetch(void)
{
    return false;
}

#endif

/* Append the names of the forms in use, as "ssse3 avx2 x86-64-v3"; "plain" when there are none. */
void cpu_print(struct text *);
