/* one_hot: labels of images as a table of numbers, for training. */
#include "batch/finished/one_hot.h"

#include "batch/io/folder.h"
#include "batch/io/npy_write.h"
#include "batch/output/out_handles.h"

#include "base/files.h"
#include "base/number.h"
#include "base/output_file.h"
#include "labels/shared/csv.h"
#include "json/members.h"
#include "json/value.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

enum { MAX_RUN_JSON = 1 << 30 }; /* maximum size of run.json in bytes */

/* A column of the table. */
struct column {
    int64_t id; /* category id */
    const char *name;
};

struct table {
    FILE *manifest, *file;
    char *line; /* current line of the manifest, from getline */
    size_t room;
    struct arena arena;
    const char *images;     /* the folder of all images; "": parts have different ones */
    struct column *columns; /* sorted by id */
    double *weight;
    size_t n_categories, n_rows;
    bool npy;
    struct text cells;
};

static int by_id(const void *a, const void *b)
{
    const struct column *x = a, *y = b;

    return (x->id > y->id) - (x->id < y->id);
}

static bool say_errno(struct text *why, const char *path)
{
    text_addf(why, "%s: %s", path, errno_text());
    return false;
}

/* Returns the folder of OUT that has all images, by the parts that run.json lists. */
static const char *find_images(const struct value *root)
{
    const struct value *parts = value_get(root, "parts");
    const char *folder = NULL;

    for (size_t i = 0; parts && parts->kind == VALUE_LIST && i < parts->n; i++) {
        const struct value *images = value_get(&parts->item[i], "images");

        if (!images || images->kind != VALUE_TEXT || (folder && strcmp(folder, images->text) != 0))
            return "";
        folder = images->text;
    }
    return folder ? folder : OUT_IMAGES;
}

/* Reads all categories of the run. */
static bool read_categories(struct table *t, const char *path, struct text *why)
{
    struct text bytes = { 0 }, reason = { 0 };
    struct faults faults = { .name = path };
    const struct value *root = NULL, *ids, *names;

    if (input_read_named(path, MAX_RUN_JSON, &bytes, &reason)) {
        faults.text = (struct slice){ text_string(&bytes), bytes.length };
        root = value_parse(&faults, &t->arena);
    } else {
        text_addf(why, "%s: %s", path, text_string(&reason));
    }
    ids = root && root->kind == VALUE_OBJECT ? value_get(root, "categories") : NULL;
    names = ids ? value_get(root, "category_names") : NULL;
    t->images = ids ? find_images(root) : "";
    t->n_categories = names && names->n == ids->n ? ids->n : 0;
    t->columns = ARENA_ARRAY(&t->arena, struct column, t->n_categories);
    for (size_t i = 0; i < t->n_categories; i++)
        t->columns[i] = (struct column){ (int64_t)ids->item[i].number, names->item[i].text };
    qsort(t->columns, t->n_categories, sizeof *t->columns, by_id);
    if (!t->n_categories && !why->length)
        text_addf(why, "%s: the run had no categories", path);
    for (size_t i = 1; i < t->n_categories; i++)
        if (t->columns[i - 1].id == t->columns[i].id && !why->length)
            text_addf(why, "%s: two categories have the id %lld", path,
                      (long long)t->columns[i].id);
    faults_drop(&faults);
    text_drop(&bytes);
    text_drop(&reason);
    return !why->length;
}

/* Reads the weights of the labels of a line. */
static void read_labels(struct table *t, struct slice line)
{
    struct slice list = pick_again(line, "image_labels"), label;
    struct scan s = scan_start(list, 0);
    bool first = true;

    memset(t->weight, 0, t->n_categories * sizeof *t->weight);
    if (list.at == line.at || !scan_open(&s, '['))
        return;
    while (scan_element(&s, &first) && scan_value(&s, &label)) {
        struct column key = { 0 }, *found = NULL;
        double weight = 0;

        if (number_scan_integer(pick_again(label, "category_id"), &key.id))
            found = bsearch(&key, t->columns, t->n_categories, sizeof key, by_id);
        if (found && number_scan(pick_again(label, "weight"), &weight))
            t->weight[found - t->columns] = weight;
    }
}

