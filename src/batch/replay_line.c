/* replay_line: one line of a manifest, read and held against the run that it is of. */
#include "names.h"
#include "outdir.h"
#include "replay.h"
#include "run_key.h"

#include "../plan/mirrors.h"

#include <string.h>

enum { HEX_DIGITS = 16, MOST_ATTEMPTS = 1000 };

/* What replaying needs of a line. The rest follows from it, and is what it became in the run. */
struct members {
    const char *output, *mask, *labels, *source, *key, *run;
    const char *source_sha256, *sha256, *mask_sha256, *labels_sha256;
    int64_t copy, branch, image_id, from, attempt;
    struct list size_in, size_out;
};

#define M struct members
static const struct row member_rows[] = {
    TEXT(M, output, .help = "the image that was written"),
    TEXT(M, mask, .preset = "\"\"", .help = "its label mask"),
    TEXT(M, labels, .preset = "\"\"", .help = "its file of labels"),
    TEXT(M, source, .help = "the image that it was made of"),
    TEXT(M, source_sha256, .preset = "\"\"", .help = "the SHA-256 of the source"),
    TEXT(M, sha256, .preset = "\"\"", .help = "the same of the image that was written"),
    TEXT(M, mask_sha256, .preset = "\"\"", .help = "the same of its label mask"),
    TEXT(M, labels_sha256, .preset = "\"\"", .help = "the same of its file of labels"),
    WHOLE(M, copy, .limit = { 0, 1000000 }, .help = "which of the image's copies it is"),
    WHOLE(M, branch, .preset = "0", .limit = { 0, 1000000 }, .help = "which branch of the copy"),
    WHOLE(M, image_id, .preset = "0", .limit = { -9007199254740992, 9007199254740992 },
          .help = "its id in the annotations that were written"),
    WHOLE(M, from, .preset = "0", .limit = { -9007199254740992, 9007199254740992 },
          .help = "the source's id"),
    TEXT(M, key, .help = "the key of the random numbers that were drawn"),
    TEXT(M, run, .help = "what links the line to the run's run.json"),
    LIST(M, size_in, .least = 2, .most = 2, .whole = true, .limit = { 1, 2147483647 },
         .help = "width and height of the source"),
    LIST(M, size_out, .least = 2, .most = 2, .whole = true, .limit = { 1, 2147483647 },
         .help = "width and height of the output"),
    WHOLE(M, attempt, .preset = "0", .limit = { 0, MOST_ATTEMPTS }, .help = "which attempt it was"),
    ROWS_END,
};
#undef M

/* Read otherwise, or results of the steps, which are made again. */
static const char *const other_members[] = { "steps",    "matrix",        "annotations", "dropped",
                                             "rejected", "when_rejected", NULL };

/* A line in work: it is parsed by itself, and its faults are put where it stands in the manifest.
 */
struct reading {
    const struct job *job;
    struct arena *arena;
    struct faults faults; /* of the line */
    const struct value *root;
    struct members members;
};

static void move_faults(struct faults *from, const struct replay *r, struct faults *to)
{
    size_t at = (size_t)(from->text.at - r->text.at);

    for (size_t i = 0; i < from->n; i++) {
        const struct fault *f = &from->list[i];

        fault_add(to, at + f->offset, f->length, f->path, f->code, "%s", f->message);
    }
}

static bool refuse(struct reading *r, const char *member, const char *code, const char *why)
{
    const struct value *value = value_get(r->root, member);

    return value_fault(&r->faults, value ? value : r->root, false, code, "%s", why);
}

static bool begin(struct reading *r, const struct replay *replay, struct slice line)
{
    r->faults = (struct faults){ .name = replay->name, .text = line };
    params_preset(member_rows, &r->members, r->arena);
    r->root = value_parse(&r->faults, r->arena);
    return r->root &&
           value_expect(r->root, VALUE_OBJECT, "a line of a manifest, an object", &r->faults);
}

