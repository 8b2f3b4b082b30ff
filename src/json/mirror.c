/* mirror: which names of a list change places when left and right do. */
#include "mirror.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* How a name may say its side, the surest first. */
enum saying {
    SAYING_WORDS,   /* "left_eye", "leftEye", "l_eye", "lEye", "lefteye" */
    SAYING_ENDS,    /* "eyeleft": but "bright" and "cleft" are other words */
    SAYING_LETTERS, /* "leye", "eyel" */
    SAYINGS
};

static const struct {
    const char *word, *other;
    bool letter; /* means a side only as the first or last word */
} sides[] = {
    { "left", "right", false },
    { "right", "left", false },
    { "l", "r", true },
    { "r", "l", true },
};

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

static bool is_separator(char c)
{
    return !c || strchr("_-. ", c);
}

/* "leftEye", "LEye": does a word begin at p, which is not the begin of all? */
static bool begins_word(const char *p)
{
    return is_upper(p[0]) && (is_lower(p[-1]) || (is_upper(p[-1]) && is_lower(p[1])));
}

static size_t word_length(const char *word)
{
    size_t n = 0;

    if (is_separator(*word))
        return 0;
    do
        n++;
    while (!is_separator(word[n]) && !begins_word(word + n));
    return n;
}

/* What stands for a side in a word: `length` bytes from `at`. NULL when nothing does. */
static const char *other_side(const char *name, const char *word, size_t n, enum saying saying,
                              size_t *at, size_t *length)
{
    bool first = word == name, last = !word[n];

    for (size_t i = 0; i < COUNTOF(sides); i++) {
        size_t k = strlen(sides[i].word);
        bool begins = k <= n && strncasecmp(word, sides[i].word, k) == 0;
        bool ends = k <= n && strncasecmp(word + n - k, sides[i].word, k) == 0;
        bool whole = k == n && (!sides[i].letter || first != last);

        *length = k;
        *at = saying == SAYING_WORDS || (saying == SAYING_LETTERS && begins && first) ? 0 : n - k;
        if (saying == SAYING_WORDS     ? begins && (whole || !sides[i].letter)
            : saying == SAYING_ENDS    ? ends && !sides[i].letter
            : sides[i].letter && n > 1 ? (begins && first) || (ends && last)
                                       : false)
            return sides[i].other;
    }
    return NULL;
}

/* The name on the other side, into at least twice the name's room; false when it has no side. */
static bool other_name(const char *name, enum saying saying, char *to)
{
    const char *p = name;
    bool sided = false;

    while (*p) {
        size_t n = word_length(p), at, length;
        const char *other = n ? other_side(name, p, n, saying, &at, &length) : NULL;

        if (!n) {
            *to++ = *p++;
            continue;
        }
        if (!other)
            at = n, length = 0, other = "";
        memcpy(to, p, at);
        to = stpcpy(to + at, other);
        memcpy(to, p + at + length, n - at - length);
        to += n - at - length;
        p += n;
        sided = sided || length;
    }
    *to = '\0';
    return sided;
}

/* The first name that is the other side's; n when there is none or names[i] has no side. */
static size_t find_partner(const char *const *names, size_t n, size_t i, enum saying saying,
                           bool *sided)
{
    char *other = memory_take(2 * strlen(names[i]) + 8);
    size_t found = n;

    *sided = other_name(names[i], saying, other);
    for (size_t j = 0; *sided && j < n && found == n; j++)
        if (strcasecmp(names[j], other) == 0)
            found = j;
    free(other);
    return found;
}

enum mirror_side mirror_of_name(const char *const *names, size_t n, size_t i, size_t *partner)
{
    for (enum saying saying = 0; saying < SAYINGS; saying++) {
        bool sided, back;
        size_t j = find_partner(names, n, i, saying, &sided);

        *partner = j;
        if (j < n && j != i && find_partner(names, n, j, saying, &back) == i)
            return saying == SAYING_LETTERS ? MIRROR_UNSURE : MIRROR_PAIRED;
        *partner = i;
        if (sided && saying == SAYING_WORDS)
            return MIRROR_ALONE;
    }
    return MIRROR_MIDDLE;
}
