/* whole_dataset: reads a dataset with its parts, by its layout or by the names of its parts. It is
 * longer than 600 lines because words of options, the layout and the layout of OUT determine each
 * part together. */
#include "open/dataset.h"
#include "shared/say.h"

#include "base/files.h"
#include "batch/dataset/class_folders.h"
#include "batch/dataset/target_format.h"
#include "batch/dataset/layout_registry.h"
#include "batch/dataset/skipped_files.h"
#include "batch/io/image_name.h"
#include "batch/io/shard_index.h"
#include "batch/output/out_handles.h"
#include "batch/output/output_names.h"
#include "labels/shared/combination.h"

#include <string.h>
#include <unistd.h>

/* Returns the length of the name in "train=a.json"; 0 if the word names no part. A file of that
 * name is a file. */
static size_t part_name(const char *word)
{
    size_t length =
        strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");

    return word[length] == '=' && access(word, F_OK) != 0 ? length : 0;
}

/* Returns DIR of a word "train=DIR" for the part train, and a word without a name for any part.
 * Returns NULL if the word names another part. */
static const char *word_for_part(const char *word, const char *part)
{
    size_t length = part_name(word);

    if (!length)
        return word;
    return strncmp(word, part, length) == 0 && !part[length] ? word + length + 1 : NULL;
}

/* Returns the layout that --to writes; NULL: the layout of the source. */
static const struct layout *target_layout(const struct job_options *o)
{
    return target_is_other(o->to) ? layout_of_target(target_word(o->to)) : NULL;
}

/* True if --to needs images in other folders than the source has. */
static bool moves_images(const struct job_options *o)
{
    return target_layout(o) && target_layout(o)->labels_are_folders;
}

/* True if one of the words names a part. */
static bool has_part_name(const struct names *words)
{
    for (size_t i = 0; i < words->n; i++)
        if (part_name(words->at[i]))
            return true;
    return false;
}

bool is_whole_dataset(const struct job_options *o)
{
    return has_part_name(&o->annotations) || has_part_name(&o->images) || o->converts ||
           o->sources.n || (target_layout(o) && target_layout(o)->packed) ||
           (o->annotations.n == 1 && (!o->images.n || moves_images(o)));
}

static int refuse(const char *what, const char *code, struct text *why)
{
    return refuse_input(what, why, code, EXIT_USAGE);
}

/* Datasets that are concatenated. */
struct concat_source {
    const char *origin; /* its name */
    struct found_layout found;
};
struct concat {
    struct concat_source *at;
    size_t n;
};

/* --- parts by name --- */

/* Adds the folders of images of a part: those with its name, and those without a name. */
static int add_images(const struct job_options *o, bool needs_images, struct layout_part *part,
                      struct arena *arena)
{
    const char **images = ARENA_ARRAY(arena, const char *, o->images.n + 1);
    struct text why = { 0 };

    for (size_t i = 0; i < o->images.n; i++) {
        const char *folder = word_for_part(o->images.at[i], part->name);

        if (folder)
            images[part->n_images++] = folder;
    }
    part->images = images;
    if (part->n_images || !needs_images)
        return EXIT_DONE;
    text_addf(&why, "is required: the folder of the images of \"%s\": -i %s=DIR", part->name,
              part->name);
    return refuse("--images", "option-missing", &why);
}

/* Refuses folders of images or masks of a part that is not in the dataset. */
static int check_folders(const struct names *folders, const struct found_layout *found)
{
    struct text why = { 0 };

    for (size_t i = 0; i < folders->n; i++) {
        size_t length = part_name(folders->at[i]), k = 0;

        while (k < found->n && !word_for_part(folders->at[i], found->parts[k].name))
            k++;
        if (length && k == found->n) {
            text_addf(&why, "there is no part \"%.*s\"", (int)length, folders->at[i]);
            return refuse(folders->at[i], "dataset-parts", &why);
        }
    }
    return EXIT_DONE;
}

