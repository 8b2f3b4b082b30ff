/* job: the option rows of the commands that open a pipeline. A row is written once for all commands
 * that take it; a group's rows are in the order of help. */
#include "options/job.h"
#include "options/label_options.h"

#include "batch/dataset/job.h"
#include "batch/process/sandbox.h"
#include "batch/dataset/target_format.h"
#include "batch/output/output_names.h"

enum {
    FOR_IMAGES = FOR_RUN | FOR_PREVIEW | FOR_EXPLAIN | FOR_PROFILE, /* they read a dataset */
    FOR_FILES = FOR_IMAGES | FOR_REPLAY | FOR_CONVERT,              /* they read image files */
    FOR_WORK = FOR_RUN | FOR_REPLAY | FOR_CONVERT | FOR_CONCAT,     /* they write a folder */
    FOR_ALL = FOR_IMAGES | FOR_COMPILE,
};

static const struct choice compat_choices[] = {
    { "repair", COMPAT_REPAIR,
      "reads deviations that have one meaning, and prints each kind once; refuses the others" },
    { "lenient", COMPAT_LENIENT,
      "also reads what may be wrong, as it is, with a warning where the other modes refuse" },
    { "strict", COMPAT_STRICT, "refuses all deviations" },
    { 0 },
};

static const struct choice on_error_choices[] = {
    { "fail", ON_ERROR_FAIL, "the first image that fails ends the run" },
    { "skip", ON_ERROR_SKIP, "images that fail are left out and listed in errors.jsonl" },
    { 0 },
};

static const struct choice preview_on_error[] = {
    { "fail", ON_ERROR_FAIL, "the first image that fails ends the preview" },
    { "skip", ON_ERROR_SKIP, "a message replaces each image that fails" },
    { 0 },
};

const struct choice labels_choices[] = {
    { "none", IMAGE_LABELS_NONE, "the annotations of -a, if given" },
    { "folders", IMAGE_LABELS_FOLDERS,
      "the class is the first folder of the image's path. Classes are numbered from 0 by their "
      "sorted names, as torchvision's ImageFolder does. If all first folders are called train, "
      "val, valid, validation or test, the class is the second folder. Empty folders count; "
      "outputs keep their folders" },
    { 0 },
};

static const struct choice progress_choices[] = {
    { "auto", PROGRESS_AUTO, "a bar on a terminal, otherwise lines" },
    { "bar", PROGRESS_BAR, "a bar" },
    { "plain", PROGRESS_PLAIN, "a line from time to time" },
    { "none", PROGRESS_NONE, "nothing" },
    { 0 },
};

static const struct choice durability_choices[] = {
    { "none", DURABILITY_NONE, "never: the system decides when it writes them" },
    { "batch", DURABILITY_BATCH,
      "every few seconds, and all before the run ends with code 0; after a crash, --resume repeats "
      "what came after the last flush" },
    { "file", DURABILITY_FILE, "each file before its image counts as done" },
    { 0 },
};

static const struct choice out_formats[] = {
    { "dir", 0, "files in OUT/images, OUT/masks and OUT/labels" },
    { "webdataset", 1, "tars of samples, OUT/train-000000.tar and so on; see lockstep help tars" },
    { 0 },
};

