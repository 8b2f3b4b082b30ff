/* escape: escapes text of files, so that readers of a report do not interpret it. */
#include "check/reporter.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

void report_add_log(struct text *t, const char *at, size_t length)
{
    struct text visible = { 0 };

    text_add_visible(&visible, at, length);
    for (size_t i = 0; i < visible.length; i++)
        if (visible.at[i] == '#' &&
            (i ? visible.at[i - 1] == '#' : t->length && t->at[t->length - 1] == '#'))
            text_adds(t, "\\x23");
        else
            text_addc(t, visible.at[i]);
    text_drop(&visible);
}

void report_add_log_name(struct text *t, const char *name)
{
    if (name[strspn(name, " \t")] == ':')
        text_adds(t, "./");
    report_add_log(t, name, strlen(name));
}

/* Returns the code point of a character of `bytes` bytes. */
static unsigned decode(const char *s, size_t bytes)
{
    const unsigned char *b = (const unsigned char *)s;
    unsigned c = bytes == 1 ? b[0] : b[0] & (0x7fu >> bytes);

    for (size_t i = 1; i < bytes; i++)
        c = c << 6 | (b[i] & 0x3f);
    return c;
}

void report_add_json(struct text *t, const char *s)
{
    size_t length = strlen(s), bytes;

    text_addc(t, '"');
    for (size_t i = 0; i < length; i += bytes) {
        if (text_is_control(s + i, length - i, &bytes))
            text_addf(t, "\\u%04x",
                      utf8_length(s + i, s + length) ? decode(s + i, bytes) : 0xfffdu);
        else if (s[i] == '#' && i && s[i - 1] == '#')
            text_adds(t, "\\u0023");
        else if (s[i] == '"' || s[i] == '\\')
            text_addf(t, "\\%c", s[i]);
        else
            text_add(t, s + i, bytes);
    }
    text_addc(t, '"');
}

/* --- paths --- */

const char *report_path(const char *name)
{
    char here[PATH_MAX];
    size_t length = *name == '/' && getcwd(here, sizeof here) ? strlen(here) : 0;

    if (length > 1 && strncmp(name, here, length) == 0 && name[length] == '/')
        name += length;
    else if (*name == '/')
        return name;
    for (;;) {
        if (*name == '/')
            name++;
        else if (strncmp(name, "./", 2) == 0)
            name += 2;
        else
            return name;
    }
}

void report_add_uri(struct text *t, const char *name)
{
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";

    name = report_path(name);
    if (*name == '/')
        text_adds(t, "file://");
    for (; *name; name++)
        if (strchr(plain, *name))
            text_addc(t, *name);
        else
            text_addf(t, "%%%02X", (unsigned char)*name);
}
