/* verify: is what stands in an output folder what its manifest says? */
#include "verify.h"

#include "former.h"
#include "inspect.h"
#include "mapped.h"
#include "replay.h"
#include "walk.h"

#include "../base/files.h"
#include "../base/hash.h"
#include "../json/document.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Files that are inspected at once: what is found of each takes memory. */
enum { BATCH = 8192, HALF_HASH = 32 /* hexadecimal digits: inspect.h */ };

/* An image or a mask of the manifest. */
struct promised {
    const char *hash; /* "" without */
    int width, height;
};

/* An output's id and size. */
struct numbered {
    int64_t id;
    int width, height;
};

struct verifying {
    const char *path;
    int jobs;
    verify_fn *found;
    void *context;
    struct verified *counts;
    struct faults *faults;
    struct outdir outdir;
    struct former former; /* all names that the run says are its own */
    struct pile outputs;  /* of struct numbered */
    struct arena arena;   /* of the files below, until they are inspected */
    struct record record[BATCH];
    struct promised promised[BATCH];
    size_t n;
};

static void report(struct verifying *v, const char *path, const char *code, const char *why)
{
    v->found(v->context, path, code, why);
}

/* --- images and masks --- */

static void compare(struct verifying *v, size_t i, const struct inspected *is)
{
    const struct promised *p = &v->promised[i];
    const char *name = v->record[i].name;
    struct text why = { 0 };

    if (is->state == FILE_MISSING) {
        report(v, name, "verify-missing", "it is not there");
    } else if (*p->hash && is->has_pixels && strncmp(is->pixels.hash, p->hash, HALF_HASH) != 0) {
        report(v, name, "verify-hash", "its SHA-256 is another");
    } else if (is->state != FILE_GOOD) {
        report(v, name, "verify-damaged", *is->why ? is->why : "it cannot be read");
    } else if (is->header.frame.width != p->width || is->header.frame.height != p->height) {
        text_addf(&why, "it is %dx%d, and was written as %dx%d", is->header.frame.width,
                  is->header.frame.height, p->width, p->height);
        report(v, name, "verify-size", text_string(&why));
    }
    text_drop(&why);
}

static bool inspect_batch(struct verifying *v)
{
    struct dataset dataset = { .records = v->record, .n_records = v->n };
    struct inspect_job job = {
        .dataset = &dataset, .images = v->path, .pixels = true, .jobs = v->jobs
    };
    struct inspection inspection;
    struct text why = { 0 };
    bool good = !v->n || inspect_images(&inspection, &job, &why);

    if (!good)
        fault_add(v->faults, 0, 0, v->path, "worker-start", "%s", text_string(&why));
    for (size_t i = 0; good && i < v->n; i++)
        compare(v, i, &inspection.images[i]);
    if (good && v->n)
        inspection_drop(&inspection);
    text_drop(&why);
    arena_reset(&v->arena);
    v->n = 0;
    return good;
}

/* --- lines --- */

/* A text of the line; "" when it has none of this name. */
static const char *text_of(struct verifying *v, struct slice line, const char *name)
{
    struct slice value = pick_again(line, name);

    if (value.at == line.at || value.length < 2 || *value.at != '"')
        return "";
    return scan_unescape(&v->arena, (struct slice){ value.at + 1, value.length - 2 }).at;
}

static bool read_size(struct slice line, int *width, int *height)
{
    struct scan s = scan_again(pick_again(line, "size_out"), 0);
    int64_t size[2] = { 0, 0 };
    bool first = true, good = scan_peek(&s) == '[' && scan_open(&s, '[');

    for (size_t i = 0; good && i < COUNTOF(size); i++)
        good = scan_element(&s, &first) && scan_integer(&s, &size[i]);
    *width = (int)size[0];
    *height = (int)size[1];
    return good;
}

/* Hold the bytes of a file below OUT against their hash. */
static void check_hash(struct verifying *v, const char *name, const char *hash)
{
    struct text bytes = { 0 }, why = { 0 };
    struct stat status;
    char hex[65];

    if (!input_read(v->path, name, LINKS_REFUSE, NULL, &bytes, &status, &why)) {
        report(v, name, "verify-missing", text_string(&why));
    } else {
        hash_hex(text_string(&bytes), bytes.length, hex);
        if (strcmp(hex, hash) != 0)
            report(v, name, "verify-hash", "its SHA-256 is another");
    }
    text_drop(&bytes);
    text_drop(&why);
}

/* Files of labels are texts: there is nothing to decode. */
static void check_labels(struct verifying *v, const char *name, const char *hash)
{
    v->counts->n_files++;
    v->counts->n_hashed += *hash != '\0';
    if (!former_has(&v->outdir, name))
        report(v, name, "verify-missing", "it is not there");
    else if (*hash)
        check_hash(v, name, hash);
}

