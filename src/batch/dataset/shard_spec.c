/* shard_spec: one of N shards of a job. */
#include "batch/dataset/shard_spec.h"

#include "base/environment.h"
#include "base/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void shard_print_name(const struct shard *s, char name[SHARD_NAME])
{
    snprintf(name, SHARD_NAME, "%zu-of-%zu", s->index, s->count);
}

/* Uses SHA-256, so that all machines assign records in the same way. */
bool shard_contains(const struct shard *s, const char *name)
{
    struct hash h;

    if (s->count < 2)
        return true;
    hash_start(&h);
    hash_part(&h, name, strlen(name));
    return hash_u64(&h) % s->count == s->index;
}

/* --- numbers --- */

/* Reads an integer that is followed by `end` or by the end of the text. */
static bool read_number(const char *at, char end, uint64_t *n, const char **rest)
{
    const char *c = at;

    for (*n = 0; *c >= '0' && *c <= '9' && c - at < 10; c++)
        *n = 10 * *n + (uint64_t)(*c - '0');
    *rest = c + (*c == end && end);
    return c > at && *c == end;
}

static bool set(struct shard *s, uint64_t index, uint64_t count, struct text *why)
{
    if (!count || count > MAX_SHARDS)
        text_addf(why, "there may be 1 to %d shards", (int)MAX_SHARDS);
    else if (index == count)
        text_addf(why, "shards count from 0: the last one is %llu/%llu",
                  (unsigned long long)count - 1, (unsigned long long)count);
    else if (index > count)
        text_addf(why, "there is no shard %llu of %llu: they are 0 to %llu",
                  (unsigned long long)index, (unsigned long long)count,
                  (unsigned long long)count - 1);
    else
        *s = (struct shard){ (size_t)index, (size_t)count };
    return !why->length;
}

/* --- schedulers --- */

/* Environment variables with which a scheduler describes the tasks of an array. Schedulers that do
 * not give N have neither `last` nor `count`. */
struct scheduler {
    const char *name, *index, *first, *last, *count, *step;
    uint64_t base;   /* first index if there is no `first`, or if N is given */
    bool named_only; /* used only for the word "parallel", since the variable may be set for other
                        reasons */
};

static const struct scheduler schedulers[] = {
    { "Slurm", "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX",
      "SLURM_ARRAY_TASK_COUNT", NULL, 0, false },
    { "Grid Engine", "SGE_TASK_ID", "SGE_TASK_FIRST", "SGE_TASK_LAST", NULL, "SGE_TASK_STEPSIZE", 1,
      false },
    { "AWS Batch", "AWS_BATCH_JOB_ARRAY_INDEX", NULL, NULL, "AWS_BATCH_JOB_ARRAY_SIZE", NULL, 0,
      false },
    { "Kubernetes", "JOB_COMPLETION_INDEX", NULL, NULL, NULL, NULL, 0, false },
    { "PBS", "PBS_ARRAY_INDEX", NULL, NULL, NULL, NULL, 0, false },
    { "GNU parallel", "PARALLEL_SEQ", NULL, NULL, NULL, NULL, 1, true },
};

/* Reads a variable that is a number. Grid Engine sets it to "undefined" in a job that is not an
 * array. */
static bool read_variable(const char *name, uint64_t *n)
{
    const char *value = name ? environment_get(name) : NULL, *rest;

    return value && read_number(value, '\0', n, &rest);
}

static const struct scheduler *find(bool parallel)
{
    const struct scheduler *found = NULL;
    uint64_t n;

    for (size_t i = 0; i < COUNTOF(schedulers) && !found; i++)
        if (schedulers[i].named_only == parallel && read_variable(schedulers[i].index, &n))
            found = &schedulers[i];
    return found;
}

/* Gets the number of tasks. All tasks of the array must run: a retry of some of them would have
 * other shards. */
static bool count_tasks(const struct scheduler *s, uint64_t first, uint64_t *count,
                        struct text *why)
{
    uint64_t last = 0, n = 0, step = 1;
    bool spans = read_variable(s->last, &last), counts = read_variable(s->count, &n);

    (void)read_variable(s->step, &step);
    if (!spans && !counts)
        text_addf(why, "%s does not say how many tasks there are: give auto/N%s", s->name,
                  s->named_only ? ", as parallel/N" : "");
    else if (spans && (last < first || step != 1 || (counts && last - first + 1 != n)))
        text_addf(why,
                  "%s runs only some of the tasks %llu to %llu, whose shards would differ from the "
                  "shards of the whole array; name the shard: I/N",
                  s->name, (unsigned long long)first, (unsigned long long)last);
    else
        *count = spans ? last - first + 1 : n;
    return !why->length;
}

/* Reads the shard from the environment. `given` is N if the user states it, else 0. */
static bool read_scheduler(const char *word, bool parallel, uint64_t given, struct shard *shard,
                           struct text *how, struct text *why)
{
    const struct scheduler *s = find(parallel);
    uint64_t index = 0, first = 0, count = given;

    if (!s) {
        text_adds(why, parallel ? "PARALLEL_SEQ is not set: this is not a job of GNU parallel"
                                : "no scheduler says which task this is (Slurm, Grid Engine, AWS "
                                  "Batch, Kubernetes, PBS); name the shard: I/N");
        return false;
    }
    (void)read_variable(s->index, &index);
    /* If N is given, only some tasks of an array may run again, and these need not include the
     * first. */
    if (given || !read_variable(s->first, &first))
        first = s->base;
    if (!given && !count_tasks(s, first, &count, why))
        return false;
    if (index < first) {
        text_addf(why, "%s is %llu, before the first task, %llu", s->index,
                  (unsigned long long)index, (unsigned long long)first);
        return false;
    }
    if (!set(shard, index - first, count, why))
        return false;
    text_addf(how, "shard %zu/%zu, by %s=%llu of %s (--shard %s)", shard->index, shard->count,
              s->index, (unsigned long long)index, s->name, word);
    return true;
}

bool shard_read_name(const char *name, struct shard *s)
{
    static const char of[] = "-of-";
    uint64_t index, count;
    const char *rest;

    if (!read_number(name, of[0], &index, &rest) || strncmp(rest - 1, of, sizeof of - 1) != 0 ||
        !read_number(rest - 1 + sizeof of - 1, '\0', &count, &rest) || index >= count ||
        count > MAX_SHARDS)
        return false;
    *s = (struct shard){ (size_t)index, (size_t)count };
    return true;
}

bool shard_read(const char *word, struct shard *s, struct text *how, struct text *why)
{
    static const char *const named[] = { "auto", "parallel" };
    uint64_t index, count = 0;
    const char *rest;

    for (size_t i = 0; i < COUNTOF(named); i++) {
        size_t length = strlen(named[i]);

        if (strncmp(word, named[i], length) != 0)
            continue;
        if (word[length] == '/' && read_number(word + length + 1, '\0', &count, &rest) && count)
            return read_scheduler(word, i, count, s, how, why);
        if (!word[length])
            return read_scheduler(word, i, 0, s, how, why);
    }
    if (read_number(word, '/', &index, &rest) && read_number(rest, '\0', &count, &rest))
        return set(s, index, count, why);
    text_adds(why, "it must be I/N (0/16 is the first of 16), auto, auto/N or parallel/N");
    return false;
}
