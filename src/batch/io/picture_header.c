/* picture_header: checks which files may be images, and reads their headers. */
#include "batch/io/open.h"
#include "batch/io/mapped_file.h"
#include "batch/io/root.h"

#include "pixels/picture.h"

static bool allows_picture(const void *context, struct slice head, uint64_t length,
                           struct text *why)
{
    const size_t *max_pixels = context;

    return picture_may_be(head, length, *max_pixels, why);
}

static bool allows_large_picture(const void *context, struct slice mapped, struct text *why)
{
    (void)context;
    return picture_fits_file(mapped, why);
}

struct input_check input_check_picture(const size_t *max_pixels)
{
    return (struct input_check){ allows_picture, max_pixels, PICTURE_METADATA,
                                 allows_large_picture };
}

/* Most headers fit into a page; camera images may have thumbnails in them. The size that the last
 * image needed is tried first. */
bool input_peek(const char *folder, const char *name, enum links links,
                struct picture_header *header)
{
    enum { PAGE = 1 << 12, MAX_HEAD = 1 << 15 };
    static size_t room = PAGE;
    char beginning[MAX_HEAD];
    uint64_t length;

    for (;;) {
        size_t got = input_begin(folder, name, links, beginning, room, &length);

        if (!got || length > PICTURE_METADATA)
            return false;
        if (picture_peek_beginning((struct slice){ beginning, got }, header))
            return true;
        if (got < room || room == MAX_HEAD)
            break;
        room = MAX_HEAD;
    }
    room = PAGE;
    return false;
}

bool input_probe(const char *folder, const char *name, const size_t *max_pixels,
                 struct picture_header *header, struct text *why)
{
    struct input_check check = input_check_picture(max_pixels);
    struct slice bytes;
    bool good;

    if (input_peek(folder, name, LINKS_FOLLOW, header))
        return true;
    check.large = UINT64_MAX; /* only the header is read */
    if (!input_map(folder, name, LINKS_FOLLOW, &check, &bytes, why))
        return false;
    good = picture_probe(bytes, header, why);
    input_unmap(bytes);
    return good;
}
