/* keep_number_text: numbers that did not change keep the digits that the source has. */
#include "labels/coco/keep_number_text.h"

#include "base/number.h"
#include "base/number_bits.h"

#include <string.h>

/* True if the text has numbers that would be printed differently: 2.0, 1e2, or more digits than a
 * double has. */
static bool has_odd_digits(struct slice text)
{
    enum { MAX_DIGITS = 16 };
    size_t length = 0;
    bool point = false;

    for (size_t i = 0; i < text.length; i++) {
        char c = text.at[i];

        if (c == 'e' || c == 'E' || c == '.' || (c >= '0' && c <= '9')) {
            point |= c == '.';
            if (++length > MAX_DIGITS || c == 'e' || c == 'E')
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

/* Returns the start of the next number from `at`, which is outside strings; the end if there is
 * none. */
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

static void keep_any(struct slice source, size_t from, struct text *text)
{
    struct text printed = { 0 };
    struct slice now;
    size_t at = 0, there = 0, done = 0, length, length_there;
    double value, value_there;
    bool exponent, exponent_there;

    text_add(&printed, text->at + from, text->length - from);
    text_cut(text, from);
    now = (struct slice){ printed.at, printed.length };
    for (;;) {
        at = next_number(now, at);
        there = next_number(source, there);
        if (at == now.length || there == source.length)
            break;
        /* The printed number is the shortest with its value: a shorter number has another value. */
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

/* --- lists of nothing but short numbers, which most sources are --- */

__extension__ typedef unsigned __int128 uint128;

/* Characters. A printed number that is longer than the source's has another value; see keep_any. */
enum { SHORT = 11 };

/* The numbers of a text, a block at a time. */
struct list_scan {
    struct slice text;
    size_t at, before;  /* of the block: where, and how many numbers began before it */
    uint64_t is, after; /* characters of numbers in it, and in the next block */
    uint64_t begins;    /* the first of each */
    bool listed;        /* so far there is nothing but numbers and lists */
};

/* Which of a block's characters are of numbers, and which are not, but are of lists. */
struct characters {
    uint64_t of_numbers, others;
};

#ifdef CPU_HAS_INTRINSICS

FOR_AVX512_VBMI2 static struct characters characters_at_once(const char *at, const char *end)
{
    __m512i text = number_block(at, end);
    __m512i far = _mm512_sub_epi8(text, _mm512_set1_epi8('-'));
    __mmask64 low = _mm512_cmple_epu8_mask(text, _mm512_set1_epi8(','));

    return (struct characters){ _mm512_cmple_epu8_mask(far, _mm512_set1_epi8('9' - '-')),
                                (low & ~number_block_equal(text, '"')) |
                                    number_block_equal(text, '[') | number_block_equal(text, ']') };
}

#else

static struct characters characters_at_once(const char *at, const char *end)
{
    (void)at, (void)end;
    return (struct characters){ 0 };
}

#endif

static struct characters characters_of(const char *at, const char *end)
{
    char tail[BLOCK] = { 0 };
    uint64_t low;

    if (cpu_has_feature(CPU_AVX512_VBMI2))
        return characters_at_once(at, end);
    if (end - at < BLOCK)
        at = memcpy(tail, at, (size_t)(end - at));
    low = block_within(at, 0, ',') & ~block_find(at, '"', 0);
    return (struct characters){ block_within(at, '-', '9'),
                                low | block_find(at, '_', '[' ^ ']') }; /* as both become */
}

static void load_next_block(struct list_scan *k, size_t at)
{
    struct characters c;

    k->after = 0;
    if (at >= k->text.length)
        return;
    c = characters_of(k->text.at + at, k->text.at + k->text.length);
    k->after = c.of_numbers;
    k->listed &= !~(c.of_numbers | c.others);
}

static void take_block(struct list_scan *k, uint64_t last)
{
    k->is = k->after;
    k->begins = k->is & ~(k->is << 1 | last);
    load_next_block(k, k->at + BLOCK);
}

static struct list_scan list_scan_start(struct slice text)
{
    struct list_scan k = { .text = text, .listed = true };

    load_next_block(&k, 0);
    take_block(&k, 0);
    return k;
}

static void go_to_next_block(struct list_scan *k)
{
    k->before += (size_t)__builtin_popcountll(k->begins);
    k->at += BLOCK;
    take_block(k, k->is >> 63);
}

/* Returns those starts of numbers that are at most SHORT long. */
static uint64_t short_ones(const struct list_scan *k)
{
    uint128 all = (uint128)k->after << BLOCK | k->is;

    all &= all >> 1;
    all &= all >> 2;
    all &= all >> 4;
    all &= all >> (SHORT + 1 - 8);
    return k->begins & ~(uint64_t)all;
}

static bool is_short_list(struct slice text)
{
    struct list_scan k = list_scan_start(text);

    for (; k.listed && k.at < text.length; go_to_next_block(&k))
        if (k.begins & ~short_ones(&k))
            return false;
    return k.listed;
}

/* Advances to number n of the source. False if there are fewer. */
static bool find_number(struct list_scan *k, size_t n, struct slice *from)
{
    uint64_t begins;

    while (k->at < k->text.length && n - k->before >= (size_t)__builtin_popcountll(k->begins))
        go_to_next_block(k);
    if (k->at >= k->text.length)
        return false;
    begins = k->begins;
    for (size_t i = k->before; i < n; i++)
        begins &= begins - 1;
    *from = rest(k->text, k->at + (size_t)__builtin_ctzll(begins));
    return true;
}

/* True if the printed number equals the source's number, but with other digits. */
static bool loses_digits(struct slice now, struct slice source)
{
    double value, value_there;
    size_t length = number_scan(now, &value), there = number_scan(source, &value_there);

    return length && there && value == value_there &&
           (length != there || memcmp(now.at, source.at, length) != 0);
}

/* True if there is certainly no number whose digits must be kept. */
static bool finds_none(struct slice source, struct slice now)
{
    struct list_scan k = list_scan_start(now), there = list_scan_start(source);

    for (; k.listed && k.at < now.length; go_to_next_block(&k)) {
        uint64_t some = short_ones(&k);

        for (; some; some &= some - 1) {
            int bit = __builtin_ctzll(some);
            size_t n = k.before + (size_t)__builtin_popcountll(k.begins & ((1ull << bit) - 1));
            struct slice from;

            if (!find_number(&there, n, &from))
                break;
            if (loses_digits(rest(now, k.at + (size_t)bit), from))
                return false;
        }
    }
    return k.listed;
}

static bool is_object(struct slice text)
{
    return text.length && *text.at == '{';
}

void coco_keep_digits(struct slice source, size_t from, struct text *text)
{
    struct slice now = { text->at + from, text->length - from };

    if (is_object(source) != is_object(now) || (is_short_list(source) && finds_none(source, now)))
        return;
    if (has_odd_digits(source))
        keep_any(source, from, text);
}
