/* label_text: joins many small files to one text, as a snapshot of their contents. */
#pragma once

#include "batch/io/root.h"

/* All zero before the first file is added. */
struct label_text {
    int file;           /* descriptor + 1 of an unnamed file; 0: none yet */
    struct text buffer; /* bytes that are not written to the file yet */
    uint64_t end;       /* length of the file and the buffer */
};

/* Appends a file below a folder; *at and *length get its place in the text. Returns false with the
 * reason, without the name, also for a file of more than 64 MiB. */
bool label_text_add(struct label_text *, const char *folder, const char *name, enum links,
                    uint64_t *at, size_t *length, struct text *why);
/* Appends bytes; *at gets their offset. Returns false with the reason. */
bool label_text_add_bytes(struct label_text *, struct slice, uint64_t *at, struct text *why);

/* Maps the whole text as a file of mapped_file.h. Messages use `name`. Returns false with the
 * reason. */
bool label_text_map(struct label_text *, const char *name, struct slice *out, struct text *why);
void label_text_drop(struct label_text *);
