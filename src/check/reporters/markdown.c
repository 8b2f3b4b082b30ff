/* markdown: for a summary of GitHub Actions, or a comment.
 *  *
 *  * All text of files is in code spans, where Markdown, HTML, mentions and links have no effect.
 */
#include "check/reporter.h"

#include <stdlib.h>
#include <string.h>

struct state {
    struct text *of; /* findings, one text for each setting */
};

/* Appends code between more backticks than it contains. */
static void add_code(struct text *out, const char *at, size_t length)
{
    struct text visible = { 0 };
    size_t longest = 0, run = 0;

    report_add_log(&visible, at, length);
    for (size_t i = 0; i < visible.length; i++) {
        run = visible.at[i] == '`' ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    for (size_t i = 0; i <= longest; i++)
        text_addc(out, '`');
    text_addf(out, longest ? " %s " : "%s", visible.length ? text_string(&visible) : " ");
    for (size_t i = 0; i <= longest; i++)
        text_addc(out, '`');
    text_drop(&visible);
}

/* Escapes a rule's own words, which may contain Markdown. */
static void print_plain(struct report *r, const char *words)
{
    for (; *words; words++) {
        if (strchr("\\`*_[]<>|#&~", *words))
            fputc('\\', r->out);
        fputc(*words, r->out);
    }
}

static void print_begin(struct report *r)
{
    struct state *s = r->state;

    s->of = memory_take((r->check->n_settings + 1) * sizeof *s->of);
    memset(s->of, 0, r->check->n_settings * sizeof *s->of);
}

static void take_finding(struct report *r, const struct finding *f)
{
    struct state *s = r->state;
    struct text *out = &s->of[check_setting(r->check, f->rule) - r->check->settings];
    struct text place = { 0 }, words = { 0 };

    text_addf(&place, "%s:%llu:%llu", report_path(finding_name(r->check, f)),
              (unsigned long long)f->line, (unsigned long long)f->column);
    report_add_words(r->check, f, &words);
    text_adds(out, "- ");
    add_code(out, place.at, place.length);
    text_addc(out, ' ');
    add_code(out, words.at, words.length);
    text_addc(out, '\n');
    text_drop(&place);
    text_drop(&words);
}

static void print_rule(struct report *r, const struct rule_setting *s)
{
    const struct state *state = r->state;
    size_t times = report_times(s);

    fprintf(r->out, "\n### %s %s: ", s->rule->id, s->rule->slug);
    print_plain(r, s->rule->summary);
    fputs("\n\n", r->out);
    print_plain(r, s->rule->remedy);
    fprintf(r->out, "\n\n%s", text_string(&state->of[s - r->check->settings]));
    if (times > r->max_findings)
        fprintf(r->out, "- and %zu more\n", times - r->max_findings);
}

static void print_end(struct report *r)
{
    struct state *s = r->state;
    const struct check *c = r->check;
    const struct rule_setting **all =
        memory_take((c->n_settings + 1) * sizeof(struct rule_setting *));
    size_t n = report_settings(c, all);
    struct text totals = { 0 };

    report_add_totals(c, &totals);
    fprintf(r->out, "## lockstep check: %s\n", text_string(&totals));
    text_drop(&totals);
    if (n)
        fputs("\n| rule | severity | findings | what |\n|---|---|---:|---|\n", r->out);
    for (size_t i = 0; i < n; i++) {
        fprintf(r->out, "| %s %s | %s | %zu | ", all[i]->rule->id, all[i]->rule->slug,
                severity_word(all[i]->severity), report_times(all[i]));
        print_plain(r, all[i]->rule->summary);
        fputs(" |\n", r->out);
    }
    for (size_t i = 0; i < n; i++)
        print_rule(r, all[i]);
    for (size_t i = 0; i < c->n_settings; i++)
        text_drop(&s->of[i]);
    free(s->of);
    free(all);
}

const struct reporter markdown_reporter = {
    .name = "markdown",
    .summary = "Markdown, for a summary of GitHub Actions or a comment",
    .state = sizeof(struct state),
    .max_findings = 10,
    .begin = print_begin,
    .finding = take_finding,
    .end = print_end,
};
