/* iou_table: the IoU of the boxes of two annotation files, image by image. */
#pragma once

#include "labels/format.h"
#include "steps/op_shared/labels.h"

struct iou_row {
    int64_t image, a, b; /* ids; objects without ids have their index in the file, from 0 */
    double iou;
};

struct iou_table {
    struct pile rows; /* of struct iou_row, in the order of images and objects in the first file */
};

/* Compares the boxes of images with the same id. An object without a box gets the bounding box of
 * its segmentation. Pairs with an IoU above the limit become rows. Returns false with faults of one
 * of the files, or of both. */
bool iou_table_make(const struct dataset *a, const struct dataset *b, enum box_edges, double above,
                    struct iou_table *, struct faults *of_a, struct faults *of_b);

/* Prints the line "image_id,a,b,iou" and one line per row. */
void iou_table_print_csv(const struct iou_table *, struct text *);
/* Prints a NumPy file with a float64 array of shape (n, 4), with the same columns
 * (numpy.lib.format 1.0). */
void iou_table_print_npy(const struct iou_table *, struct text *);
void iou_table_drop(struct iou_table *);
