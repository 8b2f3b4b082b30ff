/* verify: compares the files of an output folder with its manifest. */
#include "batch/finished/verify.h"

#include "batch/dataset/archive_open.h"
#include "batch/output/file_list.h"
#include "batch/output/out_dir.h"
#include "batch/output/run_json_read.h"
#include "batch/output/tar_names.h"
#include "batch/inspect/inspect.h"
#include "batch/io/mapped_file.h"
#include "batch/webdataset/pack.h"
#include "batch/manifest/recorded_steps.h"
#include "batch/io/open.h"

#include "base/files.h"
#include "base/hash.h"
#include "base/number.h"
#include "json/document.h"
#include "json/text_id.h"
#include "json/value.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void verify_report(struct verify_state *v, const char *path, const char *code, const char *why)
{
    v->found(v->context, path, code, why);
}

void verify_count(struct verify_state *v, const char *path, const char *what, int64_t n,
                  int64_t expected)
{
    struct text why = { 0 };

    text_addf(&why, "it has %lld %s, but %lld were written", (long long)n, what,
              (long long)expected);
    verify_report(v, path, "verify-count", text_string(&why));
    text_drop(&why);
}

bool verify_read(struct verify_state *v, const char *name, struct text *out)
{
    struct text why = { 0 };
    struct stat status;
    bool good = input_read(v->path, name, LINKS_REFUSE, NULL, out, &status, &why);

    if (!good && out_dir_has_entry(&v->outdir, name))
        verify_report(v, name, "verify-damaged", text_string(&why));
    text_drop(&why);
    return good;
}

/* --- images and masks --- */

static void compare(struct verify_state *v, size_t i, const struct inspected_file *is)
{
    const struct expected_image *p = &v->expected[i];
    const char *name = p->name;
    struct text why = { 0 };

    if (is->state == FILE_MISSING) {
        verify_report(v, name, "verify-missing", "it is not there");
    } else if (*p->hash && is->has_pixels && strncmp(is->pixels.hash, p->hash, HALF_HASH) != 0) {
        verify_report(v, name, "verify-hash", "its SHA-256 differs");
    } else if (is->state != FILE_GOOD) {
        verify_report(v, name, "verify-damaged", *is->why ? is->why : "it cannot be read");
    } else if (is->header.frame.width != p->width || is->header.frame.height != p->height) {
        text_addf(&why, "it is %dx%d, but was written as %dx%d", is->header.frame.width,
                  is->header.frame.height, p->width, p->height);
        verify_report(v, name, "verify-size", text_string(&why));
    }
    text_drop(&why);
}

static bool inspect_batch(struct verify_state *v)
{
    struct dataset dataset = { .records = v->record, .n_records = v->n };
    struct inspect_job job = { .dataset = &dataset,
                               .images = { v->roots, v->n_roots, v->root_of },
                               .pixels = true,
                               .jobs = v->jobs };
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
    verify_label_files(v);
    arena_reset(&v->arena);
    v->n = 0;
    return good;
}

/* --- lines --- */

const char *verify_text(struct verify_state *v, struct slice line, const char *name)
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

const char *verify_file(struct verify_state *v, const char *image, const char *name)
{
    struct text member = { 0 };
    const char *copy = name;

    if (v->tars && strchr(image, '/')) {
        pack_member_name(image, name, &member);
        copy = arena_copy(&v->arena, text_string(&member), member.length);
    }
    text_drop(&member);
    return copy;
}

/* Adds the text of a label file to the batch. */
static void add_labels(struct verify_state *v, const char *file, const char *hash,
                       struct label_file labels)
{
    enum { MAX_LABELS = 1 << 30 };
    struct text bytes = { 0 }, why = { 0 };
    char hex[65];

    v->counts->n_files++;
    v->counts->n_hashed += *hash != '\0';
    if (!input_read_small(v->roots[v->root], file, LINKS_REFUSE, MAX_LABELS, &bytes, &why)) {
        verify_report(v, labels.name, "verify-missing", text_string(&why));
    } else {
        hash_hex(text_string(&bytes), bytes.length, hex);
        if (*hash && strcmp(hex, hash) != 0) {
            verify_report(v, labels.name, "verify-hash", "its SHA-256 differs");
        } else {
            labels.at = v->labels.length;
            labels.length = bytes.length;
            text_add(&v->labels, text_string(&bytes), bytes.length);
            text_addc(&v->labels, '\n'); /* separates the files */
            *(struct label_file *)pile_add(&v->label_files, sizeof labels) = labels;
        }
    }
    text_drop(&bytes);
    text_drop(&why);
}

static void add_file(struct verify_state *v, const char *file, struct expected_image expected)
{
    v->counts->n_files++;
    v->counts->n_hashed += *expected.hash != '\0';
    v->record[v->n] = (struct record){ .name = file };
    v->root_of[v->n] = (uint8_t)v->root;
    v->expected[v->n++] = expected;
}

