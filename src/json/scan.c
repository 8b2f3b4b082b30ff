/* scan: a strict, forward-only reader over JSON text (RFC 8259, RFC 3629). */
#include "json/scan.h"

#include "base/number.h"
#include "base/number_tiny.h"
#include "json/skip_value.h"
#include "json/skip_numbers.h"
#include "json/scan_fault.h"
#include "json/scan_string.h"

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

/* Skips white space; returns '\0' at the end (and at a NUL, which no caller accepts). */
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

/* Returns the problem with the number at p, or NULL and sets *past to its end. */
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
        return "expected a digit in this number";
    if (*digits == '0' && p - digits > 1)
        return "a number must not begin with 0";
    if (p < end && *p == '.') {
        digits = ++p;
        p = skip_digits(p, end);
        if (p == digits)
            return "expected a digit after the point of this number";
    }
    if (p < end && (*p == 'e' || *p == 'E')) {
        exponent = true;
        p++;
        if (p < end && (*p == '+' || *p == '-'))
            p++;
        digits = p;
        p = skip_digits(p, end);
        if (p == digits)
            return "expected a digit in this number's exponent";
    }
    if (p < end && (isalnum((unsigned char)*p) || *p == '.' || *p == '+' || *p == '-'))
        return "not a JSON number";
    *past = p;
    if ((exponent || p - start > SURELY_FINITE) &&
        !number_scan((struct slice){ start, (size_t)(p - start) }, &value))
        return "this number is too large";
    return NULL;
}

/* True for the characters that follow nearly all numbers of nearly all files. */
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

/* Skips the rest of a list as long as it consists of a comma, at most one space, and a plain
 * number. */
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

static bool skip_word(struct scan *s, const char *word)
{
    size_t past = s->at + strlen(word);

    if (!starts_with(rest(s), word) ||
        (past < s->text.length && isalnum((unsigned char)s->text.at[past])))
        return scan_fail_value(s);
    s->at = past;
    return true;
}

/* Skips NaN or Infinity, if they are allowed. Returns false, without a problem, at anything else.
 */
static bool skip_nan_word(struct scan *s)
{
    static const char *const words[] = { "NaN", "Infinity", "-Infinity" };

    for (size_t i = 0; s->nan_words && i < COUNTOF(words); i++)
        if (starts_with(rest(s), words[i]))
            return skip_word(s, words[i]);
    return false;
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
        s->strings++;
        return scan_skip_string(s);
    case '-':
        return skip_nan_word(s) || skip_number(s);
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
        return skip_nan_word(s) || scan_fail_value(s);
    }
}

/* Files can be changed while they are read. */
static bool pass_known_value(struct scan *s)
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
    if (!(s->known ? pass_known_value(s) : skip_value(s)))
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
                         bracket == '{' ? "expected an object" : "expected a list");
    if (s->depth >= DEEPEST)
        return scan_fail(s, "json-depth", "lists and objects are nested more than 64 levels deep");
    s->depth++;
    s->at++;
    return true;
}

/* True if there is another child, after consuming the comma; else consumes the closing bracket. */
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
        return scan_fail(s, "json-syntax", "a trailing comma: nothing follows it");
    return true;
}

bool scan_member(struct scan *s, bool *first, struct slice *name)
{
    size_t start;

    if (s->code || !next_child(s, first, '}', "expected a comma or }"))
        return false;
    if (peek(s) != '"')
        return scan_fail(s, "json-syntax", "expected a name in double quotes");
    start = s->at;
    if (!scan_skip_string(s))
        return false;
    *name = (struct slice){ s->text.at + start + 1, s->at - start - 2 };
    if (peek(s) != ':')
        return scan_fail(s, "json-syntax", "expected a colon");
    s->at++;
    peek(s);
    return true;
}

bool scan_element(struct scan *s, bool *first)
{
    if (s->code || !next_child(s, first, ']', "expected a comma or ]"))
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
        return scan_fail(s, "json-syntax", "unexpected text after the end of the document");
    return true;
}

/* --- typed --- */

static bool starts_number(struct scan *s)
{
    char c = scan_peek(s);

    return c == '-' || is_digit(c);
}

/* Skips a number of this length, if the next byte certainly ends it: then the number is not scanned
 * twice. */
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
        return scan_fail(s, "json-number", "expected a number");
    return past_number(s, number_scan(rest(s), value)) || skip_number(s);
}

bool scan_integer(struct scan *s, int64_t *value)
{
    size_t length, start;

    if (s->code)
        return false;
    if (!starts_number(s))
        return scan_fail(s, "json-number", "expected an integer");
    start = s->at;
    length = number_scan_integer(rest(s), value);
    if (past_number(s, length))
        return true;
    if (!skip_number(s))
        return false;
    if (length == s->at - start)
        return true;
    s->at = start;
    return scan_fail(s, "json-number", "expected an integer within 2^53");
}

bool scan_string(struct scan *s, struct arena *arena, struct slice *value)
{
    size_t start;

    if (s->code)
        return false;
    if (peek(s) != '"')
        return scan_fail(s, "json-syntax", "expected a string");
    start = s->at;
    if (!scan_skip_string(s))
        return false;
    *value = scan_unescape(arena, (struct slice){ s->text.at + start + 1, s->at - start - 2 });
    return true;
}
