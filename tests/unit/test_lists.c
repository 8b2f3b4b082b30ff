/* test_lists: text that is read or skipped many bytes at a time gives the same result as byte by
 * byte. This holds with the instructions of new processors and without, wherever a text begins and
 * ends. */
#define WITHOUT_VARIANTS
#define number_scan_list plain_scan_list
#define plain_skip plain_skip_plain
#define pass_value plain_pass_value
#include "base/number_list.c"
#include "json/skip_value.c"
#include "json/skip_numbers.c"
#undef number_scan_list
#undef plain_skip
#undef pass_value

size_t number_scan_list(struct slice, double *, size_t room, size_t *n);
const char *plain_skip(const char *at, const char *end);
const char *pass_value(const char *at, const char *end);

#include "json/members.h"
#include "forms.h"

#include <math.h>

#include <sys/mman.h>
#include <unistd.h>

/* --- texts that end where memory does --- */

enum { LONGEST = 4096 }; /* and no page is smaller */

static char *memory_end;

static void make_memory(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *at = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (at == MAP_FAILED || mprotect(at + page, page, PROT_NONE) != 0)
        abort();
    memory_end = at + page;
}

static struct slice put_last(const struct text *t)
{
    size_t length = t->length < LONGEST ? t->length : LONGEST;

    memcpy(memory_end - length, t->at, length);
    return (struct slice){ memory_end - length, length };
}

/* --- blocks --- */

static void test_blocks(void)
{
    for (int i = 0; i < 2000; i++) {
        char at[BLOCK], c = (char)unit_int(0, 255), with = (char)(unit_int(0, 1) ? 0x20 : 0);
        char first = (char)unit_int(0, 127), last = (char)unit_int(first, 127);
        uint64_t found = 0, within = 0;

        for (int k = 0; k < BLOCK; k++) {
            at[k] =
                (char)(unit_int(0, 3) ? c ^ unit_int(0, 1) << unit_int(0, 7) : unit_int(0, 255));
            if (unit_int(0, 3) == 0)
                at[k] = (char)((unit_int(0, 1) ? first : last) + unit_int(-1, 1));
            found |= (uint64_t)((char)(at[k] | with) == c) << k;
            within |= (uint64_t)(at[k] >= first && at[k] <= last) << k;
        }
        CHECK(block_find(at, c, with) == found && block_find_plain(at, c, with) == found);
        CHECK(block_within(at, first, last) == within);
        CHECK(block_within_plain(at, first, last) == within);
    }
}

/* --- lists of numbers --- */

static void add_number(struct text *t, int longest)
{
    int n = unit_int(1, longest), point = unit_int(-2, n - 1);

    if (unit_int(0, 9) == 0)
        text_addc(t, '-');
    for (int i = 0; i < n; i++) {
        text_addc(t, (char)(i || n == 1 || point == 1 ? unit_int('0', '9') : unit_int('1', '9')));
        if (i + 1 == point)
            text_addc(t, '.');
    }
}

/* Numbers that are mostly short, and now and then a byte that does not belong. */
static void make_numbers(struct text *t, bool wrong)
{
    static const char bytes[] = "0123456789.,- ]e[\n\xff";
    int n = unit_int(1, 60), longest = unit_int(0, 3) ? 6 : 10, spaced = unit_int(0, 2);

    text_clear(t);
    for (int i = 0; i < n; i++) {
        if (i)
            text_adds(t, spaced == 1 || (spaced == 2 && unit_int(0, 1)) ? ", " : ",");
        add_number(t, longest);
    }
    text_addc(t, ']');
    if (wrong)
        t->at[unit_int(0, (int)t->length - 1)] = bytes[unit_int(0, COUNTOF(bytes) - 2)];
    for (int i = unit_int(0, 1) * unit_int(0, 80); i > 0; i--)
        text_addc(t, bytes[unit_int(0, COUNTOF(bytes) - 2)]);
}

