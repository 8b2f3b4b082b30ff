/* expat: loads libexpat. */
#include "labels/shared/expat.h"

#include "base/dynlib.h"

#include <string.h>

#define TEXT(name) #name
#define NAME(function) TEXT(function),
static const char *const names[] = { EXPAT_FUNCTIONS(NAME) };
static const struct dynlib library = { "libexpat.so.1", "libexpat1", names, COUNTOF(names) };

const struct expat *expat_open(struct faults *f, const char *code)
{
    static struct expat lib;
    static bool opened;

    return dynlib_expect(&library, &lib, &opened, f, code) ? &lib : NULL;
}

bool expat_is_utf16(struct slice text)
{
    return text.length >= 2 && (memcmp(text.at, "\xfe\xff", 2) == 0 ||
                                memcmp(text.at, "\xff\xfe", 2) == 0 || !text.at[0] || !text.at[1]);
}
