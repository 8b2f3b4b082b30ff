/* read_inputs: reads a record's image and mask, and checks them against the annotations and each
 * other. */
#include "batch/image/work.h"
#include "batch/io/mapped_file.h"
#include "batch/output/output_names.h"
#include "batch/io/image_name.h"
#include "batch/image/image_job.h"
#include "batch/image/report.h"

#include "base/hash.h"

#include <stdio.h>
#include <string.h>

/* Fails the work with the reason why a file could not be opened or read. */
static void fail_with_file(struct work *w, const char *folder, const char *name, struct text *why)
{
    struct text reason = { 0 };

    if (!input_exists(folder, name, w->job->images.links, &reason))
        text_addf(why, " in %s [%s]", folder,
                  folder == job_root(w->job, w->index) ? "image-missing" : "mask-missing");
    work_fail(w, OUTCOME_INPUT, name, text_string(why));
    text_drop(&reason);
}

/* Reads a file. `key` is unchanged if the file cannot be read. */
static bool read_file(struct work *w, const char *folder, const char *name, struct text *file,
                      struct file_key *key)
{
    const struct input_check check = input_check_picture(&w->job->images.max_pixels);
    struct text why = { 0 };
    struct stat status;
    bool good = input_read(folder, name, w->job->images.links, &check, file, &status, &why);

    if (good) {
        *key = input_key(&status);
        key->hash = hash_quick(text_string(file), file->length);
    } else {
        fail_with_file(w, folder, name, &why);
    }
    text_drop(&why);
    return good;
}

/* Checks a header, or reports why it could not be read, by the rules of the job. */
static bool check_header(struct work *w, const char *name, bool good,
                         const struct picture_header *header, struct text *why)
{
    struct frame f = header->frame;

    if (good && header->several && w->job->images.on_frames == ON_FRAMES_FAIL) {
        text_adds(why, "it has several frames; use --on-frames first to take the first one");
        good = false;
    } else if (good && (size_t)f.width * (size_t)f.height > w->job->images.max_pixels) {
        text_addf(why, "%d x %d pixels are more than %zu (--max-pixels) [image-large]", f.width,
                  f.height, w->job->images.max_pixels);
        good = false;
    }
    return good || work_fail(w, OUTCOME_INPUT, name, text_string(why));
}

static bool read_header(struct work *w, const char *name, const struct text *file,
                        struct picture_header *header)
{
    struct text why = { 0 };
    bool good = picture_probe((struct slice){ file->at, file->length }, header, &why);

    good = check_header(w, name, good, header, &why);
    text_drop(&why);
    return good;
}

/* Reads and checks only the file's header. */
static bool peek_header(struct work *w, const char *folder, const char *name,
                        struct picture_header *header)
{
    const struct input_check check = input_check_picture(&w->job->images.max_pixels);
    struct slice file;
    struct text why = { 0 };
    bool good = input_peek(folder, name, w->job->images.links, header);

    if (good) {
        good = check_header(w, name, true, header, &why);
    } else if (!input_map(folder, name, w->job->images.links, &check, &file, &why)) {
        fail_with_file(w, folder, name, &why);
    } else {
        good = check_header(w, name, picture_peek(file, header, &why), header, &why);
        input_unmap(file);
    }
    text_drop(&why);
    return good;
}

void record_prefetch(const struct job *job, size_t record)
{
    struct text mask = { 0 };
    struct text why = { 0 };
    const char *code;
    bool allowed = check_record_names(job, record, &why, &code);

    text_drop(&why);
    if (!allowed)
        return;
    input_expect(job_root(job, record), job_file(job, record), job->images.links);
    if (mask_name(job, record, &mask))
        input_expect(job_mask_root(job, record), text_string(&mask), job->images.links);
    text_drop(&mask);
}

static bool read_pixels(struct work *w, const char *name, const struct text *file,
                        const struct decode_hints *hints, struct pool *pool,
                        struct picture *picture)
{
    struct decode_hints wished = hints ? *hints : (struct decode_hints){ 0 };
    struct text why = { 0 };
    bool good;

