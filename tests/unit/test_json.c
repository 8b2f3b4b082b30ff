/* test_json: the scanner and the tree agree on which texts are JSON, and report where a text is
 * not; numbers and random numbers keep their promises. */
#include "base/number.h"
#include "base/rng.h"
#include "base/id_index.h"
#include "json/members.h"
#include "json/scan.h"
#include "json/value.h"
#include "forms.h"

#include <string.h>

static struct slice slice_of(const char *text)
{
    return (struct slice){ text, strlen(text) };
}

/* --- texts that are JSON, and texts that are not --- */

static const char *const good[] = {
    "null",
    "true",
    " false ",
    "0",
    "-0",
    "1.5e+10",
    "-12.0E-3",
    "1e-400",
    "123456789012345678901234567890",
    "\"\"",
    "\"a\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
    "\"\\u0041\\u00e9\\ud83d\\ude00\"",
    "\"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80 \x7f\"",
    "\"\xed\x9f\xbf\xee\x80\x80\xf4\x8f\xbf\xbf\"",
    "[]",
    "{}",
    "[ ]",
    "{ }",
    "[1,2,3]",
    "\t[1 , 2\n,\r3 ]\n",
    "[[],[[]],{}]",
    "{\"a\":1,\"b\":{\"a\":[]}}",
    "{\"\":0}",
    "{\"a\":1,\"A\":2}",
    "[true,false,null,\"x\",-1,{}]",
    "\"long enough that the words of eight bytes are walked \\u0020 and end here\"",
};

static const struct {
    const char *text, *code;
    size_t line, column;
} bad[] = {
    { "", "json-syntax", 1, 1 },
    { " \n ", "json-syntax", 2, 2 },
    { "\xef\xbb\xbf{}", "json-syntax", 1, 1 },
    { "{", "json-syntax", 1, 2 },
    { "[", "json-syntax", 1, 2 },
    { "[1", "json-syntax", 1, 3 },
    { "[1,", "json-syntax", 1, 4 },
    { "[1,]", "json-syntax", 1, 4 },
    { "[,1]", "json-syntax", 1, 2 },
    { "[1,,2]", "json-syntax", 1, 4 },
    { "[1 2]", "json-syntax", 1, 4 },
    { "[1}", "json-syntax", 1, 3 },
    { "{\"a\":1]", "json-syntax", 1, 7 },
    { "{\"a\":1,}", "json-syntax", 1, 8 },
    { "{\"a\" 1}", "json-syntax", 1, 6 },
    { "{\"a\":}", "json-syntax", 1, 6 },
    { "{a:1}", "json-syntax", 1, 2 },
    { "{'a':1}", "json-syntax", 1, 2 },
    { "{\"a\":1 \"b\":2}", "json-syntax", 1, 8 },
    { "{} {}", "json-syntax", 1, 4 },
    { "[]]", "json-syntax", 1, 3 },
    { "1 // one", "json-syntax", 1, 3 },
    { "]", "json-syntax", 1, 1 },
    { "tru", "json-syntax", 1, 1 },
    { "True", "json-syntax", 1, 1 },
    { "nullx", "json-syntax", 1, 1 },
    { "\"abc", "json-syntax", 1, 1 },
    { "\"abc\\", "json-syntax", 1, 5 },
    { "\"\\x41\"", "json-syntax", 1, 2 },
    { "\"\\u12g4\"", "json-syntax", 1, 2 },
    { "\"a\tb\"", "json-syntax", 1, 3 },
    { "[\n  \"a\nb\"]", "json-syntax", 2, 5 },
    { "inf", "json-number", 1, 1 },
    { "NaN", "json-number", 1, 1 },
    { "-Infinity", "json-number", 1, 1 },
    { "012", "json-number", 1, 1 },
    { "-012", "json-number", 1, 1 },
    { "5.", "json-number", 1, 1 },
    { ".5", "json-number", 1, 1 },
    { "+1", "json-number", 1, 1 },
    { "-", "json-number", 1, 1 },
    { "1e", "json-number", 1, 1 },
    { "1e+", "json-number", 1, 1 },
    { "1.e5", "json-number", 1, 1 },
    { "0x10", "json-number", 1, 1 },
    { "[012]", "json-number", 1, 2 },
    { "[-01.5,1]", "json-number", 1, 2 },
    { "[1,5.]", "json-number", 1, 4 },
    { "[-,1]", "json-number", 1, 2 },
    { "[1.2.3]", "json-number", 1, 2 },
    { "[1.5e]", "json-number", 1, 2 },
    { "1_000", "json-syntax", 1, 2 },
    { "1e400", "json-number", 1, 1 },
    { "[0, -1e400]", "json-number", 1, 5 },
    { "\"\\u0000\"", "json-nul", 1, 2 },
    { "\"\\ud800\"", "json-utf8", 1, 2 },
    { "\"a\\udc00\"", "json-utf8", 1, 3 },
    { "\"\\ud800\\u0041\"", "json-utf8", 1, 2 },
    { "\"\\ud800\\ud800\"", "json-utf8", 1, 2 },
    { "\"\x80\"", "json-utf8", 1, 2 },
    { "\"ab\xff\"", "json-utf8", 1, 4 },
    { "\"\xc0\xaf\"", "json-utf8", 1, 2 },         /* longer than needed */
    { "\"\xe0\x9f\xbf\"", "json-utf8", 1, 2 },     /* longer than needed */
    { "\"\xed\xa0\x80\"", "json-utf8", 1, 2 },     /* a surrogate */
    { "\"\xf0\x8f\xbf\xbf\"", "json-utf8", 1, 2 }, /* longer than needed */
    { "\"\xf4\x90\x80\x80\"", "json-utf8", 1, 2 }, /* above U+10FFFF */
    { "\"\xe2\x82\"", "json-utf8", 1, 2 },
    { "\"\xe2\x82", "json-utf8", 1, 2 },
    { "\"12345678901234567\xe2\x28\xa1\"", "json-utf8", 1, 19 },
    { "{\"a\xff\":1}", "json-utf8", 1, 4 },
    { "{\"a\":1,\"a\":2}", "json-twice", 1, 8 },
    { "{\"a\":1,\n \"\\u0061\":2}", "json-twice", 2, 2 },
};

