/* pack: packs the outputs of a run into WebDataset tars. */
#include "batch/webdataset/pack.h"

#include "batch/output/file_list.h"
#include "batch/output/out_files.h"
#include "batch/process/signals.h"
#include "batch/webdataset/sink.h"
#include "batch/io/folder.h"

#include "base/files.h"
#include "base/eintr.h"
#include "base/file_view.h"
#include "json/text_id.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- names --- */

static const char *base_of(const char *name)
{
    const char *slash = strrchr(name, '/');

    return slash ? slash + 1 : name;
}

/* Escapes percent signs and dots after the last slash, except the dot of the suffix. */
void pack_escape(const char *name, struct text *out)
{
    const char *base = base_of(name), *dot = strrchr(base, '.');

    text_clear(out);
    for (const char *c = name; *c; c++)
        if (c < base || c == dot || (*c != '.' && *c != '%'))
            text_addc(out, *c);
        else
            text_addf(out, "%%%02X", (unsigned char)*c);
}

void pack_member_name(const char *image, const char *path, struct text *out)
{
    const char *suffix = strrchr(path, '.');

    pack_escape(strchr(image, '/') + 1, out);
    if (strcmp(path, image) == 0)
        return;
    text_cut(out, (size_t)(strrchr(text_string(out), '.') - out->at));
    if (strncmp(path, OUT_MASKS "/", sizeof OUT_MASKS) == 0)
        text_adds(out, ".mask");
    text_adds(out, suffix ? suffix : "");
}

/* --- samples --- */

enum { MAX_MEMBERS = 4 };

/* Number of bytes after which the pages of the mapped files that were read are released. */
enum { RELEASE_EVERY = 1 << 24 };

struct packer {
    struct out_dir *outdir;
    struct sink *sink;
    struct pack_labels labels;
    struct arena arena; /* reset after each line */
    struct {
        struct text name, bytes;
    } member[MAX_MEMBERS];
    size_t n_members;
};

static bool say(struct text *why, const char *what)
{
    text_addf(why, "%s: %s", what, errno_text());
    return false;
}

static bool add_file(struct packer *p, const char *image, const char *path, struct text *why)
{
    struct text *bytes = &p->member[p->n_members].bytes, reason = { 0 };
    const char *base;
    int folder = out_dir_find_parent(p->outdir, path, false, &base);
    int file = folder < 0 ? -1 : open_regular_at(folder, base, O_RDONLY);
    bool good;

    if (file < 0)
        return say(why, path);
    pack_member_name(image, path, &p->member[p->n_members++].name);
    good = input_read_all(file, bytes, &reason);
    if (!good)
        text_addf(why, "%s: %s", path, text_string(&reason));
    close(file);
    text_drop(&reason);
    return good;
}

/* The member is named by the key of the image, which is the first member, and .json. */
static void add_labels(struct packer *p, struct slice line)
{
    const struct text *image = &p->member[0].name;
    struct text *name = &p->member[p->n_members].name;

    if (!p->labels.text.length || pick_again(line, "image_id").at == line.at)
        return;
    text_clear(name);
    text_add(name, image->at, (size_t)(strrchr(image->at, '.') - image->at));
    text_adds(name, ".json");
    pack_labels_print(&p->labels, text_id_of(line, "image_id"), &p->member[p->n_members++].bytes);
}

/* Returns a text member of the line, or "" if the line does not have it. */
static const char *text_of(struct packer *p, struct slice line, const char *name)
{
    struct slice value = pick_again(line, name);

    if (value.at == line.at || value.length < 2 || *value.at != '"')
        return "";
    return scan_unescape(&p->arena, (struct slice){ value.at + 1, value.length - 2 }).at;
}

