/* append_file: a file of fragments that several processes append to at once, and that one process
 * reads at the end. */
#include "batch/io/append_file.h"

#include "base/files.h"
#include "base/file_view.h"

#include <sys/mman.h>
#include <unistd.h>

bool store_open(struct store *s, int file)
{
    void *shared =
        mmap(NULL, sizeof *s->end, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    s->file = file + 1;
    if (shared == MAP_FAILED)
        return false;
    s->end = shared;
    return file >= 0;
}

bool store_reopen(struct store *s, int file, uint64_t end)
{
    if (!store_open(s, file))
        return false;
    atomic_store(s->end, end);
    return true;
}

bool store_add(const struct store *s, const struct text *t, uint64_t *at)
{
    *at = atomic_fetch_add(s->end, t->length);
    return file_write_all_at(s->file - 1, t->at, t->length, *at);
}

bool store_view(const struct store *s, struct slice *bytes)
{
    return view_open(s->file - 1, atomic_load(s->end), bytes);
}

struct read_ahead store_read(const struct store *s)
{
    return read_ahead_open(s->file - 1, atomic_load(s->end));
}

void store_close(struct store *s)
{
    if (s->end)
        munmap((void *)s->end, sizeof *s->end);
    if (s->file > 0)
        close(s->file - 1);
    *s = (struct store){ 0 };
}