    wished.stored = w->job->plan->exif == EXIF_IGNORE;
    wished.naive_inks = w->job->plan->cmyk == CMYK_NAIVE;
    good = picture_read((struct slice){ file->at, file->length }, pool, w->job->images.max_pixels,
                        &wished, picture, &why);

    if (!good)
        work_fail(w, OUTCOME_INPUT, name, text_string(&why));
    text_drop(&why);
    return good;
}

static bool decode_mask(struct work *w)
{
    struct slice bytes = { w->scratch->mask_bytes.at, w->scratch->mask_bytes.length };
    struct decode_hints hints = { .stored = w->job->plan->exif == EXIF_IGNORE };
    struct text name = { 0 }, why = { 0 };
    bool good = picture_read_labels(bytes, &w->scratch->pool, w->job->images.max_pixels, &hints,
                                    &w->mask, &why);

    mask_name(w->job, w->index, &name);
    if (!good)
        work_fail(w, OUTCOME_INPUT, text_string(&name), text_string(&why));
    text_drop(&name);
    text_drop(&why);
    return good;
}

/* Puts "its mask" before the reason, since the mask's name may be the image's own. */
static bool fail_with_mask(struct work *w)
{
    struct text why = { 0 };

    text_add(&why, w->report->why.at, w->report->why.length);
    work_fail(w, OUTCOME_INPUT, "its mask", "");
    text_addf(&w->report->why, " %s", text_string(&why));
    text_drop(&why);
    return false;
}

/* In a dry run the mask was not decoded yet. */
const struct plane *work_mask_pixels(void *context)
{
    struct work *w = context;

    if (w->scratch->headers) {
        w->unknown = true;
        return NULL;
    }
    if (!w->mask.plane.px && !decode_mask(w)) {
        fail_with_mask(w);
        return NULL;
    }
    return &w->mask.plane;
}

static bool are_same_hints(const struct decode_hints *a, const struct decode_hints *b)
{
    return a->planar == b->planar && a->shrink == b->shrink && a->left == b->left &&
           a->top == b->top && a->width == b->width && a->height == b->height;
}

/* True if a part of its image can be decoded by itself. */
static bool is_read_in_parts(const struct work *w)
{
    return w->header.format == PICTURE_JPEG && w->header.orientation == 1;
}

struct decode_hints pending_output_hints(const struct pending_output *out,
                                         const struct passes *passes)
{
    const struct work *w = out->work;
    enum picture_format format = output_format(w->job, w->header.format);
    struct decode_hints hints;

    if (!is_read_in_parts(w))
        return (struct decode_hints){ 0 };
    render_hints(out->resolved_ops, passes, w->header.channels == 3 && format == PICTURE_JPEG,
                 &w->scratch->arena, &hints);
    if (record_fan_out(w->job, w->index) > 1) /* each output would need another part */
        hints.left = hints.top = hints.width = hints.height = 0;
    return hints;
}

const struct picture *pending_output_image(const struct pending_output *out,
                                           const struct decode_hints *hints)
{
    struct work *w = out->work;
    struct decode_hints wished = hints ? *hints : (struct decode_hints){ 0 };

    if (w->image.plane.px && are_same_hints(&w->hints, &wished))
        return &w->image;
    if (w->image.plane.px)
        picture_drop(&w->image, &w->scratch->pool);
    w->hints = wished;
    w->measured.known = 0;
    if (!read_pixels(w, w->record->name, &w->scratch->bytes, &wished, &w->scratch->pool, &w->image))
        return NULL;
    work_end_stage(w, STAGE_DECODE);
    return &w->image;
}

const struct picture *work_image(struct work *w, const struct decode_hints *hints,
                                 struct pool *pool)
{
    if (!w->image.plane.px && !read_pixels(w, w->record->name, &w->scratch->bytes,
                                           is_read_in_parts(w) ? hints : NULL, pool, &w->image))
        return NULL;
    return &w->image;
}

