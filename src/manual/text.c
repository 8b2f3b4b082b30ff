/* text: formats plain text for terminals: wrapped, items in two columns. */
#include "manual/manual.h"

#include "base/environment.h"
#include "base/stderr_line.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static void end_line(struct page *p)
{
    if (p->out.length && p->out.at[p->out.length - 1] != '\n')
        text_addc(&p->out, '\n');
}

static void blank_line(struct page *p)
{
    size_t n = p->out.length;

    end_line(p);
    if (n > 1 && strcmp(p->out.at + n - 2, "\n\n") != 0)
        text_addc(&p->out, '\n');
}

static void spaces(struct page *p, int n)
{
    while (n-- > 0)
        text_addc(&p->out, ' ');
}

/* Wraps words from the column `at` of the current line; further lines start at `left`. */
static void wrap(struct page *p, const char *text, int at, int left)
{
    bool first = true;

    while (*text) {
        int length = (int)strcspn(text, " ");

        if (!first && at + 1 + length > p->width) {
            end_line(p);
            spaces(p, left);
            at = left;
        } else if (!first) {
            text_addc(&p->out, ' ');
            at++;
        }
        text_add(&p->out, text, (size_t)length);
        at += length;
        text += length;
        text += strspn(text, " ");
        first = false;
    }
    end_line(p);
}

/* Switches bold letters on or off, if the terminal has them. */
static void bold(struct page *p, bool on)
{
    if (p->styled)
        text_adds(&p->out, on ? "\x1b[1m" : "\x1b[0m");
}

/* Prints a term without its marks; returns its number of columns. */
static int add_term(struct page *p, const char *term)
{
    int n = 0;

    bold(p, true);
    for (; *term; term++) {
        if (strchr("`<>", *term))
            continue;
        text_addc(&p->out, *term);
        n++;
    }
    bold(p, false);
    return n;
}

static void title(struct page *p, const char *name, const char *summary)
{
    blank_line(p);
    bold(p, true);
    text_adds(&p->out, name);
    bold(p, false);
    text_adds(&p->out, " - ");
    wrap(p, summary, (int)strlen(name) + 3, p->indent);
    text_addc(&p->out, '\n');
}

static void heading(struct page *p, const char *text)
{
    blank_line(p);
    bold(p, true);
    text_adds(&p->out, text);
    bold(p, false);
    text_addc(&p->out, '\n');
}

static void paragraph(struct page *p, const char *text)
{
    if (p->last != PAGE_HEADING)
        blank_line(p);
    spaces(p, p->indent);
    wrap(p, text, p->indent, p->indent);
}

static void item(struct page *p, const char *term, const char *text)
{
    int at = p->indent;

    if (p->last == PAGE_PARAGRAPH || p->last == PAGE_CODE || p->last == PAGE_START)
        blank_line(p);
    spaces(p, p->indent);
    at += add_term(p, term);
    if (at + 2 > p->column) {
        end_line(p);
        at = 0;
    }
    spaces(p, p->column - at);
    wrap(p, text, p->column, p->column);
}

static void more(struct page *p, const char *term, const char *text)
{
    int at = p->column;

    spaces(p, at);
    if (term) {
        at += add_term(p, term);
        text_adds(&p->out, ": ");
        at += 2;
    }
    wrap(p, text, at, p->column + (term ? 2 : 0));
}

static void code(struct page *p, const char *lines)
{
    if (p->last != PAGE_HEADING)
        blank_line(p);
    while (*lines) {
        size_t length = strcspn(lines, "\n");

        spaces(p, p->indent);
        text_add(&p->out, lines, length);
        text_addc(&p->out, '\n');
        lines += length + (lines[length] == '\n');
    }
}

static const struct formatter text_formatter = { title, heading, paragraph, item, more, code };

/* Longer lines are hard to read. */
enum { WIDEST = 120 };

struct page page_text(void)
{
    const char *columns = environment_get("COLUMNS");
    struct winsize window;
    int width = columns ? atoi(columns) : 0;

    if (width <= 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0)
        width = window.ws_col < WIDEST ? window.ws_col : WIDEST;
    return (struct page){
        .formatter = &text_formatter,
        .width = width >= 40 ? width : 80,
        .indent = 2,
        .column = 18,
        .styled = terminal_is_styled(STDOUT_FILENO),
    };
}
