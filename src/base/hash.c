/* hash: SHA-256 over parts. */
#include "hash.h"

#include "text.h"

#include <nettle/version.h>
#include <stdio.h>
#include <string.h>

static void put_u64(uint8_t to[8], uint64_t value)
{
    for (int i = 0; i < 8; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

void hash_start(struct hash *h)
{
    sha256_init(&h->sha);
}

void hash_part(struct hash *h, const void *bytes, size_t length)
{
    uint8_t prefix[8];

    put_u64(prefix, length);
    sha256_update(&h->sha, sizeof prefix, prefix);
    sha256_update(&h->sha, length, bytes);
}

void hash_part_u64(struct hash *h, uint64_t value)
{
    uint8_t bytes[8];

    put_u64(bytes, value);
    hash_part(h, bytes, sizeof bytes);
}

uint64_t hash_u64(struct hash *h)
{
    uint8_t digest[SHA256_DIGEST_SIZE];
    uint64_t value = 0;

    sha256_digest(&h->sha, sizeof digest, digest);
    for (int i = 0; i < 8; i++)
        value |= (uint64_t)digest[i] << 8 * i;
    return value;
}

/* Each step is a bijection of the lane, and its rotation brings the product's high bits, which hang
 * on all of the word, to where the next product spreads them. The factors are odd and random. */
static uint64_t mix(uint64_t lane, uint64_t word)
{
    lane ^= word;
    return (lane << 29 | lane >> 35) * 0x9e6c63d0676a9a99;
}

enum { LANES = 4, REST_EVERY = 1 << 23, FETCH_AHEAD = 1 << 10 /* bytes */ };

/* What follows is asked for early: of large pages, too, a processor by itself fetches only to the
 * end of 4 KB. */
static inline void mix_words(uint64_t lane[LANES], const char *at, const char *end)
{
    uint64_t word[LANES];

    for (; at < end; at += sizeof word) {
        __builtin_prefetch(at + FETCH_AHEAD);
        memcpy(word, at, sizeof word);
        for (int i = 0; i < LANES; i++)
            lane[i] = mix(lane[i], word[i]);
    }
}

uint64_t hash_quick_resting(const void *bytes, size_t length, void (*rest)(struct slice))
{
    const char *at = length ? bytes : "";
    uint64_t lane[LANES] = { 0xd6e8feb86659fd93, 0xa0761d6478bd642f, 0xe7037ed1a0b428db, length },
             word[LANES];
    size_t left = length;

    for (; rest && left >= REST_EVERY; left -= REST_EVERY, at += REST_EVERY) {
        mix_words(lane, at, at + REST_EVERY);
        rest((struct slice){ at, REST_EVERY });
    }
    mix_words(lane, at, at + left / sizeof word * sizeof word);
    at += left / sizeof word * sizeof word;
    left %= sizeof word;
    memset(word, 0, sizeof word);
    if (left)
        memcpy(word, at, left);
    for (int i = 0; i < LANES; i++)
        lane[i] = mix(lane[i], word[i]);
    for (int i = 1; i < LANES; i++)
        lane[0] = mix(mix(lane[0], lane[i]), lane[i] >> 32);
    return lane[0] ^ lane[0] >> 32;
}

uint64_t hash_quick(const void *bytes, size_t length)
{
    return hash_quick_resting(bytes, length, NULL);
}

void hash_hex(const void *bytes, size_t length, char hex[65])
{
    struct sha256_ctx sha;
    uint8_t digest[SHA256_DIGEST_SIZE];

    sha256_init(&sha);
    sha256_update(&sha, length, bytes);
    sha256_digest(&sha, sizeof digest, digest);
    for (size_t i = 0; i < sizeof digest; i++)
        snprintf(hex + 2 * i, 3, "%02x", digest[i]);
}

void hash_versions(struct text *out)
{
    text_addf(out, "nettle %d.%d\n", nettle_version_major(), nettle_version_minor());
}
