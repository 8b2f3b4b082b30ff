/* split: divides a COCO file into parts, such as for training and validation. */
#include "open/dataset.h"
#include "shared/args.h"
#include "shared/say.h"
#include "start/convert_dataset.h"

#include "batch/annotations/split.h"
#include "batch/dataset/label_folder.h"
#include "batch/dataset/layout_registry.h"
#include "batch/process/limits.h"
#include "base/number.h"
#include "labels/shared/combination.h"

#include <stdio.h>
#include <string.h>

struct options {
    const char *annotations, *out, *ratio, *group_by, *group_key, *classes;
    struct names images;
    int link;
    struct names part_names;
    int64_t seed;
    bool stratify, overwrite;
};

#define O struct options
static const struct option options[] = {
    { 0, 'a', "PATH",
      TEXT(O, annotations, .preset = "\"\"",
           .help = "the dataset to divide: a folder in a layout of `lockstep list layouts`, or "
                   "annotations with -i. A COCO file without -i is divided into COCO files; - is "
                   "stdin") },
    { 0, 'i', "DIR",
      NAMES(O, images, .preset = "null", .help = "the folder of the images of the annotations") },
    { 0, 'o', "DIR",
      TEXT(O, out, .writes = WRITES_FOLDER, .help = "the folder to write the parts to") },
    { 0, 0, "HOW",
      CHOICE(O, link, .preset = "\"copy\"", .choices = file_link_choices,
             .help = "for a dataset: how the files of images get into the folder") },
    { 0, 0, "FILE",
      TEXT(O, classes, .preset = "\"\"",
           .help = "for a dataset: the names of the classes, in order, as for `lockstep run`") },
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
    { 0, 0, "KEY",
      TEXT(O, group_key, .preset = "\"\"",
           .help = "for a dataset: keep images together whose records have the same value of this "
                   "member, such as video_id") },
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

/* --- a dataset --- */

/* Context of `divide`, which divides a dataset while it is opened. */
struct division {
    struct split *split;
    const char *folder; /* of the dataset, if it may be the output of a run; "" */
    struct faults faults;
};

/* Makes the part p of the records that got it, from each of the n parts of the source. */
static size_t add_parts(struct combination_part *to, size_t p, const struct split *split,
                        const struct layout *layout, const struct combination_part *from,
                        const struct split_source_dataset *source, size_t n, struct arena *arena)
{
    size_t added = 0;

    for (size_t i = 0; i < n; i++) {
        struct layout_part place = { .name = split->part[p].name };
        size_t *own = ARENA_ARRAY(arena, size_t, from[i].read.n_records + 1), n_own = 0;

        for (size_t k = 0; k < from[i].read.n_records; k++)
            if (source[i].part[k] == p)
                own[n_own++] = k;
        layout->place(arena, &place);
        to[added++] =
            (struct combination_part){ .name = place.name,
                                       .below = place.below,
                                       .labels = place.labels,
                                       .masks = place.masks_below,
                                       .mask_name = place.mask_name_below,
                                       .mask_list = from[i].mask_list ? place.mask_list : NULL,
                                       .file = place.file,
                                       .own = own,
                                       .n = n_own,
                                       .source = from[i].source,
                                       .read = from[i].read };
    }
    return added;
}

static int divide(void *context, const struct layout *layout, struct combination_part **parts,
                  size_t *n, struct arena *arena)
{
    struct division *d = context;
    struct split *split = d->split;
    struct split_source_dataset *source = ARENA_ARRAY(arena, struct split_source_dataset, *n);
    struct combination_part *to = ARENA_ARRAY(arena, struct combination_part, *n * split->n);
    size_t added = 0;
    int code;

    for (size_t i = 0; i < *n; i++)
        source[i] = (struct split_source_dataset){ &(*parts)[i].read, (*parts)[i].below, d->folder,
                                                   ARENA_ARRAY(arena, size_t,
                                                               (*parts)[i].read.n_records + 1) };
    code = split_records(split, source, *n, &d->faults);
    for (size_t p = 0; !code && p < split->n; p++)
        added += add_parts(to + added, p, split, layout ? layout : layout_of_target("coco"), *parts,
                           source, *n, arena);
    *parts = to;
    *n = added;
    return code && d->faults.n ? faults_exit(&d->faults, code) : code;
}

/* True if the dataset is divided as a whole: not only a COCO file. */
static bool is_dataset(const struct options *o)
{
    struct arena arena = { 0 };
    const char *folder, *names = "";
    bool labels = label_folder_find(o->annotations, &arena, &folder, &names);

    arena_drop(&arena);
    return o->images.n || labels;
}

static void print_parts(const struct options *o, const struct split *split)
{
    for (size_t i = 0; i < split->n; i++)
        printf("%s/%s: %zu images, %zu annotations\n", o->out, split->part[i].name,
               split->part[i].n_images, split->part[i].n_annotations);
}

static int split_dataset(const struct options *o, struct split *split)
{
    struct division division = { .split = split,
                                 .folder = o->images.n ? "" : o->annotations,
                                 .faults = { .name = "lockstep split" } };
    struct job_options job = { .annotations = { &o->annotations, *o->annotations != '\0' },
                               .images = o->images,
                               .out = o->out,
                               .image_list = "",
                               .classes = o->classes,
                               .max_pixels = MAX_PIXELS,
                               .overwrite = o->overwrite,
                               .link = o->link,
                               .converts = true,
                               .divide = divide,
                               .divide_context = &division };
    int code = convert_dataset("lockstep split", &job);

    faults_drop(&division.faults);
    if (!code)
        print_parts(o, split);
    return code;
}

static int run(void *given, const char *const *operand)
{
    const struct options *o = given;
    struct faults faults = { .name = "lockstep split" };
    struct split split = { .group_by = o->group_by,
                           .group_key = o->group_key,
                           .stratify = o->stratify,
                           .seed = o->seed,
                           .overwrite = o->overwrite };
    bool whole = is_dataset(o);
    int code = EXIT_USAGE;

    (void)operand;
    if (!*o->annotations && !whole)
        fault_add(&faults, 0, 0, "--annotations", "option-missing",
                  "is required: the dataset to divide");
    else if (!whole && (*o->group_key || *o->classes || option_is_given("link")))
        fault_add(&faults, 0, 0,
                  *o->group_key ? "--group-key"
                  : *o->classes ? "--classes"
                                : "--link",
                  "option-unused", "a COCO file alone is divided; give its images with -i");
    else if (!read_ratios(o->ratio, &split))
        fault_add(&faults, 0, 0, "--ratio", "option-value",
                  "\"%s\" is not 2 to %d numbers above 0 with colons between, as 80:10:10",
                  o->ratio, (int)MAX_SPLIT_PARTS);
    else if (name_parts(o, &split, &faults) && whole)
        code = split_dataset(o, &split);
    else if (!faults.n)
        code = split_annotations(&split, o->annotations, o->out, &faults);
    if (faults.n)
        code = faults_exit(&faults, code);
    for (size_t i = 0; !code && !whole && i < split.n; i++)
        printf("%s/%s.json: %zu images, %zu annotations\n", o->out, split.part[i].name,
               split.part[i].n_images, split.part[i].n_annotations);
    faults_drop(&faults);
    return code;
}

static const char *const examples[] = {
    "lockstep split -a annotations.json -o parts",
    "lockstep split -a annotations.json -o parts --ratio 3:1 --group-by '^[^/]+'",
    "lockstep split -a annotations.json -o parts --ratio 70:30 --stratify",
    "lockstep split -a dataset -o divided --ratio 80:10:10 --link hard",
    NULL,
};

const struct command split_command = {
    .name = "split",
    .summary = "divide a dataset into parts for training and validation",
    .synopsis = "-a DATASET [-i IMAGES] -o DIR [--ratio 80:10:10] [--group-by REGEX] [--stratify]",
    .about =
        "Divides the images of a dataset, with their annotations. A dataset with its images is "
        "written as a dataset with parts in the same layout, with its images. A COCO file without "
        "-i is divided into COCO files, element by element and byte for byte; every file has all "
        "categories, and images stay where they are. All files get their names together at the "
        "end, or none does. A hash of the image's file name (with --group-by, of its group) "
        "decides its part. It therefore stays there when other images are added, removed or "
        "renumbered, and the shares are met only approximately. The outputs that a run made from "
        "one source are a group: the manifest.jsonl next to the file tells them, or the suffix of "
        "copies in their names (`1__a003.jpg`). With the option --stratify the shares are exact "
        "and each category is divided evenly, but an added image may move others. Afterward, "
        "`lockstep check -a DIR --pixels` reports images of one part that look like images of "
        "another (X005).",
    .options = options,
    .options_size = sizeof(struct options),
    .examples = examples,
    .brief = true,
    .run = run,
};
