/* replay_verify: repeats recorded lines and compares the results with the output folder. */
#include "batch/finished/replay_verify.h"

#include "batch/output/earlier_files.h"
#include "batch/io/mapped_file.h"
#include "batch/output/out_files.h"
#include "batch/output/tar_names.h"
#include "batch/output/out_dir.h"
#include "batch/image/image_job.h"
#include "batch/process/sandbox.h"
#include "batch/finished/annotation_hashes.h"
#include "batch/output/out_handles.h"
#include "batch/output/output_names.h"
#include "batch/image/report.h"

#include "base/files.h"
#include "base/stderr_line.h"
#include "json/members.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* A process that handles every n-th record, and its result. */
struct verifier {
    pid_t pid;
    FILE *from;
};

struct replay_state {
    const struct job *job;
    struct out_dir outdir;
    struct written_labels *labels; /* of each part of the dataset, or of all */
    bool labelled;                 /* annotations are compared */
    struct arena arena;
    struct verifier *part;
    size_t n_parts, differ;
    struct text packed, objects;
};

/* --- in a process of its own --- */

static bool send(FILE *to, const struct text *t)
{
    uint64_t length = t->length;

    return fwrite(&length, sizeof length, 1, to) == 1 &&
           fwrite(text_string(t), 1, t->length, to) == t->length;
}

static void work(const struct job *job, size_t first, size_t step, FILE *to)
{
    struct scratch scratch = { 0 };
    struct report report = { 0 };
    struct text packed = { 0 };
    bool good = true;

    for (size_t i = first; good && i < job->images.n_records; i += step) {
        record_run(job, &scratch, job_record(job, i), false, &report);
        report_complete(&report);
        text_clear(&packed);
        report_pack(&report, &packed);
        good = send(to, &packed) && send(to, &report.objects) && fflush(to) == 0;
    }
    text_drop(&packed);
    report_drop(&report);
    scratch_drop(&scratch);
}

static bool start_part(struct replay_state *v, size_t i)
{
    struct verifier *part = &v->part[i];
    int ends[2];

    if (pipe(ends) != 0)
        return false;
    fflush(NULL);
    part->pid = fork();
    if (part->pid == 0) {
        FILE *to = fdopen(ends[1], "w");

        prctl(PR_SET_PDEATHSIG, SIGKILL);
        close(ends[0]);
        sandbox_enter(v->job->run.contained);
        work(v->job, i, v->n_parts, to);
        _exit(EXIT_SUCCESS);
    }
    close(ends[1]);
    if (part->pid < 0)
        close(ends[0]);
    else
        part->from = fdopen(ends[0], "r");
    return part->pid > 0 && part->from;
}

/* --- comparing --- */

static bool receive(FILE *from, struct text *t)
{
    uint64_t length;

    text_clear(t);
    if (fread(&length, sizeof length, 1, from) != 1)
        return false;
    text_grown(t, text_room(t, length) + length);
    return fread(t->at, 1, length, from) == length;
}

static void report_difference(struct replay_state *v, const char *name, const char *why)
{
    message_print("lockstep: %s: %s [replay-differs]", name, why);
    v->differ++;
}

/* Hashes the printed pieces of output k. Looks up unchanged pieces in the source. With `dense`, ids
 * are left out. */
static void collect(const struct replay_state *v, size_t record, unsigned k, struct slice pieces,
                    const char *printed, bool dense, struct element_hashes *h)
{
    const struct dataset *d = v->job->dataset;

    for (size_t at = 0; at < pieces.length; at += sizeof(struct piece)) {
        struct piece piece;
        struct slice element;
        size_t order;

        memcpy(&piece, pieces.at + at, sizeof piece);
        element = (struct slice){ printed, piece.length };
        printed += piece.length;
        if (piece.copy != k)
            continue;
        if (!piece.length)
            element = d->format->find_object(d, record, piece.element, &order);
        element_hashes_add(h, element, dense);
    }
}

