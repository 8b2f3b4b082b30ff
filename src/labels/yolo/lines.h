/* lines: a file of YOLO's labels: an object a line, "class x y width height", or a class and the
 * points of an outline, or a box and keypoints; all in shares of the image's sides. */
#pragma once

#include "labels/yolo/classes.h"

/* Numbers of a line that is a box: its class, center and size. */
enum { YOLO_BOX_LENGTH = 5 };

/* Shares of a side may stick out so much, by rounding. */
#define YOLO_SLACK 0.01

struct yolo_line {
    struct slice text; /* without the blanks around it */
    struct slice *token;
    double *number;
    size_t n; /* of both, with the class */
};

/* The next line of a file's text that is not blank, from *at on; false behind the last. */
bool yolo_next_line(struct slice file, size_t *at, struct slice *line);
/* How many there are. */
size_t yolo_count_lines(struct slice file);
/* Returns how many words a line has: numbers, if it is right. */
size_t yolo_line_length(struct slice line);

/* Take a line apart, into the arena. False with a fault (yolo-number). */
bool yolo_line_read(struct faults *, struct slice line, struct arena *, struct yolo_line *);

/* The first number of a line as a class. False when it is none. */
bool yolo_line_class(struct slice line, size_t *);

/* The lines of a record's file, in the arena; those of a text that was right before. */
struct yolo_line *yolo_lines(struct slice file, struct arena *, size_t *n);
/* Does the file say what was printed, in the same numbers? Then it stays, with its blanks. */
bool yolo_same_lines(struct slice file, struct slice printed);
