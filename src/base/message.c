/* message: what is said on stderr. */
#include "message.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_line(const char *line, size_t length)
{
    struct text shown = { 0 };

    text_add_visible(&shown, line, length);
    text_addc(&shown, '\n');
    fwrite(shown.at, 1, shown.length, stderr);
    text_drop(&shown);
}

void message_print(const char *format, ...)
{
    va_list args;
    char *line = NULL;
    int length;

    va_start(args, format);
    length = vasprintf(&line, format, args);
    va_end(args);
    if (length < 0)
        memory_gone(strlen(format));
    print_line(line, (size_t)length);
    free(line);
}

void message_print_lines(const struct text *lines)
{
    const char *at = text_string(lines), *end = at + lines->length;

    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));

        if (!stop)
            stop = end;
        print_line(at, (size_t)(stop - at));
        at = stop + 1;
    }
}
