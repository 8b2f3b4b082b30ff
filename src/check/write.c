/* write: passes findings to reporters. */
#include "check/check.h"

#include "base/stderr_line.h"
#include "base/output_file.h"
#include "check/reporter.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void print_findings(struct report *r, const struct reporter *reporter)
{
    const struct check *c = r->check;
    const struct finding *f = c->findings.at;
    size_t *given = memory_take((c->n_settings + 1) * sizeof *given);

    memset(given, 0, (c->n_settings + 1) * sizeof *given);
    for (size_t i = 0; i < c->findings.n; i++)
        if (!f[i].hidden && (reporter->complete ||
                             given[check_setting(c, f[i].rule) - c->settings]++ < r->max_findings))
            reporter->finding(r, &f[i]);
    free(given);
}

static void print_report(const struct check *c, const struct check_output *o, FILE *out)
{
    const struct reporter *reporter = o->reporter;
    struct report r = { .check = c,
                        .out = out,
                        .max_findings =
                            o->max_findings ? o->max_findings : reporter->max_findings };

    r.styled = out == stdout && terminal_is_styled(STDOUT_FILENO);
    r.state = memory_take(reporter->state + 1);
    memset(r.state, 0, reporter->state + 1);
    if (reporter->begin)
        reporter->begin(&r);
    if (reporter->finding)
        print_findings(&r, reporter);
    if (reporter->end)
        reporter->end(&r);
    free(r.state);
}

bool check_write(const struct check *c, const struct check_output *o, struct faults *faults)
{
    struct output_file to;
    struct text why = { 0 };
    int code = output_open(&to, o->path, true, &why);

    if (!code) {
        print_report(c, o, to.file);
        code = output_finish(&to, &why);
    } else {
        output_drop(&to);
    }
    if (code)
        fault_add(faults, 0, 0, o->path, output_code(code), "%s", text_string(&why));
    text_drop(&why);
    return !code;
}
