/* hash: SHA-256 (by nettle) over parts, each preceded by its length. */
#pragma once

#include "base/base.h"

#include <nettle/sha2.h>

struct hash {
    struct sha256_ctx sha;
};

void hash_start(struct hash *);
/* Adds the length as 8 little-endian bytes, then the bytes: different lists of parts give different
 * input. */
void hash_part(struct hash *, const void *, size_t length);
/* Adds the number as a part of 8 little-endian bytes. */
void hash_part_u64(struct hash *, uint64_t);
/* Returns the first 8 bytes of the digest, little-endian. Ends the hash. */
uint64_t hash_u64(struct hash *);
/* MurmurHash3's finalizer (Austin Appleby): each bit of the result depends on all of x. */
static inline uint64_t hash_mix(uint64_t x)
{
    x = (x ^ x >> 33) * 0xff51afd7ed558ccdULL;
    x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53ULL;
    return x ^ x >> 33;
}
/* Returns a 64-bit hash at memory speed, to find changes that are not malicious. The value depends
 * on the machine. */
uint64_t hash_quick(const void *, size_t length);
/* The same for a file's first `length` bytes, read through a small buffer. False with errno; EIO if
 * the file is shorter. */
bool hash_quick_file(int fd, size_t length, uint64_t *hash);
/* Stores 64 hexadecimal digits and a NUL: the plain SHA-256 of the bytes. */
void hash_hex(const void *, size_t length, char hex[65]);
/* Appends a line such as "nettle 3.8". */
struct text;
void hash_versions(struct text *out);
