/* survey: opens annotations for `stats` and `diff`. */
#include "open/survey.h"
#include "open/notes.h"
#include "shared/say.h"

#include "base/files.h"
#include "batch/dataset/class_file.h"
#include "batch/dataset/label_folder.h"
#include "batch/dataset/layout_registry.h"
#include "batch/dataset/list_images.h"
#include "batch/process/limits.h"
#include "batch/io/mapped_file.h"
#include "batch/dataset/translate.h"
#include "batch/dataset/unsupported_format.h"
#include "batch/inspect/inspect.h"
#include "batch/io/open.h"
#include "batch/output/output_names.h"
#include "batch/output/out_handles.h"
#include "batch/output/run_json_read.h"
#include "batch/webdataset/read_samples.h"
#include "pixels/picture.h"
#include "steps/registry.h"

#include <fcntl.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* Warns of parts that could not be read, and prints the first fault only. */
static int report_unread(const struct survey *s, struct faults *faults)
{
    struct text out = { 0 };

    if (!s->n_unread)
        return EXIT_DONE;
    if (faults->n) {
        faults_print_first(faults, &out);
        message_print("lockstep: warning: %zu part%s of %s could not be read and %s left out; the "
                      "first: %s [survey-partial]",
                      s->n_unread, s->n_unread == 1 ? "" : "s", s->name,
                      s->n_unread == 1 ? "is" : "are", text_string(&out));
    } else {
        message_print("lockstep: warning: %zu part%s of %s could not be read and %s left out "
                      "[survey-partial]",
                      s->n_unread, s->n_unread == 1 ? "" : "s", s->name,
                      s->n_unread == 1 ? "is" : "are");
    }
    text_drop(&out);
    return EXIT_PARTIAL;
}

/* --- one file --- */

/* Makes the classes of the file the categories. */
static int pin_classes(const char *path, struct survey *s, struct faults *faults)
{
    struct faults wrong = { 0 };
    const struct class_list *list = *path ? class_file_read(path, &s->arena, &wrong) : NULL;
    int code = wrong.n ? faults_exit(&wrong, EXIT_INPUT) : EXIT_DONE;

    faults_drop(&wrong);
    if (list && !survey_pin_classes(s, list, faults))
        code = EXIT_INPUT;
    return code;
}

/* Refuses options that a COCO file has no use for. */
static int refuse_unused(const struct survey_place *place)
{
    struct text why = { 0 };

    text_addf(&why, "%s is for folders of labels, and this is not one",
              *place->images ? "--images" : "--voc-base");
    return refuse_input(place->path, &why, "option-unused", EXIT_USAGE);
}

/* Translates the text if it is of a format that is read as COCO; other files have no use for the
 * place's options. Adds faults. Returns false if it printed why. */
static bool translate(const struct survey_place *place, struct survey *s, struct faults *faults,
                      int *code)
{
    struct job_options options = { .classes = place->classes };
    struct dataset classes = { .arena = &s->arena };
    struct translate_inputs inputs = { &place->images, *place->images != '\0', LINKS_FOLLOW, NULL };

    if (!registry_format_translated(faults->text)) {
        if (place->part || (!*place->images && !place->voc_base))
            return true;
        *code = refuse_unused(place);
        return false;
    }
    *code = open_classes(&options, &classes);
    if (*code)
        return false;
    inputs.classes = classes.classes;
    translate_text(&inputs, &s->arena, faults);
    translate_tell(faults->notes);
    return true;
}

static int open_json(const struct survey_place *place, struct survey *s)
{
    const char *path = place->path;
    struct text why = { 0 };
    struct faults notes = { .name = input_name(path) },
                  faults = { .name = input_name(path), .notes = &notes },
                  unread = { .name = "lockstep" };
    int code = EXIT_DONE;

    if (!samples_open(path, &faults.text, &unread))
        code = faults_exit(&unread, EXIT_INPUT);
    faults_drop(&unread);
    if (code)
        return code;
    open_skip_mark(&faults);
    notes.text = faults.text;
    s->name = arena_printf(&s->arena, "%s", base_name(faults.name));
    if (!translate(place, s, &faults, &code)) {
        faults_drop(&faults);
        faults_drop(&notes);
        return code;
    }
    if (faults.n)
        code = EXIT_INPUT;
    else if (!faults.n_files && detect_unsupported(path, faults.text, &why))
        fault_add(&faults, 0, 0, "", "annotations-other", "%s", text_string(&why));
    else if (survey_read_json(s, registry_format(faults.text), &faults))
        code = report_unread(s, &faults);
    else
        code = EXIT_INPUT;
    if (code == EXIT_INPUT || why.length) {
        code = faults_exit(&faults, EXIT_INPUT);
    } else if (!faults.n_files) {
        size_t before = faults.n;
        int pinned = pin_classes(place->classes, s, &faults);

        code = faults.n > before ? faults_exit(&faults, pinned) : pinned ? pinned : code;
    }
    code = open_end(code);
    text_drop(&why);
    faults_drop(&faults);
    faults_drop(&notes);
    return code;
}

