/* dataset: scenes written as image files, label masks and one COCO file. */
#pragma once

#include "scene.h"

#include <stdint.h>

/* A picture in "images". */
struct record {
    const char *file_name; /* "street/0001.jpg" */
    int64_t id;
    int license;
    enum file file;
    int quality;
    const char *extra; /* further keys as JSON text, or NULL */
};

struct dataset;
struct dataset *dataset_new(const char *folder);
void dataset_add(struct dataset *, const struct record *, const struct scene *);
/* Writes annotations.json and frees the dataset. */
void dataset_end(struct dataset *);

/* files: the scene's picture, and its mask as 8-bit gray PNG. Die when a file cannot be written. */
void file_write(const char *path, enum file, int quality, const struct canvas *);
void file_write_mask(const char *path, const struct scene *);
