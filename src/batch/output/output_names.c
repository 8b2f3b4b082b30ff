/* output_names: the file names of a record's outputs. */
#include "batch/output/output_names.h"

#include "batch/io/image_name.h"
#include "batch/io/open.h"
#include "batch/layout/layout.h"
#include "batch/output/name_template.h"
#include "batch/output/file_list.h"
#include "batch/output/out_handles.h"

#include "base/files.h"

#include <stdlib.h>
#include <string.h>

const char *images_folder(const struct job *job)
{
    const struct combination *c = job->dataset->combination;

    return !c ? OUT_IMAGES : c->at->only ? c->at->below : "";
}

const char *masks_folder(const struct job *job)
{
    return job->dataset->combination ? "" : OUT_MASKS;
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

/* Returns the length of the end of the name's stem that copies keep. */
static size_t count_kept(const struct job *job, size_t record, const char *name, size_t stem)
{
    const struct combination_part *p = combination_part_of(job->dataset, record);
    const char *ending = p && p->image_ending ? p->image_ending : "";
    size_t length = strlen(ending);
    bool named = job->naming.name_template && *job->naming.name_template;

    return !named && length < stem && memcmp(name + stem - length, ending, length) == 0 ? length
                                                                                        : 0;
}

void output_name(const struct job *job, size_t record, unsigned k, struct text *out)
{
    const char *name = job->dataset->records[record].name;
    enum picture_format from, to;
    const char *suffix = name_suffix(name, &from);
    size_t kept = count_kept(job, record, name, (size_t)(suffix - name));
    bool keeps;

    /* The format of the data is not known yet, so the suffix decides. */
    to = record_is_passed(job, record) ? from : output_format(job, from);
    add_stem(job, record, name, (size_t)(suffix - name) - kept, k, out);
    text_add(out, suffix - kept, kept);
    keeps = from == to &&
            !(job->naming.suffix && strcmp(picture_format_suffix(to), job->naming.suffix) == 0);
    text_adds(out, keeps ? suffix : picture_format_suffix(to));
}

/* True if the dataset states the names of masks: for segments, and for parts. */
static bool has_stated_masks(const struct job *job)
{
    return job_has_segments(job) || job->dataset->combination;
}

/* Returns the name that a mask's name is made from: the stated one, or else the image's. NULL: the
 * record has no mask. */
static const char *mask_base(const struct job *job, size_t record)
{
    const struct record *r = combination_own_record(job->dataset, record);

    if (!job_has_masks(job))
        return NULL;
    return has_stated_masks(job) ? r->mask : r->name;
}

/* Sets `out` to the name of the mask of an image: by the template, or its stem with .png. */
static void add_mask_name(const char *template, const char *image, struct text *out)
{
    enum picture_format format;
    size_t stem = (size_t)(name_suffix(image, &format) - image);

    text_clear(out);
    if (template && *template) {
        name_template_print(template, image, stem, 0, out);
    } else {
        text_add(out, image, stem);
        text_adds(out, ".png");
    }
}

static int by_stem(const void *a, const void *b)
{
    const char *const *x = a, *const *y = b;

    return name_compare_stems(*x, name_stem(*x), *y, name_stem(*y));
}

static bool must_have_mask(const struct layout_part *part, const char *image)
{
    return !part->some_masks || (part->n_masked && bsearch(&image, part->masked, part->n_masked,
                                                           sizeof *part->masked, by_stem));
}

void part_masks_name(const struct layout_part *part, enum links links, struct dataset *d)
{
    struct text name = { 0 }, why = { 0 };

    for (size_t i = 0; part->masks && i < d->n_records; i++) {
        add_mask_name(part->mask_name, d->records[i].name, &name);
        d->records[i].mask = must_have_mask(part, d->records[i].name) ||
                                     input_exists(part->masks, text_string(&name), links, &why)
                                 ? arena_copy(d->arena, text_string(&name), name.length)
                                 : NULL;
    }
    text_drop(&name);
    text_drop(&why);
}

bool mask_name(const struct job *job, size_t record, struct text *out)
{
    const char *base = mask_base(job, record);

    text_clear(out);
    if (base && has_stated_masks(job))
        text_adds(out, base);
    else if (base)
        add_mask_name(job->naming.mask_name, base, out);
    return base;
}

/* Replaces the suffix: outputs are PNG files, but files of passed records do not change. */
static void set_mask_suffix(const struct job *job, size_t record, const char *source,
                            struct text *out)
{
    enum picture_format format;

    text_cut(out, (size_t)(name_suffix(text_string(out), &format) - text_string(out)));
    text_adds(out, record_is_passed(job, record) ? name_suffix(source, &format) : ".png");
}

/* Names the mask of an output in the folder of its part, after the image of the output. */
static void add_part_mask(const struct job *job, size_t record, unsigned k, struct text *out)
{
    const struct combination_part *p = combination_part_of(job->dataset, record);
    struct text image = { 0 }, name = { 0 };

    output_name(job, record, k, &image);
    add_mask_name(p->mask_name, combination_own_name(job->dataset, record, text_string(&image)),
                  &name);
    path_join(out, p->masks, text_string(&name));
    set_mask_suffix(job, record, mask_base(job, record), out);
    text_drop(&image);
    text_drop(&name);
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
    if (job->dataset->combination) {
        add_part_mask(job, record, k, out);
        return true;
    }
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
        const char *below = combination_prefix(&c->at[i]);
        size_t length = strlen(below);

        if (c->at[i].labels && strncmp(image, below, length) == 0 &&
            (!length || image[length] == '/'))
            return &c->at[i];
    }
    return NULL;
}

/* Returns where the folder of images begins that a folder of labels replaces; NULL: there is none.
 */
static const char *find_images(const struct format *writer, const char *path)
{
    if (writer->beside_last_images)
        return path_last_folder(path, OUT_IMAGES);
    return strncmp(path, OUT_IMAGES "/", sizeof OUT_IMAGES) == 0 ? path : NULL;
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
    folder = part ? text_string(&path) : find_images(writer, text_string(&path));
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
        path_join(path, kind == WALK_MASKS ? masks_folder(job) : images_folder(job),
                  text_string(name));
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
    if (job_has_masks(job))
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