static int take_named(const struct job_options *o, bool needs_images, struct found_layout *found,
                      struct arena *arena)
{
    struct text why = { 0 };
    int code = EXIT_DONE;

    for (size_t i = 0; i < o->annotations.n && !code; i++) {
        const char *word = o->annotations.at[i];
        size_t length = part_name(word);
        const char *name = arena_copy(arena, word, length);
        struct layout_part *part;

        if (!length) {
            text_adds(&why, "this has no name of a part, and other options have: -a NAME=FILE");
            return refuse(word, "dataset-parts", &why);
        }
        for (size_t k = 0; k < found->n; k++)
            if (strcmp(found->parts[k].name, name) == 0) {
                text_addf(&why, "the part \"%s\" is given twice", name);
                return refuse(word, "option-twice", &why);
            }
        part = layout_add_part(found, arena, name);
        part->annotations = word + length + 1;
        layout_of_target("coco")->place(arena, part);
        code = add_images(o, needs_images, part, arena);
    }
    return code ? code : check_folders(&o->images, found);
}

/* Takes annotations and images that are not divided. */
static void take_single(const struct job_options *o, struct found_layout *found,
                        struct arena *arena)
{
    struct layout_part *part = layout_add_part(found, arena, "");

    part->annotations = job_annotations(o);
    part->images = o->images.at;
    part->n_images = o->images.n;
    layout_of_target("coco")->place(arena, part);
}

/* --- a layout --- */

static int recognize(const char *path, struct found_layout *found, struct arena *arena)
{
    struct faults faults = { .name = "lockstep" };
    int code = EXIT_DONE;

    if (!layout_recognize(path, arena, found, &faults))
        code = faults_exit(&faults, EXIT_INPUT);
    faults_drop(&faults);
    return code;
}

static int refuse_missing(const char *path)
{
    return refuse_path(path, "annotations-unread", errno_text(), EXIT_INPUT);
}

static int refuse_other(const char *path)
{
    struct text why = { 0 };

    if (access(path, F_OK) != 0)
        return refuse_missing(path);
    text_addf(&why,
              "is required: the folder of the images of %s, which is not a whole dataset in "
              "a layout of `lockstep list layouts`",
              path);
    dataset_add_archive(&why, path);
    return refuse("--images", "option-missing", &why);
}

/* --- several datasets --- */

/* Returns the last name of a path, without a slash at its end, for prefixes of names. */
static const char *origin_of(const char *path, struct arena *arena)
{
    size_t end = strlen(path), begin;

    while (end > 1 && path[end - 1] == '/')
        end--;
    for (begin = end; begin && path[begin - 1] != '/'; begin--)
        ;
    return end > begin ? arena_copy(arena, path + begin, end - begin) : "dataset";
}

/* Gives the origins different names: data, data2, ... */
static const char *distinct_origin(const struct concat *c, const char *path, struct arena *arena)
{
    const char *origin = origin_of(path, arena), *name = origin;

    for (size_t n = 2, i = 0; i < c->n; i++)
        if (strcmp(c->at[i].origin, name) == 0) {
            name = arena_printf(arena, "%s%zu", origin, n++);
            i = SIZE_MAX;
        }
    return name;
}

static int find_sources(const struct job_options *o, struct concat *c, struct arena *arena)
{
    struct text why = { 0 };
    int code = EXIT_DONE;

    c->at = ARENA_ARRAY(arena, struct concat_source, o->sources.n);
    for (size_t i = 0; i < o->sources.n && !code; i++) {
        struct concat_source *s = &c->at[i];
        const char *path = o->sources.at[i];

        s->origin = distinct_origin(c, path, arena);
        code = recognize(path, &s->found, arena);
        if (!code && access(path, F_OK) != 0) {
            code = refuse_missing(path);
        } else if (!code && !s->found.layout) {
            text_adds(&why, "this is not a dataset in a layout of `lockstep list layouts`");
            code = refuse_input(path, &why, "dataset-layout", EXIT_INPUT);
        } else if (!code && !target_is_other(o->to) && s->found.layout != c->at[0].found.layout) {
            text_addf(&why, "it has another layout than %s: name the format to write with --to",
                      o->sources.at[0]);
            code = refuse_input(path, &why, "dataset-layout", EXIT_USAGE);
        }
        c->n++;
    }
    return code;
}

