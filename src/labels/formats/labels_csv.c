/* labels_csv: classes of whole images as a table: file, class and perhaps weight, a label a row.
 *
 * The first row names the columns if it has the words for it; they may then stand in any order, and
 * others beside them are carried. Classes are numbered by their names in order, from 0, as
 * torchvision's ImageFolder numbers folders; where all of them are integers, these are their ids.
 */
#include "labels/coco/category.h"
#include "labels/shared/class_list.h"
#include "labels/shared/csv.h"
#include "labels/shared/label_columns.h"
#include "labels/shared/written_classes.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_COLUMNS = 64 };

struct row {
    struct slice text;
    const char *name, *class;
    size_t index; /* among the rows */
    size_t record, category;
    double weight;
};

/* The dataset's state. */
struct table {
    struct slice header; /* its `at` is NULL: there is none */
    const char *end;     /* of a line */
    size_t place[LABEL_COLUMNS], n_columns;
    bool has_weights;
    struct row *rows; /* those of record 0, of record 1, ... */
    size_t n, *first; /* of each record, and after the last */
};

struct reader {
    struct faults *faults;
    struct dataset *dataset;
    struct table *table;
    struct pile rows;
    struct text value;
};

/* --- reading --- */

static bool fail(struct reader *r, struct slice at, const char *code, const char *what)
{
    size_t offset = (size_t)(at.at - r->faults->text.at);

    return fault_add(r->faults, offset, at.length, "", code, "%s", what);
}

static const char *value_of(struct reader *r, struct slice cell)
{
    text_clear(&r->value);
    csv_value(cell, &r->value);
    return arena_copy(r->dataset->arena, text_string(&r->value), r->value.length);
}

/* The cells of a row; a fault where it is none. */
static bool split_row(struct reader *r, struct csv_row row, struct slice *cell, size_t *n)
{
    bool good = true;

    for (*n = 0; *n < MAX_COLUMNS && csv_next_cell(&row, &cell[*n], &good);)
        ++*n;
    if (!good)
        return fail(r, row.text, "csv-syntax", "a quote is not closed, or something follows it");
    return row.at > row.text.length ||
           fail(r, row.text, "csv-syntax", "a row may have at most 64 cells");
}

/* The value of a cell of the first row, blanks around it left out. */
static const char *column_name(struct reader *r, struct slice cell)
{
    while (cell.length && strchr(" \t", *cell.at))
        cell = (struct slice){ cell.at + 1, cell.length - 1 };
    while (cell.length && strchr(" \t", cell.at[cell.length - 1]))
        cell.length--;
    return value_of(r, cell);
}

/* The columns that the first row names, or else file, class, weight. True when it names them. */
static bool read_header(struct reader *r, struct csv_row row)
{
    struct table *t = r->table;
    struct slice cell[MAX_COLUMNS];
    const char *name[MAX_COLUMNS];
    struct label_columns columns;
    size_t n;

    if (!split_row(r, row, cell, &n))
        return false;
    for (size_t i = 0; i < n; i++)
        name[i] = column_name(r, cell[i]);
    columns = label_columns_of(name, n);
    t->n_columns = n;
    t->header = columns.named ? row.text : (struct slice){ 0 };
    memcpy(t->place, columns.place, sizeof t->place);
    t->has_weights = t->place[COLUMN_WEIGHT] < n;
    if (columns.wrong)
        fail(r, columns.fault < n ? cell[columns.fault] : row.text, "csv-syntax", columns.wrong);
    return columns.named;
}

static bool read_weight(struct reader *r, struct slice cell, double *weight)
{
    const char *value = value_of(r, cell);

    if (number_scan((struct slice){ value, strlen(value) }, weight) == strlen(value) && *value &&
        *weight >= 0 && *weight <= 1)
        return true;
    return fail(r, cell, "label-weight", "expected a weight, a number from 0 to 1");
}