/* --- writing --- */

static bool write_cells(struct table *t)
{
    size_t length = t->cells.length;
    bool good = fwrite(text_string(&t->cells), 1, length, t->file) == length;

    text_clear(&t->cells);
    return good;
}

static bool write_npy_head(struct table *t)
{
    npy_head(&t->cells, "<f4", t->n_rows, t->n_categories);
    return write_cells(t);
}

static void print_csv_head(struct table *t)
{
    text_adds(&t->cells, "file");
    for (size_t i = 0; i < t->n_categories; i++) {
        text_addc(&t->cells, ',');
        csv_print(t->columns[i].name, &t->cells);
    }
    text_addc(&t->cells, '\n');
}

static bool write_csv_head(struct table *t)
{
    print_csv_head(t);
    return write_cells(t);
}

/* Prints the name of the output relative to the folder of all images. */
static void print_output(struct table *t, struct slice line)
{
    size_t length = strlen(t->images);
    struct faults faults = { .text = pick_again(line, "output") };
    struct arena arena = { 0 };
    const struct value *name = value_parse(&faults, &arena);

    if (name && name->kind == VALUE_TEXT)
        csv_print(name->text + (length && strncmp(name->text, t->images, length) == 0 &&
                                        name->text[length] == '/'
                                    ? length + 1
                                    : 0),
                  &t->cells);
    faults_drop(&faults);
    arena_drop(&arena);
}

static bool write_row(struct table *t, struct slice line)
{
    read_labels(t, line);
    if (!t->npy)
        print_output(t, line);
    for (size_t i = 0; i < t->n_categories; i++) {
        float weight = (float)t->weight[i];
        uint32_t bits;

        if (!t->npy) {
            text_addc(&t->cells, ',');
            number_print(&t->cells, t->weight[i]);
            continue;
        }
        memcpy(&bits, &weight, sizeof bits);
        for (size_t k = 0; k < sizeof bits; k++)
            text_addc(&t->cells, (char)(bits >> 8 * k & 0xff));
    }
    text_adds(&t->cells, t->npy ? "" : "\n");
    return write_cells(t);
}

static bool open_manifest(struct table *t, const char *path, struct text *why)
{
    t->manifest = fopen(path, "re");
    while (t->manifest && getline(&t->line, &t->room, t->manifest) > 0)
        t->n_rows++;
    if (t->manifest && !ferror(t->manifest) && fseek(t->manifest, 0, SEEK_SET) == 0)
        return true;
    return say_errno(why, path);
}

static bool is_npy(const char *path)
{
    const char *dot = strrchr(path, '.');

    return dot && strcasecmp(dot, ".npy") == 0;
}

void one_hot_classes_path(const char *path, struct text *out)
{
    text_clear(out);
    if (is_npy(path))
        text_addf(out, "%.*s.classes.txt", (int)(strrchr(path, '.') - path), path);
}

/* Prints the names of the columns, one per line. */
static bool print_classes(const struct table *t, const char *path, struct text *lines,
                          struct text *why)
{
    for (size_t i = 0; i < t->n_categories; i++) {
        if (strpbrk(t->columns[i].name, "\r\n")) {
            text_addf(why, "%s: the name of a class has several lines", path);
            return false;
        }
        text_addf(lines, "%s\n", t->columns[i].name);
    }
    return true;
}

static bool write_rows(struct table *t)
{
    bool good = t->npy ? write_npy_head(t) : write_csv_head(t);
    ssize_t length;

    while (good && (length = getline(&t->line, &t->room, t->manifest)) > 0)
        good = write_row(t, (struct slice){ t->line, (size_t)length });
    return good && !ferror(t->manifest);
}

static int add_file(struct table *t, struct output_set *set, const char *path, bool overwrite,
                    const struct text *bytes, struct text *why)
{
    struct output_file *o = output_set_add(set);
    struct text reason = { 0 };
    int code = output_open(o, path, overwrite, &reason);

    t->file = o->file;
    if (!code &&
        (bytes ? fwrite(bytes->at, 1, bytes->length, o->file) < bytes->length : !write_rows(t))) {
        text_adds(&reason, errno_text());
        code = EXIT_OUTPUT;
    }
    if (!code)
        code = output_close(o, &reason);
    if (code)
        text_addf(why, "%s: %s", path, text_string(&reason));
    text_drop(&reason);
    return code;
}