static bool has_part(const struct found_layout *found, const char *name)
{
    for (size_t i = 0; i < found->n; i++)
        if (strcmp(found->parts[i].name, name) == 0)
            return true;
    return false;
}

/* Adds the parts of this name of all datasets: they have the place of the first one. */
static void add_part(const struct concat *c, const char *name, struct found_layout *found,
                     struct arena *arena)
{
    size_t first = found->n;

    for (size_t i = 0; i < c->n; i++)
        for (size_t k = 0; k < c->at[i].found.n; k++) {
            const struct layout_part *from = &c->at[i].found.parts[k];
            struct layout_part *added;

            if (strcmp(from->name, name) != 0)
                continue;
            added = layout_add_part(found, arena, name);
            *added = *from;
            added->origin = c->at[i].origin;
            added->below = found->parts[first].below;
            added->masks_below = found->parts[first].masks_below;
            added->mask_name_below = found->parts[first].mask_name_below;
            added->mask_list = found->parts[first].mask_list;
            added->image_ending = found->parts[first].image_ending;
            added->file = found->parts[first].file;
        }
}

static void add_sources(const struct concat *c, struct found_layout *found, struct arena *arena)
{
    for (size_t i = 0; i < c->n; i++)
        for (size_t k = 0; k < c->at[i].found.n; k++)
            if (!has_part(found, c->at[i].found.parts[k].name))
                add_part(c, c->at[i].found.parts[k].name, found, arena);
}

static int take_sources(const struct job_options *o, struct found_layout *found,
                        struct arena *arena)
{
    struct concat all = { .n = 0 };
    int code = find_sources(o, &all, arena);

    if (code)
        return code;
    found->layout = all.at[0].found.layout;
    found->path = o->sources.at[0];
    add_sources(&all, found, arena);
    return EXIT_DONE;
}

/* True if the part has this name in the source or in an output. */
static bool is_named(const struct job_options *o, const struct found_layout *found,
                     const struct layout_part *part, const char *name, struct arena *arena)
{
    const struct layout *target = target_layout(o);
    struct layout_part placed = *part;

    if (target && target != found->layout)
        target->place(arena, &placed);
    return strcmp(part->name, name) == 0 || strcmp(placed.name, name) == 0;
}

/* Keeps the parts of --part. */
static int choose_parts(const struct job_options *o, struct found_layout *found,
                        struct arena *arena)
{
    struct text why = { 0 };
    size_t n = 0;

    for (size_t i = 0; i < o->part.n; i++) {
        size_t k = 0;

        while (k < found->n && !is_named(o, found, &found->parts[k], o->part.at[i], arena))
            k++;
        if (k < found->n)
            continue;
        text_adds(&why, *found->parts[0].name ? "the dataset has no such part; it has "
                                              : "the dataset has no parts");
        for (k = 0; k < found->n && *found->parts[0].name; k++)
            text_addf(&why, "%s\"%s\"", k ? ", " : "", found->parts[k].name);
        return refuse_input(o->part.at[i], &why, "part-unknown", EXIT_USAGE);
    }
    for (size_t i = 0; i < found->n; i++) {
        bool taken = !o->part.n;

        for (size_t k = 0; k < o->part.n; k++)
            taken |= is_named(o, found, &found->parts[i], o->part.at[k], arena);
        if (taken)
            found->parts[n++] = found->parts[i];
    }
    found->n = n;
    for (size_t i = 0; i < n; i++)
        if (found->parts[i].missing) {
            text_adds(&why, found->parts[i].missing);
            return refuse_input(found->parts[i].name, &why, "dataset-layout", EXIT_INPUT);
        }
    return EXIT_DONE;
}