static void read_row(struct reader *r, struct csv_row row)
{
    const struct table *t = r->table;
    struct slice cell[MAX_COLUMNS];
    struct row one = { .text = row.text, .index = r->rows.n, .weight = 1 };
    size_t n;

    if (!row.text.length || !split_row(r, row, cell, &n))
        return;
    if (n != t->n_columns) {
        fail(r, row.text, "csv-syntax",
             "the row has a different number of cells than the first row");
        return;
    }
    one.name = value_of(r, cell[t->place[COLUMN_FILE]]);
    one.class = value_of(r, cell[t->place[COLUMN_CLASS]]);
    if (!*one.name || !*one.class)
        fail(r, row.text, *one.name ? "label-class" : "csv-syntax",
             "expected a file and its class");
    else if (!t->has_weights || read_weight(r, cell[t->place[COLUMN_WEIGHT]], &one.weight))
        *(struct row *)pile_add(&r->rows, sizeof one) = one;
}

static void read_rows(struct reader *r)
{
    struct slice text = r->faults->text;
    const char *nul = memchr(text.at, '\0', text.length);
    size_t at = text.length >= 3 && memcmp(text.at, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    size_t before = r->faults->n;
    struct csv_row row;
    bool first = true;

    if (nul)
        fail(r, (struct slice){ nul, 1 }, "csv-syntax", "a table cannot contain a NUL");
    while (r->faults->n == before && csv_next_row(text, &at, ',', &row)) {
        bool named = first && read_header(r, row);
        const char *behind = row.text.at + row.text.length;

        if (first)
            r->table->end = behind < text.at + text.length && *behind == '\r' ? "\r\n" : "\n";
        if (!named && r->faults->n == before)
            read_row(r, row);
        first = false;
    }
    if (r->faults->n == before && !r->rows.n)
        fail(r, (struct slice){ text.at, 0 }, "csv-syntax", "the table has no row with a label");
}

/* --- classes and records --- */

static int by_class(const void *a, const void *b)
{
    const struct row *x = *(const struct row *const *)a, *y = *(const struct row *const *)b;

    return strcmp(x->class, y->class);
}

static int by_name(const void *a, const void *b)
{
    const struct row *x = *(const struct row *const *)a, *y = *(const struct row *const *)b;
    int order = strcmp(x->name, y->name);

    return order ? order : (x->index > y->index) - (x->index < y->index);
}

static int by_record(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    int order = (x->record > y->record) - (x->record < y->record);

    return order ? order : (x->index > y->index) - (x->index < y->index);
}

static int by_id(const void *a, const void *b)
{
    const struct category *x = a, *y = b;

    return (x->id > y->id) - (x->id < y->id);
}

static bool parse_id(const char *name, int64_t *id)
{
    size_t length = strlen(name);

    return (length == 1 || *name != '0') && *name != '-' &&
           number_scan_integer((struct slice){ name, length }, id) == length;
}

/* Sorts classes by their ids, and renumbers the rows. */
static void number_classes(struct dataset *d, struct category *all, size_t n,
                           struct row *const *row, size_t n_rows)
{
    bool numbers = true;
    size_t k = 0;

    for (size_t i = 0; i < n; i++)
        numbers &= parse_id(all[i].name, &all[i].id);
    for (size_t i = 0; i < n && !numbers; i++)
        all[i].id = (int64_t)i;
    qsort(all, n, sizeof *all, by_id);
    for (size_t i = 0; i < n_rows; i++) {
        for (k = 0; strcmp(all[k].name, row[i]->class) != 0;)
            k++;
        while (i < n_rows && strcmp(all[k].name, row[i]->class) == 0)
            row[i++]->category = k;
        i--;
    }
    d->categories = all;
    d->n_categories = n;
}

/* Numbers the rows by the list; each name that it lacks is a fault of its first row. */
static void take_classes(struct reader *r, struct row **row)
{
    struct dataset *d = r->dataset;

    d->categories = class_list_categories(d->classes, d->arena);
    d->n_categories = d->classes->n;
    for (size_t i = 0; i < r->rows.n; i++)
        if (!class_list_find(d->classes, row[i]->class, &row[i]->category) &&
            (i == 0 || strcmp(row[i - 1]->class, row[i]->class) != 0))
            class_list_fault(d->classes, r->faults, row[i]->text, "", row[i]->class);
}

static void read_classes(struct reader *r, struct row **row)
{
    struct pile all = { 0 };

    qsort(row, r->rows.n, sizeof *row, by_class);
    if (r->dataset->classes) {
        take_classes(r, row);
        return;
    }
    for (size_t i = 0; i < r->rows.n; i++)
        if (i == 0 || strcmp(row[i - 1]->class, row[i]->class) != 0)
            *(struct category *)pile_add(&all, sizeof(struct category)) =
                (struct category){ .name = row[i]->class };
    arena_take_over(r->dataset->arena, all.at);
    number_classes(r->dataset, all.at, all.n, row, r->rows.n);
}

/* Records stand in the order in which the table first names them. */
static void read_records(struct reader *r, struct row **row)
{
    struct dataset *d = r->dataset;
    struct row *rows = r->rows.at, *first = NULL;

    qsort(row, r->rows.n, sizeof *row, by_name);
    for (size_t i = 0; i < r->rows.n; i++) {
        if (!first || strcmp(first->name, row[i]->name) != 0)
            first = row[i];
        row[i]->record = first->index;
    }
    d->records = ARENA_ARRAY(d->arena, struct record, r->rows.n);
    for (size_t i = 0; i < r->rows.n; i++) {
        size_t of = rows[i].record;

        if (of != i) {
            rows[i].record = rows[of].record;
            continue;
        }
        d->records[d->n_records] = (struct record){ .name = rows[i].name,
                                                    .seed_key = rows[i].name,
                                                    .id = (int64_t)d->n_records + 1 };
        rows[i].record = d->n_records++;
    }
    d->largest_id = (int64_t)d->n_records;
}

/* A class twice, or nothing but zeros. */
static void check_record(struct reader *r, const struct row *rows, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++) {
        sum += rows[i].weight;
        for (size_t k = 0; k < i; k++)
            if (rows[k].category == rows[i].category)
                fail(r, rows[i].text, "label-twice", "the image has this label already");
    }
    if (!(sum > 0))
        fail(r, rows->text, "label-weight", "the weights of an image's labels must not all be 0");
}

