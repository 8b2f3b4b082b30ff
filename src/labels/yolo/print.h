/* print: objects as lines of YOLO's labels. */
#pragma once

#include "labels/yolo/lines.h"

/* The kind of a file's lines. */
enum yolo_task { YOLO_DETECT, YOLO_SEGMENT, YOLO_POSE };
/* Added to a dataset's `writes`, a task, if its lines were read from YOLO labels and become lines
 * of that task. Without it they keep their kind. */
enum { YOLO_CONVERTED = 3 };

struct yolo_print {
    enum yolo_task task;
    const struct dataset *dataset;
    const struct rules *rules;
    struct frame frame;             /* of the output */
    size_t n_keypoints, dimensions; /* for YOLO_POSE; an object with fewer gets zeros */
    const struct yolo_line *source; /* the object's own line, whose valid numbers stay; or NULL */
};

/* True if the keypoint is so far outside the frame that readers refuse it: 0 0 0 is written. */
bool yolo_keypoint_is_outside(const struct keypoint *, const struct rules *, struct frame);
/* Appends an object's line, without a line break. */
void yolo_print_object(const struct yolo_print *, const struct sample *, const struct object *,
                       struct text *);
