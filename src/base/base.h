/* base: what every file may use: attributes, counting, and memory whose absence ends the process.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COUNTOF(a) (sizeof(a) / sizeof *(a))

#define PRINTF_LIKE(at, first) __attribute__((format(printf, at, first)))
#define NORETURN __attribute__((noreturn))

/* Borrowed bytes: a part of a longer text, not terminated by a NUL. */
struct slice {
    const char *at;
    size_t length;
};

/* A number, or none. */
struct optional {
    bool given;
    double number;
};

/* Exit codes of the command, documented in lockstep(1); unknown non-zero codes mean failure. */
enum exit_code {
    EXIT_DONE = 0,
    EXIT_PARTIAL = 1,   /* done, but some images were skipped */
    EXIT_USAGE = 2,     /* the command line is wrong */
    EXIT_PIPELINE = 3,  /* the pipeline is wrong */
    EXIT_INPUT = 4,     /* an input is missing, unreadable or wrong */
    EXIT_OUTPUT = 5,    /* the output cannot be written */
    EXIT_OCCUPIED = 6,  /* OUT exists and is not empty */
    EXIT_INTERNAL = 7,  /* a defect of lockstep; contained */
    EXIT_RESOURCES = 8, /* memory, processes */
    EXIT_SIGNAL = 128,  /* plus the signal's number */
};

/* Return memory of the given size; never NULL. If there is none, the process prints so and ends
 * with EXIT_RESOURCES. A worker that ends this way costs only its current image. An allocation that
 * fails in a library ends the process in the same way (allocation.c). */
void *memory_take(size_t size);
void *memory_grow(void *old, size_t size);
/* Asks for large pages (2 MB) where the block fills whole ones; called before the memory is first
 * touched. A large page costs one page fault instead of 512, and more memory fits the processor's
 * TLB. Does nothing if the system has no large pages, and takes no additional memory. */
void memory_use_large_pages(void *, size_t size);
NORETURN void memory_gone(size_t size);
/* Ends the process as by memory_gone if errno is ENOMEM. The caller sets errno to 0 before it calls
 * a library which asks the system for memory by itself, as dlopen(3) does by mmap(2). */
void memory_check(void);
/* Returns why the last system call failed, from errno, for messages. For ENOMEM the process ends as
 * by memory_gone, whatever the call was for. */
const char *errno_text(void);
