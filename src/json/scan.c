/* scan: a strict, forward-only reader over JSON text (RFC 8259, RFC 3629). */
#include "scan.h"

#include "../base/number.h"
#include "../base/number_tiny.h"
#include "pass.h"
#include "plain.h"

#include <ctype.h>
#include <string.h>

enum { DEEPEST = 64 };

/* Numbers with more characters, or an exponent, may be too large for a double: looked at twice. */
enum { SURELY_FINITE = 300 };

struct scan scan_start(struct slice text, size_t at)
{
    return (struct scan){ .text = text, .at = at };
}

struct scan scan_again(struct slice text, size_t at)
{
    return (struct scan){ .text = text, .at = at, .known = true };
}

static bool fail_at(struct scan *s, size_t where, const char *code, const char *what)
{
    if (!s->code) {
        s->code = code;
        s->what = what;
        s->where = where;
    }
    return false;
}

bool scan_fail(struct scan *s, const char *code, const char *what)
{
    return fail_at(s, s->at, code, what);
}

static bool is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static char peek_beyond_space(struct scan *s)
{
    while (s->at < s->text.length && is_space(s->text.at[s->at]))
        s->at++;
    return s->at < s->text.length ? s->text.at[s->at] : '\0';
}

/* Past white space; '\0' at the end (and at a NUL, which no caller takes for anything else). */
static inline char peek(struct scan *s)
{
    if (s->at < s->text.length && (unsigned char)s->text.at[s->at] > ' ')
        return s->text.at[s->at];
    return peek_beyond_space(s);
}

char scan_peek(struct scan *s)
{
    return s->code ? '\0' : peek(s);
}

/* --- strings --- */

static bool is_plain(char c)
{
    return (unsigned char)c >= 0x20 && (unsigned char)c < 0x80 && c != '"' && c != '\\';
}

/* The top bit of those of eight bytes that are a quote, a backslash, a control character, or not
 * ASCII; right up to the first. */
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

/* The length of one character of more than a byte (the table of RFC 3629), 0 when it is wrong. */
static size_t utf8_length(const char *at, const char *end)
{
    const unsigned char *p = (const unsigned char *)at;
    unsigned char low = 0x80, high = 0xbf;
    size_t length;

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
        value = 16 * value + (is_digit((char)c) ? c - '0' : tolower(c) - 'a' + 10);
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
        return scan_fail(s, "json-syntax", "this is no escape that JSON knows");
    if (u == 0)
        return scan_fail(s, "json-nul", "a string must not hold the character U+0000");
    if (is_high_surrogate(u)) {
        if (end - p >= 11 && p[5] == '\\' && p[6] == 'u' && is_low_surrogate(hex4(p + 7, end)))
            return 12;
        return scan_fail(s, "json-utf8", "half of a surrogate pair is no character");
    }
    if (is_low_surrogate(u))
        return scan_fail(s, "json-utf8", "half of a surrogate pair is no character");
    return 6;
}

static bool fail_in_string(struct scan *s, size_t start)
{
    if (s->at >= s->text.length)
        return fail_at(s, start, "json-syntax", "this string is not closed");
    if (s->text.at[s->at] == '\0')
        return scan_fail(s, "json-nul", "a NUL byte");
    return scan_fail(s, "json-syntax", "control characters in a string must be escaped");
}

/* At the opening quote: past the closing one. */
static bool skip_string(struct scan *s)
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

static size_t utf8_put(unsigned long u, char to[4])
{
    if (u < 0x80) {
        to[0] = (char)u;
        return 1;
    }
    if (u < 0x800) {
        to[0] = (char)(0xc0 | u >> 6);
        to[1] = (char)(0x80 | (u & 0x3f));
        return 2;
    }
    if (u < 0x10000) {
        to[0] = (char)(0xe0 | u >> 12);
        to[1] = (char)(0x80 | (u >> 6 & 0x3f));
        to[2] = (char)(0x80 | (u & 0x3f));
        return 3;
    }
    to[0] = (char)(0xf0 | u >> 18);
    to[1] = (char)(0x80 | (u >> 12 & 0x3f));
    to[2] = (char)(0x80 | (u >> 6 & 0x3f));
    to[3] = (char)(0x80 | (u & 0x3f));
    return 4;
}

