/* sarif: SARIF 2.1.0, for code scanning.
 *  *
 *  * GitHub shows 5 000 results of a run and accepts 25 000, with 100 places each. If there are
 * more
 *  * than it shows, findings of one rule in one image become one result with their number.
 *  * Format: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html */
#include "base/version.h"
#include "check/reporter.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_SHOWN = 5000, MAX_ACCEPTED = 25000, MAX_PLACES = 100, LONGEST_REGION = 1000 };

/* A finding with its column in characters. */
struct column_finding {
    const struct finding *finding;
    uint64_t column;
};

struct state {
    struct pile taken;
    /* The place up to which columns were counted. */
    uint32_t file;
    uint64_t begin, offset, column;
};

/* Returns the number of characters that begin in the stretch. */
static uint64_t characters(const char *at, uint64_t length)
{
    uint64_t n = 0;

    for (uint64_t i = 0; i < length; i++)
        n += ((unsigned char)at[i] & 0xc0) != 0x80;
    return n;
}

/* Findings come in the order of the text, so that a long line is counted only once. */
static uint64_t column_of(struct state *s, const struct check *c, const struct finding *f)
{
    const char *text = finding_file(c, f)->text.at;
    uint64_t begin = f->offset - (f->column - 1); /* start of its line */

    if (!s->column || f->file != s->file || begin != s->begin || f->offset < s->offset) {
        s->file = f->file;
        s->offset = s->begin = begin;
        s->column = 1;
    }
    s->column += characters(text + s->offset, f->offset - s->offset);
    s->offset = f->offset;
    return s->column;
}

static void take_finding(struct report *r, const struct finding *f)
{
    struct state *s = r->state;
    struct column_finding *t = pile_add(&s->taken, sizeof *t);

    *t = (struct column_finding){ f, column_of(s, r->check, f) };
}

/* --- texts --- */

/* Appends a message. Braces and brackets are escaped: they mark placeholders and links. */
static void add_message(struct text *out, const char *words)
{
    struct text escaped = { 0 };

    for (; *words; words++) {
        if (*words == '{' || *words == '}')
            text_addc(&escaped, *words);
        else if (*words == '[' || *words == ']' || *words == '\\')
            text_addc(&escaped, '\\');
        text_addc(&escaped, *words);
    }
    text_adds(out, "{\"text\": ");
    report_add_json(out, text_string(&escaped));
    text_addc(out, '}');
    text_drop(&escaped);
}

/* Appends text that has no placeholders. */
static void add_plain(struct text *out, const char *key, const char *words)
{
    text_addf(out, ", \"%s\": {\"text\": ", key);
    report_add_json(out, words);
    text_addc(out, '}');
}

static const char *level_of(int severity)
{
    static const char *const levels[] = { "note", "warning", "error" };

    return levels[severity];
}

static void add_rule(const struct rule_setting *s, struct text *out)
{
    text_addf(out, "{\"id\": \"%s\", \"name\": \"%s\"", s->rule->id, s->rule->slug);
    add_plain(out, "shortDescription", s->rule->summary);
    add_plain(out, "fullDescription", s->rule->cause);
    add_plain(out, "help", s->rule->remedy);
    text_addf(out,
              ", \"defaultConfiguration\": {\"level\": \"%s\"}, "
              "\"properties\": {\"tags\": [\"%s\"], \"fix\": \"%s\"}}",
              level_of((int)s->severity), s->family, fix_word(s->rule->fix));
}

/* --- results --- */

static void add_region(const struct check *c, const struct column_finding *t, struct text *out)
{
    const struct finding *f = t->finding;
    const char *at = finding_file(c, f)->text.at + f->offset;
    uint32_t length = f->length < LONGEST_REGION ? f->length : LONGEST_REGION;

    text_addf(out, "\"region\": {\"startLine\": %llu, \"startColumn\": %llu",
              (unsigned long long)f->line, (unsigned long long)t->column);
    if (length && f->length == length && !memchr(at, '\n', length))
        text_addf(out, ", \"endColumn\": %llu",
                  (unsigned long long)(t->column + characters(at, length)));
    text_addf(out, ", \"byteOffset\": %llu, \"byteLength\": %lu}",
              (unsigned long long)finding_offset(c, f), (unsigned long)f->length);
}

static void add_location(const struct check *c, const struct column_finding *t, struct text *out)
{
    struct text pointer = { 0 };

    text_adds(out, "{\"physicalLocation\": {\"artifactLocation\": {\"uri\": \"");
    report_add_uri(out, finding_name(c, t->finding));
    text_adds(out, "\"}, ");
    add_region(c, t, out);
    text_addc(out, '}');
    finding_pointer(c, t->finding, &pointer);
    if (pointer.length) {
        text_adds(out, ", \"logicalLocations\": [{\"fullyQualifiedName\": ");
        report_add_json(out, text_string(&pointer));
        text_adds(out, "}]");
    }
    text_addc(out, '}');
    text_drop(&pointer);
}