/* --- folders of labels --- */

/* Returns the size of a record's image, from its header. */
static struct frame frame_of(void *context, const struct record *record)
{
    static const size_t max_pixels = MAX_PIXELS;
    const struct job *job = context;
    struct picture_header header;
    struct text why = { 0 };
    struct frame frame = { 0 };
    size_t index = (size_t)(record - job->dataset->records);

    if (input_probe(job_root(job, index), record->name, &max_pixels, &header, &why))
        frame = header.frame;
    else
        message_print("lockstep: warning: %s: %s [image-unread]", record->name, text_string(&why));
    text_drop(&why);
    return frame;
}

static int list_images(struct job *job, struct dataset *d)
{
    const char *failed;
    struct text why = { 0 };

    return listing_read(job, d, NULL, &failed, &why)
               ? EXIT_DONE
               : refuse_input(failed, &why, "images-unread", EXIT_INPUT);
}

static int open_labels(const struct survey_place *place, struct survey_inputs *to)
{
    const struct job_options options = { .annotations = { &place->path, 1 },
                                         .classes = place->classes,
                                         .voc_base = place->voc_base,
                                         .image_list = "",
                                         .quiet = true,
                                         .compat = COMPAT_LENIENT };
    struct command_inputs *opened = &to->opened;
    struct dataset *d = &opened->dataset;
    struct faults faults;
    int code;

    if (!*place->images && !place->folders && !place->part)
        return open_without_images(place->path);
    opened->job = (struct job){ .dataset = d,
                                .plan = &opened->plan,
                                .images.roots = { &place->images, 1, NULL },
                                .images.max_pixels = MAX_PIXELS,
                                .run.verbosity = -1 };
    d->arena = &opened->arena;
    if (place->part)
        layout_take_part(place->dataset, place->part, &opened->job, d);
    if (!*place->path && !place->folders)
        code = list_images(&opened->job, d);
    else
        code = place->folders ? open_class_folders(&options, &opened->job, d)
                              : open_annotations(&options, opened);
    if (code)
        return code;
    to->survey.name = arena_printf(&to->survey.arena, "%s", d->file ? base_name(d->file) : "");
    faults = dataset_faults(d);
    survey_read_labels(&to->survey, d, &faults, frame_of, &opened->job);
    for (size_t i = 0; i < d->n_records; i++) {
        to->survey.images[i].root = job_root(&opened->job, i);
        to->survey.images[i].file = d->records[i].name;
    }
    code = report_unread(&to->survey, &faults);
    faults_drop(&faults);
    return code;
}

/* --- label masks --- */

static int refuse_none(const char *path)
{
    struct text why = { 0 };

    text_adds(&why, "there are no images in this folder");
    return refuse_input(path, &why, "images-none", EXIT_INPUT);
}

static int open_masks(const struct survey_place *place, struct survey_inputs *to)
{
    const struct job_options options = { .classes = place->classes };
    const struct layout_part given = { .masks = place->masks, .mask_name = place->mask_name };
    struct dataset *d = &to->opened.dataset;
    struct job *job = &to->opened.job;
    struct inspection inspection;
    struct text why = { 0 };
    int code;

    d->arena = &to->opened.arena;
    *job = (struct job){ .dataset = d,
                         .images.roots = { &place->images, 1, NULL },
                         .images.masks = { &place->masks, 1, NULL } };
    if (place->part)
        layout_take_part(place->dataset, place->part, job, d);
    code = list_images(job, d);
    if (!code)
        code = open_classes(&options, d);
    if (!code && !d->n_records)
        code = refuse_none(place->images);
    if (code)
        return code;
    part_masks_name(place->part ? place->part : &given, LINKS_FOLLOW, d);
    if (!inspect_images(&inspection,
                        &(struct inspect_job){ .dataset = d,
                                               .images = job->images.roots,
                                               .masks = job->images.masks,
                                               .labels = true,
                                               .mask_pixels = true },
                        &why))
        return refuse_input(place->masks, &why, "worker-start", EXIT_RESOURCES);
    to->survey.name = arena_printf(&to->survey.arena, "%s", base_name(place->masks));
    survey_read_masks(&to->survey, d, &inspection, d->classes);
    inspection_drop(&inspection);
    return report_unread(&to->survey, &(struct faults){ 0 });
}

