/* archive_range: expands a range of archives to paths. */
#include "batch/io/archive_range.h"

#include <stdlib.h>
#include <string.h>

/* Position and limits of a range in a path. */
struct range {
    const char *open, *end; /* the opening brace, and the first character after the closing one */
    int digits;             /* number of digits of `from` */
    unsigned long from, to;
};

static bool find(const char *path, struct range *r)
{
    static const char digits[] = "0123456789";

    for (r->open = strchr(path, '{'); r->open; r->open = strchr(r->open + 1, '{')) {
        size_t first = strspn(r->open + 1, digits), second;
        const char *dots = r->open + 1 + first;

        if (!first || first > 9 || strncmp(dots, "..", 2) != 0)
            continue;
        second = strspn(dots + 2, digits);
        if (!second || second > 9 || dots[2 + second] != '}')
            continue;
        r->digits = (int)first;
        r->from = strtoul(r->open + 1, NULL, 10);
        r->to = strtoul(dots + 2, NULL, 10);
        r->end = dots + 3 + second;
        return true;
    }
    return false;
}

bool path_has_range(const char *path)
{
    struct range r;

    return find(path, &r);
}

size_t range_count(const char *path, struct text *why)
{
    struct range r;

    if (!find(path, &r))
        return 1;
    if (path_has_range(r.end))
        text_adds(why, "it has two ranges; give each part with its own --images");
    else if (r.to < r.from)
        text_addf(why, "its range goes down from %lu to %lu", r.from, r.to);
    else if (r.to - r.from >= MAX_ARCHIVES)
        text_addf(why, "its range has %lu archives; the limit is %d", r.to - r.from + 1,
                  (int)MAX_ARCHIVES);
    else
        return r.to - r.from + 1;
    return 0;
}

const char *range_path(const char *path, size_t i, struct arena *arena)
{
    struct range r;

    if (!find(path, &r))
        return path;
    return arena_printf(arena, "%.*s%0*lu%s", (int)(r.open - path), path, r.digits, r.from + i,
                        r.end);
}
