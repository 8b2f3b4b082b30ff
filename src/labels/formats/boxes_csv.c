/* boxes_csv: a table with one box per row; read as COCO.
 *
 * Knows three forms. TensorFlow's and Roboflow's have a first row with the names of the columns:
 * filename,width,height,class,xmin,ymin,xmax,ymax. So has Open Images, whose boxes are fractions of
 * the image's sides and whose names lack the suffix. Keras-RetinaNet has no first row:
 * path,x1,y1,x2,y2,class. */
#include "labels/shared/csv.h"
#include "labels/shared/translation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MAX_COLUMNS = 64 };

enum column { FILE_NAME, CLASS, X0, Y0, X1, Y1, NEEDED, WIDTH = NEEDED, HEIGHT, COLUMNS };

/* Words of the columns, in lower case. */
static const char *const words[COLUMNS][12] = {
    [FILE_NAME] = { "filename", "file", "file_name", "image", "image_name", "image_path",
                    "img_path", "filepath", "path", "imageid", "image_id" },
    [CLASS] = { "class", "label", "class_name", "labelname", "label_name", "category",
                "category_name", "name", "class_id" },
    [X0] = { "xmin", "x_min", "x1", "left", "xtl" },
    [Y0] = { "ymin", "y_min", "y1", "top", "ytl" },
    [X1] = { "xmax", "x_max", "x2", "right", "xbr" },
    [Y1] = { "ymax", "y_max", "y2", "bottom", "ybr" },
    [WIDTH] = { "width", "image_width", "img_width" },
    [HEIGHT] = { "height", "image_height", "img_height" },
};

/* The form of a table. */
struct layout {
    char comma;
    bool named;               /* the first row names the columns */
    bool fractions;           /* Open Images */
    size_t n, place[COLUMNS]; /* index of each column; n: there is none */
    const char *name[MAX_COLUMNS];
};

struct reader {
    struct translation *to;
    struct faults *faults;
    struct layout layout;
    struct text cells[MAX_COLUMNS], members;
    struct pile names; /* struct known_image, sorted */
    bool any_fraction, any_pixel;
};

struct known_image {
    const char *name;
    size_t index;
};

/* --- the form --- */

/* Returns the character between cells: a comma, unless the first line with text has none. */
static char comma_of(struct slice text)
{
    size_t begin = 0, end;
    struct slice line;

    while (begin < text.length && strchr("\r\n", text.at[begin]))
        begin++;
    for (end = begin; end < text.length && text.at[end] != '\n';)
        end++;
    line = (struct slice){ text.at + begin, end - begin };
    return memchr(line.at, ',', line.length)    ? ','
           : memchr(line.at, ';', line.length)  ? ';'
           : memchr(line.at, '\t', line.length) ? '\t'
                                                : ',';
}

/* Sets the cells' values, without blanks around them. Returns their number; 0 if the row is not
 * well-formed or has too many cells. */
static size_t split_row(struct csv_row row, struct text *cells)
{
    struct slice cell;
    size_t n = 0;
    bool good = true;

    while (n < MAX_COLUMNS && csv_next_cell(&row, &cell, &good)) {
        struct text *value = &cells[n++];
        size_t blanks = 0;

        text_clear(value);
        csv_value(cell, value);
        while (value->length && strchr(" \t", value->at[value->length - 1]))
            text_cut(value, value->length - 1);
        while (blanks < value->length && strchr(" \t", value->at[blanks]))
            blanks++;
        if (blanks) {
            memmove(value->at, value->at + blanks, value->length - blanks);
            text_cut(value, value->length - blanks);
        }
    }
    return good && row.at > row.text.length ? n : 0;
}

static bool read_number(const struct text *cell, double *to)
{
    const char *at = text_string(cell);
    size_t plus = *at == '+', length = cell->length;

    return length > plus &&
           number_scan((struct slice){ at + plus, length - plus }, to) == length - plus;
}

