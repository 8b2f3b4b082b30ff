/* split: divides a COCO file into parts, such as for training and validation. */
#include "shared/command.h"
#include "shared/say.h"

#include "batch/annotations/split.h"
#include "base/number.h"

#include <stdio.h>
#include <string.h>

struct options {
    const char *annotations, *out, *ratio, *group_by;
    struct names part_names;
    int64_t seed;
    bool stratify, overwrite;
};

#define O struct options
static const struct option options[] = {
    { 0, 'a', "FILE", TEXT(O, annotations, .help = "the COCO file to divide; - for stdin") },
    { 0, 'o', "DIR",
      TEXT(O, out, .writes = WRITES_FOLDER, .help = "the folder to write the parts to") },
    { 0, 0, "RATIOS",
      TEXT(O, ratio, .preset = "\"80:10:10\"",
           .help = "the parts' shares, such as 80:10:10 or 3:1") },
    { 0, 0, "NAMES",
      NAMES(O, part_names, .preset = "null",
            .help = "names of the parts. The default is train,val,test or train,val; for more "
                    "parts, part0, part1 and so on. Called --names in earlier versions",
            .was = "--names") },
    { 0, 0, "REGEX",
      TEXT(O, group_by, .preset = "\"\"",
           .help = "keep images together whose names have the same match. Examples: '^[^/]+' for "
                   "folders, '^(.*)_[0-9]+' for its first group; '.*' divides single images") },
    { 0, 0, NULL,
      FLAG(O, stratify, .preset = "false",
           .help = "make the shares exact, and those of each category as far as possible. An "
                   "image that is added later may then move others") },
    { 0, 0, "N",
      WHOLE(O, seed, .preset = "0", .limit = { 0, 9007199254740992 },
            .help = "another seed gives another division") },
    { 0, 0, NULL, FLAG(O, overwrite, .preset = "false", .help = "replace files that exist") },
    OPTIONS_END,
};
#undef O

/* Reads "80:10:10". */
static bool read_ratios(const char *text, struct split *split)
{
    for (;;) {
        size_t length = strcspn(text, ":");
        double ratio = 0;

        if (split->n == MAX_SPLIT_PARTS || !length ||
            number_scan((struct slice){ text, length }, &ratio) != length || !(ratio > 0) ||
            ratio > 1e9)
            return false;
        split->part[split->n++].ratio = ratio;
        if (!text[length])
            return split->n > 1;
        text += length + 1;
    }
}

static bool is_plain(const char *name)
{
    return *name && *name != '.' && !strpbrk(name, "/\\\n") && strlen(name) < 200;
}

static bool name_parts(const struct options *o, struct split *split, struct faults *faults)
{
    static const char *const usual[] = { "train", "val", "test" };
    static const char *const numbered[MAX_SPLIT_PARTS] = { "part0",  "part1",  "part2",  "part3",
                                                           "part4",  "part5",  "part6",  "part7",
                                                           "part8",  "part9",  "part10", "part11",
                                                           "part12", "part13", "part14", "part15" };

    if (o->part_names.n && o->part_names.n != split->n)
        return fault_add(faults, 0, 0, "--part-names", "option-value", "%zu names for %zu parts",
                         o->part_names.n, split->n);
    for (size_t i = 0; i < split->n; i++) {
        split->part[i].name = o->part_names.n ? o->part_names.at[i]
                              : split->n <= 3 ? usual[i]
                                              : numbered[i];
        for (size_t k = 0; k < i; k++)
            if (strcmp(split->part[i].name, split->part[k].name) == 0)
                return fault_add(faults, 0, 0, "--part-names", "option-value", "%s is there twice",
                                 split->part[i].name);
        if (!is_plain(split->part[i].name))
            return fault_add(faults, 0, 0, "--part-names", "option-value",
                             "%s is no name for a file", split->part[i].name);
    }
    return true;
}

static int run(void *given, const char *const *operand)
{
    const struct options *o = given;
    struct faults faults = { .name = "lockstep split" };
    struct split split = {
        .group_by = o->group_by, .stratify = o->stratify, .seed = o->seed, .overwrite = o->overwrite
    };
    int code = EXIT_USAGE;

    (void)operand;
    if (!read_ratios(o->ratio, &split))
        fault_add(&faults, 0, 0, "--ratio", "option-value",
                  "\"%s\" is not 2 to %d numbers above 0 with colons between, as 80:10:10",
                  o->ratio, (int)MAX_SPLIT_PARTS);
    else if (name_parts(o, &split, &faults))
        code = split_annotations(&split, o->annotations, o->out, &faults);
    if (faults.n)
        code = faults_exit(&faults, code);
    for (size_t i = 0; !code && i < split.n; i++)
        printf("%s/%s.json: %zu images, %zu annotations\n", o->out, split.part[i].name,
               split.part[i].n_images, split.part[i].n_annotations);
    faults_drop(&faults);
    return code;
}

static const char *const examples[] = {
    "lockstep split -a annotations.json -o parts",
    "lockstep split -a annotations.json -o parts --ratio 3:1 --group-by '^[^/]+'",
    "lockstep split -a annotations.json -o parts --ratio 70:30 --stratify",
    NULL,
};

const struct command split_command = {
    .name = "split",
    .summary = "divide a COCO file into parts for training and validation",
    .synopsis = "-a ANNOTATIONS -o DIR [--ratio 80:10:10] [--group-by REGEX] [--stratify]",
    .about =
        "Copies each image of a COCO file, with its annotations, to one of several COCO files, "
        "element by element and byte for byte; every file has all categories. All files get their "
        "names together at the end, or none does. A hash of the image's file name (with "
        "--group-by, of its group) decides its part. It therefore stays there when other images "
        "are added, removed or renumbered, and the shares are met only approximately. The outputs "
        "that a run made from one source are a group: the manifest.jsonl next to the file tells "
        "them, or the suffix of copies in their names (`1__a003.jpg`). With --stratify the shares "
        "are exact and each category is divided evenly, but an added image may move others. Image "
        "files stay where they are.",
    .options = options,
    .options_size = sizeof(struct options),
    .examples = examples,
    .brief = true,
    .run = run,
};