/* Prints n findings as one result. */
static void add_result(const struct check *c, const struct column_finding *t, size_t n,
                       struct text *out)
{
    const struct finding *f = t->finding;
    struct text words = { 0 };
    char fingerprint[33];

    if (n > 1)
        text_addf(&words, "%zu findings in this %s; the first: ", n,
                  f->image == NOT_THERE ? "file" : "image");
    report_add_words(c, f, &words);
    finding_fingerprint(f, fingerprint);
    text_addf(out, "{\"ruleId\": \"%s\", \"level\": \"%s\", \"message\": ", f->rule->id,
              level_of(f->severity));
    add_message(out, text_string(&words));
    text_adds(out, ", \"locations\": [");
    for (size_t i = 0; i < n && i < MAX_PLACES; i++) {
        if (i)
            text_adds(out, ", ");
        add_location(c, &t[i], out);
    }
    text_addf(out, "], \"partialFingerprints\": {\"lockstep/1\": \"%s\"}}", fingerprint);
    text_drop(&words);
}

/* Sorts by severity first, so that the least severe findings are left out. */
static int by_image(const void *a, const void *b)
{
    const struct finding *x = ((const struct column_finding *)a)->finding;
    const struct finding *y = ((const struct column_finding *)b)->finding;
    int rule = strcmp(x->rule->id, y->rule->id);

    if (x->severity != y->severity)
        return x->severity > y->severity ? -1 : 1;
    if (rule)
        return rule;
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    if (x->image != y->image)
        return x->image < y->image ? -1 : 1;
    return (x > y) - (x < y); /* both are in one list, sorted by place */
}

/* Returns how many of the n findings, sorted by image, have the rule and image of the first.
 * Findings without an image form a group too. */
static size_t group_length(const struct column_finding *t, size_t n)
{
    const struct finding *first = t->finding;
    size_t length = 1;

    while (length < n && t[length].finding->rule == first->rule &&
           t[length].finding->file == first->file && t[length].finding->image == first->image)
        length++;
    return length;
}

static void print_text(struct report *r, struct text *out)
{
    fwrite(text_string(out), 1, out->length, r->out);
    text_clear(out);
}

/* Returns the number of findings that are in no result. */
static size_t print_results(struct report *r, bool grouped)
{
    const struct state *s = r->state;
    struct column_finding *all = s->taken.at;
    struct text out = { 0 };
    size_t n = s->taken.n, done = 0;

    if (grouped)
        qsort(all, n, sizeof *all, by_image);
    for (size_t results = 0; done < n && results < MAX_ACCEPTED; results++) {
        size_t length = grouped ? group_length(&all[done], n - done) : 1;

        text_adds(&out, results ? ",\n   " : "\n   ");
        add_result(r->check, &all[done], length, &out);
        print_text(r, &out);
        done += length;
    }
    text_drop(&out);
    return n - done;
}

static void print_head(struct report *r)
{
    const struct check *c = r->check;
    const struct rule_setting **all =
        memory_take((c->n_settings + 1) * sizeof(struct rule_setting *));
    size_t n = report_settings(c, all);
    struct text out = { 0 };

    text_adds(&out, "{\"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\", "
                    "\"version\": \"2.1.0\",\n \"runs\": [{\"tool\": {\"driver\": {\"name\": "
                    "\"lockstep\", \"semanticVersion\": \"" LOCKSTEP_VERSION "\", \"rules\": [");
    for (size_t i = 0; i < n; i++) {
        text_adds(&out, i ? ",\n   " : "\n   ");
        add_rule(all[i], &out);
    }
    text_adds(&out, "]}},\n  \"columnKind\": \"unicodeCodePoints\",\n  \"results\": [");
    print_text(r, &out);
    text_drop(&out);
    free(all);
}

/* Reports what was left out or joined, though few readers show it. */
static void print_tail(struct report *r, bool grouped, size_t left)
{
    fputs("],\n  \"invocations\": [{\"executionSuccessful\": true", r->out);
    if (grouped)
        fprintf(r->out,
                ", \"toolExecutionNotifications\": [{\"level\": \"warning\", \"message\": "
                "{\"text\": \"%zu findings: all findings of one rule in one image are one result; "
                "%zu findings are in no result\"}}]",
                report_total(r->check), left);
    fputs("}]}]}\n", r->out);
}

static void print_end(struct report *r)
{
    struct state *s = r->state;
    bool grouped = s->taken.n > MAX_SHOWN;

    print_head(r);
    print_tail(r, grouped, print_results(r, grouped));
    free(s->taken.at);
}

const struct reporter sarif_reporter = {
    .name = "sarif",
    .summary = "SARIF 2.1.0, for code scanning",
    .state = sizeof(struct state),
    .complete = true,
    .finding = take_finding,
    .end = print_end,
};
