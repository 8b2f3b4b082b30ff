/* first_tiff: a TIFF's first page, the chain of its directories cut behind it (TIFF 6.0, BigTIFF).
 */
#include "first_frame.h"

#include <string.h>

enum {
    TAG_SUBFILE_TYPE = 254,
    REDUCED = 1,           /* a smaller version of another page */
    MASK = 4,              /* says where another page is transparent */
    MOST_DIRECTORIES = 64, /* looked at for a second page */
};

struct tiff {
    struct slice file;
    bool big_endian, big;
};

static uint64_t get(const struct tiff *t, size_t at, int bytes)
{
    uint64_t value = 0;

    for (int i = 0; i < bytes; i++)
        value = value << 8 | (uint8_t)t->file.at[at + (size_t)(t->big_endian ? i : bytes - 1 - i)];
    return value;
}

/* Is there room for this many bytes at `at`? */
static bool holds(const struct tiff *t, uint64_t at, uint64_t bytes)
{
    return at <= t->file.length && bytes <= t->file.length - at;
}

struct directory {
    size_t entries, n,
        next; /* where its entries are, how many, where the next one's place is told */
};

static bool directory_at(const struct tiff *t, uint64_t at, struct directory *d)
{
    uint64_t count = t->big ? 8 : 2, entry = t->big ? 20 : 12, n;

    if (!at || !holds(t, at, count))
        return false;
    n = get(t, (size_t)at, (int)count);
    if (n > t->file.length || !holds(t, at + count, n * entry + (t->big ? 8 : 4)))
        return false;
    *d = (struct directory){ (size_t)(at + count), (size_t)n, (size_t)(at + count + n * entry) };
    return true;
}

static uint64_t next_of(const struct tiff *t, const struct directory *d)
{
    return get(t, d->next, t->big ? 8 : 4);
}

/* Is it a page by itself? */
static bool is_page(const struct tiff *t, const struct directory *d)
{
    size_t entry = t->big ? 20 : 12, value = t->big ? 12 : 8;

    for (size_t i = 0; i < d->n; i++) {
        size_t at = d->entries + i * entry;

        if (get(t, at, 2) == TAG_SUBFILE_TYPE)
            return !(get(t, at + value, 4) & (REDUCED | MASK));
    }
    return true;
}

/* A chain may be a circle. */
static bool has_more_pages(const struct tiff *t, uint64_t at)
{
    struct directory d;

    for (int i = 0; i < MOST_DIRECTORIES && directory_at(t, at, &d); i++) {
        if (is_page(t, &d))
            return true;
        at = next_of(t, &d);
    }
    return false;
}

bool first_tiff(struct first_frame *f, struct text *why)
{
    struct tiff t = { .file = f->bytes };
    struct directory d;
    uint64_t next;

    t.big_endian = t.file.at[0] == 'M';
    t.big = t.file.at[t.big_endian ? 3 : 2] == '+';
    if (!holds(&t, 0, t.big ? 16 : 8) ||
        !directory_at(&t, get(&t, t.big ? 8 : 4, t.big ? 8 : 4), &d)) {
        text_adds(why, "the TIFF file has no whole directory");
        return false;
    }
    next = next_of(&t, &d);
    if (!next)
        return true;
    f->several = has_more_pages(&t, next);
    text_add(&f->own, t.file.at, t.file.length);
    memset(f->own.at + d.next, 0, t.big ? 8 : 4);
    return true;
}
