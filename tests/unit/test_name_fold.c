/* test_name_fold: names that any file system takes for one have one folded form, over all of
 * Unicode: case as the C library has it, case and normal forms as Python has them. */
#include "batch/io/name_fold.h"
#include "unit.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

static bool same_form(const char *a, const char *b)
{
    struct text x = { 0 }, y = { 0 };
    bool same;

    name_fold(a, &x);
    name_fold(b, &y);
    same = strcmp(text_string(&x), text_string(&y)) == 0;
    text_drop(&x);
    text_drop(&y);
    return same;
}

static bool is_one(wchar_t c, wchar_t other)
{
    const wchar_t wide[2][4] = { { L'x', c, L'y' }, { L'X', other, L'y' } };
    char name[2][32];

    return wcstombs(name[0], wide[0], sizeof name[0]) == (size_t)-1 ||
           wcstombs(name[1], wide[1], sizeof name[1]) == (size_t)-1 || same_form(name[0], name[1]);
}

static void test_case_of_c_library(void)
{
    size_t n = 0;

    for (wchar_t c = 1; c <= 0x10ffff; c++) {
        const wchar_t upper = (wchar_t)towupper((wint_t)c), lower = (wchar_t)towlower((wint_t)c);

        n += upper != c || lower != c;
        if ((upper != c && !CHECK(is_one(c, upper))) || (lower != c && !CHECK(is_one(c, lower))))
            fprintf(stderr, "    U+%04X\n", (unsigned)c);
    }
    CHECK(n > 2000);
}

static void test_pairs_of_unicode(void)
{
    FILE *pairs = popen("python3 tests/tools/fold_pairs.py", "r");
    char *line = NULL, *tab;
    size_t room = 0, n = 0;

    while (pairs && getline(&line, &room, pairs) > 0 && (tab = strchr(line, '\t'))) {
        *tab = '\0';
        tab[1 + strcspn(tab + 1, "\n")] = '\0';
        if (!CHECK(same_form(line, tab + 1)))
            fprintf(stderr, "    %s and %s\n", line, tab + 1);
        n++;
    }
    CHECK(pairs && pclose(pairs) == 0);
    CHECK(n > 15000);
    free(line);
}

static void test_names(void)
{
    static const struct {
        const char *a, *b;
        bool same;
    } rows[] = {
        { "Images/A.png", "images/a.PNG", true },
        { "e\xcc\x81.png", "\xc3\x89.png", true },            /* an accent of its own */
        { "\xe1\x84\x80\xe1\x85\xa1", "\xea\xb0\x80", true }, /* Hangul, in letters */
        { "a\xe2\x80\x8dz", "az", true },                     /* a joiner without width */
        { "a\xcc\xa3\xcc\x81", "a\xcc\x81\xcc\xa3", true },   /* marks in another order */
        { "\xc4\xb1", "I", true },                            /* a dotless i */
        { "a.png", "b.png", false },
        { "e.png", "\xc3\xa9.png", false },
        { "a/b", "ab", false },
        { "\xffz", "\xfez", false }, /* no UTF-8: bytes */
        { "\xffZ", "\xffz", true },
    };

    for (size_t i = 0; i < COUNTOF(rows); i++)
        if (!CHECK(same_form(rows[i].a, rows[i].b) == rows[i].same))
            fprintf(stderr, "    %s and %s\n", rows[i].a, rows[i].b);
}

int main(void)
{
    static const struct unit_test tests[] = { TEST(test_case_of_c_library),
                                              TEST(test_pairs_of_unicode), TEST(test_names) };

    setlocale(LC_ALL, "C.UTF-8");
    return unit_main(tests, COUNTOF(tests));
}
