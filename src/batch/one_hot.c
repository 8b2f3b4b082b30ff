/* one_hot: labels of images as a table of numbers, for training. */
#include "one_hot.h"

#include "input.h"
#include "npy.h"

#include "../base/files.h"
#include "../base/number.h"
#include "../format/csv.h"
#include "../json/pick.h"
#include "../json/value.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { MOST_RUN = 1 << 30 }; /* bytes of a run.json */

/* A column of the table. */
struct column {
    int64_t id; /* of its category */
    const char *name;
};

struct table {
    FILE *manifest, *file;
    char *line; /* of the manifest, as getline has it */
    size_t room;
    struct arena arena;
    struct column *columns; /* in the order of ids */
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

/* All categories that the run knew. */
static bool read_categories(struct table *t, const char *path, struct text *why)
{
    struct text bytes = { 0 }, reason = { 0 };
    struct faults faults = { .name = path };
    const struct value *root = NULL, *ids, *names;

    if (input_read_named(path, MOST_RUN, &bytes, &reason)) {
        faults.text = (struct slice){ text_string(&bytes), bytes.length };
        root = value_parse(&faults, &t->arena);
    } else {
        text_addf(why, "%s: %s", path, text_string(&reason));
    }
    ids = root && root->kind == VALUE_OBJECT ? value_get(root, "categories") : NULL;
    names = ids ? value_get(root, "category_names") : NULL;
    t->n_categories = names && names->n == ids->n ? ids->n : 0;
    t->columns = ARENA_ARRAY(&t->arena, struct column, t->n_categories);
    for (size_t i = 0; i < t->n_categories; i++)
        t->columns[i] = (struct column){ (int64_t)ids->item[i].number, names->item[i].text };
    qsort(t->columns, t->n_categories, sizeof *t->columns, by_id);
    if (!t->n_categories && !why->length)
        text_addf(why, "%s: the run had no categories", path);
    faults_drop(&faults);
    text_drop(&bytes);
    text_drop(&reason);
    return t->n_categories > 0;
}

/* The weights of a line's labels. */
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

static bool write_csv_head(struct table *t)
{
    text_adds(&t->cells, "file");
    for (size_t i = 0; i < t->n_categories; i++) {
        text_addc(&t->cells, ',');
        csv_print(t->columns[i].name, &t->cells);
    }
    text_addc(&t->cells, '\n');
    return write_cells(t);
}

/* The output's name below the folder of images. */
static void print_output(struct table *t, struct slice line)
{
    static const char folder[] = "images/";
    struct faults faults = { .text = pick_again(line, "output") };
    struct arena arena = { 0 };
    const struct value *name = value_parse(&faults, &arena);

    if (name && name->kind == VALUE_TEXT && strncmp(name->text, folder, strlen(folder)) == 0)
        csv_print(name->text + strlen(folder), &t->cells);
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

static bool write_rows(struct table *t)
{
    bool good = t->npy ? write_npy_head(t) : write_csv_head(t);
    ssize_t length;

    while (good && (length = getline(&t->line, &t->room, t->manifest)) > 0)
        good = write_row(t, (struct slice){ t->line, (size_t)length });
    good = good && !ferror(t->manifest) && fflush(t->file) == 0 && fsync(fileno(t->file)) == 0;
    return fclose(t->file) == 0 && good;
}

/* The disk has the file's name, too. */
static bool keep_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    struct text folder = { 0 };
    int fd;
    bool good;

    text_add(&folder, path, slash ? (size_t)(slash - path) + 1 : 0);
    fd = open(folder.length ? text_string(&folder) : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    good = fd >= 0 && fsync(fd) == 0;
    if (fd >= 0)
        close(fd);
    text_drop(&folder);
    return good;
}

/* Under another name until it is whole. */
static bool write_file(struct table *t, const char *path, struct text *why)
{
    struct text part = { 0 };
    bool good;

    text_addf(&part, "%s.part", path);
    (void)unlink(text_string(&part)); /* of a run that was killed */
    t->file = fopen(text_string(&part), "wx");
    good = t->file && write_rows(t) && rename(text_string(&part), path) == 0 && keep_name(path);
    if (!good)
        say_errno(why, path);
    if (t->file && !good)
        unlink(text_string(&part));
    text_drop(&part);
    return good;
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

void one_hot_classes_path(const char *path, struct text *out)
{
    const char *dot = strrchr(path, '.');

    text_clear(out);
    if (dot && strcasecmp(dot, ".npy") == 0)
        text_addf(out, "%.*s.classes.txt", (int)(dot - path), path);
}

/* Beside numbers alone: the names of the columns, a line each. */
static bool write_classes(const struct table *t, const char *path, struct text *why)
{
    struct text name = { 0 }, lines = { 0 };
    bool good = true;

    one_hot_classes_path(path, &name);
    for (size_t i = 0; i < t->n_categories && good; i++) {
        good = !strpbrk(t->columns[i].name, "\r\n");
        text_addf(&lines, "%s\n", t->columns[i].name);
    }
    if (!good)
        text_addf(why, "%s: the name of a class has several lines", text_string(&name));
    else if (!file_write(text_string(&name), text_string(&lines), lines.length))
        good = say_errno(why, text_string(&name));
    text_drop(&name);
    text_drop(&lines);
    return good;
}

bool one_hot_write(const char *out, const char *path, struct text *why)
{
    const char *dot = strrchr(path, '.');
    struct table t = { .npy = dot && strcasecmp(dot, ".npy") == 0 };
    struct text run = { 0 }, manifest = { 0 };
    bool good;

    path_join(&run, out, "run.json");
    path_join(&manifest, out, "manifest.jsonl");
    good = read_categories(&t, text_string(&run), why) &&
           open_manifest(&t, text_string(&manifest), why);
    t.weight = memory_take((t.n_categories + 1) * sizeof *t.weight);
    good = good && (!t.npy || write_classes(&t, path, why)) && write_file(&t, path, why);
    if (t.manifest)
        fclose(t.manifest);
    free(t.line);
    arena_drop(&t.arena);
    free(t.weight);
    text_drop(&t.cells);
    text_drop(&run);
    text_drop(&manifest);
    return good;
}
