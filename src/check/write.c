/* write: findings to reporters. */
#include "check.h"

#include "../base/files.h"
#include "../base/message.h"
#include "../reporter.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void print_findings(struct report *r, const struct reporter *reporter)
{
    const struct check *c = r->check;
    const struct finding *f = c->findings.at;
    size_t *given = memory_take((c->n_settings + 1) * sizeof *given);

    memset(given, 0, (c->n_settings + 1) * sizeof *given);
    for (size_t i = 0; i < c->findings.n; i++)
        if (!f[i].hidden &&
            (reporter->complete || given[check_setting(c, f[i].rule) - c->settings]++ < r->most))
            reporter->finding(r, &f[i]);
    free(given);
}

static bool print_report(const struct check *c, const struct check_output *o, FILE *out)
{
    const struct reporter *reporter = o->reporter;
    struct report r = { .check = c, .out = out, .most = o->most ? o->most : reporter->most };

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
    return fflush(out) == 0 && !ferror(out);
}

static bool write_stream(const struct check *c, const struct check_output *o)
{
    FILE *out = fopen(o->path, "we");
    bool good = out && print_report(c, o, out);

    if (out && fclose(out) != 0)
        good = false;
    return good;
}

/* Under another name first: a report is there whole, or not at all. */
static bool write_file(const struct check *c, const struct check_output *o)
{
    struct text temporary = { 0 };
    FILE *out;
    bool good;

    text_addf(&temporary, "%s.%ld.tmp", o->path, (long)getpid());
    out = fopen(text_string(&temporary), "wxe");
    good = out && print_report(c, o, out);
    if (out && fclose(out) != 0)
        good = false;
    if (good)
        good = rename(text_string(&temporary), o->path) == 0;
    if (out && !good) {
        int reason = errno;

        unlink(text_string(&temporary));
        errno = reason;
    }
    text_drop(&temporary);
    return good;
}

bool check_write(const struct check *c, const struct check_output *o, struct faults *faults)
{
    if (strcmp(o->path, "-") == 0)
        return print_report(c, o, stdout); /* main reports what is wrong with stdout */
    return (file_is_stream(o->path) ? write_stream(c, o) : write_file(c, o)) ||
           fault_add(faults, 0, 0, o->path, "out-write", "%s", errno_text());
}
