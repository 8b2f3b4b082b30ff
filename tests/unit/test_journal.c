/* test_journal: the records left of a journal that is truncated or damaged anywhere. */
#include "batch/journal/journal.h"
#include "unit.h"

#include <string.h>
#include <unistd.h>

static const char *const PAYLOADS[] = { "first", "", "third, which is longer than the others" };
enum { N = COUNTOF(PAYLOADS) };

/* A journal of them, with where each ends; read back into `bytes`. */
static void make(struct text *bytes, uint64_t end[N])
{
    FILE *file = tmpfile();
    struct journal j;
    char *to;

    CHECK(file && journal_start(&j, dup(fileno(file))));
    for (size_t i = 0; i < N; i++) {
        CHECK(journal_append(&j, (uint32_t)i + 1,
                             (struct slice){ PAYLOADS[i], strlen(PAYLOADS[i]) }));
        end[i] = j.end;
    }
    to = text_room(bytes, j.end);
    CHECK(pread(fileno(file), to, j.end, 0) == (ssize_t)j.end);
    text_grown(bytes, to + j.end);
    journal_close(&j);
    fclose(file);
}

/* How many records are good; every one of them is as it was written. */
static size_t count(struct slice bytes)
{
    struct journal_record r;
    uint64_t at = 0;
    size_t n = 0;

    if (journal_state(bytes) != JOURNAL_GOOD)
        return 0;
    while (journal_next(bytes, &at, &r)) {
        CHECK(n < N && r.kind == n + 1 && r.end == at);
        CHECK(r.payload.length == strlen(PAYLOADS[n]) &&
              memcmp(r.payload.at, PAYLOADS[n], r.payload.length) == 0);
        n++;
    }
    return n;
}

static size_t ended_by(const uint64_t end[N], uint64_t length)
{
    size_t n = 0;

    while (n < N && end[n] <= length)
        n++;
    return n;
}

static void test_cuts(void)
{
    struct text bytes = { 0 };
    uint64_t end[N];

    make(&bytes, end);
    for (size_t length = 0; length <= bytes.length; length++)
        CHECK(count((struct slice){ bytes.at, length }) == ended_by(end, length));
    text_drop(&bytes);
}

/* A damaged bit ends the journal before the record that it is in. */
static void test_flips(void)
{
    struct text bytes = { 0 };
    uint64_t end[N];

    make(&bytes, end);
    for (size_t bit = 0; bit < 8 * bytes.length; bit++) {
        struct slice all = { bytes.at, bytes.length };

        bytes.at[bit / 8] ^= (char)(1 << bit % 8);
        CHECK(count(all) == ended_by(end, bit / 8));
        if (bit / 8 < strlen("lockstep journal 2\n"))
            CHECK(journal_state(all) == JOURNAL_OTHER);
        bytes.at[bit / 8] ^= (char)(1 << bit % 8);
    }
    text_drop(&bytes);
}

/* The data after a damaged record is cut off, and new records are appended in its place. */
static void test_resume(void)
{
    FILE *file = tmpfile();
    struct text bytes = { 0 };
    uint64_t end[N];
    struct journal j;
    char *to;

    make(&bytes, end);
    bytes.at[end[1] + 2] ^= 1;
    CHECK(file && fwrite(bytes.at, 1, bytes.length, file) == bytes.length && fflush(file) == 0);
    CHECK(journal_resume(&j, dup(fileno(file)), end[1]));
    CHECK(journal_append(&j, 3, (struct slice){ PAYLOADS[2], strlen(PAYLOADS[2]) }));
    text_clear(&bytes);
    to = text_room(&bytes, j.end);
    CHECK(pread(fileno(file), to, j.end + 1, 0) == (ssize_t)j.end);
    CHECK(count((struct slice){ to, j.end }) == N);
    journal_close(&j);
    fclose(file);
    text_drop(&bytes);
}

/* A disk that is full leaves the journal as it was. */
static void test_full(void)
{
    FILE *full = fopen("/dev/full", "r+");
    struct journal j = { .file = full ? fileno(full) + 1 : 0 };

    CHECK(full && !journal_append(&j, 1, (struct slice){ "x", 1 }) && j.end == 0);
    if (full)
        fclose(full);
}

int main(void)
{
    static const struct unit_test tests[] = {
        TEST(test_cuts),
        TEST(test_flips),
        TEST(test_resume),
        TEST(test_full),
    };

    return unit_main(tests, COUNTOF(tests));
}
