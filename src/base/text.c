/* text: text that grows, and words that are nearly another word. */
#include "base/text.h"

#include "base/arena.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void make_room(struct text *t, size_t more)
{
    if (t->room - t->length > more)
        return;
    t->room = 2 * t->room + more + 64;
    t->at = memory_grow(t->at, t->room);
}

void text_add(struct text *t, const void *bytes, size_t length)
{
    make_room(t, length);
    if (length)
        memcpy(t->at + t->length, bytes, length);
    t->length += length;
    t->at[t->length] = '\0';
}

char *text_room(struct text *t, size_t more)
{
    make_room(t, more);
    return t->at + t->length;
}

void text_grown(struct text *t, const char *end)
{
    t->length = (size_t)(end - t->at);
    t->at[t->length] = '\0';
}

void text_adds(struct text *t, const char *string)
{
    text_add(t, string, strlen(string));
}

void text_addc(struct text *t, char c)
{
    text_add(t, &c, 1);
}

void text_add_integer(struct text *t, int64_t number)
{
    uint64_t left = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    char digits[24], *end = digits + sizeof digits, *at = end;

    do
        *--at = (char)('0' + left % 10);
    while (left /= 10);
    if (number < 0)
        *--at = '-';
    text_add(t, at, (size_t)(end - at));
}

void text_addf(struct text *t, const char *format, ...)
{
    va_list args;
    int length;

    va_start(args, format);
    length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length < 0)
        return;
    make_room(t, (size_t)length);
    va_start(args, format);
    vsnprintf(t->at + t->length, (size_t)length + 1, format, args);
    va_end(args);
    t->length += (size_t)length;
}

void text_cut(struct text *t, size_t length)
{
    t->length = length;
    if (t->at)
        t->at[length] = '\0';
}

void text_clear(struct text *t)
{
    text_cut(t, 0);
}

void text_drop(struct text *t)
{
    free(t->at);
    *t = (struct text){ 0 };
}

const char *text_string(const struct text *t)
{
    return t->at ? t->at : "";
}

void text_add_json(struct text *t, const char *s, size_t length)
{
    text_addc(t, '"');
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)s[i];

        switch (c) {
        case '"':
            text_adds(t, "\\\"");
            break;
        case '\\':
            text_adds(t, "\\\\");
            break;
        case '\n':
            text_adds(t, "\\n");
            break;
        case '\t':
            text_adds(t, "\\t");
            break;
        case '\r':
            text_adds(t, "\\r");
            break;
        default:
            if (c < 0x20 || c == 0x7f)
                text_addf(t, "\\u%04x", c);
            else
                text_addc(t, (char)c);
        }
    }
    text_addc(t, '"');
}

/* The table of RFC 3629. */
size_t utf8_length(const char *at, const char *end)
{
    const unsigned char *p = (const unsigned char *)at;
    unsigned char low = 0x80, high = 0xbf;
    size_t length;

    if (*p < 0x80)
        return 1;
    if (*p >= 0xc2 && *p <= 0xdf)
        length = 2;
    else if (*p >= 0xe0 && *p <= 0xef)
        length = 3;
    else if (*p >= 0xf0 && *p <= 0xf4)
        length = 4;
    else
        return 0;
    if (*p == 0xe0)
        low = 0xa0; /* else it would be longer than it needs to be */
    else if (*p == 0xed)
        high = 0x9f; /* else a surrogate */
    else if (*p == 0xf0)
        low = 0x90;
    else if (*p == 0xf4)
        high = 0x8f; /* else above U+10FFFF */
    if ((size_t)(end - at) < length || p[1] < low || p[1] > high)
        return 0;
    for (size_t i = 2; i < length; i++)
        if (p[i] < 0x80 || p[i] > 0xbf)
            return 0;
    return length;
}

bool text_is_utf8(const char *s)
{
    for (const char *end = s + strlen(s); s < end;) {
        size_t length = utf8_length(s, end);

        if (!length)
            return false;
        s += length;
    }
    return true;
}

/* The code point of a character of so many bytes. */
static unsigned long code_point(const char *s, size_t bytes)
{
    unsigned long c = (unsigned char)s[0];

    if (bytes == 1)
        return c;
    c &= 0x7fU >> bytes;
    for (size_t i = 1; i < bytes; i++)
        c = c << 6 | ((unsigned char)s[i] & 0x3fU);
    return c;
}

bool text_is_control(const char *s, size_t length, size_t *bytes)
{
    unsigned long c;

    *bytes = utf8_length(s, s + length);
    if (!*bytes) {
        *bytes = 1;
        return true;
    }
    c = code_point(s, *bytes);
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x61c || c == 0x200e || c == 0x200f ||
           (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

void text_add_visible(struct text *t, const char *s, size_t length)
{
    size_t bytes;

    for (size_t i = 0; i < length; i += bytes) {
        if (!text_is_control(s + i, length - i, &bytes))
            text_add(t, s + i, bytes);
        else if (bytes == 1)
            text_addf(t, "\\x%02x", (unsigned char)s[i]);
        else
            text_addf(t, "\\u%04lx", code_point(s + i, bytes));
    }
}

size_t word_distance(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b), result;
    size_t *cells, *before, *last, *row;

    if (n > 64 || m > 64)
        return 64;
    cells = memory_take(3 * (m + 1) * sizeof *cells);
    before = cells;
    last = cells + (m + 1);
    row = cells + 2 * (m + 1);
    for (size_t j = 0; j <= m; j++) {
        before[j] = 0;
        last[j] = j;
    }
    for (size_t i = 1; i <= n; i++) {
        size_t *spare = before;

        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            int ca = tolower((unsigned char)a[i - 1]), cb = tolower((unsigned char)b[j - 1]);
            size_t best = last[j - 1] + (ca != cb);

            if (last[j] + 1 < best)
                best = last[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            if (i > 1 && j > 1 && ca == tolower((unsigned char)b[j - 2]) &&
                cb == tolower((unsigned char)a[i - 2]) && before[j - 2] + 1 < best)
                best = before[j - 2] + 1;
            row[j] = best;
        }
        before = last;
        last = row;
        row = spare;
    }
    result = last[m];
    free(cells);
    return result;
}

void nearest_try(struct nearest *n, const char *candidate)
{
    size_t length = strlen(n->word), allowed = length / 3 ? length / 3 : 1;
    size_t distance = word_distance(n->word, candidate);

    if (length >= 3 && distance > allowed && strncmp(n->word, candidate, length) == 0)
        distance = allowed;
    if (distance <= allowed && (!n->best || distance < n->distance)) {
        n->best = candidate;
        n->distance = distance;
    }
}

const char *nearest_hint(const struct nearest *n, struct arena *a)
{
    return n->best ? arena_printf(a, "; did you mean \"%s\"?", n->best) : "";
}

struct slice slice_trim(struct slice s)
{
    while (s.length && strchr(" \t\r", *s.at))
        s = (struct slice){ s.at + 1, s.length - 1 };
    while (s.length && strchr(" \t\r", s.at[s.length - 1]))
        s.length--;
    return s;
}
