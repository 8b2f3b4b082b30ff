/* topics_tars: outputs as tars of samples. */
#include "manual/manual.h"

void print_topic_tars(struct page *p)
{
    page_paragraph(
        p,
        "With `--out-format webdataset`, a run leaves OUT/data-000000.tar and so on in the place "
        "of images/, masks/ and labels/. A sample is an output and all that belongs to it: "
        "members of one key, one behind the other, in the order of the manifest.");
    page_item(p, "`KEY.jpg`", "the image, with the suffix that its file would have");
    page_item(p, "`KEY.json`",
              "with `-a`: annotations.json with this image and its annotations alone: a COCO file "
              "by itself, with the same categories and ids");
    page_item(p, "`KEY.mask.png`", "with `--masks`, or of panoptic annotations: the label mask");
    page_item(p, "`KEY.txt`, `KEY.xml`",
              "the labels of YOLO or Pascal VOC, where they are written");
    page_paragraph(
        p, "The key is the image's path below images/ without its suffix. A key ends at the first "
           "dot behind the last slash, so that dots of the name are written as %2E and percent "
           "signs as %25: a.b.jpg is a%2Eb.jpg. Two outputs of one key, as a.jpg and a.png, are "
           "refused [name-collision], and so is a name without the suffix of an image "
           "[sample-suffix]. Results are refused [out-format-results].");
    page_paragraph(
        p, "`--shard-size` says when a tar is full: 5000 samples, or 500K, 200M or 3G of bytes, of "
           "1000 each; a sample that is larger has a tar of its own. Without it, a tar has 100000 "
           "samples or 3G.");
    page_paragraph(
        p, "The tars are POSIX (ustar, with a pax header where a name is long or not ASCII); "
           "members are of owner 0 and mode 0644, and their time is 0, or SOURCE_DATE_EPOCH. "
           "lockstep writes them by itself, so that the same run gives the same bytes, whatever "
           "libraries there are.");
    page_paragraph(
        p, "A run writes files as ever, and packs them when all are there: it is resumed in the "
           "same way, and there must be room for the outputs twice until the end. One that is "
           "stopped after files were removed makes these again. In shards, `lockstep merge` packs: "
           "the tars are those of a run in one part. annotations.json, manifest.jsonl and run.json "
           "are those of such a run, too: the manifest names files as they would be in OUT. "
           "`lockstep verify` reads them in the tars, and with `--checksums` SHA256SUMS has the "
           "tars. `lockstep replay --verify` compares with the manifest's hashes, without `-o`.");
    page_paragraph(
        p,
        "Such tars, and others of this form, are read with `-i 'OUT/data-{000000..000004}.tar'`: "
        "without `-a`, of all KEY.json beside images one COCO file is made in memory: lists as "
        "`categories` have equal elements once, and of other sections the first one stays. "
        "KEY.mask.png is "
        "the mask unless `--masks` is given. %2E and %25 in names are a dot and a percent sign "
        "again. So a run that changes nothing "
        "gives the images, masks and annotations that were packed; annotations stand in the "
        "order of their images. KEY.txt, KEY.xml and other members are not read.");
    page_paragraph(
        p, "A KEY.json without a list `images` is no COCO file: its members become those of the "
           "image and are carried to what is written, whatever they say; `id` and `file_name` as "
           "`source_id` and `source_file_name`. Of its lists, `categories` names classes, and "
           "`annotations`, without `id` and `image_id`, are objects of the image. An integer "
           "in KEY.cls is the class of the image; without `categories`, classes are named by their "
           "numbers. Images are numbered from 1 in the order of the members. Either all KEY.json "
           "are COCO files, beside which KEY.cls is not read, or none is; what is no JSON, no "
           "object or no class is refused [archive-labels].");
    page_paragraph(
        p,
        "`-o -` writes the samples to stdout, as one tar: `lockstep run -p p.json -i images -o - "
        "| zstd > out.tar.zst`. They are the samples that `--out-format webdataset` writes, in the "
        "same order. Messages go to stderr, and there is no manifest, run.json or errors.jsonl; "
        "what is skipped is said on stderr. Images are done some hundreds at a time, in a "
        "folder lockstep-NUMBER below TMPDIR (or /tmp) that no other user can read, with room for "
        "about 1000 outputs; it is removed when the run ends, by a process that outlives a "
        "killed one. Where the run ends early, the last member, CUT-SHORT, is cut off, so that "
        "whatever reads the tar sees that it is not whole [stream-cut]; where whoever reads stdout "
        "has left, the run ends with code 141. Shards, "
        "`--resume` and dense ids are refused [stream-shard, stream-resume, stream-ids].");
    page_paragraph(
        p, "`-i -` reads an archive from stdin, as `-i` reads it from a file: a tar of WebDataset "
           "or of images, compressed or not, or a ZIP archive. Members have places in a file: it "
           "is copied to one without a name below TMPDIR first, so that memory does not grow "
           "with the archive. Images are not looked at before the work begins, as with "
           "`--no-preflight`: what cannot be read ends the run there, or is skipped. A tar that is "
           "cut short is refused, with the last whole member [archive-truncated]. A stream is read "
           "once: steps that borrow images, shards, `--resume`, `--dry-run` and commands that "
           "look at all headers are refused [stream-donors, stream-shard, stream-resume, "
           "stream-headers].");
    page_paragraph(
        p, "Every archive is read to its end before the work begins, and its checksums are "
           "compared. Several gzip members, bzip2 or xz streams or zstd frames are the parts of "
           "one tar, and zeros may follow it. Other data after the end, as where archives were "
           "joined by cat, is refused [archive-damaged]. So are pax headers that are malformed, "
           "repeat a key, or name or measure all files; and a ZIP archive whose directory does "
           "not name exactly its files, each as the file's own header does.");
}