/* --- kinds of input --- */

/* Returns folder/name, in the arena; "" if it does not exist. */
static const char *path_below(struct arena *arena, const char *folder, const char *name)
{
    const char *path = arena_printf(arena, "%s/%s", folder, name);

    return access(path, F_OK) == 0 ? path : "";
}

/* Returns the folder of the output's label files, by the format in its run.json; "" if there is
 * none. */
static const char *labels_of_run(const char *out, struct arena *arena)
{
    const char *path = "";
    struct text bytes = { 0 };
    int folder = open(out, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const struct value *run = folder >= 0 ? run_json_read(folder, &bytes, arena) : NULL;
    const struct value *key = run ? value_get(run, "key") : NULL;
    const struct value *to = key && key->kind == VALUE_OBJECT ? value_get(key, "to") : NULL;

    for (EACH(format, format, registry_formats)) {
        size_t n = strlen(format->name);

        if (format->suffix && to && to->kind == VALUE_TEXT &&
            strncmp(to->text, format->name, n) == 0 && to->text[n] == ' ')
            path = path_below(arena, out, format->folder);
    }
    if (folder >= 0)
        close(folder);
    text_drop(&bytes);
    return path;
}

/* --- parts --- */

static int open_any(const struct survey_place *, struct survey_inputs *);

/* Finds the files that a part's annotations name. */
static void find_files(const struct layout_part *part, struct survey *s)
{
    struct text why = { 0 };

    for (size_t i = 0; i < s->n_images; i++) {
        struct survey_image *image = &s->images[i];
        size_t k = 0;

        while (k + 1 < part->n_images &&
               !input_exists(part->images[k], image->name, LINKS_FOLLOW, &why))
            k++;
        if (part->n_images && *image->name) {
            image->root = part->images[k];
            image->file = image->name;
        }
        text_clear(&why);
    }
    text_drop(&why);
}

/* Opens the parts of a dataset, and combines them. */
static int open_survey_parts(const struct survey_place *whole, const struct found_layout *found,
                             struct survey_inputs *to)
{
    struct arena *arena = &to->opened.arena;
    const struct survey **from = ARENA_ARRAY(arena, const struct survey *, found->n + 1);
    struct survey_part *parts = ARENA_ARRAY(arena, struct survey_part, found->n + 1);
    int code = EXIT_DONE, partial = EXIT_DONE;

    to->parts = ARENA_ARRAY(arena, struct survey_inputs, found->n + 1);
    to->n_parts = found->n;
    for (size_t i = 0; i < found->n && !code; i++) {
        const struct layout_part *part = &found->parts[i];
        const struct survey_place place = {
            .path = part->annotations,
            .images = part->n_images ? *part->images : "",
            .classes = *whole->classes ? whole->classes : found->classes,
            .voc_base = whole->voc_base,
            .folders = found->layout && found->layout->labels_are_folders,
            .masks = part->some_masks ? NULL : part->masks,
            .dataset = found,
            .part = part,
        };

        to->parts[i].survey.accepts_nan = to->survey.accepts_nan;
        code = open_any(&place, &to->parts[i]);
        if (code == EXIT_PARTIAL) {
            partial = code;
            code = EXIT_DONE;
        }
        if (!code && !to->parts[i].opened.dataset.arena)
            find_files(part, &to->parts[i].survey);
        from[i] = &to->parts[i].survey;
        parts[i] = (struct survey_part){ .name = part->name, .below = part->below };
    }
    if (code)
        return code;
    to->survey.name = arena_printf(&to->survey.arena, "%s", base_name(whole->path));
    survey_combine(&to->survey, from, parts, found->n);
    return partial;
}

/* Finds the parts of an output by its run.json: those with a file of annotations each. Returns
 * false if the output is not divided. */
static bool find_out_parts(const char *out, struct arena *arena, struct found_layout *to)
{
    struct text bytes = { 0 };
    int folder = open(out, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const struct value *run = folder >= 0 ? run_json_read(folder, &bytes, arena) : NULL;
    const struct value *parts = run ? value_get(run, "parts") : NULL;

    *to = (struct found_layout){ .path = out, .classes = "" };
    for (size_t i = 0; parts && parts->kind == VALUE_LIST && i < parts->n; i++) {
        const struct value *name = value_get(&parts->item[i], "name"),
                           *images = value_get(&parts->item[i], "images"),
                           *file = value_get(&parts->item[i], "annotations");
        struct layout_part *part;

        if (!name || name->kind != VALUE_TEXT || !images || images->kind != VALUE_TEXT || !file ||
            file->kind != VALUE_TEXT || !name_ends_with(file->text, ".json") ||
            !*path_below(arena, out, file->text)) {
            to->n = 0;
            break;
        }
        part = layout_add_part(to, arena, name->text);
        layout_set_images(to, part, arena, images->text);
        part->annotations = arena_printf(arena, "%s/%s", out, file->text);
    }
    if (folder >= 0)
        close(folder);
    text_drop(&bytes);
    return parts != NULL;
}

static int open_out(const char *out, const char *classes, struct survey_inputs *to)
{
    struct arena *arena = &to->opened.arena;
    const char *json = path_below(arena, out, "annotations.json"),
               *labels = labels_of_run(out, arena), *images = path_below(arena, out, "images"),
               *manifest = path_below(arena, out, "manifest.jsonl");
    const struct survey_place whole = { .path = out, .images = "", .classes = classes };
    struct found_layout found;
    struct faults faults = { 0 };
    struct slice text;
    struct text why = { 0 };

    to->is_out = true;
    if (find_out_parts(out, arena, &found) && !found.n &&
        !layout_recognize(out, arena, &found, &faults))
        found.n = 0;
    faults_drop(&faults);
    if (!*json && found.n)
        return open_survey_parts(&whole, &found, to);
    if (*json)
        return open_json(&(struct survey_place){ .path = json, .images = "", .classes = classes },
                         &to->survey);
    if (*labels)
        return open_labels(
            &(struct survey_place){ .path = labels, .images = images, .classes = classes }, to);
    if (!*manifest)
        text_adds(&why, "this output of a run has neither annotations nor a manifest");
    else if (mapped_open(manifest, &text, &why)) {
        to->survey.name = "manifest.jsonl";
        survey_read_manifest(&to->survey, text);
        return report_unread(&to->survey, &(struct faults){ 0 });
    }
    return refuse_input(out, &why, "annotations-unread", EXIT_INPUT);
}

static bool is_out(const char *path, struct arena *arena)
{
    return path_is_folder(path) && *path_below(arena, path, "run.json");
}

bool survey_is_out(const char *path)
{
    struct arena arena = { 0 };
    bool is = is_out(path, &arena);

    arena_drop(&arena);
    return is;
}

/* True if a run into the folder began and has not ended: its files are not complete. */
static bool is_unfinished(const char *path, struct arena *arena)
{
    return path_is_folder(path) && !is_out(path, arena) && *path_below(arena, path, OUT_SCRATCH);
}

bool survey_is_label_folder(const char *path)
{
    struct arena arena = { 0 };
    const char *folder, *names = "";
    bool is = !is_out(path, &arena) && label_folder_find(path, &arena, &folder, &names);

    arena_drop(&arena);
    return is;
}

static int open_any(const struct survey_place *place, struct survey_inputs *to)
{
    const struct job_options options = { .annotations = { &place->path, 1 },
                                         .mask_name = place->mask_name };
    struct found_layout found = { 0 };
    const char *folder, *names = "";
    struct text why = { 0 };
    int code;

    if (place->masks)
        return open_masks(place, to);
    if (place->folders || !*place->path)
        return open_labels(place, to);
    if (is_unfinished(place->path, &to->opened.arena)) {
        text_adds(&why, "the run into this folder is not finished; continue it with --resume, or "
                        "put its shards together with `lockstep merge`");
        return refuse_input(place->path, &why, "out-unfinished", EXIT_INPUT);
    }
    if (!place->part && !*place->images && !is_out(place->path, &to->opened.arena)) {
        code = find_whole_dataset(&options, false, &to->opened.arena, &found);
        if (code || found.n)
            return code ? code : open_survey_parts(place, &found, to);
    }
    if (!is_out(place->path, &to->opened.arena) &&
        label_folder_find(place->path, &to->opened.arena, &folder, &names))
        return open_labels(place, to);
    if (is_out(place->path, &to->opened.arena))
        return *place->images || place->voc_base ? refuse_unused(place)
                                                 : open_out(place->path, place->classes, to);
    return open_json(place, &to->survey);
}

int open_survey(const struct survey_place *place, struct survey_inputs *to)
{
    *to = (struct survey_inputs){ 0 };
    return open_any(place, to);
}

int open_survey_with_nan(const struct survey_place *place, struct survey_inputs *to)
{
    *to = (struct survey_inputs){ .survey = { .accepts_nan = true } };
    return open_any(place, to);
}

void survey_inputs_drop(struct survey_inputs *o)
{
    for (size_t i = 0; i < o->n_parts; i++)
        survey_inputs_drop(&o->parts[i]);
    survey_drop(&o->survey);
    command_inputs_drop(&o->opened);
}
