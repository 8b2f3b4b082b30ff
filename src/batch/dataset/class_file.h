/* class_file: the file of --classes: names of classes in a fixed order. */
#pragma once

#include "labels/shared/class_list.h"

/* Read one name per line, a data.yaml (by its name), or a COCO file's categories in their order.
 * The faults get the file's name and text. Returns NULL with a fault: classes-unread,
 * classes-value, or what yolo_classes_read reports. */
const struct class_list *class_file_read(const char *path, struct arena *, struct faults *);
