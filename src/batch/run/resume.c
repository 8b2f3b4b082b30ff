/* resume: continues a run that was stopped. */
#include "batch/run/resume.h"

#include "batch/output/earlier_files.h"
#include "batch/run/reusable.h"
#include "batch/dataset/name_index.h"
#include "batch/journal/entry.h"
#include "batch/output/file_list.h"
#include "batch/output/lock.h"
#include "batch/output/out_files.h"
#include "batch/output/run_json_read.h"
#include "batch/output/shard_dirs.h"
#include "batch/output/out_dir.h"
#include "batch/results/shard_result.h"
#include "batch/manifest/recorded_steps.h"
#include "batch/journal/run_key.h"
#include "batch/journal/session.h"
#include "batch/image/fingerprint.h"
#include "batch/output/replace_result.h"
#include "batch/run/preflight_skip.h"
#include "batch/output/output_names.h"

#include "base/files.h"
#include "base/hash.h"
#include "base/stderr_line.h"
#include "base/file_view.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* A mapped journal. */
struct mapped_journal {
    int file; /* -1: there is no journal */
    struct slice bytes;
};

static bool open_journal(struct out_dir *outdir, struct mapped_journal *j)
{
    *j = (struct mapped_journal){ .file = out_dir_open_scratch_file(outdir, "journal"),
                                  .bytes = { "", 0 } };
    if (j->file < 0)
        return errno == ENOENT;
    return view_whole(j->file, &j->bytes);
}

/* `keep` leaves the file open for its new owner. */
static void close_journal(struct mapped_journal *j, bool keep)
{
    view_close(j->bytes);
    if (j->file >= 0 && !keep)
        close(j->file);
}

/* Reads the run key, which is the first record. Returns false if there is none. */
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

static uint64_t *take_entries(const struct job *job)
{
    size_t size = (job->dataset->n_records + 1) * sizeof(uint64_t);

    return memset(memory_take(size), 0, size);
}

/* --- what is there --- */

static int refuse(const struct job *job, struct faults *faults, const char *code, const char *why)
{
    fault_add(faults, 0, 0, job->output.path, code, "%s", why);
    return EXIT_OCCUPIED;
}

/* Images that may have changed since a run ended. */
struct newer_images {
    const struct job *job;
    int64_t end, now; /* ns: end of the run, and the current time; later file times are ignored */
    const char *written; /* the first image written after the run ended; NULL: none */
    bool *doubtful;      /* per record: ctime is after the run ended, but mtime is not */
    size_t n_doubtful;
    struct name_index names;
};

static bool is_newer(const struct newer_images *n, int64_t time)
{
    return time > n->end && time <= n->now;
}

/* Returns false if the system does not report the times. */
static bool find_newer(struct newer_images *n)
{
    const struct job *job = n->job;
    struct stat run;
    struct timespec now;

    if (fstatat(job->output.outdir->folder - 1, "run.json", &run, AT_SYMLINK_NOFOLLOW) != 0 ||
        clock_gettime(CLOCK_REALTIME, &now) != 0)
        return false;
    n->end = input_key(&run).mtime;
    n->now = now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
    n->doubtful = memory_take(job->dataset->n_records + 1);
    memset(n->doubtful, 0, job->dataset->n_records + 1);
    for (size_t k = 0; k < job->images.n_records && !n->written; k++) {
        size_t i = job_record(job, k);
        int64_t mtime, ctime;

        source_times(job, i, &mtime, &ctime);
        if (is_newer(n, mtime)) {
            n->written = job->dataset->records[i].name;
        } else if (is_newer(n, ctime)) {
            n->doubtful[i] = true;
            n->n_doubtful++;
        }
    }
    return true;
}

/* True if the image has the hash in its manifest line. False with label masks, whose hashes the
 * manifest does not have. */
static bool has_hash(const struct job *job, size_t record, struct slice line)
{
    struct slice sum = pick_again(line, "source_sha256");
    struct text bytes = { 0 }, why = { 0 };
    struct stat status;
    char hex[65] = "";

    if (sum.at != line.at && !job_has_masks(job) &&
        input_read(job_root(job, record), job_file(job, record), job->images.links, NULL, &bytes,
                   &status, &why))
        hash_hex(text_string(&bytes), bytes.length, hex);
    text_drop(&bytes);
    text_drop(&why);
    return *hex && scan_equals((struct slice){ sum.at + 1, sum.length - 2 }, hex);
}

