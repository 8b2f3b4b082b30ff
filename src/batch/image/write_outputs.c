/* write_outputs: makes and writes an output's image and mask. */
#include "base/files.h"
#include "base/hash.h"
#include "batch/output/out_files.h"
#include "batch/image/work.h"
#include "batch/output/out_handles.h"
#include "batch/output/output_names.h"
#include "batch/image/image_job.h"
#include "batch/image/report.h"

#include <errno.h>
#include <string.h>

/* Prefixes of the members of the manifest's line that have the hashes of an output's files. */
#define SUM_IMAGE ""
#define SUM_MASK "mask_"
#define SUM_LABELS "labels_"

/* Adds the file's hash as a member of the output's manifest line. */
static void add_sum(struct work *w, const char *what, const struct text *bytes)
{
    char hex[65];

    hash_hex(text_string(bytes), bytes->length, hex);
    text_addf(&w->sums, ", \"%ssha256\": \"%s\"", what, hex);
}

static bool write_path(struct work *w, const char *sum, const char *path, const struct text *bytes)
{
    if (!w->job->output.outdir && !w->job->output.compares)
        return true;
    if (w->job->output.outdir && !out_dir_write_file(w->job->output.outdir, path, w->index,
                                                     text_string(bytes), bytes->length))
        return work_fail(w, OUTCOME_OUTPUT, path, errno_text());
    if (w->job->output.checksums)
        add_sum(w, sum, bytes);
    report_add_file(w->report, path, text_string(bytes), bytes->length);
    return true;
}

static bool write_file(struct work *w, const char *sum, const char *folder, const char *name,
                       const struct text *bytes)
{
    struct text path = { 0 };
    bool good;

    path_join(&path, folder, name);
    good = write_path(w, sum, text_string(&path), bytes);
    text_drop(&path);
    return good;
}

static bool write_image_file(struct work *w, const char *name, const struct text *bytes)
{
    return write_file(w, SUM_IMAGE, images_folder(w->job), name, bytes);
}

/* Returns the chroma subsampling; with "same", the source's. Images that were rotated by a quarter
 * turn are subsampled along the other axis, so they get 4:4:4. */
static enum subsampling work_subsampling(const struct work *w)
{
    enum subsampling s = (enum subsampling)w->job->plan->output.subsampling;

    if (s != SUBSAMPLING_SAME)
        return s;
    if (w->header.format != PICTURE_JPEG)
        return SUBSAMPLING_420;
    s = w->header.subsampling;
    return s == SUBSAMPLING_422 && w->header.orientation > 4 ? SUBSAMPLING_444 : s;
}

/* Encodes the file `name` to the scratch's `made`. */
static bool make_file(struct work *w, const char *name, const struct picture *picture,
                      enum picture_format format)
{
    const struct output_rules *rules = &w->job->plan->output;
    struct picture_options options = { .format = format,
                                       .quality = rules->quality,
                                       .subsampling = work_subsampling(w),
                                       .compression = rules->compression,
                                       .lossless =
                                           rules->format == PICTURE_SAME && w->header.lossless };
    struct text *made = &w->scratch->made, why = { 0 };
    struct picture bare = *picture;
    bool good;

    if (rules->metadata == METADATA_STRIP) {
        bare.icc_length = 0;
        bare.density = 0;
    }
    text_clear(made);
    good = picture_write(&bare, &options, made, &why);
    if (!good)
        work_fail(w, OUTCOME_INPUT, name, text_string(&why));
    text_drop(&why);
    return good;
}

bool work_is_copied(const struct work *w, const struct resolved_ops *resolved_ops)
{
    if (w->job->plan->output.untouched != UNTOUCHED_COPY || w->orientation > 1 ||
        w->job->plan->output.metadata == METADATA_STRIP ||
        w->header.format != output_format(w->job, w->header.format) ||
        work_is_flattened(w, resolved_ops))
        return false;
    for (size_t i = 0; i < resolved_ops->n; i++)
        if (resolved_ops->at[i].op->needs || resolved_ops->at[i].action.family != FAMILY_NOTHING)
            return false;
    return true;
}

/* An image over the limit is left to picture_read, which refuses it. */
const struct excerpt *work_find_excerpt(const struct pending_output *out, struct excerpt *excerpt)
{
    const struct work *w = out->work;
    enum picture_format format = output_format(w->job, w->header.format);
    struct frame f = w->header.frame;

    if (!w->job->plan->output.lossless || format != PICTURE_JPEG || out->copied ||
        (size_t)f.width * (size_t)f.height > w->job->images.max_pixels ||
        !lossless_excerpt(out->resolved_ops, &w->header, &w->scratch->arena, excerpt))
        return NULL;
    return excerpt;
}

/* Returns false if the coefficients cannot be used after all; then nothing was written. */
static bool make_excerpt(struct work *w, const struct excerpt *excerpt)
{
    struct slice source = { w->scratch->bytes.at, w->scratch->bytes.length };
    struct text why = { 0 };
    bool good;

    text_clear(&w->scratch->made);
    good = picture_write_excerpt(source, &w->header, excerpt,
                                 w->job->plan->output.metadata == METADATA_KEEP, &w->scratch->made,
                                 &why);
    text_drop(&why);
    work_end_stage(w, STAGE_EXCERPT);
    return good;
}

/* Encodes the picture without alpha, over the background. */
static bool make_flat_file(struct work *w, const char *name, const struct picture *picture,
                           enum picture_format format)
{
    struct picture flat = *picture;
    const struct plane *p = &picture->plane;
    struct fill fill = background_fill(&w->job->plan->output.background, plane_colours(p), p->type);
    bool good;

