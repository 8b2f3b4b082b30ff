/* dataset: opens the pipeline and the dataset that job_options name. */
#pragma once

#include "batch/dataset/donor_table.h"
#include "batch/dataset/job.h"
#include "batch/dataset/resolve_names.h"
#include "options/job.h"

/* All functions that return an int return EXIT_DONE, or another exit code after printing why. */

/* The opened pipeline and dataset of a command, and its job. */
struct command_inputs {
    struct arena arena;
    struct plan plan;
    struct dataset dataset;
    struct job job;
    struct donor_table donors;
    const struct layout *layout; /* of OUT, if the dataset is combined of parts; or NULL */
    const char *dense_ids;       /* why annotations.ids, which is auto, became dense; or NULL */
    bool takes_stdin;            /* the command can read images from stdin, once */
};

/* Sets the job to the options. The plan and the dataset are still empty. */
void open_job(const struct job_options *, struct command_inputs *);

/* Calls open_job, reads the pipeline, and applies the options that replace its keys. A command may
 * change the job before open_dataset. Call command_inputs_drop in any case. */
int open_pipeline(const struct job_options *, struct command_inputs *);

/* Reads the annotations into the job's dataset, with the list of images in another file if the
 * options name one; without annotations, lists the images. Prints deviations of the annotations
 * unless the job is quiet. */
int open_dataset(const struct job_options *, struct command_inputs *);

void command_inputs_drop(struct command_inputs *);

/* --- parts of open_dataset --- */

/* Reads images and their labels from one source, without joining parts. */
int open_source(const struct job_options *, struct command_inputs *);
/* Adds how to name the first archive in a folder, if it has any. */
void dataset_add_archive(struct text *why, const char *folder);
/* True if the options name a dataset by its layout, or its parts by names: see open_whole_dataset.
 */
bool is_whole_dataset(const struct job_options *);
/* In part_settings.c: reads --copies. */
int open_copies(const struct job_options *, struct command_inputs *);
/* After the dataset was read: which parts are transformed, and into how many copies. */
int open_part_settings(const struct job_options *, struct command_inputs *);
/* Then, with --balance or --repeat-threshold: the number of copies of each image. */
int open_balance(const struct job_options *, struct command_inputs *);
/* In whole_dataset.c: finds the parts of the dataset. Without names of parts, and if the path is
 * not a dataset in a layout, there are none. Named parts may have no images unless these are
 * needed. */
struct found_layout;
int find_whole_dataset(const struct job_options *, bool needs_images, struct arena *,
                       struct found_layout *);
/* In whole_dataset.c: reads all parts of a dataset, and combines them. */
int open_whole_dataset(const struct job_options *, struct command_inputs *);
/* In packing.c: lets the job pack its outputs into tars, and reads when a tar is full. */
int open_packing(const struct job_options *, struct job *);
/* Chooses the format of OUT for tars: COCO with an index, unless --to names a format of label
 * files. A dataset in tars becomes tars, unless --out-format dir is given. The target is the layout
 * of --to, or NULL. */
struct layout;
int open_choose_packing(struct job_options *, const struct layout *source,
                        const struct layout *target, struct job *);
/* Refuses --shard-size without tars. */
int open_check_shard_size(const struct job_options *, const struct job *);
/* In whole_dataset.c: makes one part of a source that was read, if the layout of OUT always has
 * parts. */
int divide_source(const struct job_options *, struct command_inputs *);
/* In part_overlap.c: warns of images that are in several parts of the dataset; fails with
 * --strict-parts. */
int open_check_overlap(const struct job_options *, const struct command_inputs *);

/* Reads the annotations and their list of images. */
int open_annotations(const struct job_options *, struct command_inputs *);
/* Reads the annotations that are next to the images in archives. */
struct samples;
int open_sample_labels(const struct job_options *, const struct samples *, struct command_inputs *);
/* Lists the job's images, with their folders as classes. */
int open_class_folders(const struct job_options *, struct job *, struct dataset *);
/* Reads the file of --classes, if it is given, into the dataset. */
int open_classes(const struct job_options *, struct dataset *);
/* Refuses options that have no effect on the annotations. */
int open_check_options(const struct job_options *, const struct command_inputs *);
/* Fails if the dataset lacks something that the pipeline needs, and warns of probable mistakes.
 * `masks`: the job has label masks. */
int open_check(const struct plan *, int verbosity, struct dataset *, bool masks);
/* Sets the list of classes of the outputs, as open_check does. */
int open_class_steps(const struct plan *, struct dataset *);
/* Warns of parameters that have the default of another library's transform with the same name. */
void warn_of_defaults(const struct plan *);

/* --- after open_dataset --- */

/* Chooses the images of the dataset that the options and operands name, for the job. Operands may
 * start with the images' folder. */
int open_choice(const struct job_options *, struct command_inputs *, const char *const *operand);

/* Finds the parts of the dataset (train, val, ...) that have outputs of the chosen images, and
 * prints what the written index lacks. */
int open_parts(struct command_inputs *);

/* Contains the processes that decode for the job from now on (sandbox_enter), as far as the kernel
 * can. The job's images must be known. */
void open_contained(struct job *);

/* Images that are shown one by one. */
struct shown_images {
    size_t *record, n; /* indices in the dataset, in the arena of the inputs */
};

/* Selects from the chosen images: the operands in their order; without operands, the first `limit`
 * of the options, or `sample` at random. Checks names from annotations before a file is opened:
 * they may lead anywhere. */
int open_shown(const struct job_options *, struct command_inputs *, const char *const *operand,
               struct shown_images *);

/* --- in label_file.c, for commands that open no image --- */

/* Refuses a folder of labels, since no option names its images. */
int open_without_images(const char *path);
/* Reads annotations in one file, and the list of images of results ("": none). */
int open_label_file(const char *path, const char *image_list, const char *classes, int verbosity,
                    struct command_inputs *);
/* Reads a folder of labels. The job names the folder of its images. */
int open_label_folder(const char *path, const char *image_list, const char *classes, int voc_base,
                      struct command_inputs *);

/* --- in output_file.c --- */

/* Checks that the file of a command may be written; writes it. */
int open_out_check(const char *path, bool overwrite);
int open_out_write(const char *path, bool overwrite, const struct text *bytes);
/* True if the path is an image of the job, which a file that is written must not replace. */
bool open_is_image(const char *path, const struct job *);
/* Checks that a folder may be written: it is empty or does not exist, unless it may be overwritten.
 */
int open_out_check_folder(const char *path, bool overwrite);
/* Prints why an output cannot be written, if `code` is not EXIT_DONE, and drops `why`. Returns
 * `code`. */
int open_out_failed(const char *path, struct text *why, int code);

/* --- in one_hot.c: the table of --one-hot; path "": none --- */

/* Checks that the table may be written, outside the folder `out`. */
int open_one_hot_check(const char *path, const char *out, bool overwrite);
/* Refuses a table that would replace a file or an image of the dataset. */
int open_one_hot_check_sources(const char *path, const struct job *);
/* Writes the table if `code` says that the folder `out` is finished. */
int open_one_hot_write(const char *path, const char *out, bool overwrite, int code);
/* Checks, with --resume, that an existing file is such a table of the dataset. */
int open_one_hot_check_former(const char *path, const struct dataset *);