/* --- reading --- */

/* Returns the last folder of --masks for a part; NULL: there is none. */
static const char *given_masks(const struct job_options *o, const char *part)
{
    const char *masks = NULL;

    for (size_t i = 0; i < o->masks.n; i++)
        if (word_for_part(o->masks.at[i], part))
            masks = word_for_part(o->masks.at[i], part);
    return masks;
}

/* Returns the folder of the masks beside a folder of images: masks/train for images/train, and
 * train/masks for train/images. */
static const char *masks_beside(const char *images, struct arena *arena)
{
    const char *path = arena_printf(arena, "%s/", images);
    const char *at = path_last_folder(path, OUT_IMAGES);
    const char *after = at ? at + strlen(OUT_IMAGES) : NULL;

    return !at ? arena_printf(arena, OUT_MASKS "%s%s", *images ? "/" : "", images)
               : arena_printf(arena, "%.*s" OUT_MASKS "%.*s", (int)(at - path), path,
                              (int)strlen(after) - 1, after);
}

/* Takes the masks that --masks and --mask-name give for a part. */
static void take_masks(const struct job_options *o, struct layout_part *part)
{
    const char *masks = given_masks(o, part->name);

    if (masks) {
        part->masks = masks;
        part->mask_name = part->mask_ending = NULL;
        part->some_masks = false;
    }
    if (part->masks && o->mask_name && *o->mask_name) {
        part->mask_name = part->mask_name_below = o->mask_name;
        part->mask_ending = NULL;
    }
}

/* Reads a part as if it were the only one. */
static int read_part(const struct job_options *o, const struct found_layout *found,
                     const struct layout_part *part, bool first, const struct command_inputs *to,
                     struct command_inputs *own)
{
    struct job_options options = *o;
    bool packed = shard_index_is_path(part->annotations); /* labels are beside the images */
    int code;

    options.annotations =
        (struct names){ &part->annotations, *part->annotations && !packed ? 1 : 0 };
    options.images = (struct names){ part->images, part->n_images };
    if (!*o->classes)
        options.classes = found->classes;
    if (found->layout && found->layout->target && !target_is_other(o->to))
        options.to = target_of_word(found->layout->target);
    if (found->layout && found->layout->labels_are_folders)
        options.labels = IMAGE_LABELS_FOLDERS;
    own->job = to->job;
    own->job.dataset = &own->dataset;
    layout_take_part(found, part, &own->job, &own->dataset);
    own->dataset.arena = to->dataset.arena;
    if (own->job.images.passed)
        own->job.images.passed->own[0] = part->annotations;
    own->dataset.voc_base_noted = !first;
    own->dataset.joined = to->dataset.joined;
    code = open_source(&options, own);
    if (!code)
        part_masks_name(part, own->job.images.links, &own->dataset);
    return code;
}

/* Lists the files and folders that the parts are read from. */
static void list_sources(const struct found_layout *found, struct command_inputs *to)
{
    const char **at = ARENA_ARRAY(&to->arena, const char *, 4 * found->n + 1);
    size_t n = 0;

    for (size_t i = 0; i < found->n; i++) {
        const struct layout_part *part = &found->parts[i];
        const char *const of_part[] = { part->annotations, part->index, part->list, part->masks };

        for (size_t k = 0; k < COUNTOF(of_part); k++)
            if (of_part[k] && *of_part[k])
                at[n++] = of_part[k];
    }
    if (*found->classes)
        at[n++] = found->classes;
    to->job.images.sources = (struct names){ at, n };
}

static const struct roots *roots_of(const struct command_inputs *source, bool masks)
{
    return masks ? &source->job.images.masks : &source->job.images.roots;
}

