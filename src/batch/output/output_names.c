/* output_names: the file names of a record's outputs. */
#include "batch/output/output_names.h"

#include "batch/io/image_name.h"
#include "batch/output/name_template.h"
#include "batch/output/file_list.h"
#include "batch/output/out_handles.h"

#include "base/files.h"

#include <string.h>

const char *images_folder(const struct job *job)
{
    return job->dataset->combination ? "" : OUT_IMAGES;
}

enum picture_format output_format(const struct job *job, enum picture_format source)
{
    enum picture_format format = (enum picture_format)job->plan->output.format;

    if (format == PICTURE_SAME)
        format = source;
    return format >= PICTURE_GIF ? PICTURE_PNG : format;
}

/* Sets `out` to the template's name. The template makes the name below the folder of the record's
 * part: an output stays in its part. */
static void add_templated(const struct job *job, size_t record, const char *name, size_t suffix_at,
                          unsigned k, struct text *out)
{
    const char *own = combination_own_name(job->dataset, record, name);
    size_t before = (size_t)(own - name);
    struct text made = { 0 };

    name_template_print(job->naming.name_template, own, suffix_at - before, k, &made);
    text_clear(out);
    text_add(out, name, before);
    text_add(out, made.at, made.length);
    text_drop(&made);
}

/* Sets `out` to the template's name, or to the usual name without suffix: "a/b", or "a/b__a001" for
 * one of several. */
static void add_stem(const struct job *job, size_t record, const char *name, size_t suffix_at,
                     unsigned k, struct text *out)
{
    if (job->naming.name_template && *job->naming.name_template && !record_is_passed(job, record)) {
        add_templated(job, record, name, suffix_at, k, out);
        return;
    }
    text_clear(out);
    text_add(out, name, suffix_at);
    if (record_fan_out(job, record) > 1)
        text_addf(out, "__a%03u", k);
}

void output_name(const struct job *job, size_t record, unsigned k, struct text *out)
{
    const char *name = job->dataset->records[record].name;
    enum picture_format from, to;
    const char *suffix = name_suffix(name, &from);

    /* The format of the data is not known yet, so the suffix decides. */
    to = record_is_passed(job, record) ? from : output_format(job, from);
    add_stem(job, record, name, (size_t)(suffix - name), k, out);
    if (from == to)
        text_adds(out, suffix);
    else
        text_adds(out, picture_format_suffix(to));
}

/* Returns the name that a mask's name is made from: the name that the annotations give for its
 * segments, or else the image's. */
static const char *mask_base(const struct job *job, size_t record)
{
    const struct record *r = &job->dataset->records[record];

    if (!job->images.masks)
        return NULL;
    return job_has_segments(job) ? r->mask : r->name;
}

bool mask_name(const struct job *job, size_t record, struct text *out)
{
    const char *base = mask_base(job, record);
    enum picture_format format;
    size_t stem = base ? (size_t)(name_suffix(base, &format) - base) : 0;

    text_clear(out);
    if (base && job_has_segments(job)) {
        text_adds(out, base);
    } else if (base && job->naming.mask_name && *job->naming.mask_name) {
        name_template_print(job->naming.mask_name, base, stem, 0, out);
    } else if (base) {
        text_add(out, base, stem);
        text_adds(out, ".png");
    }
    return base;
}

/* Uses the mask's own name if a template gives it one. */
bool mask_output_name(const struct job *job, size_t record, unsigned k, struct text *out)
{
    struct text name = { 0 };
    enum picture_format format;
    const char *base = mask_base(job, record);
    size_t stem;

    text_clear(out);
    if (!base)
        return false;
    if (job->naming.mask_name && *job->naming.mask_name && !job_has_segments(job)) {
        mask_name(job, record, &name);
        base = text_string(&name);
    }
    stem = (size_t)(name_suffix(base, &format) - base);
    add_stem(job, record, base, stem, k, out);
    text_adds(out, ".png");
    text_drop(&name);
    return true;
}

/* Returns the part whose own folder of labels replaces the folder of this image; or NULL. */
static const struct combination_part *part_with_labels(const struct job *job, const char *image)
{
    const struct combination *c = job->dataset->combination;

    for (size_t i = 0; c && i < c->n; i++) {
        size_t length = strlen(c->at[i].below);

        if (c->at[i].labels && strncmp(image, c->at[i].below, length) == 0 && image[length] == '/')
            return &c->at[i];
    }
    return NULL;
}

void labels_name(const struct job *job, const char *image, struct text *out)
{
    const struct combination_part *part = part_with_labels(job, image);
    const struct format *writer = job->dataset->writer;
    enum picture_format format;
    struct text path = { 0 };
    const char *folder;
    size_t at, after;
    bool beside;

    path_join(&path, images_folder(job), image);
    folder = part ? text_string(&path) : path_last_folder(text_string(&path), OUT_IMAGES);
    /* A layout may have labels beside images. */
    beside = !part && job->dataset->combination && !folder;
    at = folder ? (size_t)(folder - text_string(&path)) : 0;
    after = folder ? at + strlen(part ? part->below : OUT_IMAGES) : 0;
    text_cut(&path, (size_t)(name_suffix(text_string(&path), &format) - text_string(&path)));
    text_clear(out);
    text_add(out, path.at, at);
    text_addf(out, "%s%s%s%s",
              part     ? part->labels
              : beside ? ""
                       : writer->folder,
              folder || beside ? "" : "/", path.at + after, writer->suffix);
    text_drop(&path);
}

