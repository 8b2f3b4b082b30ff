/* scan_fault: faults of the scanner. */
#include "json/scan_fault.h"

#include <string.h>

static bool starts_with(struct slice text, const char *word)
{
    size_t length = strlen(word);

    return text.length >= length && memcmp(text.at, word, length) == 0;
}

static bool is_comment(const struct scan *s)
{
    struct slice rest;

    if (s->at >= s->text.length)
        return false;
    rest = (struct slice){ s->text.at + s->at, s->text.length - s->at };
    return starts_with(rest, "//") || starts_with(rest, "/*") || starts_with(rest, "#");
}

bool scan_fail(struct scan *s, const char *code, const char *what)
{
    if (!s->code) {
        s->code = code;
        s->what = is_comment(s) ? "JSON has no comments: use \"$comment\": \"...\"" : what;
        s->where = s->at;
    }
    return false;
}

bool scan_fail_value(struct scan *s)
{
    static const char *const numbers[] = { "NaN", "nan", "Inf", "inf", "+", "." };
    size_t before = s->at;

    if (s->at >= s->text.length) {
        while (before > 0 && strchr(" \n\r\t", s->text.at[before - 1]))
            before--;
        return scan_fail(s, "json-syntax",
                         before ? "expected a value, but the text ends here"
                                : "there is nothing in this document");
    }
    if (s->text.at[s->at] == '\0')
        return scan_fail(s, "json-nul", "a NUL byte");
    if (s->at == 0 && starts_with(s->text, "\xef\xbb\xbf"))
        return scan_fail(s, "json-syntax",
                         "the file begins with a byte order mark, which JSON does not have");
    for (size_t i = 0; i < COUNTOF(numbers); i++)
        if (starts_with((struct slice){ s->text.at + s->at, s->text.length - s->at }, numbers[i]))
            return scan_fail(s, "json-number",
                             "not a JSON number: NaN, Infinity, a leading \"+\" and a leading "
                             "\".\" are not allowed");
    return scan_fail(s, "json-syntax", "expected a value");
}
