/* name_alike: file names that look the same to people. */
#include "batch/io/name_alike.h"

#include "base/text.h"

#include <string.h>

/* Returns the first character, or 0xfffd for bytes that are not UTF-8. `length` gets its bytes. */
static unsigned first_character(const char *at, size_t *length)
{
    const unsigned char *c = (const unsigned char *)at;

    *length = utf8_length(at, at + strlen(at));
    if (*length == 1)
        return c[0];
    if (*length == 2)
        return (c[0] & 0x1fu) << 6 | (c[1] & 0x3fu);
    if (*length == 3)
        return (c[0] & 0xfu) << 12 | (c[1] & 0x3fu) << 6 | (c[2] & 0x3fu);
    *length = *length ? *length : 1;
    return 0xfffd;
}

/* True for combining marks of Latin, Greek or Cyrillic letters or of kana, and for vowels and final
 * consonants of Hangul. */
static bool is_mark(unsigned c)
{
    return (c >= 0x300 && c <= 0x36f) || c == 0x3099 || c == 0x309a || (c >= 0x1160 && c <= 0x11ff);
}

/* Returns a pointer after a letter and its marks; NULL if the letter has no marks. */
static const char *skip_marked(const char *at)
{
    size_t length;
    bool marked = false;

    first_character(at, &length);
    for (at += length; *at && is_mark(first_character(at, &length)); at += length)
        marked = true;
    return marked ? at : NULL;
}

static unsigned lower(unsigned c)
{
    return c >= 'A' && c <= 'Z' ? c + 'a' - 'A' : c;
}

bool names_are_alike(const char *a, const char *b)
{
    while (*a && *b) {
        size_t n, m;
        unsigned c = first_character(a, &n), d = first_character(b, &m);
        const char *marked_a = skip_marked(a), *marked_b = skip_marked(b);

        if (lower(c) == lower(d) && (c != 0xfffd || *a == *b)) {
            a += n;
            b += m;
        } else if (c > 0x7f && marked_b) {
            a += n;
            b = marked_b;
        } else if (d > 0x7f && marked_a) {
            a = marked_a;
            b += m;
        } else {
            return false;
        }
    }
    return !*a && !*b;
}
