/* check_job: checks a job before the run starts, without opening any image. */
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

    if (!check_record_names(job, r, &why, &code)) {
        resolve_hint(job, job_file(job, r), &why);
        fault_add(faults, 0, 0, *name ? name : arena_printf(&faults->arena, "images[%zu]", r), code,
                  "%s", text_string(&why));
    }
    text_drop(&why);
}

/* Sets *context if the step can change the sample type. Always returns true, to visit all steps. */
static bool note_conversion(const struct step *step, void *context)
{
    bool *converts = context;

    *converts |= step->op && step->op->family == FAMILY_CONVERT;
    for (const char *const *name = step->transform ? step->transform->emits : NULL; name && *name;
         name++)
        *converts |= registry_op(*name)->family == FAMILY_CONVERT;
    return true;
}

/* Only TIFF files can store floats. Checks the type after all steps are applied. Computing the
 * worst case is slow, since it builds displacement fields, so it runs only if a step converts
 * samples. */
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

/* Checks that new object ids stay in range ("ids": "by_image"). */
static void check_numbers(const struct job *job, struct faults *faults)
{
    struct text why = { 0 };

    if (job->plan->rules.ids == IDS_BY_IMAGE && !job_has_segments(job) &&
        !job_has_room_by_image(job, &why))
        fault_add(faults, 0, 0, "", "id-overflow", "%s; set \"ids\": \"auto\" in \"annotations\"",
                  text_string(&why));
    text_drop(&why);
}

/* Rejects two input folders that contain the same name: both images would get the same random
 * numbers and the same output file. */
static void check_roots(const struct job *job, struct faults *faults)
{
    const struct record *records = job->dataset->records;

    if (job->images.roots.n < 2 || job_has_named_images(job) || job->dataset->combination)
        return; /* parts may have images of one name */
    for (size_t i = 1; i < job->images.n_records; i++) {
        size_t a = job_record(job, i - 1), b = job_record(job, i);

        if (strcmp(records[a].name, records[b].name) == 0)
            fault_add(faults, 0, 0, records[b].name, "images-equal",
                      "it is in both %s and %s, but images are identified by name: rename one, or "
                      "give the folder above both",
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
    name_collisions_check(job, faults);
    if (dataset->largest_id > ((int64_t)1 << 53) / job_fan_out(job) - 1)
        fault_add(faults, 0, 0, "", "id-overflow",
                  "ids up to %lld times %u outputs an image would pass 2^53",
                  (long long)dataset->largest_id, job_fan_out(job));
    if (!faults->n && job->plan->joins)
        check_numbers(job, faults);
    return !faults->n;
}
