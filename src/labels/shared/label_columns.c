/* label_columns: finds the columns of a table of labels, by the words of its first row. */
#include "labels/shared/label_columns.h"

#include <string.h>
#include <strings.h>

static bool is_one_of(const char *const *words, const char *name)
{
    for (size_t i = 0; words[i]; i++)
        if (strcasecmp(words[i], name) == 0)
            return true;
    return false;
}

static enum label_column column_of(const char *name)
{
    static const char *const file[] = { "file",     "file_name", "filename",   "file_path",
                                        "filepath", "image",     "image_name", "image_path",
                                        "path",     NULL };
    static const char *const class[] = { "class",      "class_name", "class_id",      "label",
                                         "label_name", "category",   "category_name", "category_id",
                                         "target",     NULL };

    return is_one_of(file, name)             ? COLUMN_FILE
           : is_one_of(class, name)          ? COLUMN_CLASS
           : strcasecmp(name, "weight") == 0 ? COLUMN_WEIGHT
                                             : LABEL_COLUMNS;
}

/* Coordinates, which a step that moves pixels would not change. */
static bool is_geometry(const char *name)
{
    static const char *const known[] = { "xmin",  "x_min",         "x1",           "x_center",
                                         "bbox",  "bbox_x",        "bounding_box", "box",
                                         "boxes", "polygon",       "polygons",     "segmentation",
                                         "rle",   "EncodedPixels", "keypoints",    NULL };

    return is_one_of(known, name);
}

/* "label" may also be the column of classes: then the file's column has names with a suffix. */
static bool has_suffix(const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strchr(names[i], '.'))
            return true;
    return false;
}

static const char *what_is_wrong(const struct label_columns *c, const char *const *names, size_t n)
{
    bool files = c->place[COLUMN_FILE] < n, classes = c->place[COLUMN_CLASS] < n;

    if (c->named && c->fault < n)
        return is_geometry(names[c->fault])
                   ? "a table of labels has no boxes or outlines, which would not follow the "
                     "pixels: give them as COCO, YOLO or Pascal VOC, or leave out such columns"
                   : "another column has this name: rename one of them, or leave it out";
    if (c->named)
        return NULL;
    if (files)
        return "this names a column for files, but no column for classes: one must be called "
               "class, "
               "label, category or target";
    if (classes && !has_suffix(names, n))
        return "this names a column for classes, but no column for files: one must be called file, "
               "filename, image or path";
    return n == 2 || n == 3
               ? NULL
               : "expected file, class and perhaps weight, or a first row that names them";
}

struct label_columns label_columns_of(const char *const *names, size_t n)
{
    struct label_columns c = { .place = { n, n, n }, .fault = n };

    for (size_t i = 0; i < n; i++) {
        enum label_column column = column_of(names[i]);
        bool repeated = column < LABEL_COLUMNS && c.place[column] < n &&
                        strcasecmp(names[i], names[c.place[column]]) == 0;

        if (column < LABEL_COLUMNS && c.place[column] == n)
            c.place[column] = i;
        if (c.fault == n && (repeated || is_geometry(names[i])))
            c.fault = i;
    }
    c.named = c.place[COLUMN_FILE] < n && c.place[COLUMN_CLASS] < n;
    c.wrong = what_is_wrong(&c, names, n);
    if (!c.named) {
        for (size_t i = 0; i < LABEL_COLUMNS; i++)
            c.place[i] = i;
        c.fault = n;
    }
    return c;
}