static bool can_scan(struct slice text)
{
    struct scan s = scan_start(text, 0);
    struct slice whole;

    return scan_value(&s, &whole) && scan_end(&s);
}

static void test_good(void)
{
    for (size_t i = 0; i < COUNTOF(good); i++) {
        struct faults f = { .name = "good", .text = slice_of(good[i]) };
        struct arena arena = { 0 };

        if (!CHECK(can_scan(f.text)) || !CHECK(value_parse(&f, &arena)) || !CHECK(f.n == 0))
            fprintf(stderr, "    %s\n", good[i]);
        faults_drop(&f);
        arena_drop(&arena);
    }
}

static void test_bad(void)
{
    for (size_t i = 0; i < COUNTOF(bad); i++) {
        struct faults f = { .name = "bad", .text = slice_of(bad[i].text) };
        struct arena arena = { 0 };
        size_t line = 0, column = 0;
        bool ok = CHECK(!value_parse(&f, &arena)) && CHECK(f.n == 1);

        if (f.n) {
            text_place(f.text, f.list[0].offset, &line, &column);
            ok = CHECK(strcmp(f.list[0].code, bad[i].code) == 0) && ok;
            ok = CHECK(line == bad[i].line && column == bad[i].column) && ok;
        }
        if (!ok)
            fprintf(stderr, "    %s gives %s at %zu:%zu\n", bad[i].text,
                    f.n ? f.list[0].code : "nothing", line, column);
        CHECK(can_scan(f.text) == (strcmp(bad[i].code, "json-twice") == 0));
        faults_drop(&f);
        arena_drop(&arena);
    }
}

/* A text that ends anywhere is read to its end and no further (under -fsanitize=address). */
static void test_cut(void)
{
    static const char text[] =
        "{\"a\": [1.5e3, true, null, \"\\ud83d\\ude00\xe2\x82\xac\"], \"b\": {}}";

    for (size_t n = 0; n < sizeof text - 1; n++) {
        char *copy = memory_take(n + 1);

        memcpy(copy, text, n);
        copy = memory_grow(copy, n ? n : 1); /* no NUL after it */
        CHECK(!can_scan((struct slice){ copy, n }));
        free(copy);
    }
    CHECK(can_scan((struct slice){ text, sizeof text - 1 }));
}

