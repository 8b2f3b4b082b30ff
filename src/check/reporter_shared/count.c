/* count: numbers of findings, in all and by rule. */
#include "check/reporter.h"

#include <stdlib.h>
#include <string.h>

size_t report_total(const struct check *c)
{
    return c->findings.n - c->n_hidden;
}

void report_add_totals(const struct check *c, struct text *out)
{
    for (int severity = SEVERITY_ERROR; severity >= 0; severity--)
        text_addf(out, "%s%zu %s%s", severity == SEVERITY_ERROR ? "" : ", ", c->counts[severity],
                  severity_word((enum severity)severity), c->counts[severity] == 1 ? "" : "s");
}

size_t report_times(const struct rule_setting *s)
{
    return s->found - s->hidden;
}

static int by_severity(const void *a, const void *b)
{
    const struct rule_setting *x = *(const struct rule_setting *const *)a;
    const struct rule_setting *y = *(const struct rule_setting *const *)b;

    if (x->severity != y->severity)
        return x->severity > y->severity ? -1 : 1;
    return strcmp(x->rule->id, y->rule->id);
}

size_t report_settings(const struct check *c, const struct rule_setting **sorted)
{
    size_t n = 0;

    for (size_t i = 0; i < c->n_settings; i++)
        if (report_times(&c->settings[i]))
            sorted[n++] = &c->settings[i];
    if (n)
        qsort(sorted, n, sizeof *sorted, by_severity);
    return n;
}
