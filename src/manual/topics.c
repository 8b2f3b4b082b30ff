/* topics: texts about labels, random numbers and outputs that are in no table. */
#include "manual/manual.h"

#include "plan/fast_bounds.h"

#include <string.h>

/* --- manifest --- */

static void print_manifest(struct page *p)
{
    page_paragraph(p, "A run writes into the folder given with `-o`. Nothing in it depends on the "
                      "time, the machine or the number of jobs.");
    page_item(p, "`images/`", "the images, in the folders of the source");
    page_item(p, "`masks/`", "the label masks, as PNG; with `--masks`");
    page_item(p, "`annotations.json`",
              "the annotations, in the order of the source; with `-a`; written last");
    page_item(p, "`images.json`", "the list of images; with `--image-list`");
    page_item(p, "`manifest.jsonl`", "a line of JSON for each image written, in input order");
    page_item(p, "`errors.jsonl`",
              "a line for each image that was skipped, if there are any: source, outcome (failed; "
              "crashed, with its worker; or timeout), code and message");
    page_item(
        p, "`run.json`",
        "the pipeline with every default written out, counts, the files beside `images/` and "
        "`masks/` in `files`, and in `notes` the code, first place and number of each way in "
        "which the annotations deviated, in `categories` the ids of all categories, and in "
        "`unmoved_keys` the keys that stay as they are "
        "while objects move. `dropped` counts the dropped objects of all outputs by reason "
        "(`steps`: by steps that drop objects), and `keypoints` those of the other objects "
        "that left the canvas, and objects whose keypoints changed sides by a guess; the last "
        "line but one of a run says the same");
    page_item(p, "`SHA256SUMS`",
              "hashes of all other files, as sha256sum has them; with "
              "`--checksums`");
    page_item(p, "`.lockstep/`", "the lock and scratch; gone when the run has ended well");
    page_paragraph(
        p, "With `--overwrite`, the new result is built in `.lockstep/new`, and what is there "
           "stays as it is until all of it is done: a run that fails has changed "
           "nothing, and there must be room for both. Then the files that the earlier "
           "run's run.json and manifest name are removed, with the folders that are empty "
           "then, and the new ones are moved to their places. A run that is stopped on "
           "the way is ended by the next one with `--resume` or `--overwrite`; whoever "
           "wants neither removes `.lockstep/`, as long as run.json is there. Every other "
           "file stays, and one that an output would be written over is refused "
           "[out-exists]. What a first run that was killed has left is listed in "
           "`.lockstep/` and removed, too. Two runs never write to one folder "
           "[out-in-use]. Code 0 means that every file of the manifest is there, with "
           "the size that was written [out-changed].");
    page_paragraph(
        p, "With `--shard I/N`, a run does one of N parts of the images, which a hash of their "
           "names deals out: each part is a process of its own, on any machine that has the "
           "inputs and writes to the same folder. Images get to their final place; what else "
           "there is stays in `.lockstep/shards/I-of-N/`, with the part's own lock, until "
           "`lockstep merge` makes of it the very files of a run in one part. Each part is "
           "resumed by itself with `--resume`, and may be done in any order; it ends with 1 where "
           "images were skipped, however many. The first part fixes N [shard-count], pipeline and "
           "options [resume-key]; if the dataset changes between parts, merge refuses them "
           "[shard-key] until all were run once more with `--resume`. So it does where an image "
           "that one part has borrowed, as for `Mosaic`, had other bytes when another part read "
           "it [shard-donor]. `--max-errors` counts "
           "those of a part; merge counts all. Where machines have no disk in common, each writes "
           "to a "
           "folder of its own, with one part or several, and `lockstep merge A B -o OUT` puts them "
           "together (`--link`); none may be in two of them [shard-twice]. `--shard auto` takes I "
           "and N from a job array of "
           "Slurm, Grid Engine or AWS Batch, and only if all of its tasks are in it, since a "
           "retry of some would count otherwise: there it is `auto/N`, which takes the task's "
           "own number, from 0 (Grid Engine: from 1). Kubernetes and PBS say no N: `auto/N`. "
           "`parallel/N` takes the job number of GNU parallel.");
    page_paragraph(p, "Where the file system of the output folder does not tell names apart by "
                      "case or by how accents are put together (exFAT, VFAT, shares of macOS), "
                      "outputs that would be one file are refused before work [name-collision].");
    page_heading(p, "Keys of a manifest line");
    page_item(p, "`output`, `mask`, `source`", "the files; source below the folder of `-i`");
    page_item(p, "`copy`", "which of an image's outputs, from 0");
    page_item(p, "`image_id`, `from`", "the id in the output, and in the source; with `-a`");
    page_item(p, "`key`", "what all its random numbers were made from");
    page_item(p, "`run`", "what links the line to the run.json of its run: see `lockstep replay`");
    page_item(p, "`attempt`, `rejected`, `when_rejected`",
              "with `reject_image_if`: the number of the draw, from 0; the reason and the value "
              "that decided of each that was rejected; and what was done when all were");
    page_item(p, "`size_in`, `size_out`", "[width, height]");
    page_item(
        p, "`steps`",
        "the ops that were done, with the values drawn: themselves the steps of a pipeline, and "
        "what `lockstep replay` does again, with other values if they were changed");
    page_item(p, "`source_sha256`, `sha256`, `mask_sha256`, `labels_sha256`",
              "the SHA-256 of the source, and of the files written; with `--checksums`");
    page_item(p, "`matrix`",
              "from the source's continuous coordinates to the output's, row by row: x' = m0*x + "
              "m1*y + m2, y' = m3*x + m4*y + m5; nine numbers when projective");
    page_item(
        p, "`annotations`",
        "what stays: id, the source's id as from (results without ids: the place in their "
        "list, from 0), visibility below 1, whether the segmentation changed its kind, in "
        "`keypoints_lost` the indices of the labelled keypoints that left the canvas (of a "
        "foot, face or hand of COCO-WholeBody: [part, index]), and in `keypoints_swapped` "
        "\"by guess\" where keypoints changed sides in a mirror by a letter or a part of a word "
        "in their names (`l_eye`, `eyeleft`); with `-a`");
    page_item(p, "`image_labels`", "the classes of the whole image, each with its weight");
    page_item(p, "`dropped`",
              "what was dropped: the source's id as from, the reason, and the value that decided "
              "(null when it is infinite)");
}

