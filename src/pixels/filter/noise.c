/* noise: random numbers for pixels. */
#include "pixels/noise.h"

#include "pixels/samples.h"

#include <math.h>
#include <string.h>

/* Philox4x32-10 (Salmon et al., Parallel Random Numbers: As Easy as 1, 2, 3, 2011): the increments
 * of its two keys per round, and the multipliers of words. */
enum { ROUNDS = 10 };
static const uint32_t KEY_STEP = 0x9E3779B9, STREAM_STEP = 0xBB67AE85;
static const uint32_t BY_A = 0xD2511F53, BY_C = 0xCD9E8D57;

/* Handles the pixels from the i-th on. */
VARIANTS static void words_remaining(uint32_t key, uint32_t stream, int x, int y, int i, int n,
                                     struct noise *noise)
{
    uint32_t *restrict a = noise->word[0], *restrict b = noise->word[1];
    uint32_t *restrict c = noise->word[2], *restrict d = noise->word[3];
    uint32_t k0 = key, k1 = stream;
    int begin = i;

    for (; i < n; i++) {
        a[i] = (uint32_t)(x + i);
        b[i] = (uint32_t)y;
        c[i] = d[i] = 0;
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (i = begin; i < n; i++) {
            uint64_t p = (uint64_t)BY_A * a[i], q = (uint64_t)BY_C * c[i];

            a[i] = (uint32_t)(q >> 32) ^ b[i] ^ k0;
            b[i] = (uint32_t)q;
            c[i] = (uint32_t)(p >> 32) ^ d[i] ^ k1;
            d[i] = (uint32_t)p;
        }
        k0 += KEY_STEP;
        k1 += STREAM_STEP;
    }
}

#ifdef CPU_HAS_INTRINSICS

/* Eight pixels at once, with each word in the low half of 64 bits, so that a product of two words
 * fits. The next round's multiplication ignores the high half. So no word is masked, and only
 * one shift moves bits between the halves. In the last rounds the compiler drops operations for
 * words that are not requested. */
INLINE_FOR_AVX512_VBMI2 int words_of_eights(uint32_t key, uint32_t stream, int x, int y, int n,
                                            size_t words, uint32_t *const word[])
{
    const __m512i by_a = _mm512_set1_epi64(BY_A), by_c = _mm512_set1_epi64(BY_C);
    const __m512i eight = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
    enum { XOR = 0x96 }; /* of three inputs */
    int i = 0;

    for (; i + 8 <= n; i += 8) {
        __m512i w[4] = { _mm512_add_epi64(_mm512_set1_epi64(x + i), eight), _mm512_set1_epi64(y) };
        uint32_t k0 = key, k1 = stream;

        w[2] = w[3] = _mm512_setzero_si512();
        for (int round = 0; round < ROUNDS; round++, k0 += KEY_STEP, k1 += STREAM_STEP) {
            __m512i p = _mm512_mul_epu32(w[0], by_a), q = _mm512_mul_epu32(w[2], by_c);

            w[0] = _mm512_ternarylogic_epi64(_mm512_srli_epi64(q, 32), w[1], _mm512_set1_epi64(k0),
                                             XOR);
            w[1] = q;
            w[2] = _mm512_ternarylogic_epi64(_mm512_srli_epi64(p, 32), w[3], _mm512_set1_epi64(k1),
                                             XOR);
            w[3] = p;
        }
        for (size_t b = 0; b < words; b++)
            _mm256_storeu_si256((__m256i *)(void *)(word[b] + i), _mm512_cvtepi64_epi32(w[b]));
    }
    return i;
}

/* The numbers that are XORed to the high halves of the two products of each round. Two words of a
 * counter are 0. So the first round has one product. One product of the second round is constant
 * within a row: its high half is in place[1], its low half in place[2]. */
struct round_keys {
    uint32_t counter[ROUNDS], place[ROUNDS];
};

static struct round_keys keys_of(uint32_t key, uint32_t stream, int y)
{
    struct round_keys k;
    uint64_t same;

    for (uint32_t round = 0; round < ROUNDS; round++) {
        k.counter[round] = key + round * KEY_STEP;
        k.place[round] = stream + round * STREAM_STEP;
    }
    same = (uint64_t)BY_A * ((uint32_t)y ^ k.counter[0]);
    k.place[1] ^= (uint32_t)(same >> 32);
    k.place[2] ^= (uint32_t)same;
    return k;
}

/* Groups of four pixels whose words are computed together. Each product of a round waits for one of
 * the previous round, and a processor needs independent products close by to fill the wait. */
