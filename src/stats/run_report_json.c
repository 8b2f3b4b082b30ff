/* run_report_json: the report of a run as a JSON object. */
#include "stats/run_report.h"

#include "base/number.h"

#include <string.h>

static void print_text(struct text *out, const char *before, const char *text)
{
    text_adds(out, before);
    text_add_json(out, text, strlen(text));
}

/* Prints members without braces. Numbers that are not known are null. */
static void print_count(const struct run_report *r, struct run_count count, struct text *out)
{
    if (r->in.before)
        text_addf(out, "\"before\": %zu, \"after\": %zu, \"dropped\": %zu", count.before,
                  count.after, count.dropped);
    else
        text_addf(out, "\"before\": null, \"after\": %zu, \"dropped\": null", count.after);
}

static void print_sizes(const struct run_report *r, size_t part, size_t class, struct text *out)
{
    text_adds(out, ", \"sizes\": {");
    for (size_t i = 0; i < SIZES; i++) {
        text_addf(out, "%s\"%s\": {", i ? ", " : "", stats_size_names[i]);
        print_count(r, run_report_count(r, part, class, i), out);
        text_addc(out, '}');
    }
    text_addc(out, '}');
}

static void print_classes(const struct run_report *r, size_t part, struct text *out)
{
    text_adds(out, ", \"categories\": [");
    for (size_t i = 0; i < r->n_classes; i++) {
        struct run_count count = run_report_count(r, part, i, RUN_ALL);

        if (i + 1 == r->n_classes && !count.before && !count.after && !count.dropped)
            continue;
        print_text(out, i ? ", {\"name\": " : "{\"name\": ", r->classes[i].name);
        text_adds(out, ", ");
        print_count(r, count, out);
        print_sizes(r, part, i, out);
        text_addc(out, '}');
    }
    text_addc(out, ']');
}

static void print_parts(const struct run_report *r, struct text *out)
{
    const struct run_part *part = r->parts.at;

    text_adds(out, ", \"parts\": [");
    for (size_t i = 0; i < r->parts.n; i++) {
        print_text(out, i ? ", {\"name\": " : "{\"name\": ", part[i].name);
        if (r->in.before)
            text_addf(out, ", \"images_before\": %zu", part[i].images_before);
        else
            text_adds(out, ", \"images_before\": null");
        text_addf(out, ", \"images_after\": %zu, ", part[i].images_after);
        print_count(r, run_report_count(r, i, RUN_ALL, RUN_ALL), out);
        print_sizes(r, i, RUN_ALL, out);
        if (r->parts.n > 1)
            print_classes(r, i, out);
        text_addc(out, '}');
    }
    text_addc(out, ']');
}

static void print_reasons(const struct run_report *r, struct text *out)
{
    const struct run_reason *reason = r->reasons.at;

    text_adds(out, ", \"reasons\": [");
    for (size_t i = 0; i < r->reasons.n; i++) {
        print_text(out, i ? ", {\"reason\": " : "{\"reason\": ", reason[i].name);
        text_addf(out, ", \"objects\": %zu}", reason[i].n);
    }
    text_addc(out, ']');
}

static void print_value(const struct step_value *v, struct text *out)
{
    print_text(out, "{\"name\": ", v->name);
    if (v->n) {
        text_adds(out, ", \"least\": ");
        number_print(out, v->min);
        text_adds(out, ", \"most\": ");
        number_print(out, v->max);
        text_adds(out, ", \"mean\": ");
        number_print(out, v->sum / (double)v->n);
        text_adds(out, ", \"bins\": [");
        for (size_t i = 0; i < VALUE_BINS; i++)
            text_addf(out, "%s%zu", i ? ", " : "", v->bins[i]);
        text_addc(out, ']');
    }
    if (v->n_words) {
        text_adds(out, ", \"words\": {");
        for (size_t i = 0; i < v->n_words; i++) {
            print_text(out, i ? ", " : "", v->words[i].word);
            text_addf(out, ": %zu", v->words[i].n);
        }
        text_addf(out, "}, \"other_words\": %zu", v->n_other);
    }
    text_addc(out, '}');
}

static void print_steps(const struct run_report *r, struct text *out)
{
    const struct value_step *step = r->values.steps.at;

    text_adds(out, ", \"steps\": [");
    for (size_t i = 0; i < r->values.steps.n; i++) {
        const struct step_value *value = step[i].values.at;

        print_text(out, i ? ", {\"type\": " : "{\"type\": ", step[i].type);
        text_addf(out, ", \"times\": %zu, \"outputs\": %zu, \"values\": [", step[i].n,
                  step[i].outputs);
        for (size_t k = 0; k < step[i].values.n; k++) {
            text_adds(out, k ? ", " : "");
            print_value(&value[k], out);
        }
        text_adds(out, "]}");
    }
    text_addc(out, ']');
}

void run_report_print_json(const struct run_report *r, struct text *out)
{
    text_addf(out, "{\"outputs\": %zu, \"sources\": ", r->lines.n);
    if (r->in.before)
        text_addf(out, "%zu", r->n_sources);
    else
        text_adds(out, "null");
    text_addf(out, ", \"skipped\": %zu, \"unread_lines\": %zu, ",
              run_number(r, "images", "skipped"), r->n_unread);
    print_count(r, run_report_count(r, RUN_ALL, RUN_ALL, RUN_ALL), out);
    print_sizes(r, RUN_ALL, RUN_ALL, out);
    print_classes(r, RUN_ALL, out);
    print_parts(r, out);
    print_reasons(r, out);
    print_steps(r, out);
    text_addc(out, '}');
}