/* Calls `visit` for each element of a list of the line, and returns their number. */
static size_t walk_list(struct verify_state *v, struct slice line, const char *name, int64_t image,
                        void (*visit)(struct verify_state *, struct slice element, int64_t image))
{
    struct slice list = pick_again(line, name), element;
    struct scan s = scan_again(list, 0);
    bool first = true, good = list.at != line.at && scan_open(&s, '[');
    size_t n = 0;

    while (good && scan_element(&s, &first) && scan_value(&s, &element)) {
        visit(v, element, image);
        n++;
    }
    return n;
}

static void add_object(struct verify_state *v, struct slice element, int64_t image)
{
    struct expected_object *o = pile_add(&v->objects, sizeof *o);
    struct slice id = pick_again(element, "id");

    v->dense[v->part] |= id.at == element.at;
    *o = (struct expected_object){ v->part, image,
                                   text_id_of(element, v->dense[v->part] ? "ordinal" : "id"), id,
                                   false };
}

/* Checks that an image label has a category of the run. */
static void check_label(struct verify_state *v, struct slice element, int64_t image)
{
    struct slice id = pick_again(element, "category_id");
    struct text why = { 0 };
    int64_t number;

    (void)image;
    if (number_scan_integer(id, &number) && verify_has_category(v, number))
        return;
    text_addf(&why, "line %zu has a label of category ", v->n_lines);
    text_add_visible(&why, id.at, id.length);
    text_adds(&why, ", which is not in run.json");
    verify_report(v, "manifest.jsonl", "verify-labels", text_string(&why));
    text_drop(&why);
}

static void add_output(struct verify_state *v, struct slice line, struct slice id,
                       const char *image, struct label_file *labels)
{
    struct expected_output *n = pile_add(&v->outputs, sizeof *n);
    size_t n_labels;

    n->part = v->part;
    n->id = text_id_of(line, "image_id");
    n->shown = id;
    n->masked = *verify_text(v, line, "mask");
    n->width = labels->width;
    n->height = labels->height;
    labels->n_objects = walk_list(v, line, "annotations", n->id, add_object);
    v->n_objects += labels->n_objects;
    n_labels = walk_list(v, line, "image_labels", n->id, check_label);
    if (v->run.writer && v->run.writer->ending) {
        n->name = arena_copy(&v->names, strchr(image, '/') + 1, strlen(strchr(image, '/') + 1));
        n->n_labels = n_labels;
    }
}

static bool is_safe_below(const char *name)
{
    return !*name || (strchr(name, '/') && file_list_name_is_safe(name));
}

/* Returns the root of a part; of the first one if no tars have its name. */
static size_t root_of_part(const struct verify_state *v, const char *part)
{
    size_t i = 0;

    while (v->tars && i < v->n_roots && strcmp(v->tars[i].part, part) != 0)
        i++;
    return v->tars && i < v->n_roots ? i : 0;
}

bool verify_find_part(struct verify_state *v, struct slice line)
{
    const struct value *parts = v->run.parts;
    const char *name = verify_text(v, line, "part");

    v->root = root_of_part(v, name);
    for (v->part = 0; parts && v->part < parts->n; v->part++)
        if (strcmp(value_get(&parts->item[v->part], "name")->text, name) == 0)
            return true;
    v->part = 0;
    return !parts && !*name;
}

static bool is_object(struct slice line)
{
    struct scan s = scan_start(line, 0);
    struct slice whole;

    return scan_peek(&s) == '{' && scan_value(&s, &whole) && scan_end(&s);
}

static bool check_line(struct verify_state *v, struct slice line)
{
    struct slice id;
    const char *image, *mask, *labels;
    bool linked;
    struct label_file file = { 0 };

    v->n_lines++;
    if (!is_object(line) || !read_size(line, &file.width, &file.height))
        return fault_add(v->faults, 0, 0, "manifest.jsonl", "out-damaged",
                         "line %zu is not a manifest line", v->n_lines);
    image = verify_text(v, line, "output");
    linked = *image;
    if (!linked) /* labels without an image file */
        image = verify_text(v, line, "unlinked");
    mask = verify_text(v, line, "mask");
    labels = verify_text(v, line, "labels");
    if (!*image || !is_safe_below(image) || !is_safe_below(mask) || !is_safe_below(labels))
        return fault_add(v->faults, 0, 0, "manifest.jsonl", "out-damaged",
                         "line %zu names a file that no run writes", v->n_lines);
    if (!verify_find_part(v, line))
        return fault_add(v->faults, 0, 0, "manifest.jsonl", "out-damaged",
                         "line %zu is of a part that run.json does not have", v->n_lines);
    id = pick_again(line, "image_id");
    if (id.at != line.at)
        add_output(v, line, id, image, &file);
    if (linked)
        add_file(v, verify_file(v, image, image),
                 (struct expected_image){ image, verify_text(v, line, "sha256"), file.width,
                                          file.height });
    if (*mask)
        add_file(v, verify_file(v, image, mask),
                 (struct expected_image){ mask, verify_text(v, line, "mask_sha256"), file.width,
                                          file.height });
    file.name = labels;
    if (*labels)
        add_labels(v, verify_file(v, image, labels), verify_text(v, line, "labels_sha256"), file);
    return v->n + 2 <= BATCH || inspect_batch(v);
}

