/* stderr_line: prints lines on stderr. */
#include "base/stderr_line.h"
#include "base/environment.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static enum message_format format_now;

void message_format(enum message_format format)
{
    format_now = format;
}

bool message_is_json(void)
{
    return format_now == MESSAGE_JSON;
}

bool terminal_is_styled(int fd)
{
    const char *term = environment_get("TERM"), *none = environment_get("NO_COLOR");

    return isatty(fd) && !(term && strcmp(term, "dumb") == 0) && !(none && *none);
}

/* --- the parts of a line: "WHERE:LINE:COLUMN: error: WORDS [code]" --- */

static const struct level {
    const char *mark, *name, *colour;
} levels[] = {
    { ": error: ", "error", "\x1b[1;31m" },
    { ": warning: ", "warning", "\x1b[1;35m" },
    { ": note: ", "note", "\x1b[1;36m" },
};

struct parts {
    const struct level *level; /* NULL: a line without one */
    size_t mark;               /* where the level's mark begins */
    struct slice where, words, code;
    size_t line, column; /* 0: none */
};

static const struct level *find_level(struct slice all, size_t *mark)
{
    const struct level *level = NULL;

    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        const char *at = memmem(all.at, all.length, levels[i].mark, strlen(levels[i].mark));

        if (at && (!level || (size_t)(at - all.at) < *mark)) {
            level = &levels[i];
            *mark = (size_t)(at - all.at);
        }
    }
    return level;
}

/* Removes ":NUMBER" from the end and returns it; 0 if there is none. */
static size_t take_number(struct slice *s)
{
    size_t at = s->length, number = 0;

    while (at && isdigit((unsigned char)s->at[at - 1]))
        at--;
    if (at == s->length || !at || s->at[at - 1] != ':' || s->length - at > 12)
        return 0;
    for (size_t i = at; i < s->length; i++)
        number = 10 * number + (size_t)(s->at[i] - '0');
    s->length = at - 1;
    return number;
}

/* Take " [code]" off the end. */
static struct slice take_code(struct slice *s)
{
    size_t at = s->length ? s->length - 1 : 0;
    struct slice code = { 0 };

    if (!at || s->at[at] != ']')
        return code;
    while (at && (islower((unsigned char)s->at[at - 1]) || isdigit((unsigned char)s->at[at - 1]) ||
                  s->at[at - 1] == '-'))
        at--;
    if (at < 2 || s->at[at - 1] != '[' || s->at[at - 2] != ' ')
        return code;
    code = (struct slice){ s->at + at, s->length - 1 - at };
    s->length = at - 2;
    return code;
}

static struct parts take_apart(struct slice all)
{
    struct parts p = { .words = all };
    size_t last;

    p.level = find_level(all, &p.mark);
    if (!p.level)
        return p;
    p.where = (struct slice){ all.at, p.mark };
    p.words.at += p.mark + strlen(p.level->mark);
    p.words.length -= p.mark + strlen(p.level->mark);
    p.code = take_code(&p.words);
    last = take_number(&p.where);
    p.line = last ? take_number(&p.where) : 0;
    p.column = p.line ? last : 0;
    return p;
}

/* --- printing --- */

static void add_member(struct text *out, const char *name, struct slice text)
{
    text_addf(out, ", \"%s\": ", name);
    text_add_json(out, text.at, text.length);
}

/* The document's line under an error is omitted: its position is given as numbers. */
static void print_json(struct slice shown)
{
    struct parts p = take_apart(shown);
    struct text out = { 0 };

    if (strncmp(shown.at, "    ", 4) == 0)
        return;
    text_addf(&out, "{\"level\": \"%s\"", p.level ? p.level->name : "info");
    if (p.level)
        add_member(&out, "where", p.where);
    if (p.line)
        text_addf(&out, ", \"line\": %zu, \"column\": %zu", p.line, p.column);
    if (p.code.length)
        add_member(&out, "code", p.code);
    add_member(&out, "message", p.words);
    text_adds(&out, "}\n");
    fwrite(out.at, 1, out.length, stderr);
    text_drop(&out);
}

static void print_styled(struct slice shown)
{
    struct parts p = take_apart(shown);
    size_t end;

    if (!p.level) {
        fprintf(stderr, "%.*s\n", (int)shown.length, shown.at);
        return;
    }
    end = p.mark + strlen(p.level->mark) - 1;
    fprintf(stderr, "%.*s%s%.*s\x1b[0m%.*s\n", (int)p.mark + 2, shown.at, p.level->colour,
            (int)(end - p.mark - 2), shown.at + p.mark + 2, (int)(shown.length - end),
            shown.at + end);
}

static void print_line(const char *line, size_t length)
{
    struct text shown = { 0 };
    struct slice slice;

    text_add_visible(&shown, line, length);
    slice = (struct slice){ text_string(&shown), shown.length };
    if (format_now == MESSAGE_JSON) {
        print_json(slice);
    } else if (terminal_is_styled(STDERR_FILENO)) {
        print_styled(slice);
    } else {
        text_addc(&shown, '\n');
        fwrite(shown.at, 1, shown.length, stderr);
    }
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
