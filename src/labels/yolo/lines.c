/* lines: a file of YOLO's labels. */
#include "labels/yolo/lines.h"

#include <math.h>
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

bool yolo_next_line(struct slice file, size_t *at, struct slice *line)
{
    if (*at == 0 && file.length >= 3 && memcmp(file.at, "\xef\xbb\xbf", 3) == 0)
        *at = 3;
    while (*at < file.length && is_blank(file.at[*at]))
        ++*at;
    if (*at >= file.length)
        return false;
    line->at = file.at + *at;
    while (*at < file.length && file.at[*at] != '\n')
        ++*at;
    line->length = (size_t)(file.at + *at - line->at);
    while (is_blank(line->at[line->length - 1]))
        line->length--;
    return true;
}

size_t yolo_count_lines(struct slice file)
{
    struct slice line;
    size_t at = 0, n = 0;

    while (yolo_next_line(file, &at, &line))
        n++;
    return n;
}

/* A number as Python's float() reads it, too: +1, .5 and 1. are no JSON. */
static bool read_number(struct slice token, double *to)
{
    enum { LONGEST = 60 };
    char padded[LONGEST + 4]; /* with a sign, a digit before the point and one after it */
    size_t n = 0, points = 0;

    if (number_scan(token, to) == token.length)
        return true;
    if (!token.length || token.length > LONGEST)
        return false;
    if (*token.at == '+' || *token.at == '-') {
        if (*token.at == '-')
            padded[n++] = '-';
        token = (struct slice){ token.at + 1, token.length - 1 };
        if (token.length && *token.at == '-')
            return false;
    }
    if (token.length && *token.at == '.')
        padded[n++] = '0';
    for (size_t i = 0; i < token.length; i++) {
        padded[n++] = token.at[i];
        if (token.at[i] == '.' && points++)
            return false;
        if (token.at[i] == '.' &&
            (i + 1 == token.length || token.at[i + 1] < '0' || token.at[i + 1] > '9'))
            padded[n++] = '0';
    }
    return n && number_scan((struct slice){ padded, n }, to) == n;
}

static bool next_token(struct slice line, size_t *at, struct slice *token)
{
    while (*at < line.length && is_blank(line.at[*at]))
        ++*at;
    token->at = line.at + *at;
    while (*at < line.length && !is_blank(line.at[*at]))
        ++*at;
    token->length = (size_t)(line.at + *at - token->at);
    return token->length;
}

size_t yolo_line_length(struct slice line)
{
    struct slice token;
    size_t at = 0, n = 0;

    while (next_token(line, &at, &token))
        n++;
    return n;
}

bool yolo_line_read(struct faults *f, struct slice line, struct arena *arena, struct yolo_line *to)
{
    struct slice token;
    size_t at = 0, n = yolo_line_length(line);

    *to = (struct yolo_line){ .text = line };
    to->token = ARENA_ARRAY(arena, struct slice, n);
    to->number = ARENA_ARRAY(arena, double, n);
    while (next_token(line, &at, &token)) {
        if (!read_number(token, &to->number[to->n]))
            return fault_add(f, (size_t)(token.at - f->text.at), token.length, "", "yolo-number",
                             "expected a number: a line is a class and the numbers of an object, "
                             "set off by spaces");
        to->token[to->n++] = token;
    }
    return true;
}

bool yolo_line_class(struct slice line, size_t *class)
{
    struct slice token;
    size_t at = 0;
    double number;

    if (!next_token(line, &at, &token) || !read_number(token, &number) || number < 0 ||
        number >= YOLO_MAX_CLASSES || number != floor(number))
        return false;
    *class = (size_t)number;
    return true;
}

struct yolo_line *yolo_lines(struct slice file, struct arena *arena, size_t *n)
{
    struct yolo_line *lines = ARENA_ARRAY(arena, struct yolo_line, yolo_count_lines(file));
    struct faults nobody = { .text = file };
    struct slice line;
    size_t at = 0;

    *n = 0;
    while (yolo_next_line(file, &at, &line))
        yolo_line_read(&nobody, line, arena, &lines[(*n)++]);
    faults_drop(&nobody);
    return lines;
}

bool yolo_same_lines(struct slice file, struct slice printed)
{
    size_t at = 0, old_at = 0;
    struct slice line, old;

    while (yolo_next_line(printed, &at, &line)) {
        size_t a = 0, b = 0;

        if (!yolo_next_line(file, &old_at, &old))
            return false;
        while (a < line.length && b < old.length) {
            bool blank = strchr(" \t\r", old.at[b]) != NULL;

            if (blank != (line.at[a] == ' ') || (!blank && line.at[a] != old.at[b]))
                return false;
            a++;
            b++;
            while (blank && b < old.length && strchr(" \t\r", old.at[b]))
                b++;
        }
        if (a != line.length || b != old.length)
            return false;
    }
    return !yolo_next_line(file, &old_at, &old);
}