static void test_nul(void)
{
    static const struct slice texts[] = {
        { "\0", 1 }, { "[1\0]", 4 }, { "[\0]", 3 }, { "\"\0\"", 3 }
    };

    for (size_t i = 0; i < COUNTOF(texts); i++) {
        struct faults f = { .name = "nul", .text = texts[i] };
        struct arena arena = { 0 };

        CHECK(!value_parse(&f, &arena));
        CHECK(f.n == 1 && strcmp(f.list[0].code, "json-nul") == 0);
        faults_drop(&f);
        arena_drop(&arena);
    }
}

static bool parses_depth(char open, size_t depth, const char **code)
{
    char *text = memory_take(8 * depth + 8), *p = text;
    struct faults f = { .name = "deep" };
    struct arena arena = { 0 };
    bool good_parse;

    for (size_t i = 0; i < depth; i++) {
        memcpy(p, open == '[' ? "[" : "{\"a\":", open == '[' ? 1 : 5);
        p += open == '[' ? 1 : 5;
    }
    *p++ = '1';
    memset(p, open == '[' ? ']' : '}', depth);
    p += depth;
    f.text = (struct slice){ text, (size_t)(p - text) };
    good_parse = value_parse(&f, &arena);
    *code = f.n ? f.list[0].code : "";
    faults_drop(&f);
    arena_drop(&arena);
    free(text);
    return good_parse;
}

static void test_depth(void)
{
    const char *code;

    CHECK(parses_depth('[', 64, &code));
    CHECK(parses_depth('{', 64, &code));
    CHECK(!parses_depth('[', 65, &code) && strcmp(code, "json-depth") == 0);
    CHECK(!parses_depth('{', 65, &code) && strcmp(code, "json-depth") == 0);
    CHECK(!parses_depth('[', 1000000, &code) && strcmp(code, "json-depth") == 0);
}

/* --- the tree --- */

static void test_tree(void)
{
    static const char text[] = "{\n"
                               "  \"steps\": [\n"
                               "    {\"type\": \"f\\u00e9\", \"p\": 0.5, \"a b\": [null, true]},\n"
                               "    7\n"
                               "  ], \"$comment\": 1, \"x-y\": 2, \"x\": \"\\/\"\n"
                               "}";
    struct faults f = { .name = "tree", .text = slice_of(text) };
    struct arena arena = { 0 };
    const struct value *root = value_parse(&f, &arena), *steps, *odd;
    struct text out = { 0 };
    size_t line, column;

    if (!CHECK(root))
        return;
    steps = value_get(root, "steps");
    CHECK(root->kind == VALUE_OBJECT && root->n == 4 && steps->n == 2);
    CHECK(!value_get(root, "Steps") && !value_get(steps, "x"));
    CHECK(strcmp(value_get(&steps->item[0], "type")->text, "f\xc3\xa9") == 0);
    CHECK(value_get(&steps->item[0], "p")->number == 0.5);
    odd = value_get(&steps->item[0], "a b");
    CHECK(odd->item[1].kind == VALUE_FLAG && odd->item[1].flag);
    CHECK(strcmp(value_path(root, &arena), "") == 0);
    CHECK(strcmp(value_path(&steps->item[1], &arena), "steps[1]") == 0);
    CHECK(strcmp(value_path(value_get(&steps->item[0], "p"), &arena), "steps[0].p") == 0);
    CHECK(strcmp(value_path(&odd->item[1], &arena), "steps[0][\"a b\"][1]") == 0);
    CHECK(strncmp(text + odd->at.offset, "[null, true]", odd->at.length) == 0 &&
          odd->at.length == 12);
    CHECK(strncmp(text + odd->name_at.offset, "\"a b\"", 5) == 0 && odd->name_at.length == 5);
    text_place(f.text, steps->item[1].at.offset, &line, &column);
    CHECK(line == 4 && column == 5 && steps->item[1].at.length == 1);
    CHECK(value_is_remark(&root->item[1]) && value_is_remark(&root->item[2]));
    CHECK(!value_is_remark(&root->item[3]) && !value_is_remark(root));
    value_print(root, &out);
    CHECK(strcmp(text_string(&out), "{\"steps\": [{\"type\": \"f\xc3\xa9\", \"p\": 0.5, "
                                    "\"a b\": [null, true]}, 7], \"$comment\": 1, \"x-y\": 2, "
                                    "\"x\": \"/\"}") == 0);
    value_fault(&f, odd, true, "some-code", "%d", 7);
    CHECK(f.list[0].offset == odd->name_at.offset && f.list[0].length == 5);
    CHECK(strcmp(f.list[0].path, "steps[0][\"a b\"]") == 0);
    text_drop(&out);
    faults_drop(&f);
    arena_drop(&arena);
}