/* --- optimize --- */

static void print_optimize(struct page *p)
{
    struct text term = { 0 };

    page_paragraph(p, "The ops drawn for an image are joined to passes over memory. `optimize` in "
                      "the pipeline, or `--optimize`, says how; `lockstep explain` shows the "
                      "passes, and why one ends where it does.");
    page_terms(p, strlen("exact"));
    for (const struct choice *c = optimize_choices; c->word; c++) {
        text_clear(&term);
        text_addf(&term, "`%s`", c->word);
        page_item(p, text_string(&term), c->help);
    }
    text_drop(&term);
    page_paragraph(p,
                   "Annotations are the same in all modes. `none` and `exact` write the same "
                   "bytes. In `fast`, a label of a label mask is at most a pixel from where mode "
                   "`none` has it or would have it beyond the canvas (what is smaller than a "
                   "pixel or two may be met or missed), "
                   "and images differ by shortcuts, each by itself:");
    page_heading(p, "Shortcuts of mode fast");
    manual_shortcuts(p, (1U << SHORTCUTS) - 1);
    page_paragraph(p,
                   "A shortcut is taken only where ops stand so that it can be, and only as long "
                   "as it keeps its bound for the values drawn and for this image's colours: "
                   "else the image takes the longer way, as it does where a canvas on the way is "
                   "less than 24 pixels wide or high.");
    page_paragraph(p, "A bound in dB is the lowest peak signal-to-noise ratio of the written "
                      "image, compared with "
                      "mode `none`, over all pixels and channels. For an "
                      "image with several shortcuts, the lowest of their bounds holds.");
    page_paragraph(p,
                   "Where `one-resample` is among them, both modes are held against a truth "
                   "instead: the image without the detail that the coarsest canvas on the way "
                   "cannot hold, sampled once. The mean squared error of `fast` is then at most "
                   "1.1 times the error of `none`, plus 1 (in squared levels of 255); if other "
                   "shortcuts are taken with it, its square root may be larger by the root mean "
                   "square that the lowest of their bounds allows. Pixels less than a pixel from "
                   "an edge of a canvas on the way do not count there: how wide a border falls to "
                   "its fill is not stated.");
    page_paragraph(
        p, "These bounds are not proven but searched: `make search-fast` looks for "
           "pipelines, values and pictures that break them, at random and by hill climbing "
           "from the worst that it found: moves and colours, on pictures of 144 by 112 pixels of "
           "8 and 16 bit, with alpha, and JPEG written with quality 100; not gray images, "
           "fields, filters and mixes.");
}

