/* number_list: the numbers of a list, many at a time. */
#include "base/number.h"
#include "base/number_bits.h"
#include "base/number_tiny.h"

/* Moves from the end of a number in a list to the possible beginning of the next one. */
static inline const char *step_over(const char *at, const char *end)
{
    if (end - at < 2 || *at != ',')
        return at;
    at++;
    if (*at == ' ') /* predicted, the next bytes need not wait for it */
        at++;
    return at;
}

#ifdef CPU_HAS_INTRINSICS

/* --- eight at a time, where processors find, gather and convert as many --- */

/* The places of the first bits, a byte each. */
FOR_AVX512_VBMI2 static __m128i places(uint64_t bits)
{
    static const uint8_t all[BLOCK] = { 0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12,
                                        13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,
                                        26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38,
                                        39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51,
                                        52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63 };

    return _mm512_castsi512_si128(_mm512_maskz_compress_epi8(bits, _mm512_loadu_si512(all)));
}

/* The lowest eight bytes, each eight times. */
FOR_AVX512_VBMI2 static __m512i spread(__m128i bytes)
{
    const long long ones = 0x0101010101010101;
    const __m512i which =
        _mm512_set_epi64(7 * ones, 6 * ones, 5 * ones, 4 * ones, 3 * ones, 2 * ones, ones, 0);

    return _mm512_permutexvar_epi8(which, _mm512_castsi128_si512(bytes));
}

/* Three properties of each of eight numbers of a text, one byte per number: the number of digits
 * (at most eight); the number of digits after the point; the end, as if each number had a point. */
struct eight {
    __m128i digits, decimals, past;
};

FOR_AVX512_VBMI2 static __m512d values(__m512i text, const struct eight *e)
{
    const __m512i left = _mm512_set1_epi64(0x0001020304050607); /* digits after this one */
    const __m512i one = _mm512_set1_epi8(1);
    __mmask64 there = _mm512_cmplt_epu8_mask(left, spread(e->digits));
    __mmask64 whole = _mm512_cmpge_epu8_mask(left, spread(e->decimals));
    __m512i at = _mm512_sub_epi8(_mm512_sub_epi8(spread(e->past), left), one), v;

    at = _mm512_mask_sub_epi8(at, whole, at, one); /* before the point */
    v = _mm512_sub_epi8(text, _mm512_set1_epi8('0'));
    v = _mm512_maskz_permutexvar_epi8(there, at, v);
    v = _mm512_maddubs_epi16(v, _mm512_set1_epi16(10 | 1 << 8)); /* pairs */
    v = _mm512_madd_epi16(v, _mm512_set1_epi32(100 | 1 << 16));  /* fours */
    v = _mm512_add_epi64(_mm512_mul_epu32(v, _mm512_set1_epi64(10000)), _mm512_srli_epi64(v, 32));
    return _mm512_div_pd(
        _mm512_cvtepi64_pd(v),
        _mm512_permutexvar_pd(_mm512_cvtepu8_epi64(e->decimals), _mm512_loadu_pd(number_tens)));
}

/* The ends of plain numbers in a block that begins with one: commas, or the list's bracket. */
FOR_AVX512_VBMI2 static uint64_t find_ends(__m512i text, const struct number_bits *k)
{
    struct number_before before = { .space = 1 };
    uint64_t bad = number_bits_wrong(k, &before) | ~number_bits_known(k), first = bad & -bad;

    if (__builtin_expect(!bad, 1))
        return k->comma;
    return (k->comma & (first - 1)) | (number_block_equal(text, ']') & first & k->digit << 1);
}

/* Reads up to eight numbers that begin where a block does and end in it; returns the end of the
 * last one. */
FOR_AVX512_VBMI2 static size_t scan_eight(const char *at, const char *end, double *to, size_t room,
                                          const char **past)
{
    const __m128i one = _mm_set1_epi8(1);
    __m512i text = number_block(at, end);
    struct number_bits k = number_block_bits(text);
    uint64_t ends = find_ends(text, &k), firsts = k.digit & ~((k.digit | k.point) << 1);
    uint64_t fractions = (k.digit + (k.point << 1)) & ~k.digit; /* the byte after each */
    __m128i point = places(k.point | (ends & ~fractions));
    size_t n = (size_t)__builtin_popcountll(ends);
    unsigned lanes, longer, negative = (unsigned)_pext_u64(k.minus << 1, firsts);
    struct eight e;
    __m512d value;

    point = _mm_add_epi8(point, one);
    e.past = _mm_max_epu8(places(ends), point);
    e.decimals = _mm_sub_epi8(e.past, point);
    e.digits = _mm_sub_epi8(_mm_sub_epi8(e.past, places(firsts)), one);
    n = n < 8 ? n : 8;
    n = n < room ? n : room;
    lanes = (1u << n) - 1;
    longer = _mm_cmpgt_epu8_mask(e.digits, _mm_set1_epi8(8)) & lanes;
    if (__builtin_expect(longer != 0, 0)) {
        n = (size_t)__builtin_ctz(longer);
        lanes = (1u << n) - 1;
    }
    if (!n)
        return 0;
    value = values(text, &e);
    value = _mm512_mask_xor_pd(value, (__mmask8)negative, value, _mm512_set1_pd(-0.0));
    _mm512_mask_storeu_pd(to, (__mmask8)lanes, value);
    *past = at + __builtin_ctzll(_pdep_u64(1ull << (n - 1), ends));
    return n;
}

FOR_AVX512_VBMI2 static const char *scan_vectors(const char *at, const char *end, double *to,
                                                 size_t room, size_t *n)
{
    const char *past = at;
    size_t some;

    while (at < end && (some = scan_eight(at, end, to + *n, room - *n, &past))) {
        *n += some;
        at = step_over(past, end);
        if (at == past)
            break;
    }
    return past;
}

#else

static const char *scan_vectors(const char *at, const char *end, double *to, size_t room, size_t *n)
{
    (void)end, (void)to, (void)room, (void)n;
    return at;
}

#endif

/* --- one after the other, several at once --- */

/* Finds the commas that end numbers many at a time. The start of a number then does not depend on
 * the length of the one before it, so the processor reads several at once. Returns the end of the
 * last number. */
static const char *scan_blocks(const char *at, const char *end, double *to, size_t room, size_t *n)
{
    const char *past = at;

    while (end - at >= BLOCK + 8) {
        uint64_t commas = block_find(at, ',', 0), brackets = block_find(at, ']', 0);
        const char *block = at;

        commas &= brackets ? (brackets & -brackets) - 1 : ~0ull;
        if (!commas)
            break;
        for (; commas; commas &= commas - 1) {
            const char *stop = block + __builtin_ctzll(commas);

            if (*n == room || stop == at ||
                number_scan_tiny(at, end, &to[*n]) != (size_t)(stop - at))
                return past;
            ++*n;
            past = stop;
            at = step_over(stop, end);
        }
    }
    return past;
}

size_t number_scan_list(struct slice s, double *to, size_t room, size_t *n)
{
    const char *end = s.at + s.length, *at, *past;
    size_t length;

    *n = 0;
    past = cpu_has_feature(CPU_AVX512_VBMI2) ? scan_vectors(s.at, end, to, room, n)
                                             : scan_blocks(s.at, end, to, room, n);
    at = *n ? step_over(past, end) : past;
    while (*n < room && (!*n || at > past) && (length = number_scan_tiny(at, end, &to[*n]))) {
        ++*n;
        past = at + length;
        at = step_over(past, end);
    }
    return (size_t)(past - s.at);
}
