/* flip_names: which names of a list of keypoints change places in a mirror. */
#include "flip_names.h"

#include "../base/text.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* How a name may spell its side, the surest way first. */
enum spelling {
    SPELLING_WORD,   /* "left_eye", "leftEye", "lefteye": a word begins so */
    SPELLING_SHORT,  /* "lt_ear": a whole word */
    SPELLING_LETTER, /* "l_eye", "lEye", "forelegL1": a whole word */
    SPELLING_INSIDE, /* "eyeleft", but "bright" and "cleft" are other words: not alone */
    SPELLINGS
};

static const struct side {
    enum spelling spelling;
    const char *word, *other;
} sides[] = {
    { SPELLING_WORD, "left", "right" },
    { SPELLING_SHORT, "lt", "rt" },
    { SPELLING_SHORT, "lft", "rgt" },
    { SPELLING_LETTER, "l", "r" },
    { SPELLING_INSIDE, "left", "right" },
    { SPELLING_INSIDE, "link", "recht" },    /* German */
    { SPELLING_INSIDE, "gauche", "droite" }, /* French */
    { SPELLING_INSIDE, "gauche", "droit" },
    { SPELLING_INSIDE, "izquierd", "derech" }, /* Spanish */
    { SPELLING_INSIDE, "izq", "der" },
    { SPELLING_INSIDE, "sinistr", "destr" }, /* Italian */
    { SPELLING_INSIDE, "sx", "dx" },
    { SPELLING_INSIDE, "esquerd", "direit" },      /* Portuguese */
    { SPELLING_INSIDE, "lew", "praw" },            /* Polish */
    { SPELLING_INSIDE, "\u5de6", "\u53f3" },       /* Chinese, Japanese */
    { SPELLING_INSIDE, "\uc67c", "\uc624\ub978" }, /* Korean */
};

enum { MANY_NUMBERS = 16 };

/* --- words --- */

enum letters { SEPARATOR, DIGIT, LETTER };

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

/* Bytes beyond ASCII are letters. */
static enum letters letters_of(char c)
{
    if (c >= '0' && c <= '9')
        return DIGIT;
    return is_upper(c) || is_lower(c) || (unsigned char)c >= 0x80 ? LETTER : SEPARATOR;
}

/* "leftEye", "LEye": does a word begin at a letter that has a letter before it? */
static bool begins_word(const char *p)
{
    return is_upper(p[0]) && (is_lower(p[-1]) || (is_upper(p[-1]) && is_lower(p[1])));
}

static size_t word_length(const char *word)
{
    enum letters letters = letters_of(*word);
    size_t n = 0;

    if (letters == SEPARATOR)
        return 0;
    do
        n++;
    while (letters_of(word[n]) == letters && !begins_word(word + n));
    return n;
}

/* The next word from p on, of *length bytes; NULL after the last. */
static const char *next_word(const char *p, size_t *length)
{
    while (*p && letters_of(*p) == SEPARATOR)
        p++;
    *length = word_length(p);
    return *length ? p : NULL;
}

/* --- the other side's name --- */

/* Does a side stand at p, where a word of n bytes begins (n is 0 inside of a word)? The bytes that
 * it takes, and those to put there; 0 when none does. */
static size_t side_at(const char *p, size_t n, enum spelling spelling, const char **other)
{
    for (size_t i = 0; i < 2 * COUNTOF(sides); i++) {
        const struct side *side = &sides[i / 2];
        const char *word = i % 2 ? side->other : side->word;
        size_t length = strlen(word);
        bool fits = spelling == SPELLING_INSIDE ? true
                    : spelling == SPELLING_WORD ? n >= length
                                                : n == length;

        if (side->spelling != spelling || !fits || strncasecmp(p, word, length) != 0)
            continue;
        *other = i % 2 ? side->word : side->other;
        return length;
    }
    return 0;
}

/* Writes the name of the other side, with room for twice the name's length and 8 bytes. False when
 * the name has no side in this spelling. */
static bool other_name(const char *name, enum spelling spelling, char *to)
{
    size_t left = 0; /* bytes of the word that p is in */
    bool sided = false;

    for (const char *p = name; *p;) {
        size_t word = left ? 0 : word_length(p), taken;
        const char *other;

        left = left ? left : word;
        taken = word || spelling == SPELLING_INSIDE ? side_at(p, word, spelling, &other) : 0;
        if (taken) {
            to = stpcpy(to, other);
            sided = true;
        } else {
            *to++ = *p;
            taken = 1;
        }
        p += taken;
        left -= taken < left ? taken : left;
    }
    *to = '\0';
    return sided;
}

/* The surest spelling of a side that a name has; SPELLINGS when it has none. */
static enum spelling spelling_of(const char *name)
{
    char *other = memory_take(2 * strlen(name) + 8);
    enum spelling spelling = 0;

    while (spelling < SPELLINGS && !other_name(name, spelling, other))
        spelling++;
    free(other);
    return spelling;
}