/* Combines the folders of images, or of masks, of all parts. */
static int combine_roots(const struct command_inputs *source, size_t n, bool masks,
                         struct command_inputs *to)
{
    const struct combination *c = to->dataset.combination;
    size_t *base = ARENA_ARRAY(&to->arena, size_t, n + 1);
    struct roots *roots = masks ? &to->job.images.masks : &to->job.images.roots;
    uint8_t *of = ARENA_ARRAY(&to->arena, uint8_t, to->dataset.n_records + 1);
    const char **at;
    size_t record = 0;
    struct text why = { 0 };

    *roots = (struct roots){ 0 };
    for (size_t i = 0; i < n; i++) {
        base[i] = roots->n;
        roots->n += roots_of(&source[i], masks)->n;
    }
    if (roots->n > MAX_ROOTS) {
        text_addf(&why, "the parts have more than %d folders of %s", (int)MAX_ROOTS,
                  masks ? "masks" : "images");
        return refuse_input(to->dataset.file, &why, "dataset-parts", EXIT_INPUT);
    }
    at = ARENA_ARRAY(&to->arena, const char *, roots->n + 1);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < roots_of(&source[i], masks)->n; k++)
            at[base[i] + k] = roots_of(&source[i], masks)->at[k];
    for (size_t i = 0; i < c->n; i++) {
        const struct combination_part *p = &c->at[i];
        const struct roots *own = roots_of(&source[p->source], masks);

        for (size_t k = 0; k < p->n; k++)
            of[record++] =
                (uint8_t)(base[p->source] +
                          (own->of ? own->of[combination_own_index(p, p->first + k)] : 0));
    }
    roots->at = at;
    roots->of = of;
    return EXIT_DONE;
}

/* Refuses two parts that the target layout gives the same place, such as train2014 and train2017.
 */
static int check_places(const struct combination_part *parts, size_t n)
{
    struct text why = { 0 };

    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(parts[i].name, parts[k].name) == 0 && !parts[i].origin) {
                text_addf(&why,
                          "several parts become \"%s\" in this layout; choose one with --part",
                          parts[i].name);
                return refuse("--to", "dataset-parts", &why);
            }
    return EXIT_DONE;
}

/* Reads the parts again with one list of classes, if their own lists differ. */
static int read_again(const struct job_options *o, const struct found_layout *found,
                      const struct command_inputs *to, struct command_inputs *own,
                      struct combination_part *parts)
{
    const struct class_list *classes =
        to->dataset.classes ? NULL : combination_classes(parts, found->n, to->dataset.arena);
    int code = EXIT_DONE;

    for (size_t i = 0; classes && !code && i < found->n; i++) {
        struct job_options quiet = *o;

        quiet.quiet = true;
        own[i].dataset = (struct dataset){ .classes = classes };
        code = read_part(&quiet, found, &found->parts[i], false, to, &own[i]);
        parts[i].read = own[i].dataset;
    }
    return code;
}

/* Returns the layout of OUT: the layout of the target or of the source. For parts by name, returns
 * the layout of their format. */
static const struct layout *layout_of_out(const struct job_options *o,
                                          const struct found_layout *found,
                                          const struct dataset *own)
{
    if (target_is_other(o->to))
        return layout_of_target(target_word(o->to));
    if (found->layout)
        return found->layout;
    return own->format ? layout_of_target(own->format->name) : NULL;
}

/* Notes parts without objects, which readers of the layout refuse. */
static void note_empty_parts(const struct job *job, const struct layout *layout)
{
    const struct dataset *d = job->dataset;

    if (!layout || !layout->needs_objects || job->run.verbosity < 0 || !d->n_objects)
        return;
    for (size_t i = 0; i < d->combination->n; i++)
        if (!d->combination->at[i].read.n_objects)
            message_print("lockstep: warning: part \"%s\" has no objects, and readers of %s refuse "
                          "the dataset; leave the part out with --part [part-empty]",
                          d->combination->at[i].name, layout->title);
}

