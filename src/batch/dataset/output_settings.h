/* output_settings: the names of a job's outputs, and the output folder. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct balance;
struct out_dir;

/* Settings of a part of a dataset: whether and how often its images are transformed. */
struct part_settings {
    bool passed;     /* they are not transformed: the files themselves are the outputs */
    unsigned copies; /* of each image that is transformed */
};

/* How the files of images that are passed get into OUT. */
enum link_how { LINK_COPY, LINK_HARD, LINK_SYMBOLIC, LINK_NONE };

/* Number of outputs per image, and templates of their names. Templates are described in
 * name_template.h. */
struct naming {
    /* For each part of a combined dataset; NULL: all images are transformed into `copies`. */
    const struct part_settings *parts;
    const struct balance *balance; /* numbers of copies by image; NULL: all have the same */
    uint64_t balance_hash;         /* of these numbers; 0: all have the same */
    const char *mask_name;     /* template of a mask's name; "" or NULL: image's name with .png */
    const char *name_template; /* template of an output's name, without suffix; "" or NULL: none */
    const char *suffix; /* of all outputs in its format: ".jpg" for x.jpeg; NULL: the image's own */
    unsigned copies;
    bool include_original;
    bool renumbers; /* images and objects get new ids: 1, 2, ... */
};

/* Size limits at which a new tar of outputs begins. All zero: outputs are written as files. See
 * pack.h. */
struct packing {
    uint64_t max_samples, max_bytes;
};

/* When outputs are synced to survive a crash of the machine. */
enum durability { DURABILITY_NONE, DURABILITY_BATCH, DURABILITY_FILE };

struct output_settings {
    const char *path;       /* output folder; NULL or "": nothing is written */
    struct out_dir *outdir; /* the same folder, open; NULL before anything is written */
    struct packing packing;
    bool checksums; /* the manifest has the SHA-256 of files, and OUT has SHA256SUMS */
    bool compares;  /* files are made and listed in reports, but not written */
    int durability; /* enum durability */
    int link;       /* enum link_how */
};
