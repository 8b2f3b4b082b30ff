/* test_worker: reports that come in parts, as from a worker that was stopped while it wrote. */
#include "batch/run/worker.h"
#include "unit.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void put(int fd, const void *bytes, size_t length)
{
    CHECK(write(fd, bytes, length) == (ssize_t)length);
}

/* A report is taken when its last byte has arrived, without waiting for it; reports that arrive
 * with it are taken afterwards. */
static void test_parts(void)
{
    struct report report = { .counts.outputs = 7 };
    struct report_view back;
    struct text packed = { 0 };
    struct slice got;
    uint64_t length;
    size_t record = 99;
    int pipes[2];
    struct worker w = { .queue = { 4, 5, 6 }, .n_queue = 3 };

    CHECK(pipe(pipes) == 0 && fcntl(pipes[0], F_SETFL, O_NONBLOCK) == 0);
    w.from = pipes[0];
    text_adds(&report.why, "why");
    report_pack(&report, &packed);
    length = packed.length;
    CHECK(worker_receive(&w) && !worker_next_report(&w, &record, &got));
    for (size_t i = 0; i < sizeof length; i++) {
        put(pipes[1], (char *)&length + i, 1);
        CHECK(worker_receive(&w) && !worker_next_report(&w, &record, &got));
    }
    for (size_t i = 0; i + 1 < packed.length; i++) {
        put(pipes[1], packed.at + i, 1);
        CHECK(worker_receive(&w) && !worker_next_report(&w, &record, &got) && w.n_queue == 3);
    }
    put(pipes[1], packed.at + packed.length - 1, 1);
    put(pipes[1], &length, sizeof length);
    put(pipes[1], packed.at, packed.length);
    put(pipes[1], &length, sizeof length);
    CHECK(worker_receive(&w));
    CHECK(worker_next_report(&w, &record, &got) && record == 4);
    CHECK(report_view(got, &back) && back.counts.outputs == 7);
    CHECK(worker_next_report(&w, &record, &got) && record == 5 && w.n_queue == 1);
    CHECK(report_view(got, &back) && back.why.length == 3);
    CHECK(!worker_next_report(&w, &record, &got) && w.queue[0] == 6);
    put(pipes[1], packed.at, packed.length);
    CHECK(worker_receive(&w) && worker_next_report(&w, &record, &got) && record == 6);
    CHECK(report_view(got, &back) && back.why.length == 3 && !w.n_queue && w.done == 3);
    put(pipes[1], &length, sizeof length);
    close(pipes[1]);
    CHECK(worker_receive(&w) && !worker_receive(&w));
    CHECK(!worker_next_report(&w, &record, &got));
    close(pipes[0]);
    report_drop(&report);
    text_drop(&packed);
    text_drop(&w.incoming);
}

/* Reports that a pipe does not hold at once come in order, and whole. */
static void test_large(void)
{
    enum { LARGE = 200000 };
    struct worker w = { .queue = { 1, 2 }, .n_queue = 2 };
    uint64_t length = LARGE;
    struct slice got;
    size_t record, n = 0;
    char *bytes = memory_take(2 * (sizeof length + LARGE));
    int pipes[2];

    CHECK(pipe2(pipes, O_NONBLOCK) == 0);
    w.from = pipes[0];
    for (size_t i = 0; i < 2; i++) {
        memcpy(bytes + i * (sizeof length + LARGE), &length, sizeof length);
        memset(bytes + i * (sizeof length + LARGE) + sizeof length, (int)('a' + i), LARGE);
    }
    for (size_t at = 0, end = 2 * (sizeof length + LARGE); at < end;) {
        ssize_t put_now = write(pipes[1], bytes + at, end - at);

        at += put_now > 0 ? (size_t)put_now : 0;
        CHECK(worker_receive(&w));
        while (worker_next_report(&w, &record, &got)) {
            n++;
            CHECK(record == n && got.length == LARGE);
            CHECK(got.at[0] == (char)('a' + n - 1) && got.at[LARGE - 1] == (char)('a' + n - 1));
        }
    }
    while (n < 2 && worker_receive(&w))
        n += worker_next_report(&w, &record, &got);
    CHECK(n == 2 && !w.n_queue);
    close(pipes[0]);
    close(pipes[1]);
    free(bytes);
    text_drop(&w.incoming);
}

int main(void)
{
    static const struct unit_test tests[] = {
        TEST(test_parts),
        TEST(test_large),
    };

    return unit_main(tests, COUNTOF(tests));
}