static void add_file(struct verifying *v, const char *name, const char *hash, int width, int height)
{
    v->counts->n_files++;
    v->counts->n_hashed += *hash != '\0';
    v->record[v->n] = (struct record){ .name = name };
    v->promised[v->n++] = (struct promised){ hash, width, height };
}

static bool check_line(struct verifying *v, struct slice line)
{
    const char *labels, *mask;
    struct slice id = pick_again(line, "image_id");
    int width, height;

    if (!read_size(line, &width, &height))
        return fault_add(v->faults, 0, 0, "manifest.jsonl", "out-damaged",
                         "a line of it is none of a manifest");
    add_file(v, text_of(v, line, "output"), text_of(v, line, "sha256"), width, height);
    mask = text_of(v, line, "mask");
    if (*mask)
        add_file(v, mask, text_of(v, line, "mask_sha256"), width, height);
    labels = text_of(v, line, "labels");
    if (*labels)
        check_labels(v, labels, text_of(v, line, "labels_sha256"));
    if (id.at != line.at) {
        struct numbered *n = pile_add(&v->outputs, sizeof *n);
        struct scan s = scan_again(id, 0);

        *n = (struct numbered){ 0, width, height };
        scan_integer(&s, &n->id);
    }
    return v->n + 2 <= BATCH || inspect_batch(v);
}

static bool check_manifest(struct verifying *v)
{
    struct text path = { 0 }, why = { 0 };
    struct slice text;
    uint64_t at = 0;
    bool good;

    path_join(&path, v->path, "manifest.jsonl");
    good = mapped_open(text_string(&path), &text, &why);
    if (!good)
        fault_add(v->faults, 0, 0, "manifest.jsonl", "out-damaged", "%s", text_string(&why));
    while (good && at < text.length) {
        struct slice line = slice_line(text, at);

        good = check_line(v, line);
        at += line.length + 1;
    }
    text_drop(&path);
    text_drop(&why);
    return good && inspect_batch(v);
}

/* --- the annotations --- */

static int by_id(const void *a, const void *b)
{
    const struct numbered *x = a, *y = b;

    return x->id < y->id ? -1 : x->id > y->id;
}

/* An annotation file, and which of the outputs it lists. */
struct labels {
    struct verifying *v;
    const char *name;
    struct text wrong;
    bool *listed;
    size_t n_listed;
};

static void blame(struct labels *l, const char *what, int64_t id, const char *why)
{
    text_clear(&l->wrong);
    text_addf(&l->wrong, "%s %lld %s", what, (long long)id, why);
    report(l->v, l->name, "verify-labels", text_string(&l->wrong));
}

static int64_t integer_of(struct slice element, const char *name)
{
    struct scan s = scan_again(pick_again(element, name), 0);
    int64_t number = 0;

    scan_integer(&s, &number);
    return number;
}

static struct numbered *find_output(const struct labels *l, int64_t id)
{
    const struct pile *outputs = &l->v->outputs;

    return outputs->n ? bsearch(&(struct numbered){ .id = id }, outputs->at, outputs->n,
                                sizeof(struct numbered), by_id)
                      : NULL;
}

static void check_image(void *context, struct scan *s, const struct place *place)
{
    struct labels *l = context;
    struct slice element;
    struct numbered *is;
    int64_t id;

    (void)place;
    if (!scan_value(s, &element))
        return;
    id = integer_of(element, "id");
    is = find_output(l, id);
    if (!is) {
        blame(l, "image", id, "is not in the manifest");
    } else {
        bool *listed = &l->listed[is - (struct numbered *)l->v->outputs.at];

        l->n_listed += !*listed;
        *listed = true;
        if (integer_of(element, "width") != is->width ||
            integer_of(element, "height") != is->height)
            blame(l, "image", id, "has another size in the manifest");
    }
}

static void check_object(void *context, struct scan *s, const struct place *place)
{
    struct labels *l = context;
    struct slice element;

    (void)place;
    if (scan_value(s, &element) && !find_output(l, integer_of(element, "image_id")))
        blame(l, "an annotation is of image", integer_of(element, "image_id"),
              "that is not in the manifest");
}

/* False when it cannot be read: then nothing is known of what it lists. */
static bool check_file(struct verifying *v, struct labels *l, const char *name)
{
    const struct walk walks[] = { { .name = "images", .read = check_image },
                                  { .name = "annotations", .read = check_object } };
    struct faults faults = { .name = name };
    const struct place where = { .faults = &faults,
                                 .code_missing = "verify-labels",
                                 .code_type = "verify-labels" };
    struct text path = { 0 }, why = { 0 };
    struct document document;
    struct scan s;
    bool good;

    l->name = name;
    path_join(&path, v->path, name);
    if (!mapped_open(text_string(&path), &faults.text, &why)) {
        report(v, name, "verify-missing", text_string(&why));
    } else {
        s = scan_start(faults.text, 0);
        if (scan_peek(&s) == '[')
            document_read_list(&where, &walks[1], l);
        else
            document_read(&where, "verify-labels", walks, COUNTOF(walks), l, &v->arena, &document);
        if (faults.n)
            report(v, name, "verify-labels", faults.list[0].message);
    }
    good = !faults.n && !why.length;
    faults_drop(&faults);
    text_drop(&path);
    text_drop(&why);
    return good;
}

