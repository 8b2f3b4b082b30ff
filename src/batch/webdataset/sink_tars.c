/* sink_tars: writes samples to tars in OUT, with an index of each part. */
#include "batch/webdataset/sink.h"

#include "batch/webdataset/pack.h"
#include "batch/results/report_index.h"
#include "batch/io/tar_write.h"

#include <stdlib.h>
#include <string.h>

static bool say(struct text *why, const char *what)
{
    text_addf(why, "%s: %s", what, errno_text());
    return false;
}

/* Returns the names of the tars of the current part; they are the last ones. */
static const char *const *tars_of_part(const struct tar_sink *s)
{
    const char *const *all = s->packed->names.at;

    return all + (s->packed->names.n - s->n_tars);
}

/* Returns the name of the current tar. */
static const char *tar_name(const struct tar_sink *s)
{
    return s->n_tars ? tars_of_part(s)[s->n_tars - 1] : "";
}

static bool end_tar(struct tar_sink *s, bool good, struct text *why)
{
    FILE *file = s->file;

    if (!file)
        return good;
    s->file = NULL;
    if (good)
        tar_end(file);
    *(uint64_t *)pile_add(&s->counts, sizeof s->samples) = s->samples;
    if (good || !why->length)
        return collect_close(file, good, tar_name(s), why);
    fclose(file); /* `why` has a reason already */
    return false;
}

static bool start_tar(struct tar_sink *s, struct text *why)
{
    struct tar_names *to = s->packed;

    tar_names_add(to, pack_tar_name(&to->arena, s->part, s->n_tars++));
    s->file = collect_open(s->outdir, tar_name(s), why);
    s->samples = s->bytes = 0;
    return s->file;
}

static bool start_part(struct sink *sink, const char *part, const struct pack_labels *labels,
                       struct text *why)
{
    struct tar_sink *s = (struct tar_sink *)sink;

    (void)why;
    s->part = part;
    s->labels = labels;
    s->n_tars = 0;
    s->counts.n = 0;
    return true;
}

static bool write_index(struct tar_sink *s, struct text *why)
{
    struct tar_names *to = s->packed;
    const char *name = pack_index_name(&to->arena, s->part);
    FILE *file = collect_open(s->outdir, name, why);
    struct text index = { 0 };
    bool good;

    if (!file)
        return false;
    pack_index_print(s->labels,
                     &(struct pack_index){ s->part, tars_of_part(s), s->counts.at, s->n_tars },
                     &index);
    good = fwrite(index.at, 1, index.length, file) == index.length;
    text_drop(&index);
    tar_names_add(to, name);
    return collect_close(file, good, name, why);
}

static bool end_part(struct sink *sink, bool good, struct text *why)
{
    struct tar_sink *s = (struct tar_sink *)sink;
    bool indexed = s->labels->text.length;

    if (good && indexed && !s->n_tars) /* rf-detr needs a tar, even without samples */
        good = start_tar(s, why);
    good = end_tar(s, good, why) && (!indexed || write_index(s, why));
    free(s->counts.at);
    s->counts = (struct pile){ 0 };
    return good;
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
    return !ferror(s->file) || say(why, tar_name(s));
}

static bool end(struct sink *sink, bool good, struct text *why)
{
    (void)sink;
    (void)why;
    return good;
}

struct tar_sink sink_tars(struct out_dir *outdir, const struct packing *how,
                          struct tar_names *packed)
{
    return (struct tar_sink){ .sink = { start_part, end_part, put, end, NULL },
                              .outdir = outdir,
                              .how = how,
                              .packed = packed,
                              .time = tar_time() };
}
