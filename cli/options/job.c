/* job: the table of options of the commands that open a pipeline, in the order of help. */
#include "open/dataset.h"

#include "batch/process/sandbox.h"
#include "batch/dataset/target_format.h"
#include "batch/output/output_names.h"

enum {
    FOR_IMAGES = FOR_RUN | FOR_PREVIEW | FOR_EXPLAIN | FOR_PROFILE, /* of a dataset */
    FOR_FILES = FOR_IMAGES | FOR_REPLAY, /* of its files, whatever is done */
    FOR_WORK = FOR_RUN | FOR_REPLAY,     /* what writes */
    FOR_ALL = FOR_IMAGES | FOR_COMPILE,
};

static const struct choice compat_choices[] = {
    { "repair", COMPAT_REPAIR,
      "what has one meaning is read, and printed once for each kind; the rest is refused" },
    { "lenient", COMPAT_LENIENT,
      "so is what may be wrong, as it is, with a warning where others refuse" },
    { "strict", COMPAT_STRICT, "they are refused" },
    { 0 },
};

static const struct choice on_error_choices[] = {
    { "fail", ON_ERROR_FAIL, "the first image that fails ends the run" },
    { "skip", ON_ERROR_SKIP, "images that fail are left out and listed in errors.jsonl" },
    { 0 },
};

static const struct choice preview_on_error[] = {
    { "fail", ON_ERROR_FAIL, "the first image that fails ends it" },
    { "skip", ON_ERROR_SKIP, "a message takes the place of images that fail" },
    { 0 },
};

static const struct choice labels_choices[] = {
    { "none", IMAGE_LABELS_NONE, "those that -a has" },
    { "folders", IMAGE_LABELS_FOLDERS,
      "the first folder of each image's path, numbered from 0 by their sorted names, as "
      "torchvision's ImageFolder does it; the second one if all first ones are called train, val, "
      "valid, validation or test. Empty folders count; outputs keep their folders" },
    { 0 },
};

static const struct choice progress_choices[] = {
    { "auto", PROGRESS_AUTO, "a bar on a terminal, else lines" },
    { "bar", PROGRESS_BAR, "a bar" },
    { "plain", PROGRESS_PLAIN, "a line now and then" },
    { "none", PROGRESS_NONE, "nothing" },
    { 0 },
};

static const struct choice durability_choices[] = {
    { "none", DURABILITY_NONE, "never: the system writes them when it sees fit" },
    { "batch", DURABILITY_BATCH,
      "every few seconds, and all before the run ends with code 0: after a crash, --resume does "
      "again what came later" },
    { "file", DURABILITY_FILE, "each file before its image counts as done" },
    { 0 },
};

static const struct choice out_formats[] = {
    { "dir", 0, "files, in OUT/images, OUT/masks and OUT/labels" },
    { "webdataset", 1, "tars of samples, OUT/data-000000.tar and so on: see lockstep help tars" },
    { 0 },
};

const struct choice voc_base_choices[] = {
    { "auto", VOC_BASE_UNKNOWN,
      "as the files show: 0 if a corner is 0, 1 if they are of the VOC challenges, else 1" },
    { "0", VOC_BASE_0, "from 0" },
    { "1", VOC_BASE_1, "from 1" },
    { 0 },
};