    flat.plane = pool_plane(&w->scratch->pool, (struct frame){ p->width, p->height },
                            p->channels - 1, p->type);
    plane_flatten(p, &fill, &flat.plane);
    good = make_file(w, name, &flat, format);
    pool_return(&w->scratch->pool, &flat.plane);
    return good;
}

/* Decodes, renders, encodes and writes the image. */
static bool write_pixels(struct work *w, const struct pending_output *out, const char *name)
{
    const struct plan *plan = w->job->plan;
    enum picture_format format = output_format(w->job, w->header.format);
    struct passes passes =
        passes_of(out->resolved_ops, (enum optimize)plan->optimize, &w->scratch->arena, NULL);
    const struct picture *image;
    struct decode_hints hints = pending_output_hints(out, &passes);
    struct picture rendered;
    struct text why = { 0 };
    bool flat = work_is_flattened(w, out->resolved_ops), good;

    passes.clock = w->scratch->clock;
    passes.measured = &w->measured;
    /* With a clock no pass is late: the clock could not separate late passes from the encoding. */
    passes.late = format == PICTURE_JPEG && !passes.clock && !flat;
    work_end_stage(w, STAGE_COMPILE);
    image = pending_output_image(out, &hints);
    if (!image)
        return false;
    good = render_image(out->resolved_ops, &passes, image, work_subsampling(w), &w->scratch->pool,
                        &w->scratch->arena, &rendered, &why);
    work_end_stage(w, STAGE_RENDER);
    if (good) {
        good = flat ? make_flat_file(w, name, &rendered, format)
                    : make_file(w, name, &rendered, format);
        work_end_stage(w, STAGE_ENCODE);
        good = good && write_image_file(w, name, &w->scratch->made);
        render_drop(&rendered, image, &w->scratch->pool);
    } else {
        work_fail(w, OUTCOME_INPUT, w->record->name, text_string(&why));
    }
    text_drop(&why);
    return good;
}

/* Reports a passed file, which the supervisor links. */
static bool pass_link(struct work *w, const char *sum, const char *folder, const char *name,
                      const struct text *bytes, const struct file_key *key)
{
    struct text path = { 0 };

    if (w->job->output.checksums)
        add_sum(w, sum, bytes);
    path_join(&path, folder, name);
    if (w->job->output.link != LINK_NONE)
        report_add_link(w->report, text_string(&path), key);
    text_drop(&path);
    return true;
}

/* Writes the file of a passed image, or reports it: the supervisor links it. */
static bool pass_image(struct work *w, const char *name)
{
    return w->job->output.link == LINK_COPY
               ? write_image_file(w, name, &w->scratch->bytes)
               : pass_link(w, SUM_IMAGE, images_folder(w->job), name, &w->scratch->bytes,
                           &w->report->source.image);
}

bool work_write_image(struct work *w, const struct pending_output *out, const char *name)
{
    if (w->passed)
        return pass_image(w, name);
    if (out->copied)
        return pending_output_image(out, NULL) && /* decodes it, to see that it is complete */
               write_image_file(w, name, &w->scratch->bytes);
    if (out->excerpt && make_excerpt(w, out->excerpt))
        return write_image_file(w, name, &w->scratch->made);
    return write_pixels(w, out, name);
}

/* Writes the file of a passed mask, or reports it: the supervisor links it. */
static bool pass_mask(struct work *w, const char *name)
{
    const struct text *bytes = &w->scratch->mask_bytes;

    return w->job->output.link == LINK_COPY
               ? write_file(w, SUM_MASK, masks_folder(w->job), name, bytes)
               : pass_link(w, SUM_MASK, masks_folder(w->job), name, bytes, &w->report->source.mask);
}

bool work_write_mask(struct work *w, const struct resolved_ops *resolved_ops, const char *name)
{
    struct picture out = w->mask;
    bool good;

    if (w->passed)
        return pass_mask(w, name);
    render_mask(resolved_ops, (enum optimize)w->job->plan->optimize, &w->mask.plane,
                &w->scratch->pool, &w->scratch->arena, &out.plane);
    work_end_stage(w, STAGE_MASK_RENDER);
    good = make_file(w, name, &out, PICTURE_PNG);
    work_end_stage(w, STAGE_MASK_ENCODE);
    good = good && write_file(w, SUM_MASK, masks_folder(w->job), name, &w->scratch->made);
    if (out.plane.px != w->mask.plane.px)
        pool_return(&w->scratch->pool, &out.plane);
    return good;
}

bool work_write_labels(struct work *w, const char *image)
{
    struct text name = { 0 };
    bool good;

    labels_name(w->job, image, &name);
    good = write_path(w, SUM_LABELS, text_string(&name), &w->scratch->labels);
    text_drop(&name);
    return good;
}

/* Paints the segments of the kept objects. */
bool work_write_segments(struct work *w, const struct sample *sample, const char *name)
{
    struct picture out = { .format = PICTURE_PNG };
    bool good;

    out.plane = pool_plane(&w->scratch->pool, sample->frame, 3, PIXEL_U8);
    w->job->dataset->format->paint(w->job->dataset, sample, w->job->plan->joins, &out.plane);
    work_end_stage(w, STAGE_MASK_RENDER);
    good = make_file(w, name, &out, PICTURE_PNG);
    work_end_stage(w, STAGE_MASK_ENCODE);
    good = good && write_file(w, SUM_MASK, masks_folder(w->job), name, &w->scratch->made);
    pool_return(&w->scratch->pool, &out.plane);
    return good;
}
