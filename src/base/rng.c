/* rng: counter-based random numbers. */
#include "base/rng.h"

#include "base/hash.h"
#include "base/number.h"

#include <math.h>
#include <string.h>

void philox4x32(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
    uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
    uint32_t k0 = key[0], k1 = key[1];

    for (int round = 0; round < 10; round++) {
        uint64_t p0 = (uint64_t)0xD2511F53 * c0, p1 = (uint64_t)0xCD9E8D57 * c2;

        c0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0;
        c1 = (uint32_t)p1;
        c2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
        c3 = (uint32_t)p0;
        k0 += 0x9E3779B9;
        k1 += 0xBB67AE85;
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

uint64_t rng_key(uint64_t seed, struct slice image_key, uint32_t copy, uint32_t branch,
                 uint32_t attempt)
{
    struct hash hash;

    hash_start(&hash);
    hash_part_u64(&hash, seed);
    hash_part(&hash, image_key.at, image_key.length);
    hash_part_u64(&hash, copy);
    hash_part_u64(&hash, branch);
    hash_part_u64(&hash, attempt);
    return hash_u64(&hash);
}

uint32_t rng_stream(const char *id_or_path)
{
    struct hash hash;

    hash_start(&hash);
    hash_part(&hash, id_or_path, strlen(id_or_path));
    return (uint32_t)hash_u64(&hash);
}

struct rng rng_start(uint64_t key, uint32_t stream, enum rng_purpose purpose)
{
    return (struct rng){ .key = { (uint32_t)key, (uint32_t)(key >> 32) },
                         .stream = stream,
                         .purpose = purpose };
}

uint32_t rng_u32(struct rng *r)
{
    if (!r->left) {
        uint32_t counter[4] = { (uint32_t)r->block, (uint32_t)(r->block >> 32), r->stream,
                                r->purpose };

        philox4x32(counter, r->key, r->word);
        r->block++;
        r->left = 4;
    }
    return r->word[4 - r->left--];
}

uint64_t rng_u64(struct rng *r)
{
    uint64_t low = rng_u32(r);

    return (uint64_t)rng_u32(r) << 32 | low;
}

double rng_unit(struct rng *r)
{
    return (double)(rng_u64(r) >> 11) * 0x1p-53;
}

double rng_between(struct rng *r, double lo, double hi)
{
    return lo + rng_unit(r) * (hi - lo);
}

int64_t rng_integer(struct rng *r, int64_t lo, int64_t hi)
{
    uint64_t span = (uint64_t)hi - (uint64_t)lo;
    uint64_t too_many = -span % span; /* 2^64 mod span values would come once too often */
    uint64_t u;

    do
        u = rng_u64(r);
    while (u < too_many);
    return (int64_t)((uint64_t)lo + u % span);
}

double rng_log_between(struct rng *r, double lo, double hi)
{
    double a = number_log(lo), b = number_log(hi);

    return number_exp(rng_between(r, a, b));
}

double rng_normal(struct rng *r, double mean, double deviation)
{
    /* In the middle between multiples of 2^-52, so neither 0 nor 1, and as far from either. */
    double p = ((double)(rng_u64(r) >> 12) + 0.5) * 0x1p-52;

    return mean + deviation * number_normal(p);
}

/* The logarithm of a gamma variate of this shape, at least 1, and scale 1: Marsaglia and Tsang,
 * ACM TOMS 26 (2000). */
static double log_gamma_variate(struct rng *r, double shape)
{
    double d = shape - 1. / 3, c = 1 / sqrt(9 * d);

    for (;;) {
        double x = rng_normal(r, 0, 1), v = 1 + c * x;

        if (v <= 0)
            continue;
        v = v * v * v;
        if (number_log(1 - rng_unit(r)) < x * x / 2 + d - d * v + d * number_log(v))
            return number_log(d) + number_log(v);
    }
}

/* Gamma variates divided by their sum. Computed as logarithms, since small shapes give numbers like
 * 1e-1000. A variate of a shape below 1 is one of shape + 1, times u^(1/shape). */
void rng_dirichlet(struct rng *r, double alpha, double *share, size_t n)
{
    double largest = -INFINITY, sum = 0;

    for (size_t i = 0; i < n; i++) {
        share[i] = log_gamma_variate(r, alpha < 1 ? alpha + 1 : alpha);
        if (alpha < 1)
            share[i] += number_log(1 - rng_unit(r)) / alpha;
        largest = fmax(largest, share[i]);
    }
    for (size_t i = 0; i < n; i++)
        sum += share[i] = number_exp(fmax(share[i] - largest, -1000));
    for (size_t i = 0; i < n; i++)
        share[i] /= sum;
}

void rng_permutation(struct rng *r, size_t *order, size_t n)
{
    for (size_t i = 0; i < n; i++)
        order[i] = i;
    for (size_t i = 0; i + 1 < n; i++) {
        size_t j = i + (size_t)rng_integer(r, 0, (int64_t)(n - i)), swapped = order[i];

        order[i] = order[j];
        order[j] = swapped;
    }
}
