/* jpeg_errors: what the callers of libjpeg share: errors, limits and writing into a text.
 *
 * libjpeg leaves by longjmp. All that must survive belongs in a struct that the context points to,
 * and whatever may leave is a step called through trouble_attempt, so that no local variable is
 * ever clobbered. */
#pragma once

#include "base/text.h"

#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>

struct trouble {
    struct jpeg_error_mgr base; /* first: libjpeg hands back a pointer to it */
    struct jpeg_progress_mgr progress;
    jmp_buf escape;
    char message[JMSG_LENGTH_MAX];
};

/* For the `err` of a struct of libjpeg's that is about to be created. Warnings that mean missing or
 * wrong data count as errors; nothing is printed. */
struct jpeg_error_mgr *trouble_begin(struct trouble *);

/* False when the step left with an error, which trouble->message then tells. */
bool trouble_attempt(struct trouble *, void (*step)(void *context), void *context);

/* Progressive files may hold thousands of scans, each as slow as the whole image: more than
 * MAX_SCANS are an error. Call it after jpeg_create_decompress. */
enum { MAX_SCANS = 100 };
void trouble_limit_scans(struct jpeg_decompress_struct *);

/* A progressive file may leave coefficients out; libjpeg guesses them from neighbouring blocks.
 * Known when the scans have been read. */
bool trouble_has_gaps(const struct jpeg_decompress_struct *);

/* Writes go straight into the growing text: libjpeg is given the room behind what is there. The
 * text is longer only after jpeg_finish_compress (or, by whole buffers, in between). */
struct text_destination {
    struct jpeg_destination_mgr base;
    struct text *out;
};
void text_destination_begin(struct text_destination *, struct text *out,
                            struct jpeg_compress_struct *);
