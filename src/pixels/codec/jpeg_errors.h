/* jpeg_errors: errors, limits and output to a text, for the callers of libjpeg.
 *
 * libjpeg reports errors by longjmp. So everything that must survive an error belongs in a struct
 * that the context points to. Each step that may fail is a function called through
 * jpeg_errors_attempt; then no local variable is clobbered. */
#pragma once

#include "base/text.h"

#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>

struct jpeg_errors {
    struct jpeg_error_mgr base; /* must be first: libjpeg returns a pointer to it */
    struct jpeg_progress_mgr progress;
    jmp_buf escape;
    char message[JMSG_LENGTH_MAX];
};

/* Returns the value for the `err` of a libjpeg struct that is about to be created. Warnings about
 * missing or corrupt data count as errors; nothing is printed. */
struct jpeg_error_mgr *jpeg_errors_begin(struct jpeg_errors *);

/* Calls the step. Returns false if it ended with an error, whose text is then in
 * errors->message. */
bool jpeg_errors_attempt(struct jpeg_errors *, void (*step)(void *context), void *context);

/* Makes more than MAX_SCANS scans an error: a progressive file may hold thousands of scans, each as
 * slow as the whole image. Call it after jpeg_create_decompress. */
enum { MAX_SCANS = 100 };
void jpeg_limit_scans(struct jpeg_decompress_struct *);

/* True if a progressive file left out coefficients, which libjpeg guesses from neighboring blocks.
 * Call it after the scans were read. */
bool jpeg_has_gaps(const struct jpeg_decompress_struct *);

/* A destination that writes to the end of a growing text. The text's length is updated only after
 * each full buffer and by jpeg_finish_compress. */
struct text_destination {
    struct jpeg_destination_mgr base;
    struct text *out;
};
void text_destination_begin(struct text_destination *, struct text *out,
                            struct jpeg_compress_struct *);