static void test_building(void)
{
    struct faults f = { .name = "built", .text = slice_of("{}") };
    struct arena arena = { 0 };
    struct value *object = value_object(&arena, 2);
    struct text out = { 0 };

    object->item[0].name = "type";
    object->item[0].kind = VALUE_TEXT;
    object->item[0].text = "rotate";
    object->item[1].name = "angle";
    object->item[1].kind = VALUE_NUMBER;
    object->item[1].number = 0.1;
    value_print(object, &out);
    CHECK(strcmp(text_string(&out), "{\"type\": \"rotate\", \"angle\": 0.1}") == 0);
    CHECK(strcmp(value_path(&object->item[1], &arena), "angle") == 0);
    CHECK(!value_fault(&f, &object->item[1], false, "code", "what"));
    CHECK(f.n == 1 && f.list[0].length == 0 && strcmp(f.list[0].path, "angle") == 0);
    text_clear(&out);
    value_print(value_list(&arena, 2), &out);
    CHECK(strcmp(text_string(&out), "[null, null]") == 0);
    text_drop(&out);
    faults_drop(&f);
    arena_drop(&arena);
}

/* All duplicates are reported, each at its place, with the path of the key. */
static void test_twice(void)
{
    struct faults f = { .name = "twice",
                        .text = slice_of(
                            "[{\"a\": {\"b\": 1, \"c\": 2, \"b\": 3}, \"a\": 4, \"a\": 5}]") };
    static const char *const paths[] = { "[0].a.b", "[0].a", "[0].a" };
    static const size_t offsets[] = { 24, 33, 41 };
    struct arena arena = { 0 };
    struct text out = { 0 };

    CHECK(!value_parse(&f, &arena));
    faults_print(&f, 10, &out); /* sorts them */
    CHECK(f.n == 3);
    for (size_t i = 0; i < f.n && i < 3; i++) {
        CHECK(strcmp(f.list[i].path, paths[i]) == 0 && f.list[i].length == 3);
        CHECK(f.list[i].offset == offsets[i]);
    }
    text_drop(&out);
    faults_drop(&f);
    arena_drop(&arena);
}

/* More digits than a double holds. */
static void test_long_number(void)
{
    static const char digits[] =
        "[3.14159265358979323846264338327950288419716939937510582097494459230781640,"
        "\"\\\"00000000000000000000000000000000000000000000000000000000000000001\","
        "-0.00000000000000000000000000000000000000000000000000000000000000000000001, 7]";
    struct faults f = { .name = "long", .text = slice_of(digits) };
    struct arena arena = { 0 };
    const struct value *list = value_parse(&f, &arena);

    CHECK(can_scan(f.text));
    if (CHECK(list && f.n == 0 && list->n == 4)) {
        CHECK(list->item[0].number == 3.14159265358979323846);
        CHECK(strlen(list->item[1].text) == 66 && list->item[1].text[0] == '"');
        CHECK(list->item[2].number == -1e-71 && list->item[3].number == 7);
    }
    faults_drop(&f);
    arena_drop(&arena);
}

/* --- the scanner's typed reads --- */

static void test_scan(void)
{
    struct scan s = scan_start(
        slice_of("{\"n\": 1.5, \"i\": -7, \"s\": \"a\\u00e9\\n\", \"f\": true, \"\\u0069d\": 3}"),
        0);
    struct arena arena = { 0 };
    struct slice name, text;
    bool first = true;
    int64_t integer;
    double number;

    CHECK(scan_peek(&s) == '{' && scan_open(&s, '{'));
    CHECK(scan_member(&s, &first, &name) && scan_equals(name, "n") && !scan_equals(name, "nn"));
    CHECK(scan_number(&s, &number) && number == 1.5);
    CHECK(scan_member(&s, &first, &name) && scan_integer(&s, &integer) && integer == -7);
    CHECK(scan_member(&s, &first, &name) && scan_string(&s, &arena, &text));
    CHECK(text.length == 4 && strcmp(text.at, "a\xc3\xa9\n") == 0);
    CHECK(scan_member(&s, &first, &name) && scan_value(&s, &text) && scan_equals(text, "true"));
    CHECK(scan_member(&s, &first, &name) && scan_equals(name, "id") && !scan_equals(name, "i") &&
          !scan_equals(name, "ide"));
    CHECK(scan_integer(&s, &integer) && integer == 3);
    CHECK(!scan_member(&s, &first, &name) && !s.code && s.depth == 0);
    CHECK(scan_end(&s));
    arena_drop(&arena);
}

