/* file_view: the bytes of an open file, to be looked at in any order. */
#include "base/file_view.h"

#include "base/files.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MIN_READ = 1 << 20, MAX_READ = 1 << 26, LARGE_PAGE = 1 << 21 };

bool view_is_mapped(size_t length)
{
    return length < MIN_READ || length > MAX_READ;
}

/* Returns the memory that a view takes: whole large pages if it is not mapped. */
static size_t room_of(size_t length)
{
    return view_is_mapped(length) ? length : (length + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
}

/* Fresh memory of whole large pages, NULL with errno. */
static char *take_pages(size_t room)
{
    const int access = PROT_READ | PROT_WRITE, kind = MAP_PRIVATE | MAP_ANONYMOUS;
    char *at = mmap(NULL, room + LARGE_PAGE, access, kind, -1, 0);
    size_t before;

    if (at == MAP_FAILED)
        return NULL;
    before = -(uintptr_t)at % LARGE_PAGE;
    if (before)
        munmap(at, before);
    munmap(at + before + room, LARGE_PAGE - before);
#ifdef MADV_HUGEPAGE
    (void)madvise(at + before, room, MADV_HUGEPAGE);
#endif
    return at + before;
}

bool view_open(int fd, size_t length, struct slice *view)
{
    char *at;

    *view = (struct slice){ "", 0 };
    if (!length)
        return true;
    if (view_is_mapped(length)) {
        at = mmap(NULL, length, PROT_READ, MAP_SHARED, fd, 0);
        if (at == MAP_FAILED)
            return false;
    } else {
        at = take_pages(room_of(length));
        if (!at)
            return false;
        if (!file_read_all(fd, at, length, 0)) {
            int saved = errno;

            munmap(at, room_of(length));
            errno = saved;
            return false;
        }
    }
    *view = (struct slice){ at, length };
    return true;
}

bool view_whole(int fd, struct slice *view)
{
    struct stat status;

    *view = (struct slice){ "", 0 };
    return fstat(fd, &status) == 0 && view_open(fd, (size_t)status.st_size, view);
}

void view_close(struct slice view)
{
    if (view.length)
        munmap((void *)view.at, room_of(view.length));
}

void file_view_release(struct slice whole, struct slice part)
{
    uintptr_t off = (uintptr_t)part.at % (uintptr_t)sysconf(_SC_PAGESIZE);

    if (part.length && whole.length > MAX_READ)
        (void)madvise((char *)part.at - off, part.length + off, MADV_DONTNEED);
}
