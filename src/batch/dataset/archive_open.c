/* archive_open: opens tar and ZIP archives of images, which take the place of a folder. */
#include "batch/dataset/archive_open.h"

#include "batch/io/archive_range.h"
#include "batch/process/child.h"
#include "batch/io/archive_calls.h"
#include "batch/io/archive_index.h"
#include "batch/io/archive_set.h"
#include "batch/io/shard_index.h"
#include "batch/io/folder.h"
#include "batch/process/sandbox.h"

#include "base/files.h"
#include "base/stderr_line.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <unistd.h>

/* --- indexing --- */

/* Input of the contained process that indexes. */
struct index_task {
    const struct tar_file *file;
};

/* Returns the maximum size of unpacked data. Images are compressed already, so an archive that
 * grows more does not contain images. */
static uint64_t max_unpacked_size(uint64_t length)
{
    enum { TIMES = 100, MARGIN = 64 << 20 };

    return length > UINT64_MAX / TIMES - MARGIN ? UINT64_MAX : length * TIMES + MARGIN;
}

static int work_index(void *context, struct text *rows)
{
    const struct tar_file *file = ((struct index_task *)context)->file;
    uint64_t length = (uint64_t)file->status.st_size;
    uint64_t max = max_unpacked_size(length);
    char head[2] = { 0 };
    struct text why = { 0 };
    bool good;

    if (file->data == file->fd)
        good = archive_index_tar(file->fd, length, rows, &why);
    else if (file_read_all(file->fd, head, sizeof head, 0) && memcmp(head, "PK", 2) == 0)
        good = archive_unpack_zip(file->fd, length, file->data, max, rows, &why);
    else
        good = archive_unpack_tar(file->fd, file->data, max, rows, &why);

    if (!good)
        message_print("lockstep: error: %s: %s", file->path, text_string(&why));
    text_drop(&why);
    return good ? EXIT_DONE : EXIT_RESOURCES;
}

/* State while the index of an archive is read. */
struct index_reader {
    struct tar_set *set;
    struct pile *members;
    struct faults *faults;
    size_t file;
    const char *last; /* the name of the last good member */
};

static void refuse(struct index_reader *r, uint32_t event, const char *name, uint64_t size)
{
    const char *path = r->set->files[r->file].path, *before = r->last ? r->last : "none";

    if (event == EVENT_LINK)
        fault_add(r->faults, 0, 0, path, "member-link",
                  "%s is a link; put the file itself into the archive (tar --dereference "
                  "--hard-dereference)",
                  name);
    else if (event == EVENT_SPECIAL)
        fault_add(r->faults, 0, 0, path, "member-special",
                  "%s is not a regular file; remove it or name the files to take", name);
    else if (event == EVENT_SPARSE)
        fault_add(
            r->faults, 0, 0, path, "member-sparse",
            "%s is sparse, so its bytes are not contiguous; make the archive without --sparse",
            name);
    else if (event == EVENT_ENCRYPTED)
        fault_add(r->faults, 0, 0, path, "member-encrypted",
                  "%s is encrypted; make the archive without a password", name);
    else if (event == EVENT_LARGE)
        fault_add(r->faults, 0, 0, path, "archive-large",
                  "unpacking %s would grow it more than 100 times; unpack it yourself if that is "
                  "intended",
                  *name ? name : "it");
    else if (event == EVENT_TRAILING)
        fault_add(r->faults, 0, 0, path, "archive-damaged",
                  "there is data after the end of %s; if archives were joined with cat, give them "
                  "one by one, or join them with tar --concatenate",
                  *name ? name : "the archive");
    else if (event == EVENT_DAMAGED)
        fault_add(r->faults, 0, 0, path, "archive-damaged",
                  "%s; the last member that can be read: %s", name, before);
    else if (size)
        fault_add(r->faults, 0, 0, path, "archive-truncated",
                  "it is cut short: %s would have %llu bytes; the last whole member: %s", name,
                  (unsigned long long)size, before);
    else
        fault_add(r->faults, 0, 0, path, "archive-truncated",
                  "it is cut short: it has no end; the last whole member: %s", before);
}

/* Adds a member. Skips "./" before its name, which tar -C FOLDER . writes. */
static void add_member(struct index_reader *r, const struct archive_row *row, const char *name)
{
    const char *fault;
    struct member *m;

    while (strncmp(name, "./", 2) == 0)
        name += 2 + strspn(name + 2, "/");
    if (!name_is_safe(name, &fault)) {
        fault_add(r->faults, 0, 0, r->set->files[r->file].path, "member-unsafe",
                  "%s: the name %s; make the archive with names below its folder (tar -C FOLDER .)",
                  name, fault);
        return;
    }
    m = pile_add(r->members, sizeof *m);
    *m = (struct member){ name, row->at, row->size, r->file };
    r->last = name;
}

/* Reads the rows of an index. Checks each number, since the rows come from a process that has read
 * an untrusted file. */
static bool read_rows(struct index_reader *r, struct slice rows)
{
    struct stat status;
    uint64_t length =
        fstat(r->set->files[r->file].data, &status) == 0 ? (uint64_t)status.st_size : 0;

    for (size_t at = 0; at < rows.length;) {
        struct archive_row row;
        const char *name;

        if (rows.length - at < sizeof row)
            return false;
        memcpy(&row, rows.at + at, sizeof row);
        at += sizeof row;
        if (rows.length - at < row.name_length)
            return false;
        name = arena_copy(&r->set->arena, rows.at + at, row.name_length);
        at += row.name_length;
        if (row.event == EVENT_MEMBER && (row.at > length || row.size > length - row.at))
            return false;
        if (row.event == EVENT_MEMBER)
            add_member(r, &row, name);
        else
            refuse(r, row.event, name, row.size);
    }
    return true;
}