static bool is_integer(const char *text)
{
    struct scan s = scan_start(slice_of(text), 0);
    int64_t value;

    return scan_integer(&s, &value);
}

static void test_scan_types(void)
{
    struct scan s = scan_start(slice_of("[1, \"x\"]"), 0);
    double number;
    bool first = true;

    CHECK(is_integer("9007199254740992") && is_integer("-9007199254740992") && is_integer("-0"));
    CHECK(!is_integer("9007199254740993") && !is_integer("1.0") && !is_integer("1e2"));
    CHECK(!is_integer("\"1\"") && !is_integer("01") && !is_integer("-"));
    CHECK(scan_open(&s, '[') && scan_element(&s, &first) && scan_number(&s, &number));
    CHECK(scan_element(&s, &first) && !scan_number(&s, &number));
    CHECK(s.code && s.where == 4 && !scan_element(&s, &first) && scan_peek(&s) == '\0');
    s = scan_start(slice_of("[1"), 0);
    CHECK(!scan_open(&s, '{') && strcmp(s.code, "json-syntax") == 0);
    s = scan_start(slice_of("012"), 0);
    CHECK(!scan_number(&s, &number) && strcmp(s.code, "json-number") == 0);
}

/* --- numbers --- */

static double random_double(void)
{
    union {
        uint64_t u;
        double d;
    } bits;

    do
        bits.u = unit_random();
    while (!isfinite(bits.d));
    return bits.d;
}

static void check_number(double value)
{
    struct text t = { 0 };
    double back = 0;

    number_print(&t, value);
    CHECK(number_scan((struct slice){ t.at, t.length }, &back) == t.length);
    if (!CHECK(back == value) || !CHECK(strtod(t.at, NULL) == value))
        fprintf(stderr, "    %.17g is printed %s\n", value, t.at);
    text_drop(&t);
}

/* The shortest of 15 to 17 digits that reads back, as C's own functions find it. */
static void check_shortest(double value)
{
    struct text t = { 0 };
    char text[64];
    int precision = 15;

    do
        snprintf(text, sizeof text, "%.*g", precision, value);
    while (strtod(text, NULL) != value && ++precision < 18);
    number_print(&t, value);
    if (!CHECK(!strcmp(text, t.at)))
        fprintf(stderr, "    %s is printed %s\n", text, t.at);
    text_drop(&t);
}

/* Text that was not printed by us: as many digits as come. */
static void check_scan(double value, int digits)
{
    char text[64];
    double back = 0;

    snprintf(text, sizeof text, "%.*g", digits, value);
    if (!strchr(text, '+')) /* "1e+05" is JSON too, but files have "1.5" */
        CHECK(number_scan(slice_of(text), &back) == strlen(text) && back == strtod(text, NULL));
}

static void test_numbers(void)
{
    static const double odd[] = { 0,
                                  1,
                                  -1,
                                  0.1,
                                  702.1057499999998,
                                  5e-324,
                                  1.7976931348623157e308,
                                  9007199254740991,
                                  9007199254740993e3,
                                  1e15,
                                  1e22,
                                  1e23,
                                  123456789012345.6,
                                  2.2250738585072014e-308 };
    double value;

    for (size_t i = 0; i < COUNTOF(odd); i++)
        check_number(odd[i]);
    for (int i = 0; i < 100000; i++) {
        check_number(random_double());
        check_number(unit_double(-2000, 2000));
        check_number(floor(unit_double(0, 200000)) / 100);
        check_scan(unit_double(-2000, 2000), unit_int(1, 20));
        check_shortest(unit_double(-2000, 2000));
        check_shortest(ldexp(unit_double(-2, 2), unit_int(-8, 48)));
        check_shortest(unit_int(1, 100000000) / 1e5);
        check_shortest(ldexp(unit_int(1, 4096), -unit_int(1, 20)));
    }
    /* A value that rounds to a power of ten, or nearly, has one digit more or less. */
    for (int k = -3; k <= 15; k++) {
        value = pow(10, k);
        for (int i = 0; i < 40; i++)
            check_shortest(value = nextafter(value, i < 20 ? 0 : INFINITY));
    }
    CHECK(number_scan(slice_of("1e400"), &value) == 0);
    CHECK(number_scan(slice_of("-"), &value) == 0 && number_scan(slice_of("x"), &value) == 0);
    CHECK(number_scan(slice_of("12]"), &value) == 2 && value == 12);
}