static void check_line(struct newer_images *n, struct slice line, struct arena *arena)
{
    struct slice source;
    struct scan whole = scan_start(line, 0), s;
    size_t record;

    if (scan_peek(&whole) != '{' || !scan_value(&whole, &source))
        return;
    s = scan_again(pick_again(line, "source"), 0);
    if (scan_peek(&s) == '"' && scan_string(&s, arena, &source) &&
        name_index_find(&n->names, n->job->dataset, source, &record) && n->doubtful[record] &&
        has_hash(n->job, record, line)) {
        n->doubtful[record] = false;
        n->n_doubtful--;
    }
}

/* Clears `doubtful` for images whose bytes have the hash in the manifest. */
static void check_hashes(struct newer_images *n)
{
    int file = open_regular_at(n->job->output.outdir->folder - 1, "manifest.jsonl", O_RDONLY);
    struct slice text = { 0 };
    struct arena arena = { 0 };

    if (file >= 0 && view_whole(file, &text)) {
        for (uint64_t at = 0; n->n_doubtful && at < text.length;) {
            struct slice line = slice_line(text, at);

            check_line(n, line, &arena);
            arena_reset(&arena);
            at += line.length + 1;
        }
        view_close(text);
    }
    if (file >= 0)
        close(file);
    arena_drop(&arena);
    name_index_drop(&n->names);
}

static int refuse_newer(const struct job *job, struct faults *faults)
{
    struct newer_images n = { .job = job };
    const char *why = NULL;

    if (find_newer(&n) && !n.written && n.n_doubtful)
        check_hashes(&n);
    if (n.written)
        why = arena_printf(&faults->arena,
                           "the run there is finished, and %s is newer: start over with "
                           "--overwrite",
                           n.written);
    for (size_t i = 0; n.n_doubtful && !why && i < job->dataset->n_records; i++)
        if (n.doubtful[i])
            why = arena_printf(&faults->arena,
                               "the run there is finished, and %s was replaced or copied since, or "
                               "its metadata changed; without its hash in the manifest "
                               "(--checksums), or with another one, its bytes count as changed: "
                               "start over with --overwrite",
                               job->dataset->records[i].name);
    free(n.doubtful);
    return why ? refuse(job, faults, "resume-newer", why) : EXIT_DONE;
}

/* Checks that all files of a finished run exist, and that the inputs are unchanged. Changes of
 * images are detected by time only. */
static int inspect_finished(const struct job *job, int *code, struct faults *faults)
{
    struct earlier_files former = { 0 };
    struct earlier_image_counts images;
    struct slice key;
    int exit = EXIT_DONE;

    if (!run_json_read_finished(job->output.outdir, &former.arena, &key, &images, code))
        exit =
            refuse(job, faults, "resume-key",
                   "the run there does not say what it was made of; start over with --overwrite");
    else if (!run_key_check(job, key, true, faults))
        exit = EXIT_OCCUPIED;
    if (!exit)
        exit = earlier_files_read(job->output.outdir, &former, faults);
    for (size_t i = 0; !exit && i < former.n; i++)
        if (!out_dir_has_entry(job->output.outdir, former.names[i]))
            exit = refuse(job, faults, "out-damaged",
                          "files of the finished run are not there any more; start over with "
                          "--overwrite");
    if (!exit)
        exit = refuse_newer(job, faults);
    earlier_files_drop(&former);
    return exit;
}

/* Reads the state of a run from its journal, which must have a key. The caller frees it with
 * reusable_drop and frees collect->entry. */
static struct reusable read_journal_state(const struct job *job, struct slice journal,
                                          struct collect *collect)
{
    struct reusable k = { .collect = collect, .job = job, .journal = journal };
    struct slice key = { 0 };
    uint64_t at = 0;

    collect->job = job;
    collect->entry = take_entries(job);
    if (read_key(journal, &at, &key)) {
        k.same_annotations = run_key_has_annotations(job, key);
        k.same_names = run_key_has_names(job, key);
        k.end = session_end(journal, &k.same_boot);
        reusable_read(&k, at);
    }
    return k;
}