/* True for path,x1,y1,x2,y2,class; without a box for an image that has none. */
static bool is_retinanet(const struct text *cells, size_t n)
{
    size_t numbers = 0, empty = 0;
    double number;

    for (size_t i = 1; n == 6 && i < 5; i++) {
        numbers += read_number(&cells[i], &number);
        empty += !cells[i].length;
    }
    return n == 6 && cells[0].length &&
           ((numbers == 4 && cells[5].length) || (empty == 4 && !cells[5].length));
}

static void find_columns(const struct text *cells, struct layout *layout)
{
    for (size_t c = 0; c < COLUMNS; c++) {
        layout->place[c] = layout->n;
        for (const char *const *word = words[c]; *word && layout->place[c] == layout->n; word++)
            for (size_t i = 0; i < layout->n && layout->place[c] == layout->n; i++)
                if (strcasecmp(text_string(&cells[i]), *word) == 0)
                    layout->place[c] = i;
    }
}

/* True if the first row shows a table of boxes. */
static bool read_layout(struct slice text, struct layout *layout, struct text *cells)
{
    struct csv_row row;
    size_t at = 0;
    const char *file;

    *layout = (struct layout){ .comma = ',' };
    layout->comma = comma_of((struct slice){ text.at + at, text.length - at });
    do {
        if (!csv_next_row(text, &at, layout->comma, &row))
            return false;
    } while (!row.text.length);
    layout->n = split_row(row, cells);
    if (is_retinanet(cells, layout->n)) {
        static const size_t places[COLUMNS] = { 0, 5, 1, 2, 3, 4, 6, 6 };

        memcpy(layout->place, places, sizeof places);
        return true;
    }
    find_columns(cells, layout);
    layout->named = true;
    for (size_t i = 0; i < NEEDED; i++)
        if (layout->place[i] == layout->n)
            return false;
    file = text_string(&cells[layout->place[FILE_NAME]]);
    layout->fractions = strcasecmp(file, "ImageID") == 0;
    return true;
}

static bool boxes_is_source(struct slice head)
{
    struct text cells[MAX_COLUMNS] = { 0 };
    struct layout layout;
    bool is = !memchr(head.at, '\0', head.length) && read_layout(head, &layout, cells);

    for (size_t i = 0; i < MAX_COLUMNS; i++)
        text_drop(&cells[i]);
    return is;
}

/* --- rows --- */

static bool fail(struct reader *r, struct slice at, const char *code, const char *why)
{
    return fault_add(r->faults, (size_t)(at.at - r->faults->text.at), at.length ? 1 : 0, "", code,
                     "%s", why);
}

static const char *cell_of(const struct reader *r, enum column c)
{
    size_t place = r->layout.place[c];

    return place < r->layout.n ? text_string(&r->cells[place]) : "";
}

/* Reads the size of a row's image, if it has one. */
static bool read_frame(struct reader *r, struct slice row, struct frame *frame)
{
    int *to[] = { &frame->width, &frame->height };

    *frame = (struct frame){ 0 };
    for (size_t i = 0; i < 2; i++) {
        size_t place = r->layout.place[WIDTH + i];
        double v;

        if (place == r->layout.n || !r->cells[place].length)
            continue;
        if (!read_number(&r->cells[place], &v) || v < 0 || v > LARGEST_COORDINATE || v != floor(v))
            return fail(r, row, "boxes-number",
                        "the width and height of an image must be integers");
        *to[i] = (int)v;
    }
    if (!frame->width || !frame->height)
        *frame = (struct frame){ 0 };
    return true;
}

/* Completes a name without a suffix and finds the size that fractions need. */
static bool find_image(struct reader *r, struct slice row, const char **name, struct frame *frame)
{
    const struct image_finder *finder = r->to->finder;
    const char *found = NULL;

    if (!r->layout.fractions)
        return true;
    if (finder)
        found = finder->find(finder->context, *name, r->to->arena, frame->width ? NULL : frame);
    if (found)
        *name = found;
    if (frame->width)
        return true;
    return fail(r, row, "boxes-size",
                finder ? "the image of this row was not found, and its boxes are fractions of "
                         "its sides"
                       : "the boxes are fractions of the images' sides, so the images are needed: "
                         "give their folder with -i");
}