/* True if the part has no images, and the layout of OUT cannot state such a part. */
static bool is_left_out(const struct job_options *o, const struct layout *layout,
                        const struct layout_part *part, const struct dataset *own)
{
    if (own->n_records || !layout || layout->empty_parts)
        return false;
    if (!o->quiet)
        message_print("lockstep: warning: part \"%s\" has no images, and the layout of %s cannot "
                      "state this; the part is left out [part-empty]",
                      part->name, layout->title);
    return true;
}

/* Drops the masks of a part if readers of the layout of OUT find none. Masks of --masks are written
 * in any case. */
static void place_masks(const struct job_options *o, struct layout_part *part,
                        struct command_inputs *to, struct command_inputs *own)
{
    if (!part->masks || part->masks_below)
        return;
    if (given_masks(o, part->name)) {
        part->masks_below = masks_beside(part->below, &to->arena);
        part->mask_name_below = part->mask_name;
        return;
    }
    part->masks = NULL;
    own->job.images.masks.n = 0;
    for (size_t i = 0; i < own->dataset.n_records; i++) {
        to->job.images.lost_masks += own->dataset.records[i].mask != NULL;
        own->dataset.records[i].mask = NULL;
    }
}

static int read_parts(const struct job_options *o, struct found_layout *found,
                      struct command_inputs *to)
{
    struct command_inputs *own = ARENA_ARRAY(&to->arena, struct command_inputs, found->n);
    struct combination_part *parts = ARENA_ARRAY(&to->arena, struct combination_part, found->n);
    const struct layout *target = target_layout(o), *layout = NULL;
    struct faults faults = { .name = "lockstep" };
    size_t n;
    struct text why = { 0 };
    int code = EXIT_DONE;

    if (moves_images(o) && to->plan.joins) {
        text_adds(&why, "joined images have several classes, and a folder has one");
        return refuse("--to folders", "target-refused", &why);
    }
    for (size_t i = 0; i < found->n && !code;) {
        struct layout_part *part = &found->parts[i];
        const char *source_name = part->name;

        code = read_part(o, found, part, i == 0, to, &own[i]);
        if (!code)
            layout = layout_of_out(o, found, &own[i].dataset);
        if (!code && is_left_out(o, layout, part, &own[i].dataset)) {
            memmove(part, part + 1, (--found->n - i) * sizeof *part);
            own[i] = (struct command_inputs){ 0 };
            continue;
        }
        if (layout && layout != found->layout && (target || !found->layout)) {
            part->labels = part->file = NULL;
            part->masks_below = part->mask_name_below = part->mask_list = part->image_ending = NULL;
            layout->place(&to->arena, part);
        }
        if (!code)
            place_masks(o, part, to, &own[i]);
        parts[i] = (struct combination_part){ .name = part->name,
                                              .source_name = source_name,
                                              .below = part->below,
                                              .labels = part->labels,
                                              .masks = part->masks_below,
                                              .mask_name = part->mask_name_below,
                                              .mask_list = part->masks ? part->mask_list : NULL,
                                              .image_ending = part->image_ending,
                                              .file = part->file,
                                              .origin = part->origin,
                                              .source = i,
                                              .read = own[i].dataset };
        i++;
    }
    if (!code && !found->n) {
        text_adds(&why, "no part of the dataset has images");
        code = refuse_input(found->path, &why, "images-none", EXIT_INPUT);
    }
    if (!code)
        code = check_places(parts, found->n);
    if (!code)
        code = read_again(o, found, to, own, parts);
    n = found->n;
    if (!code && o->divide)
        code = o->divide(o->divide_context, found->layout, &parts, &n, &to->arena);
    if (!code && (!combination_make(parts, n, &to->dataset, &faults) ||
                  !combination_choose_writer(&to->dataset, &faults) ||
                  (moves_images(o) && target != found->layout &&
                   !folder_names_set(&to->dataset, &to->plan.rules, &faults))))
        code = faults_exit(&faults, EXIT_INPUT);
    faults_drop(&faults);
    if (!code) {
        to->dataset.combination->layout = layout ? layout->name : "";
        note_empty_parts(&to->job, layout);
    }
    to->layout = layout;
    if (!code)
        code = combine_roots(own, found->n, false, to);
    return code ? code : combine_roots(own, found->n, true, to);
}