static bool end(struct reading *r, const struct replay *replay, struct faults *faults)
{
    bool good = r->faults.n == 0;

    move_faults(&r->faults, replay, faults);
    faults_drop(&r->faults);
    return good;
}

bool replay_line_names(const struct replay *replay, struct slice line, struct arena *arena,
                       struct replay_line *out, struct faults *faults)
{
    struct reading r = { .arena = arena };
    struct reader reader = { .arena = arena };

    *out = (struct replay_line){ .source = "", .output = "" };
    for (size_t i = 0; begin(&r, replay, line) && i < r.root->n; i++) {
        const struct value *value = &r.root->item[i];

        if (strcmp(value->name, "source") == 0 || strcmp(value->name, "output") == 0)
            param_read(row_get(member_rows, value->name), value, &r.members, &reader, &r.faults);
    }
    out->source = r.members.source ? r.members.source : "";
    out->output = r.members.output ? r.members.output : "";
    return end(&r, replay, faults);
}

/* --- what a line must be --- */

static bool read_hex(const char *text, uint64_t *number)
{
    *number = 0;
    if (strlen(text) != HEX_DIGITS)
        return false;
    for (; *text; text++) {
        const char *digit = strchr("0123456789abcdef", *text);

        if (!digit)
            return false;
        *number = *number << 4 | (uint64_t)(digit - "0123456789abcdef");
    }
    return true;
}

static bool check_keys(struct reading *r, const struct replay *replay, struct replay_line *out)
{
    uint64_t run;

    if (!read_hex(r->members.key, &out->key))
        return refuse(r, "key", "replay-line", "expected 16 hexadecimal digits");
    if (!read_hex(r->members.run, &run) || run != replay->run)
        return refuse(r, "run", "replay-foreign",
                      "the line is of another run than the run.json, which stands beside its "
                      "manifest or is given with --run");
    return true;
}

static bool check_number(struct reading *r, struct replay_line *out)
{
    const struct job *job = r->job;
    const struct members *m = &r->members;
    unsigned copies = job->copies + job->include_original;

    if (m->copy >= copies)
        return refuse(r, "copy", "replay-line", "the run made no copy of this number");
    if (m->branch >= job->plan->fan_out)
        return refuse(r, "branch", "replay-line", "the run's pipeline has no such branch");
    out->k = (unsigned)m->copy * job->plan->fan_out + (unsigned)m->branch;
    return true;
}

/* A path below OUT, if it is given, must be the one that the run's names give. */
static bool check_name(struct reading *r, const char *member, const char *given, const char *folder,
                       const struct text *name)
{
    struct text whole = { 0 }, why = { 0 };
    bool same;

    text_addf(&whole, "%s%s", folder, text_string(name));
    same = strcmp(given, text_string(&whole)) == 0;
    if (!same) {
        text_addf(&why, "what the run calls it is %s", text_string(&whole));
        refuse(r, member, "replay-line", text_string(&why));
    }
    text_drop(&whole);
    text_drop(&why);
    return same;
}

static void check_names(struct reading *r, size_t record, const struct replay_line *out)
{
    const struct job *job = r->job;
    const struct format *writer = job->dataset->writer;
    struct text name = { 0 };

    if (*out->mask && mask_output_name(job, record, out->k, &name))
        check_name(r, "mask", out->mask, OUT_MASKS "/", &name);
    output_name(job, job->dataset->records[record].name, out->k, &name);
    if (check_name(r, "output", out->output, OUT_IMAGES "/", &name) && *out->labels && writer &&
        writer->suffix) {
        struct text labels = { 0 };

        labels_name(job, text_string(&name), &labels);
        check_name(r, "labels", out->labels, "", &labels);
        text_drop(&labels);
    }
    text_drop(&name);
}

static void check_ids(struct reading *r, size_t record, const struct replay_line *out)
{
    const struct job *job = r->job;

    if (!job->dataset->format)
        return;
    if (value_get(r->root, "image_id") && r->members.image_id != job_image_id(job, record, out->k))
        refuse(r, "image_id", "replay-line", "the run's id of this output is another");
    if (value_get(r->root, "from") && r->members.from != job->dataset->records[record].id)
        refuse(r, "from", "replay-line", "the image has another id in the annotations");
}

