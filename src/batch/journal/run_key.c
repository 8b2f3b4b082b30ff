/* run_key: the inputs and options that the whole result of a run depends on. */
#include "batch/journal/run_key.h"

#include "batch/dataset/select_images.h"
#include "batch/dataset/resolve_names.h"
#include "batch/io/mapped_file.h"
#include "batch/manifest/recorded_steps.h"
#include "base/version.h"

#include "base/hash.h"
#include "json/value.h"
#include "steps/op_shared/anchors.h"
#include "steps/op_shared/font.h"
#include "steps/op_shared/stamps.h"
#include "steps/plugin/plugin.h"

#include <string.h>

/* Member of a key. `what` names the option in faults; without it the member belongs to the dataset.
 * A member that prints nothing is left out. */
struct key_part {
    const char *name, *what;
    void (*print)(const struct job *, struct text *);
};

static void add_hash(struct text *out, uint64_t hash)
{
    text_addf(out, "\"%016llx\"", (unsigned long long)hash);
}

static void print_version(const struct job *job, struct text *out)
{
    (void)job;
    text_adds(out, "\"" LOCKSTEP_VERSION "\"");
}

static void print_libraries(const struct job *job, struct text *out)
{
    struct text lines = { 0 };

    (void)job;
    picture_versions(&lines);
    for (size_t i = 0; i < lines.length; i++)
        if (lines.at[i] == '\n')
            lines.at[i] = i + 1 < lines.length ? ',' : ' ';
    while (lines.length && lines.at[lines.length - 1] == ' ')
        text_cut(&lines, lines.length - 1);
    text_add_json(out, text_string(&lines), lines.length);
    text_drop(&lines);
}

static void print_pipeline(const struct job *job, struct text *out)
{
    struct plan plan = *job->plan;
    struct text text = { 0 };

    plan.seed = 0;
    plan_print(&plan, &text);
    add_hash(out, hash_quick(text.at, text.length));
    text_drop(&text);
}

static void print_seed(const struct job *job, struct text *out)
{
    text_add_integer(out, job->plan->seed);
}

/* `none` and `exact` give the same bytes. */
static void print_fast(const struct job *job, struct text *out)
{
    text_adds(out, job->plan->optimize == OPTIMIZE_FAST ? "true" : "false");
}

static void print_copies(const struct job *job, struct text *out)
{
    text_add_integer(out, job->naming.copies);
}

/* Prints nothing if all parts are transformed alike: then the key has no such member. */
static void print_part_settings(const struct job *job, struct text *out)
{
    const struct combination *c = job->dataset->combination;

    for (size_t i = 0; c && job->naming.parts && i < c->n; i++)
        text_addf(out, "%s%u", i ? ", " : "[",
                  job->naming.parts[i].passed ? 0 : job->naming.parts[i].copies);
    text_adds(out, c && job->naming.parts ? "]" : "");
}

/* Prints a hash of the numbers of copies of all images. */
static void print_balance(const struct job *job, struct text *out)
{
    if (job->naming.balance_hash)
        add_hash(out, job->naming.balance_hash);
}

static void print_link(const struct job *job, struct text *out)
{
    if (job_has_passed(job))
        text_addf(out, "\"%s\"", choice_word(file_link_choices, job->output.link));
}

static void print_original(const struct job *job, struct text *out)
{
    text_adds(out, job->naming.include_original ? "true" : "false");
}

static void print_trust(const struct job *job, struct text *out)
{
    text_addf(out, "\"%s\"", choice_word(trust_choices, job->images.trust));
}

static void print_frames(const struct job *job, struct text *out)
{
    text_addf(out, "\"%s\"", choice_word(on_frames_choices, job->images.on_frames));
}

static void print_text(const char *given, struct text *out)
{
    text_add_json(out, given ? given : "", given ? strlen(given) : 0);
}

static void print_strip_prefix(const struct job *job, struct text *out)
{
    print_text(job->images.strip_prefix, out);
}

static void print_match(const struct job *job, struct text *out)
{
    text_addf(out, "\"%s\"", choice_word(match_choices, job->images.match));
}

static void print_mask_name(const struct job *job, struct text *out)
{
    print_text(job->naming.mask_name, out);
}

static void print_name_template(const struct job *job, struct text *out)
{
    print_text(job->naming.name_template, out);
}

static void print_masks(const struct job *job, struct text *out)
{
    text_adds(out, job_has_masks(job) ? "true" : "false");
}

static void print_lenient(const struct job *job, struct text *out)
{
    text_adds(out, job->dataset->lenient ? "true" : "false");
}

static void print_format(const struct job *job, struct text *out)
{
    const struct format *format = job->dataset->format;

    text_add_json(out, format ? format->name : "", format ? strlen(format->name) : 0);
}

static void print_categories(const struct job *job, struct text *out)
{
    struct slice text = job->dataset->categories_text;

    add_hash(out, text.length ? hash_quick(text.at, text.length) : 0);
}

/* Prints the format of --to. */
static void print_target(const struct job *job, struct text *out)
{
    const struct dataset *d = job->dataset;

    text_addf(out, "\"%s %d\"", d->writer ? d->writer->name : "", d->writes);
}