static bool read_sample(struct packer *p, struct slice line, struct text *why)
{
    static const char *const others[] = { "mask", "labels" };
    const char *image = text_of(p, line, "output");

    p->n_members = 0;
    if (!file_list_name_is_safe(image) || !strchr(image, '/')) {
        text_adds(why, "manifest.jsonl: a line has no output [out-damaged]");
        return false;
    }
    if (!add_file(p, image, image, why))
        return false;
    add_labels(p, line);
    for (size_t i = 0; i < COUNTOF(others); i++) {
        const char *path = text_of(p, line, others[i]);

        if (*path && !(file_list_name_is_safe(path) && add_file(p, image, path, why)))
            return false;
    }
    return true;
}

static bool put_sample(struct packer *p, struct text *why)
{
    struct sink_member members[MAX_MEMBERS];

    for (size_t i = 0; i < p->n_members; i++)
        members[i] =
            (struct sink_member){ text_string(&p->member[i].name),
                                  { text_string(&p->member[i].bytes), p->member[i].bytes.length } };
    return p->sink->put(p->sink, members, p->n_members, why);
}

/* --- all samples --- */

bool pack_map(struct out_dir *o, const char *name, struct slice *out)
{
    int file = out_dir_open_scratch_file(o, name);
    bool good = file >= 0 ? view_whole(file, out) : errno == ENOENT;

    if (file < 0)
        *out = (struct slice){ "", 0 };
    else
        close(file);
    return good;
}

static bool pack_lines(struct packer *p, struct slice manifest, struct text *why)
{
    bool good = true;
    size_t held = 0;

    for (size_t at = 0; good && at < manifest.length && !signals_end();) {
        const char *end = memchr(manifest.at + at, '\n', manifest.length - at);
        size_t length = end ? (size_t)(end - manifest.at) - at : manifest.length - at;

        good =
            read_sample(p, (struct slice){ manifest.at + at, length }, why) && put_sample(p, why);
        arena_reset(&p->arena);
        at += length + 1;
        held += length;
        for (size_t i = 0; i < p->n_members; i++)
            held += p->member[i].bytes.length;
        if (held > RELEASE_EVERY) {
            file_view_release(manifest, manifest);
            file_view_release(p->labels.text, p->labels.text);
            held = 0;
        }
    }
    return p->sink->end(p->sink, good, why) && !signals_end();
}

bool pack_outputs(struct out_dir *outdir, struct sink *sink, struct text *why)
{
    struct packer p = { .outdir = outdir, .sink = sink };
    struct slice manifest = { "", 0 }, labels = { "", 0 };
    bool good = (pack_map(outdir, "manifest.jsonl", &manifest) &&
                 pack_map(outdir, "annotations.json", &labels)) ||
                say(why, "manifest.jsonl");

    good = good && pack_labels_read(&p.labels, labels, why) && pack_lines(&p, manifest, why);
    for (size_t i = 0; i < MAX_MEMBERS; i++) {
        text_drop(&p.member[i].name);
        text_drop(&p.member[i].bytes);
    }
    pack_labels_drop(&p.labels);
    arena_drop(&p.arena);
    view_close(manifest);
    view_close(labels);
    return good;
}

static void remove_line(struct packer *p, struct slice line)
{
    static const char *const names[] = { "output", "mask", "labels" };

    for (size_t i = 0; i < COUNTOF(names); i++) {
        const char *path = text_of(p, line, names[i]);

        if (*path && strchr(path, '/') && file_list_name_is_safe(path))
            out_dir_remove_file(p->outdir, path);
    }
    arena_reset(&p->arena);
}

bool pack_remove(struct out_dir *outdir)
{
    struct packer p = { .outdir = outdir };
    int fd = open_regular_at(outdir->folder - 1, "manifest.jsonl", O_RDONLY);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
    char *line = NULL;
    size_t room = 0;
    ssize_t length;

    if (fd >= 0 && !file)
        close(fd);
    while (file && (length = getline(&line, &room, file)) > 0)
        remove_line(&p, (struct slice){ line, (size_t)length });
    free(line);
    arena_drop(&p.arena);
    return file && fclose(file) == 0;
}
