/* resume: go on with a run that was stopped. */
#include "resume.h"

#include "former.h"
#include "names.h"
#include "outdir.h"
#include "run_key.h"
#include "session.h"

#include "../base/files.h"
#include "../base/hash.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* A journal, mapped. */
struct opened {
    int file; /* -1: there is none */
    struct slice bytes;
};

static bool open_journal(const struct job *job, struct opened *j)
{
    struct stat status;
    void *at;

    *j = (struct opened){ .file = outdir_scratch_open(job->outdir, "journal"), .bytes = { "", 0 } };
    if (j->file < 0)
        return errno == ENOENT;
    if (fstat(j->file, &status) != 0 || !status.st_size)
        return true;
    at = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_SHARED, j->file, 0);
    if (at == MAP_FAILED)
        return false;
    j->bytes = (struct slice){ at, (size_t)status.st_size };
    return true;
}

/* The file stays open if it has gone to somebody else. */
static void close_journal(struct opened *j, bool keep)
{
    if (j->bytes.length)
        munmap((void *)j->bytes.at, j->bytes.length);
    if (j->file >= 0 && !keep)
        close(j->file);
}

/* Its first record; false when not even that is there. */
static bool read_key(struct slice journal, uint64_t *at, struct slice *key)
{
    struct journal_record r;

    *at = 0;
    if (journal_state(journal) != JOURNAL_GOOD || !journal_next(journal, at, &r) ||
        r.kind != JOURNAL_KEY)
        return false;
    *key = r.payload;
    return true;
}

/* --- what is there --- */

static int refuse(const struct job *job, struct faults *faults, const char *code, const char *why)
{
    fault_add(faults, 0, 0, job->out, code, "%s", why);
    return EXIT_OCCUPIED;
}

/* Every file that a finished run lists has to be there. */
static int inspect_finished(const struct job *job, int *code, struct faults *faults)
{
    struct former former = { 0 };
    struct slice key;
    int exit = EXIT_DONE;

    if (!former_finished(job->outdir, &former, &key, code))
        exit =
            refuse(job, faults, "resume-key",
                   "the run there does not say what it was made of; start over with --overwrite");
    else if (!run_key_check(job, key, true, faults))
        exit = EXIT_OCCUPIED;
    if (!exit)
        exit = former_read(job->outdir, &former, faults);
    for (size_t i = 0; !exit && i < former.n; i++)
        if (!former_has(job->outdir, former.names[i]))
            exit = refuse(job, faults, "out-damaged",
                          "files of the finished run are not there any more; start over with "
                          "--overwrite");
    former_drop(&former);
    return exit;
}

int resume_inspect(const struct job *job, enum resume_state *state, int *code,
                   struct faults *faults)
{
    struct opened j;
    struct slice key;
    uint64_t at;
    int exit = EXIT_DONE;

    *state = RESUME_FRESH;
    if (!open_journal(job, &j)) {
        fault_add(faults, 0, 0, job->out, "out-unwritable", "its journal: %s", errno_text());
        exit = EXIT_OUTPUT;
    } else if (journal_state(j.bytes) == JOURNAL_OTHER) {
        exit = refuse(job, faults, "resume-journal",
                      "its journal is damaged, or of another version of lockstep; start over with "
                      "--overwrite");
    } else if (read_key(j.bytes, &at, &key)) {
        *state = RESUME_GOES_ON;
        exit = run_key_check(job, key, false, faults) ? EXIT_DONE : EXIT_OCCUPIED;
    } else if (former_is_finished(job->outdir)) {
        *state = RESUME_FINISHED;
        exit = inspect_finished(job, code, faults);
    }
    close_journal(&j, false);
    return exit;
}

/* --- what is kept --- */

struct resume {
    struct collect *collect;
    const struct job *job;
    struct slice journal;
    size_t *by_name; /* records, sorted; NULL until one is not where it was */
    bool same_annotations, same_names, same_boot;
    uint64_t end; /* of what the journal vouches for */
    const char *objects;
    uint64_t objects_size;
    uint64_t *kept; /* hashes of the names of files that are kept, sorted */
    size_t n_kept, room_kept;
    struct text list; /* of those files, as outdir keeps it */
};

static const struct record *sorted_records;

static int by_name(const void *a, const void *b)
{
    const size_t *x = a, *y = b;

    return strcmp(sorted_records[*x].name, sorted_records[*y].name);
}

static bool is_called(const struct record *r, struct slice name)
{
    return strncmp(r->name, name.at, name.length) == 0 && !r->name[name.length];
}

