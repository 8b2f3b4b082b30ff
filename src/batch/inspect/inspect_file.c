/* inspect_file: reads one file as far as requested. */
#include "batch/inspect/inspect.h"

#include "batch/io/archive_read.h"
#include "batch/io/archive_set.h"
#include "batch/io/folder.h"
#include "batch/io/mapped_file.h"
#include "batch/io/open.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void set(struct inspected_file *seen, enum file_state state, const char *why)
{
    seen->state = state;
    snprintf(seen->why, sizeof seen->why, "%s", why);
}

/* True if a member with bytes has this name; otherwise sets the state. The archive is indexed
 * already. */
static bool is_member(const struct tar_set *archive, const char *name, struct inspected_file *seen)
{
    struct text why = { 0 };
    struct stat status;

    if (!archive_find(archive, name))
        set(seen, FILE_MISSING, strerror(ENOENT));
    else if (!archive_status(archive, name, &status, &why))
        set(seen, FILE_UNREAD, text_string(&why));
    else if (status.st_size == 0)
        set(seen, FILE_EMPTY, text_string(&why));
    text_drop(&why);
    return !seen->state;
}

/* True if a regular file with bytes has this name; otherwise sets the state. */
static bool is_file(const struct inspector *l, const char *folder, const char *name,
                    struct inspected_file *seen)
{
    int fd = input_open(input_folder(folder), name, l->job->images.links, O_PATH);
    struct stat status;

    if (fd < 0 || fstat(fd, &status) != 0)
        set(seen, errno == ENOENT || errno == ENOTDIR ? FILE_MISSING : FILE_UNREAD, errno_text());
    else if (!S_ISREG(status.st_mode))
        set(seen, FILE_SPECIAL, S_ISDIR(status.st_mode) ? "it is a folder" : "it is no file");
    else if (!status.st_size)
        set(seen, FILE_EMPTY, "");
    if (fd >= 0)
        close(fd);
    return !seen->state;
}

/* Removes the "[...]" suffix of a message, which names options of `run` that other commands do not
 * have. */
static void set_reason(struct inspected_file *seen, enum file_state state, struct text *why)
{
    char *bracket = why->length ? strrchr(why->at, '[') : NULL;

    if (bracket && bracket > why->at && bracket[-1] == ' ')
        bracket[-1] = '\0';
    set(seen, state, text_string(why));
}

static bool read_header(const struct inspector *l, struct slice bytes, struct inspected_file *seen,
                        struct text *why)
{
    struct slice head = { bytes.at, bytes.length < 16 ? bytes.length : 16 };
    struct frame f;
    enum picture_format format;

    if (!picture_sniff(head, &format)) {
        set(seen, FILE_FOREIGN, "");
    } else if (!picture_may_be(head, bytes.length, l->job->images.max_pixels, why)) {
        set_reason(seen, FILE_LARGE, why);
    } else if (!picture_peek(bytes, &seen->header, why)) {
        set_reason(seen, file_is_truncated(bytes, format) ? FILE_TRUNCATED : FILE_DAMAGED, why);
    } else {
        f = seen->header.frame;
        seen->has_header = true;
        seen->inks = format == PICTURE_JPEG && jpeg_has_inks(bytes);
        if ((uint64_t)f.width * (uint64_t)f.height > l->job->images.max_pixels) {
            set(seen, FILE_LARGE, "");
            snprintf(seen->why, sizeof seen->why, "its %d x %d pixels are more than %zu", f.width,
                     f.height, l->job->images.max_pixels);
        } else if (file_is_truncated(bytes, format)) {
            set(seen, FILE_TRUNCATED, "");
        }
    }
    return !seen->state;
}

void inspect_file(struct inspector *l, const char *folder, const char *name, bool segments,
                  struct inspected_file *seen)
{
    const struct tar_set *archive = archive_at(folder);
    struct text why = { 0 };
    struct slice bytes;

    if (!(archive ? is_member(archive, name, seen) : is_file(l, folder, name, seen)))
        return;
    if (!input_map(folder, name, l->job->images.links, NULL, &bytes, &why)) {
        set_reason(seen, FILE_UNREAD, &why);
        text_drop(&why);
        return;
    }
    if (read_header(l, bytes, seen, &why)) {
        if ((segments ? l->masks : l->pixels) &&
            !(segments ? inspect_count_segments : inspect_measure)(l, bytes, seen, &why))
            set_reason(seen,
                       strcasestr(text_string(&why), "premature end") ? FILE_TRUNCATED
                                                                      : FILE_DAMAGED,
                       &why);
        else
            seen->state = FILE_GOOD;
    }
    input_unmap(bytes);
    text_drop(&why);
}