/* True if every image of the shard would be done, or fail, in the same way now. */
static bool shard_is_current(const struct job *job, struct slice journal)
{
    struct collect collect = { 0 };
    struct reusable k = read_journal_state(job, journal, &collect);
    bool holds = true;

    for (size_t n = 0; holds && n < job->images.n_records; n++) {
        size_t i = job_record(job, n);
        struct report_view v;

        holds = collect_report(&collect, journal, i, &v) && reusable_has_same_outcome(&k, i, &v);
    }
    free(collect.entry);
    reusable_drop(&k);
    return holds;
}

/* True if a shard is complete, is of this dataset, and has all its files. Otherwise it is resumed
 * like any unfinished shard. */
static bool shard_is_done(const struct job *job, struct slice journal, int *code)
{
    struct out_dir *outdir = job->output.outdir;
    struct text key = { 0 }, why = { 0 };
    struct shard_part part;
    bool done = part_read(outdir, &part);

    run_key_print(job, &key);
    done = done && part.key.length == key.length && memcmp(part.key.at, key.at, key.length) == 0 &&
           shard_is_current(job, journal) && file_list_reopen(outdir) &&
           part_has_list(&part, outdir) && out_dir_verify(outdir, &why);
    if (done)
        *code = part.head.skipped ? EXIT_PARTIAL : EXIT_DONE;
    store_close(&outdir->written);
    part_drop(&part);
    text_drop(&key);
    text_drop(&why);
    return done;
}

int resume_inspect(const struct job *job, enum resume_state *state, int *code,
                   struct faults *faults)
{
    struct mapped_journal j;
    struct slice key;
    uint64_t at;
    int exit = EXIT_DONE;

    *state = RESUME_FRESH;
    if (!open_journal(job->output.outdir, &j)) {
        fault_add(faults, 0, 0, job->output.path, "out-unwritable", "its journal: %s",
                  errno_text());
        exit = EXIT_OUTPUT;
    } else if (swap_is_started(job->output.outdir)) {
        *state = RESUME_SWAP_PENDING;
        if (read_key(j.bytes, &at, &key) && !run_key_check(job, key, false, faults))
            exit = EXIT_OCCUPIED;
    } else if (journal_state(j.bytes) == JOURNAL_OTHER) {
        exit = refuse(job, faults, "resume-journal",
                      "its journal is damaged, or of another version of lockstep; start over with "
                      "--overwrite");
    } else if (read_key(j.bytes, &at, &key)) {
        *state = RESUME_UNFINISHED;
        exit = run_key_check(job, key, false, faults) ? EXIT_DONE : EXIT_OCCUPIED;
        if (!exit && job->images.shard.count && shard_is_done(job, j.bytes, code))
            *state = RESUME_FINISHED;
    } else if (job->images.shard.count) {
        *state = RESUME_FRESH;
    } else if (!out_dir_has_scratch_result(job->output.outdir) &&
               has_finished_run(job->output.outdir)) {
        *state = RESUME_FINISHED;
        exit = inspect_finished(job, code, faults);
    }
    close_journal(&j, false);
    return exit;
}

/* --- what is removed --- */

/* Removes an output that the list of files may have lost in a crash of the machine. Nothing had
 * this name when the run began. */
static void remove_unlisted(void *context, const struct job_output *output)
{
    struct reusable *k = context;
    struct text path = { 0 };

    if (!k->collect->entry[output->record]) {
        path_join(&path, output->folder, output->name);
        out_dir_remove_file(k->job->output.outdir, text_string(&path));
    }
    text_drop(&path);
}

static bool remove_others(struct reusable *k, struct text *why)
{
    struct earlier_files former = { 0 };
    struct faults faults = { .name = "lockstep run" };
    struct out_dir *outdir = k->job->output.outdir;
    size_t n = 0;
    bool own = outdir->apart || outdir->shard_lock; /* other files in OUT are not of this run */
    int code;

    if (own && !earlier_files_read_list(outdir, &former, "written")) {
        text_addf(why, "written: %s", errno_text());
        earlier_files_drop(&former);
        return false;
    }
    code = own ? EXIT_DONE : earlier_files_read(outdir, &former, &faults);

    for (size_t i = 0; i < former.n; i++)
        if (!reusable_has_file(k, former.names[i]))
            former.names[n++] = former.names[i];
    former.n = n;
    if (!code)
        code = earlier_files_remove(outdir, &former, &faults);
    if (code)
        text_addf(why, "%s: %s", faults.list[0].path, faults.list[0].message);
    if (!code && !k->same_boot && k->same_names)
        outputs_walk(k->job, remove_unlisted, k);
    earlier_files_drop(&former);
    faults_drop(&faults);
    return !code;
}

