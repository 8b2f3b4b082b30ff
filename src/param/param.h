/* param: one table of rows for each transform, op, section and subcommand.
 *
 * A row states name, type, limits, default, unit and help once. It is tied to a field of the
 * parameter struct, so that a field of another type does not compile. Users of the rows: the
 * parser, messages, `list`, `describe`, the schema, the manifest, man pages, completion and the
 * tests. */
#pragma once

#include "base/arena.h"
#include "base/fault.h"
#include "base/text.h"
#include "geom/geom.h"
#include "json/value.h"

#include <math.h>

struct row;
struct step;

/* Context for reading a value, besides its row. */
struct reader {
    struct arena *arena; /* owns the values */
    /* Reads one step of a pipeline; false with faults. NULL if no row contains steps. */
    bool (*step)(const struct value *, struct step *, const struct reader *, struct faults *);
    /* Returns an addition to the message about an unknown key, or about an invalid value: the
     * correct spelling, or "". May be NULL. */
    const char *(*advice)(const struct value *key, bool unknown, struct arena *);
    /* Returns an addition to the message about a required key that is missing in `object`, or "".
     * May be NULL. */
    const char *(*missing)(const struct value *object, const char *key);
    /* Parameters that are shared with these rows already have values, and may be missing: see
     * params_share. NULL: none. */
    const struct row *shared;
};

/* The labels that a step needs besides the image. Without them, the step does nothing, or not what
 * it is meant for. */
enum subject { SUBJECT_IMAGE, SUBJECT_OBJECTS, SUBJECT_KEYPOINTS };

/* A kind of parameter; one object per kind, in a kinds_*.c. */
struct kind {
    const char *name;  /* "range" */
    const char *wants; /* "a number, or [lo, hi]" */
    /* Checks a value and stores it. False with a fault if it is invalid. */
    bool (*read)(const struct row *, const struct value *, void *to, const struct reader *,
                 struct faults *);
    /* Prints the stored value as JSON that `read` accepts. */
    void (*print)(const struct row *, const void *from, struct text *);
    /* Prints the members of a JSON Schema for it, without braces. */
    void (*schema)(const struct row *, struct text *);
};

struct choice {
    const char *word;
    int value;
    const char *help;
};

/* How a single number becomes a range: the short spellings of the library that the transform's name
 * is from. For a range that starts at a fixed number, the smaller end comes first. */
enum scalar {
    SCALAR_FIXED,     /* v: [v, v] */
    SCALAR_SYMMETRIC, /* v: [-v, v] */
    SCALAR_AROUND_1,  /* v: [max(0, 1 - v), 1 + v] */
    SCALAR_FROM_0,    /* v: [0, v] */
    SCALAR_FROM_1,    /* v: [1, v] */
    SCALAR_FROM_3,    /* v: [3, v]; also for lists */
};

struct range {
    double lo, hi;
};

struct size { /* height 0: a single number was given, for the shorter side (or a square) */
    int height, width;
    bool single;
};

struct colour { /* n = 0: null; 1: for all color channels; else one per channel */
    int n;
    double channel[4];
};

struct paint {  /* a color, or one of the row's words */
    int method; /* the word's value; 0: the color */
    struct colour colour;
};

struct list {
    int n;
    double at[16];
};

struct corners { /* of a quadrilateral: top left, top right, bottom right, bottom left */
    struct point at[4];
};

struct tuples { /* n lists of `most` numbers (see struct row), concatenated */
    double *at;
    size_t n;
};

struct optional_range {
    bool given;
    struct range range;
};

struct optional_list {
    bool given;
    struct list list;
};

struct weights {
    double *at;
    size_t n;
};

struct names { /* n = 0: null */
    const char *const *at;
    size_t n;
};

struct numbers { /* a list of any length */
    double *at;
    size_t n;
};

/* The kinds of output that an option names. */
enum writes {
    WRITES_FILE = 1,
    WRITES_FOLDER = 2,
    WRITES_STDOUT = 4, /* "-" is stdout */
};

struct row {
    const char *name, *help, *unit;
    const char *was; /* for an option: its name in earlier versions, such as "--names"; or NULL */
    unsigned writes; /* for an option: bits of enum writes; 0: it names no output */
    unsigned group;  /* for an option: the heading in help, enum option_group of shared/command.h */
    bool rare;       /* for an option: only --help-all and the manual show it, if there are many */
    const struct kind *kind;
    size_t offset, size; /* of the field, in bytes */
    const char *preset;  /* the default as JSON text; NULL: required */
    struct range limit;  /* of each number, inclusive; both 0: none */
    bool above;          /* the lower limit itself is excluded */
    bool whole, odd;     /* lists, ranges: integers; integers: must be odd */
    bool ends;           /* lists: two numbers are the ends of a range to draw from */
    bool categories;     /* names: of categories, which the annotations must have */
    enum scalar scalar;
    int least, most; /* lengths of lists; tuples: minimum number of tuples, and length of each */
    const struct choice *choices; /* ends with a NULL word */
    /* Typical values within `limit`, for tests and examples that draw random values. For corners:
     * their distance from the image's corners. */
    struct range usual;
    /* How values differ from the original library's, in a line, or NULL. `differs_at` has these
     * values as JSON texts with spaces between; NULL: any value but the default. */
    const char *differs, *differs_at;
};

extern const struct kind number_kind, optional_kind, integer_kind, whole_kind, range_kind,
    optional_range_kind, choice_kind, flag_kind, size_kind, point_kind, colour_kind, corners_kind,
    paint_kind, rects_kind, tuples_kind, list_kind, optional_list_kind, weights_kind, numbers_kind,
    text_kind, names_kind;

