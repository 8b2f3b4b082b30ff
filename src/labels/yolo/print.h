/* print: objects as lines of YOLO's labels. */
#pragma once

#include "labels/yolo/lines.h"

/* What a line of a file says. */
enum yolo_task { YOLO_DETECT, YOLO_SEGMENT, YOLO_POSE };
/* Added to a dataset's `writes`, a task, if its lines were read from YOLO's labels and become lines
 * of that task. Without it they stay what they were. */
enum { YOLO_CONVERTED = 3 };

struct yolo_print {
    enum yolo_task task;
    const struct dataset *dataset;
    const struct rules *rules;
    struct frame frame;             /* of the output */
    size_t n_keypoints, dimensions; /* of YOLO_POSE; an object with fewer gets zeros */
    const struct yolo_line *source; /* the object's own, whose numbers stay where they are right; or
                                       NULL */
};

/* True if the keypoint is so far outside of the frame that readers refuse it: 0 0 0 is written. */
bool yolo_keypoint_is_outside(const struct keypoint *, const struct rules *, struct frame);
/* Append an object's line, without its end. */
void yolo_print_object(const struct yolo_print *, const struct sample *, const struct object *,
                       struct text *);
