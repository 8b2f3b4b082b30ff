/* test_file_view: files of all sizes as views, mapped and read. */
#include "base/files.h"
#include "base/hash.h"
#include "base/file_view.h"
#include "unit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int file_of(const char *bytes, size_t length)
{
    int fd = file_open_unnamed("view");

    CHECK(fd >= 0 && file_write_all(fd, bytes, length));
    return fd;
}

/* Makes bytes in which no two nearby stretches are equal. */
static char *make_bytes(size_t length)
{
    char *bytes = memory_take(length);
    uint32_t state = 1;

    for (size_t i = 0; i < length; i++) {
        state = state * 1664525 + 1013904223;
        bytes[i] = (char)(state >> 24);
    }
    return bytes;
}

static void test_sizes(void)
{
    static const size_t sizes[] = { 0,
                                    1,
                                    4096,
                                    1 << 20,
                                    (1 << 20) - 1,
                                    (2 << 20) - 1,
                                    2 << 20,
                                    (2 << 20) + 1,
                                    1 << 26,
                                    (1 << 26) + 1 };

    for (size_t i = 0; i < COUNTOF(sizes); i++) {
        char *bytes = make_bytes(sizes[i]);
        int fd = file_of(bytes, sizes[i]);
        struct slice view;
        uint64_t hash = 0;

        CHECK(hash_quick_file(fd, sizes[i], &hash) && hash == hash_quick(bytes, sizes[i]));
        CHECK(view_whole(fd, &view));
        CHECK(view.length == sizes[i] && !memcmp(view.at, bytes, sizes[i]));
        /* Released pages are read again. */
        file_view_release(view, view);
        CHECK(!memcmp(view.at, bytes, sizes[i]));
        view_close(view);
        close(fd);
        free(bytes);
    }
}

/* A view that is not mapped does not change with its file, and outlives it. */
static void test_changed(void)
{
    size_t length = 3 << 20;
    char *bytes = make_bytes(length);
    int fd = file_of(bytes, length);
    struct slice view;

    CHECK(!view_is_mapped(length) && view_open(fd, length, &view));
    CHECK(pwrite(fd, "changed", 7, 0) == 7 && ftruncate(fd, 7) == 0);
    close(fd);
    CHECK(!memcmp(view.at, bytes, length));
    view_close(view);
    free(bytes);
}

static void test_too_short(void)
{
    char *bytes = make_bytes(2 << 20);
    int fd = file_of(bytes, 2 << 20);
    struct slice view;
    uint64_t hash;

    errno = 0;
    CHECK(!view_open(fd, (2 << 20) + 1, &view) && errno == EIO);
    errno = 0;
    CHECK(!view_open(-1, 2 << 20, &view) && errno == EBADF);
    errno = 0;
    CHECK(!hash_quick_file(fd, (2 << 20) + 1, &hash) && errno == EIO);
    CHECK(!hash_quick_file(-1, 1, &hash) && errno == EBADF);
    CHECK(!view_open(-1, 100, &view) && errno == EBADF);
    CHECK(!view_whole(-1, &view) && errno == EBADF && !view.length);
    close(fd);
    free(bytes);
}

int main(void)
{
    static const struct unit_test tests[] = {
        TEST(test_sizes),
        TEST(test_changed),
        TEST(test_too_short),
    };

    return unit_main(tests, COUNTOF(tests));
}
