/* test_progress: the rate of a run and its remaining time count only its own work. */
#include "batch/run/progress.h"
#include "unit.h"

#include <string.h>
#include <unistd.h>

/* Prints the report after the next image of a run that continues this many seconds later. */
static void print(struct progress_report *m, double seconds, char *printed, size_t room)
{
    FILE *file = tmpfile();
    int saved = dup(STDERR_FILENO);
    ssize_t length;

    CHECK(file && saved >= 0 && dup2(fileno(file), STDERR_FILENO) >= 0);
    m->began -= seconds;
    m->shown -= seconds;
    progress_step(m, false);
    fflush(stderr);
    dup2(saved, STDERR_FILENO);
    close(saved);
    length = pread(fileno(file), printed, room - 1, 0);
    printed[length > 0 ? length : 0] = '\0';
    fclose(file);
}

static void test_rate(void)
{
    const struct plan plan = { .fan_out = 1 };
    const struct job job = {
        .plan = &plan, .naming.copies = 1, .images.n_records = 9000, .run.progress = PROGRESS_BAR
    };
    struct progress_report m;
    char printed[1000];

    setenv("COLUMNS", "80", 1);
    progress_start(&m, &job);
    /* The time of the test itself is negligible compared to a thousand seconds. */
    progress_skip(&m, 4000);
    m.done += 999;
    print(&m, 1000, printed, sizeof printed);
    CHECK(strstr(printed, "] 5000/9000  1 images/s  1:06:") != NULL);
    for (int i = 0; i < 3; i++)
        print(&m, 1, printed, sizeof printed);
    CHECK(strstr(printed, "] 5003/9000  1 images/s  1:06:") != NULL);
    m.style = PROGRESS_PLAIN;
    print(&m, 1200, printed, sizeof printed);
    CHECK(strcmp(printed, "lockstep: 5004 of 9000 images, 0 images/s\n") == 0);
}

/* Several outputs of each image: counts and the rate are of the same images. */
static void test_outputs(void)
{
    const struct plan plan = { .fan_out = 3 };
    const struct job job = {
        .plan = &plan, .naming.copies = 4, .images.n_records = 600, .run.progress = PROGRESS_PLAIN
    };
    struct progress_report m;
    char printed[1000];

    progress_start(&m, &job);
    m.done += 299;
    print(&m, 100, printed, sizeof printed);
    CHECK(strcmp(printed, "lockstep: 300 of 600 images, 3 images/s\n") == 0);
    m.style = PROGRESS_BAR;
    print(&m, 0.2, printed, sizeof printed);
    CHECK(strstr(printed, " 301/600  3 images/s  1:3") != NULL ||
          strstr(printed, " 301/600  3 images/s  1:40") != NULL);
}

int main(void)
{
    static const struct unit_test tests[] = { TEST(test_rate), TEST(test_outputs) };

    return unit_main(tests, COUNTOF(tests));
}