/* --- all of it --- */

static bool open_objects(struct reusable *k)
{
    int file = out_dir_open_scratch_file(k->job->output.outdir, "objects");
    struct stat status;

    if (file < 0 && errno == ENOENT)
        file = out_dir_create_scratch_file(k->job->output.outdir, "objects");
    if (file < 0 || fstat(file, &status) != 0)
        return false;
    return store_reopen(&k->collect->objects, file, (uint64_t)status.st_size) &&
           store_view(&k->collect->objects, &k->objects);
}

static bool take_over(struct reusable *k, struct mapped_journal *j, struct text *why)
{
    struct collect *c = k->collect;
    struct slice key = { 0 };
    uint64_t at = 0;
    bool good;

    read_key(j->bytes, &at, &key);
    k->same_annotations = run_key_has_annotations(k->job, key);
    k->same_names = run_key_has_names(k->job, key);
    k->end = session_end(j->bytes, &k->same_boot);
    reusable_read(k, at);
    good = journal_resume(&c->journal, j->file, k->end) && session_begin(&c->journal, k->job) &&
           open_objects(k);
    if (!good) {
        text_addf(why, "journal: %s", errno_text());
        return false;
    }
    good = reusable_drop_stale(k);
    if (!good)
        text_addf(why, "journal: %s", errno_text());
    view_close(k->objects);
    good = good && remove_others(k, why);
    if (good && (!out_dir_clear_temporary(k->job->output.outdir) ||
                 !file_list_replace(k->job->output.outdir, &k->list))) {
        text_addf(why, "%s: %s", k->job->output.path, errno_text());
        good = false;
    }
    return good;
}

bool resume_collect(struct collect *c, const struct job *job, struct text *why)
{
    struct reusable k = { .collect = c, .job = job };
    struct mapped_journal j;
    bool good;

    *c = (struct collect){ .job = job };
    c->entry = take_entries(job);
    if (!open_journal(job->output.outdir, &j)) {
        text_addf(why, "journal: %s", errno_text());
        return false;
    }
    k.journal = j.bytes;
    good = take_over(&k, &j, why);
    close_journal(&j, c->journal.file > 0);
    reusable_drop(&k);
    return good;
}

/* --- images that the preflight skips --- */

static void add_skippable(struct reusable *k, struct preflight_skip *to)
{
    for (size_t n = 0; n < k->job->images.n_records; n++) {
        size_t i = job_record(k->job, n);
        struct report_view v;

        if (collect_report(k->collect, k->journal, i, &v) && v.outcome == OUTCOME_DONE &&
            reusable_has_same_sources(k, i, &v))
            preflight_skip_add(to, i, &v.source);
    }
    if (k->n_compared && k->job->run.verbosity >= 0)
        message_print("lockstep: note: %zu image%s replaced or copied since, or only %s metadata "
                      "changed; their bytes were compared: %zu changed, and are done again "
                      "[resume-bytes]",
                      k->n_compared, k->n_compared == 1 ? " was" : "s were",
                      k->n_compared == 1 ? "its" : "their", k->n_changed);
}

static void read_skippable(const struct job *job, struct slice journal, struct preflight_skip *to)
{
    struct collect collect = { 0 };
    struct faults faults = { .name = "lockstep run" };
    struct slice key;
    struct reusable k;
    uint64_t at;

    if (read_key(journal, &at, &key) && run_key_check(job, key, false, &faults)) {
        k = read_journal_state(job, journal, &collect);
        add_skippable(&k, to);
        free(collect.entry);
        reusable_drop(&k);
    }
    faults_drop(&faults);
}

void resume_find_skippable(const struct job *job, struct preflight_skip *to)
{
    struct out_dir outdir;
    struct mapped_journal j = { .file = -1 };

    preflight_skip_start(to, job);
    if (out_dir_open_to_read(&outdir, job->output.path) &&
        (!job->images.shard.count || out_dir_open_shard_to_read(&outdir, &job->images.shard)) &&
        out_dir_lock_existing(&outdir) && open_journal(&outdir, &j)) {
        read_skippable(job, j.bytes, to);
        close_journal(&j, false);
    }
    out_dir_close(&outdir);
    preflight_skip_end(to, job);
}