static struct known_image *place_of(struct reader *r, const char *name, bool *known)
{
    struct known_image *all = r->names.at;
    size_t low = 0, high = r->names.n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (strcmp(all[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *known = low < r->names.n && strcmp(all[low].name, name) == 0;
    return all ? all + low : NULL;
}

/* Returns the index of a row's image, which is new or known; SIZE_MAX with a fault. */
static size_t image_of(struct reader *r, struct slice row)
{
    const char *name =
                   arena_copy(r->to->arena, cell_of(r, FILE_NAME), strlen(cell_of(r, FILE_NAME))),
               *full = name;
    struct frame frame, earlier;
    bool known;
    struct known_image *place = place_of(r, name, &known);
    size_t at = place ? (size_t)(place - (struct known_image *)r->names.at) : 0;

    if (!read_frame(r, row, &frame))
        return SIZE_MAX;
    if (known) {
        translation_image_name(r->to, place->index, &earlier);
        if (frame.width && (frame.width != earlier.width || frame.height != earlier.height)) {
            fail(r, row, "boxes-size", "an earlier row states another size of this image");
            return SIZE_MAX;
        }
        return place->index;
    }
    if (!find_image(r, row, &full, &frame))
        return SIZE_MAX;
    pile_add(&r->names, sizeof *place);
    place = (struct known_image *)r->names.at + at;
    memmove(place + 1, place, (r->names.n - 1 - at) * sizeof *place);
    *place =
        (struct known_image){ name, translation_add_image(r->to, full, frame,
                                                          (size_t)(row.at - r->faults->text.at)) };
    return ((struct known_image *)r->names.at)[at].index;
}

static bool read_box(struct reader *r, struct slice row, size_t image, struct box *box)
{
    static const enum column corners[] = { X0, Y0, X1, Y1 };
    struct frame frame;
    double v[4];

    for (size_t i = 0; i < 4; i++)
        if (!read_number(&r->cells[r->layout.place[corners[i]]], &v[i]) ||
            fabs(v[i]) > LARGEST_COORDINATE)
            return fail(r, row, "boxes-number",
                        "the corners of a box must be numbers, at most 1e7 in magnitude");
    if (v[2] < v[0] || v[3] < v[1])
        return fail(r, row, "boxes-number",
                    v[2] < v[0] ? "xmax must not be less than xmin"
                                : "ymax must not be less than ymin");
    translation_image_name(r->to, image, &frame);
    for (size_t i = 0; i < 4 && r->layout.fractions; i++)
        v[i] *= i % 2 ? frame.height : frame.width;
    *box = (struct box){ v[0], v[1], v[2], v[3] };
    return true;
}

/* Appends the cells of other columns as members. */
static void print_extras(struct reader *r, struct text *out)
{
    for (size_t i = 0; r->layout.named && i < r->layout.n; i++) {
        const struct text *cell = &r->cells[i];
        bool taken = !*r->layout.name[i] || !cell->length;
        double number;

        for (size_t c = 0; c < COLUMNS && !taken; c++)
            taken = r->layout.place[c] == i;
        if (taken)
            continue;
        text_adds(out, ", ");
        text_add_json(out, r->layout.name[i], strlen(r->layout.name[i]));
        text_adds(out, ": ");
        if (number_scan((struct slice){ cell->at, cell->length }, &number) == cell->length)
            text_add(out, cell->at, cell->length);
        else
            text_add_json(out, cell->at, cell->length);
    }
}

/* A row without a box and a class lists an image without objects. */
static bool is_without_object(const struct reader *r)
{
    for (size_t i = CLASS; i < NEEDED; i++)
        if (*cell_of(r, (enum column)i))
            return false;
    return true;
}

static void read_row(struct reader *r, struct csv_row row)
{
    size_t image;
    struct box box;

    if (split_row(row, r->cells) != r->layout.n) {
        fail(r, row.text, "boxes-row",
             "the row has a different number of cells than the first row, or an open quote");
        return;
    }
    if (!*cell_of(r, FILE_NAME)) {
        fail(r, row.text, "boxes-row", "the row has no name of an image");
        return;
    }
    image = image_of(r, row.text);
    if (image == SIZE_MAX || is_without_object(r))
        return;
    if (!*cell_of(r, CLASS)) {
        fail(r, row.text, "boxes-row", "the row has no class");
        return;
    }
    if (!text_is_utf8(cell_of(r, CLASS)) || !text_is_utf8(cell_of(r, FILE_NAME))) {
        fail(r, row.text, "boxes-row", "the row is not UTF-8");
        return;
    }
    if (!read_box(r, row.text, image, &box))
        return;
    text_clear(&r->members);
    translation_print_box(box, &r->members);
    print_extras(r, &r->members);
    translation_add_object(r->to, image, cell_of(r, CLASS),
                           (size_t)(row.text.at - r->faults->text.at), &r->members);
}

/* Keeps the names of the columns; names of members that COCO has would occur twice. */
static void keep_names(struct reader *r)
{
    static const char *const of_coco[] = { "id",           "image_id",  "category_id",
                                           "bbox",         "area",      "iscrowd",
                                           "segmentation", "keypoints", "num_keypoints",
                                           "caption" };

    for (size_t i = 0; i < r->layout.n; i++) {
        const char *name = text_string(&r->cells[i]);

        r->layout.name[i] = arena_copy(r->to->arena, name, strlen(name));
        for (size_t k = 0; k < COUNTOF(of_coco); k++)
            if (strcmp(name, of_coco[k]) == 0)
                r->layout.name[i] = arena_printf(r->to->arena, "csv_%s", name);
        for (size_t k = 0; k < i; k++)
            if (strcmp(r->layout.name[k], r->layout.name[i]) == 0)
                r->layout.name[i] = "";
        if (!text_is_utf8(name))
            r->layout.name[i] = "";
    }
}

/* Calls a function for each row that is not blank, except for the names of the columns. */
static void each_row(struct reader *r, void (*read)(struct reader *, struct csv_row))
{
    bool first = true;
    struct csv_row row;
    size_t at = 0;

    while (csv_next_row(r->faults->text, &at, r->layout.comma, &row)) {
        if (row.text.length && !(first && r->layout.named))
            read(r, row);
        first = first && !row.text.length;
    }
}

/* Looks for evidence that boxes are fractions: all corners are within 0 to 1, and some are not
 * whole. */
static void weigh_row(struct reader *r, struct csv_row row)
{
    double v;

    if (split_row(row, r->cells) != r->layout.n)
        return;
    for (size_t i = X0; i <= Y1; i++) {
        if (!read_number(&r->cells[r->layout.place[i]], &v))
            continue;
        r->any_fraction |= v != floor(v);
        r->any_pixel |= v < 0 || v > 1;
    }
}

static bool boxes_translate(struct faults *f, struct translation *t)
{
    struct reader r = { .to = t, .faults = f };
    size_t before = f->n;

    read_layout(f->text, &r.layout, r.cells);
    keep_names(&r);
    each_row(&r, weigh_row);
    r.layout.fractions |= r.any_fraction && !r.any_pixel;
    each_row(&r, read_row);
    for (size_t i = 0; i < MAX_COLUMNS; i++)
        text_drop(&r.cells[i]);
    text_drop(&r.members);
    free(r.names.at);
    return f->n == before;
}

const struct format boxes_csv_format = {
    .name = "boxes_csv",
    .summary = "a .csv table of boxes (TensorFlow, Keras-RetinaNet, Open Images); read as COCO",
    .title = "a table of boxes",
    .is_source = boxes_is_source,
    .translate = boxes_translate,
};