/* --- checks of names --- */

static bool check_name(const struct job *job, const char *what, const char *name, struct text *why)
{
    const char *fault;
    bool good =
        job_has_named_images(job) ? name_is_safe(name, &fault) : name_is_possible(name, &fault);

    if (!good)
        text_addf(why, "%s %s", what, fault);
    return good;
}

/* Checks an output's name, which can be too long even though the source's name is not. */
static bool check_output_name(const struct job *job, const char *what, const struct text *name,
                              struct text *why)
{
    struct text whose = { 0 };
    bool good;

    text_addf(&whose, "the name of %s, %s,", what, text_string(name));
    good = check_name(job, text_string(&whose), text_string(name), why);
    text_drop(&whose);
    return good;
}

static bool refuse_member(const char *output, struct text *why, const char **code)
{
    static const char suffix[] = "sample-suffix";

    *code = suffix;
    text_addf(
        why,
        "its output, %s, has no image suffix, which WebDataset needs to tell the members of a "
        "sample apart; use --format jpeg or png",
        output);
    return false;
}

bool check_record_names(const struct job *job, size_t record, struct text *why, const char **code)
{
    const char *name = job->dataset->records[record].name;
    struct text made = { 0 };
    unsigned n = record_fan_out(job, record), last = n ? n - 1 : 0;
    bool good = check_name(job, "the file name", name, why);

    *code = "name-unsafe";
    if (good) {
        output_name(job, record, last, &made);
        good = check_output_name(job, "its output", &made, why);
    }
    if (good && job->output.packing.max_samples && !name_is_image(text_string(&made)))
        good = refuse_member(text_string(&made), why, code);
    if (good && mask_name(job, record, &made))
        good = check_name(job, "the file name of its mask", text_string(&made), why);
    if (good && mask_output_name(job, record, last, &made))
        good = check_output_name(job, "its mask's output", &made, why);
    text_drop(&made);
    if (good && !text_is_utf8(name)) {
        *code = "name-utf8";
        text_adds(why, NAME_UTF8_FAULT);
        good = false;
    }
    return good;
}

/* --- all outputs --- */

/* The kind of files that a walk visits. */
enum walked_kind { WALK_IMAGES, WALK_MASKS, WALK_LABELS };

/* Prints the path of an output below OUT. Returns false if it has none. */
static bool output_path(const struct job *job, size_t record, unsigned k, enum walked_kind kind,
                        struct text *name, struct text *path)
{
    if (kind == WALK_MASKS && !mask_output_name(job, record, k, name))
        return false;
    if (kind != WALK_MASKS)
        output_name(job, record, k, name);
    if (kind == WALK_LABELS)
        labels_name(job, text_string(name), path);
    else
        path_join(path, kind == WALK_MASKS ? OUT_MASKS : images_folder(job), text_string(name));
    return true;
}

static void visit_path(const char *path, size_t record, unsigned k,
                       void (*visit)(void *context, const struct job_output *), void *context)
{
    size_t length = strcspn(path, "/");

    for (const char *const *folder = out_folders; *folder; folder++)
        if (strncmp(*folder, path, length) == 0 && !(*folder)[length] && path[length]) {
            visit(context, &(struct job_output){ record, k, *folder, path + length + 1 });
            return;
        }
    visit(context, &(struct job_output){ record, k, "", path });
}

static void walk_kind(const struct job *job, enum walked_kind kind, bool first_only,
                      void (*visit)(void *context, const struct job_output *), void *context)
{
    struct text name = { 0 }, path = { 0 };

    for (size_t i = 0; i < job->images.n_records; i++) {
        size_t r = job_record(job, i);
        unsigned n = record_n_outputs(job, r);

        for (unsigned k = 0; k < n && !(first_only && k); k++)
            if (output_path(job, r, k, kind, &name, &path))
                visit_path(text_string(&path), r, k, visit, context);
    }
    text_drop(&name);
    text_drop(&path);
}

static void walk(const struct job *job, bool first_only,
                 void (*visit)(void *context, const struct job_output *), void *context)
{
    walk_kind(job, WALK_IMAGES, first_only, visit, context);
    if (job->images.masks)
        walk_kind(job, WALK_MASKS, first_only, visit, context);
    if (job->dataset->writer && job->dataset->writer->print_file)
        walk_kind(job, WALK_LABELS, first_only, visit, context);
}

void outputs_walk(const struct job *job, void (*visit)(void *context, const struct job_output *),
                  void *context)
{
    walk(job, false, visit, context);
}

void outputs_walk_distinct(const struct job *job,
                           void (*visit)(void *context, const struct job_output *), void *context)
{
    bool named = job->naming.name_template && *job->naming.name_template;

    walk(job, job->plan->varies && !named, visit, context);
}