/* --- letters that count --- */

static bool is_side_letter(char c)
{
    return c && strchr("lLrR", c);
}

/* Is the byte at name[i] a word of one letter? */
static bool is_lone_letter(const char *name, size_t i)
{
    bool begins = i == 0 || letters_of(name[i - 1]) != LETTER || begins_word(name + i);

    return begins && letters_of(name[i]) == LETTER && word_length(name + i) == 1;
}

/* Is b the name a, with another letter that is no side's in place of its words l and r? The
 * middle's, m or c, count as others only where a has no other word. */
static bool is_enumerated_by(const char *a, const char *b)
{
    size_t length, words = 0, enumerated = 0;

    if (strlen(a) != strlen(b))
        return false;
    for (const char *word = a; (word = next_word(word, &length)); word += length)
        words++;
    for (size_t i = 0; a[i]; i++) {
        if (!is_side_letter(a[i]) || !is_lone_letter(a, i)) {
            if (strncasecmp(a + i, b + i, 1) != 0)
                return false;
        } else if (!is_lone_letter(b, i) || is_side_letter(b[i]) ||
                   (words > 1 && strchr("mMcC", b[i]))) {
            return false;
        } else {
            enumerated++;
        }
    }
    return enumerated > 0;
}

static bool is_enumerated(const char *const *names, size_t n, size_t i)
{
    for (size_t j = 0; j < n; j++)
        if (is_enumerated_by(names[i], names[j]))
            return true;
    return false;
}

/* Do two names differ, and only by letters l and r? */
static bool differ_by_sides(const char *a, const char *b)
{
    bool differ = false;

    for (; *a && *b; a++, b++) {
        if (strncasecmp(a, b, 1) == 0)
            continue;
        if (!is_side_letter(*a) || !is_side_letter(*b))
            return false;
        differ = true;
    }
    return differ && !*a && !*b;
}

/* --- words that are nearly a side --- */

/* Is the text nearly the word, but not the word? One letter in three may be wrong. */
static bool is_near(const char *text, size_t length, const char *word)
{
    struct text copy = { 0 };
    size_t distance;

    text_add(&copy, text, length);
    distance = word_distance(text_string(&copy), word);
    text_drop(&copy);
    return letters_of(*word) == LETTER && (unsigned char)*word < 0x80 && distance &&
           distance <= strlen(word) / 3;
}

/* Is a name like another one, whose `length` bytes at `at` are a side, with the other side's word
 * in their place, but not quite? */
static bool is_misspelt_at(const char *name, const char *of, size_t at, size_t length,
                           const char *word)
{
    size_t n = strlen(name), behind = strlen(of) - at - length;

    return n > at + behind && strncasecmp(name, of, at) == 0 &&
           strcasecmp(name + n - behind, of + at + length) == 0 &&
           is_near(name + at, n - behind - at, word);
}

static bool is_misspelt(const char *name, const char *of)
{
    for (size_t at = 0; of[at]; at++)
        for (size_t i = 0; i < 2 * COUNTOF(sides); i++) {
            const struct side *side = &sides[i / 2];
            const char *word = i % 2 ? side->other : side->word;

            if (side->spelling == SPELLING_INSIDE &&
                strncasecmp(of + at, word, strlen(word)) == 0 &&
                is_misspelt_at(name, of, at, strlen(word), i % 2 ? side->word : side->other))
                return true;
        }
    return false;
}

/* --- pairing --- */

static bool is_other(const char *name, enum spelling spelling, const char *of)
{
    char *other = memory_take(2 * strlen(of) + 8);
    bool is = other_name(of, spelling, other) && strcasecmp(name, other) == 0;

    free(other);
    return is;
}

/* The first name without a partner that is the other side's of names[i]; n when there is none. A
 * side may have two others (gauche: droite, droit), which have but one. */
static size_t find_partner(const char *const *names, size_t n, size_t i, enum spelling spelling,
                           const enum spelling *surest, const struct flip_name *to)
{
    for (size_t j = 0; j < n; j++)
        if (j != i && to[j].side == FLIP_MIDDLE &&
            (surest[j] == spelling || spelling == SPELLING_INSIDE) &&
            (is_other(names[j], spelling, names[i]) || is_other(names[i], spelling, names[j])))
            return j;
    return n;
}

static void pair_spelling(const char *const *names, size_t n, enum spelling spelling,
                          const enum spelling *surest, struct flip_name *to)
{
    for (size_t i = 0; i < n; i++) {
        size_t j;

        if (to[i].side != FLIP_MIDDLE || (surest[i] != spelling && spelling != SPELLING_INSIDE))
            continue;
        j = find_partner(names, n, i, spelling, surest, to);
        if (j == n || find_partner(names, n, j, spelling, surest, to) != i)
            continue;
        to[i] = (struct flip_name){ FLIP_PAIRED, j, spelling >= SPELLING_LETTER };
        to[j] = (struct flip_name){ FLIP_PAIRED, i, spelling >= SPELLING_LETTER };
    }
}