/* A row names a field of the parameter struct S; a field of another type than the kind's (T) does
 * not compile. */
/* clang-format off */
#define ROW(S, f, T, k, ...)                                                                       \
    { .name = #f, .kind = &k##_kind,                                                               \
      .offset = offsetof(S, f) + 0 * sizeof(char[_Generic(((S *)0)->f, T: 1, default: -1)]),       \
      .size = sizeof(T),                                                                           \
      __VA_ARGS__ }
#define NUMBER(S, f, ...) ROW(S, f, double, number, __VA_ARGS__)
#define OPTIONAL(S, f, ...) ROW(S, f, struct optional, optional, __VA_ARGS__)
#define INTEGER(S, f, ...) ROW(S, f, int, integer, __VA_ARGS__)
#define WHOLE(S, f, ...) ROW(S, f, int64_t, whole, __VA_ARGS__)
#define RANGE(S, f, ...) ROW(S, f, struct range, range, __VA_ARGS__)
#define OPTIONAL_RANGE(S, f, ...) ROW(S, f, struct optional_range, optional_range, __VA_ARGS__)
#define CHOICE(S, f, ...) ROW(S, f, int, choice, __VA_ARGS__)
#define FLAG(S, f, ...) ROW(S, f, bool, flag, __VA_ARGS__)
#define SIZE(S, f, ...) ROW(S, f, struct size, size, __VA_ARGS__)
#define POINT(S, f, ...) ROW(S, f, struct optional_list, point, __VA_ARGS__)
#define CORNERS(S, f, ...) ROW(S, f, struct corners, corners, __VA_ARGS__)
#define RECTS(S, f, ...) ROW(S, f, struct rects, rects, __VA_ARGS__)
#define TUPLES(S, f, ...) ROW(S, f, struct tuples, tuples, __VA_ARGS__)
#define LIST(S, f, ...) ROW(S, f, struct list, list, __VA_ARGS__)
#define OPTIONAL_LIST(S, f, ...) ROW(S, f, struct optional_list, optional_list, __VA_ARGS__)
#define WEIGHTS(S, f, ...) ROW(S, f, struct weights, weights, __VA_ARGS__)
#define NUMBERS(S, f, ...) ROW(S, f, struct numbers, numbers, __VA_ARGS__)
#define TEXT(S, f, ...) ROW(S, f, const char *, text, __VA_ARGS__)
#define NAMES(S, f, ...) ROW(S, f, struct names, names, __VA_ARGS__)
/* The same for a field with another name than the row. */
#define NAMES_AS(S, f, row_name, ...)                                                              \
    { .name = row_name, .kind = &names_kind,                                                       \
      .offset =                                                                                    \
          offsetof(S, f) + 0 * sizeof(char[_Generic(((S *)0)->f, struct names: 1, default: -1)]),  \
      .size = sizeof(struct names),                                                                \
      __VA_ARGS__ }
#define COLOUR(S, f, ...) ROW(S, f, struct colour, colour, .limit = { 0, 255 }, __VA_ARGS__)
/* clang-format on */
#define PAINT(S, f, ...) ROW(S, f, struct paint, paint, .limit = { 0, 255 }, __VA_ARGS__)
#define ROWS_END                                                                                   \
    {                                                                                              \
        0                                                                                          \
    }

/* for (ROWS(row, table)): iterates over a table, which may be NULL. */
#define ROWS(row, table)                                                                           \
    const struct row *row = (table);                                                               \
    row && row->name;                                                                              \
    row++

/* Fills `to` with the defaults of all rows that have one. */
void params_preset(const struct row *, void *to, struct arena *);

/* Reads an object by a table into `to`, which already has the defaults. Reports every fault:
 * param-unknown (with did-you-mean), param-missing, and those of the kinds (param-type,
 * param-range, param-choice, param-length, param-odd, param-order, param-twice). Keys in `known`
 * (ended by NULL, may be NULL) are read elsewhere. */
bool params_read(const struct row *, const struct value *object, void *to, const char *const *known,
                 const struct reader *, struct faults *);

/* Reads one value by its row into the parameters `to`; false with faults, extended by the reader's
 * advice. */
bool param_read(const struct row *, const struct value *, void *to, const struct reader *,
                struct faults *);

/* Returns the row of the table with the same name, kind and words, and for lists at most as many
 * members. Its values are then also valid for the other row. NULL if there is none. */
const struct row *row_shared(const struct row *table, const struct row *);
/* Copies the values of all parameters that the two tables share. Data that they point to is not
 * copied. */
void params_share(const struct row *from_rows, const void *from, const struct row *to_rows,
                  void *to);

/* True if the value is of this JSON kind. Else false with a fault (param-type): "expected (wants),
 * not (what it is)". */
bool value_expect(const struct value *, enum value_kind, const char *wants, struct faults *);

/* Prints all rows as the members of an object: "name": value, ... without braces. */
void params_print(const struct row *, const void *from, struct text *);

/* Shared by kinds whose values are objects of rows, or null: `to` and `from` are the structs of the
 * rows. The kind itself handles null, except in the schema. */
bool set_read(const struct row *rows, const struct row *, const struct value *, void *to,
              const struct reader *, struct faults *);
void set_show(const struct row *rows, const void *from, struct text *);
void set_schema(const struct row *rows, struct text *);

/* Returns a row by its name, or NULL. */
const struct row *row_get(const struct row *, const char *name);

bool row_has_limit(const struct row *);
/* Appends "-180..180 degrees", "above 0, at most 1", "at least 0", ...; nothing without a limit. */
void row_print_limit(const struct row *, struct text *);
const char *choice_word(const struct choice *, int value);
