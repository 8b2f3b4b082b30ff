/* name_fold: file names as the least exact file system compares them.
 *
 * Unicode's rules come from GLib, which libvips depends on. GLib is loaded for the first name that
 * is not ASCII. If it is missing, only ASCII letters of such names are folded. */
#include "batch/io/name_fold.h"

#include "base/dynlib.h"

#include <string.h>
#include <sys/types.h>

enum { NORMALIZE_ALL = 2 }; /* GLib's G_NORMALIZE_ALL: NFKD */

static struct {
    char *(*normalize)(const char *, ssize_t, int);
    char *(*casefold)(const char *, ssize_t);
    void (*free)(void *);
} glib;

static bool load_glib(void)
{
    static const char *const NAMES[] = { "g_utf8_normalize", "g_utf8_casefold", "g_free" };
    static const struct dynlib LIBRARY = { "libglib-2.0.so.0", "libglib2.0-0", NAMES,
                                           COUNTOF(NAMES) };
    static bool tried, loaded;
    struct text why = { 0 };

    _Static_assert(sizeof glib == COUNTOF(NAMES) * sizeof(void *), "pointers alone");
    if (!tried)
        loaded = dynlib_open(&LIBRARY, &glib, &why);
    tried = true;
    text_drop(&why);
    return loaded;
}

/* True for characters that some file systems ignore: Default_Ignorable_Code_Point in Unicode's
 * DerivedCoreProperties.txt, and the combining dot that lowercasing a dotted capital I leaves. */
static bool is_ignored(uint32_t c)
{
    static const uint32_t RANGES[][2] = {
        { 0xad, 0xad },       { 0x307, 0x307 },     { 0x34f, 0x34f },   { 0x61c, 0x61c },
        { 0x115f, 0x1160 },   { 0x17b4, 0x17b5 },   { 0x180b, 0x180f }, { 0x200b, 0x200f },
        { 0x202a, 0x202e },   { 0x2060, 0x206f },   { 0x3164, 0x3164 }, { 0xfe00, 0xfe0f },
        { 0xfeff, 0xfeff },   { 0xffa0, 0xffa0 },   { 0xfff0, 0xfff8 }, { 0x1bca0, 0x1bca3 },
        { 0x1d173, 0x1d17a }, { 0xe0000, 0xe0fff },
    };

    for (size_t i = 0; i < COUNTOF(RANGES); i++)
        if (c >= RANGES[i][0] && c <= RANGES[i][1])
            return true;
    return false;
}

/* Returns the character at *at, which must be valid UTF-8, and moves *at after it. */
static uint32_t next_character(const char **at)
{
    unsigned char lead = (unsigned char)*(*at)++;
    uint32_t c = lead < 0xc0 ? lead : lead & (0x3fu >> (lead >= 0xe0) >> (lead >= 0xf0));

    while (((unsigned char)**at & 0xc0) == 0x80)
        c = c << 6 | ((unsigned char)*(*at)++ & 0x3f);
    return c;
}

/* Maps small letters of Cherokee to capitals, as Unicode does and GLib does not. Returns other
 * characters unchanged. */
static uint32_t cherokee(uint32_t c)
{
    if (c >= 0xab70 && c <= 0xabbf)
        return c - 0xab70 + 0x13a0;
    return c >= 0x13f8 && c <= 0x13fd ? c - 8 : c;
}

/* Appends the name without ignored characters, and with one letter i for the two Turkish ones. */
static void add_compared(struct text *out, const char *name)
{
    while (*name) {
        const char *begin = name;
        uint32_t c = next_character(&name), capital = cherokee(c);

        if (c == 0x131)
            text_addc(out, 'i');
        else if (capital != c)
            text_addf(out, "%c%c%c", (int)(0xe0 | capital >> 12),
                      (int)(0x80 | (capital >> 6 & 0x3f)), (int)(0x80 | (capital & 0x3f)));
        else if (!is_ignored(c))
            text_add(out, begin, (size_t)(name - begin));
    }
}

/* Normalizes twice, since case folding can denormalize. Returns NULL for invalid UTF-8. */
static char *fold_unicode(const char *name)
{
    char *apart = glib.normalize(name, -1, NORMALIZE_ALL);
    char *folded = apart ? glib.casefold(apart, -1) : NULL;
    char *again = folded ? glib.normalize(folded, -1, NORMALIZE_ALL) : NULL;

    glib.free(apart);
    glib.free(folded);
    return again;
}

static bool is_ascii(const char *name)
{
    for (; *name; name++)
        if ((unsigned char)*name >= 0x80)
            return false;
    return true;
}

void name_fold(const char *name, struct text *out)
{
    char *folded = !is_ascii(name) && load_glib() ? fold_unicode(name) : NULL;

    text_clear(out);
    if (folded) {
        add_compared(out, folded);
        glib.free(folded);
        return;
    }
    for (; *name; name++)
        text_addc(out, *name >= 'A' && *name <= 'Z' ? (char)(*name - 'A' + 'a') : *name);
}