/* What the names without a partner are. */
static void judge_rest(const char *const *names, size_t n, const enum spelling *surest,
                       struct flip_name *to)
{
    for (size_t i = 0; i < n; i++) {
        if (to[i].side != FLIP_MIDDLE)
            continue;
        for (size_t j = 0; j < n && to[i].side == FLIP_MIDDLE; j++)
            if (to[j].side != FLIP_PAIRED && differ_by_sides(names[i], names[j]))
                to[i] = (struct flip_name){ FLIP_UNSURE, j, false };
        for (size_t j = 0; j < n && to[i].side == FLIP_MIDDLE && surest[i] == SPELLING_INSIDE; j++)
            if (to[j].side == FLIP_MIDDLE && is_misspelt(names[j], names[i]))
                to[i] = (struct flip_name){ FLIP_UNSURE, j, false };
        if (to[i].side == FLIP_MIDDLE && surest[i] < SPELLING_INSIDE)
            to[i].side = FLIP_ALONE;
    }
}

void flip_names_pair(const char *const *names, size_t n, struct flip_name *to)
{
    enum spelling *surest = memory_take((n + 1) * sizeof *surest);

    for (size_t i = 0; i < n; i++) {
        to[i] = (struct flip_name){ FLIP_MIDDLE, i, false };
        surest[i] = spelling_of(names[i]);
        if (surest[i] == SPELLING_LETTER && is_enumerated(names, n, i))
            surest[i] = SPELLINGS;
    }
    for (enum spelling spelling = 0; spelling < SPELLINGS; spelling++)
        pair_spelling(names, n, spelling, surest, to);
    judge_rest(names, n, surest, to);
    free(surest);
}

/* The index of the first name that is the other side's of names[i], inside of a word; n when there
 * is none. */
static size_t find_other(const char *const *names, size_t n, size_t i)
{
    char *other = memory_take(2 * strlen(names[i]) + 8);
    size_t j = 0;

    other_name(names[i], SPELLING_INSIDE, other);
    while (j < n && strcasecmp(names[j], other) != 0)
        j++;
    free(other);
    return j;
}

size_t flip_names_sided(const char *const *names, size_t n, const char **sided)
{
    bool *has_side = memory_take((n + 1) * sizeof *has_side);
    size_t count = 0;

    memset(has_side, 0, n * sizeof *has_side);
    for (size_t i = 0; i < n; i++) {
        enum spelling surest = spelling_of(names[i]);
        size_t other;

        has_side[i] |=
            surest < SPELLING_LETTER || (surest == SPELLING_LETTER && !is_enumerated(names, n, i));
        if (surest != SPELLING_INSIDE || (other = find_other(names, n, i)) == n)
            continue;
        has_side[i] = has_side[other] = true;
    }
    for (size_t i = 0; i < n; i++)
        if (has_side[i])
            sided[count++] = names[i];
    free(has_side);
    return count;
}

/* --- names that name nothing --- */

/* A number or a single letter is among its words, or there is no word. */
static bool is_number(const char *name)
{
    const char *word = name;
    size_t length, words = 0;

    for (; (word = next_word(word, &length)); word += length, words++)
        if (letters_of(*word) == DIGIT || (length == 1 && letters_of(*word) == LETTER))
            return true;
    return words == 0;
}

static bool is_repeated(const char *const *names, size_t n, size_t i)
{
    for (size_t j = 0; j < n; j++)
        if (j != i && strcasecmp(names[i], names[j]) == 0)
            return true;
    return false;
}

/* Are two names the same but for their digits? */
static bool have_same_stem(const char *a, const char *b)
{
    for (;;) {
        a += strspn(a, "0123456789");
        b += strspn(b, "0123456789");
        if (!*a || strncasecmp(a, b, 1) != 0)
            return !*a && !*b;
        a++;
        b++;
    }
}

/* How many numbered names without a side share the stem of names[i], itself among them? */
static size_t count_alike(const char *const *names, size_t n, const struct flip_name *pairs,
                          size_t i)
{
    size_t alike = 0;

    for (size_t j = 0; j < n; j++)
        alike += pairs[j].side == FLIP_MIDDLE && strpbrk(names[j], "0123456789") &&
                 have_same_stem(names[i], names[j]);
    return alike;
}

size_t flip_names_unnamed(const char *const *names, size_t n, const struct flip_name *pairs)
{
    size_t nameless = 0;

    while (nameless < n && pairs[nameless].side == FLIP_MIDDLE &&
           (is_number(names[nameless]) || is_repeated(names, n, nameless)))
        nameless++;
    if (n > 1 && nameless == n)
        return 0;
    for (size_t i = 0; i + MANY_NUMBERS <= n; i++)
        if (pairs[i].side == FLIP_MIDDLE && strpbrk(names[i], "0123456789") &&
            count_alike(names, n, pairs, i) >= MANY_NUMBERS)
            return i;
    return n;
}