enum { MANY_FOURS = 6, FEW_FOURS = 2 };

/* Computes the words of groups of four pixels. Surplus bits in a high half do no harm here either.
 * Every other round XORs two keys to a product at once. Its own key goes to the high half, the next
 * round's key to the low half, which only that round changes. */
INLINE_FOR_AVX2 void rounds_of_fours(const __m256i both[ROUNDS], int x, int fours,
                                     __m256i w[MANY_FOURS][4])
{
    const __m256i by_a = _mm256_set1_epi64x(BY_A), by_c = _mm256_set1_epi64x(BY_C);

#pragma GCC unroll 8
    for (int f = 0; f < fours; f++) {
        __m256i at =
            _mm256_add_epi64(_mm256_set1_epi64x(x + 4 * f), _mm256_setr_epi64x(0, 1, 2, 3));
        __m256i p = _mm256_xor_si256(_mm256_mul_epu32(at, by_a), both[0]), q;

        q = _mm256_mul_epu32(_mm256_srli_epi64(p, 32), by_c);
        q = _mm256_xor_si256(q, both[1]);
        w[f][0] = _mm256_srli_epi64(q, 32);
        w[f][1] = q;
        w[f][2] = p;
        w[f][3] = _mm256_setzero_si256();
    }
#pragma GCC unroll 8
    for (int round = 2; round < ROUNDS; round++)
#pragma GCC unroll 8
        for (int f = 0; f < fours; f++) {
            __m256i p = _mm256_mul_epu32(w[f][0], by_a), q = _mm256_mul_epu32(w[f][2], by_c);

            if (round % 2 == 0)
                p = _mm256_xor_si256(p, both[round]);
            else
                q = _mm256_xor_si256(q, both[round]);
            w[f][0] = _mm256_xor_si256(_mm256_srli_epi64(q, 32), w[f][1]);
            w[f][1] = q;
            w[f][2] = _mm256_xor_si256(_mm256_srli_epi64(p, 32), w[f][3]);
            w[f][3] = p;
        }
}

/* Handles the pixels from the i-th on in whole groups. The low halves of two groups are joined only
 * at the end. Returns how many pixels are done then. */
INLINE_FOR_AVX2 int words_of_fours(const __m256i both[ROUNDS], int fours, int x, int i, int n,
                                   size_t words, uint32_t *const word[])
{
    for (; i + 4 * fours <= n; i += 4 * fours) {
        __m256i w[MANY_FOURS][4];

        rounds_of_fours(both, x + i, fours, w);
        for (int f = 0; f < fours; f += 2)
            for (size_t b = 0; b < words; b++) {
                __m256 low = _mm256_shuffle_ps(_mm256_castsi256_ps(w[f][b]),
                                               _mm256_castsi256_ps(w[f + 1][b]), 0x88);

                _mm256_storeu_si256((__m256i *)(void *)(word[b] + i + 4 * f),
                                    _mm256_permute4x64_epi64(_mm256_castps_si256(low), 0xd8));
            }
    }
    return i;
}

INLINE_FOR_AVX2 int words_of_all_fours(uint32_t key, uint32_t stream, int x, int y, int n,
                                       size_t words, uint32_t *const word[])
{
    struct round_keys keys = keys_of(key, stream, y);
    __m256i both[ROUNDS];
    int done;

    for (int round = 0; round < ROUNDS; round++) {
        const uint32_t *k = round % 2 == 0 ? keys.place : keys.counter;
        uint32_t next = round + 1 < ROUNDS ? k[round + 1] : 0;

        both[round] = _mm256_set1_epi64x((int64_t)((uint64_t)k[round] << 32 | next));
    }
    done = words_of_fours(both, MANY_FOURS, x, 0, n, words, word);
    return words_of_fours(both, FEW_FOURS, x, done, n, words, word);
}

FOR_AVX512_VBMI2 static int all_of_eights(uint32_t key, uint32_t stream, int x, int y, int n,
                                          uint32_t *const word[4])
{
    return words_of_eights(key, stream, x, y, n, 4, word);
}

FOR_AVX512_VBMI2 static int first_of_eights(uint32_t key, uint32_t stream, int x, int y, int n,
                                            uint32_t *word)
{
    return words_of_eights(key, stream, x, y, n, 1, &word);
}

FOR_AVX2 static int all_of_fours(uint32_t key, uint32_t stream, int x, int y, int n,
                                 uint32_t *const word[4])
{
    return words_of_all_fours(key, stream, x, y, n, 4, word);
}

