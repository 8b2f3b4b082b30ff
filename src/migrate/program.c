/* program: advice for a Python program that makes a pipeline. */
#include "migrate/program.h"

#include <ctype.h>
#include <string.h>

/* Returns the start of a line that begins with the word and a blank, from `at` on; NULL if there is
 * none. */
static const char *line_with(struct slice text, const char *at, const char *word)
{
    const char *end = text.at + text.length;
    size_t length = strlen(word);

    while (at && (size_t)(end - at) > length) {
        if (memcmp(at, word, length) == 0 && at[length] == ' ')
            return at;
        at = memchr(at, '\n', (size_t)(end - at));
        at += at != NULL;
    }
    return NULL;
}

static bool is_program(struct slice text)
{
    const char *from = line_with(text, text.at, "from");
    const char *end = text.at + text.length;

    for (; from; from = line_with(text, from + 1, "from")) {
        const char *line = memchr(from, '\n', (size_t)(end - from));

        if (memmem(from, (size_t)((line ? line : end) - from), " import ", 8))
            return true;
    }
    return line_with(text, text.at, "import") != NULL;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.';
}

/* Returns the name that a module has in the program: "A" after "import albumentations as A". */
static struct slice alias_of(struct slice text, const char *module)
{
    struct slice alias = { module, strlen(module) };
    const char *at = line_with(text, text.at, "import"), *end = text.at + text.length;

    for (; at; at = line_with(text, at + 1, "import")) {
        const char *name = at + sizeof "import" - 1 + strspn(at + sizeof "import" - 1, " ");

        if ((size_t)(end - name) <= alias.length + 4 || memcmp(name, module, alias.length) != 0 ||
            memcmp(name + alias.length, " as ", 4) != 0)
            continue;
        alias.at = name + alias.length + 4;
        for (alias.length = 0; alias.at + alias.length < end && is_word(alias.at[alias.length]);)
            alias.length++;
        return alias;
    }
    return alias;
}

static const char compose[] = "Compose(";

/* Returns the name that gets the first Compose: "transform" of "transform = A.Compose(". */
static struct slice name_of(struct slice text)
{
    const char *at = text.at, *end = text.at + text.length;

    while ((at = memmem(at, (size_t)(end - at), compose, sizeof compose - 1))) {
        const char *from = at, *last;

        while (from > text.at && is_word(from[-1]))
            from--;
        while (from > text.at && from[-1] == ' ')
            from--;
        at += sizeof compose - 1;
        if (from == text.at || from[-1] != '=')
            continue;
        for (last = from - 1; last > text.at && last[-1] == ' ';)
            last--;
        for (from = last; from > text.at && is_word(from[-1]);)
            from--;
        if (from < last)
            return (struct slice){ from, (size_t)(last - from) };
    }
    return (struct slice){ "transform", sizeof "transform" - 1 };
}

bool program_composes(struct slice text)
{
    return is_program(text) && memmem(text.at, text.length, compose, sizeof compose - 1);
}

bool program_advise(struct slice text, struct text *why)
{
    static const char module[] = "albumentations";
    struct slice name = name_of(text), alias = alias_of(text, module);

    if (!is_program(text))
        return false;
    text_addf(why,
              "this is a Python program, and lockstep does not run Python: after %.*s is "
              "made, add ",
              (int)name.length, name.at);
    if (memmem(text.at, text.length, module, sizeof module - 1))
        text_addf(why,
                  "`%.*s.save(%.*s, \"transform.json\")` to it, run it, and then `lockstep import "
                  "transform.json -o pipeline.json`",
                  (int)alias.length, alias.at, (int)name.length, name.at);
    else
        text_addf(why,
                  "`open(\"transform.txt\", \"w\").write(str(%.*s))` to it, run it, and then "
                  "`lockstep import transform.txt -o pipeline.json`",
                  (int)name.length, name.at);
    return true;
}
