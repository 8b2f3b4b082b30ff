/* check_job: what can be known to be wrong with a job before work. */
#include "batch/run/check_job.h"

#include "batch/output/name_collisions.h"
#include "base/files.h"
#include "batch/dataset/resolve_names.h"
#include "batch/output/output_names.h"
#include "batch/io/image_name.h"

#include "plan/worst_case.h"

#include <stdlib.h>
#include <string.h>

/* --- checking --- */

static void check_record(const struct job *job, size_t r, struct faults *faults)
{
    const char *name = job->dataset->records[r].name, *code;
    struct text why = { 0 };

    if (!names_allowed(job, r, &why, &code)) {
        locate_hint(job, name, &why);
        fault_add(faults, 0, 0, *name ? name : arena_printf(&faults->arena, "images[%zu]", r), code,
                  "%s", text_string(&why));
    }
    text_drop(&why);
}

/* May the step make samples of another type? */
static bool note_conversion(const struct step *step, void *context)
{
    bool *converts = context;

    *converts |= step->op && step->op->family == FAMILY_CONVERT;
    for (const char *const *name = step->transform ? step->transform->emits : NULL; name && *name;
         name++)
        *converts |= registry_op(*name)->family == FAMILY_CONVERT;
    return true;
}

/* Only TIFF files hold floats: what the steps make at the end, if all of them are done. The worst
 * case takes its time (fields are made for it), so few pipelines are asked for theirs. */
static void check_floats(const struct job *job, struct faults *faults)
{
    struct arena arena = { 0 };
    struct resolved_ops resolved_ops;
    struct pixel_kind made;
    bool converts = false;

    steps_walk(&job->plan->transforms, note_conversion, &converts);
    if (!converts)
        return;
    plan_worst_case(job->plan, &arena, &resolved_ops, &made);
    arena_drop(&arena);
    for (size_t i = 0; made.type == PIXEL_F32 && i < job->images.n_records; i++) {
        const char *name = job->dataset->records[job_record(job, i)].name;
        enum picture_format format = output_format(job, name_format(name));

        if (format == PICTURE_TIFF || format == PICTURE_SAME)
            continue;
        fault_add(
            faults, 0, 0, name, "output-float",
            "the pipeline makes floats, which %s files cannot hold; files hold pixels, and the "
            "loader that trains normalises: leave the step out, or set \"format\": \"tiff\" "
            "in \"output\"",
            picture_format_name(format));
        return;
    }
}

/* Ids of objects that are numbered again. */
static void check_numbers(const struct job *job, struct faults *faults)
{
    struct text why = { 0 };

    if (job->plan->rules.ids == IDS_BY_IMAGE && !job_has_segments(job) &&
        !job_has_room_by_image(job, &why))
        fault_add(faults, 0, 0, "", "id-overflow", "%s; set \"ids\": \"auto\" in \"annotations\"",
                  text_string(&why));
    text_drop(&why);
}

/* Their random numbers would be the same, and their outputs one file. */
static void check_roots(const struct job *job, struct faults *faults)
{
    const struct record *records = job->dataset->records;

    if (job->images.roots.n < 2 || job_has_named_images(job))
        return;
    for (size_t i = 1; i < job->images.n_records; i++) {
        size_t a = job_record(job, i - 1), b = job_record(job, i);

        if (strcmp(records[a].name, records[b].name) == 0)
            fault_add(faults, 0, 0, records[b].name, "images-equal",
                      "it is in %s and in %s, and names tell images apart: rename one, or give "
                      "the folder above both",
                      job_root(job, a), job_root(job, b));
    }
}

bool job_check(const struct job *given, struct faults *faults)
{
    const struct job whole = job_whole(given), *job = &whole;
    const struct dataset *dataset = job->dataset;

    for (size_t i = 0; job->run.on_error == ON_ERROR_FAIL && i < job->images.n_records; i++)
        check_record(job, job_record(job, i), faults);
    check_roots(job, faults);
    check_floats(job, faults);
    if (faults->n)
        return false;
    collisions_check(job, faults);
    if (dataset->largest_id > ((int64_t)1 << 53) / job_fan_out(job) - 1)
        fault_add(faults, 0, 0, "", "id-overflow",
                  "ids up to %lld times %u outputs an image would pass 2^53",
                  (long long)dataset->largest_id, job_fan_out(job));
    if (!faults->n && job->plan->joins)
        check_numbers(job, faults);
    return !faults->n;
}
