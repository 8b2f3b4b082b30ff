/* label_text: joins many small files to one text.
 *
 * The files, 100 000 for example, are read once and copied to an unnamed file. So memory does not
 * grow with their number, and later changes of the files do not affect the run. */
#include "batch/dataset/label_text.h"

#include "batch/io/mapped_file.h"
#include "batch/io/open.h"

#include "base/files.h"
#include "base/eintr.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { LONGEST = 64 << 20, FLUSH = 1 << 20 };

static bool say_errno(struct text *why)
{
    text_adds(why, errno_text());
    return false;
}

static bool flush(struct label_text *t, struct text *why)
{
    if (!t->file)
        t->file = file_open_unnamed("lockstep-labels") + 1;
    if (!t->file)
        return say_errno(why);
    if (!file_write_all(t->file - 1, t->buffer.at, t->buffer.length)) {
        text_adds(why, "the copy of all labels, a temporary file: ");
        return say_errno(why);
    }
    text_clear(&t->buffer);
    return true;
}

/* Appends a line end after each file, so that an excerpt of a file does not show text of the next
 * one. */
bool label_text_add_bytes(struct label_text *t, struct slice bytes, uint64_t *at, struct text *why)
{
    *at = t->end;
    text_add(&t->buffer, bytes.at, bytes.length);
    text_addc(&t->buffer, '\n');
    t->end += bytes.length + 1;
    return t->buffer.length < FLUSH || flush(t, why);
}

bool label_text_add(struct label_text *t, const char *folder, const char *name, enum links links,
                    uint64_t *at, size_t *length, struct text *why)
{
    struct text bytes = { 0 };
    bool good = input_read_small(folder, name, links, LONGEST, &bytes, why);

    *length = bytes.length;
    good = good && label_text_add_bytes(t, (struct slice){ bytes.at, bytes.length }, at, why);
    text_drop(&bytes);
    return good;
}

bool label_text_map(struct label_text *t, const char *name, struct slice *out, struct text *why)
{
    int file;

    if (!flush(t, why))
        return false;
    file = t->file - 1;
    t->file = 0;
    return mapped_keep(name, file, out, why);
}

void label_text_drop(struct label_text *t)
{
    if (t->file)
        close(t->file - 1);
    text_drop(&t->buffer);
}