#define O struct job_options
const struct option job_options[] = {
    /* input */
    { FOR_REPLAY, 'm', "FILE",
      TEXT(O, manifest, .help = "the manifest of a run, or some of its lines. - for stdin",
           .group = OPTIONS_INPUT) },
    { FOR_ALL, 'p', "FILE",
      TEXT(O, pipeline,
           .help = "the pipeline: a JSON file or a built-in name. `lockstep list pipelines` prints "
                   "the names; - is stdin",
           .group = OPTIONS_INPUT) },
    { FOR_RUN | FOR_REPLAY | FOR_CONVERT | FOR_PREVIEW | FOR_PROFILE, 'i', "PATH",
      NAMES(O, images, .preset = "null",
            .help = "a folder of images, one image file, or an archive. Archives are tar or ZIP "
                    "files; a range such as 'train-{000..015}.tar' names several, and compressed "
                    "ones are unpacked to TMPDIR. For run, - is an archive on stdin",
            .group = OPTIONS_INPUT) },
    { FOR_EXPLAIN, 'i', "PATH",
      NAMES(O, images, .preset = "null",
            .help = "a folder of images, or one image file. Without it, explain shows the worst "
                    "case",
            .group = OPTIONS_INPUT) },
    { FOR_FILES, 'a', "PATH",
      NAMES(O, annotations, .preset = "null",
            .help = "annotations: a COCO file, label folder, or dataset. A "
                    "label folder has a file for each image, in a format of `lockstep list "
                    "formats`. A .csv has labels of whole images. Without annotations, all images "
                    "of the folder are taken. Without -i, this is a dataset with its images, such "
                    "as a data.yaml, or a folder in a layout of `lockstep list layouts`. -a "
                    "train=FILE -a val=FILE names the annotations of parts, and -i train=DIR -i "
                    "val=DIR their images; a -i without a name is for all parts",
            .group = OPTIONS_INPUT) },
    { FOR_IMAGES | FOR_CONVERT | FOR_CONCAT, 0, "NAME",
      NAMES(O, part, .preset = "null", .help = "take only this part of a dataset, such as train",
            .group = OPTIONS_INPUT) },
    { FOR_RUN, 0, "NAME",
      NAMES(O, apply_to, .preset = "null",
            .help = "transform only this part of a dataset. The images and annotations "
                    "of the other parts are passed through unchanged, so that the output is a "
                    "whole dataset",
            .group = OPTIONS_OUTPUT) },
    { FOR_RUN, 0, "HOW",
      CHOICE(O, link, .preset = "\"copy\"", .choices = file_link_choices,
             .help = "with --apply-to: how the files of the other parts get into OUT",
             .group = OPTIONS_OUTPUT, .rare = true) },
    { FOR_RUN, 0, NULL,
      FLAG(O, strict_parts, .preset = "false",
           .help = "fail if an image is in two parts of the dataset. Without this option, that is "
                   "a warning",
           .group = OPTIONS_INPUT, .rare = true) },
    { FOR_FILES, 0, "DIR",
      NAMES(O, masks, .preset = "null",
            .help = "a folder of label masks, gray or with a palette. Each mask has the path and "
                    "stem of its image. --masks train=DIR names those of a part. For panoptic "
                    "annotations, this is the folder of their PNGs; "
                    "without it, the folder that is named like their file, without .json",
            .group = OPTIONS_INPUT) },
    { FOR_IMAGES, 0, "TEMPLATE",
      TEXT(O, mask_name, .preset = "\"\"",
           .help = "template of the mask's name, for --masks. It uses the image's folder, stem and "
                   "suffix: {stem}_L.png, or {dir}/{stem/_leftImg8bit/_gtFine_labelIds}.png, where "
                   "the second text replaces the first",
           .group = OPTIONS_INPUT, .rare = true) },
    { FOR_REPLAY, 0, "FILE",
      TEXT(O, run, .preset = "\"\"",
           .help = "the run's run.json. Needed if it is not next to the manifest",
           .group = OPTIONS_INPUT) },
    { FOR_RUN, 0, "WHAT",
      CHOICE(O, exif, .preset = "\"apply\"", .choices = exif_choices,
             .help = "what to do with the EXIF orientation. Replaces the pipeline's `exif`",
             .group = OPTIONS_INPUT, .rare = true) },
    { FOR_RUN, 0, "WHAT",
      CHOICE(O, on_frames, .preset = "\"first\"", .choices = on_frames_choices,
             .help = "what to do with several frames or pages. GIF, WebP, PNG and TIFF files can "
                     "have them, as images and as masks",
             .group = OPTIONS_INPUT, .rare = true) },
    { FOR_FILES | FOR_CONCAT, 0, NULL,
      FLAG(O, no_follow, .preset = "false",
           .help = "refuse symbolic links in folders of images and masks. Without it, they are "
                   "followed wherever they lead",
           .group = OPTIONS_INPUT, .rare = true) },
    { FOR_FILES | FOR_CONCAT, 0, "N",
      WHOLE(O, max_pixels, .preset = "268402689", .limit = { 1, 1 << 30 }, .unit = "pixels",
            .help = "refuse images and masks that have more pixels. Their headers tell the size",
            .group = OPTIONS_INPUT, .rare = true) },

    /* choosing images */
    { FOR_IMAGES, 0, "GLOB",
      NAMES(O, include, .preset = "null",
            .help = "take only images whose names match. Examples: 'train/*', '*_left.png'. * also "
                    "matches slashes; a pattern without a slash is compared with the last part of "
                    "the name, too",
            .group = OPTIONS_CHOICE) },
    { FOR_IMAGES, 0, "GLOB",
      NAMES(O, exclude, .preset = "null", .help = "leave out images whose names match",
            .group = OPTIONS_CHOICE) },
    { FOR_IMAGES, 0, "FILE",
      TEXT(O, images_from, .preset = "\"\"",
           .help = "take the images that this file names. It has one name per line, or ends each "
                   "with NUL, with or without the suffix. The column -1, 0 or 1 of Pascal VOC's "
                   "lists is ignored; - is stdin",
           .group = OPTIONS_CHOICE, .rare = true) },
    { FOR_IMAGES, 0, "NAMES",
      NAMES(O, categories, .preset = "null",
            .help = "take images with objects of any of these categories. Commas separate names: "
                    "person,car; all objects of such an image stay",
            .group = OPTIONS_CHOICE, .rare = true) },
    { FOR_RUN, 0, "N",
      WHOLE(O, limit, .preset = "0", .limit = { 0, 9007199254740992 },
            .help = "take the first N images only. 0: all", .group = OPTIONS_CHOICE) },
    { FOR_PREVIEW, 0, "N",
      WHOLE(O, limit, .preset = "4", .limit = { 1, 9007199254740992 },
            .help = "without NAMEs, show the first N images", .group = OPTIONS_CHOICE) },
    { FOR_EXPLAIN, 0, "N",
      WHOLE(O, limit, .preset = "1", .limit = { 1, 9007199254740992 },
            .help = "without NAMEs, take the first N images", .group = OPTIONS_CHOICE) },
    { FOR_PROFILE, 0, "N",
      WHOLE(O, limit, .preset = "20", .limit = { 1, 9007199254740992 },
            .help = "without NAMEs, take the first N images", .group = OPTIONS_CHOICE) },
    { FOR_PREVIEW, 0, "N",
      WHOLE(O, sample, .preset = "0", .limit = { 0, 9007199254740992 },
            .help = "without NAMEs, show N images chosen at random. The seed decides which; 0: the "
                    "first ones",
            .group = OPTIONS_CHOICE) },
    { FOR_REPLAY, 0, "GLOB|@FILE",
      NAMES(O, only, .preset = "null",
            .help = "replay the lines whose source or output matches. @FILE: the lines whose "
                    "source or output is named in the file, one name per line or each ended by "
                    "NUL",
            .group = OPTIONS_CHOICE) },

    /* labels */
    { FOR_FILES | FOR_CONCAT, 0, "FILE",
      TEXT(O, classes, .preset = "\"\"",
           .help =
               "the names of the classes, in order, for all labels. The file has one "
               "name per line, or is a data.yaml, or a COCO file with categories. A class of "
               "the labels that the file lacks is an error. Ids of COCO's categories are those "
               "of a COCO FILE; otherwise categories keep their ids, and new ones get ids above "
               "all others. Without the option, the classes are those of a COCO file, of a "
               "data.yaml, or of a classes.txt in the labels' folder or above it; if there is "
               "none, all names that occur, in alphabetical order. Called --names in earlier "
               "versions",
           .was = "--names", .group = OPTIONS_LABELS) },
    { FOR_FILES, 0, "WHAT",
      CHOICE(O, labels, .preset = "\"none\"", .choices = labels_choices,
             .help = "the labels of images, without -a", .group = OPTIONS_LABELS) },
    { FOR_CONVERT, 0, "FORMAT",
      CHOICE(O, to, .choices = target_choices,
             .help = "the format to write. See lockstep help datasets", .group = OPTIONS_LABELS) },
    { FOR_CONCAT, 0, "FORMAT",
      CHOICE(O, to, .preset = "\"same\"", .choices = target_choices,
             .help = "the format to write. The default is the format of the first dataset",
             .group = OPTIONS_LABELS) },
    { FOR_CONVERT | FOR_CONCAT, 0, "HOW",
      CHOICE(O, link, .preset = "\"copy\"", .choices = file_link_choices,
             .help = "how the files of images get into OUT", .group = OPTIONS_OUTPUT) },
    { FOR_RUN, 0, "FORMAT",
      CHOICE(O, to, .preset = "\"same\"", .choices = target_choices,
             .help = "format of the annotations written. See lockstep help coco",
             .group = OPTIONS_LABELS) },
    { FOR_RUN | FOR_CONVERT | FOR_CONCAT, 0, NULL,
      FLAG(O, lossy, .preset = "false",
           .help = "with --to: drop what the target format cannot represent, and list it",
           .group = OPTIONS_LABELS, .rare = true) },
    { FOR_RUN, 0, "FILE",
      TEXT(O, one_hot, .preset = "\"\"", .writes = WRITES_FILE,
           .help = "write the labels of images as a table, too. It has one row per output and one "
                   "column per category, in the order of ids. It is a CSV file whose first row "
                   "names the categories; or, if FILE ends in .npy, float32 for NumPy, with the "
                   "names in NAME.classes.txt",
           .group = OPTIONS_LABELS, .rare = true) },
    { FOR_FILES, 0, "FILE",
      TEXT(O, image_list, .preset = "\"\"",
           .help = "for results as -a: the COCO file with their images and categories",
           .group = OPTIONS_LABELS, .rare = true) },
    { FOR_IMAGES | FOR_CONVERT | FOR_CONCAT, 0, "HOW",
      CHOICE(O, compat, .preset = "\"repair\"", .choices = compat_choices,
             .help = "how to read annotations that deviate from COCO. See lockstep help compat",
             .group = OPTIONS_LABELS) },
    VOC_BASE_OPTION(FOR_IMAGES, O),
    { FOR_RUN | FOR_CONVERT | FOR_CONCAT, 0, NULL,
      FLAG(O, voc_integers, .preset = "false",
           .help = "write the corners of boxes in Pascal VOC files as integers, which some readers "
                   "need. They are rounded, halves outward, and a box keeps one pixel",
           .group = OPTIONS_LABELS, .rare = true) },
    STRIP_PREFIX_OPTION(FOR_IMAGES, O),
    MATCH_OPTION(FOR_IMAGES, O),
    { FOR_IMAGES | FOR_CONVERT | FOR_CONCAT, 0, "WHAT",
      CHOICE(O, trust, .preset = "\"both\"", .choices = trust_choices,
             .help =
                 "what to do if annotations and file differ on an image's size. Report an error "
                 "(both), or use the size of the file (file)",
             .group = OPTIONS_LABELS, .rare = true) },

    /* output */
    { FOR_RUN | FOR_CONVERT | FOR_CONCAT, 'o', "DIR",
      TEXT(O, out, .preset = "\"\"", .writes = WRITES_FOLDER | WRITES_STDOUT,
           .help =
               "the folder to write; must be empty or not exist. On stdout, the output is a tar "
               "of samples: see lockstep help tars. Required unless --dry-run is given",
           .group = OPTIONS_OUTPUT) },
    { FOR_REPLAY, 'o', "DIR",
      TEXT(O, out, .preset = "\"\"", .writes = WRITES_FOLDER,
           .help = "the folder to write; must be empty or not exist", .group = OPTIONS_OUTPUT) },
    { FOR_PREVIEW, 'o', "FILE",
      TEXT(O, out, .preset = "\"preview.png\"", .writes = WRITES_FILE, .help = "the PNG to write",
           .group = OPTIONS_OUTPUT) },
    { FOR_COMPILE, 'o', "FILE",
      TEXT(O, out, .preset = "\"-\"", .writes = WRITES_FILE | WRITES_STDOUT,
           .help = "the file to write", .group = OPTIONS_OUTPUT) },
    { FOR_RUN, 'n', "N",
      NAMES_AS(O, part_copies, "copies", .preset = "null",
               .help = "outputs per image, 1 to 100000 (default 1). train=8 is for the images of "
                       "one part of a dataset",
               .group = OPTIONS_OUTPUT) },
    { FOR_RUN, 0, "N|max",
      TEXT(O, balance, .preset = "\"\"",
           .help = "copy images until each class has N objects. max: as many as the most frequent "
                   "class. Images with the rarest class are copied first. --dry-run prints the "
                   "numbers of objects before and after",
           .group = OPTIONS_OUTPUT, .rare = true) },
    { FOR_RUN, 0, "SHARE",
      NUMBER(O, repeat_threshold, .preset = "0", .limit = { 0, 1 },
             .help = "copy images of classes that are in less than this share of the images. This "
                     "is the repeat-factor sampling of LVIS: sqrt(SHARE / share of the class) "
                     "copies",
             .group = OPTIONS_OUTPUT, .rare = true) },
    { FOR_RUN, 0, "N",
      INTEGER(O, max_copies, .preset = "10", .limit = { 1, 100000 },
              .help = "with --balance and --repeat-threshold: outputs per image at most. Ids and "
                      "names are made for this number, so that they do not depend on other images",
              .group = OPTIONS_OUTPUT, .rare = true) },
    { FOR_EXPLAIN | FOR_PROFILE, 'n', "N",
      INTEGER(O, copies, .preset = "1", .limit = { 1, 100000 }, .help = "outputs per image",
              .group = OPTIONS_OUTPUT) },
    { FOR_PREVIEW, 'n', "N",
      INTEGER(O, copies, .preset = "4", .limit = { 1, 1000 },
              .help = "copies to show of each image. They are the outputs that run -n makes",
              .group = OPTIONS_OUTPUT) },
    { FOR_RUN, 0, NULL,
      FLAG(O, include_original, .preset = "false",
           .help = "also write each image untransformed, as its copy 0", .group = OPTIONS_OUTPUT) },
    { FOR_IMAGES, 0, "N",
      WHOLE(O, seed, .preset = "0", .limit = { 0, 9007199254740992 },
            .help = "seed of the random numbers. Replaces the pipeline's `seed`",
            .group = OPTIONS_OUTPUT) },
    { FOR_RUN, 0, "FORMAT",
      CHOICE(O, format, .preset = "\"same\"", .choices = output_formats,
             .help = "file format of the images. Replaces the pipeline's",
             .group = OPTIONS_OUTPUT) },
    { FOR_RUN, 0, "Q",
      INTEGER(O, quality, .preset = "95", .limit = { 1, 100 },
              .help = "quality of JPEG and WebP. Replaces the pipeline's", .group = OPTIONS_OUTPUT,
              .rare = true) },
    { FOR_RUN, 0, "WHAT",
      CHOICE(O, metadata, .preset = "\"keep\"", .choices = metadata_choices,
             .help = "which metadata of images to write. Replaces the pipeline's",
             .group = OPTIONS_OUTPUT, .rare = true) },
    { FOR_RUN, 0, "TEMPLATE",
      TEXT(O, name_template, .preset = "\"\"",
           .help = "template of the names of outputs, without the suffix. It uses the image's "
                   "folder, stem and suffix, and the number of the output: "
                   "{dir}/{stem}_{ext}__{copy}. In a dataset with parts, names begin after the "
                   "folder of the part",
           .group = OPTIONS_OUTPUT, .rare = true) },
    { FOR_RUN, 0, "FORMAT",
      CHOICE(O, out_format, .preset = "\"dir\"", .choices = out_formats,
             .help = "how outputs are stored", .group = OPTIONS_OUTPUT) },
    { FOR_RUN | FOR_CONVERT | FOR_CONCAT, 0, "SIZE",
      TEXT(O, shard_size, .preset = "\"\"",
           .help = "with --to webdataset: when a tar is full. Give a number of samples "
                   "(5000) or of bytes (500K, 200M, 3G; 1K is 1000 bytes); the default is 100000 "
                   "samples or 3G",
           .group = OPTIONS_OUTPUT, .rare = true) },
    { FOR_PREVIEW, 0, "PX",
      INTEGER(O, width, .preset = "320", .limit = { 64, 4096 }, .unit = "pixels",
              .help = "width of each picture on the sheet", .group = OPTIONS_OUTPUT) },
    { FOR_PREVIEW, 0, "N",
      INTEGER(O, columns, .preset = "0", .limit = { 0, 100 },
              .help = "images side by side. 0: one; of many images, as many as make the sheet "
                      "about square",
              .group = OPTIONS_OUTPUT) },
    { FOR_PREVIEW, 0, NULL,
      FLAG(O, no_labels, .preset = "false", .help = "show pictures without their labels",
           .group = OPTIONS_OUTPUT) },
    { FOR_PREVIEW, 0, "X",
      NUMBER(O, opacity, .preset = "0.34", .limit = { 0, 1 },
             .help = "opacity of the fill of outlines and label masks. 0: no fill; 1 hides the "
                     "picture",
             .group = OPTIONS_OUTPUT, .rare = true) },
    { FOR_PREVIEW, 0, NULL,
      FLAG(O, reasons, .preset = "false",
           .help = "under each copy, print how many objects are dropped. The reasons are printed, "
                   "too",
           .group = OPTIONS_OUTPUT) },
    { FOR_REPLAY, 0, NULL,
      FLAG(O, verify, .preset = "false",
           .help = "compare the outputs with the files in OUT. Nothing is written. Without -o, the "
                   "outputs are compared with the hashes in the manifest",
           .group = OPTIONS_OUTPUT) },
    { FOR_WORK, 0, NULL,
      FLAG(O, checksums, .preset = "false",
           .help = "write SHA-256 hashes of sources and outputs. They are in the manifest, and in "
                   "SHA256SUMS, which sha256sum -c reads; see lockstep verify",
           .group = OPTIONS_OUTPUT, .rare = true) },
    { FOR_EXPLAIN, 0, NULL,
      FLAG(O, json, .preset = "false", .help = "print one line of JSON per copy",
           .group = OPTIONS_OUTPUT) },
    { FOR_PROFILE, 0, NULL,
      FLAG(O, json, .preset = "false", .help = "print one line of JSON per row",
           .group = OPTIONS_OUTPUT) },
    { FOR_EXPLAIN, 0, NULL,
      FLAG(O, fail_on_break, .preset = "false",
           .help = "exit with code 1 if there is more than one pass", .group = OPTIONS_OUTPUT) },
    { FOR_WORK, 0, NULL,
      FLAG(O, overwrite, .preset = "false",
           .help = "replace an earlier result in the output folder. Its files are replaced as soon "
                   "as the new result is complete; other files stay",
           .group = OPTIONS_OUTPUT) },
    { FOR_PREVIEW | FOR_COMPILE, 0, NULL,
      FLAG(O, overwrite, .preset = "false", .help = "replace the file if it exists",
           .group = OPTIONS_OUTPUT) },
    { FOR_RUN, 0, NULL,
      FLAG(O, dry_run, .preset = "false",
           .help = "write nothing; print the manifest to stdout. All random values are drawn",
           .group = OPTIONS_OUTPUT) },

    /* errors and limits */
    { FOR_PREVIEW, 0, "WHAT",
      CHOICE(O, on_error, .preset = "\"fail\"", .choices = preview_on_error,
             .help = "what to do if an image cannot be read or transformed",
             .group = OPTIONS_ERRORS) },
    { FOR_WORK, 0, "WHAT",
      CHOICE(O, on_error, .preset = "\"fail\"", .choices = on_error_choices,
             .help = "what to do if an image cannot be read or transformed",
             .group = OPTIONS_ERRORS) },
    { FOR_WORK, 0, "N",
      OPTIONAL(O, max_errors, .preset = "null", .whole = true, .limit = { 0, 9007199254740992 },
               .help = "with --on-error skip: how many images may fail before the run ends. "
                       "Without it, any number may fail",
               .group = OPTIONS_ERRORS, .rare = true) },
    { FOR_WORK, 0, NULL,
      FLAG(O, resume, .preset = "false",
           .help = "continue a run that was stopped. The result is the same as without the stop. "
                   "Images whose inputs changed are processed again, as lockstep help inputs "
                   "describes. After a finished run nothing is processed, and a newer image is "
                   "refused. In an empty folder, a normal run starts. With --overwrite, a result "
                   "that cannot be resumed is replaced",
           .group = OPTIONS_ERRORS) },
    { FOR_WORK, 0, NULL,
      FLAG(O, verify_resume, .preset = "false",
           .help = "with --resume: read every file that is kept. Otherwise only its size is "
                   "compared. For the files of a finished run, use lockstep verify",
           .group = OPTIONS_ERRORS, .rare = true) },
    { FOR_WORK, 0, "S",
      INTEGER(O, timeout, .preset = "300", .limit = { 0, 1000000 },
              .help = "seconds that an image and all its outputs may take. 0: no limit",
              .group = OPTIONS_ERRORS, .rare = true) },
    { FOR_WORK, 0, "MIB",
      INTEGER(O, max_memory, .preset = "0", .limit = { 0, 1 << 24 },
              .help = "memory of each worker. Mapped files do not count. 0: the worker's share of "
                      "half of the memory of the machine or the control group",
              .group = OPTIONS_ERRORS, .rare = true) },
    { FOR_WORK, 0, "WHEN",
      CHOICE(O, durability, .preset = "\"batch\"", .choices = durability_choices,
             .help = "when outputs are flushed, so that they survive a crash of the machine",
             .group = OPTIONS_ERRORS, .rare = true) },
    { FOR_WORK, 0, "HOW",
      CHOICE(O, sandbox, .preset = "\"auto\"", .choices = sandbox_choices,
             .help = "how far workers, which decode untrusted files, are contained. Contained "
                     "workers read only inputs and libraries, write only below the output folder, "
                     "have no network, and start no programs",
             .group = OPTIONS_ERRORS, .rare = true) },

    /* speed and shards */
    { FOR_WORK, 'j', "N",
      INTEGER(O, jobs, .preset = "0", .limit = { 0, 1024 },
              .help = "worker processes; 0: one per processor. The number changes no byte of the "
                      "output",
              .group = OPTIONS_SCALE) },
    { FOR_RUN, 0, "I/N",
      TEXT(O, shard, .preset = "\"\"",
           .help = "process part I of N, counted from 0. All parts write to the same DIR, and "
                   "lockstep merge puts them together. auto: the task of a job array of Slurm, "
                   "Grid Engine or AWS Batch; auto/N: also of Kubernetes and PBS; parallel/N: of "
                   "GNU parallel",
           .group = OPTIONS_SCALE) },
    { FOR_RUN | FOR_EXPLAIN | FOR_PROFILE, 0, "HOW",
      CHOICE(O, optimize, .preset = "\"exact\"", .choices = optimize_choices,
             .help = "how ops are joined. Replaces the pipeline's `optimize`: `none` and `exact` "
                     "give the same bytes, and `fast` gives pixels within stated bounds",
             .group = OPTIONS_SCALE, .rare = true) },
    { FOR_PROFILE, 0, "N",
      INTEGER(O, repeat, .preset = "5", .limit = { 1, 10000 },
              .help = "how often to process each image, after one warm-up",
              .group = OPTIONS_SCALE) },
    { FOR_PREVIEW, 0, NULL,
      FLAG(O, no_preflight, .preset = "false",
           .help = "start without first reading all image headers, as a run does",
           .group = OPTIONS_SCALE, .rare = true) },
    { FOR_WORK, 0, NULL,
      FLAG(O, no_preflight, .preset = "false",
           .help = "start without first reading all image headers or listing ignored files",
           .group = OPTIONS_SCALE, .rare = true) },

    /* messages */
    { FOR_WORK | FOR_PREVIEW, 'q', NULL,
      FLAG(O, quiet, .preset = "false", .help = "print errors only", .group = OPTIONS_MESSAGES) },
    { FOR_FILES | FOR_CONCAT, 'v', NULL,
      FLAG(O, verbose, .preset = "false",
           .help = "print more. For example, harmless deviations of annotations",
           .group = OPTIONS_MESSAGES) },
    { FOR_WORK, 0, "HOW",
      CHOICE(O, progress, .preset = "\"auto\"", .choices = progress_choices,
             .help = "how progress is shown on stderr", .group = OPTIONS_MESSAGES, .rare = true) },
    OPTIONS_END,
};
#undef O
