/* spool_merge: reads the entries of many spools in the order of their keys. */
#include "batch/journal/spool_merge.h"

#include "base/files.h"

#include <stdlib.h>
#include <string.h>

void spool_merge_start(struct spool_merge *m, size_t n, const char *name,
                       int (*name_folder)(const void *context, size_t i, struct text *),
                       const void *context)
{
    *m = (struct spool_merge){ .n = n };
    m->reader = memory_take((n + 1) * sizeof *m->reader);
    m->name = memory_take((n + 1) * sizeof *m->name);
    m->key = memory_take((n + 1) * sizeof *m->key);
    m->bytes = memory_take((n + 1) * sizeof *m->bytes);
    m->heap = memory_take((n + 1) * sizeof *m->heap);
    for (size_t i = 0; i < n; i++) {
        int folder;

        m->name[i] = (struct text){ 0 };
        folder = name_folder(context, i, &m->name[i]);
        text_addf(&m->name[i], "/%s", name);
        m->reader[i] = spool_open(folder, text_string(&m->name[i]));
    }
}

/* --- the heap --- */

static bool is_before(const struct spool_merge *m, size_t a, size_t b)
{
    return m->key[a] != m->key[b] ? m->key[a] < m->key[b] : a < b;
}

static void sink(struct spool_merge *m, size_t at)
{
    size_t reader = m->heap[at];

    for (size_t child; (child = 2 * at + 1) < m->n_heap; at = child) {
        if (child + 1 < m->n_heap && is_before(m, m->heap[child + 1], m->heap[child]))
            child++;
        if (!is_before(m, m->heap[child], reader))
            break;
        m->heap[at] = m->heap[child];
    }
    m->heap[at] = reader;
}

static bool read_next(struct spool_merge *m, size_t i)
{
    bool found = spool_next(&m->reader[i], &m->key[i], &m->bytes[i]);

    if (m->reader[i].broken)
        m->broken = m->reader[i].name;
    return found;
}

static void fill(struct spool_merge *m)
{
    for (size_t i = 0; i < m->n && !m->broken; i++)
        if (read_next(m, i))
            m->heap[m->n_heap++] = i;
    for (size_t i = m->n_heap / 2; i-- > 0;)
        sink(m, i);
    m->started = true;
}

bool spool_merge_next(struct spool_merge *m, uint64_t *key, struct slice *bytes)
{
    if (!m->started) {
        fill(m);
    } else if (m->n_heap) {
        if (!read_next(m, m->heap[0]))
            m->heap[0] = m->heap[--m->n_heap];
        if (m->n_heap)
            sink(m, 0);
    }
    if (m->broken || !m->n_heap)
        return false;
    *key = m->key[m->heap[0]];
    *bytes = m->bytes[m->heap[0]];
    return true;
}

void spool_merge_end(struct spool_merge *m)
{
    for (size_t i = 0; i < m->n; i++) {
        spool_close(&m->reader[i]);
        text_drop(&m->name[i]);
    }
    free(m->reader);
    free(m->name);
    free(m->key);
    free(m->bytes);
    free(m->heap);
    *m = (struct spool_merge){ 0 };
}
