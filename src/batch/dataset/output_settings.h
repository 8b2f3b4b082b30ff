/* output_settings: the names of a job's outputs, and the folder that they are written to. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct outdir;

/* The number of outputs and their names. Templates are described in name_template.h. */
struct naming {
    const char *mask_name;     /* template of a mask; "" or NULL: the image's name, as .png */
    const char *name_template; /* template of an output, without its suffix; "" or NULL: none */
    unsigned copies;
    bool include_original;
};

/* When a tar of outputs is full; all zero: outputs stay files. See pack.h. */
struct packing {
    uint64_t most_samples, most_bytes;
};

/* When outputs are made to outlast a crash of the machine. */
enum durability { DURABILITY_NONE, DURABILITY_BATCH, DURABILITY_FILE };

struct output_settings {
    const char *path;      /* of the output folder; NULL or "": nothing is written */
    struct outdir *outdir; /* the same, open; NULL as long as nothing is written */
    struct packing packing;
    bool checksums; /* the manifest has the SHA-256 of files, and OUT has SHA256SUMS */
    bool compares;  /* files are made and not written, but listed in reports */
    int durability; /* enum durability */
};
