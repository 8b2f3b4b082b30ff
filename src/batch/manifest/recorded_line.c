/* recorded_line: reads one line of a manifest and checks it against its run. */
#include "batch/manifest/manifest_read.h"
#include "batch/manifest/recorded_steps.h"
#include "batch/output/out_handles.h"
#include "batch/output/output_names.h"

#include "base/files.h"

#include "plan/keypoint_mirror.h"

#include <string.h>

/* Line that is being read. It is parsed by itself; its faults are then moved to their place in the
 * manifest. */
struct line_reader {
    const struct job *job;
    struct arena *arena;
    struct faults faults; /* of the line */
    const struct value *root;
    struct manifest_line members;
};

static bool refuse(struct line_reader *r, const char *member, const char *code, const char *why)
{
    const struct value *value = value_get(r->root, member);

    return value_fault(&r->faults, value ? value : r->root, false, code, "%s", why);
}

static bool begin(struct line_reader *r, const struct replay *replay, struct slice line)
{
    r->faults = (struct faults){ .name = replay->name, .text = line };
    r->root = manifest_line_parse(&r->faults, r->arena, &r->members);
    return r->root;
}

static bool end(struct line_reader *r, struct faults *faults)
{
    bool good = r->faults.n == 0;

    manifest_line_put_faults(&r->faults, faults);
    faults_drop(&r->faults);
    return good;
}

bool replay_line_names(const struct replay *replay, struct slice line, struct arena *arena,
                       struct replay_line *out, struct faults *faults)
{
    struct line_reader r = { .arena = arena };
    struct reader reader = { .arena = arena };

    *out = (struct replay_line){ .source = "", .output = "" };
    begin(&r, replay, line);
    for (size_t i = 0; r.root && i < r.root->n; i++) {
        const struct value *value = &r.root->item[i];

        if (strcmp(value->name, "source") == 0 || strcmp(value->name, "output") == 0 ||
            strcmp(value->name, "unlinked") == 0)
            param_read(row_get(manifest_rows, value->name), value, &r.members, &reader, &r.faults);
    }
    out->source = r.members.source ? r.members.source : "";
    out->output = *r.members.output ? r.members.output : r.members.unlinked;
    return end(&r, faults);
}

/* --- checks of a line --- */

static bool check_keys(struct line_reader *r, const struct replay *replay, struct replay_line *out)
{
    uint64_t run;

    if (!manifest_read_hex(r->members.key, &out->key))
        return refuse(r, "key", "replay-line", "expected 16 hexadecimal digits");
    if (!manifest_read_hex(r->members.run, &run) || run != replay->run)
        return refuse(r, "run", "replay-foreign",
                      "the line is from another run than the run.json that is beside its "
                      "manifest or is given with --run");
    return true;
}

static bool check_number(struct line_reader *r, size_t record, struct replay_line *out)
{
    const struct job *job = r->job;
    const struct manifest_line *m = &r->members;
    unsigned n = record_fan_out(job, record), branches = job->plan->fan_out;

    if (m->copy * branches >= n)
        return refuse(r, "copy", "replay-line", "the run made no copy of this number");
    if (m->branch >= branches || m->copy * branches + m->branch >= n)
        return refuse(r, "branch", "replay-line", "the run's pipeline has no such branch");
    out->k = (unsigned)m->copy * job->plan->fan_out + (unsigned)m->branch;
    return true;
}

/* Checks that a path below OUT, if given, equals the name that the run gives. */
static bool check_name(struct line_reader *r, const char *member, const char *given,
                       const char *folder, const struct text *name)
{
    struct text whole = { 0 }, why = { 0 };
    bool same;

    path_join(&whole, folder, text_string(name));
    same = strcmp(given, text_string(&whole)) == 0;
    if (!same) {
        text_addf(&why, "the run's name for it is %s", text_string(&whole));
        refuse(r, member, "replay-line", text_string(&why));
    }
    text_drop(&whole);
    text_drop(&why);
    return same;
}

static void check_names(struct line_reader *r, size_t record, const struct replay_line *out)
{
    const struct job *job = r->job;
    const struct format *writer = job->dataset->writer;
    struct text name = { 0 };

    if (*out->mask && mask_output_name(job, record, out->k, &name))
        check_name(r, "mask", out->mask, masks_folder(job), &name);
    output_name(job, record, out->k, &name);
    if (check_name(r, "output", out->output, images_folder(job), &name) && *out->labels && writer &&
        writer->suffix) {
        struct text labels = { 0 };

        labels_name(job, text_string(&name), &labels);
        check_name(r, "labels", out->labels, "", &labels);
        text_drop(&labels);
    }
    text_drop(&name);
}

static void check_ids(struct line_reader *r, size_t record, const struct replay_line *out)
{
    const struct job *job = r->job;

    if (!job->dataset->format)
        return;
    if (value_get(r->root, "image_id") && r->members.image_id != job_image_id(job, record, out->k))
        refuse(r, "image_id", "replay-line", "the run gave this output another id");
    if (value_get(r->root, "from") && r->members.from != job->dataset->records[record].id)
        refuse(r, "from", "replay-line", "the image has another id in the annotations");
}

/* --- attempts --- */

static bool read_rejected(struct line_reader *r, const struct value *list, struct attempts *a)
{
    struct reject_reason *reason;

    if (!list)
        return true;
    if (!value_expect(list, VALUE_LIST, "a list", &r->faults))
        return false;
    if (list->n > MAX_ATTEMPTS)
        return value_fault(&r->faults, list, false, "replay-line", "more than %d attempts",
                           MAX_ATTEMPTS);
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

static void read_attempts(struct line_reader *r, struct replay_line *out)
{
    const struct value *given_up = value_get(r->root, "when_rejected");
    const char *rule = choice_word(row_get(annotation_rows, "when_rejected")->choices,
                                   r->job->plan->rules.when_rejected);

    out->tried = value_get(r->root, "attempt");
    out->attempts.chosen = (uint32_t)r->members.attempt;
    read_rejected(r, value_get(r->root, "rejected"), &out->attempts);
    out->attempts.given_up = given_up;
    if (given_up && (given_up->kind != VALUE_TEXT || strcmp(given_up->text, rule) != 0))
        refuse(r, "when_rejected", "replay-line",
               "the run's pipeline has another value of when_rejected");
}

/* --- all of it --- */

/* Checks, as a run does before it starts, that the swaps of each mirroring op are known. */
static void check_mirrors(struct line_reader *r, const struct replay_line *out)
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

static void read_steps(struct line_reader *r, struct replay_line *out)
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
    struct line_reader r = { .job = job, .arena = arena };
    struct manifest_line *m = &r.members;

    *out = (struct replay_line){ .source = "" };
    if (begin(&r, replay, line) && manifest_line_read(r.root, arena, m, &r.faults)) {
        out->source = m->source;
        out->output = m->output;
        out->mask = m->mask;
        out->labels = m->labels;
        out->source_sha256 = m->source_sha256;
        out->in = (struct frame){ (int)m->size_in.at[0], (int)m->size_in.at[1] };
        if (check_keys(&r, replay, out) && check_number(&r, record, out)) {
            check_names(&r, record, out);
            check_ids(&r, record, out);
        }
        read_attempts(&r, out);
        read_steps(&r, out);
    }
    return end(&r, faults);
}