static bool check_manifest(struct verify_state *v)
{
    struct text path = { 0 }, why = { 0 };
    uint64_t at = 0;
    bool good;

    path_join(&path, v->path, "manifest.jsonl");
    good = mapped_open(text_string(&path), &v->manifest, &why);
    if (!good)
        fault_add(v->faults, 0, 0, "manifest.jsonl", "out-damaged", "%s", text_string(&why));
    else if (v->manifest.length && v->manifest.at[v->manifest.length - 1] != '\n')
        verify_report(v, "manifest.jsonl", "verify-damaged", "the end of its last line is missing");
    while (good && at < v->manifest.length) {
        struct slice line = slice_line(v->manifest, at);

        good = check_line(v, line);
        at += line.length + 1;
    }
    text_drop(&path);
    text_drop(&why);
    return good && inspect_batch(v);
}

/* --- extra files --- */

static bool check_walked(void *context, const struct walked_file *w, struct text *why)
{
    struct verify_state *v = context;

    (void)why;
    if (!earlier_files_contain(&v->former, w->name))
        verify_report(v, w->name, "verify-extra", "no run of lockstep lists it");
    return true;
}

static bool check_extra(struct verify_state *v)
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

static int open_finished(struct verify_state *v)
{
    if (!out_dir_open_to_read(&v->outdir, v->path)) {
        fault_add(v->faults, 0, 0, v->path, "out-missing", "%s",
                  errno == ENOTDIR ? "it is not a folder" : errno_text());
        return EXIT_INPUT;
    }
    if (!has_finished_run(&v->outdir) ||
        (v->outdir.scratch && out_dir_has_scratch_file(&v->outdir, "journal"))) {
        fault_add(v->faults, 0, 0, v->path, "out-unfinished",
                  "no run has finished here: see lockstep status");
        return EXIT_OCCUPIED;
    }
    return earlier_files_read(&v->outdir, &v->former, v->faults);
}

/* Groups the names of tars, which are sorted, by their parts. */
static void group_tars(struct verify_state *v)
{
    struct arena *arena = &v->former.arena;
    struct part_tars *tars = ARENA_ARRAY(arena, struct part_tars, v->former.n + 1);
    size_t n = 0;

    for (size_t i = 0; i < v->former.n; i++) {
        const char *part;

        if (!pack_is_tar(v->former.names[i]))
            continue;
        part = pack_part_of_tar(arena, v->former.names[i]);
        if (!n || strcmp(tars[n - 1].part, part) != 0)
            tars[n++] = (struct part_tars){ part, 0 };
        tars[n - 1].n++;
    }
    v->n_roots = n;
    v->tars = n ? tars : NULL;
}

/* Opens the tars of each part as a root of outputs. */
static int open_tars(struct verify_state *v)
{
    struct text path = { 0 };
    int code = EXIT_DONE;

    group_tars(v);
    if (v->n_roots > MAX_ROOTS) {
        fault_add(v->faults, 0, 0, v->path, "dataset-parts", "it has tars of more than %d parts",
                  (int)MAX_ROOTS);
        return EXIT_INPUT;
    }
    v->roots = ARENA_ARRAY(&v->former.arena, const char *, v->n_roots + 1);
    v->roots[0] = v->path;
    for (size_t i = 0; i < v->n_roots && !code; i++) {
        path_join(&path, v->path, "");
        pack_print_range(v->tars[i].part, v->tars[i].n, &path);
        code = archive_open(text_string(&path), v->faults);
        v->roots[i] = arena_copy(&v->former.arena, text_string(&path), path.length);
    }
    v->n_roots += !v->n_roots;
    text_drop(&path);
    return code;
}

int verify_folder(const char *path, int jobs, verify_fn *found, void *context,
                  struct verify_totals *counts, struct faults *faults)
{
    struct verify_state *v = memory_take(sizeof *v);
    int code;

    *v = (struct verify_state){ .path = path,
                                .jobs = jobs,
                                .found = found,
                                .context = context,
                                .counts = counts,
                                .faults = faults,
                                .former = { .viewed = true } };
    *counts = (struct verify_totals){ 0 };
    code = open_finished(v);
    if (!code)
        code = open_tars(v);
    if (!code && (!verify_run(v) || !check_manifest(v) || !check_extra(v)))
        code = EXIT_OCCUPIED;
    if (!code) {
        verify_counts(v);
        verify_index(v);
        verify_annotations(v);
        verify_tars(v);
        verify_sums(v);
    }
    earlier_files_drop(&v->former);
    out_dir_close(&v->outdir);
    arena_drop(&v->arena);
    arena_drop(&v->names);
    text_drop(&v->labels);
    free(v->label_files.at);
    free(v->outputs.at);
    free(v->objects.at);
    free(v);
    return code;
}
