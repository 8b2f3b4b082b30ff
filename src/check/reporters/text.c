/* text: findings in the form of compilers' errors, for people, followed by a table of the rules. */
#include "check/reporter.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST_LINE = 100 }; /* of a source line that is printed below a finding */

static const char *colour_of(const struct report *r, int severity)
{
    static const char *const colours[] = { "\033[1;36m", "\033[1;35m", "\033[1;31m" };

    return r->styled ? colours[severity] : "";
}

static const char *plain(const struct report *r)
{
    return r->styled ? "\033[0m" : "";
}

/* Returns the line of the finding, or the part of the line near it; `mark` is its first byte. */
static struct slice excerpt(struct slice text, const struct finding *f, size_t *mark)
{
    size_t at = (size_t)f->offset, begin = at, end = at;

    while (begin > 0 && text.at[begin - 1] != '\n' && at - begin < LONGEST_LINE / 3)
        begin--;
    while (begin < at && ((unsigned char)text.at[begin] & 0xc0) == 0x80)
        begin++;
    while (end < text.length && text.at[end] != '\n' && text.at[end] != '\r' &&
           end - begin < LONGEST_LINE)
        end++;
    while (end > at && end < text.length && ((unsigned char)text.at[end] & 0xc0) == 0x80)
        end--;
    *mark = at - begin;
    return (struct slice){ text.at + begin, end - begin };
}

static size_t columns(const char *at, size_t length)
{
    struct text visible = { 0 };
    size_t n = 0;

    report_add_log(&visible, at, length);
    for (size_t i = 0; i < visible.length; i++)
        n += ((unsigned char)visible.at[i] & 0xc0) != 0x80;
    text_drop(&visible);
    return n;
}

static void print_excerpt(struct text *out, struct slice text, const struct finding *f)
{
    size_t mark, length;
    struct slice line = excerpt(text, f, &mark);

    if (!line.length)
        return;
    length = f->length < line.length - mark ? f->length : line.length - mark;
    text_adds(out, "  | ");
    report_add_log(out, line.at, line.length);
    text_adds(out, "\n  | ");
    for (size_t n = columns(line.at, mark); n; n--)
        text_addc(out, ' ');
    text_addc(out, '^');
    for (size_t n = columns(line.at + mark, length); n > 1; n--)
        text_addc(out, '~');
    text_addc(out, '\n');
}

static void print_finding(struct report *r, const struct finding *f)
{
    const struct annotation_file *file = finding_file(r->check, f);
    const struct checked_image *image = finding_image(r->check, f);
    struct text out = { 0 }, pointer = { 0 };

    finding_pointer(r->check, f, &pointer);
    report_add_log_name(&out, finding_name(r->check, f));
    text_addf(&out, ":%llu:%llu: %s%s%s[%s]: ", (unsigned long long)f->line,
              (unsigned long long)f->column, colour_of(r, f->severity),
              severity_word((enum severity)f->severity), plain(r), f->rule->id);
    if (pointer.length) {
        report_add_log(&out, pointer.at, pointer.length);
        text_adds(&out, ": ");
    }
    report_add_log(&out, f->message, strlen(f->message));
    if (image && *image->name) {
        text_adds(&out, " (");
        report_add_log(&out, image->name, strlen(image->name));
        text_addc(&out, ')');
    }
    text_addc(&out, '\n');
    print_excerpt(&out, file->text, f);
    fwrite(out.at, 1, out.length, r->out);
    text_drop(&out);
    text_drop(&pointer);
}

/* True if the finding's file can be fixed; folders of labels cannot. */
static bool can_fix(const struct check *c)
{
    for (size_t i = 0; i < c->n_files; i++)
        if (!c->files[i].labels)
            return true;
    return false;
}

static void print_table(struct report *r)
{
    const struct check *c = r->check;
    const struct rule_setting **found =
        memory_take((c->n_settings + 1) * sizeof(struct rule_setting *));
    size_t n = report_settings(c, found);

    if (n)
        fprintf(r->out, "\n");
    for (size_t i = 0; i < n; i++) {
        const struct rule_setting *s = found[i];
        size_t times = report_times(s);

        fprintf(r->out, "%s%-7s%s  %s  %8zu  %s%s\n", colour_of(r, (int)s->severity),
                severity_word(s->severity), plain(r), s->rule->id, times, s->rule->summary,
                s->rule->fix == FIX_SAFE && can_fix(c) ? " (safe fix)" : "");
        if (times > r->max_findings)
            fprintf(r->out, "%*s%zu of them are shown; --max-findings N shows N\n", 25, "",
                    r->max_findings);
    }
    free(found);
}

static const char *plural(size_t n)
{
    return n == 1 ? "" : "s";
}

static void print_end(struct report *r)
{
    const struct check *c = r->check;
    size_t images = 0, annotations = 0;

    for (size_t i = 0; i < c->n_files; i++) {
        images += c->files[i].n_images;
        annotations += c->files[i].n_annotations;
    }
    print_table(r);
    fprintf(r->out, "%s%zu image%s, %zu annotation%s: %zu error%s, %zu warning%s, %zu info",
            c->findings.n > c->n_hidden ? "\n" : "", images, plural(images), annotations,
            plural(annotations), c->counts[SEVERITY_ERROR], plural(c->counts[SEVERITY_ERROR]),
            c->counts[SEVERITY_WARNING], plural(c->counts[SEVERITY_WARNING]),
            c->counts[SEVERITY_INFO]);
    if (c->n_hidden)
        fprintf(r->out, ", %zu in the baseline", c->n_hidden);
    fprintf(r->out, "\n");
}

const struct reporter text_reporter = {
    .name = "text",
    .summary = "lines for people, with the place marked, and a table of the rules",
    .max_findings = 10,
    .finding = print_finding,
    .end = print_end,
};