static bool has_labels(const struct replay_state *v, size_t record, unsigned k,
                       const struct report_view *r)
{
    const struct dataset *d = v->job->dataset;
    const struct combination_part *part = combination_part_of(d, record);
    const struct written_labels *labels = &v->labels[part ? part - d->combination->at : 0];
    int64_t image = job_image_id(v->job, record, k);
    struct element_hashes images = { 0 }, objects = { 0 };
    bool good;

    collect(v, record, k, r->record_pieces, r->records.at, false, &images);
    collect(v, record, k, r->object_pieces, text_string(&v->objects), labels->dense, &objects);
    good = written_labels_has_image(labels, image, &images) &&
           written_labels_has_objects(labels, image, &objects);
    element_hashes_drop(&images);
    element_hashes_drop(&objects);
    return good;
}

/* Compares the files of a report with the folder. The report does not say which output a file
 * belongs to, so files are found by name. */
static void compare_files(struct replay_state *v, const struct report_view *r)
{
    struct written_file file;
    size_t at = 0;

    while (report_next_file(r->files, &at, &file)) {
        struct text name = { 0 };

        text_add(&name, file.name.at, file.name.length);
        if (!out_dir_has_file(&v->outdir, text_string(&name), file.size, &file.hash))
            report_difference(v, text_string(&name),
                              out_dir_has_file(&v->outdir, text_string(&name), file.size, NULL)
                                  ? "its bytes differ"
                                  : "it is not there, or has another size");
        text_drop(&name);
    }
}

/* Compares hashes with the manifest lines, if there is no folder. */
static void compare_sums(struct replay_state *v, size_t record, struct slice lines)
{
    static const char *const sums[] = { "sha256", "mask_sha256", "labels_sha256" };
    struct text name = { 0 };

    for (unsigned k = 0; k < record_n_outputs(v->job, record) && lines.length; k++) {
        const struct replay_entry *entry = replay_find(v->job->replay, record, k);
        struct slice was = entry ? slice_line(v->job->replay->text, entry->at) : lines;
        struct slice is = slice_line(lines, 0);
        bool same = true;

        if (!entry)
            continue;
        for (size_t i = 0; i < COUNTOF(sums); i++) {
            struct slice a = pick_again(was, sums[i]), b = pick_again(is, sums[i]);

            same &= a.at == was.at || (a.length == b.length && memcmp(a.at, b.at, a.length) == 0);
        }
        output_name(v->job, record, k, &name);
        if (!same)
            report_difference(v, text_string(&name), "its SHA-256 differs");
        lines = (struct slice){ lines.at + is.length + 1, lines.length - is.length - 1 };
    }
    text_drop(&name);
}

static void compare_labels(struct replay_state *v, size_t record, const struct report_view *r)
{
    struct text name = { 0 };

    for (unsigned k = 0; v->labelled && k < record_n_outputs(v->job, record); k++) {
        if (!replay_find(v->job->replay, record, k) || has_labels(v, record, k, r))
            continue;
        output_name(v->job, record, k, &name);
        report_difference(v, text_string(&name), "its annotations differ");
    }
    text_drop(&name);
}

/* Returns false if the process that handles the record has died. */
static bool compare_record(struct replay_state *v, size_t i)
{
    FILE *from = v->part[i % v->n_parts].from;
    size_t record = job_record(v->job, i);
    struct report_view r;

    if (!receive(from, &v->packed) || !receive(from, &v->objects) ||
        !report_view((struct slice){ v->packed.at, v->packed.length }, &r))
        return false;
    if (r.outcome != OUTCOME_DONE) {
        message_print("lockstep: error: %.*s", (int)r.why.length, r.why.at);
        v->differ++;
        return true;
    }
    if (*v->job->output.path)
        compare_files(v, &r);
    else
        compare_sums(v, record, r.manifest);
    compare_labels(v, record, &r);
    return true;
}

/* --- all of it --- */