static void test_integers_printed(void)
{
    static const int64_t odd[] = { 0, 9, 10, -1, INT64_MAX, INT64_MIN };
    char text[32];

    for (int i = 0; i < 1000 + (int)COUNTOF(odd); i++) {
        int64_t n = i < (int)COUNTOF(odd) ? odd[i] : (int64_t)unit_random() >> unit_int(0, 63);
        struct text t = { 0 };

        snprintf(text, sizeof text, "%lld", (long long)n);
        text_add_integer(&t, n);
        CHECK(!strcmp(text, text_string(&t)));
        text_drop(&t);
    }
}

/* Every finite double comes back from its text. */
static void test_bits(void)
{
    struct text t = { 0 };

    for (int i = 0; i < 1000000; i++) {
        double value = random_double(), back = 0;

        text_clear(&t);
        number_print(&t, value);
        if (!CHECK(number_scan((struct slice){ t.at, t.length }, &back) == t.length) ||
            !CHECK(back == value))
            fprintf(stderr, "    %a is printed %s\n", value, t.at);
    }
    text_drop(&t);
}

/* --- lists of numbers: passed over and read many bytes at a time --- */

/* Makes numbers, sometimes broken by replacing one byte by another byte that lists are made of. */
static void make_list(struct text *t)
{
    static const char *const odd[] = { "-0",    "0.5", "-12.75", "1e5", "01",  "1.",    "-",
                                       "1.2.3", "",    "2e400",  "0.0", "[1]", "\"a\"", "1 " };
    static const char bytes[] = "0123456789.,- ]e[\n";
    int n = unit_int(0, 90);

    text_clear(t);
    text_addc(t, '[');
    for (int i = 0; i < n; i++) {
        if (i)
            text_adds(t, unit_int(0, 3) ? "," : ", ");
        if (unit_int(0, 400) == 0)
            text_adds(t, odd[unit_int(0, COUNTOF(odd) - 1)]);
        else
            text_addf(t, "%.*f", unit_int(0, 3), unit_double(-10, 1000));
    }
    text_addc(t, ']');
    if (unit_int(0, 1))
        t->at[unit_int(0, (int)t->length - 1)] = bytes[unit_int(0, COUNTOF(bytes) - 2)];
    for (int i = unit_int(0, 70); i > 0; i--)
        text_addc(t, ' ');
}

/* The same with every comma at a line's end: then each number is looked at by itself. */
static void break_lines(const struct text *from, struct text *to)
{
    text_clear(to);
    for (size_t i = 0; i < from->length; i++) {
        text_addc(to, from->at[i]);
        if (from->at[i] == ',')
            text_addc(to, '\n');
    }
}

static size_t commas_before(const struct text *t, size_t end)
{
    size_t n = 0;

    for (size_t i = 0; i < end; i++)
        n += t->at[i] == ',';
    return n;
}

static void check_list(const struct text *together, const struct text *apart)
{
    struct arena arena = { 0 };
    struct scan a = scan_start((struct slice){ together->at, together->length }, 0), c = a;
    struct scan b = scan_start((struct slice){ apart->at, apart->length }, 0), d = b;
    struct slice value;
    double *x, *y;
    size_t n, m;
    bool valid = scan_value(&a, &value) && scan_end(&a);

    CHECK((scan_value(&b, &value) && scan_end(&b)) == valid);
    CHECK(a.code == b.code);
    if (valid && pick_numbers(&c, 1e300, &arena, &x, &n)) {
        CHECK(pick_numbers(&d, 1e300, &arena, &y, &m) && n == m);
        for (size_t i = 0; i < n; i++)
            CHECK(memcmp(&x[i], &y[i], sizeof *x) == 0);
    } else {
        CHECK(!valid || !pick_numbers(&d, 1e300, &arena, &y, &m));
    }
    if (!valid && !CHECK(a.where + commas_before(together, a.where) == b.where))
        fprintf(stderr, "    %s\n", together->at);
    arena_drop(&arena);
}