static void keep(struct reader *r)
{
    struct dataset *d = r->dataset;
    struct table *t = r->table;

    qsort(r->rows.at, r->rows.n, sizeof(struct row), by_record);
    t->rows = r->rows.at;
    t->n = r->rows.n;
    t->first = ARENA_ARRAY(d->arena, size_t, d->n_records + 1);
    for (size_t i = t->n; i-- > 0;)
        t->first[t->rows[i].record] = i;
    t->first[d->n_records] = t->n;
    for (size_t i = 0; i < d->n_records; i++)
        check_record(r, t->rows + t->first[i], t->first[i + 1] - t->first[i]);
}

static bool csv_read(struct faults *f, struct dataset *d)
{
    struct reader r = { .faults = f, .dataset = d, .table = ARENA_NEW(d->arena, struct table) };
    size_t before = f->n;
    struct row **row;

    d->state = r.table;
    read_rows(&r);
    if (f->n == before) {
        row = memory_take(r.rows.n * sizeof *row);
        for (size_t i = 0; i < r.rows.n; i++)
            row[i] = (struct row *)r.rows.at + i;
        read_classes(&r, row);
        d->categories_text = class_list_text(d->categories, d->n_categories, d->arena);
        read_records(&r, row);
        free(row);
        keep(&r);
    }
    arena_take_over(d->arena, r.rows.at);
    text_drop(&r.value);
    return f->n == before;
}

/* --- loading and printing --- */

static bool csv_load(const struct dataset *d, size_t record, const struct rules *rules,
                     struct sample *sample, struct faults *f)
{
    const struct table *t = d->state;
    size_t first = t->first[record], n = t->first[record + 1] - first;
    struct image_label *labels = ARENA_ARRAY(sample->arena, struct image_label, n);

    (void)rules;
    (void)f;
    for (size_t i = 0; i < n; i++)
        labels[i] = (struct image_label){ &d->categories[t->rows[first + i].category],
                                          t->rows[first + i].weight };
    sample->labels = labels;
    sample->n_labels = n;
    sample->categories = d->categories;
    sample->n_categories = d->n_categories;
    return true;
}

