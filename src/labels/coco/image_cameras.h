/* image_cameras: members of image records that hold camera matrices, which move with the image
 * according to the pipeline (annotations.camera). */
#pragma once

#include "labels/format.h"

/* True if all members of the record that the pipeline moves are camera matrices or null; else adds
 * faults (coco-type). With `decompose`, the record must not have members that would be written. */
bool coco_cameras_check(const struct dataset *, size_t record, const struct rules *,
                        struct faults *);

/* True if the output's image moved, and the pipeline moves cameras. */
bool coco_cameras_move(const struct output *);
/* Appends the value of a member that is moved, and members of its pose beside it. False, with
 * nothing appended, if the member stays. */
bool coco_camera_print(const struct output *, struct slice name, struct slice value, struct text *);