/* Returns how many numbers at the beginning have their correct value and separator. */
static size_t count_good(struct slice s, const double *value, size_t n, size_t *length)
{
    size_t at = 0, i = 0;

    *length = 0;
    for (; i < n; i++) {
        double alone;
        size_t taken = number_scan((struct slice){ s.at + at, s.length - at }, &alone);

        if (!taken || memcmp(&alone, &value[i], sizeof alone) != 0)
            break;
        *length = at + taken;
        at += taken + 1;
        if (i + 1 < n && (s.at[at - 1] != ',' || at >= s.length))
            return i + 1;
        at += i + 1 < n && s.at[at] == ' ';
    }
    return i;
}

static void check_read(size_t (*read)(struct slice, double *, size_t, size_t *), struct slice s,
                       size_t room, bool all)
{
    double value[LONGEST];
    size_t n, length, good, past;

    value[room] = 0.125;
    length = read(s, value, room, &n);
    good = count_good(s, value, n, &past);
    CHECK(n <= room && good == n && past == length && value[room] == 0.125);
    if (all)
        CHECK(s.at[length] == ']');
}

static void test_numbers(void)
{
    struct text t = { 0 };

    for (int i = 0; i < 40000; i++) {
        bool wrong = unit_int(0, 1);
        size_t room = unit_int(0, 3) ? 100 : (size_t)unit_int(0, 20);
        struct slice s;
        const char *skipped, *comma;

        make_numbers(&t, wrong);
        s = put_last(&t);
        check_read(number_scan_list, s, room, false);
        check_read(plain_scan_list, s, room, false);
        comma = memchr(s.at, ',', s.length);
        if (!comma)
            continue;
        skipped = plain_skip(comma, memory_end);
        CHECK(skipped == plain_skip_plain(comma, memory_end));
        CHECK(skipped >= comma && skipped < memory_end && (*skipped == ',' || *skipped == ']'));
    }
    text_drop(&t);
}

/* Short lists are all read and skipped, whether or not a long text follows. */
static void test_all_read(void)
{
    struct text t = { 0 };

    for (int i = 0; i < 4000; i++) {
        int n = unit_int(1, 60), behind = unit_int(9, 100);
        const char *comma;
        struct slice s;

        text_clear(&t);
        for (int k = 0; k < n; k++) {
            text_adds(&t, k ? unit_int(0, 1) ? "," : ", " : "");
            add_number(&t, 6);
        }
        text_addc(&t, ']');
        for (int k = 0; k < behind; k++)
            text_addc(&t, ' ');
        check_read(number_scan_list, put_last(&t), 100, true);
        check_read(plain_scan_list, put_last(&t), 100, true);
        s = put_last(&t);
        comma = memchr(s.at, ',', s.length);
        if (comma && behind >= BLOCK)
            CHECK(*plain_skip(comma, memory_end) == ']' &&
                  *plain_skip_plain(comma, memory_end) == ']');
    }
    text_drop(&t);
}

/* More than are read before they are counted, and each kind of end. */
static void test_many(void)
{
    struct arena arena = { 0 };
    struct text t = { 0 };

    for (int n = 250; n <= 270; n++) {
        for (int kind = 0; kind < 4; kind++) {
            static const char *const ends[] = { "]", ", 1234567.12345678]", ",]", ", x]" };
            struct scan s;
            double *at;
            size_t found;

            text_clear(&t);
            for (int i = 0; i < n; i++)
                text_addf(&t, "%s%d.5", i ? ", " : "[", i);
            text_adds(&t, ends[kind]);
            s = scan_start(put_last(&t), 0);
            CHECK(pick_numbers(&s, 1e7, &arena, &at, &found) == (kind < 2));
            if (kind >= 2)
                continue;
            CHECK(found == (size_t)n + (size_t)kind && scan_end(&s));
            for (int i = 0; i < n; i++)
                CHECK(at[i] == i + 0.5);
            CHECK(kind == 0 || at[n] == 1234567.12345678);
            s = scan_start(put_last(&t), 0);
            CHECK(!pick_numbers(&s, n - 1.0, &arena, &at, &found));
        }
    }
    text_drop(&t);
    arena_drop(&arena);
}

