/* gitlab: GitLab's Code Quality report. Format:
 * https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format */
#include "check/reporter.h"

struct state {
    size_t n; /* findings so far */
};

static void print_begin(struct report *r)
{
    fputc('[', r->out);
}

static void print_finding(struct report *r, const struct finding *f)
{
    static const char *const severities[] = { "info", "minor", "critical" };
    struct state *state = r->state;
    struct text out = { 0 }, words = { 0 };
    char fingerprint[33];

    finding_fingerprint(f, fingerprint);
    report_add_words(r->check, f, &words);
    text_adds(&out, state->n++ ? ",\n  {\"description\": " : "\n  {\"description\": ");
    report_add_json(&out, text_string(&words));
    text_addf(&out,
              ", \"check_name\": \"%s %s\", \"fingerprint\": \"%s\", \"severity\": \"%s\", "
              "\"location\": {\"path\": ",
              f->rule->id, f->rule->slug, fingerprint, severities[f->severity]);
    report_add_json(&out, report_path(finding_name(r->check, f)));
    text_addf(&out, ", \"lines\": {\"begin\": %llu}}}", (unsigned long long)f->line);
    fwrite(out.at, 1, out.length, r->out);
    text_drop(&out);
    text_drop(&words);
}

static void print_end(struct report *r)
{
    fputs("]\n", r->out);
}

const struct reporter gitlab_reporter = {
    .name = "gitlab",
    .summary = "GitLab's Code Quality report",
    .state = sizeof(struct state),
    .max_findings = 1000,
    .begin = print_begin,
    .finding = print_finding,
    .end = print_end,
};