/* --- reproducibility --- */

static void print_reproducibility(struct page *p)
{
    page_paragraph(p, "An output depends on its input, the pipeline and the seed alone: not on the "
                      "number of jobs, the other images, their order, or the time.");
    page_item(p, "`seed`", "The pipeline's `seed`, or `--seed`. Other seeds draw other numbers.");
    page_item(
        p, "`image`",
        "Numbers are drawn for the image's file_name, so that adding, removing or "
        "renumbering images changes no other. A `seed_key` in an image's record is used instead of "
        "the name: images that share it (stereo pairs, frames of a video) share their draws.");
    page_item(
        p, "`copy`",
        "Every copy draws its own, and every attempt of it (see `reject_image_if`); the first "
        "four of `-n 8` look like the four of `-n 4`, with or without `--include-original`.");
    page_item(p, "`step`",
              "Each step draws from a stream of its own, named by its `id`, or else by its "
              "position. Give ids to steps, and putting others before them changes nothing in "
              "them.");
    page_item(p, "`chance`",
              "Whether a step happens (`p`) is drawn apart from its values, so that another `p` "
              "does not change them. A condition (`when`) draws nothing.");
    page_item(p, "`releases`",
              "Values drawn never change within one `version` of the pipeline format, on any "
              "platform. Pixels are the same for the same build; bytes of files also need the same "
              "codec libraries, which `lockstep version` tells.");
    page_paragraph(p, "Numbers come from Philox4x32-10 (Salmon et al. 2011). Its key is the "
                      "beginning of SHA-256 over seed, image, copy, branch and attempt; its "
                      "counter holds the step's stream.");
}

/* --- torchvision --- */

static void print_torchvision(struct page *p)
{
    page_paragraph(p, "Names, parameters, defaults and distributions are those of "
                      "torchvision.transforms.v2, with its signs: rotate turns counter-clockwise, "
                      "affine clockwise. Random numbers are other ones. On purpose these differ:");
    page_item(
        p, "`expand`",
        "When rotate grows the canvas, labels get the canvas of the image, and boxes move "
        "with the pixels (torchvision's are up to a pixel off, on a canvas of another size).");
    page_item(p, "`fill`",
              "Where pixels and fill meet, they are blended by what each covers. torchvision "
              "weighs the border twice, which leaves a dark fringe.");
    page_item(p, "`keypoints`",
              "All steps take keypoints as pixel indices, and mirrors swap left and right. "
              "torchvision's flips take indices, its other transforms continuous coordinates, and "
              "nothing swaps.");
    page_item(p, "`nearest`",
              "Takes the pixel under the centre, for images and masks; torchvision's is biased to "
              "the top left.");
    page_item(p, "`rounding`",
              "Colours are rounded, not truncated; results may differ by one level.");
    page_item(p, "`RandomErasing`",
              "`noise` is uniform over the full range, instead of value \"random\", which is meant "
              "for normalised floats. What is hidden counts for visibility.");
    page_item(p, "`RandomChoice`",
              "`weights` is its `p`, since `p` is the probability of the step itself, here as "
              "everywhere.");
    page_item(p, "`RandomPhotometricDistort`", "`p_each` is its `p`, for the same reason.");
    page_item(p, "`CenterCrop`",
              "Labels of images that are too small are padded like their pixels (torchvision's "
              "boxes are a pixel off at times).");
    page_item(p, "`padding_mode`",
              "Modes that mirror may be used with boxes; what is seen twice is labelled once.");
    page_item(p, "`fill_mask`",
              "Label masks are filled with a label of their own, not with the image's `fill`.");
    page_item(p, "`dropping`",
              "Objects with nothing left are dropped with all their parts; label masks stay, "
              "whatever happens to boxes (torchvision deletes rows of them by accident).");
}

/* --- inputs --- */

