/* anchor_file: reads a file of boxes as the anchors of steps/op_shared/anchors.h. */
#include "batch/dataset/anchor_file.h"

#include "batch/io/folder.h"

#include "base/number.h"
#include "labels/shared/csv.h"
#include "json/members.h"
#include "steps/op_shared/anchors.h"
#include "sample/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BYTES = 1 << 28, MAX_ANCHORS = 1 << 20, MAX_FAULTS = 10 };

struct anchor_reader {
    struct faults *faults;
    double *at;
    size_t n, room;
};

static bool is_open(const struct anchor_reader *r)
{
    return r->faults->n < MAX_FAULTS && r->n <= MAX_ANCHORS;
}

/* Adds the box `v`, found at this place of the text. Adds a fault if it is NULL or not valid. */
static void add(struct anchor_reader *r, const double *v, struct slice at)
{
    bool good = v != NULL;
    size_t offset = at.at ? (size_t)(at.at - r->faults->text.at) : 0;

    for (int i = 0; i < 4 && good; i++)
        good = fabs(v[i]) <= LARGEST_COORDINATE && (i < 2 || v[i] > 0);
    if (!good) {
        struct text path = { 0 };

        text_addf(&path, "[%zu]", r->n);
        fault_add(r->faults, offset, at.length, text_string(&path), "anchors-value",
                  "an anchor is a box of four numbers, x, y, width and height, within 1e7 pixels "
                  "and with an area");
        text_drop(&path);
    }
    if (r->n == r->room) {
        r->room = r->room ? 2 * r->room : 64;
        r->at = memory_grow(r->at, r->room * 4 * sizeof *r->at);
    }
    for (int i = 0; i < 4; i++)
        r->at[4 * r->n + (size_t)i] = good ? v[i] : 0;
    r->n++;
}

/* --- JSON --- */

static void read_json(struct anchor_reader *r)
{
    const struct place where = { .faults = r->faults };
    struct scan s = scan_start(r->faults->text, 0);
    struct slice row;
    double v[4];
    bool first = true;

    if (scan_peek(&s) != '[') {
        fault_add(r->faults, s.at, 1, "", "anchors-value",
                  "the file must hold a list of boxes, [[x, y, width, height], ...]");
        return;
    }
    scan_open(&s, '[');
    while (scan_element(&s, &first) && scan_value(&s, &row) && is_open(r))
        add(r, pick_four(row, v) ? v : NULL, row);
    if (!s.code && is_open(r))
        scan_end(&s);
    if (s.code)
        place_scan_fault(&where, &s);
}

/* --- CSV --- */

/* True for a known heading. Columns with other names would have another meaning. */
static bool is_heading(struct slice row)
{
    static const char *const headings[] = { "x,y,width,height", "x,y,w,h" };

    for (size_t i = 0; i < COUNTOF(headings); i++)
        if (row.length == strlen(headings[i]) && memcmp(row.at, headings[i], row.length) == 0)
            return true;
    return false;
}

/* Reads the cells of a row; *n gets their number. Returns false for a syntax error. */
static bool read_cells(struct csv_row row, double v[4], size_t *n, bool *numbers)
{
    struct slice cell;
    struct text value = { 0 };
    bool good = true;

    *numbers = true;
    for (*n = 0; csv_next_cell(&row, &cell, &good); ++*n) {
        double ignored;

        text_clear(&value);
        csv_value(cell, &value);
        *numbers &= value.length && number_scan((struct slice){ value.at, value.length },
                                                *n < 4 ? &v[*n] : &ignored) == value.length;
    }
    text_drop(&value);
    return good;
}

static void read_csv(struct anchor_reader *r)
{
    struct slice text = r->faults->text;
    struct csv_row row;
    bool numbers, first = true;
    double v[4];
    size_t at = 0, n;

    for (; is_open(r) && csv_next_row(text, &at, ',', &row); first = false) {
        if (!row.text.length)
            continue;
        if (!read_cells(row, v, &n, &numbers))
            fault_add(r->faults, (size_t)(row.text.at - text.at), row.text.length, "", "csv-syntax",
                      "a cell's quotes are not closed, or text follows the closing quote");
        else if (!first || !is_heading(row.text))
            add(r, n == 4 && numbers ? v : NULL, row.text);
    }
}

/* --- npy --- */

static uint64_t little(const char *at, size_t bytes)
{
    uint64_t v = 0;

    for (size_t i = bytes; i-- > 0;)
        v = v << 8 | (unsigned char)at[i];
    return v;
}

