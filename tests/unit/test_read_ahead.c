/* test_read_ahead: pieces of a file, asked for in order, nearly so, and in none. */
#include "base/files.h"
#include "base/read_ahead.h"
#include "unit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LENGTH = 24 << 20, PIECE = 1000 };

static char *bytes;

static int file_of(size_t length)
{
    int fd = file_open_unnamed("pieces");

    CHECK(fd >= 0 && file_write_all(fd, bytes, length));
    return fd;
}

static void check_piece(struct read_ahead *r, size_t at, size_t length)
{
    struct slice piece;

    CHECK(read_ahead_find(r, at, length, &piece));
    CHECK(piece.length == length && !memcmp(piece.at, bytes + at, length));
}

static void test_in_order(void)
{
    int fd = file_of(LENGTH);
    struct read_ahead r = read_ahead_open(fd, LENGTH);

    for (size_t at = 0, length; at < LENGTH; at += length) {
        length = (size_t)unit_int(0, 2 * PIECE);
        length = length < LENGTH - at ? length : LENGTH - at;
        check_piece(&r, at, length);
    }
    CHECK(!r.view.length && r.read < LENGTH + LENGTH / 4);
    read_ahead_release(&r);
    check_piece(&r, LENGTH, 0);
    read_ahead_close(&r);
    close(fd);
}

/* Eight after each other by turns, and neighbours that have changed places. */
static void test_nearly(void)
{
    int fd = file_of(LENGTH);
    struct read_ahead r = read_ahead_open(fd, LENGTH);
    const size_t stretch = (size_t)64 * PIECE, all = LENGTH / (16 * stretch) * 16;

    for (size_t i = 0; i < all; i += 8)
        for (size_t k = 0; k < 64; k++)
            for (size_t j = 0; j < 8; j++)
                check_piece(&r, ((i ^ 8) + j) * stretch + k * PIECE, PIECE);
    CHECK(!r.view.length && r.read < 3 * (uint64_t)LENGTH);
    read_ahead_close(&r);
    close(fd);
}

static void test_in_no_order(void)
{
    int fd = file_of(LENGTH);
    struct read_ahead r = read_ahead_open(fd, LENGTH);

    for (int i = 0; i < 20000; i++)
        check_piece(&r, (size_t)unit_int(0, LENGTH - PIECE), PIECE);
    CHECK(r.view.length);
    read_ahead_release(&r);
    check_piece(&r, 5, LENGTH - 5);
    read_ahead_close(&r);
    close(fd);
}

static void test_long(void)
{
    int fd = file_of(LENGTH);
    struct read_ahead r = read_ahead_open(fd, LENGTH);

    check_piece(&r, 7, PIECE);
    check_piece(&r, 3 << 20, 5 << 20);
    check_piece(&r, 1, LENGTH - 1);
    check_piece(&r, 0, LENGTH);
    read_ahead_close(&r);
    close(fd);
}

static bool check_failure(struct read_ahead *r, uint64_t at, size_t length, int error)
{
    struct slice piece;

    errno = 0;
    return !read_ahead_find(r, at, length, &piece) && errno == error;
}

static void test_not_there(void)
{
    int fd = file_of(PIECE);
    struct read_ahead r = read_ahead_open(fd, PIECE), shorter = read_ahead_open(fd, PIECE + 1);
    struct read_ahead closed = read_ahead_open(-1, PIECE);

    CHECK(check_failure(&r, PIECE, 1, EIO) && check_failure(&r, PIECE + 1, 0, EIO) &&
          check_failure(&r, 0, PIECE + 1, EIO));
    CHECK(check_failure(&r, UINT64_MAX, 2, EIO) && check_failure(&r, 2, SIZE_MAX, EIO));
    check_piece(&r, 0, PIECE);
    CHECK(check_failure(&shorter, 0, 10, EIO) && check_failure(&closed, 0, 10, EBADF));
    read_ahead_close(&r);
    read_ahead_close(&shorter);
    read_ahead_close(&closed);
    close(fd);
}

int main(void)
{
    static const struct unit_test tests[] = {
        TEST(test_in_order), TEST(test_nearly),    TEST(test_in_no_order),
        TEST(test_long),     TEST(test_not_there),
    };
    uint32_t state = 1;
    int code;

    bytes = memory_take(LENGTH);
    for (size_t i = 0; i < LENGTH; i++) {
        state = state * 1664525 + 1013904223;
        bytes[i] = (char)(state >> 24);
    }
    code = unit_main(tests, COUNTOF(tests));
    free(bytes);
    return code;
}
