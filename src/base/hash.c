/* hash: SHA-256 over parts. */
#include "base/hash.h"

#include "base/files.h"
#include "base/text.h"

#include <nettle/version.h>
#include <stdio.h>
#include <stdlib.h>
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

/* Each step is a bijection of the lane. Its rotation moves the product's high bits, which depend on
 * all of the word, to where the next product spreads them. The factors are odd and random. */
static uint64_t mix(uint64_t lane, uint64_t word)
{
    lane ^= word;
    return (lane << 29 | lane >> 35) * 0x9e6c63d0676a9a99;
}

enum { LANES = 4, FETCH_AHEAD = 1 << 10, BLOCK_SIZE = 1 << 18 /* bytes */ };

struct lanes {
    uint64_t at[LANES];
};

static struct lanes lanes_of(size_t length)
{
    return (struct lanes){ { 0xd6e8feb86659fd93, 0xa0761d6478bd642f, 0xe7037ed1a0b428db, length } };
}

static inline void mix_word(struct lanes *l, const char *at)
{
    uint64_t word[LANES];

    memcpy(word, at, sizeof word);
    for (int i = 0; i < LANES; i++)
        l->at[i] = mix(l->at[i], word[i]);
}

/* Prefetches the following bytes: even on large pages, the hardware prefetcher stops at the end of
 * 4 KB. */
static inline void mix_words(struct lanes *lanes, const char *at, const char *end)
{
    struct lanes l = *lanes;

    for (; at < end; at += sizeof l) {
        __builtin_prefetch(at + FETCH_AHEAD);
        mix_word(&l, at);
    }
    *lanes = l;
}

/* Hashes the bytes after the whole words, padded with zeros; then combines all lanes. */
static uint64_t lanes_end(struct lanes *l, const char *rest, size_t length)
{
    char word[sizeof *l] = { 0 };
    uint64_t *lane = l->at;

    if (length)
        memcpy(word, rest, length);
    mix_word(l, word);
    for (int i = 1; i < LANES; i++)
        lane[0] = mix(mix(lane[0], lane[i]), lane[i] >> 32);
    return lane[0] ^ lane[0] >> 32;
}

uint64_t hash_quick(const void *bytes, size_t length)
{
    struct lanes l = lanes_of(length);
    const char *at = length ? bytes : "", *rest = at + length / sizeof l * sizeof l;

    mix_words(&l, at, rest);
    return lanes_end(&l, rest, length % sizeof l);
}

bool hash_quick_file(int fd, size_t length, uint64_t *hash)
{
    char *block = memory_take(length < BLOCK_SIZE ? length : BLOCK_SIZE);
    struct lanes l = lanes_of(length);
    bool good = true;

    for (size_t at = 0; good && at <= length; at += BLOCK_SIZE) {
        size_t n = length - at < BLOCK_SIZE ? length - at : BLOCK_SIZE;
        size_t whole = n / sizeof l * sizeof l;

        good = file_read_all(fd, block, n, at);
        if (good)
            mix_words(&l, block, block + whole);
        if (good && n < BLOCK_SIZE)
            *hash = lanes_end(&l, block + whole, n - whole);
    }
    free(block);
    return good;
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