/* Checks that the annotations' size is the file's, unless the file is trusted. */
static bool check_size(struct work *w)
{
    const struct record *r = w->record;
    bool ignored = w->job->plan->exif == EXIF_IGNORE;
    struct frame f = w->header.frame;
    struct text why = { 0 };

    if (!work_differs(r, f))
        return true;
    if (w->job->images.trust == TRUST_FILE) {
        w->report->counts.resized = 1;
        return true;
    }
    text_addf(&why, "the annotations say %dx%d, the file is %dx%d", r->width, r->height, f.width,
              f.height);
    if (w->orientation > 1)
        text_adds(&why,
                  ignored ? " without its EXIF orientation" : " as its EXIF orientation shows it");
    if (!work_differs(r, w->other))
        text_addf(&why, "; with \"exif\": \"%s\" they agree, ", ignored ? "apply" : "ignore");
    else if (r->width == f.height && r->height == f.width)
        text_adds(&why, ": width and height are swapped; ");
    else
        text_adds(&why, "; ");
    text_adds(&why, "with --trust file the file's is taken");
    work_fail(w, OUTCOME_INPUT, r->name, text_string(&why));
    text_drop(&why);
    return false;
}

static void apply_exif_orientation(const struct work *w, struct picture_header *header)
{
    if (w->job->plan->exif == EXIF_IGNORE)
        *header = picture_header_stored(header);
}

/* True if the output will have another format than the suffix of its name says. */
static bool is_misnamed(const struct work *w)
{
    enum picture_format named = name_format(w->record->name);

    return w->job->plan->output.format == PICTURE_SAME && named != PICTURE_SAME &&
           output_format(w->job, w->header.format) != output_format(w->job, named);
}

/* True if the bytes of a passed image are not needed. */
static bool work_needs_header_only(const struct work *w)
{
    return w->passed && w->job->output.link != LINK_COPY && !w->job->output.checksums;
}

/* Takes the size of an image without a file in OUT from the annotations, if they state it. */
static bool take_stated_size(struct work *w)
{
    const struct record *r = w->record;

    if (!w->passed || w->job->output.link != LINK_NONE || w->job->output.checksums || !r->width ||
        !r->height)
        return false;
    w->header = (struct picture_header){ .frame = { r->width, r->height }, .orientation = 1 };
    w->orientation = 1;
    w->other = w->header.frame;
    w->report->source.image = (struct file_key){ .inode = UNOPENED };
    return true;
}

static bool read_image_file(struct work *w)
{
    const char *root = job_root(w->job, w->index), *name = job_file(w->job, w->index);
    bool headers = w->scratch->headers || work_needs_header_only(w);
    bool good = headers ? peek_header(w, root, name, &w->header)
                        : read_file(w, root, name, &w->scratch->bytes, &w->report->source.image);

    work_end_stage(w, STAGE_READ);
    good = good && (headers || read_header(w, w->record->name, &w->scratch->bytes, &w->header));
    if (good && headers && !w->scratch->headers)
        w->report->source.image = input_key_of(root, name, w->job->images.links);
    if (good) {
        struct frame upright = w->header.frame;
        struct picture_header stored = picture_header_stored(&w->header);

        w->orientation = w->header.orientation;
        w->other = w->job->plan->exif == EXIF_IGNORE ? upright : stored.frame;
        apply_exif_orientation(w, &w->header);
        w->report->counts.remarked[REMARK_SEVERAL] = w->header.several;
        w->report->counts.remarked[REMARK_MISNAMED] = is_misnamed(w);
        good = check_size(w);
    }
    work_end_stage(w, STAGE_HEADER);
    return good;
}

bool work_read_image(struct work *w)
{
    return take_stated_size(w) || read_image_file(w);
}

