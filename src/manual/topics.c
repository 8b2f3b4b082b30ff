/* topics: what no table says: how labels are treated, what is random, what is written. */
#include "manual.h"

#include "../coco/layouts.h"
#include "../coco/dialect.h"
#include "../plan/shortcut.h"

#include <string.h>

/* --- coco --- */

static void print_layouts(struct page *p)
{
    struct text text = { 0 };

    text_adds(&text, "Names for `flip_pairs`, each with its number of keypoints: ");
    for (size_t i = 0; layout_at(i); i++)
        text_addf(&text, "%s`%s` %zu", i ? ", " : "", layout_at(i)->name, layout_at(i)->n);
    text_adds(&text, ". The pairs are those of the layout's owner. A layout that has names for its "
                     "points, as WholeBody's 133, is also known by the whole list of them.");
    page_item(p, "`public layouts`", text_string(&text));
    text_drop(&text);
}

static void print_coco(struct page *p)
{
    page_paragraph(p, "`-a` takes a COCO file of any kind: instances, keypoints, stuff, captions, "
                      "panoptic, results. Every key that is not known is carried along, "
                      "and every number that was not changed is written as it was.");
    page_item(p, "`results`",
              "What a model found, a list of elements with image_id, comes out as such a list; "
              "elements need no id. Its images and categories are those of the COCO file that "
              "`--image-list` names, and go to images.json. The visibility of a keypoint may be "
              "any number from 0, as a score.");
    page_item(p, "`whole bodies`",
              "What COCO-WholeBody says of feet, face and hands (foot_kpts, face_box, "
              "lefthand_valid, ...) goes with the body. A mirror swaps the feet and the sides of "
              "the face, and the hands change places with all that is theirs. A part "
              "that is gone becomes zeros, and is not valid any more.");
    page_item(p, "`coordinates`",
              "Boxes and polygons are continuous: the pixel in row i and column j covers [j, j+1) "
              "by [i, i+1), and an image of width W reaches from 0 to W.");
    page_item(p, "`keypoints`",
              "Keypoints are pixel indices, as COCO has them: a flip takes x to W-1-x. "
              "`\"keypoints\": \"continuous\"` says that the file has them like boxes. A keypoint "
              "of visibility 0 that is not at 0, 0 is moved and swapped like others and keeps its "
              "0, but never counts.");
    page_item(
        p, "`left and right`",
        "What mirrors the image swaps left and right keypoints: by their names (left_eye and "
        "right_eye, eye_l and eye_r, lEye and rEye, lefteye and righteye, forelegL1 and forelegR1, "
        "eye(L) and eye(R), lt_ear and rt_ear), or by the category's `flip_pairs`, a list of pairs "
        "of names or of indices from 0 (then no names are required), the name of a public layout "
        "that has as many keypoints, or [] for none. A name without a side stays. Names that may "
        "be of a side and have no other, names that are only numbers, and keypoints without names "
        "are a fault of pipelines that may mirror (`coco-flip-pairs`), before the first image is "
        "read; `--compat lenient` warns instead, and keeps their order.");
    print_layouts(p);
    page_item(p, "`canvas`",
              "Every canvas cuts: what a step moves out of the image is gone, as its pixels are; a "
              "later pad does not bring it back. A keypoint that leaves becomes 0, 0, 0, and "
              "num_keypoints is counted again (see `outside`).");
    page_item(p, "`boxes`",
              "A box that was only shifted, scaled, flipped or turned by quarters, and not cut, "
              "stays the annotated box. Otherwise it is derived again from what is left of the "
              "segmentation, or of the box itself (see `boxes`).");
    page_item(p, "`area`",
              "Scaled with the image; after a cut or a turn it is measured again: polygons by "
              "their outline, RLE by counting pixels. Of an object without segmentation "
              "the annotated area is multiplied by the share of its box's outline, moved and cut: "
              "a turn alone leaves it as it is, though the box grows. An area that the file does "
              "not have is not added; `min_area` then takes the outline's.");
    page_item(p, "`polygons`",
              "Polygons are moved as vectors and clipped exactly; one may fall into several. One "
              "that crosses itself keeps its even-odd inside. A part that a cut left without the "
              "centre of any pixel of the result is left out, of the box too, unless there is no "
              "other part; thin parts that an annotator drew stay. `segmentation` turns polygons "
              "to RLE or back, and the manifest tells.");
    page_item(p, "`RLE`",
              "RLE masks are moved run by run; a true warp takes the nearest pixel. What was "
              "compressed stays compressed.");
    page_item(p, "`other keys`",
              "Keys that COCO does not know are carried as they stand. Those that hold geometry "
              "by their names (`center`, `scale`, `bbox_head`, `keypoints_3d`, CVAT's rotation "
              "among `attributes`) then say of the object's old place: a run that moves objects "
              "names them once [coco-unmoved-keys] and lists them in run.json. `drop_keys` leaves "
              "them out, `move_keys` moves them. Numbers that did not change keep their digits.");
    page_item(p, "`visibility`",
              "The share of an object's outline that survived all cuts and is not painted over. "
              "Scaling does not lower it. `min_visibility` drops by it.");
    page_item(p, "`crowds`",
              "Crowds (iscrowd 1) are moved like all others; `min_visibility` and `max_aspect` do "
              "not drop them, and `reject_image_if` does not mind them.");
    page_item(
        p, "`dropping`",
        "It is decided once, at the end: objects that a step ruled out (`keep_centers`: "
        "\"center\"), those with nothing left (\"outside\"), then "
        "`min_visibility`, `min_area`, `min_size`, `max_aspect`. The manifest gives each with "
        "its reason.");
    page_item(p, "`drawing again`",
              "With `reject_image_if`, an image whose draw loses objects is drawn again with other "
              "numbers, up to `max_attempts` times; then `when_rejected` says what is written. "
              "Labels decide, before pixels are read. Each copy has its own attempts.");
    page_item(
        p, "`untouched`",
        "Objects that no step moved or cut are written byte for byte (but for new ids), "
        "wherever they lie; what was drawn beyond the image ends at the canvas once the object "
        "is moved, and costs no visibility. An image without objects stays, too.");
    page_item(p, "`label masks`",
              "`--masks` takes one gray image for each image, with the same path and stem and the "
              "suffix .png. They move by nearest pixels and never get a label that is new, but for "
              "`fill_mask` outside of the image. `swap_labels` names pairs, as of left and right "
              "hands, that change places wherever an op mirrors, as keypoints do. Of a PNG with a "
              "palette the indices are the labels, and the palette stays; a `fill_mask` beyond its "
              "end is black.");
    page_item(p, "`panoptic`",
              "Annotations with segments_info are COCO's panoptic ones; the PNG of each (an id is "
              "red + 256 green + 65536 blue, 0 is nobody's) is looked for in `--masks`, else in "
              "the folder named like the file, without .json, and written to OUT/masks. Segments "
              "are objects with RLE: what a step leaves of them is counted and drops them "
              "as others; steps and `when` see them; `labels` says what painting over does, not "
              "`fill_mask`. What comes from outside, or was dropped, is 0. So list and picture "
              "always name the same ids, and area and bbox are counted on the picture. In the "
              "source they must name the same ids, too. Copies keep them, since they are an "
              "image's own. All modes write the same pictures.");
    page_item(p, "`ids`",
              "With one output for each image, ids and file names stay. With K outputs, output k "
              "of id i gets the id i*K + k and the name gets `__a000`, `__a001`, ...; with "
              "`--include-original` the original is number 0.");
    page_item(p, "`orientation`",
              "EXIF orientation is applied when an image is read, or ignored (see `exif`), and the "
              "tag is not written. Width and height of the annotations must be those of the image "
              "as it is read; with `--trust file` they are corrected.");
}

