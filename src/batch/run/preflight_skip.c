/* preflight_skip: images that the preflight skips. */
#include "batch/run/preflight_skip.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

/* Returns a hash that is never 0. */
static uint64_t hash_of(const struct source_key *source)
{
    return hash_quick(source, sizeof *source) | 1;
}

void preflight_skip_start(struct preflight_skip *v, const struct job *job)
{
    size_t size = (job->dataset->n_records + 1) * sizeof *v->source;

    *v = (struct preflight_skip){ .source = memory_take(size) };
    memset(v->source, 0, size);
}

void preflight_skip_add(struct preflight_skip *v, size_t record, const struct source_key *source)
{
    v->source[record] = hash_of(source);
}

void preflight_skip_end(struct preflight_skip *v, const struct job *job)
{
    v->left = memory_take((job->images.n_records + 1) * sizeof *v->left);
    for (size_t i = 0; i < job->images.n_records; i++)
        if (!v->source[job_record(job, i)])
            v->left[v->n_left++] = job_record(job, i);
}

void preflight_skip_drop(struct preflight_skip *v)
{
    free(v->source);
    free(v->left);
    *v = (struct preflight_skip){ .n_left = 0 };
}

bool preflight_skip_has_source(const struct preflight_skip *v, size_t record,
                               const struct source_key *source)
{
    return v && v->source[record] && v->source[record] == hash_of(source);
}

size_t preflight_count(const struct job *job)
{
    return job->run.preflight_skip ? job->run.preflight_skip->n_left : job->images.n_records;
}

size_t preflight_record(const struct job *job, size_t i)
{
    return job->run.preflight_skip ? job->run.preflight_skip->left[i] : job_record(job, i);
}
