/* dataset: how commands open the pipeline and the dataset that their job_options name. */
#pragma once

#include "batch/dataset/donor_table.h"
#include "batch/dataset/job.h"
#include "batch/dataset/resolve_names.h"
#include "options/job.h"

/* Where labels of images are from, beside annotations. */
enum image_labels { IMAGE_LABELS_NONE, IMAGE_LABELS_FOLDERS };

/* Annotations that deviate from COCO. */
enum compat { COMPAT_REPAIR, COMPAT_LENIENT, COMPAT_STRICT };

/* Read the pipeline at `path` into the plan. EXIT_DONE, or another code after printing why. */
int open_plan(const char *path, struct plan *);

/* What a command opens: it lives as long as this. */
struct opened {
    struct arena arena;
    struct plan plan;
    struct dataset dataset;
    struct job job;
    struct donor_table donors;
    const char *dense_ids; /* why annotations.ids, which is auto, became dense; or NULL */
    bool takes_stdin;      /* of a command that can do with images that are read once, from stdin */
};

/* What was opened is the job that the options ask for, of a plan and a dataset that are yet to be
 * read. */
void open_job(const struct job_options *, struct opened *);

/* The same, and read the pipeline that the options name, and put what they say in place of it. The
 * job is what they ask for; a command may change it before open_dataset. EXIT_DONE, or another code
 * after printing why; opened_drop in any case. */
int open_pipeline(const struct job_options *, struct opened *);

/* Read the annotations, with the images of another file if the options name one, or list the images
 * when there are none, into the job's dataset. How annotations deviate is printed, unless the job
 * is to be quiet. EXIT_DONE, or another code after printing why. */
int open_dataset(const struct job_options *, struct opened *);

/* Parts of open_dataset. Prints notes unless quiet, and keeps them in the dataset. */
void open_take_notes(struct faults *notes, int verbosity, struct dataset *);
/* Does the pipeline ask for what the dataset has, and the dataset say what the pipeline needs?
 * Prints what is wrong, and warnings of what works but hardly is meant. `masks`: the job has
 * pictures of labels. Returns the exit code. */
int open_check(const struct plan *, int verbosity, struct dataset *, bool masks);

void opened_drop(struct opened *);

/* Warn of parameters that have the default of another library's transform of the same name. */
void warn_of_defaults(const struct plan *);

/* What was made of annotations that were changed meanwhile is nothing: EXIT_INPUT after saying so,
 * else `code`. Asked when the work is done, before its result is written. */
int open_end(int code);

/* Choose the images of the dataset that the options and the operands name (with the images' folder
 * before them, or not), into the job. EXIT_DONE, or another code after printing why. */
int open_choice(const struct job_options *, struct opened *, const char *const *operand);

/* Find the parts of the dataset (train, val, ...) that the outputs of the chosen images are in,
 * and print what the written index lacks. EXIT_DONE, or another code after printing why. */
int open_parts(struct opened *);

/* Images that are shown one by one. */
struct shown_images {
    size_t *record, n; /* of the dataset; in the arena of what was opened */
};

/* Of those that are chosen: the operands in their order, or without them the first `limit` of the
 * options, or `sample` at random. Names from an annotation file may lead anywhere, and are checked
 * before one is opened. EXIT_DONE, or another code after printing why. */
int open_shown(const struct job_options *, struct opened *, const char *const *operand,
               struct shown_images *);

/* Refuses a folder of labels whose images no option names. Prints why, and returns the exit code.
 */
int open_without_images(const char *path);
/* Of commands that look at no image: read annotations in one file, and the list of images of
 * results if there is one ("" for none). EXIT_DONE, or another code after printing why. */
int open_label_file(const char *path, const char *image_list, int verbosity, struct opened *);
/* The same of a folder of labels, for whose images the job names a folder. */
int open_label_folder(const char *path, const char *image_list, const char *classes, int voc_base,
                      struct opened *);

/* --- in output_file.c --- */

/* Check if the file that a command writes may be written, and write it (output_file.h). The exit
 * code, after printing why. */
int open_out_check(const char *path, bool overwrite);
int open_out_write(const char *path, bool overwrite, const struct text *bytes);
/* Check if a folder may be written: it is empty or does not exist, unless it may be written over.
 * The exit code, after printing why. */
int open_out_check_folder(const char *path, bool overwrite);
/* Print why an output cannot be written; `why` is dropped. Returns the exit code. */
int open_out_failed(const char *path, struct text *why, int code);
int open_out_refuse(const char *path, const char *code_word, const char *why, int code);

/* The table of labels that --one-hot asks for ("": none): may it be written, beside the folder
 * `out`; and write it when that is finished, as `code` says. The exit code, after printing why. */
int open_one_hot_check(const char *path, const char *out, bool overwrite);
int open_one_hot_write(const char *path, const char *out, bool overwrite, int code);
/* With --resume: is the file that is there such a table? The exit code, after printing why. */
int open_one_hot_check_former(const char *path, const struct dataset *);

/* --- for open*.c --- */

/* Print why something on the command line, or the file there, cannot be; the text is dropped.
 * Returns the exit code. */
int open_complain(const char *path, struct text *why, const char *code_word, int code);
/* Processes of the job that decode are contained from now on (sandbox_enter), as far as the kernel
 * can. Its images are known. */
void open_contained(struct job *);
/* "stdin" for "-". */
const char *open_input_name(const char *path);
/* In what a run writes, a file goes by its name: where it was does not matter. */
const char *open_base_name(const char *path);
/* Take a byte order mark from the text, and note it: editors do not count it as a column, nor do
 * the places of faults. */
void open_skip_mark(struct faults *);
/* Read the file of --classes, if it is given, into the dataset. EXIT_DONE, or another code after
 * printing why. */
int open_classes(const struct job_options *, struct dataset *);
/* Refuses options that cannot say anything about the annotations that were read. */
int open_check_options(const struct job_options *, const struct opened *);
/* Read annotations and their list of images: the first part of open_dataset. */
int open_annotations(const struct job_options *, struct opened *);
/* The same of those that stand beside the images in archives. */
struct samples;
int open_sample_labels(const struct job_options *, const struct samples *, struct opened *);