static void test_lists(void)
{
    struct text together = { 0 }, apart = { 0 };

    for (int i = 0; i < 40000; i++) {
        make_list(&together);
        break_lines(&together, &apart);
        check_list(&together, &apart);
    }
    text_drop(&together);
    text_drop(&apart);
}

/* --- ids --- */

static void test_ids(void)
{
    enum { N = 3000 };
    static struct id ids[N];
    struct arena arena = { 0 };

    for (int round = 0; round < 40; round++) {
        int64_t range = (int64_t)1 << unit_int(1, 52);
        struct ids_ranges near;

        for (size_t i = 0; i < N; i++)
            ids[i] = (struct id){ (int64_t)(unit_double(-1, 1) * (double)range), (uint32_t)i };
        if (round % 2)
            ids[N / 2].id = INT64_MIN;
        ids_sort(ids, N);
        ids_divide(&near, &arena, ids, N);
        for (size_t i = 1; i < N; i++)
            CHECK(ids[i - 1].id < ids[i].id ||
                  (ids[i - 1].id == ids[i].id && ids[i - 1].index < ids[i].index));
        for (size_t i = 0; i < N; i++) {
            const struct id *found = ids_find(ids, N, ids[i].id);

            CHECK(found && found->id == ids[i].id && (found == ids || found[-1].id < found->id));
            CHECK(ids_find_near(&near, ids[i].id) == found);
            CHECK(ids_find_near(&near, ids[i].id + 1) == ids_find(ids, N, ids[i].id + 1));
        }
        CHECK(!ids_find_near(&near, range + 1) && !ids_find_near(&near, -range - 1));
        ids_divide(&near, &arena, ids, 0);
        CHECK(!ids_find_near(&near, ids[0].id));
        CHECK(!ids_find(ids, N, range + 1) && !ids_find(ids, 0, 1));
    }
    arena_drop(&arena);
}

/* How many doubles lie between two of one sign. */
static double ulps(double a, double b)
{
    return fabs(a - b) / (nextafter(fabs(b), INFINITY) - fabs(b));
}

static void test_exp_log(void)
{
    double worst_exp = 0, worst_log = 0;

    for (int i = 0; i < 200000; i++) {
        double x = unit_double(-700, 700), y = fabs(random_double());

        if (i % 2) {
            x /= 700;
            y = unit_double(0.25, 4);
        }
        worst_exp = fmax(worst_exp, ulps(number_exp(x), exp(x)));
        if (y > 0 && y != 1)
            worst_log = fmax(worst_log, ulps(number_log(y), log(y)));
    }
    CHECK(worst_exp <= 2);
    CHECK(worst_log <= 2);
    CHECK(number_exp(0) == 1 && number_log(1) == 0);
}

/* --- random numbers --- */

static void test_philox(void)
{
    static const struct {
        uint32_t counter[4], key[2], out[4];
    } known[] = {
        { { 0, 0, 0, 0 }, { 0, 0 }, { 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8 } },
        { { 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff },
          { 0xffffffff, 0xffffffff },
          { 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd } },
        { { 0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344 },
          { 0xa4093822, 0x299f31d0 },
          { 0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1 } },
    };

    for (size_t i = 0; i < COUNTOF(known); i++) {
        uint32_t out[4];

        philox4x32(known[i].counter, known[i].key, out);
        CHECK(memcmp(out, known[i].out, sizeof out) == 0);
    }
}