FOR_AVX2 static int first_of_fours(uint32_t key, uint32_t stream, int x, int y, int n,
                                   uint32_t *word)
{
    return words_of_all_fours(key, stream, x, y, n, 1, &word);
}

#endif

void noise_words(uint32_t key, uint32_t stream, int x, int y, int n, struct noise *noise)
{
    int done = 0;

#ifdef CPU_HAS_INTRINSICS
    uint32_t *const word[] = { noise->word[0], noise->word[1], noise->word[2], noise->word[3] };

    if (cpu_has_feature(CPU_AVX512_VBMI2))
        done = all_of_eights(key, stream, x, y, n, word);
    else if (cpu_has_feature(CPU_AVX2))
        done = all_of_fours(key, stream, x, y, n, word);
#endif
    words_remaining(key, stream, x, y, done, n, noise);
}

void noise_first_words(uint32_t key, uint32_t stream, int x, int y, int n, uint32_t *word)
{
    int done = 0;
    struct noise rest;

#ifdef CPU_HAS_INTRINSICS
    if (cpu_has_feature(CPU_AVX512_VBMI2))
        done = first_of_eights(key, stream, x, y, n, word);
    else if (cpu_has_feature(CPU_AVX2))
        done = first_of_fours(key, stream, x, y, n, word);
#endif
    if (done == n)
        return;
    words_remaining(key, stream, x, y, done, n, &rest);
    memcpy(word + done, rest.word[0] + done, (size_t)(n - done) * sizeof *word);
}

VARIANTS void noise_units(const uint32_t *restrict word, int n, float *restrict u)
{
    for (int i = 0; i < n; i++)
        u[i] = (float)(int32_t)(word[i] >> 8) * 0x1p-24f;
}

/* Returns ln v for 2^-24 <= v <= 1. With v = m 2^e and m in [sqrt(1/2), sqrt(2)), a polynomial of f
 * = m - 1 is within 1e-7 of ln(1 + f) (from Cephes' logf). */
ALWAYS_INLINE float log_of(float v)
{
    uint32_t bits;
    int32_t e;
    float f, z, p;

    memcpy(&bits, &v, sizeof bits);
    bits -= 0x3f3504f3;
    e = (int32_t)bits >> 23;
    bits = (bits & 0x7fffff) + 0x3f3504f3;
    memcpy(&f, &bits, sizeof f);
    f -= 1;
    z = f * f;
    p = 7.0376836292e-2f;
    p = p * f - 1.1514610310e-1f;
    p = p * f + 1.1676998740e-1f;
    p = p * f - 1.2420140846e-1f;
    p = p * f + 1.4249322787e-1f;
    p = p * f - 1.6668057665e-1f;
    p = p * f + 2.0000714765e-1f;
    p = p * f - 2.4999993993e-1f;
    p = p * f + 3.3333331174e-1f;
    return f * z * p - 0.5f * z + f + (float)e * 0.69314718f;
}

/* Returns sin(2 pi t) for |t| <= 1/4 by its Taylor series, within 6e-8. */
ALWAYS_INLINE float sine_of_turns(float t)
{
    float x = t * 6.2831853f, z = x * x, p;

    p = -2.5052108e-8f;
    p = p * z + 2.7557319e-6f;
    p = p * z - 1.9841270e-4f;
    p = p * z + 8.3333333e-3f;
    p = p * z - 1.6666667e-1f;
    return x + x * z * p;
}

VARIANTS void noise_normals(const uint32_t *restrict word, const uint32_t *restrict other, int n,
                            float *restrict first, float *restrict second)
{
    for (int i = 0; i < n; i++) {
        float u = (float)((int32_t)(word[i] >> 8) + 1) * 0x1p-24f; /* (0, 1] */
        float r = sqrtf(-2 * log_of(u));
        float t = (float)((int32_t)other[i] >> 8) * 0x1p-24f; /* [-1/2, 1/2) */
        float away = fabsf(t), folded = 0.5f - away;
        float cosine = sine_of_turns(0.25f - away);
        float sine = sine_of_turns(away < folded ? away : folded);

        first[i] = r * cosine;
        second[i] = t < 0 ? -r * sine : r * sine;
    }
}

float noise_poisson(float lambda, double none, float u, float z)
{
    double term = none, left = u;
    int k = 0;

    if (lambda >= NOISE_COUNTED)
        return floorf(fmaxf(0, lambda + sqrtf(lambda) * z + (z * z - 1) / 6 + 0.5f));
    for (; left >= term && term > 0; k++) {
        left -= term;
        term *= (double)lambda / (k + 1);
    }
    return (float)k;
}
