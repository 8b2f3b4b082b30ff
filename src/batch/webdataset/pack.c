/* pack: packs the outputs of a run into WebDataset tars. */
#include "batch/webdataset/pack.h"

#include "batch/manifest/recorded_steps.h"
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
    const char *part;          /* of the last line; NULL: there was none */
    struct pack_labels labels; /* of the part */
    struct pile parts;         /* of const char *: parts that were started, in `names` */
    struct arena names;
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
    pack_labels_print(&p->labels, text_id_of(line, "image_id"), !p->sink->start_part,
                      &p->member[p->n_members++].bytes);
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

/* --- parts --- */

static bool end_part(struct packer *p, bool good, struct text *why)
{
    struct slice labels = p->labels.text;

    if (p->part && p->sink->end_part)
        good = p->sink->end_part(p->sink, good, why);
    pack_labels_drop(&p->labels);
    if (p->part)
        view_close(labels);
    p->part = NULL;
    return good;
}

/* Starts a part; "" is a dataset that is not divided. */
static bool start_part(struct packer *p, const char *part, struct text *why)
{
    const char *name = arena_copy(&p->names, part, strlen(part));
    const char *file = *name ? pack_annotations_name(&p->names, name) : "annotations.json";
    struct slice labels = { "", 0 };

    if (!pack_map(p->outdir, file, &labels))
        return say(why, file);
    *(const char **)pile_add(&p->parts, sizeof name) = p->part = name;
    if (!pack_labels_read(&p->labels, labels, why))
        return false;
    return !p->sink->start_part || p->sink->start_part(p->sink,
                                                       *name           ? name
                                                       : labels.length ? PACK_WHOLE
                                                                       : PACK_BARE,
                                                       &p->labels, why);
}

static bool enter_part(struct packer *p, const char *part, struct text *why)
{
    if (p->part && strcmp(p->part, part) == 0)
        return true;
    return end_part(p, true, why) && start_part(p, part, why);
}

static bool has_part(const struct packer *p, const char *part)
{
    for (size_t i = 0; i < p->parts.n; i++)
        if (strcmp(((const char **)p->parts.at)[i], part) == 0)
            return true;
    return false;
}

/* Writes the index of parts without outputs. */
static bool pack_empty_parts(struct packer *p, const char *const *files, size_t n_files,
                             struct text *why)
{
    bool good = true;

    for (size_t i = 0; good && p->sink->start_part && i < n_files; i++) {
        const char *part = pack_part_of_annotations(&p->names, files[i]);

        if (part && !has_part(p, part))
            good = start_part(p, part, why) && end_part(p, true, why);
    }
    return good;
}

/* --- all samples --- */

static bool pack_lines(struct packer *p, struct slice manifest, struct text *why)
{
    bool good = true;
    size_t held = 0;

    for (size_t at = 0; good && at < manifest.length && !signals_end();) {
        struct slice line = slice_line(manifest, at);

        good = enter_part(p, text_of(p, line, "part"), why) && read_sample(p, line, why) &&
               put_sample(p, why);
        arena_reset(&p->arena);
        at += line.length + 1;
        held += line.length;
        for (size_t i = 0; i < p->n_members; i++)
            held += p->member[i].bytes.length;
        if (held > RELEASE_EVERY) {
            file_view_release(manifest, manifest);
            file_view_release(p->labels.text, p->labels.text);
            held = 0;
        }
    }
    return good && !signals_end();
}

bool pack_outputs(struct out_dir *outdir, struct sink *sink, const char *const *files,
                  size_t n_files, struct text *why)
{
    struct packer p = { .outdir = outdir, .sink = sink };
    struct slice manifest = { "", 0 };
    bool good = pack_map(outdir, "manifest.jsonl", &manifest) || say(why, "manifest.jsonl");

    good = good && pack_lines(&p, manifest, why);
    good = end_part(&p, good, why) && pack_empty_parts(&p, files, n_files, why);
    good = sink->end(sink, end_part(&p, good, why), why) && !signals_end();
    for (size_t i = 0; i < MAX_MEMBERS; i++) {
        text_drop(&p.member[i].name);
        text_drop(&p.member[i].bytes);
    }
    free(p.parts.at);
    arena_drop(&p.names);
    arena_drop(&p.arena);
    view_close(manifest);
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
