/* test_child: whatever a contained process does, its caller gets the whole result or a reason.
 */
#include "batch/process/child.h"
#include "unit.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

enum { LARGE = 3000000 /* more than a pipe holds */, CODE = 4 };

static int print(void *context, struct text *result)
{
    text_adds(result, context);
    return EXIT_DONE;
}

static int print_much(void *context, struct text *result)
{
    (void)context;
    for (int i = 0; i < LARGE; i++)
        text_addc(result, (char)(i % 251));
    return EXIT_DONE;
}

static int refuse(void *context, struct text *result)
{
    text_adds(result, context);
    return CODE;
}

static int die(void *context, struct text *result)
{
    const int *signal = context;

    text_adds(result, "never sent");
    return raise(*signal);
}

/* Exits as a library may that takes a fault for the end. */
static int end(void *context, struct text *result)
{
    const int *code = context;

    text_adds(result, "never sent");
    _exit(*code);
}

/* The descriptor that the next process has its pipe at: the second that is free. */
static int pipe_end;

static void find_pipe_end(void)
{
    int first = dup(0);

    pipe_end = dup(0);
    close(first);
    close(pipe_end);
}

static int close_and_hang(void *context, struct text *result)
{
    (void)context;
    (void)result;
    close(pipe_end);
    return pause();
}

/* Sends a part of data that begins like a whole result. */
static int send_some(void *context, struct text *result)
{
    const size_t *length = context;
    const char bytes[64] = { 0 };

    (void)result;
    _exit(write(pipe_end, bytes, *length) == (ssize_t)*length ? EXIT_DONE : EXIT_OUTPUT);
}

struct child_outcome {
    int exit;
    struct text result, why;
    const char *code;
};

static struct child_outcome run(int (*work)(void *, struct text *), const void *context, int64_t ms)
{
    const struct child_work todo = { .max_result = LARGE,
                                     .ms = ms,
                                     .who = "it",
                                     .work = work,
                                     .context = (void *)(uintptr_t)context };
    struct child_outcome o = { .code = "" };

    find_pipe_end();
    o.exit = child_run(&todo, &o.result, &o.why, &o.code);
    snprintf(unit_subject, sizeof unit_subject, "exit %d, %zu bytes, %s [%s]", o.exit,
             o.result.length, text_string(&o.why), o.code);
    return o;
}

static void drop(struct child_outcome *o)
{
    text_drop(&o->result);
    text_drop(&o->why);
    *unit_subject = '\0';
}

/* --- results --- */

static void test_results(void)
{
    struct child_outcome o = run(print, "some", 60000);

    CHECK(o.exit == EXIT_DONE && strcmp(text_string(&o.result), "some") == 0 && !o.why.length);
    drop(&o);
    o = run(print, "", 60000);
    CHECK(o.exit == EXIT_DONE && !o.result.length && !o.why.length);
    drop(&o);
    o = run(print_much, NULL, 60000);
    CHECK(o.exit == EXIT_DONE && o.result.length == LARGE && !o.why.length);
    for (int i = 0; i < LARGE && i < (int)o.result.length; i++)
        if (o.result.at[i] != (char)(i % 251)) {
            CHECK(o.result.at[i] == (char)(i % 251));
            break;
        }
    drop(&o);
    o = run(refuse, "with this", 60000);
    CHECK(o.exit == CODE && strcmp(text_string(&o.result), "with this") == 0 && !o.why.length);
    drop(&o);
}

/* --- how it fails --- */

static void check_crash(struct child_outcome *o, const char *why)
{
    CHECK(o->exit == EXIT_INTERNAL && !o->result.length);
    CHECK(strcmp(o->code, "worker-crashed") == 0);
    CHECK(strcmp(text_string(&o->why), why) == 0);
    drop(o);
}

static void test_deaths(void)
{
    static const int kill = SIGKILL, term = SIGTERM, none = EXIT_DONE, some = 3,
                     memory = EXIT_RESOURCES;
    struct child_outcome o = run(die, &kill, 60000);

    CHECK(o.exit == EXIT_RESOURCES && strcmp(o.code, "worker-killed") == 0);
    CHECK(strstr(text_string(&o.why), "it was killed, not by lockstep: ") != NULL);
    drop(&o);
    o = run(die, &term, 60000);
    check_crash(&o, "it died of signal 15 (Terminated)");
    o = run(end, &none, 60000);
    check_crash(&o, "it ended with code 0");
    o = run(end, &some, 60000);
    check_crash(&o, "it ended with code 3");
    o = run(end, &memory, 60000);
    CHECK(o.exit == EXIT_RESOURCES && strcmp(o.code, "worker-memory") == 0);
    CHECK(strcmp(text_string(&o.why), "it ran out of memory (half of the memory)") == 0);
    drop(&o);
}

static void test_parts(void)
{
    for (size_t length = 0; length <= 64; length++) {
        struct child_outcome o = run(send_some, &length, 60000);

        /* Zeros are the head of an empty result. */
        if (o.exit != EXIT_DONE)
            check_crash(&o, "it ended with code 0");
        else
            CHECK(length == 16 && !o.result.length);
        drop(&o);
    }
}

static int print_too_much(void *context, struct text *result)
{
    print_much(context, result);
    text_addc(result, '!');
    return EXIT_DONE;
}

static void test_too_much(void)
{
    struct child_outcome o = run(print_too_much, NULL, 60000);

    CHECK(o.exit == EXIT_INTERNAL && !o.result.length && o.why.length);
    drop(&o);
}

static void test_hangs(void)
{
    static const int stop = SIGSTOP;
    struct child_outcome o = run(die, &stop, 200);

    CHECK(o.exit == EXIT_INPUT && strcmp(o.code, "image-timeout") == 0 && !o.result.length);
    CHECK(strcmp(text_string(&o.why), "decoding took longer than 0 s") == 0);
    drop(&o);
    o = run(close_and_hang, NULL, 60000);
    check_crash(&o, "it died of signal 9 (Killed)");
}

/* No process that was started is left, and no end of a pipe. */
static void test_leftovers(void)
{
    static const int kill = SIGKILL;
    int before = dup(0), after;

    close(before);
    for (int i = 0; i < 20; i++) {
        struct child_outcome o = i % 2 ? run(print, "some", 60000) : run(die, &kill, 60000);

        drop(&o);
    }
    after = dup(0);
    close(after);
    CHECK(after == before);
}

int main(void)
{
    static const struct unit_test tests[] = {
        TEST(test_results),  TEST(test_deaths), TEST(test_parts),
        TEST(test_too_much), TEST(test_hangs),  TEST(test_leftovers),
    };

    return unit_main(tests, COUNTOF(tests));
}