/* The record's row of this class, or NULL. */
static const struct row *row_of(const struct table *t, size_t record, size_t category)
{
    for (size_t i = t->first[record]; i < t->first[record + 1]; i++)
        if (t->rows[i].category == category)
            return &t->rows[i];
    return NULL;
}

/* Returns the row whose label became this one, or NULL. */
static const struct row *source_row(const struct dataset *d, size_t record,
                                    const struct image_label *label)
{
    const struct table *t = d->state;
    const struct row *row = row_of(t, record, (size_t)(label->category - d->categories));

    for (size_t i = t->first[record]; d->written && !row && i < t->first[record + 1]; i++)
        if (d->written->result[t->rows[i].category] == label->category)
            row = &t->rows[i];
    return row;
}

/* Cells of other columns stay; of a class that the record does not have they are empty. */
static void print_row(const struct dataset *d, size_t record, const struct output *out,
                      const struct image_label *label, struct text *text)
{
    const struct table *t = d->state;
    const struct row *row = source_row(d, record, label);
    const char *class = class_written(d, label->category)->name;
    struct csv_row cells = { row ? row->text : (struct slice){ "", 0 }, 0, ',' };
    bool good = true;

    for (size_t i = 0; i < t->n_columns; i++) {
        struct slice cell = { "", 0 };

        csv_next_cell(&cells, &cell, &good);
        text_adds(text, i ? "," : "");
        if (i == t->place[COLUMN_FILE] && (out->renamed || !row))
            csv_print(out->name, text);
        else if (i == t->place[COLUMN_CLASS] && (!row || strcmp(class, row->class) != 0))
            csv_print(class, text);
        else if (i == t->place[COLUMN_WEIGHT] && (!row || label->weight != row->weight))
            number_print(text, label->weight);
        else
            text_add(text, cell.at, cell.length);
    }
    if (d->joined && !t->has_weights) {
        text_addc(text, ',');
        number_print(text, label->weight);
    }
    text_adds(text, t->end);
}

static void csv_print_record(const struct dataset *d, size_t record, const struct output *out,
                             struct text *text)
{
    for (size_t i = 0; i < out->n_labels; i++)
        print_row(d, record, out, &out->labels[i], text);
}

/* Its first row; the others are found as objects. */
static struct slice csv_find_record(const struct dataset *d, size_t record)
{
    const struct table *t = d->state;

    return t->rows[t->first[record]].text;
}

static struct slice csv_find_object(const struct dataset *d, size_t record, size_t i, size_t *order)
{
    const struct table *t = d->state;
    size_t at = t->first[record] + i;

    *order = at;
    return at < t->first[record + 1] ? t->rows[at].text : (struct slice){ 0 };
}

static bool csv_has_category(const struct dataset *d, size_t record,
                             const struct category *category)
{
    return row_of(d->state, record, (size_t)(category - d->categories));
}

static bool csv_write(const struct dataset *d, FILE *file,
                      bool (*next_record)(void *context, struct slice *),
                      bool (*next_object)(void *context, struct slice *), void *context)
{
    const struct table *t = d->state;
    struct slice rows;

    (void)next_object;
    if (t->header.at) {
        fwrite(t->header.at, 1, t->header.length, file);
        fprintf(file, "%s%s", d->joined && !t->has_weights ? ",weight" : "", t->end);
    }
    while (next_record(context, &rows))
        fwrite(rows.at, 1, rows.length, file);
    return fflush(file) == 0 && !ferror(file);
}

static unsigned csv_lacks(const struct dataset *d)
{
    (void)d;
    return LACKS_OBJECTS | LACKS_KEYS | LACKS_IMAGE_KEYS | LACKS_DIALECTS | LACKS_SIZES;
}

const struct format labels_csv_format = {
    .name = "labels_csv",
    .summary = "a .csv table of image labels: file, class and perhaps weight",
    .ending = ".csv",
    .file = "labels.csv",
    .read = csv_read,
    .load = csv_load,
    .print_record = csv_print_record,
    .find_record = csv_find_record,
    .find_object = csv_find_object,
    .has_category = csv_has_category,
    .lacks_read = csv_lacks,
    .write = csv_write,
    .lines = true,
};