static void print_annotations(const struct job *job, struct text *out)
{
    const struct dataset *d = job->dataset;
    uint64_t hash = mapped_hash(dataset_text(d, 0));

    for (size_t i = 1; i < dataset_n_texts(d); i++) {
        uint64_t both[] = { hash, mapped_hash(dataset_text(d, i)) };

        hash = hash_quick(both, sizeof both);
    }
    add_hash(out, hash);
}

static void print_list(const struct job *job, struct text *out)
{
    add_hash(out, job->dataset->list ? mapped_hash(job->dataset->list->text) : 0);
}

static void print_names(const struct job *given, struct text *out)
{
    const struct job whole = job_whole(given), *job = &whole;
    struct hash h;

    hash_start(&h);
    for (size_t i = 0; i < job->images.n_records; i++) {
        const char *name = job->dataset->records[job_record(job, i)].name;

        hash_part(&h, name, strlen(name));
    }
    add_hash(out, hash_u64(&h));
}

static void print_checksums(const struct job *job, struct text *out)
{
    text_adds(out, job->output.checksums ? "true" : "false");
}

static void print_packing(const struct job *job, struct text *out)
{
    const struct packing *p = &job->output.packing;

    if (p->max_samples)
        text_addf(out, "\"webdataset %llu %llu\"", (unsigned long long)p->max_samples,
                  (unsigned long long)p->max_bytes);
    else
        text_adds(out, "\"dir\"");
}

/* Prints nothing for other formats: then the key has no such member. */
static void print_voc_base(const struct job *job, struct text *out)
{
    if (job->dataset->voc_base)
        text_adds(out, job->dataset->voc_base == VOC_BASE_0 ? "\"0\"" : "\"1\"");
}

/* Prints nothing without the option: then the key has no such member. */
static void print_voc_integers(const struct job *job, struct text *out)
{
    text_adds(out, job->plan->rules.integer_boxes ? "true" : "");
}

/* Prints nothing without plugins: then the key has no such member. */
static void print_plugins(const struct job *job, struct text *out)
{
    (void)job;
    plugins_print(out);
}

static void print_stamps(const struct job *job, struct text *out)
{
    (void)job;
    stamps_print(out);
}

static void print_font(const struct job *job, struct text *out)
{
    (void)job;
    font_print(out);
}

static void print_anchors(const struct job *job, struct text *out)
{
    (void)job;
    anchors_print(out);
}

/* Prints nothing for a dataset that is not divided: then the key has no such member. */
static void print_parts(const struct job *job, struct text *out)
{
    const struct combination *combination = job->dataset->combination;

    if (!combination)
        return;
    text_addc(out, '[');
    for (size_t i = 0; i < combination->n; i++) {
        const struct combination_part *p = &combination->at[i];
        const char *words[] = { p->only ? "" : p->name, p->below, p->file ? p->file : "", p->masks,
                                p->mask_name ? p->mask_name : "" };
        bool masks = p->masks && job_has_masks(job);

        text_adds(out, i ? ", [" : "[");
        for (size_t k = 0; k < (masks ? COUNTOF(words) : COUNTOF(words) - 2); k++) {
            text_adds(out, k ? ", " : "");
            text_add_json(out, words[k], strlen(words[k]));
        }
        text_addc(out, ']');
    }
    text_addc(out, ']');
}

/* Prints nothing for a dataset that is not divided, either. */
static void print_layout(const struct job *job, struct text *out)
{
    const struct combination *c = job->dataset->combination;

    if (c)
        text_add_json(out, c->layout, strlen(c->layout));
}

/* Replaying the lines of a run is another run than the one that sampled their values. */
static void print_replay(const struct job *job, struct text *out)
{
    if (job->replay)
        add_hash(out, replay_hash(job->replay));
    else
        text_adds(out, "null");
}