/* Writes the table, and for .npy the file with the names of the columns: both files, or none. */
static int write_files(struct table *t, const char *path, bool overwrite, struct text *why)
{
    struct output_set set = { 0 };
    struct text classes = { 0 }, lines = { 0 }, reason = { 0 };
    const char *failed = path;
    int code = EXIT_DONE;

    one_hot_classes_path(path, &classes);
    if (classes.length && !print_classes(t, text_string(&classes), &lines, why))
        code = EXIT_OUTPUT;
    if (!code && classes.length)
        code = add_file(t, &set, text_string(&classes), overwrite, &lines, why);
    if (!code)
        code = add_file(t, &set, path, overwrite, NULL, why);
    if (!code && (code = output_set_finish(&set, &failed, &reason)))
        text_addf(why, "%s: %s", failed, text_string(&reason));
    output_set_drop(&set);
    text_drop(&classes);
    text_drop(&lines);
    text_drop(&reason);
    return code;
}

int one_hot_write(const char *out, const char *path, bool overwrite, struct text *why)
{
    struct table t = { .npy = is_npy(path) };
    struct text run = { 0 }, manifest = { 0 };
    int code = EXIT_OUTPUT;

    path_join(&run, out, "run.json");
    path_join(&manifest, out, "manifest.jsonl");
    if (read_categories(&t, text_string(&run), why) &&
        open_manifest(&t, text_string(&manifest), why)) {
        t.weight = memory_take((t.n_categories + 1) * sizeof *t.weight);
        code = write_files(&t, path, overwrite, why);
    }
    if (t.manifest)
        fclose(t.manifest);
    free(t.line);
    arena_drop(&t.arena);
    free(t.weight);
    text_drop(&t.cells);
    text_drop(&run);
    text_drop(&manifest);
    return code;
}

/* --- an earlier table --- */

/* True if the file begins with these bytes. Also true if there is no regular file that could be
 * replaced. */
static bool begins_with(const char *path, const struct text *bytes)
{
    struct stat status;
    FILE *file;
    bool same;

    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return true;
    file = fopen(path, "re");
    same = file != NULL;
    for (size_t i = 0; i < bytes->length && same; i++)
        same = getc(file) == (unsigned char)bytes->at[i];
    if (file)
        fclose(file);
    return same;
}

/* Prints the header that a NumPy file of this size must have. */
static void print_npy_head(const char *path, size_t n_categories, struct text *out)
{
    size_t row = n_categories * sizeof(float), rows = 0;
    struct stat status;

    npy_head(out, "<f4", 0, n_categories);
    if (stat(path, &status) == 0 && row && (size_t)status.st_size > out->length)
        rows = ((size_t)status.st_size - out->length) / row;
    text_clear(out);
    npy_head(out, "<f4", rows, n_categories);
}

bool one_hot_may_replace(const char *path, const struct dataset *d)
{
    struct table t = { .npy = is_npy(path), .n_categories = d->n_categories };
    struct text classes = { 0 }, lines = { 0 }, why = { 0 };
    bool same;

    t.columns = ARENA_ARRAY(&t.arena, struct column, t.n_categories + 1);
    for (size_t i = 0; i < d->n_categories; i++)
        t.columns[i] = (struct column){ d->categories[i].id,
                                        d->categories[i].name ? d->categories[i].name : "" };
    qsort(t.columns, t.n_categories, sizeof *t.columns, by_id);
    one_hot_classes_path(path, &classes);
    if (t.npy)
        print_npy_head(path, t.n_categories, &t.cells);
    else
        print_csv_head(&t);
    same = begins_with(path, &t.cells);
    if (same && classes.length)
        same = print_classes(&t, path, &lines, &why) && begins_with(text_string(&classes), &lines);
    arena_drop(&t.arena);
    text_drop(&t.cells);
    text_drop(&classes);
    text_drop(&lines);
    text_drop(&why);
    return same;
}