/* Counts of 6 sides in 60000 throws: each within 5 standard deviations of 10000. */
static void test_integers(void)
{
    struct rng r = rng_start(rng_key(1, slice_of("a.jpg"), 0, 0, 0), rng_stream("0"), RNG_DRAW);
    int count[6] = { 0 };
    double sum = 0;

    for (int i = 0; i < 60000; i++) {
        int64_t side = rng_integer(&r, -2, 4);

        if (CHECK(side >= -2 && side < 4))
            count[side + 2]++;
    }
    for (int i = 0; i < 6; i++)
        CHECK(abs(count[i] - 10000) < 460);
    CHECK(rng_integer(&r, 5, 6) == 5);
    /* A span of 3/4 of 2^64: without rejection the lower third would come twice as often. */
    for (int i = 0, low = 0; i < 30000; i++) {
        int64_t wide = rng_integer(&r, INT64_MIN, INT64_MIN / 2 + INT64_MAX);

        low += wide < INT64_MIN / 2;
        if (i == 29999)
            CHECK(abs(low - 10000) < 410);
    }
    for (int i = 0; i < 60000; i++) {
        double u = rng_unit(&r);

        CHECK(u >= 0 && u < 1);
        sum += u;
    }
    CHECK_NEAR(sum / 60000, 0.5, 0.006);
    CHECK(rng_between(&r, 3, 3) == 3);
}

static void test_permutations(void)
{
    struct rng r = rng_start(7, 7, RNG_DRAW);
    int first[5] = { 0 };

    for (int i = 0; i < 10000; i++) {
        size_t order[5], seen = 0;

        rng_permutation(&r, order, 5);
        for (int j = 0; j < 5; j++)
            seen |= (size_t)1 << order[j];
        CHECK(seen == 31);
        first[order[0]]++;
    }
    for (int i = 0; i < 5; i++)
        CHECK(abs(first[i] - 2000) < 200);
}

static void test_streams(void)
{
    struct slice name = slice_of("a.jpg");
    uint64_t key = rng_key(1, name, 0, 0, 0);
    struct rng a = rng_start(key, 1, RNG_DRAW), b = rng_start(key, 1, RNG_DRAW);
    struct rng c = rng_start(key, 2, RNG_DRAW), d = rng_start(key, 1, RNG_CHANCE);
    uint64_t x = rng_u64(&a);

    CHECK(x == rng_u64(&b) && x != rng_u64(&c) && x != rng_u64(&d));
    CHECK(key != rng_key(2, name, 0, 0, 0) && key != rng_key(1, name, 1, 0, 0));
    CHECK(key != rng_key(1, name, 0, 1, 0) && key != rng_key(1, name, 0, 0, 1));
    for (int i = 0; i < 1000; i++) {
        double v = rng_log_between(&a, 0.5, 2);

        CHECK(v >= 0.5 * (1 - 1e-15) && v <= 2 * (1 + 1e-15));
    }
}

/* Numbers of a list are read up to the first one with a wrong separator. This holds far from the
 * end of the text, where many characters are examined together, and near the end. */
static void test_list_ends(void)
{
    static const struct {
        const char *text;
        size_t n, length;
    } cases[] = { { "1, 2.5,-3, 4]", 4, 12 }, { "1,2 3,4]", 2, 3 },   { "1,2;3,4]", 2, 3 },
                  { "1,2,,4]", 2, 3 },        { "1,2,  3,4]", 2, 3 }, { "1,02,3]", 1, 1 },
                  { "x,1,2]", 0, 0 },         { "7]", 1, 1 } };

    for (size_t i = 0; i < COUNTOF(cases); i++) {
        for (int padding = 0; padding <= 100; padding += 100) {
            char text[160];
            int length = snprintf(text, sizeof text, "%s%*s", cases[i].text, padding + 9, "");
            double value[8];
            size_t n;

            CHECK(number_scan_list((struct slice){ text, (size_t)length }, value, COUNTOF(value),
                                   &n) == cases[i].length);
            CHECK(n == cases[i].n);
        }
    }
}

int main(void)
{
    static const struct unit_test tests[] = {
        TEST(test_good),
        TEST(test_bad),
        TEST(test_cut),
        TEST(test_nul),
        TEST(test_depth),
        TEST(test_tree),
        TEST(test_building),
        TEST(test_twice),
        TEST(test_long_number),
        TEST(test_scan),
        TEST(test_scan_types),
        TEST(test_numbers),
        TEST(test_integers_printed),
        TEST(test_bits),
        TEST(test_lists),
        TEST(test_list_ends),
        TEST(test_ids),
        TEST(test_exp_log),
        TEST(test_philox),
        TEST(test_integers),
        TEST(test_permutations),
        TEST(test_streams),
    };

    return forms_main(tests, COUNTOF(tests));
}
