/* archive_pax: checks for tar headers that readers would understand in different ways. */
#include "batch/io/archive_pax.h"

#include "base/files.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK = 512, KIND = 156, SIZE = 124, SIZE_LENGTH = 12, MAX_BODY = 16 << 20, MAX_KEYS = 64 };

/* A record of an extended header, "LENGTH KEY=VALUE\n"; `length` counts the whole record. */
struct pax_record {
    struct slice key, value;
    size_t length;
};

/* Reads the number at the start into *n. Returns the count of its digits; 0: there are none, or the
 * number is too large. */
static size_t scan_digits(struct slice text, uint64_t *n)
{
    enum { MAX_DIGITS = 18 };
    size_t i = 0;

    for (*n = 0; i < text.length && text.at[i] >= '0' && text.at[i] <= '9'; i++) {
        if (i == MAX_DIGITS)
            return 0;
        *n = *n * 10 + (uint64_t)(text.at[i] - '0');
    }
    return i;
}

static bool scan_record(struct slice body, struct pax_record *r)
{
    uint64_t length;
    size_t digits = scan_digits(body, &length);
    const char *key = body.at + digits + 1, *equals, *end;

    if (!digits || length < digits + 4 || length > body.length || body.at[digits] != ' ')
        return false;
    end = body.at + length - 1;
    equals = memchr(key, '=', (size_t)(end - key));
    if (*end != '\n' || !equals || equals == key)
        return false;
    *r = (struct pax_record){ { key, (size_t)(equals - key) },
                              { equals + 1, (size_t)(end - equals - 1) },
                              (size_t)length };
    return true;
}

static bool is_key(struct slice key, const char *name)
{
    return key.length == strlen(name) && memcmp(key.at, name, key.length) == 0;
}

/* Returns the fault of a record; NULL if there is none. */
static const char *find_fault(const struct pax_record *r, bool global)
{
    bool path = is_key(r->key, "path") || is_key(r->key, "linkpath"), size = is_key(r->key, "size");
    uint64_t n;

    if (global && (path || size))
        return "is in a header for all files";
    if (path && (!r->value.length || memchr(r->value.at, '\0', r->value.length)))
        return "is empty or has a zero byte";
    if (size && (!r->value.length || scan_digits(r->value, &n) != r->value.length))
        return "is not a number";
    return NULL;
}

static bool complain(const struct pax_record *r, const char *fault, struct text *why)
{
    text_adds(why, "a pax header is malformed: its record '");
    text_add_visible(why, r->key.at, r->key.length);
    text_addf(why, "' %s", fault);
    return false;
}

static bool is_body_clear(struct slice body, bool global, struct text *name, struct text *why)
{
    struct slice keys[MAX_KEYS];
    size_t n = 0;

    while (body.length) {
        struct pax_record r;
        const char *fault;

        if (!scan_record(body, &r)) {
            text_adds(why, "a pax header is malformed: a record is not 'LENGTH KEY=VALUE'");
            return false;
        }
        fault = find_fault(&r, global);
        for (size_t i = 0; i < n && !fault; i++)
            if (keys[i].length == r.key.length && memcmp(keys[i].at, r.key.at, r.key.length) == 0)
                fault = "is repeated";
        if (n == MAX_KEYS)
            fault = "is in a header with more than 64 keys";
        if (fault)
            return complain(&r, fault, why);
        keys[n++] = r.key;
        if (is_key(r.key, "path")) {
            text_clear(name);
            text_add(name, r.value.at, r.value.length);
        }
        body.at += r.length;
        body.length -= r.length;
    }
    return true;
}

/* Reads a size field of tar: octal digits, or a binary number if the first bit is 1. */
static uint64_t scan_size(const char *header)
{
    const unsigned char *at = (const unsigned char *)header + SIZE;
    uint64_t n = 0;

    if (at[0] & 0x80) {
        for (int i = SIZE_LENGTH - 8; i < SIZE_LENGTH; i++)
            n = n << 8 | at[i];
        return n;
    }
    for (int i = 0; i < SIZE_LENGTH; i++)
        if (at[i] >= '0' && at[i] <= '7')
            n = n << 3 | (uint64_t)(at[i] - '0');
    return n;
}

static bool read_body(int fd, uint64_t at, uint64_t size, bool global, struct text *name,
                      struct text *why)
{
    char *body;
    bool good;

    if (size > MAX_BODY) {
        text_adds(why, "a pax header has more than 16 MB");
        return false;
    }
    body = memory_take((size_t)size + 1);
    good = file_read_all(fd, body, (size_t)size, at);
    if (!good)
        text_adds(why, errno_text());
    good = good && is_body_clear((struct slice){ body, (size_t)size }, global, name, why);
    free(body);
    return good;
}

bool pax_is_clear(int fd, uint64_t from, uint64_t to, struct text *name, struct text *why)
{
    char header[BLOCK];

    while (from < to && file_read_all(fd, header, sizeof header, from)) {
        char kind = header[KIND];
        uint64_t size = scan_size(header);

        if (!strchr("xgLKV", kind) || !kind || size > to - from)
            break;
        from += BLOCK;
        if ((kind == 'x' || kind == 'g') && !read_body(fd, from, size, kind == 'g', name, why))
            return false;
        from += (size + BLOCK - 1) / BLOCK * BLOCK;
    }
    return true;
}
