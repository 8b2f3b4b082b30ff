/* hash: SHA-256 (by nettle) over parts, each preceded by its length. */
#pragma once

#include "base/base.h"

#include <nettle/sha2.h>

struct hash {
    struct sha256_ctx sha;
};

void hash_start(struct hash *);
/* The length as 8 little-endian bytes, then the bytes: no two lists of parts look alike. */
void hash_part(struct hash *, const void *, size_t length);
/* The number as a part of 8 little-endian bytes. */
void hash_part_u64(struct hash *, uint64_t);
/* The first 8 bytes of the digest, little-endian. Ends the hash. */
uint64_t hash_u64(struct hash *);
/* MurmurHash3's finalizer (Austin Appleby): each bit of the result depends on all of x. */
static inline uint64_t hash_mix(uint64_t x)
{
    x = (x ^ x >> 33) * 0xff51afd7ed558ccdULL;
    x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53ULL;
    return x ^ x >> 33;
}
/* 64 bits of many bytes, as fast as memory: for finding changes that nobody hides. Not the same on
 * every machine. */
uint64_t hash_quick(const void *, size_t length);
/* The same of a file's first `length` bytes, read through a small buffer. False with errno; EIO
 * when it is shorter. */
bool hash_quick_file(int fd, size_t length, uint64_t *hash);
/* 64 hexadecimal digits and a NUL: the plain SHA-256 of the bytes. */
void hash_hex(const void *, size_t length, char hex[65]);
/* "nettle 3.8", a line. */
struct text;
void hash_versions(struct text *out);
