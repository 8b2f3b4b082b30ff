/* jsonl: one JSON object per line for each finding, and one with the counts. */
#include "check/reporter.h"

static void print_line(struct report *r, struct text *out)
{
    text_adds(out, "}\n");
    fwrite(out->at, 1, out->length, r->out);
    text_drop(out);
}

static void print_finding(struct report *r, const struct finding *f)
{
    struct text out = { 0 };

    text_adds(&out, "{\"schema\": \"lockstep.finding/1\", ");
    report_add_members(r->check, f, &out);
    print_line(r, &out);
}

static void print_end(struct report *r)
{
    struct text out = { 0 };

    text_adds(&out, "{\"schema\": \"lockstep.summary/1\", ");
    report_add_counts(r->check, &out);
    print_line(r, &out);
}

const struct reporter jsonl_reporter = {
    .name = "jsonl",
    .summary = "one JSON object per line for each finding, and one with the numbers",
    .max_findings = 1000,
    .finding = print_finding,
    .end = print_end,
};