/* --- attempts --- */

static bool read_rejected(struct reading *r, const struct value *list, struct attempts *a)
{
    struct reject_reason *reason;

    if (!list)
        return true;
    if (!value_expect(list, VALUE_LIST, "a list", &r->faults))
        return false;
    if (list->n > MOST_ATTEMPTS)
        return value_fault(&r->faults, list, false, "replay-line", "more than %d attempts",
                           MOST_ATTEMPTS);
    a->rejected = reason = ARENA_ARRAY(r->arena, struct reject_reason, list->n);
    a->n_rejected = list->n;
    for (size_t i = 0; i < list->n; i++) {
        const struct value *v = &list->item[i];
        const struct value *word = v->kind == VALUE_OBJECT ? value_get(v, "reason") : NULL;
        const struct value *number = word ? value_get(v, "value") : NULL;

        if (!number || word->kind != VALUE_TEXT || number->kind != VALUE_NUMBER)
            return value_fault(&r->faults, v, false, "replay-line",
                               "expected {\"reason\": text, \"value\": number}");
        reason[i] = (struct reject_reason){ word->text, number->number };
    }
    return true;
}

static void read_attempts(struct reading *r, struct replay_line *out)
{
    const struct value *given_up = value_get(r->root, "when_rejected");
    const char *rule = choice_word(row_get(annotation_rows, "when_rejected")->choices,
                                   r->job->plan->rules.when_rejected);

    out->tried = value_get(r->root, "attempt");
    out->attempts.chosen = (uint32_t)r->members.attempt;
    read_rejected(r, value_get(r->root, "rejected"), &out->attempts);
    out->attempts.given_up = given_up;
    if (given_up && (given_up->kind != VALUE_TEXT || strcmp(given_up->text, rule) != 0))
        refuse(r, "when_rejected", "replay-line", "the run's pipeline has another word for it");
}

/* --- all of it --- */

/* What an op that mirrors swaps must be known, as a run asks before it begins. */
static void check_mirrors(struct reading *r, const struct replay_line *out)
{
    struct faults named = { .name = "" }, own = { .name = "" };

    if (!mirrors_check(&out->plan, r->job->dataset, &named, &own)) {
        const struct fault *f = named.n ? named.list : own.list;

        value_fault(&r->faults, value_get(r->root, "steps"), false, f->code,
                    "a step mirrors, and %s", f->message);
    }
    faults_drop(&named);
    faults_drop(&own);
}

static void read_steps(struct reading *r, struct replay_line *out)
{
    const struct value *steps = value_get(r->root, "steps");

    if (!steps)
        value_fault(&r->faults, r->root, false, "param-missing",
                    "\"steps\" is missing: the ops that were done");
    else if (plan_read_recorded(r->job->plan, steps, r->arena, &out->plan, &r->faults))
        check_mirrors(r, out);
}

bool replay_line_read(const struct job *job, const struct replay *replay, struct slice line,
                      size_t record, struct arena *arena, struct replay_line *out,
                      struct faults *faults)
{
    struct reading r = { .job = job, .arena = arena };
    struct members *m = &r.members;

    *out = (struct replay_line){ .source = "" };
    if (begin(&r, replay, line) && params_read(member_rows, r.root, m, other_members,
                                               &(struct reader){ .arena = arena }, &r.faults)) {
        out->source = m->source;
        out->output = m->output;
        out->mask = m->mask;
        out->labels = m->labels;
        out->source_sha256 = m->source_sha256;
        out->in = (struct frame){ (int)m->size_in.at[0], (int)m->size_in.at[1] };
        if (check_keys(&r, replay, out) && check_number(&r, out)) {
            check_names(&r, record, out);
            check_ids(&r, record, out);
        }
        read_attempts(&r, out);
        read_steps(&r, out);
    }
    return end(&r, replay, faults);
}