/* Returns the reason why the mask cannot be used, or NULL. */
static const char *find_mask_fault(const struct work *w, const struct picture_header *h)
{
    if (job_has_segments(w->job))
        return h->format == PICTURE_PNG && h->channels == 3 && h->type == PIXEL_U8 && !h->palette
                   ? NULL
                   : "ids of segments are the colours of an 8-bit RGB PNG, but this is another "
                     "kind of file";
    if (h->format == PICTURE_JPEG || (h->format == PICTURE_WEBP && !h->lossless))
        return "it is a JPEG or a lossy WebP, whose compression changes labels near edges; make "
               "the masks again as PNG, from their source";
    if (h->palette)
        return h->format == PICTURE_PNG ? NULL
                                        : "it has a palette; only those of PNG masks can be kept";
    if (h->type == PIXEL_F32)
        return "its samples are floats; labels are integers";
    return h->channels == 1 ? NULL
                            : "it has several channels; masks are gray, with one value per label";
}

bool work_read_mask(struct work *w)
{
    struct text name = { 0 };
    struct picture_header header;
    const char *fault;
    char why[80];
    bool good, headers = w->scratch->headers || work_needs_header_only(w);
    const char *root;

    if (!mask_name(w->job, w->index, &name))
        return true;
    root = job_mask_root(w->job, w->index);
    good = headers ? peek_header(w, root, text_string(&name), &header)
                   : read_file(w, root, text_string(&name), &w->scratch->mask_bytes,
                               &w->report->source.mask) &&
                         read_header(w, text_string(&name), &w->scratch->mask_bytes, &header);
    if (good && headers && !w->scratch->headers)
        w->report->source.mask = input_key_of(root, text_string(&name), w->job->images.links);
    if (good)
        apply_exif_orientation(w, &header);
    w->mask_type = good ? header.type : PIXEL_U8;
    fault = good ? find_mask_fault(w, &header) : NULL;
    if (fault)
        good = work_fail(w, OUTCOME_INPUT, text_string(&name), fault);
    if (good && !frame_equal(header.frame, w->header.frame)) {
        snprintf(why, sizeof why, "it is %dx%d, but the image is %dx%d", header.frame.width,
                 header.frame.height, w->header.frame.width, w->header.frame.height);
        good = work_fail(w, OUTCOME_INPUT, text_string(&name), why);
    }
    /* Objects in the mask are needed even if nothing is written. */
    good =
        good && (headers || ((w->dry || w->passed) && !job_has_segments(w->job)) || decode_mask(w));
    w->has_mask = good;
    text_drop(&name);
    work_end_stage(w, STAGE_MASK_READ);
    return good || fail_with_mask(w);
}

bool work_read_objects(struct work *w)
{
    const struct dataset *dataset = w->job->dataset;
    struct faults faults = dataset_faults(dataset);
    bool good;

    w->unknown |= w->scratch->headers && !w->unread && job_has_segments(w->job);
    arena_reset(&w->scratch->objects);
    w->loaded = (struct sample){ .arena = &w->scratch->objects,
                                 .name = w->record->name,
                                 .record = w->index,
                                 .frame = w->header.frame,
                                 .matrix = MAT3_IDENTITY,
                                 .has_matrix = true,
                                 .categories = dataset->categories,
                                 .n_categories = dataset->n_categories };
    if (!dataset->format || w->unread || w->unknown)
        return true;
    if (w->has_mask && job_has_segments(w->job))
        w->loaded.segments = &w->mask.plane;
    good = dataset->format->load(dataset, w->index, &w->rules, &w->loaded, &faults);
    if (!good) {
        struct text message = { 0 };

        faults_print_first(&faults, &message);
        work_fail(w, OUTCOME_INPUT, "", text_string(&message));
        text_drop(&message);
    }
    for (size_t i = 0; i < w->loaded.n_objects; i++)
        w->loaded.objects[i].record = w->index;
    faults_drop(&faults);
    w->report->counts.objects_in = w->loaded.n_objects;
    return good;
}