static void check_annotations(struct verifying *v)
{
    struct labels l = { .v = v };
    bool list = former_owns(&v->former, "images.json"), good;

    if (!former_owns(&v->former, "annotations.json"))
        return;
    l.listed = memory_take(v->outputs.n + 1);
    memset(l.listed, 0, v->outputs.n + 1);
    if (v->outputs.n)
        qsort(v->outputs.at, v->outputs.n, sizeof(struct numbered), by_id);
    good = check_file(v, &l, "annotations.json");
    if (list)
        good = check_file(v, &l, "images.json") && good;
    for (size_t i = 0; good && i < v->outputs.n; i++)
        if (!l.listed[i])
            blame(&l, "image", ((struct numbered *)v->outputs.at)[i].id,
                  "of the manifest is not listed");
    free(l.listed);
    text_drop(&l.wrong);
}

/* --- files of OUT itself, and what is too much --- */

/* "hash  name", as sha256sum prints it, of a file that is no output: those are in the manifest. */
static void check_sum(struct verifying *v, struct slice line)
{
    enum { DIGITS = 64, NAME_AT = 66 };
    const char *name;

    if (line.length <= NAME_AT || memchr(line.at, '/', line.length))
        return;
    name = arena_copy(&v->arena, line.at + NAME_AT, line.length - NAME_AT);
    if (written_name_is_safe(name))
        check_hash(v, name, arena_copy(&v->arena, line.at, DIGITS));
}

static void check_sums(struct verifying *v)
{
    struct text bytes = { 0 }, why = { 0 };
    struct stat status;
    struct slice text;
    uint64_t at = 0;

    if (!former_owns(&v->former, "SHA256SUMS"))
        return;
    if (!input_read(v->path, "SHA256SUMS", LINKS_REFUSE, NULL, &bytes, &status, &why))
        report(v, "SHA256SUMS", "verify-missing", text_string(&why));
    text = (struct slice){ text_string(&bytes), bytes.length };
    while (at < text.length) {
        struct slice line = slice_line(text, at);

        check_sum(v, line);
        at += line.length + 1;
    }
    text_drop(&bytes);
    text_drop(&why);
}

static bool check_walked(void *context, const struct walked *w, struct text *why)
{
    struct verifying *v = context;

    (void)why;
    if (!former_owns(&v->former, w->name))
        report(v, w->name, "verify-extra", "no run of lockstep lists it");
    return true;
}

static bool check_extra(struct verifying *v)
{
    struct tree_walk walk = {
        .path = v->path, .links = LINKS_REFUSE, .lenient = true, .visit = check_walked, .context = v
    };
    struct text why = { 0 };
    bool good = walk_files(&walk, &why);

    if (!good)
        fault_add(v->faults, 0, 0, v->path, "out-unreadable", "%s", text_string(&why));
    text_drop(&why);
    return good;
}

/* --- all of it --- */

static int open_finished(struct verifying *v)
{
    if (!outdir_view(&v->outdir, v->path)) {
        fault_add(v->faults, 0, 0, v->path, "out-missing", "%s",
                  errno == ENOTDIR ? "it is not a folder" : errno_text());
        return EXIT_INPUT;
    }
    if (!former_is_finished(&v->outdir) ||
        (v->outdir.scratch && outdir_scratch_has(&v->outdir, "journal"))) {
        fault_add(v->faults, 0, 0, v->path, "out-unfinished",
                  "no run has finished here: see lockstep status");
        return EXIT_OCCUPIED;
    }
    return former_read(&v->outdir, &v->former, v->faults);
}

int verify_folder(const char *path, int jobs, verify_fn *found, void *context,
                  struct verified *counts, struct faults *faults)
{
    struct verifying *v = memory_take(sizeof *v);
    int code;

    *v = (struct verifying){ .path = path,
                             .jobs = jobs,
                             .found = found,
                             .context = context,
                             .counts = counts,
                             .faults = faults };
    *counts = (struct verified){ 0 };
    code = open_finished(v);
    if (!code && (!check_manifest(v) || !check_extra(v)))
        code = EXIT_OCCUPIED;
    if (!code) {
        check_annotations(v);
        check_sums(v);
    }
    former_drop(&v->former);
    outdir_close(&v->outdir);
    arena_drop(&v->arena);
    free(v->outputs.at);
    free(v);
    return code;
}
