/* mirror: which names of a list change places when left and right do. */
#include "mirror.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct {
    const char *word, *other;
    bool anywhere; /* a letter means a side only as the first or last word */
} sides[] = {
    { "left", "right", true },
    { "right", "left", true },
    { "l", "r", false },
    { "r", "l", false },
};

/* What a word becomes on the other side; NULL for itself. */
static const char *other_word(const char *word, size_t length, bool outer)
{
    for (size_t i = 0; i < COUNTOF(sides); i++)
        if (strlen(sides[i].word) == length && strncasecmp(word, sides[i].word, length) == 0 &&
            (sides[i].anywhere || outer))
            return sides[i].other;
    return NULL;
}

/* The name on the other side, into at least twice the name's room; false when it has no side. */
static bool other_name(const char *name, char *to)
{
    const char *p = name;
    bool sided = false;

    for (;;) {
        size_t length = strcspn(p, "_-. ");
        bool lone = p == name && !p[length];
        const char *other = other_word(p, length, !lone && (p == name || !p[length]));
        const char *from = other ? other : p;
        size_t n = other ? strlen(other) : length;

        memcpy(to, from, n);
        to += n;
        sided = sided || other;
        *to++ = p[length];
        if (!p[length])
            return sided;
        p += length + 1;
    }
}

/* The first name that is the other side's; n when there is none or names[i] has no side. */
static size_t find_partner(const char *const *names, size_t n, size_t i, bool *sided)
{
    char *other = memory_take(2 * strlen(names[i]) + 8);
    size_t found = n;

    *sided = other_name(names[i], other);
    for (size_t j = 0; *sided && j < n && found == n; j++)
        if (strcasecmp(names[j], other) == 0)
            found = j;
    free(other);
    return found;
}

enum mirror_side mirror_of_name(const char *const *names, size_t n, size_t i, size_t *partner)
{
    bool sided;
    size_t j = find_partner(names, n, i, &sided);

    *partner = i;
    if (!sided)
        return MIRROR_MIDDLE;
    if (j == n || find_partner(names, n, j, &sided) != i)
        return MIRROR_ALONE;
    *partner = j;
    return MIRROR_PAIRED;
}
