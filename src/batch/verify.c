/* verify: is what stands in an output folder what its manifest says? */
#include "verify.h"

#include "archive.h"
#include "former.h"
#include "inspect.h"
#include "mapped.h"
#include "pack.h"
#include "replay.h"
#include "walk.h"

#include "../base/files.h"
#include "../base/hash.h"
#include "../json/document.h"
#include "../json/text_id.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void verify_report(struct verifying *v, const char *path, const char *code, const char *why)
{
    v->found(v->context, path, code, why);
}

/* --- images and masks --- */

static void compare(struct verifying *v, size_t i, const struct inspected *is)
{
    const struct promised *p = &v->promised[i];
    const char *name = p->name;
    struct text why = { 0 };

    if (is->state == FILE_MISSING) {
        verify_report(v, name, "verify-missing", "it is not there");
    } else if (*p->hash && is->has_pixels && strncmp(is->pixels.hash, p->hash, HALF_HASH) != 0) {
        verify_report(v, name, "verify-hash", "its SHA-256 is another");
    } else if (is->state != FILE_GOOD) {
        verify_report(v, name, "verify-damaged", *is->why ? is->why : "it cannot be read");
    } else if (is->header.frame.width != p->width || is->header.frame.height != p->height) {
        text_addf(&why, "it is %dx%d, and was written as %dx%d", is->header.frame.width,
                  is->header.frame.height, p->width, p->height);
        verify_report(v, name, "verify-size", text_string(&why));
    }
    text_drop(&why);
}