static void sort_names(struct resume *r)
{
    size_t n = r->job->n_records;

    r->by_name = memory_take((n + 1) * sizeof *r->by_name);
    for (size_t i = 0; i < n; i++)
        r->by_name[i] = i;
    sorted_records = r->job->dataset->records;
    qsort(r->by_name, n, sizeof *r->by_name, by_name);
}

/* The image of an entry; false when it is in the dataset no more. */
static bool find_record(struct resume *r, const struct entry *e, size_t *record)
{
    const struct record *records = r->job->dataset->records;
    size_t low = 0, high = r->job->n_records;

    *record = (size_t)e->record;
    if (e->record < high && is_called(&records[e->record], e->name))
        return true;
    if (!r->by_name)
        sort_names(r);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const char *name = records[r->by_name[middle]].name;
        int order = strncmp(name, e->name.at, e->name.length);

        order = order ? order : name[e->name.length] != '\0';
        if (order == 0) {
            *record = r->by_name[middle];
            return true;
        }
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

static bool is_key(struct file_key a, struct file_key b)
{
    return a.size == b.size && a.mtime == b.mtime;
}

/* Are the files that it was made of as they were? */
static bool has_sources(const struct resume *r, size_t record, const struct source_key *source)
{
    const struct job *job = r->job;
    struct file_key image =
        input_key_of(job->images, job->dataset->records[record].name, job->links);
    struct file_key mask = { 0 };
    struct text name = { 0 };

    if (mask_name(job, record, &name))
        mask = input_key_of(job->masks, text_string(&name), job->links);
    text_drop(&name);
    return is_key(image, source->image) && is_key(mask, source->mask);
}

static bool has_objects(const struct resume *r, const struct report_view *v)
{
    return v->objects_at <= r->objects_size &&
           v->objects_length <= r->objects_size - v->objects_at &&
           hash_quick(r->objects + v->objects_at, v->objects_length) == v->objects_hash;
}

static bool has_file(const struct resume *r, const struct written_file *f)
{
    struct text name = { 0 };
    bool there;

    text_add(&name, f->name.at, f->name.length);
    there = written_name_is_safe(text_string(&name)) &&
            outdir_holds(r->job->outdir, text_string(&name), f->size,
                         r->job->verify_resume ? &f->hash : NULL);
    text_drop(&name);
    return there;
}

static bool has_files(const struct resume *r, const struct report_view *v)
{
    struct written_file f;
    size_t at = 0;

    while (report_next_file(v->files, &at, &f))
        if (!has_file(r, &f))
            return false;
    return true;
}

/* What failed for its content fails again until its file is another; with --on-error fail it is
 * tried, so that it ends this run, too. */
static bool is_good(const struct resume *r, size_t record, const struct report_view *v)
{
    if (v->outcome == OUTCOME_INPUT && r->job->on_error == ON_ERROR_FAIL)
        return false;
    if (v->outcome != OUTCOME_DONE && v->outcome != OUTCOME_INPUT)
        return false;
    return (r->same_annotations || !r->job->dataset->format) &&
           has_sources(r, record, &v->source) && has_objects(r, v) && has_files(r, v);
}

static int by_hash(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

static void keep_files(struct resume *r, size_t record, const struct report_view *v)
{
    struct written_file f;
    size_t at = 0;

    while (report_next_file(v->files, &at, &f)) {
        if (r->n_kept == r->room_kept) {
            r->room_kept = 2 * r->room_kept + 1024;
            r->kept = memory_grow(r->kept, r->room_kept * sizeof *r->kept);
        }
        r->kept[r->n_kept++] = hash_quick(f.name.at, f.name.length);
        text_addf(&r->list, "%zu %llu ", record, (unsigned long long)f.size);
        text_add(&r->list, f.name.at, f.name.length);
        text_addc(&r->list, '\n');
    }
}

/* The last entry of each image counts. */
static void read_entries(struct resume *r, uint64_t at)
{
    struct journal_record found;
    struct entry entry;
    size_t record;

    while (at < r->end && journal_next(r->journal, &at, &found))
        if ((found.kind == JOURNAL_ENTRY || found.kind == JOURNAL_VOID) &&
            entry_read(found.payload, &entry) && find_record(r, &entry, &record))
            r->collect->entry[record] = found.kind == JOURNAL_ENTRY ? found.at : 0;
}

/* False with errno: that an entry holds no more must stand in the journal before its files go. */
static bool sift(struct resume *r)
{
    struct collect *c = r->collect;
    struct text entry = { 0 };
    bool good = true;

    for (size_t i = 0; good && i < r->job->n_records; i++) {
        uint64_t at = c->entry[i];
        struct report_view v;

        if (!at)
            continue;
        if (collect_report(c, r->journal, i, &v) && is_good(r, i, &v)) {
            collect_count(c, i, &v, at);
            keep_files(r, i, &v);
            continue;
        }
        c->entry[i] = 0;
        text_clear(&entry);
        entry_print(i, r->job->dataset->records[i].name, (struct slice){ "", 0 }, &entry);
        good = journal_append(&c->journal, JOURNAL_VOID, (struct slice){ entry.at, entry.length });
    }
    text_drop(&entry);
    if (r->n_kept)
        qsort(r->kept, r->n_kept, sizeof *r->kept, by_hash);
    return good;
}

/* --- what is removed --- */

static bool is_kept(const struct resume *r, const char *name)
{
    uint64_t hash = hash_quick(name, strlen(name));

    return r->n_kept && bsearch(&hash, r->kept, r->n_kept, sizeof hash, by_hash);
}

/* After a crash of the machine, files may be there that the list has lost. There was nothing at
 * these names when the run began. */
static void remove_unlisted(void *context, const struct output_of *output)
{
    struct resume *r = context;
    struct text path = { 0 };

    if (!r->collect->entry[output->record]) {
        path_join(&path, output->folder, output->name);
        outdir_remove(r->job->outdir, text_string(&path));
    }
    text_drop(&path);
}

static bool remove_others(struct resume *r, struct text *why)
{
    struct former former = { 0 };
    struct faults faults = { .name = "lockstep run" };
    size_t n = 0;
    int code = former_read(r->job->outdir, &former, &faults);

    for (size_t i = 0; i < former.n; i++)
        if (!is_kept(r, former.names[i]))
            former.names[n++] = former.names[i];
    former.n = n;
    if (!code)
        code = former_remove_files(r->job->outdir, &former, &faults);
    if (code)
        text_addf(why, "%s: %s", faults.list[0].path, faults.list[0].message);
    if (!code && !r->same_boot && r->same_names)
        outputs_walk(r->job, remove_unlisted, r);
    former_drop(&former);
    faults_drop(&faults);
    return !code;
}

/* --- all of it --- */

static bool open_objects(struct resume *r)
{
    int file = outdir_scratch_open(r->job->outdir, "objects");
    struct stat status;

    if (file < 0 && errno == ENOENT)
        file = outdir_scratch(r->job->outdir, "objects");
    if (file < 0 || fstat(file, &status) != 0)
        return false;
    r->objects_size = (uint64_t)status.st_size;
    return store_reopen(&r->collect->objects, file, r->objects_size) &&
           store_map(&r->collect->objects, &r->objects);
}

static bool take_over(struct resume *r, struct opened *j, struct text *why)
{
    struct collect *c = r->collect;
    struct slice key = { 0 };
    uint64_t at = 0;
    bool good;

    read_key(j->bytes, &at, &key);
    r->same_annotations = run_key_has_annotations(r->job, key);
    r->same_names = run_key_has_names(r->job, key);
    r->end = session_end(j->bytes, &r->same_boot);
    read_entries(r, at);
    good = journal_resume(&c->journal, j->file, r->end) && session_begin(&c->journal, r->job) &&
           open_objects(r);
    if (!good) {
        text_addf(why, "journal: %s", errno_text());
        return false;
    }
    good = sift(r);
    if (!good)
        text_addf(why, "journal: %s", errno_text());
    store_unmap(&c->objects, r->objects);
    good = good && remove_others(r, why);
    if (good && (!outdir_tidy(r->job->outdir) || !outdir_restart(r->job->outdir, &r->list))) {
        text_addf(why, "%s: %s", r->job->out, errno_text());
        good = false;
    }
    return good;
}

bool resume_collect(struct collect *c, const struct job *job, struct text *why)
{
    struct resume r = { .collect = c, .job = job };
    struct opened j;
    bool good;

    *c = (struct collect){ .job = job };
    c->entry = memory_take((job->n_records + 1) * sizeof *c->entry);
    memset(c->entry, 0, (job->n_records + 1) * sizeof *c->entry);
    if (!open_journal(job, &j)) {
        text_addf(why, "journal: %s", errno_text());
        return false;
    }
    r.journal = j.bytes;
    good = take_over(&r, &j, why);
    close_journal(&j, c->journal.file > 0);
    free(r.by_name);
    free(r.kept);
    text_drop(&r.list);
    return good;
}