/* --- one number --- */

static void check_one(struct slice s, size_t length, const char *text)
{
    double value = 0, wanted = strtod(text, NULL);
    int64_t integer;
    size_t whole = number_scan_integer(s, &integer);

    CHECK(number_scan(s, &value) == length && memcmp(&value, &wanted, sizeof value) == 0);
    if (strpbrk(text, ".e") || fabs(wanted) > ldexp(1, 53))
        CHECK(whole == 0);
    else
        CHECK(whole == length && integer == strtoll(text, NULL, 10));
}

/* Numbers of any length, at the end of the text and before a delimiter. */
static void test_one_number(void)
{
    struct text t = { 0 };

    for (int i = 0; i < 100000; i++) {
        size_t length;
        char text[64];

        text_clear(&t);
        add_number(&t, 24);
        if (unit_int(0, 9) == 0)
            text_addf(&t, "e%d", unit_int(-30, 30));
        length = t.length;
        memcpy(text, t.at, length);
        text[length] = '\0';
        for (int k = unit_int(0, 1) * unit_int(1, 12); k > 0; k--)
            text_addc(&t, k == 1 && length + 1 == t.length ? ']' : ",]} 17"[unit_int(0, 5)]);
        if (t.length > length && strchr("17", t.at[length]))
            t.at[length] = ',';
        check_one(put_last(&t), length, text);
    }
    text_drop(&t);
}

/* Texts that are not a number, or begin like one but continue differently. */
static void test_no_number(void)
{
    static const struct {
        const char *text;
        size_t number, integer;
    } cases[] = { { " ", 0, 0 },          { "-", 0, 0 },         { "x1", 0, 0 },
                  { "1.", 0, 0 },         { "1.x", 0, 0 },       { "1e", 0, 0 },
                  { "1e+", 0, 0 },        { "012", 1, 1 },       { "-012345678", 2, 2 },
                  { "-.5", 0, 0 },        { "12345678.", 0, 0 }, { "12345678e", 0, 0 },
                  { "123456789x", 9, 9 }, { "1.5.5", 3, 0 },     { "0123456789012345678", 1, 1 } };

    for (size_t i = 0; i < COUNTOF(cases); i++) {
        struct text t = { 0 };
        double value;
        int64_t integer;
        struct slice s;

        text_adds(&t, cases[i].text);
        s = put_last(&t);
        CHECK(number_scan(s, &value) == cases[i].number);
        CHECK(number_scan_integer(s, &integer) == cases[i].integer);
        text_drop(&t);
    }
}

/* --- values that are known --- */

static void add_value(struct text *t, int depth)
{
    static const char *const words[] = { "true",
                                         "null",
                                         "-1.5e3",
                                         "0",
                                         "\"\"",
                                         "\"]}[{\"",
                                         "\"a\\\\\"",
                                         "\"\\\"]\"",
                                         "[]",
                                         "{ }",
                                         "\"\\\\\\\"[\"",
                                         "[1,2, 3.25,4.5, 5]",
                                         "\"a longer one, without brackets\"" };
    int n = unit_int(0, 6);
    bool list = unit_int(0, 1);

    if (!depth || unit_int(0, 3) == 0) {
        text_adds(t, words[unit_int(0, COUNTOF(words) - 1)]);
        return;
    }
    text_addc(t, list ? '[' : '{');
    for (int i = 0; i < n; i++) {
        text_adds(t, i ? unit_int(0, 1) ? "," : " ,\n" : "");
        text_adds(t, list ? "" : unit_int(0, 1) ? "\"]\" : " : "\"name\":");
        add_value(t, depth - 1);
    }
    text_addc(t, list ? ']' : '}');
}

