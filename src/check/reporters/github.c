/* github: annotations of GitHub Actions: lines on stdout that its runner reads.
 *  *
 *  * The runner shows 10 errors, 10 warnings and 10 notices per step, and drops the others
 * silently. If
 *  * there are more, one line is about all findings of a rule. Format:
 *  * https://docs.github.com/actions/reference/workflow-commands-for-github-actions */
#include "check/reporter.h"

#include <stdlib.h>
#include <string.h>

enum { SHOWN = 10 };

/* The first finding of each rule, and the number of findings of each severity. */
struct state {
    struct pile findings; /* const struct finding *: as many of each severity as can be shown */
    const struct finding **first; /* first finding of each setting */
    size_t n[SEVERITIES];
};

static void print_begin(struct report *r)
{
    struct state *s = r->state;

    s->first = memory_take((r->check->n_settings + 1) * sizeof(struct finding *));
    memset(s->first, 0, r->check->n_settings * sizeof(struct finding *));
}

static void take_finding(struct report *r, const struct finding *f)
{
    struct state *s = r->state;
    size_t setting = (size_t)(check_setting(r->check, f->rule) - r->check->settings);

    if (!s->first[setting])
        s->first[setting] = f;
    if (s->n[f->severity]++ < SHOWN)
        *(const struct finding **)pile_add(&s->findings, sizeof(struct finding *)) = f;
}

/* Escapes `%`; in a property also the separators of properties. */
static void add_escaped(struct text *out, const char *string, size_t length, bool property)
{
    struct text visible = { 0 };

    report_add_log(&visible, string, length);
    for (size_t i = 0; i < visible.length; i++)
        if (visible.at[i] == '%' || (property && (visible.at[i] == ':' || visible.at[i] == ',')))
            text_addf(out, "%%%02X", (unsigned char)visible.at[i]);
        else
            text_addc(out, visible.at[i]);
    text_drop(&visible);
}

static void add_begin(const struct check *c, const struct finding *f, struct text *out)
{
    static const char *const commands[] = { "notice", "warning", "error" };
    const char *file = report_path(finding_name(c, f));

    text_addf(out, "::%s file=", commands[f->severity]);
    add_escaped(out, file, strlen(file), true);
    text_addf(out, ",line=%llu,col=%llu,title=", (unsigned long long)f->line,
              (unsigned long long)f->column);
}

static void add_words(const struct check *c, const struct finding *f, struct text *out)
{
    struct text words = { 0 };

    report_add_words(c, f, &words);
    add_escaped(out, words.at, words.length, false);
    text_drop(&words);
}

static void print_line(struct report *r, struct text *out)
{
    text_addc(out, '\n');
    fwrite(out->at, 1, out->length, r->out);
    text_drop(out);
}

static void print_each(struct report *r, int severity)
{
    const struct state *s = r->state;
    const struct finding *const *at = s->findings.at;

    for (size_t i = 0; i < s->findings.n; i++) {
        struct text out = { 0 };

        if (at[i]->severity != severity)
            continue;
        add_begin(r->check, at[i], &out);
        text_addf(&out, "%s %s::", at[i]->rule->id, at[i]->rule->slug);
        add_words(r->check, at[i], &out);
        print_line(r, &out);
    }
}

static void print_rule(struct report *r, const struct rule_setting *setting)
{
    const struct state *s = r->state;
    const struct finding *f = s->first[setting - r->check->settings];
    struct text out = { 0 };
    size_t times = report_times(setting);

    add_begin(r->check, f, &out);
    text_addf(&out, "%s %s::", f->rule->id, f->rule->slug);
    if (times > 1)
        text_addf(&out, "%zu findings: %s. The first is ", times, f->rule->summary);
    add_words(r->check, f, &out);
    print_line(r, &out);
}

/* Prints the remaining rules in a line without a place. */
static void print_other_rules(struct report *r, const struct rule_setting *const *rest, size_t n)
{
    static const char *const commands[] = { "notice", "warning", "error" };
    struct text out = { 0 };
    size_t times = 0;

    for (size_t i = 0; i < n; i++)
        times += report_times(rest[i]);
    text_addf(&out, "::%s title=and %zu rules more::%zu findings of", commands[rest[0]->severity],
              n, times);
    for (size_t i = 0; i < n; i++)
        text_addf(&out, "%s %s", i ? "," : "", rest[i]->rule->id);
    print_line(r, &out);
}

static int by_times(const void *a, const void *b)
{
    const struct rule_setting *x = *(const struct rule_setting *const *)a;
    const struct rule_setting *y = *(const struct rule_setting *const *)b;

    if (report_times(x) != report_times(y))
        return report_times(x) > report_times(y) ? -1 : 1;
    return strcmp(x->rule->id, y->rule->id);
}

static void print_rules(struct report *r, int severity, const struct rule_setting **all)
{
    size_t n = report_settings(r->check, all), kept = 0, shown;

    for (size_t i = 0; i < n; i++)
        if ((int)all[i]->severity == severity)
            all[kept++] = all[i];
    if (kept)
        qsort(all, kept, sizeof *all, by_times);
    shown = kept <= SHOWN ? kept : SHOWN - 1;
    for (size_t i = 0; i < shown; i++)
        print_rule(r, all[i]);
    if (kept > shown)
        print_other_rules(r, all + shown, kept - shown);
}

static void print_end(struct report *r)
{
    struct state *s = r->state;
    const struct rule_setting **all =
        memory_take((r->check->n_settings + 1) * sizeof(struct rule_setting *));

    for (int severity = SEVERITY_ERROR; severity >= 0; severity--)
        if (s->n[severity] <= SHOWN)
            print_each(r, severity);
        else
            print_rules(r, severity, all);
    free(all);
    free(s->first);
    free(s->findings.at);
}

const struct reporter github_reporter = {
    .name = "github",
    .summary = "annotations of GitHub Actions, at most 10 of each severity",
    .state = sizeof(struct state),
    .complete = true,
    .begin = print_begin,
    .finding = take_finding,
    .end = print_end,
};
