/* fuzz: shared by the fuzz targets: their entry, values from an input, and assertions.
 *
 * A target is one file with an LLVMFuzzerTestOneInput. libFuzzer calls it with inputs that it makes
 * up (`make fuzz`), replay.c with those of tests/fuzz/corpus (`make check`). */
#pragma once

#include "base/arena.h"
#include "base/fault.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* libFuzzer's name for it; always returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the run if the condition does not hold, which is a bug of the tested code; the input is
 * kept. */
#define MUST(cond)                                                                                 \
    do {                                                                                           \
        if (!(cond)) {                                                                             \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #cond);                     \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

/* Returns an empty list of faults for this text. */
static inline struct faults faults_of(struct slice text)
{
    return (struct faults){ .name = "fuzz.json", .text = text };
}

/* Each has a code, and a place inside of the text; all can be printed. */
static inline void faults_end(struct faults *f)
{
    struct text out = { 0 };

    for (size_t i = 0; i < f->n; i++)
        MUST(f->list[i].offset <= f->text.length && *f->list[i].code);
    faults_print(f, 3, &out);
    text_drop(&out);
    faults_drop(f);
}

/* Bytes of the input not yet used, followed by zeros without end. */
struct feed {
    const uint8_t *at;
    size_t left;
};

static inline unsigned feed_byte(struct feed *f)
{
    if (!f->left)
        return 0;
    f->left--;
    return *f->at++;
}

/* From lo to hi, both included; at most 65536 of them. */
static inline int feed_int(struct feed *f, int lo, int hi)
{
    unsigned n = (unsigned)(hi - lo) + 1, v = feed_byte(f);

    if (n > 256)
        v += 256 * feed_byte(f);
    return lo + (int)(v % n);
}

/* Returns a copy of the exact size, so that the address sanitizer detects reads beyond it. The
 * caller frees it. */
static inline struct slice feed_copy(const uint8_t *data, size_t size)
{
    char *copy = memory_take(size);

    if (size)
        memcpy(copy, data, size);
    return (struct slice){ copy, size };
}

static inline void slice_free(struct slice s)
{
    free((char *)(uintptr_t)s.at);
}
