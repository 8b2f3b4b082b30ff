/* spool: a file of entries sorted by key. */
#include "batch/journal/spool.h"

#include "batch/output/out_handles.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { KIND_BLOCK = 1, KIND_END = 2, MIN_BLOCK = 4 << 10, MAX_BLOCK = 64 << 10 };
enum { ALL_BLOCKS = 64 << 20 };

/* Head of an entry, before its bytes. */
struct entry_head {
    uint64_t key, length;
};

size_t spool_block(size_t n_files)
{
    size_t size = ALL_BLOCKS / (n_files ? n_files : 1);

    return size < MIN_BLOCK ? MIN_BLOCK : size > MAX_BLOCK ? MAX_BLOCK : size;
}

/* --- writing --- */

bool spool_start(struct spool *s, int file, size_t max_block)
{
    *s = (struct spool){ .max_block = max_block };
    return journal_start(&s->file, file);
}

static bool write_block(struct spool *s)
{
    bool good =
        journal_append(&s->file, KIND_BLOCK, (struct slice){ s->block.at, s->block.length });

    text_clear(&s->block);
    return good;
}

bool spool_add(struct spool *s, uint64_t key, struct slice bytes)
{
    struct entry_head head = { key, bytes.length };

    if (s->block.length && s->block.length + sizeof head + bytes.length > s->max_block &&
        !write_block(s))
        return false;
    text_add(&s->block, &head, sizeof head);
    text_add(&s->block, bytes.at, bytes.length);
    s->n++;
    return true;
}

bool spool_end(struct spool *s)
{
    bool good = (!s->block.length || write_block(s)) &&
                journal_append(&s->file, KIND_END, (struct slice){ (char *)&s->n, sizeof s->n });
    int saved = errno;

    journal_close(&s->file);
    text_drop(&s->block);
    errno = saved;
    return good;
}

/* --- reading --- */

struct spool_reader spool_open(int folder, const char *name)
{
    return (struct spool_reader){ .folder = folder, .name = name };
}

static bool fail(struct spool_reader *r, int error)
{
    r->broken = r->ended = true;
    errno = error;
    return false;
}

/* Takes a block that was read. The end of the file has the number of entries. */
static bool take_block(struct spool_reader *r, const struct journal_record *found)
{
    uint64_t n;

    if (found->kind == KIND_BLOCK && found->payload.length) {
        r->left = found->payload;
        return true;
    }
    if (found->kind != KIND_END || found->payload.length != sizeof n)
        return fail(r, EBADMSG);
    memcpy(&n, found->payload.at, sizeof n);
    r->ended = true;
    return n == r->n || fail(r, EBADMSG);
}

static bool read_block(struct spool_reader *r)
{
    int file = open_regular_at(r->folder, r->name, O_RDONLY), saved;
    struct journal_record found;
    bool good;

    if (file < 0)
        return fail(r, errno);
    errno = 0;
    good = journal_read(file, &r->at, &r->block, &found);
    saved = errno ? errno : EBADMSG;
    close(file);
    return good ? take_block(r, &found) : fail(r, saved);
}

bool spool_next(struct spool_reader *r, uint64_t *key, struct slice *bytes)
{
    struct entry_head head;

    if (!r->left.length && (r->ended || !read_block(r) || r->ended))
        return false;
    if (r->left.length < sizeof head)
        return fail(r, EBADMSG);
    memcpy(&head, r->left.at, sizeof head);
    if (head.length > r->left.length - sizeof head)
        return fail(r, EBADMSG);
    *key = head.key;
    *bytes = (struct slice){ r->left.at + sizeof head, head.length };
    r->left = (struct slice){ bytes->at + head.length, r->left.length - sizeof head - head.length };
    r->n++;
    return true;
}

void spool_close(struct spool_reader *r)
{
    text_drop(&r->block);
    *r = (struct spool_reader){ 0 };
}
