/* json: one JSON object: counts, rules with findings, and findings. */
#include "check/reporter.h"

#include <stdlib.h>

struct state {
    size_t n; /* findings so far */
};

static void print_text(struct report *r, struct text *out)
{
    fwrite(text_string(out), 1, out->length, r->out);
    text_drop(out);
}

static void add_rules(const struct check *c, struct text *out)
{
    const struct rule_setting **all =
        memory_take((c->n_settings + 1) * sizeof(struct rule_setting *));
    size_t n = report_settings(c, all);

    for (size_t i = 0; i < n; i++) {
        const struct rule *rule = all[i]->rule;

        text_addf(out, "%s\n  {\"id\": \"%s\", \"slug\": \"%s\", \"severity\": \"%s\", ",
                  i ? "," : "", rule->id, rule->slug, severity_word(all[i]->severity));
        text_addf(out, "\"fix\": \"%s\", \"findings\": %zu, \"summary\": ", fix_word(rule->fix),
                  report_times(all[i]));
        report_add_json(out, rule->summary);
        text_addc(out, '}');
    }
    free(all);
}

static void print_begin(struct report *r)
{
    struct text out = { 0 };

    text_adds(&out, "{\"schema\": \"lockstep.check/1\", ");
    report_add_counts(r->check, &out);
    text_adds(&out, ",\n \"files\": [");
    for (size_t i = 0; i < r->check->n_files; i++) {
        const struct annotation_file *file = &r->check->files[i];

        text_adds(&out, i ? ",\n  {\"name\": " : "\n  {\"name\": ");
        report_add_json(&out, file->name);
        if (file->part) {
            text_adds(&out, ", \"part\": ");
            report_add_json(&out, file->part);
        }
        text_addf(&out, ", \"format\": \"%s\", \"images\": %zu, \"annotations\": %zu, ",
                  file->format->name, file->n_images, file->n_annotations);
        text_addf(&out, "\"categories\": %zu}", file->n_categories);
    }
    text_adds(&out, "],\n \"rules\": [");
    add_rules(r->check, &out);
    text_adds(&out, "],\n \"findings\": [");
    print_text(r, &out);
}

static void print_finding(struct report *r, const struct finding *f)
{
    struct state *state = r->state;
    struct text out = { 0 };

    text_adds(&out, state->n++ ? ",\n  {" : "\n  {");
    report_add_members(r->check, f, &out);
    text_addc(&out, '}');
    print_text(r, &out);
}

static void print_end(struct report *r)
{
    fputs("]}\n", r->out);
}

const struct reporter json_reporter = {
    .name = "json",
    .summary = "one JSON object: the numbers, the rules with findings, and the findings",
    .state = sizeof(struct state),
    .max_findings = 1000,
    .begin = print_begin,
    .finding = print_finding,
    .end = print_end,
};
