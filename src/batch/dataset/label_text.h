/* label_text: many small files as one text, as they were when it was made. */
#pragma once

#include "batch/io/root.h"

/* All zero before the first file is added. */
struct label_text {
    int file;           /* one more than the descriptor of an unnamed file; 0: none yet */
    struct text buffer; /* what is not in it yet */
    uint64_t end;       /* of both */
};

/* Add a file below a folder: where it begins, and how long it is. False with the reason, without
 * the name; so it is for one of more than 64 MiB. */
bool label_text_add(struct label_text *, const char *folder, const char *name, enum links,
                    uint64_t *at, size_t *length, struct text *why);
/* The same for bytes. */
bool label_text_add_bytes(struct label_text *, struct slice, uint64_t *at, struct text *why);

/* Maps the whole text; messages call it `name`. It is then a file of mapped_file.h. */
bool label_text_map(struct label_text *, const char *name, struct slice *out, struct text *why);
void label_text_drop(struct label_text *);
