/* profile_print: prints a profile as tables and as lines of JSON. */
#include "batch/profile/profile.h"

#include <stdio.h>

enum { MAX_PASSES = 20 }; /* rows of a table; the remaining passes are one row */

static const char *mode_name(int mode)
{
    return mode == EAGER ? "eager" : "compiled";
}

static const char *optimize_word(const struct profile_mode *m)
{
    return choice_word(optimize_choices, (int)m->optimize);
}

static double share(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : 0;
}

static double each(double us, size_t n)
{
    return n ? us / (double)n : 0;
}

static double per_second(const struct profile *p, const struct profile_mode *m)
{
    return m->us > 0 ? (double)p->results * 1e6 / m->us : 0;
}

static double faults_each(const struct profile *p, const struct profile_mode *m)
{
    return (double)m->faults / ((double)p->results * p->rounds);
}

/* True if the stage is printed: some stages occur only in some jobs. */
static bool is_shown(const struct profile *p, int stage)
{
    switch (stage) {
    case STAGE_MASK_READ:
    case STAGE_MASK_RENDER:
    case STAGE_MASK_ENCODE:
        return p->masks;
    case STAGE_EXCERPT:
        return p->mode[EAGER].stage[stage].calls || p->mode[COMPILED].stage[stage].calls;
    default:
        return true;
    }
}

/* --- text --- */

static void text_ratio(double eager, double compiled, struct text *out)
{
    if (compiled > 0)
        text_addf(out, "%9.2f\n", eager / compiled);
    else
        text_adds(out, "        -\n");
}

static void text_stages(const struct profile *p, struct text *out)
{
    const struct profile_mode *e = &p->mode[EAGER], *c = &p->mode[COMPILED];

    text_addf(out, "%-12s  %22s  %26s\n", "", "eager", "compiled");
    text_addf(out, "%-12s %9s %6s %6s   %9s %6s %6s  %9s\n", "stage", "us/image", "share", "calls",
              "us/image", "share", "calls", "eager/c.");
    for (int i = 0; i < N_STAGES; i++) {
        const struct profile_row *a = &e->stage[i], *b = &c->stage[i];

        if (!is_shown(p, i))
            continue;
        text_addf(out, "%-12s %9.1f %5.1f%% %6zu   %9.1f %5.1f%% %6zu  ", a->name,
                  each(a->us, p->results), share(a->us, e->us), a->calls, each(b->us, p->results),
                  share(b->us, c->us), b->calls);
        text_ratio(a->us, b->us, out);
    }
    text_addf(out, "%-12s %9.1f %5.1f%% %6s   %9.1f %5.1f%% %6s  ", "all", each(e->us, p->results),
              share(e->us, e->us), "", each(c->us, p->results), share(c->us, c->us), "");
    text_ratio(e->us, c->us, out);
    text_addf(out, "%-12s %9.1f %22s %11.1f\n", "images/s", per_second(p, e), "", per_second(p, c));
    text_addf(out, "%-12s %8.1f%% %22s %10.1f%%\n", "spread", 100 * e->spread, "", 100 * c->spread);
    text_addf(out, "%-12s %9.2f %22s %11.2f\n", "page faults", faults_each(p, e), "",
              faults_each(p, c));
}

static void text_pass(const struct profile_mode *m, const struct profile_row *r, struct text *out)
{
    text_addf(out, "%11.1f %5.1f%% %6zu  %s\n", each(r->us, r->calls),
              share(r->us, m->stage[STAGE_RENDER].us), r->calls, r->name);
}

static void text_passes(const struct profile_mode *m, const char *title, struct text *out)
{
    struct profile_row more = { 0 };
    size_t n = m->n_passes - 1, shown = n > MAX_PASSES ? MAX_PASSES - 1 : n;
    char name[40];

    text_addf(out, "\n%11s %6s %6s  %s\n", "us/call", "share", "calls", title);
    for (size_t i = 0; i < shown; i++)
        text_pass(m, &m->pass[i], out);
    for (size_t i = shown; i < n; i++) {
        more.us += m->pass[i].us;
        more.calls += m->pass[i].calls;
    }
    snprintf(name, sizeof name, "(%zu more)", n - shown);
    more.name = name;
    if (more.calls)
        text_pass(m, &more, out);
    text_pass(m, &m->pass[n], out);
}

void profile_text(const struct profile *p, struct text *out)
{
    char title[80];

    text_addf(out, "%zu results of %zu image%s, each done %d time%s in one process\n\n", p->results,
              p->images, p->images == 1 ? "" : "s", p->rounds, p->rounds == 1 ? "" : "s");
    text_stages(p, out);
    text_passes(&p->mode[EAGER], "op, eager; share of render", out);
    snprintf(title, sizeof title, "pass, compiled (optimize: %s); share of render",
             optimize_word(&p->mode[COMPILED]));
    text_passes(&p->mode[COMPILED], title, out);
    if (p->anonymous >= 0)
        text_addf(out, "\nmemory: %.1f MB in the end\n", (double)p->anonymous / 1024);
}

/* --- JSON --- */

static void json_number(struct text *out, const char *name, double value)
{
    text_addf(out, ", \"%s\": %.3f", name, value);
}

static void json_begin(const struct profile *p, int mode, const char *table, struct text *out)
{
    text_addf(out, "{\"table\": \"%s\", \"mode\": \"%s\", \"optimize\": \"%s\"", table,
              mode_name(mode), optimize_word(&p->mode[mode]));
}

static void json_row(const struct profile *p, int mode, const char *table,
                     const struct profile_row *r, double whole, struct text *out)
{
    json_begin(p, mode, table, out);
    text_addf(out, ", \"name\": \"%s\", \"calls\": %zu", r->name, r->calls);
    json_number(out, "us_per_image", each(r->us, p->results));
    json_number(out, "us_per_call", each(r->us, r->calls));
    json_number(out, "share", share(r->us, whole));
    text_adds(out, "}\n");
}

static void json_mode(const struct profile *p, int mode, struct text *out)
{
    const struct profile_mode *m = &p->mode[mode];

    for (int i = 0; i < N_STAGES; i++)
        if (is_shown(p, i))
            json_row(p, mode, "stage", &m->stage[i], m->us, out);
    for (size_t i = 0; i < m->n_passes; i++)
        json_row(p, mode, "pass", &m->pass[i], m->stage[STAGE_RENDER].us, out);
    json_begin(p, mode, "all", out);
    text_addf(out, ", \"images\": %zu, \"results\": %zu, \"rounds\": %d", p->images, p->results,
              p->rounds);
    json_number(out, "us_per_image", each(m->us, p->results));
    json_number(out, "images_per_second", per_second(p, m));
    json_number(out, "spread", 100 * m->spread);
    json_number(out, "faults_per_image", faults_each(p, m));
    text_adds(out, "}\n");
}

void profile_json(const struct profile *p, struct text *out)
{
    for (int mode = 0; mode < MODES; mode++)
        json_mode(p, mode, out);
    text_adds(out, "{\"table\": \"memory\", \"anonymous_kb\": ");
    if (p->anonymous >= 0)
        text_addf(out, "%ld}\n", p->anonymous);
    else
        text_adds(out, "null}\n");
}
