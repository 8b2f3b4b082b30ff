/* journal: an append-only file of records with checksums. */
#include "batch/journal/journal.h"

#include "base/files.h"
#include "base/hash.h"
#include "base/eintr.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char FIRST_LINE[] = "lockstep journal 2\n";
enum { FIRST_LENGTH = sizeof FIRST_LINE - 1 };

/* Head of a record, before its payload. `sum` is over the rest of the head and the payload. */
struct head {
    uint64_t sum, length;
    uint32_t kind, zero;
};

static uint64_t sum_of(struct head head, struct slice payload)
{
    uint64_t sums[] = { hash_quick(&head.length, sizeof head - sizeof head.sum),
                        hash_quick(payload.at, payload.length) };

    return hash_quick(sums, sizeof sums);
}

/* Appends all bytes or none: a partial write is cut off. */
static bool write_end(struct journal *j, const char *bytes, size_t length)
{
    if (!file_write_all_at(j->file - 1, bytes, length, j->end)) {
        int saved = errno;

        (void)RETRY(ftruncate(j->file - 1, (off_t)j->end));
        errno = saved;
        return false;
    }
    j->end += length;
    return true;
}

bool journal_start(struct journal *j, int file)
{
    *j = (struct journal){ .file = file + 1 };
    return file >= 0 && write_end(j, FIRST_LINE, FIRST_LENGTH);
}

bool journal_append(struct journal *j, uint32_t kind, struct slice payload)
{
    struct head head = { .length = payload.length, .kind = kind };
    struct text bytes = { 0 };
    bool good;

    head.sum = sum_of(head, payload);
    text_add(&bytes, &head, sizeof head);
    text_add(&bytes, payload.at, payload.length);
    good = write_end(j, bytes.at, bytes.length);
    text_drop(&bytes);
    return good;
}

void journal_close(struct journal *j)
{
    if (j->file > 0)
        close(j->file - 1);
    *j = (struct journal){ 0 };
}

enum journal_state journal_state(struct slice bytes)
{
    size_t length = bytes.length < FIRST_LENGTH ? bytes.length : FIRST_LENGTH;

    if (memcmp(bytes.at, FIRST_LINE, length) != 0)
        return JOURNAL_OTHER;
    return length < FIRST_LENGTH ? JOURNAL_NONE : JOURNAL_GOOD;
}

bool journal_next(struct slice bytes, uint64_t *at, struct journal_record *r)
{
    struct head head;

    if (!*at)
        *at = FIRST_LENGTH;
    if (bytes.length < *at || bytes.length - *at < sizeof head)
        return false;
    memcpy(&head, bytes.at + *at, sizeof head);
    if (head.length > bytes.length - *at - sizeof head)
        return false;
    *r = (struct journal_record){ .kind = head.kind,
                                  .at = *at,
                                  .end = *at + sizeof head + head.length,
                                  .payload = { bytes.at + *at + sizeof head, head.length } };
    if (head.sum != sum_of(head, r->payload))
        return false;
    *at = r->end;
    return true;
}

/* Appends bytes of the file at offset `at` to `room`. */
static bool read_more(int file, uint64_t at, size_t length, struct text *room)
{
    char *to = text_room(room, length);

    for (size_t done = 0; done < length;) {
        ssize_t n = pread(file, to + done, length - done, (off_t)(at + done));

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        done += (size_t)n;
    }
    text_grown(room, to + length);
    return true;
}

/* Reads the first line together with the first record. */
bool journal_read(int file, uint64_t *at, struct text *room, struct journal_record *r)
{
    size_t first = *at ? 0 : FIRST_LENGTH;
    struct stat status;
    struct head head;

    text_clear(room);
    if (fstat(file, &status) != 0 || !read_more(file, *at, first + sizeof head, room) ||
        memcmp(room->at, FIRST_LINE, first) != 0)
        return false;
    memcpy(&head, room->at + first, sizeof head);
    /* A damaged head may have any length, so the file's size limits what is read. */
    if (head.length > (uint64_t)status.st_size ||
        !read_more(file, *at + first + sizeof head, head.length, room))
        return false;
    *r = (struct journal_record){ .kind = head.kind,
                                  .at = *at + first,
                                  .end = *at + first + sizeof head + head.length,
                                  .payload = { room->at + first + sizeof head, head.length } };
    *at = r->end;
    return head.sum == sum_of(head, r->payload);
}

bool journal_resume(struct journal *j, int file, uint64_t end)
{
    *j = (struct journal){ .file = file + 1, .end = end };
    return file >= 0 && RETRY(ftruncate(file, (off_t)end)) == 0;
}
