/* junit: JUnit's XML: a test suite for each family of rules, a test case for each rule.
 *  *
 *  * Errors and warnings fail their rule's test case; information is only printed. */
#include "preview/html.h"
#include "check/reporter.h"

#include <stdlib.h>
#include <string.h>

enum { SHOWN = 50 }; /* findings per test case */

struct lines {
    struct text text;
    size_t n;
};

struct state {
    struct lines *of; /* one for each setting */
};

static void print_begin(struct report *r)
{
    struct state *s = r->state;

    s->of = memory_take((r->check->n_settings + 1) * sizeof *s->of);
    memset(s->of, 0, r->check->n_settings * sizeof *s->of);
}

/* Appends text that is safe in a log. */
static void add_log(struct text *out, const char *at, size_t length)
{
    struct text safe = { 0 };

    report_add_log(&safe, at, length);
    html_text(out, safe.at, safe.length);
    text_drop(&safe);
}

static void take_finding(struct report *r, const struct finding *f)
{
    struct state *s = r->state;
    struct lines *lines = &s->of[check_setting(r->check, f->rule) - r->check->settings];
    struct text words = { 0 };

    if (lines->n++ >= SHOWN)
        return;
    report_add_log_name(&words, finding_name(r->check, f));
    html_text(&lines->text, words.at, words.length);
    text_clear(&words);
    text_addf(&lines->text, ":%llu:%llu: ", (unsigned long long)f->line,
              (unsigned long long)f->column);
    report_add_words(r->check, f, &words);
    add_log(&lines->text, words.at, words.length);
    text_addc(&lines->text, '\n');
    text_drop(&words);
}

static bool is_failure(const struct rule_setting *s)
{
    return report_times(s) && s->severity != SEVERITY_INFO;
}

static void print_lines(struct report *r, size_t i)
{
    const struct state *s = r->state;
    size_t times = report_times(&r->check->settings[i]);

    fputs(text_string(&s->of[i].text), r->out);
    if (times > SHOWN)
        fprintf(r->out, "and %zu more\n", times - SHOWN);
}

static void print_failure(struct report *r, size_t i)
{
    const struct rule_setting *setting = &r->check->settings[i];
    struct text summary = { 0 };

    html_text(&summary, setting->rule->summary, strlen(setting->rule->summary));
    fprintf(r->out, "      <failure type=\"%s\" message=\"%zu: %s\">",
            severity_word(setting->severity), report_times(setting), text_string(&summary));
    print_lines(r, i);
    fputs("</failure>\n", r->out);
    text_drop(&summary);
}

static void print_case(struct report *r, size_t i)
{
    const struct rule_setting *setting = &r->check->settings[i];

    fprintf(r->out, "    <testcase classname=\"lockstep.check.%s\" name=\"%s %s\" time=\"0\">\n",
            setting->family, setting->rule->id, setting->rule->slug);
    if (is_failure(setting)) {
        print_failure(r, i);
    } else if (report_times(setting)) {
        fputs("      <system-out>", r->out);
        print_lines(r, i);
        fputs("</system-out>\n", r->out);
    }
    fputs("    </testcase>\n", r->out);
}

/* Prints settings [first, end), which belong to one family. */
static void print_suite(struct report *r, size_t first, size_t end)
{
    const struct rule_setting *s = r->check->settings;
    size_t tests = 0, failures = 0;

    for (size_t i = first; i < end; i++) {
        tests += s[i].selected;
        failures += s[i].selected && is_failure(&s[i]);
    }
    if (!tests)
        return;
    fprintf(r->out,
            "  <testsuite name=\"%s\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"0\" "
            "time=\"0\">\n",
            s[first].family, tests, failures);
    for (size_t i = first; i < end; i++)
        if (s[i].selected)
            print_case(r, i);
    fputs("  </testsuite>\n", r->out);
}

static void print_suites(struct report *r)
{
    const struct check *c = r->check;
    size_t tests = 0, failures = 0, end;

    for (size_t i = 0; i < c->n_settings; i++) {
        tests += c->settings[i].selected;
        failures += c->settings[i].selected && is_failure(&c->settings[i]);
    }
    fprintf(r->out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuites name=\"lockstep check\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" "
            "time=\"0\">\n",
            tests, failures);
    for (size_t first = 0; first < c->n_settings; first = end) {
        for (end = first; end < c->n_settings; end++)
            if (strcmp(c->settings[end].family, c->settings[first].family) != 0)
                break;
        print_suite(r, first, end);
    }
    fputs("</testsuites>\n", r->out);
}

static void print_end(struct report *r)
{
    struct state *s = r->state;

    print_suites(r);
    for (size_t i = 0; i < r->check->n_settings; i++)
        text_drop(&s->of[i].text);
    free(s->of);
}

const struct reporter junit_reporter = {
    .name = "junit",
    .summary = "JUnit's XML: a suite for each family of rules, a test case for each rule",
    .state = sizeof(struct state),
    .complete = true,
    .begin = print_begin,
    .finding = take_finding,
    .end = print_end,
};