#define O struct job_options
const struct option job_options[] = {
    { FOR_REPLAY, 'm', "FILE",
      TEXT(O, manifest, .help = "the manifest of a run, or some of its lines; - for stdin") },
    { FOR_ALL, 'p', "FILE",
      TEXT(O, pipeline,
           .help =
               "the pipeline, JSON; - for stdin; or a name that `lockstep list pipelines` has") },
    { FOR_WORK | FOR_PREVIEW | FOR_PROFILE, 'i', "PATH",
      NAMES(O, images,
            .help =
                "the folder of the images, or one image file, or a tar or ZIP archive (a range as "
                "'train-{000..015}.tar' is that of many; what is compressed is unpacked to "
                "TMPDIR). For run, - is an archive on stdin") },
    { FOR_EXPLAIN, 'i', "PATH",
      NAMES(O, images, .preset = "null",
            .help = "the folder of the images (or one image file); without it, the worst case") },
    { FOR_RUN, 'o', "DIR",
      TEXT(O, out, .preset = "\"\"", .writes = WRITES_FOLDER | WRITES_STDOUT,
           .help = "the folder to write; must be empty or not exist. Stdout is a tar of samples: "
                   "see lockstep help tars. Required but for --dry-run") },
    { FOR_REPLAY, 'o', "DIR",
      TEXT(O, out, .preset = "\"\"", .writes = WRITES_FOLDER,
           .help = "the folder to write; must be empty or not exist") },
    { FOR_REPLAY, 0, NULL,
      FLAG(O, verify, .preset = "false",
           .help = "write nothing: compare what would be written with what stands in OUT, or "
                   "without -o with the hashes of the manifest") },
    { FOR_REPLAY, 0, "FILE",
      TEXT(O, run, .preset = "\"\"",
           .help = "the run's run.json, if it does not stand beside the manifest") },
    { FOR_REPLAY, 0, "GLOB|@FILE",
      NAMES(O, only, .preset = "null",
            .help = "do the lines whose source or output the pattern matches; @FILE: that the "
                    "file names, one a line or each ended by a NUL") },
    { FOR_PREVIEW, 'o', "FILE",
      TEXT(O, out, .preset = "\"preview.png\"", .writes = WRITES_FILE,
           .help = "the PNG to write") },
    { FOR_COMPILE, 'o', "FILE",
      TEXT(O, out, .preset = "\"-\"", .writes = WRITES_FILE | WRITES_STDOUT,
           .help = "the file to write") },
    { FOR_FILES, 'a', "PATH",
      TEXT(O, annotations, .preset = "\"\"",
           .help = "annotations of the images: a COCO file, or a folder with a file of labels for "
                   "each image, YOLO's .txt or Pascal VOC's .xml, or a .csv with labels of whole "
                   "images; "
                   "without, all images of the folder are taken") },
    { FOR_FILES, 0, "FILE",
      TEXT(O, classes, .preset = "\"\"",
           .help = "the names of the classes in their order: one per line, a data.yaml, or a COCO "
                   "file with categories. Without it, the classes are those of a data.yaml or "
                   "classes.txt in the labels' folder or above it, or else all that occur, in "
                   "alphabetical order. For YOLO, Pascal VOC, folders and tables of labels "
                   "(--names in earlier versions)",
           .was = "--names") },
    { FOR_RUN, 0, "FILE",
      TEXT(O, one_hot, .preset = "\"\"", .writes = WRITES_FILE,
           .help =
               "write the labels of images as a table, too: a row for each output, a column for "
               "each category in the order of ids; CSV whose first row names them, or float32 of "
               "NumPy's if it ends in .npy, with the names in NAME.classes.txt") },
    { FOR_FILES, 0, "WHAT",
      CHOICE(O, labels, .preset = "\"none\"", .choices = labels_choices,
             .help = "what are the labels of images, without -a") },
    { FOR_RUN, 0, "FORMAT",
      CHOICE(O, to, .preset = "\"same\"", .choices = target_choices,
             .help = "how annotations are written; see lockstep help coco") },
    { FOR_RUN, 0, NULL,
      FLAG(O, lossy, .preset = "false",
           .help = "with --to: leave out what the format has no place for, and say what") },
    { FOR_FILES, 0, "FILE",
      TEXT(O, image_list, .preset = "\"\"",
           .help = "with results as -a: the COCO file that lists their images and categories") },
    { FOR_IMAGES, 0, "HOW",
      CHOICE(O, compat, .preset = "\"repair\"", .choices = compat_choices,
             .help = "how to read annotations that deviate from COCO; see lockstep help compat") },
    VOC_BASE_OPTION(FOR_IMAGES, O),
    { FOR_FILES, 0, "DIR",
      TEXT(O, masks, .preset = "\"\"",
           .help = "label masks, gray or with a palette, one for each image with the same path "
                   "and stem; of panoptic annotations the folder of their PNGs, if it is not the "
                   "one named like their file, without .json") },
    { FOR_IMAGES, 0, "TEMPLATE",
      TEXT(O, mask_name, .preset = "\"\"",
           .help = "what the mask of an image is called, by its folder, stem and suffix: "
                   "{stem}_L.png, or {dir}/{stem/_leftImg8bit/_gtFine_labelIds}.png, where the "
                   "second text takes the place of the first") },
    STRIP_PREFIX_OPTION(FOR_IMAGES, O),
    MATCH_OPTION(FOR_IMAGES, O),
    { FOR_IMAGES, 0, "GLOB",
      NAMES(O, include, .preset = "null",
            .help = "take images whose name the pattern matches, as 'train/*' or '*_left.png'. "
                    "* matches slashes, too; a pattern without one "
                    "is also that of the name's last part") },
    { FOR_IMAGES, 0, "GLOB",
      NAMES(O, exclude, .preset = "null",
            .help = "leave out images whose name the pattern matches") },
    { FOR_IMAGES, 0, "FILE",
      TEXT(O, images_from, .preset = "\"\"",
           .help = "take the images that this file names, one a line or each ended by a NUL, with "
                   "or without the suffix; the column -1, 0 or 1 of Pascal VOC's lists is not "
                   "looked at; - for stdin") },
    { FOR_IMAGES, 0, "NAMES",
      NAMES(O, categories, .preset = "null",
            .help = "take images with an object of one of these categories, as person,car; all "
                    "objects of such an image stay") },
    { FOR_RUN, 0, "TEMPLATE",
      TEXT(O, name_template, .preset = "\"\"",
           .help = "what the outputs are called, without their suffix, by the image's folder, "
                   "stem, suffix and the number of the output: {dir}/{stem}_{ext}__{copy}") },
    { FOR_RUN | FOR_EXPLAIN | FOR_PROFILE, 'n', "N",
      INTEGER(O, copies, .preset = "1", .limit = { 1, 100000 },
              .help = "how many outputs to make of each image") },
    { FOR_PREVIEW, 'n', "N",
      INTEGER(O, copies, .preset = "4", .limit = { 1, 1000 },
              .help = "how many copies to show of each image: those that run -n makes") },
    { FOR_IMAGES, 0, "N",
      WHOLE(O, seed, .preset = "0", .limit = { 0, 9007199254740992 },
            .help = "seed of the random numbers, instead of the pipeline's `seed`") },
    { FOR_WORK, 'j', "N",
      INTEGER(O, jobs, .preset = "0", .limit = { 0, 1024 },
              .help = "worker processes; 0: one for each processor. Changes no byte") },
    { FOR_RUN, 0, NULL,
      FLAG(O, include_original, .preset = "false",
           .help = "write each image untransformed too, as its copy 0") },
    { FOR_RUN, 0, "N",
      WHOLE(O, limit, .preset = "0", .limit = { 0, 9007199254740992 },
            .help = "take the first N images only; 0: all") },
    { FOR_RUN, 0, "I/N",
      TEXT(O, shard, .preset = "\"\"",
           .help = "do part I, from 0, of N of the images; all parts write to the same DIR, and "
                   "lockstep merge puts them together. auto: the task of a job array of Slurm, "
                   "Grid Engine or AWS Batch; auto/N also of Kubernetes and PBS; parallel/N: of "
                   "GNU parallel") },
    { FOR_RUN, 0, "FORMAT",
      CHOICE(O, out_format, .preset = "\"dir\"", .choices = out_formats,
             .help = "how outputs are kept") },
    { FOR_RUN, 0, "SIZE",
      TEXT(O, shard_size, .preset = "\"\"",
           .help = "with --out-format webdataset: when a tar is full, by its samples (5000) or by "
                   "its bytes (500K, 200M, 3G, of 1000 each); without, 100000 samples or 3G") },
    { FOR_PREVIEW, 0, "N",
      WHOLE(O, limit, .preset = "4", .limit = { 1, 9007199254740992 },
            .help = "without NAMEs, the first N images") },
    { FOR_EXPLAIN, 0, "N",
      WHOLE(O, limit, .preset = "1", .limit = { 1, 9007199254740992 },
            .help = "without NAMEs, the first N images") },
    { FOR_PROFILE, 0, "N",
      WHOLE(O, limit, .preset = "20", .limit = { 1, 9007199254740992 },
            .help = "without NAMEs, the first N images") },
    { FOR_PROFILE, 0, "N",
      INTEGER(O, repeat, .preset = "5", .limit = { 1, 10000 },
              .help = "how many times to do each image, after once to warm up") },
    { FOR_PREVIEW, 0, "PX",
      INTEGER(O, width, .preset = "320", .limit = { 64, 4096 }, .unit = "pixels",
              .help = "of each picture on the sheet") },
    { FOR_PREVIEW, 0, "N",
      WHOLE(O, sample, .preset = "0", .limit = { 0, 9007199254740992 },
            .help = "without NAMEs, N images chosen at random by the seed; 0: the first ones") },
    { FOR_PREVIEW, 0, "N",
      INTEGER(O, columns, .preset = "0", .limit = { 0, 100 },
              .help = "images beside each other; 0: one, or of many as many as make the sheet "
                      "about square") },
    { FOR_PREVIEW, 0, NULL,
      FLAG(O, no_labels, .preset = "false", .help = "show pictures without their labels") },
    { FOR_PREVIEW, 0, "X",
      NUMBER(O, opacity, .preset = "0.34", .limit = { 0, 1 },
             .help = "of what fills outlines and label masks: 0 nothing, 1 hides the picture") },
    { FOR_PREVIEW, 0, NULL,
      FLAG(O, reasons, .preset = "false",
           .help = "say under each copy how many objects are dropped, and why") },
    { FOR_PREVIEW, 0, "WHAT",
      CHOICE(O, on_error, .preset = "\"fail\"", .choices = preview_on_error,
             .help = "what to do with an image that cannot be read or transformed") },
    { FOR_WORK, 0, "WHAT",
      CHOICE(O, on_error, .preset = "\"fail\"", .choices = on_error_choices,
             .help = "what to do with an image that cannot be read or transformed") },
    { FOR_WORK, 0, "N",
      OPTIONAL(O, max_errors, .preset = "null", .whole = true, .limit = { 0, 9007199254740992 },
               .help =
                   "with --on-error skip: how many images may fail before the run ends; without "
                   "it, any number") },
    { FOR_WORK, 0, "S",
      INTEGER(O, timeout, .preset = "300", .limit = { 0, 1000000 },
              .help = "seconds that an image may take with all its outputs; 0: any") },
    { FOR_WORK, 0, "MIB",
      INTEGER(O, max_memory, .preset = "0", .limit = { 0, 1 << 24 },
              .help = "memory of a worker, beside files that it maps; 0: its share of half of what "
                      "the machine or the control group has") },
    { FOR_FILES, 0, "N",
      WHOLE(O, max_pixels, .preset = "268402689", .limit = { 1, 1 << 30 }, .unit = "pixels",
            .help = "refuse images and masks of more pixels, by their headers") },
    { FOR_IMAGES, 0, "WHAT",
      CHOICE(O, trust, .preset = "\"both\"", .choices = trust_choices,
             .help = "what to do where annotations and file give an image different sizes: report "
                     "an error (both), or use the file's size (file)") },
    { FOR_FILES, 0, NULL,
      FLAG(O, no_follow, .preset = "false",
           .help = "refuse symbolic links in the folders of images and masks; without, they are "
                   "followed wherever they lead") },
    { FOR_RUN, 0, "WHAT",
      CHOICE(O, on_frames, .preset = "\"first\"", .choices = on_frames_choices,
             .help = "what an image or mask of several frames or pages means (GIF, WebP, PNG, "
                     "TIFF)") },
    { FOR_RUN, 0, "WHAT",
      CHOICE(O, exif, .preset = "\"apply\"", .choices = exif_choices,
             .help = "what the EXIF orientation of an image means, instead of the pipeline's") },
    { FOR_WORK, 0, NULL,
      FLAG(O, overwrite, .preset = "false",
           .help =
               "replace what an earlier run wrote to the output folder, as soon as all of the new "
               "result is there; other files stay") },
    { FOR_PREVIEW | FOR_COMPILE, 0, NULL,
      FLAG(O, overwrite, .preset = "false", .help = "replace the file if it exists") },
    { FOR_WORK, 0, NULL,
      FLAG(O, resume, .preset = "false",
           .help =
               "go on with a run that was stopped: the result is the same as if it had not "
               "been. What has changed of its inputs is done again, as lockstep help inputs "
               "describes; of a finished run nothing is, and an image that is newer is refused. "
               "Of an empty folder, a run like any other. With --overwrite, too, a result that "
               "cannot be resumed is replaced") },
    { FOR_WORK, 0, NULL,
      FLAG(O, verify_resume, .preset = "false",
           .help = "with --resume: read every file that is kept, instead of asking for its size; "
                   "those of a finished run are read by lockstep verify") },
    { FOR_WORK, 0, NULL,
      FLAG(O, checksums, .preset = "false",
           .help = "write the SHA-256 of each source and output to the manifest, and SHA256SUMS, "
                   "which sha256sum -c takes; see lockstep verify") },
    { FOR_WORK, 0, "WHEN",
      CHOICE(O, durability, .preset = "\"batch\"", .choices = durability_choices,
             .help = "when outputs are made to outlast a crash of the machine") },
    { FOR_WORK, 0, "HOW",
      CHOICE(O, sandbox, .preset = "\"auto\"", .choices = sandbox_choices,
             .help = "how far workers, which decode files of strangers, are contained: they read "
                     "inputs and libraries, write below the output folder, and have no network "
                     "and no programs to start") },
    { FOR_RUN, 0, NULL,
      FLAG(O, dry_run, .preset = "false",
           .help = "draw everything, write nothing: the manifest on stdout") },
    { FOR_PREVIEW, 0, NULL,
      FLAG(O, no_preflight, .preset = "false",
           .help =
               "begin at once: do not look first at the headers of all images, as a run does") },
    { FOR_WORK, 0, NULL,
      FLAG(O, no_preflight, .preset = "false",
           .help = "begin at once: do not look at all headers first, nor for files that are not "
                   "taken") },
    { FOR_RUN, 0, "FORMAT",
      CHOICE(O, format, .preset = "\"same\"", .choices = output_formats,
             .help = "of the images written, instead of the pipeline's") },
    { FOR_RUN, 0, "Q",
      INTEGER(O, quality, .preset = "95", .limit = { 1, 100 },
              .help = "of JPEG and WebP, instead of the pipeline's") },
    { FOR_RUN, 0, "WHAT",
      CHOICE(O, metadata, .preset = "\"keep\"", .choices = metadata_choices,
             .help = "what is written of the images' metadata, instead of the pipeline's") },
    { FOR_RUN | FOR_EXPLAIN | FOR_PROFILE, 0, "HOW",
      CHOICE(O, optimize, .preset = "\"exact\"", .choices = optimize_choices,
             .help = "how ops are joined, instead of the pipeline's: `none` and `exact` give the "
                     "same bytes, `fast` pixels within stated bounds") },
    { FOR_EXPLAIN, 0, NULL, FLAG(O, json, .preset = "false", .help = "a line of JSON a copy") },
    { FOR_PROFILE, 0, NULL, FLAG(O, json, .preset = "false", .help = "a line of JSON a row") },
    { FOR_EXPLAIN, 0, NULL,
      FLAG(O, fail_on_break, .preset = "false",
           .help = "exit code 1 if there is more than one pass") },
    { FOR_WORK | FOR_PREVIEW, 'q', NULL,
      FLAG(O, quiet, .preset = "false", .help = "say nothing but what went wrong") },
    { FOR_FILES, 'v', NULL,
      FLAG(O, verbose, .preset = "false",
           .help = "say more: also what is harmless in annotations") },
    { FOR_WORK, 0, "HOW",
      CHOICE(O, progress, .preset = "\"auto\"", .choices = progress_choices,
             .help = "how progress is shown on stderr") },
    OPTIONS_END,
};
#undef O
