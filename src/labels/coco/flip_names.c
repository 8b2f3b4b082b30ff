/* flip_names: finds the names in a list of keypoints that swap in a mirror. */
#include "labels/coco/flip_names.h"

#include "base/text.h"

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

/* Finds a side at p, where a word of n bytes begins (n is 0 inside a word). Returns its length, and
 * in `other` the opposite side; 0 if there is none. */
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

/* Returns the most certain spelling of a side in a name; SPELLINGS if it has none. */
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

/* True if the byte at name[i] is a word of one letter. */
static bool is_lone_letter(const char *name, size_t i)
{
    bool begins = i == 0 || letters_of(name[i - 1]) != LETTER || begins_word(name + i);

    return begins && letters_of(name[i]) == LETTER && word_length(name + i) == 1;
}

/* A name and the text that it is compared by. */
struct key {
    char *text;
    size_t index; /* of the name */
};

static int by_text(const void *a, const void *b)
{
    const struct key *x = a, *y = b;
    int order = strcasecmp(x->text, y->text);

    return order ? order : (x->index > y->index) - (x->index < y->index);
}

/* Returns the first of the sorted keys with this text; NULL if there is none. */
static const struct key *find_key(const struct key *keys, size_t n, const char *text)
{
    size_t low = 0, high = n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (strcasecmp(keys[middle].text, text) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && strcasecmp(keys[low].text, text) == 0 ? &keys[low] : NULL;
}

static void drop_keys(struct key *keys, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free(keys[i].text);
    free(keys);
}

/* The slots of a name are its words l and r. A text, one byte longer than the name, has SLOT for
 * each. Its first byte says whether the name has other words. */
enum { SLOT = '!', OTHER = '.', ONE_WORD = '1', MORE_WORDS = '2' };

static char *slots_of(const char *name)
{
    size_t length, words = 0, n = strlen(name);
    char *slots = memory_take(n + 2);

    for (const char *word = name; (word = next_word(word, &length)); word += length)
        words++;
    slots[0] = words > 1 ? MORE_WORDS : ONE_WORD;
    for (size_t i = 0; i < n; i++)
        slots[i + 1] = is_side_letter(name[i]) && is_lone_letter(name, i) ? SLOT : OTHER;
    slots[n + 1] = '\0';
    return slots;
}

/* True if a name of the same length has letters that are no side's in all slots. The middle's, m or
 * c, count as such only where there is no other word. */
static bool fills_slots(const char *name, const char *slots)
{
    for (size_t i = 0; name[i]; i++)
        if (slots[i + 1] == SLOT && (!is_lone_letter(name, i) || is_side_letter(name[i]) ||
                                     (*slots == MORE_WORDS && strchr("mMcC", name[i]))))
            return false;
    return strchr(slots, SLOT);
}

/* The name without what is in its slots. */
static char *empty_slots(const char *name, const char *slots)
{
    size_t n = strlen(name);
    char *text = memory_take(n + 1);

    for (size_t i = 0; i <= n; i++)
        text[i] = slots[i + 1] == SLOT ? SLOT : name[i];
    return text;
}

/* Takes the side from each name of a group with the same slots that another name enumerates. */
static void drop_group(const char *const *names, size_t n, const struct key *group, size_t n_group,
                       enum spelling *surest)
{
    const char *slots = group[0].text;
    struct key *others = memory_take((n + 1) * sizeof *others);
    size_t length = strlen(slots) - 1, n_others = 0;

    for (size_t i = 0; i < n; i++)
        if (strlen(names[i]) == length && fills_slots(names[i], slots))
            others[n_others++] = (struct key){ empty_slots(names[i], slots), i };
    qsort(others, n_others, sizeof *others, by_text);
    for (size_t i = 0; i < n_group && n_others; i++) {
        char *text = empty_slots(names[group[i].index], slots);

        if (find_key(others, n_others, text))
            surest[group[i].index] = SPELLINGS;
        free(text);
    }
    drop_keys(others, n_others);
}

/* Takes the side from each name whose side is a letter if another name has another letter there
 * that is no side's: point_a, point_l. */
static void drop_enumerated(const char *const *names, size_t n, enum spelling *surest)
{
    struct key *keys = memory_take((n + 1) * sizeof *keys);
    size_t n_keys = 0;

    for (size_t i = 0; i < n; i++)
        if (surest[i] == SPELLING_LETTER)
            keys[n_keys++] = (struct key){ slots_of(names[i]), i };
    qsort(keys, n_keys, sizeof *keys, by_text);
    for (size_t i = 0, end; i < n_keys; i = end) {
        for (end = i + 1; end < n_keys && strcmp(keys[i].text, keys[end].text) == 0;)
            end++;
        drop_group(names, n, keys + i, end - i, surest);
    }
    drop_keys(keys, n_keys);
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

/* True if the text is a misspelling of the word, but not the word. One letter in three may differ.
 */
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

/* True if a name is a misspelling of another name with its side, `length` bytes at `at`, replaced
 * by the opposite side. */
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

/* Classifies the names without a partner. */
static void classify_unpaired(const char *const *names, size_t n, const enum spelling *surest,
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
    }
    drop_enumerated(names, n, surest);
    for (enum spelling spelling = 0; spelling < SPELLINGS; spelling++)
        pair_spelling(names, n, spelling, surest, to);
    classify_unpaired(names, n, surest, to);
    free(surest);
}

/* For each name whose side is inside of a word: it and the first name that is the other side's. */
static void mark_inside(const char *const *names, size_t n, const enum spelling *surest,
                        bool *has_side)
{
    struct key *keys = memory_take((n + 1) * sizeof *keys);

    for (size_t i = 0; i < n; i++)
        keys[i] = (struct key){ (char *)(uintptr_t)names[i], i };
    qsort(keys, n, sizeof *keys, by_text);
    for (size_t i = 0; i < n; i++) {
        const struct key *found;
        char *other;

        if (surest[i] != SPELLING_INSIDE)
            continue;
        other = memory_take(2 * strlen(names[i]) + 8);
        other_name(names[i], SPELLING_INSIDE, other);
        found = find_key(keys, n, other);
        if (found)
            has_side[i] = has_side[found->index] = true;
        free(other);
    }
    free(keys);
}

size_t flip_names_sided(const char *const *names, size_t n, const char **sided)
{
    enum spelling *surest = memory_take((n + 1) * sizeof *surest);
    bool *has_side = memory_take((n + 1) * sizeof *has_side);
    size_t count = 0;

    for (size_t i = 0; i < n; i++)
        surest[i] = spelling_of(names[i]);
    drop_enumerated(names, n, surest);
    for (size_t i = 0; i < n; i++)
        has_side[i] = surest[i] < SPELLING_INSIDE;
    mark_inside(names, n, surest, has_side);
    for (size_t i = 0; i < n; i++)
        if (has_side[i])
            sided[count++] = names[i];
    free(has_side);
    free(surest);
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

/* True if two names are equal except for their digits. */
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