static double little_float(const char *at, size_t bytes)
{
    uint64_t bits = little(at, bytes);
    uint32_t bits32 = (uint32_t)bits;
    float single;
    double v;

    memcpy(&single, &bits32, sizeof single);
    memcpy(&v, &bits, sizeof v);
    return bytes == sizeof single ? single : v;
}

/* Finds the header's dictionary and the offset of the numbers. Returns false if there is none. */
static bool npy_header(struct slice file, struct slice *words, size_t *begin)
{
    enum { BEFORE = 8 }; /* the magic word and the version */
    size_t width = file.length > BEFORE && file.at[6] == 1 ? 2 : 4;

    if (file.length < BEFORE + width)
        return false;
    words->at = file.at + BEFORE + width;
    words->length = (size_t)little(file.at + BEFORE, width);
    *begin = BEFORE + width + words->length;
    return *begin <= file.length;
}

/* Returns the value of a key in the dictionary; "" if there is no such key. */
static const char *npy_value(const char *words, const char *key)
{
    const char *at = strstr(words, key);

    at = at ? at + strlen(key) : "";
    return at + strspn(at, ": ");
}

/* Gets the size of a number in bytes and the number of rows. Returns false unless the array has
 * four columns, a known type, and C order. */
static bool npy_shape(const char *words, size_t *bytes, size_t *rows)
{
    const char *type = npy_value(words, "'descr'"), *shape = npy_value(words, "'shape'");
    char *end;

    *bytes = strncmp(type, "'<f8'", 5) == 0 ? 8 : strncmp(type, "'<f4'", 5) == 0 ? 4 : 0;
    if (!*bytes || strncmp(npy_value(words, "'fortran_order'"), "False", 5) != 0 ||
        shape[0] != '(' || shape[1] < '0' || shape[1] > '9')
        return false;
    *rows = strtoull(shape + 1, &end, 10);
    end += strspn(end, " ");
    if (*end++ != ',')
        return false;
    end += strspn(end, " ");
    return *end == '4' && end[1 + strspn(end + 1, " ,")] == ')';
}

static void read_npy(struct anchor_reader *r)
{
    struct slice file = r->faults->text, words = { "", 0 };
    struct text dictionary = { 0 };
    size_t begin = 0, bytes = 0, rows = 0;
    bool good = npy_header(file, &words, &begin);

    text_add(&dictionary, words.at, good ? words.length : 0);
    good = good && npy_shape(text_string(&dictionary), &bytes, &rows) && rows <= file.length &&
           file.length - begin == rows * 4 * bytes;
    text_drop(&dictionary);
    if (!good) {
        fault_add(r->faults, 0, 0, "", "anchors-unread",
                  "not a complete NumPy array of float32 or float64, n x 4, in C order");
        return;
    }
    for (size_t i = 0; i < rows && is_open(r); i++) {
        double v[4];

        for (size_t k = 0; k < 4; k++)
            v[k] = little_float(file.at + begin + (4 * i + k) * bytes, bytes);
        add(r, v, (struct slice){ NULL, 0 });
    }
}

/* --- the file --- */

static void read_boxes(struct anchor_reader *r)
{
    struct slice text = r->faults->text;
    struct scan s = scan_start(text, 0);
    char first = scan_peek(&s);

    if (text.length >= 6 && memcmp(text.at, "\x93NUMPY", 6) == 0)
        read_npy(r);
    else if (first == '[' || first == '{')
        read_json(r);
    else
        read_csv(r);
    if (!r->faults->n && !r->n)
        fault_add(r->faults, 0, 0, "", "anchors-value", "the file has no box");
    else if (r->n > MAX_ANCHORS)
        fault_add(r->faults, 0, 0, "", "anchors-value", "the file has more than %d boxes",
                  (int)MAX_ANCHORS);
}

bool anchors_open(const char *path, struct text *bytes, struct faults *faults)
{
    struct anchor_reader r = { .faults = faults };
    struct text why = { 0 };

    if (!input_read_named(path, MAX_BYTES, bytes, &why)) {
        fault_add(faults, 0, 0, "", "anchors-unread", "%s", text_string(&why));
    } else {
        faults->text = (struct slice){ text_string(bytes), bytes->length };
        read_boxes(&r);
    }
    if (!faults->n)
        anchors_set(r.at, r.n);
    free(r.at);
    text_drop(&why);
    return !faults->n;
}