/* True for a ZIP or compressed archive, whose members cannot be read at offsets. */
static bool is_packed(int fd)
{
    static const struct {
        const char *magic;
        size_t length;
    } all[] = { { "PK\3\4", 4 },
                { "PK\5\6", 4 },
                { "\x1f\x8b", 2 },
                { "\x28\xb5\x2f\xfd", 4 },
                { "\xfd"
                  "7zXZ",
                  5 },
                { "BZh", 3 } };
    char head[8] = { 0 };

    if (!file_read_all(fd, head, sizeof head, 0))
        return false;
    for (size_t i = 0; i < COUNTOF(all); i++)
        if (memcmp(head, all[i].magic, all[i].length) == 0)
            return true;
    return false;
}

static int index_file(struct index_reader *r)
{
    enum { MEMORY = 1 << 30, DAY = 86400000 };
    struct tar_file *file = &r->set->files[r->file];
    struct index_task indexing = { file };
    const int folder = input_folder(".");
    struct sandbox sandbox;
    struct text rows = { 0 }, why = { 0 };
    const char *code = "archive-damaged";
    int exit;

    sandbox_open(&sandbox, SANDBOX_AUTO,
                 &(struct sandbox_access){ .folders = &folder, .n_folders = 1 });
    exit =
        child_run(&(struct child_work){ &sandbox, MEMORY, (size_t)4 << 30, DAY,
                                        "the process that reads its index", work_index, &indexing },
                  &rows, &why, &code);
    sandbox_close(&sandbox);
    if (!exit && !read_rows(r, (struct slice){ rows.at, rows.length }))
        fault_add(r->faults, 0, 0, file->path, "archive-damaged", "its index is wrong");
    else if (exit && why.length)
        fault_add(r->faults, 0, 0, file->path, code, "%s", text_string(&why));
    text_drop(&rows);
    text_drop(&why);
    return exit ? exit : r->faults->n ? EXIT_INPUT : EXIT_DONE;
}

/* Opens the file that will contain the members: the archive itself, or an unnamed file for
 * unpacking. */
static bool open_data(struct tar_file *file, struct text *why)
{
    file->data = file->fd;
    if (is_packed(file->fd))
        file->data = file_open_unnamed("archive");
    if (file->data < 0)
        text_addf(why, "it cannot be unpacked: %s", errno_text());
    return file->data >= 0;
}

static int open_file(struct index_reader *r)
{
    enum { SHORTEST = 22 /* an empty ZIP archive */ };
    struct tar_file *file = &r->set->files[r->file];
    struct text why = { 0 };
    const char *other = NULL;
    int code = EXIT_INPUT;

    file->fd = strcmp(r->set->path, "-") == 0 ? archive_copy_stdin(&file->status, &why)
                                              : input_open_named(file->path, &file->status, &why);
    if (file->fd < 0)
        fault_add(r->faults, 0, 0, file->path, "images-unread", "%s", text_string(&why));
    else if (!S_ISREG(file->status.st_mode))
        other = "it is a pipe, but members are read at their offsets; write it to a file";
    else if (file->status.st_size < SHORTEST)
        other = "it is too short for an archive";
    if (other)
        fault_add(r->faults, 0, 0, file->path, "archive-kind", "%s", other);
    else if (file->fd >= 0 && !open_data(file, &why))
        fault_add(r->faults, 0, 0, file->path, "archive-room", "%s", text_string(&why));
    else if (file->fd >= 0)
        code = index_file(r);
    text_drop(&why);
    return code;
}

/* --- all archives of a path --- */

/* Raises the limit of open files, since each archive of a range stays open. */
static void allow_files(size_t n)
{
    enum { OTHERS = 256 };
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < n + OTHERS) {
        limit.rlim_cur = n + OTHERS < limit.rlim_max ? n + OTHERS : limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

/* Returns the path of archive i of a set. */
static const char *path_of(struct tar_set *set, size_t i)
{
    if (set->index)
        return set->index->tars[i];
    return strcmp(set->path, "-") == 0 ? "stdin" : range_path(set->path, i, &set->arena);
}

int archive_open(const char *path, struct faults *faults)
{
    const struct shard_index *index = NULL;
    struct tar_set *set;
    struct pile members = { 0 };
    struct text why = { 0 };
    struct index_reader r = { .members = &members, .faults = faults };
    size_t n = range_count(path, &why);
    int code = EXIT_DONE;

    if (archive_at(path))
        return EXIT_DONE;
    if (shard_index_is_path(path)) {
        index = shard_index_read(path, faults);
        if (!index)
            return EXIT_INPUT;
        n = index->n;
    }
    if (why.length)
        fault_add(faults, 0, 0, path, "archive-range", "%s", text_string(&why));
    text_drop(&why);
    if (!n && !index)
        return EXIT_USAGE;
    r.set = set = archive_start_set(path, n);
    set->index = index;
    allow_files(n);
    for (r.file = 0; r.file < n && !code; r.file++) {
        set->files[r.file].path = path_of(set, r.file);
        r.last = NULL;
        code = open_file(&r);
    }
    arena_take_over(&set->arena, members.at);
    set->members = members.at;
    set->n = members.n;
    return code ? code : archive_sort(set, faults) ? EXIT_DONE : EXIT_INPUT;
}
