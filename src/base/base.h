/* base: what every file may use: attributes, counting, and dying of thirst for memory. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COUNTOF(a) (sizeof(a) / sizeof *(a))

#define PRINTF_LIKE(at, first) __attribute__((format(printf, at, first)))
#define NORETURN __attribute__((noreturn))

/* Bytes that are not ours: a stretch of a longer text, not ended by a NUL. */
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

/* Memory of the given size; never NULL: when there is none, the process says so and ends with
 * EXIT_RESOURCES. A worker that ends so costs its one image. An allocation that fails in a library
 * ends the process in the same way (allocation.c). */
void *memory_take(size_t size);
void *memory_grow(void *old, size_t size);
/* Before memory is touched for the first time: what a block fills of large pages (2 MB) may come as
 * such, so that it costs one fault instead of five hundred, and the processor's table of pages
 * reaches farther. Nothing happens where there are none, and no memory is spent. */
void memory_use_large_pages(void *, size_t size);
NORETURN void memory_gone(size_t size);
/* Ends the process as by memory_gone if errno is ENOMEM. The caller sets errno to 0 before it calls
 * a library which asks the system for memory by itself, as dlopen(3) does by mmap(2). */
void memory_check(void);
/* Why the last call of the system failed, by errno: for messages. For want of memory the process
 * ends as by memory_gone, whatever the call was for. */
const char *errno_text(void);
