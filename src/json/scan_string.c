/* scan_string: strings of JSON text. The scanner checks them (RFC 8259, RFC 3629) and knows the
 * positions of errors. cJSON decodes strings with escapes, and gets only strings that were checked.
 */
#include "json/scan_string.h"

#include <cJSON.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* --- checking --- */

static bool is_plain(char c)
{
    return (unsigned char)c >= 0x20 && (unsigned char)c < 0x80 && c != '"' && c != '\\';
}

/* Returns the top bit of each of eight bytes that is a quote, a backslash, a control character, or
 * not ASCII. Correct up to the first one. */
static uint64_t find_special(uint64_t w)
{
    const uint64_t ones = 0x0101010101010101, high = ones << 7;
    uint64_t quote = w ^ ones * '"', backslash = w ^ ones * '\\';

    return (w | ((w - ones * 0x20) & ~w) | ((quote - ones) & ~quote) |
            ((backslash - ones) & ~backslash)) &
           high;
}

static inline const char *skip_plain(const char *p, const char *end)
{
    while (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && end - p >= 8) {
        uint64_t w, special;

        memcpy(&w, p, 8);
        special = find_special(w);
        if (special)
            return p + __builtin_ctzll(special) / 8;
        p += 8;
    }
    while (p < end && is_plain(*p))
        p++;
    return p;
}

/* Four hexadecimal digits, or -1. */
static long hex4(const char *p, const char *end)
{
    long value = 0;

    if (end - p < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        int c = (unsigned char)p[i];

        if (!isxdigit(c))
            return -1;
        value = 16 * value + (isdigit(c) ? c - '0' : tolower(c) - 'a' + 10);
    }
    return value;
}

static bool is_high_surrogate(long u)
{
    return u >= 0xd800 && u <= 0xdbff;
}

static bool is_low_surrogate(long u)
{
    return u >= 0xdc00 && u <= 0xdfff;
}

/* The length of an escape whose backslash is at s->at; 0 on a problem. */
static size_t escape_length(struct scan *s)
{
    const char *p = s->text.at + s->at + 1, *end = s->text.at + s->text.length;
    long u;

    if (p < end && *p && strchr("\"\\/bfnrt", *p))
        return 2;
    if (p >= end || *p != 'u' || (u = hex4(p + 1, end)) < 0)
        return scan_fail(s, "json-syntax", "JSON does not have this escape");
    if (u == 0)
        return scan_fail(s, "json-nul", "a string must not contain the character U+0000");
    if (is_high_surrogate(u)) {
        if (end - p >= 11 && p[5] == '\\' && p[6] == 'u' && is_low_surrogate(hex4(p + 7, end)))
            return 12;
        return scan_fail(s, "json-utf8", "half of a surrogate pair is not a character");
    }
    if (is_low_surrogate(u))
        return scan_fail(s, "json-utf8", "half of a surrogate pair is not a character");
    return 6;
}

static bool fail_in_string(struct scan *s, size_t start)
{
    if (s->at >= s->text.length) {
        s->at = start;
        return scan_fail(s, "json-syntax", "this string is not closed");
    }
    if (s->text.at[s->at] == '\0')
        return scan_fail(s, "json-nul", "a NUL byte");
    return scan_fail(s, "json-syntax", "control characters in a string must be escaped");
}

bool scan_skip_string(struct scan *s)
{
    const char *text = s->text.at, *end = text + s->text.length;
    size_t start = s->at++;

    for (;;) {
        size_t length;

        s->at = (size_t)(skip_plain(text + s->at, end) - text);
        if (s->at >= s->text.length)
            return fail_in_string(s, start);
        if (text[s->at] == '"')
            break;
        if (text[s->at] == '\\')
            length = escape_length(s);
        else if ((unsigned char)text[s->at] < 0x20)
            return fail_in_string(s, start);
        else
            length = utf8_length(text + s->at, end);
        if (!length)
            return s->code ? false : scan_fail(s, "json-utf8", "this byte is not valid UTF-8");
        s->at += length;
    }
    s->at++;
    return true;
}

/* --- what they mean --- */

/* A string with escapes, which was scanned before, by cJSON; NULL if it has changed since. */
static cJSON *decode(struct slice raw)
{
    cJSON_InitHooks(&(cJSON_Hooks){ memory_take, free });
    return cJSON_ParseWithLength(raw.at - 1, raw.length + 2); /* with its quotes */
}

struct slice scan_unescape(struct arena *arena, struct slice raw)
{
    struct slice to = raw;
    cJSON *decoded = NULL;

    if (raw.length && memchr(raw.at, '\\', raw.length))
        decoded = decode(raw);
    if (cJSON_IsString(decoded))
        to = (struct slice){ decoded->valuestring, strlen(decoded->valuestring) };
    to.at = arena_copy(arena, to.at, to.length);
    cJSON_Delete(decoded);
    return to;
}

bool scan_equals(struct slice name, const char *word)
{
    size_t length = strlen(word);
    cJSON *decoded;
    bool same;

    if (name.length == length && memcmp(name.at, word, length) == 0)
        return true;
    if (name.length <= length || !memchr(name.at, '\\', name.length))
        return false; /* an escape is longer than the character it encodes */
    decoded = decode(name);
    same = cJSON_IsString(decoded) && strcmp(decoded->valuestring, word) == 0;
    cJSON_Delete(decoded);
    return same;
}

void json_versions(struct text *out)
{
    text_addf(out, "cJSON %s\n", cJSON_Version());
}