static void print_inputs(struct page *p)
{
    page_paragraph(p, "A run ends with 0 only if it has seen all of its input as it was at one "
                      "time. Names come from folders and annotation files, and may be anybody's.");
    page_item(p, "`folders`",
              "Without `-a`, every file with the suffix of an image in the folder and in those "
              "below it is an image, in the order of the bytes of its path; names that begin with "
              "a dot are left out. A folder that cannot be listed to its end, and a link to "
              "nowhere without such a suffix, is a fault [images-unread]: its images are "
              "not known. No image at all, in a folder or in the list of a dataset, is a "
              "fault, too [images-none]: it comes of a wrong path or a failed export more often "
              "than it is meant.");
    page_item(p, "`several folders`",
              "With `-i` given several times, images are taken from each folder and done as if all "
              "were in one: names are those below their own folder, and in any order of the "
              "folders the outputs are the same. A name in annotations is looked for in all of "
              "them. One that two folders have is a fault [images-equal, image-ambiguous], for "
              "names are what random numbers are drawn from and what outputs are called by; so is "
              "a folder that is another one, or inside of it [images-nested].");
    page_item(
        p, "`names`",
        "Names in annotations are paths below a folder of `-i`: none that are absolute or have "
        "parts "
        "\"..\" or \".\", backslashes, control characters, drives or URLs; at most 255 bytes a "
        "part and 4095 in all [name-unsafe]. Names that are no UTF-8 cannot be written to a "
        "manifest: they are a fault [name-utf8], or skipped; errors.jsonl then has their "
        "bytes in hexadecimal as source_hex.");
    page_item(p, "`links`",
              "Symbolic links below the folders are the user's, and are followed wherever they "
              "lead, linked folders too, unless they lead to a folder that they are in. Each "
              "name is opened once, and what was opened has to be a regular file. With "
              "`--no-follow` every link is refused, and whatever lies outside, by the kernel "
              "where it knows how (openat2), else part by part of the path; what the command line "
              "itself names may still be a link.");
    page_item(
        p, "`changes`",
        "A folder is opened once: what is put in its place later is not looked at. An image "
        "that changes while it is read is read again, and fails if that does not end; one that "
        "is changed or removed later is noticed at the end, which is then 4 [image-changed], "
        "and --resume does it again. The "
        "annotations are mapped: if their bytes change before the end of the run (other "
        "than by replacing the file with another), nothing of the run can be used, and it "
        "ends with 4 [annotations-changed].");
    page_item(
        p, "`--resume`",
        "An image or mask is the same as before the stop if its name, size, time of the last "
        "write, inode and time of the inode's last change are. If its size or its time of the "
        "last write differs, the image is done again. If only the rest differs, its bytes are "
        "compared by a hash in the journal [resume-bytes]: the file may be another one of equal "
        "size and time, or the same one after a copy, a link, a rename or a change of its mode, or "
        "on a file system whose inodes have no lasting numbers. Of a member of an archive, "
        "the size is its own and all else is the archive's. Annotations, the pipeline and files "
        "beside it are compared by hashes. A finished run has no journal. An image or mask that "
        "was written after its end is refused [resume-newer], and so is one whose inode changed "
        "after its end, unless the image has its SHA-256 of the manifest (`--checksums`, without "
        "masks). These changes are not seen: bytes written with the clock set back, or to the "
        "disk behind the file system's back, and bytes of equal size and time on a file system "
        "that keeps no time of the inode's change (FAT, some network file systems). "
        "A script that replaces a result and is started again after a crash gives `--overwrite "
        "--resume` each time: a run of the same options is resumed, and anything else that a run "
        "wrote is replaced, as with `--overwrite` alone.");
    page_item(p, "`workers`",
              "Processes that decode images (of run, preview, explain and profile) are contained, "
              "without any privilege. By Landlock they "
              "read the folders of images and masks, what links in them lead to when the run "
              "begins (of more than 512 links, the folder that all of those lead below) and "
              "libraries, and write below the output folder alone. A filter allows the system "
              "calls that decoding needs; every other call fails with ENOSYS. Processes that "
              "decode therefore have no network, start no program or process, send no signal to "
              "another process, and change no mode, owner or time of a file. Landlock needs Linux "
              "5.19 (ABI 2: older kernels cannot move a file to its folder); from ABI 6 on it "
              "refuses signals, too. With "
              "`--sandbox auto` a run takes what there is, and says with `-v` what that was; with "
              "`on` it needs both, or ends with 8 [sandbox-unavailable].");
    page_item(p, "`messages`",
              "Characters in names and texts that could control a terminal (control characters, "
              "characters that "
              "change the direction of writing, bytes that are not UTF-8) are shown as \\xNN or "
              "\\uNNNN.");
}