/* One byte or one escape of a string that was scanned before: 1 to 4 bytes. */
static size_t take_character(const char **at, const char *end, char to[4])
{
    static const char plain[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    const char *p = *at;
    long u;

    if (*p != '\\' || end - p < 2) {
        to[0] = *p;
        *at = p + 1;
        return 1;
    }
    if (p[1] != 'u') {
        const char *which = strchr(plain, p[1]);

        to[0] = which ? meant[which - plain] : p[1];
        *at = p + 2;
        return 1;
    }
    u = hex4(p + 2, end);
    *at = p + 6;
    if (is_high_surrogate(u)) {
        u = 0x10000 + ((u - 0xd800) << 10) + (hex4(p + 8, end) - 0xdc00);
        *at = p + 12;
    }
    return utf8_put((unsigned long)u, to);
}

struct slice scan_unescape(struct arena *arena, struct slice raw)
{
    const char *p = raw.at, *end = raw.at + raw.length;
    struct slice to;
    char *put;

    if (!raw.length || !memchr(raw.at, '\\', raw.length))
        return (struct slice){ arena_copy(arena, raw.at, raw.length), raw.length };
    put = arena_take(arena, raw.length + 4); /* an escape is never shorter than what it means */
    to.at = put;
    while (p < end)
        put += take_character(&p, end, put);
    *put = '\0';
    to.length = (size_t)(put - to.at);
    return to;
}

bool scan_is(struct slice name, const char *word)
{
    size_t length = strlen(word);
    const char *p = name.at, *end = name.at + name.length;

    if (name.length == length && memcmp(name.at, word, length) == 0)
        return true;
    if (name.length <= length || !memchr(name.at, '\\', name.length))
        return false; /* with an escape in it, it is longer than what it means */
    while (p < end) {
        char c[4];
        size_t n = take_character(&p, end, c);

        if (strncmp(word, c, n) != 0)
            return false;
        word += n;
    }
    return *word == '\0';
}

/* --- numbers and words --- */

static const char *skip_digits(const char *p, const char *end)
{
    while (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && end - p >= 8) {
        uint64_t others = number_others(number_load(p, end) ^ NUMBER_ZEROS);

        if (others)
            return p + __builtin_ctzll(others) / 8;
        p += 8;
    }
    while (p < end && is_digit(*p))
        p++;
    return p;
}

/* What is wrong with the text at p as a number; NULL when nothing is, and *past is behind it. */
static const char *number_problem(const char *p, const char *end, const char **past)
{
    const char *start = p, *digits;
    bool exponent = false;
    double value;

    if (p < end && *p == '-')
        p++;
    digits = p;
    p = skip_digits(p, end);
    if (p == digits)
        return "a digit was expected in this number";
    if (*digits == '0' && p - digits > 1)
        return "a number must not begin with 0";
    if (p < end && *p == '.') {
        digits = ++p;
        p = skip_digits(p, end);
        if (p == digits)
            return "a digit was expected behind the point of this number";
    }
    if (p < end && (*p == 'e' || *p == 'E')) {
        exponent = true;
        p++;
        if (p < end && (*p == '+' || *p == '-'))
            p++;
        digits = p;
        p = skip_digits(p, end);
        if (p == digits)
            return "a digit was expected in this number's exponent";
    }
    if (p < end && (isalnum((unsigned char)*p) || *p == '.' || *p == '+' || *p == '-'))
        return "this is no number as JSON has them";
    *past = p;
    if ((exponent || p - start > SURELY_FINITE) &&
        !number_scan((struct slice){ start, (size_t)(p - start) }, &value))
        return "this number is too large";
    return NULL;
}

/* What stands behind nearly all numbers of nearly all files. */
static bool ends_number(char c)
{
    return c == ',' || c == ']' || c == '}';
}

/* Digits, a point, digits, and then a comma or bracket. */
static bool skip_plain_number(struct scan *s)
{
    const char *start = s->text.at + s->at, *end = s->text.at + s->text.length, *p = start, *digits;

    if (*p == '-')
        p++;
    digits = p;
    p = skip_digits(p, end);
    if (p == digits || (*digits == '0' && p - digits > 1))
        return false;
    if (p < end && *p == '.') {
        digits = ++p;
        p = skip_digits(p, end);
        if (p == digits)
            return false;
    }
    if (p >= end || !ends_number(*p) || p - start > SURELY_FINITE)
        return false;
    s->at += (size_t)(p - start);
    return true;
}

static bool skip_number(struct scan *s)
{
    const char *start = s->text.at + s->at, *past;
    const char *problem;

    if (skip_plain_number(s))
        return true;
    problem = number_problem(start, s->text.at + s->text.length, &past);
    if (problem)
        return scan_fail(s, "json-number", problem);
    s->at += (size_t)(past - start);
    return true;
}

/* Past what follows in a list as long as it is a comma, a space or none, and a plain number. */
static void skip_plain_elements(struct scan *s)
{
    const char *text = s->text.at;

    if (s->at < s->text.length && text[s->at] == ',')
        s->at = (size_t)(plain_skip(text + s->at, text + s->text.length) - text);
    while (s->text.length - s->at > 2 && text[s->at] == ',') {
        size_t comma = s->at;

        s->at += text[comma + 1] == ' ' ? 2 : 1;
        if (!skip_plain_number(s)) {
            s->at = comma;
            break;
        }
    }
}

static struct slice rest(const struct scan *s)
{
    return (struct slice){ s->text.at + s->at, s->text.length - s->at };
}

static bool starts_with(struct slice text, const char *word)
{
    size_t length = strlen(word);

    return text.length >= length && memcmp(text.at, word, length) == 0;
}

/* No value begins here: say what may have been meant. */
static bool fail_value(struct scan *s)
{
    static const char *const numbers[] = { "NaN", "nan", "Inf", "inf", "+", "." };
    size_t before = s->at;

    if (s->at >= s->text.length) {
        while (before > 0 && is_space(s->text.at[before - 1]))
            before--;
        return scan_fail(s, "json-syntax",
                         before ? "a value was expected, but the text ends here"
                                : "there is nothing in this document");
    }
    if (s->text.at[s->at] == '\0')
        return scan_fail(s, "json-nul", "a NUL byte");
    if (s->at == 0 && starts_with(s->text, "\xef\xbb\xbf"))
        return scan_fail(s, "json-syntax",
                         "the file begins with a byte order mark, which JSON does not have");
    for (size_t i = 0; i < COUNTOF(numbers); i++)
        if (starts_with(rest(s), numbers[i]))
            return scan_fail(s, "json-number", "this is no number as JSON has them");
    return scan_fail(s, "json-syntax", "a value was expected");
}

static bool skip_word(struct scan *s, const char *word)
{
    size_t past = s->at + strlen(word);

    if (!starts_with(rest(s), word) ||
        (past < s->text.length && isalnum((unsigned char)s->text.at[past])))
        return fail_value(s);
    s->at = past;
    return true;
}

/* --- values --- */

static bool skip_value(struct scan *s)
{
    struct slice name;
    bool first = true;

    switch (peek(s)) {
    case '{':
        if (!scan_open(s, '{'))
            return false;
        while (scan_member(s, &first, &name))
            if (!skip_value(s))
                return false;
        return !s->code;
    case '[':
        if (!scan_open(s, '['))
            return false;
        while (scan_element(s, &first)) {
            if (!skip_value(s))
                return false;
            skip_plain_elements(s);
        }
        return !s->code;
    case '"':
        return skip_string(s);
    case '-':
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
    case '8':
    case '9':
        return skip_number(s);
    case 't':
        return skip_word(s, "true");
    case 'f':
        return skip_word(s, "false");
    case 'n':
        return skip_word(s, "null");
    default:
        return fail_value(s);
    }
}

/* Files can be changed while they are read. */
static bool pass_known(struct scan *s)
{
    const char *at = s->text.at + s->at, *end = s->text.at + s->text.length;
    const char *past = at < end ? pass_value(at, end) : NULL;

    if (!past)
        return scan_fail(s, "json-syntax", "this value does not end as it did");
    s->at = (size_t)(past - s->text.at);
    return true;
}

bool scan_value(struct scan *s, struct slice *value)
{
    size_t start;

    if (s->code)
        return false;
    peek(s);
    start = s->at;
    if (!(s->known ? pass_known(s) : skip_value(s)))
        return false;
    *value = (struct slice){ s->text.at + start, s->at - start };
    return true;
}

bool scan_open(struct scan *s, char bracket)
{
    if (s->code)
        return false;
    if (peek(s) != bracket)
        return scan_fail(s, "json-syntax",
                         bracket == '{' ? "an object was expected" : "a list was expected");
    if (s->depth >= DEEPEST)
        return scan_fail(s, "json-depth", "more than 64 lists and objects inside each other");
    s->depth++;
    s->at++;
    return true;
}

/* Is there another child? Then past the comma, else past the closing bracket. */
static bool next_child(struct scan *s, bool *first, char closing, const char *wanted)
{
    char c = peek(s);

    if (c == closing) {
        s->at++;
        s->depth--;
        return false;
    }
    if (*first) {
        *first = false;
        return true;
    }
    if (c != ',') {
        if (s->at < s->text.length && c == '\0')
            return scan_fail(s, "json-nul", "a NUL byte");
        return scan_fail(s, "json-syntax", wanted);
    }
    s->at++;
    if (peek(s) == closing)
        return scan_fail(s, "json-syntax", "nothing follows the last comma");
    return true;
}

bool scan_member(struct scan *s, bool *first, struct slice *name)
{
    size_t start;

    if (s->code || !next_child(s, first, '}', "a comma or } was expected"))
        return false;
    if (peek(s) != '"')
        return scan_fail(s, "json-syntax", "a name in double quotes was expected");
    start = s->at;
    if (!skip_string(s))
        return false;
    *name = (struct slice){ s->text.at + start + 1, s->at - start - 2 };
    if (peek(s) != ':')
        return scan_fail(s, "json-syntax", "a colon was expected");
    s->at++;
    peek(s);
    return true;
}

bool scan_element(struct scan *s, bool *first)
{
    if (s->code || !next_child(s, first, ']', "a comma or ] was expected"))
        return false;
    peek(s);
    return true;
}

bool scan_end(struct scan *s)
{
    if (s->code)
        return false;
    peek(s);
    if (s->at < s->text.length)
        return scan_fail(s, "json-syntax", "nothing was expected after the end of the document");
    return true;
}

/* --- typed --- */

static bool starts_number(struct scan *s)
{
    char c = scan_peek(s);

    return c == '-' || is_digit(c);
}

/* Past a number of this length, if what follows surely ends it: then it is not looked at twice. */
static bool past_number(struct scan *s, size_t length)
{
    size_t past = s->at + length;

    if (!length || (past < s->text.length && !ends_number(s->text.at[past])))
        return false;
    s->at = past;
    return true;
}

bool scan_number(struct scan *s, double *value)
{
    if (s->code)
        return false;
    if (!starts_number(s))
        return scan_fail(s, "json-number", "a number was expected");
    return past_number(s, number_scan(rest(s), value)) || skip_number(s);
}

bool scan_integer(struct scan *s, int64_t *value)
{
    size_t length, start;

    if (s->code)
        return false;
    if (!starts_number(s))
        return scan_fail(s, "json-number", "a whole number was expected");
    start = s->at;
    length = number_scan_integer(rest(s), value);
    if (past_number(s, length))
        return true;
    if (!skip_number(s))
        return false;
    if (length != s->at - start)
        return fail_at(s, start, "json-number", "a whole number within 2^53 was expected");
    return true;
}

bool scan_string(struct scan *s, struct arena *arena, struct slice *value)
{
    size_t start;

    if (s->code)
        return false;
    if (peek(s) != '"')
        return scan_fail(s, "json-syntax", "a string was expected");
    start = s->at;
    if (!skip_string(s))
        return false;
    *value = scan_unescape(arena, (struct slice){ s->text.at + start + 1, s->at - start - 2 });
    return true;
}

bool scan_flag(struct scan *s, bool *value)
{
    if (s->code)
        return false;
    *value = peek(s) == 't';
    if (*value)
        return skip_word(s, "true");
    if (peek(s) == 'f')
        return skip_word(s, "false");
    return scan_fail(s, "json-syntax", "true or false was expected");
}