static void test_passed(void)
{
    struct text t = { 0 };

    for (int i = 0; i < 20000; i++) {
        struct slice s, value;
        struct scan scan;

        text_clear(&t);
        add_value(&t, unit_int(0, 4));
        for (int k = unit_int(0, 1) * unit_int(1, 80); k > 0; k--)
            text_addc(&t, ",]}\n"[unit_int(0, 3)]);
        s = put_last(&t);
        scan = scan_start(s, 0);
        if (t.length > LONGEST || !CHECK(scan_value(&scan, &value)))
            continue;
        CHECK(pass_value(s.at, memory_end) == value.at + value.length);
        CHECK(plain_pass_value(s.at, memory_end) == value.at + value.length);
        scan = scan_again(s, 0);
        CHECK(scan_value(&scan, &s) && s.length == value.length);
    }
    text_drop(&t);
}

/* Files can change while they are read: nothing beyond the end is looked at. */
static void test_passed_changed(void)
{
    struct text t = { 0 };

    for (int i = 0; i < 20000; i++) {
        struct slice s;
        const char *past;

        text_clear(&t);
        add_value(&t, 4);
        s = put_last(&t);
        s.at += unit_int(0, (int)s.length - 1);
        past = pass_value(s.at, memory_end);
        CHECK(!past || (past > s.at && past <= memory_end));
        CHECK(plain_pass_value(s.at, memory_end) == past);
    }
    text_drop(&t);
}

/* --- members in the last element's order --- */

static void add_element(struct text *t)
{
    static const char *const names[] = { "id", "size", "a\\u0062", "other", "list" };
    bool loose = unit_int(0, 5) == 0, first = true;

    text_addc(t, '{');
    for (size_t i = 0; i < COUNTOF(names); i++) {
        if (unit_int(0, 9) == 0)
            continue;
        text_addf(t, "%s%s\"%s\":%s", first ? "" : ",", loose ? "\n " : "",
                  names[unit_int(0, 19) ? i : 0], unit_int(0, 9) ? " " : "");
        first = false;
        add_value(t, 1);
    }
    if (unit_int(0, 200) == 0)
        text_addc(t, ',');
    text_addc(t, '}');
}

static bool pick_one(struct scan *s, struct faults *f, struct pick_order *order,
                     struct pick pick[4])
{
    struct place p = {
        .faults = f, .list = "elements", .code_missing = "missing", .code_type = "type"
    };
    struct slice element;

    memcpy(pick,
           (struct pick[4]){ { .name = "id", .required = true },
                             { .name = "ab" },
                             { .name = "list" },
                             { .name = "size" } },
           4 * sizeof *pick);
    return pick_members(s, &p, order, pick, 4, &element);
}

static void check_elements(struct slice text)
{
    struct faults f = { .text = text, .name = "" }, g = f;
    struct scan s = scan_start(text, 0), apart = s;
    struct pick_order order = { 0 };
    struct pick a[4], b[4];

    while (scan_peek(&s) == '{') {
        struct pick_order none = { 0 };
        bool good = pick_one(&s, &f, &order, a);

        CHECK(pick_one(&apart, &g, &none, b) == good && memcmp(a, b, sizeof a) == 0);
        CHECK(s.at == apart.at && s.code == apart.code && s.where == apart.where);
    }
    CHECK(f.n == g.n);
    for (size_t i = 0; i < f.n && i < g.n; i++)
        CHECK(f.list[i].offset == g.list[i].offset && f.list[i].code == g.list[i].code);
    faults_drop(&f);
    faults_drop(&g);
}

static void test_order(void)
{
    struct text t = { 0 };

    for (int i = 0; i < 1000; i++) {
        text_clear(&t);
        while (t.length < 800)
            add_element(&t);
        check_elements(put_last(&t));
    }
    text_drop(&t);
}

int main(void)
{
    static const struct unit_test tests[] = {
        TEST(test_blocks), TEST(test_numbers),        TEST(test_all_read),
        TEST(test_many),   TEST(test_one_number),     TEST(test_no_number),
        TEST(test_passed), TEST(test_passed_changed), TEST(test_order),
    };

    make_memory();
    return forms_main(tests, COUNTOF(tests));
}
