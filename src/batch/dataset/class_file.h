/* class_file: reads the file of --classes: names of classes in a fixed order. */
#pragma once

#include "labels/shared/class_list.h"

/* Reads one name per line, a data.yaml (recognized by its file name), or the categories of a COCO
 * file in their order; the names of labelmap.txt (Pascal VOC), or the classes that README.md
 * (Hugging Face) states. The faults get the file's name and text. Returns NULL with a fault:
 * classes-unread, classes-value, or a fault of yolo_classes_read. */
const struct class_list *class_file_read(const char *path, struct arena *, struct faults *);