/* Names the masks of a source without parts, and their place in the layout of OUT. */
static void divide_masks(struct command_inputs *own, struct layout_part *place,
                         struct combination_part *part)
{
    const struct job *job = &own->job;

    if (!job_has_masks(job))
        return;
    place->masks = job->images.masks.at[0];
    place->mask_name = job->naming.mask_name;
    part_masks_name(place, job->images.links, &own->dataset);
    part->masks =
        place->masks_below ? place->masks_below : masks_beside(place->below, own->dataset.arena);
    part->mask_name = place->masks_below ? place->mask_name_below : place->mask_name;
    part->mask_list = place->mask_list;
}

int divide_source(const struct job_options *o, struct command_inputs *to)
{
    const struct layout *layout =
        layout_of_out(o, &(struct found_layout){ .classes = "" }, &to->dataset);
    struct layout_part place = { .name = "" };
    struct combination_part *part;
    struct command_inputs *own;
    struct faults faults = { .name = "lockstep" };
    int code = EXIT_DONE;

    /* Tars have the labels of each image beside it. */
    if (!layout || !layout->divided ||
        (o->out_format && to->dataset.writer && to->dataset.writer->suffix))
        return EXIT_DONE;
    layout->place(&to->arena, &place);
    own = ARENA_NEW(&to->arena, struct command_inputs);
    own->job = to->job;
    own->dataset = to->dataset;
    to->dataset = (struct dataset){ .arena = &to->arena, .joined = own->dataset.joined };
    part = ARENA_NEW(&to->arena, struct combination_part);
    *part = (struct combination_part){ .name = place.name,
                                       .below = place.below,
                                       .only = true,
                                       .labels = place.labels,
                                       .file = place.file };
    divide_masks(own, &place, part);
    part->read = own->dataset;
    if (!combination_make(part, 1, &to->dataset, &faults) ||
        !combination_choose_writer(&to->dataset, &faults))
        code = faults_exit(&faults, EXIT_INPUT);
    else
        to->dataset.combination->layout = layout->name;
    faults_drop(&faults);
    to->layout = layout;
    return code ? code : combine_roots(own, 1, false, to);
}

int find_whole_dataset(const struct job_options *o, bool needs_images, struct arena *arena,
                       struct found_layout *to)
{
    bool named =
        o->annotations.n > 1 || has_part_name(&o->annotations) || has_part_name(&o->images);
    int code = EXIT_DONE;

    *to = (struct found_layout){ .classes = "" };
    if (o->sources.n)
        code = take_sources(o, to, arena);
    else if (named)
        code = take_named(o, needs_images, to, arena);
    else if (o->images.n)
        take_single(o, to, arena);
    else
        code = recognize(job_annotations(o), to, arena);
    if (!code && to->n)
        code = check_folders(&o->masks, to);
    if (!code && to->n)
        code = choose_parts(o, to, arena);
    for (size_t i = 0; !code && i < to->n; i++)
        take_masks(o, &to->parts[i]);
    if (!code && to->note && !o->quiet)
        message_print("lockstep: note: %s: %s [dataset-layout]", to->path, to->note);
    for (size_t i = 0; !code && i < to->n; i++)
        if (to->parts[i].unmatched && !o->quiet)
            message_print("lockstep: note: %s [list-unmatched]", to->parts[i].unmatched);
    return code;
}

int open_whole_dataset(const struct job_options *given, struct command_inputs *to)
{
    struct job_options options = *given, *o = &options;
    struct found_layout found;
    int code = find_whole_dataset(o, true, &to->arena, &found);

    if (!code && !found.n)
        code = refuse_other(job_annotations(o));
    if (!code)
        code = open_choose_packing(o, found.layout, target_layout(o), &to->job);
    if (code)
        return code;
    list_sources(&found, to);
    return read_parts(o, &found, to);
}
