/* man_page: formats man pages, with the macros of man(7). */
#include "manual/manual.h"

#include <ctype.h>
#include <string.h>

/* True for a hyphen between letters; elsewhere it is a minus or belongs to an option. */
static bool is_hyphen(const char *start, const char *at)
{
    return at > start && isalpha((unsigned char)at[-1]) && isalpha((unsigned char)at[1]);
}

static void add_char(struct text *out, char c)
{
    switch (c) {
    case '\\':
        text_adds(out, "\\e");
        break;
    case '\'':
        text_adds(out, "\\(aq");
        break;
    case '"':
        text_adds(out, "\\(dq");
        break;
    case '^':
        text_adds(out, "\\(ha");
        break;
    case '~':
        text_adds(out, "\\(ti");
        break;
    case '`':
        text_adds(out, "\\(ga");
        break;
    case '-':
        text_adds(out, "\\-");
        break;
    default:
        text_addc(out, c);
    }
}

/* Appends prose: literals become bold, and each sentence gets its own line. */
static void add_prose(struct text *out, const char *text)
{
    bool bold = false;

    if (*text == '.')
        text_adds(out, "\\&");
    for (const char *c = text; *c; c++) {
        if (*c == '`') {
            bold = !bold;
            text_adds(out, bold ? "\\fB" : "\\fR");
        } else if (*c == '-' && !bold && is_hyphen(text, c)) {
            text_addc(out, '-');
        } else if (*c == ' ' && c > text && c[-1] == '.' && isupper((unsigned char)c[1])) {
            text_addc(out, '\n');
        } else {
            add_char(out, *c);
        }
    }
}

static void add_term(struct text *out, const char *term)
{
    bool bold = false;

    for (; *term; term++) {
        if (*term == '`') {
            bold = !bold;
            text_adds(out, bold ? "\\fB" : "\\fR");
        } else if (!bold && (*term == '<' || *term == '>')) {
            text_adds(out, *term == '<' ? "\\fI" : "\\fR");
        } else {
            add_char(out, *term);
        }
    }
}

static void title(struct page *p, const char *name, const char *summary)
{
    text_adds(&p->out, ".SS ");
    add_prose(&p->out, name);
    text_adds(&p->out, ": ");
    add_prose(&p->out, summary);
    text_addc(&p->out, '\n');
}

static void heading(struct page *p, const char *text)
{
    text_adds(&p->out, ".SS ");
    add_prose(&p->out, text);
    text_addc(&p->out, '\n');
}

static void paragraph(struct page *p, const char *text)
{
    if (p->last != PAGE_HEADING && p->last != PAGE_START)
        text_adds(&p->out, ".PP\n");
    add_prose(&p->out, text);
    text_addc(&p->out, '\n');
}

static void item(struct page *p, const char *term, const char *text)
{
    text_adds(&p->out, ".TP\n");
    add_term(&p->out, term);
    text_addc(&p->out, '\n');
    add_prose(&p->out, text);
    text_addc(&p->out, '\n');
}

static void more(struct page *p, const char *term, const char *text)
{
    text_adds(&p->out, ".br\n");
    if (term) {
        add_term(&p->out, term);
        text_adds(&p->out, ": ");
    }
    add_prose(&p->out, text);
    text_addc(&p->out, '\n');
}

static void code(struct page *p, const char *lines)
{
    text_adds(&p->out, ".IP\n.EX\n");
    for (const char *c = lines; *c; c++) {
        if (*c == '.' && (c == lines || c[-1] == '\n'))
            text_adds(&p->out, "\\&");
        add_char(&p->out, *c);
    }
    if (p->out.at[p->out.length - 1] != '\n')
        text_addc(&p->out, '\n');
    text_adds(&p->out, ".EE\n");
}

static const struct formatter roff_formatter = { title, heading, paragraph, item, more, code };

struct page page_roff(void)
{
    return (struct page){ .formatter = &roff_formatter, .width = 72 };
}