/* --- compat --- */

static void print_deviations(struct page *p, unsigned set)
{
    struct text term = { 0 }, text = { 0 };

    for (size_t d = 0; d < DEVIATIONS; d++) {
        const struct deviation_kind *kind = &deviation_kinds[d];

        if (!(set >> d & 1))
            continue;
        text_clear(&term);
        text_clear(&text);
        text_addf(&term, "`%s`", kind->code);
        text_addf(&text, "%s: %s", kind->what, kind->remedy);
        page_item(p, text_string(&term), text_string(&text));
    }
    text_drop(&term);
    text_drop(&text);
}

static void print_compat(struct page *p)
{
    page_paragraph(p, "Tools that export COCO files each do it a little otherwise. What has one "
                      "meaning all the same is read by `--compat repair`, the default: the first "
                      "place of each kind is printed as a note, with how many there are in the "
                      "file. `--compat strict` refuses such a file, with the same codes. What may "
                      "mean several things (width and height swapped, RLE row by row, ids "
                      "given twice) is an error in both. `--compat lenient` reads what `repair` "
                      "reads, and takes more as it is, with a warning; see below.");
    page_terms(p, strlen("coco-no-supercategory"));
    page_heading(p, "Repaired: written as COCO has it");
    print_deviations(p, DEVIATIONS_REPAIRED);
    page_heading(p, "Kept: written as it is");
    print_deviations(p, ~DEVIATIONS_REPAIRED);
    page_heading(p, "Read by lenient alone, with a warning");
    page_item(p, "`coco-flip-pairs`",
              "a pipeline may mirror, and nothing says which keypoints change places then: they "
              "keep their order");
    page_heading(p, "Other kinds of files");
    page_item(p, "`LVIS`",
              "An image without file_name is named by the last folder and the file of its "
              "coco_url (train2017/000000391895.jpg), as LVIS's own code does; iscrowd and "
              "supercategory are not missed. A file is LVIS's if an image has neg_category_ids or "
              "not_exhaustive_category_ids.");
    page_item(p, "`captions, labels, images`",
              "Annotations that have neither bbox nor segmentation are carried; nothing is missed "
              "in them. A file may have no annotations or categories at all.");
}