/* Reads an annotation file. */
static bool read_file(struct replay_state *v, const char *name, struct written_labels *to,
                      struct faults *faults)
{
    struct faults read = { .name = name };
    struct text path = { 0 }, why = { 0 };
    bool good;

    path_join(&path, v->job->output.path, name);
    good = mapped_open(text_string(&path), &read.text, &why);
    if (!good)
        fault_add(faults, 0, 0, arena_copy(&faults->arena, text_string(&path), path.length),
                  "verify-labels", "%s", text_string(&why));
    good =
        good && written_labels_read(to, read.text, job_numbers_densely(v->job), &v->arena, &read);
    for (size_t i = 0; i < read.n && i < 1; i++)
        fault_add(faults, 0, 0, name, "verify-labels", "%s", read.list[i].message);
    faults_drop(&read);
    text_drop(&path);
    text_drop(&why);
    return good;
}

static bool read_labels(struct replay_state *v, struct faults *faults)
{
    const struct dataset *d = v->job->dataset;

    const struct combination *c = d->combination;
    bool good = true;

    v->labels = ARENA_ARRAY(&v->arena, struct written_labels, c ? c->n : 1);
    v->labelled = *v->job->output.path && d->writer && !d->writer->suffix && !d->writer->file;
    if (!v->labelled)
        return true;
    for (size_t i = 0; good && c && i < c->n; i++)
        good = read_file(v, c->at[i].file, &v->labels[i], faults);
    if (!c)
        good = read_file(v, "annotations.json", v->labels, faults) &&
               (!d->list || read_file(v, "images.json", v->labels, faults));
    return good;
}

static void stop(struct replay_state *v)
{
    int status;

    for (size_t i = 0; i < v->n_parts; i++) {
        if (v->part[i].from)
            fclose(v->part[i].from);
        while (v->part[i].pid > 0 && waitpid(v->part[i].pid, &status, 0) < 0 && errno == EINTR)
            ;
    }
    out_dir_close(&v->outdir);
    arena_drop(&v->arena);
    text_drop(&v->packed);
    text_drop(&v->objects);
    free(v->part);
}

int replay_verify(struct job *job, size_t *differ, struct faults *faults)
{
    struct replay_state v = { .job = job, .n_parts = (size_t)job->run.jobs };
    int code = EXIT_DONE;

    job->output.compares = true;
    if (job->output.link != LINK_NONE)
        job->output.link = LINK_COPY; /* the bytes of passed images are compared, too */
    job->output.checksums = !*job->output.path;
    v.part = memory_take(v.n_parts * sizeof *v.part);
    memset(v.part, 0, v.n_parts * sizeof *v.part);
    if (*job->output.path && !out_dir_open_to_read(&v.outdir, job->output.path)) {
        fault_add(faults, 0, 0, job->output.path, "out-missing", "%s", errno_text());
        code = EXIT_INPUT;
    } else if (*job->output.path && v.outdir.folder && pack_has_tars(v.outdir.folder - 1)) {
        fault_add(faults, 0, 0, job->output.path, "replay-packed",
                  "its outputs are packed into tars; without -o they are compared with the hashes "
                  "of the manifest, if the run had --checksums");
        code = EXIT_INPUT;
    } else if (!read_labels(&v, faults)) {
        code = EXIT_INPUT;
    }
    for (size_t i = 0; !code && i < v.n_parts; i++)
        if (!start_part(&v, i)) {
            fault_add(faults, 0, 0, "", "worker-start", "%s", errno_text());
            code = EXIT_RESOURCES;
        }
    for (size_t i = 0; !code && i < job->images.n_records; i++)
        if (!compare_record(&v, i)) {
            fault_add(faults, 0, 0, job->dataset->records[job_record(job, i)].name,
                      "worker-crashed", "the process that had it died");
            code = EXIT_INTERNAL;
        }
    stop(&v);
    *differ = v.differ;
    return code;
}
