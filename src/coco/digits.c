/* digits: numbers that did not change keep the digits that the source has. */
#include "digits.h"

#include "../base/number.h"

#include <string.h>

/* Are there numbers that are printed otherwise: 2.0, 1e2, or more digits than a double has? */
static bool has_odd_digits(struct slice text)
{
    enum { MOST_DIGITS = 16 };
    size_t length = 0;
    bool point = false;

    for (size_t i = 0; i < text.length; i++) {
        char c = text.at[i];

        if (c == 'e' || c == 'E' || c == '.' || (c >= '0' && c <= '9')) {
            point |= c == '.';
            if (++length > MOST_DIGITS || c == 'e' || c == 'E')
                return true;
            continue;
        }
        if (point && text.at[i - 1] == '0')
            return true;
        point = false;
        length = 0;
    }
    return point && text.length && text.at[text.length - 1] == '0';
}

/* From `at`, outside of strings: where the next number begins; the end where there is none. */
static size_t next_number(struct slice text, size_t at)
{
    bool quoted = false;

    for (; at < text.length; at++) {
        char c = text.at[at];

        if (quoted && c == '\\')
            at++;
        else if (c == '"')
            quoted = !quoted;
        else if (!quoted && (c == '-' || (c >= '0' && c <= '9')))
            return at;
    }
    return text.length;
}

/* How many of the first eight characters are a digit, a point or a minus, all of them at once. */
static size_t count_plain(const char *eight)
{
    const uint64_t each = 0x0101010101010101, high = 0x80 * each;
    uint64_t text, outside;

    memcpy(&text, eight, sizeof text);
    if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__)
        text = __builtin_bswap64(text);
    /* No sum and no difference of two bytes reaches into the next one. */
    outside =
        (text | ((text & ~high) + (0x7f - '9') * each) | ~((text | high) - '-' * each)) & high;
    return outside ? (size_t)__builtin_ctzll(outside) / 8 : 8;
}

/* How many characters of a number there are, without reading it. *exponent: whether it has one. */
static size_t number_length(struct slice text, bool *exponent)
{
    size_t n = 0, plain = 8;

    for (; plain == 8 && text.length - n >= 8; n += plain)
        plain = count_plain(text.at + n);
    for (*exponent = false; n < text.length; n++) {
        char c = text.at[n];

        if (c == 'e' || c == 'E')
            *exponent = true;
        else if (c != '-' && c != '+' && c != '.' && (c < '0' || c > '9'))
            break;
    }
    return n;
}

static struct slice rest(struct slice text, size_t at)
{
    return (struct slice){ text.at + at, text.length - at };
}

void coco_keep_digits(struct slice source, size_t from, struct text *text)
{
    struct text printed = { 0 };
    struct slice now;
    size_t at = 0, there = 0, done = 0, length, length_there;
    double value, value_there;
    bool exponent, exponent_there;

    if (!has_odd_digits(source))
        return;
    text_add(&printed, text->at + from, text->length - from);
    text_cut(text, from);
    now = (struct slice){ printed.at, printed.length };
    for (;;) {
        at = next_number(now, at);
        there = next_number(source, there);
        if (at == now.length || there == source.length)
            break;
        /* What is printed is as short as its value can be said: a shorter one has another. */
        length = number_length(rest(now, at), &exponent);
        length_there = number_length(rest(source, there), &exponent_there);
        if (!exponent_there && length_there < length) {
            at += length;
            there += length_there;
            continue;
        }
        length = number_scan(rest(now, at), &value);
        length_there = number_scan(rest(source, there), &value_there);
        if (!length || !length_there)
            break;
        if (value == value_there) {
            text_add(text, now.at + done, at - done);
            text_add(text, source.at + there, length_there);
            done = at + length;
        }
        at += length;
        there += length_there;
    }
    text_add(text, now.at + done, now.length - done);
    text_drop(&printed);
}