/* --- exit-codes --- */

static const struct {
    enum exit_code code;
    const char *means;
} exit_codes[] = {
    { EXIT_DONE, "done; everything was written" },
    { EXIT_PARTIAL, "done, but images were skipped (`--on-error skip`), and the rest is valid; or "
                    "there are breaks (`explain --fail-on-break`)" },
    { EXIT_USAGE, "the command line is wrong" },
    { EXIT_PIPELINE, "the pipeline is wrong" },
    { EXIT_INPUT, "an input is missing, cannot be read, or is wrong" },
    { EXIT_OUTPUT, "the output cannot be written" },
    { EXIT_OCCUPIED, "the output folder is not empty" },
    { EXIT_INTERNAL, "a defect of lockstep; please report it" },
    { EXIT_RESOURCES, "not enough memory or processes" },
};

static void print_exit_codes(struct page *p)
{
    struct text term = { 0 };

    page_terms(p, strlen("128+N"));
    for (size_t i = 0; i < COUNTOF(exit_codes); i++) {
        text_clear(&term);
        text_addf(&term, "`%d`", exit_codes[i].code);
        page_item(p, text_string(&term), exit_codes[i].means);
    }
    text_clear(&term);
    text_addf(&term, "`%d+N`", EXIT_SIGNAL);
    page_item(p, text_string(&term), "ended by signal N");
    page_paragraph(p, "Codes above 1 mean that the output is not complete. Messages about "
                      "documents end with a code in brackets, such as [param-range]: it stays the "
                      "same when the words of the message become better.");
    text_drop(&term);
}

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
              "a line for each image that was skipped, if there are any: source, outcome (failed, "
              "or crashed with its worker) and message");
    page_item(
        p, "`run.json`",
        "the pipeline with every default written out, counts, the files beside `images/` and "
        "`masks/` in `files`, and in `notes` the code, first place and number of each way in "
        "which the annotations deviated, and in `unmoved_keys` the keys that stay as they are "
        "while objects move");
    page_item(p, "`.lockstep/`", "the lock and scratch; gone when the run has ended well");
    page_paragraph(p, "With `--overwrite`, the files that the earlier run's run.json and manifest "
                      "name are removed, and the folders that are empty then: every other file "
                      "stays, and one that an output would be written over is refused "
                      "[out-exists]. What a run that was killed has left is listed in "
                      "`.lockstep/` and removed, too. Two runs never write to one folder "
                      "[out-in-use]. Code 0 means that every file of the manifest is there, with "
                      "the size that was written [out-changed].");
    page_paragraph(p, "Where the file system of the output folder does not tell names apart by "
                      "case or by how accents are put together (exFAT, VFAT, shares of macOS), "
                      "outputs that would be one file are refused before work [name-collision].");
    page_heading(p, "Keys of a manifest line");
    page_item(p, "`output`, `mask`, `source`", "the files; source below the folder of `-i`");
    page_item(p, "`copy`", "which of an image's outputs, from 0");
    page_item(p, "`image_id`, `from`", "the id in the output, and in the source; with `-a`");
    page_item(p, "`key`", "what all its random numbers were made from");
    page_item(p, "`attempt`, `rejected`, `when_rejected`",
              "with `reject_image_if`: the number of the draw, from 0; the reason and the value "
              "that decided of each that was rejected; and what was done when all were");
    page_item(p, "`size_in`, `size_out`", "[width, height]");
    page_item(p, "`steps`",
              "the ops that were done, with the values drawn: themselves the steps of a pipeline");
    page_item(p, "`matrix`",
              "from the source's continuous coordinates to the output's, row by row: x' = m0*x + "
              "m1*y + m2, y' = m3*x + m4*y + m5; nine numbers when projective");
    page_item(p, "`annotations`",
              "what stays: id, the source's id as from (results without ids: the place in their "
              "list, from 0), visibility below 1, and whether the "
              "segmentation changed its kind; with `-a`");
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
    page_paragraph(
        p, "A bound in dB is what the image that is written keeps at least against that of "
           "mode `none`: the peak signal-to-noise ratio over all pixels and channels. Of an "
           "image that takes several shortcuts, the lowest of their bounds holds.");
    page_paragraph(p,
                   "Where `one-resample` is among them, both modes are held against a truth "
                   "instead: the image without the detail that the coarsest canvas on the way "
                   "cannot hold, sampled once. The mean squared error of `fast` is then at most "
                   "1.1 times that of `none`, and 1 more (in levels of 255, squared); where other "
                   "shortcuts are taken with it, its square root may be larger by the root mean "
                   "square that the lowest of their bounds allows. Pixels less than a pixel from "
                   "an edge of a canvas on the way do not count there: how wide a border falls to "
                   "its fill is not stated.");
    page_paragraph(p,
                   "These bounds are not proven but searched: `make search-fast` looks for "
                   "pipelines, values and pictures that break them, by chance and uphill from the "
                   "worst that it found: moves and colours, on pictures of 144 by 112 pixels of "
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
              "nowhere without such a suffix, is a fault [images-unread]: nobody knows what it "
              "would have had. No image at all, in a folder or in the list of a dataset, is a "
              "fault, too [images-none]: it comes of a wrong path or a failed export more often "
              "than it is meant.");
    page_item(
        p, "`names`",
        "Names in annotations are paths below `-i`: none that are absolute or have parts "
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
    page_item(p, "`changes`",
              "A folder is opened once: what is put in its place later is not looked at. An image "
              "that changes while it is read is read again, and fails if that does not end. The "
              "annotations are mapped: if their bytes change before the end of the run (other "
              "than by replacing the file with another), nothing of the run can be used, and it "
              "ends with 4 [annotations-changed].");
    page_item(p, "`messages`",
              "What a terminal might act upon in names and texts (control characters, those that "
              "turn the direction of writing, bytes that are no UTF-8) is shown as \\xNN or "
              "\\uNNNN.");
}

const struct topic topics[] = {
    { "coco", "what becomes of annotations", print_coco },
    { "compat", "how annotations may deviate from COCO", print_compat },
    { "exit-codes", "what the exit status says", print_exit_codes },
    { "inputs", "what is read, and what is refused", print_inputs },
    { "manifest", "what a run leaves in its folder", print_manifest },
    { "optimize", "how ops are joined, and what mode fast may change", print_optimize },
    { "reproducibility", "what random numbers depend on", print_reproducibility },
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