static bool inspect_batch(struct verifying *v)
{
    struct dataset dataset = { .records = v->record, .n_records = v->n };
    struct inspect_job job = {
        .dataset = &dataset, .images = v->root, .pixels = true, .jobs = v->jobs
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

/* Hold the bytes of a file of the manifest, or of OUT itself, against their hash. */
static void check_hash(struct verifying *v, const char *root, const char *file, const char *name,
                       const char *hash)
{
    struct text bytes = { 0 }, why = { 0 };
    struct slice mapped = { 0 };
    struct stat status;
    char hex[65];
    bool good = pack_is_tar(file)
                    ? input_map(root, file, LINKS_REFUSE, NULL, &mapped, &why)
                    : input_read(root, file, LINKS_REFUSE, NULL, &bytes, &status, &why);

    if (!good) {
        verify_report(v, name, "verify-missing", text_string(&why));
    } else {
        if (mapped.at)
            hash_hex(mapped.at, mapped.length, hex);
        else
            hash_hex(text_string(&bytes), bytes.length, hex);
        if (strcmp(hex, hash) != 0)
            verify_report(v, name, "verify-hash", "its SHA-256 is another");
    }
    if (mapped.at)
        input_unmap(mapped);
    text_drop(&bytes);
    text_drop(&why);
}

/* What a file of the manifest is called below the root. */
static const char *name_of_file(struct verifying *v, const char *image, const char *name)
{
    struct text member = { 0 };
    const char *copy = name;

    if (v->packed && strchr(image, '/')) {
        pack_member_name(image, name, &member);
        copy = arena_copy(&v->arena, text_string(&member), member.length);
    }
    text_drop(&member);
    return copy;
}

/* Files of labels are texts: there is nothing to decode. */
static void check_labels(struct verifying *v, const char *file, const char *name, const char *hash)
{
    struct text why = { 0 };

    v->counts->n_files++;
    v->counts->n_hashed += *hash != '\0';
    if (!input_exists(v->root, file, LINKS_REFUSE, &why))
        verify_report(v, name, "verify-missing", "it is not there");
    else if (*hash)
        check_hash(v, v->root, file, name, hash);
    text_drop(&why);
}

static void add_file(struct verifying *v, const char *file, struct promised promised)
{
    v->counts->n_files++;
    v->counts->n_hashed += *promised.hash != '\0';
    v->record[v->n] = (struct record){ .name = file };
    v->promised[v->n++] = promised;
}

static bool check_line(struct verifying *v, struct slice line)
{
    const char *image = text_of(v, line, "output"), *mask = text_of(v, line, "mask");
    const char *labels = text_of(v, line, "labels");
    struct slice id = pick_again(line, "image_id");
    int width, height;

    if (!read_size(line, &width, &height))
        return fault_add(v->faults, 0, 0, "manifest.jsonl", "out-damaged",
                         "a line of it is none of a manifest");
    add_file(v, name_of_file(v, image, image),
             (struct promised){ image, text_of(v, line, "sha256"), width, height });
    if (*mask)
        add_file(v, name_of_file(v, image, mask),
                 (struct promised){ mask, text_of(v, line, "mask_sha256"), width, height });
    if (*labels)
        check_labels(v, name_of_file(v, image, labels), labels, text_of(v, line, "labels_sha256"));
    if (id.at != line.at) {
        struct numbered *n = pile_add(&v->outputs, sizeof *n);

        *n = (struct numbered){ text_id_of(line, "image_id"), id, width, height };
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

/* --- files of OUT itself, and what is too much --- */

/* "hash  name", as sha256sum prints it. */
enum { DIGITS = 64, NAME_AT = 66 };

/* The line's hash, if it is the file's; else "". In the arena. */
static const char *sum_of(struct verifying *v, struct slice line, const char *name)
{
    bool is = line.length == NAME_AT + strlen(name) &&
              memcmp(line.at + NAME_AT, name, line.length - NAME_AT) == 0;

    return is ? arena_copy(&v->arena, line.at, DIGITS) : "";
}

/* Of a file that is no output: sums of those are in the manifest. */
static void check_sum(struct verifying *v, struct slice sums, const char *name)
{
    const char *hash = "";
    uint64_t at = 0;

    while (!*hash && at < sums.length) {
        struct slice line = slice_line(sums, at);

        hash = sum_of(v, line, name);
        at += line.length + 1;
    }
    if (*hash)
        check_hash(v, v->path, name, name, hash);
    else
        verify_report(v, name, "verify-hash", "SHA256SUMS has no line of it");
}

static void check_sums(struct verifying *v)
{
    struct text bytes = { 0 }, why = { 0 };
    struct stat status;

    if (!former_owns(&v->former, "SHA256SUMS"))
        return;
    if (!input_read(v->path, "SHA256SUMS", LINKS_REFUSE, NULL, &bytes, &status, &why))
        verify_report(v, "SHA256SUMS", "verify-missing", text_string(&why));
    else
        for (size_t i = 0; i < v->former.n; i++)
            if (!strchr(v->former.names[i], '/') && strcmp(v->former.names[i], "SHA256SUMS") != 0)
                check_sum(v, (struct slice){ text_string(&bytes), bytes.length },
                          v->former.names[i]);
    text_drop(&bytes);
    text_drop(&why);
}

static bool check_walked(void *context, const struct walked *w, struct text *why)
{
    struct verifying *v = context;

    (void)why;
    if (!former_owns(&v->former, w->name))
        verify_report(v, w->name, "verify-extra", "no run of lockstep lists it");
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

/* The tars are what images are read from. */
static int open_tars(struct verifying *v)
{
    struct text path = { 0 };
    size_t n = 0;
    int code = EXIT_DONE;

    v->root = v->path;
    for (size_t i = 0; i < v->former.n; i++)
        n += pack_is_tar(v->former.names[i]);
    if (n) {
        path_join(&path, v->path, "");
        pack_print_range(n, &path);
        code = archive_open(text_string(&path), v->faults);
        v->root = arena_copy(&v->former.arena, text_string(&path), path.length);
        v->packed = true;
    }
    text_drop(&path);
    return code;
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
    if (!code)
        code = open_tars(v);
    if (!code && (!check_manifest(v) || !check_extra(v)))
        code = EXIT_OCCUPIED;
    if (!code) {
        verify_annotations(v);
        check_sums(v);
    }
    former_drop(&v->former);
    outdir_close(&v->outdir);
    arena_drop(&v->arena);
    free(v->outputs.at);
    free(v);
    return code;
}