static const struct key_part parts[] = {
    { "lockstep", "another version of lockstep", print_version },
    { "libraries", "other versions of the libraries of images", print_libraries },
    { "pipeline",
      "another pipeline, or another --format, --quality, --metadata or --exif that replaces a part "
      "of it",
      print_pipeline },
    { "fast", "another --optimize, or `optimize` of the pipeline (fast, or not)", print_fast },
    { "seed", "another --seed", print_seed },
    { "copies", "another number of --copies", print_copies },
    { "part_copies", "another --apply-to, or other --copies of parts", print_part_settings },
    { "balance",
      "another --balance, --repeat-threshold or --max-copies, or other numbers of objects",
      print_balance },
    { "link", "another --link", print_link },
    { "include_original", "another --include-original", print_original },
    { "trust", "another --trust", print_trust },
    { "on_frames", "another --on-frames", print_frames },
    { "strip_prefix", "another --strip-prefix", print_strip_prefix },
    { "match", "another --match", print_match },
    { "mask_name", "another --mask-name", print_mask_name },
    { "name_template", "another --name-template", print_name_template },
    { "masks", "another answer to whether there are masks", print_masks },
    { "lenient", "another --compat", print_lenient },
    { "format", "another format of annotations", print_format },
    { "parts", "other parts of the dataset, or another --part", print_parts },
    { "layout", "another layout, or another --to", print_layout },
    { "categories", "other categories", print_categories },
    { "to", "another --to", print_target },
    { "choice",
      "other images: another --include, --exclude, --categories or --images-from, or other names",
      choice_print },
    { "voc_base", "another --voc-base, or files that show another one", print_voc_base },
    { "voc_integers", "another --voc-integers", print_voc_integers },
    { "checksums", "another --checksums", print_checksums },
    { "out_format", "another --out-format or --shard-size", print_packing },
    { "replay", "recorded lines, or of other ones: see `lockstep replay`", print_replay },
    { "plugins", "other plugins: another --plugin, or another file of it", print_plugins },
    { "stamps", "other stamps: another --stamps, or other files in it", print_stamps },
    { "font", "another font: another --font, or another file of it", print_font },
    { "anchors", "other anchors: another --anchors, or another file of them", print_anchors },
    { "annotations", NULL, print_annotations },
    { "image_list", NULL, print_list },
    { "images", NULL, print_names },
};

void run_key_print(const struct job *job, struct text *out)
{
    struct text member = { 0 };

    for (size_t i = 0; i < COUNTOF(parts); i++) {
        text_clear(&member);
        parts[i].print(job, &member);
        if (member.length)
            text_addf(out, "%s\"%s\": %s", i ? ", " : "{", parts[i].name, text_string(&member));
    }
    text_addc(out, '}');
    text_drop(&member);
}

/* --- comparing --- */

/* Parsed key of an earlier run. */
struct printed_key {
    struct slice text;
    struct arena arena;
    const struct value *members; /* NULL: it is not a key */
};

static struct printed_key parse_key(struct slice text)
{
    struct printed_key key = { .text = text };
    struct faults faults = { .name = "key", .text = text };
    const struct value *all = value_parse(&faults, &key.arena);

    if (all && all->kind == VALUE_OBJECT)
        key.members = all;
    faults_drop(&faults);
    return key;
}

/* Returns a member as it was printed; "" if it is missing. */
static struct slice member_of(const struct printed_key *key, const char *name)
{
    const struct value *one = key->members ? value_get(key->members, name) : NULL;

    return one ? (struct slice){ key->text.at + one->at.offset, one->at.length }
               : (struct slice){ "", 0 };
}

static bool is_same(const struct job *job, const struct printed_key *before,
                    const struct key_part *part)
{
    struct slice then = member_of(before, part->name);
    struct text now = { 0 };
    bool same;

    part->print(job, &now);
    same = now.length == then.length && (!now.length || memcmp(now.at, then.at, now.length) == 0);
    text_drop(&now);
    return same;
}

uint64_t run_key_link(struct slice text)
{
    struct printed_key key = parse_key(text);
    struct hash h;

    hash_start(&h);
    for (size_t i = 0; i < COUNTOF(parts); i++) {
        const struct key_part *part = &parts[i];
        struct slice member;

        if (!part->what || part->print == choice_print || part->print == print_checksums ||
            part->print == print_packing || part->print == print_categories ||
            part->print == print_replay)
            continue;
        member = member_of(&key, part->name);
        if (!member.length)
            continue;
        hash_part(&h, part->name, strlen(part->name));
        hash_part(&h, member.at, member.length);
    }
    arena_drop(&key.arena);
    return hash_u64(&h);
}

uint64_t run_key_link_of(const struct job *job)
{
    struct text key = { 0 };
    uint64_t link;

    run_key_print(job, &key);
    link = run_key_link((struct slice){ key.at, key.length });
    text_drop(&key);
    return link;
}

bool run_key_check(const struct job *job, struct slice before, bool finished, struct faults *faults)
{
    struct printed_key key = parse_key(before);

    for (size_t i = 0; i < COUNTOF(parts); i++) {
        const struct key_part *part = &parts[i];

        if ((!part->what && !finished) || is_same(job, &key, part))
            continue;
        fault_add(faults, 0, 0, job->output.path, "resume-key",
                  "the run that is to be resumed was of %s; run it as it was, or start over with "
                  "--overwrite",
                  part->what ? part->what : "another dataset, or another --limit of it");
        if (!part->what)
            break;
    }
    arena_drop(&key.arena);
    return !faults->n;
}

bool run_key_member_is_same(const struct job *job, struct slice before, const char *name)
{
    struct printed_key key = parse_key(before);
    bool same = false;

    for (size_t i = 0; i < COUNTOF(parts) && !same; i++)
        same = strcmp(parts[i].name, name) == 0 && is_same(job, &key, &parts[i]);
    arena_drop(&key.arena);
    return same;
}

bool run_key_has_annotations(const struct job *job, struct slice before)
{
    return run_key_member_is_same(job, before, "annotations") &&
           run_key_member_is_same(job, before, "image_list");
}

bool run_key_has_names(const struct job *job, struct slice before)
{
    return run_key_member_is_same(job, before, "images");
}