/* --- limits --- */

static void print_limits(struct page *p)
{
    page_paragraph(p, "What one image may cost is limited, so that no file holds up a run or takes "
                      "the machine's memory. An image beyond a limit fails alone: it ends the run, "
                      "or is skipped with `--on-error skip`.");
    page_item(p, "`--max-pixels N`",
              "pixels of an image or a mask, read from its header before anything is decoded; "
              "without it 268402689, which is 16383 x 16383 [image-large]");
    page_item(p, "`--max-memory MIB`",
              "memory of a worker, beside files that it maps; without it, half of what the "
              "machine or the control group (of version 1 or 2) has, divided by the jobs "
              "[worker-memory]. A worker that is killed, and not by lockstep, ends a run with 8: "
              "by the kernel for lack of memory, if the kernel has counted that [worker-memory], "
              "or by an unknown process [worker-killed]. The message names the "
              "lowest limit");
    page_item(p, "`--timeout S`",
              "seconds that an image may take with all its outputs, but for those while the "
              "run is stopped (Ctrl-Z); without it 300 "
              "[image-timeout]");
    page_item(p, "`--max-errors N`",
              "images that may fail with `--on-error skip`; without it, any number "
              "[errors-most]");
    page_item(p, "`--jobs N`",
              "workers; without it, the processors that the affinity and the control group allow");
    page_item(p, "`--sandbox HOW`",
              "which files workers may open and what they may ask of the system");
    page_heading(p, "Limits without an option");
    page_item(
        p, "`preview`, `check`",
        "decode in processes that together may take half of the memory that there is, and 300 s "
        "for an image, or 10 s for a picture of a report [worker-memory], [image-timeout]");
    page_item(p, "`scans`", "a progressive JPEG has at most 100");
    page_item(p, "`metadata`",
              "texts are passed over and never inflated; a colour profile is kept of at most 16 "
              "MiB in a JPEG and 4 MiB in a WebP; frames and pages behind the first are not "
              "decoded");
    page_item(p, "`blank canvases`",
              "an animated WebP, or a GIF whose first frame begins inside its canvas, of more than "
              "16777216 pixels and fewer than one byte for 16384 of them is refused "
              "[image-failed]. Other images of one color are read as any image of their size: "
              "a lossless WebP takes 12 bytes of memory for each pixel");
    page_item(p, "`names`", "255 bytes a part, 4095 bytes in all [name-unsafe]");
    page_item(p, "`JSON`",
              "64 lists and objects inside each other [json-depth]; 64 MiB an element of a list "
              "[coco-long]; a pipeline has at most 32 MiB, 1048576 values and 1024 steps "
              "[pipeline-large], [step-many]");
}

const struct topic topics[] = {
    { "coco", "what becomes of annotations", print_topic_coco },
    { "codes", "the codes of messages", print_topic_codes },
    { "compat", "how annotations may deviate from COCO", print_topic_compat },
    { "exit-codes", "what the exit status says", print_topic_exit_codes },
    { "inputs", "what is read, and what is refused", print_inputs },
    { "limits", "what an image may cost", print_limits },
    { "manifest", "what a run leaves in its folder", print_manifest },
    { "optimize", "how ops are joined, and what mode fast may change", print_optimize },
    { "plugins", "ops and transforms of your own", print_topic_plugins },
    { "questions", "answers to common questions", print_topic_questions },
    { "reports", "the forms of a check's report", print_topic_reports },
    { "reproducibility", "what random numbers depend on", print_reproducibility },
    { "rules", "what a check looks for", print_topic_rules },
    { "tars", "outputs as tars of samples", print_topic_tars },
    { "torchvision", "what differs from torchvision, and why", print_torchvision },
    { 0 },
};

const struct topic *topic_get(const char *name)
{
    for (const struct topic *t = topics; t->name; t++)
        if (strcmp(t->name, name) == 0)
            return t;
    return NULL;
}
