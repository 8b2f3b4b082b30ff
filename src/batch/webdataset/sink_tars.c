/* sink_tars: writes samples to tars in OUT. */
#include "batch/webdataset/sink.h"

#include "batch/results/report_index.h"
#include "batch/io/tar_write.h"

#include <stdlib.h>
#include <string.h>

static bool say(struct text *why, const char *what)
{
    text_addf(why, "%s: %s", what, errno_text());
    return false;
}

static bool end_tar(struct tar_sink *s, bool good, struct text *why)
{
    FILE *file = s->file;
    const char *name = s->packed->n ? s->packed->names[s->packed->n - 1] : "";

    if (!file)
        return good;
    s->file = NULL;
    if (good)
        tar_end(file);
    if (good || !why->length)
        return collect_close(file, good, name, why);
    fclose(file); /* `why` has a reason already */
    return false;
}

static bool start_tar(struct tar_sink *s, struct text *why)
{
    struct tar_names *to = s->packed;
    const char **names = memory_take((to->n + 1) * sizeof *names);

    if (to->n)
        memcpy(names, to->names, to->n * sizeof *names);
    free(to->names);
    to->names = names;
    names[to->n] = pack_tar_name(&to->arena, to->n);
    s->file = collect_open(s->outdir, names[to->n++], why);
    s->samples = s->bytes = 0;
    return s->file;
}

/* Starts a new tar before a sample that would exceed the limits; each tar has at least one sample.
 */
static bool put(struct sink *sink, const struct sink_member *members, size_t n, struct text *why)
{
    struct tar_sink *s = (struct tar_sink *)sink;
    uint64_t room = 0;

    for (size_t i = 0; i < n; i++)
        room += tar_room(members[i].name, members[i].bytes.length);
    if (s->samples && (s->samples == s->how->max_samples || s->bytes + room > s->how->max_bytes) &&
        !end_tar(s, true, why))
        return false;
    if (!s->file && !start_tar(s, why))
        return false;
    for (size_t i = 0; i < n; i++)
        tar_add(s->file, members[i].name, members[i].bytes, s->time);
    s->samples++;
    s->bytes += room;
    return !ferror(s->file) || say(why, s->packed->names[s->packed->n - 1]);
}

static bool end(struct sink *sink, bool good, struct text *why)
{
    return end_tar((struct tar_sink *)sink, good, why);
}

struct tar_sink sink_tars(struct out_dir *outdir, const struct packing *how,
                          struct tar_names *packed)
{
    return (struct tar_sink){ .sink = { put, end, NULL },
                              .outdir = outdir,
                              .how = how,
                              .packed = packed,
                              .time = tar_time() };
}
