/* lines: a file of YOLO labels, with one object per line. A line is "class x y width height", or a
 * class and the points of an outline, or a box and keypoints. All numbers are fractions of the
 * image's sides. */
#pragma once

#include "labels/yolo/classes.h"

/* Numbers of a line that is a box: its class, center and size. */
enum { YOLO_BOX_LENGTH = 5 };

/* Fractions may be outside 0..1 by this much, because of rounding. */
#define YOLO_SLACK 0.01

struct yolo_line {
    struct slice text; /* without the blanks around it */
    struct slice *token;
    double *number;
    size_t n; /* of both, with the class */
};

/* Returns the next line of a file's text that is not blank, from *at on; false after the last. */
bool yolo_next_line(struct slice file, size_t *at, struct slice *line);
/* Returns the number of such lines. */
size_t yolo_count_lines(struct slice file);
/* Returns the number of words in a line; they are numbers if it is valid. */
size_t yolo_line_length(struct slice line);

/* Parses a line into the arena. False with a fault (yolo-number). */
bool yolo_line_read(struct faults *, struct slice line, struct arena *, struct yolo_line *);

/* Reads the first number of a line as a class. False if it is not a class. */
bool yolo_line_class(struct slice line, size_t *);

/* Returns the lines of a record's file, in the arena; the text was checked before. */
struct yolo_line *yolo_lines(struct slice file, struct arena *, size_t *n);
/* True if the file has the same numbers as the printed text. Then it is kept, with its blanks. */
bool yolo_same_lines(struct slice file, struct slice printed);
