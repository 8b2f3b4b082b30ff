/* iou_table: the IoU of the boxes of two annotation files, image by image. */
#pragma once

#include "labels/format.h"
#include "steps/op_shared/labels.h"

struct iou_row {
    int64_t image, a, b; /* ids; of objects that have none, their places in the file, from 0 */
    double iou;
};

struct iou_table {
    struct pile rows; /* struct iou_row; images in the order of the first file, then its objects */
};

/* Compares the boxes of images of the same id; an object without a box has that of its
 * segmentation. Pairs with an IoU above the limit become rows. False with faults of one of the
 * files, or of both. */
bool iou_table_make(const struct dataset *a, const struct dataset *b, enum box_edges, double above,
                    struct iou_table *, struct faults *of_a, struct faults *of_b);

/* "image_id,a,b,iou" and a line for each row. */
void iou_table_print_csv(const struct iou_table *, struct text *);
/* NumPy's file of an array of float64, n x 4, in the order of the columns (numpy.lib.format 1.0).
 */
void iou_table_print_npy(const struct iou_table *, struct text *);
void iou_table_drop(struct iou_table *);
