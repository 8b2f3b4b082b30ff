/* test_worker: reports that come in parts, as from a worker that was stopped while it wrote. */
#include "../../src/batch/worker.h"
#include "unit.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static void put(int fd, const void *bytes, size_t length)
{
    CHECK(write(fd, bytes, length) == (ssize_t)length);
}

/* A report is taken when its last byte is there, and nobody waits for it; the next one stays. */
static void test_parts(void)
{
    struct report report = { .counts.outputs = 7 };
    struct report_view back;
    struct text packed = { 0 };
    struct slice got;
    uint64_t length;
    size_t record = 99;
    int pipes[2];
    struct worker w = { .queue = { 4, 5 }, .n_queue = 2 };

    CHECK(pipe(pipes) == 0 && fcntl(pipes[0], F_SETFL, O_NONBLOCK) == 0);
    w.from = pipes[0];
    text_adds(&report.why, "why");
    report_pack(&report, &packed);
    length = packed.length;
    CHECK(worker_receive(&w, &record, &got) == RECEIVED_PART);
    for (size_t i = 0; i < sizeof length; i++) {
        put(pipes[1], (char *)&length + i, 1);
        CHECK(worker_receive(&w, &record, &got) == RECEIVED_PART);
    }
    for (size_t i = 0; i + 1 < packed.length; i++) {
        put(pipes[1], packed.at + i, 1);
        CHECK(worker_receive(&w, &record, &got) == RECEIVED_PART && w.n_queue == 2);
    }
    put(pipes[1], packed.at + packed.length - 1, 1);
    put(pipes[1], &length, sizeof length);
    put(pipes[1], packed.at, packed.length);
    CHECK(worker_receive(&w, &record, &got) == RECEIVED_REPORT && record == 4);
    CHECK(report_view(got, &back) && back.counts.outputs == 7);
    CHECK(worker_receive(&w, &record, &got) == RECEIVED_REPORT && record == 5 && !w.n_queue);
    CHECK(report_view(got, &back) && back.why.length == 3);
    put(pipes[1], &length, sizeof length);
    close(pipes[1]);
    CHECK(worker_receive(&w, &record, &got) == RECEIVED_END);
    close(pipes[0]);
    report_drop(&report);
    text_drop(&packed);
    text_drop(&w.incoming);
}

int main(void)
{
    static const struct unit_test tests[] = {
        TEST(test_parts),
    };

    return unit_main(tests, COUNTOF(tests));
}
