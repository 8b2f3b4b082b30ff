/* survey: opens annotations for `stats` and `diff`. */
#include "open/survey.h"
#include "open/notes.h"
#include "shared/say.h"

#include "base/files.h"
#include "batch/dataset/class_file.h"
#include "batch/dataset/label_folder.h"
#include "batch/process/limits.h"
#include "batch/io/mapped_file.h"
#include "batch/dataset/translate.h"
#include "batch/dataset/unsupported_format.h"
#include "batch/io/open.h"
#include "batch/output/out_handles.h"
#include "batch/output/run_json_read.h"
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
        if (!*place->images && !place->voc_base)
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
                  faults = { .name = input_name(path), .notes = &notes };
    int code = EXIT_DONE;

    if (!mapped_open(path, &faults.text, &why))
        return refuse_input(path, &why, "annotations-unread", EXIT_INPUT);
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

    if (input_probe(job->images.roots.at[0], record->name, &max_pixels, &header, &why))
        frame = header.frame;
    else
        message_print("lockstep: warning: %s: %s [image-unread]", record->name, text_string(&why));
    text_drop(&why);
    return frame;
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

    if (!*place->images && !place->folders)
        return open_without_images(place->path);
    opened->job = (struct job){ .dataset = d,
                                .plan = &opened->plan,
                                .images.roots = { &place->images, 1, NULL },
                                .images.max_pixels = MAX_PIXELS,
                                .run.verbosity = -1 };
    d->arena = &opened->arena;
    code = place->folders ? open_class_folders(&options, &opened->job, d)
                          : open_annotations(&options, opened);
    if (code)
        return code;
    to->survey.name = arena_printf(&to->survey.arena, "%s", base_name(d->file));
    faults = dataset_faults(d);
    survey_read_labels(&to->survey, d, &faults, frame_of, &opened->job);
    code = report_unread(&to->survey, &faults);
    faults_drop(&faults);
    return code;
}

/* --- kinds of input --- */

static bool is_folder(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

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

static int open_out(const char *out, const char *classes, struct survey_inputs *to)
{
    struct arena *arena = &to->opened.arena;
    const char *json = path_below(arena, out, "annotations.json"),
               *labels = labels_of_run(out, arena), *images = path_below(arena, out, "images"),
               *manifest = path_below(arena, out, "manifest.jsonl");
    struct slice text;
    struct text why = { 0 };

    to->is_out = true;
    if (*json)
        return open_json(&(struct survey_place){ json, "", classes, VOC_BASE_UNKNOWN, false },
                         &to->survey);
    if (*labels)
        return open_labels(
            &(struct survey_place){ labels, images, classes, VOC_BASE_UNKNOWN, false }, to);
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
    return is_folder(path) && *path_below(arena, path, "run.json");
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
    return is_folder(path) && !is_out(path, arena) && *path_below(arena, path, OUT_SCRATCH);
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
    const char *folder, *names = "";

    struct text why = { 0 };

    if (place->folders)
        return open_labels(place, to);
    if (is_unfinished(place->path, &to->opened.arena)) {
        text_adds(&why, "the run into this folder is not finished; continue it with --resume, or "
                        "put its shards together with `lockstep merge`");
        return refuse_input(place->path, &why, "out-unfinished", EXIT_INPUT);
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
    survey_drop(&o->survey);
    command_inputs_drop(&o->opened);
}
