/* run_json: reads the run.json of a run. */
#include "open/run_json.h"

#include "shared/command.h"
#include "shared/say.h"

#include "batch/io/mapped_file.h"
#include "batch/dataset/plugin_probe.h"
#include "steps/plugin/plugin.h"

#include <string.h>

static const char *path_of(const char *run, const char *manifest, struct arena *arena)
{
    const char *slash = strrchr(manifest, '/');
    size_t length = slash ? (size_t)(slash - manifest) + 1 : 0;

    return *run ? run : arena_printf(arena, "%.*srun.json", (int)length, manifest);
}

static struct slice stretch(const struct run_file *run, const struct value *value)
{
    return (struct slice){ run->text.at + value->at.offset, value->at.length };
}

/* True if the counts of images state that no output was written. */
static bool wrote_nothing(const struct value *images)
{
    const struct value *written =
        images && images->kind == VALUE_OBJECT ? value_get(images, "written") : NULL;

    return written && written->kind == VALUE_NUMBER && written->number == 0;
}

static bool read_members(struct run_file *run, struct faults *faults)
{
    const struct value *root = value_parse(faults, &run->arena), *pipeline;

    if (!root || !value_expect(root, VALUE_OBJECT, "the run.json of a run, an object", faults))
        return false;
    pipeline = value_get(root, "pipeline");
    run->root = root;
    run->key_value = value_get(root, "key");
    if (!pipeline || !run->key_value)
        return value_fault(faults, root, false, "replay-foreign",
                           "it is not the run.json of a run: \"pipeline\" or \"key\" is missing");
    run->has_no_outputs = wrote_nothing(value_get(root, "images"));
    run->pipeline = stretch(run, pipeline);
    run->key = stretch(run, run->key_value);
    return true;
}

int run_file_open(const char *path, const char *manifest, struct run_file *run)
{
    struct text why = { 0 };
    struct faults faults = { 0 };
    int code = EXIT_DONE;

    run->path = path_of(path, manifest, &run->arena);
    if (strcmp(manifest, "-") == 0 && !*path) {
        text_adds(&why, "a manifest on stdin has no run.json next to it; give it with --run");
        return refuse_input("--manifest -", &why, "option-missing", EXIT_USAGE);
    }
    if (!mapped_open(run->path, &run->text, &why))
        return refuse_input(run->path, &why, "replay-run", EXIT_INPUT);
    faults.name = run->path;
    faults.text = run->text;
    if (!read_members(run, &faults))
        code = faults_exit(&faults, EXIT_INPUT);
    faults_drop(&faults);
    return code;
}

/* --- its plugins --- */

static const char *text_of(const struct value *object, const char *name)
{
    const struct value *value = object->kind == VALUE_OBJECT ? value_get(object, name) : NULL;

    return value && value->kind == VALUE_TEXT ? value->text : "";
}

static const struct plugin *loaded(const char *name)
{
    for (const struct plugin *const *p = plugins_loaded(); *p; p++)
        if (strcmp((*p)->name, name) == 0)
            return *p;
    return NULL;
}

static const struct value *plugins_of(const struct run_file *run)
{
    static const struct value none = { .kind = VALUE_LIST };
    const struct value *list = value_get(run->key_value, "plugins");

    return list && list->kind == VALUE_LIST ? list : &none;
}

/* Fails if a plugin of the run is not loaded: its steps have no meaning without it. */
static bool check_plugins(const struct run_file *run)
{
    struct faults faults = { .name = run->path, .text = run->text };
    const struct value *list = plugins_of(run);
    bool good = true;

    for (size_t i = 0; i < list->n; i++) {
        const char *name = text_of(&list->item[i], "name");

        if (!loaded(name))
            good = value_fault(&faults, &list->item[i], false, "replay-plugin",
                               "the run was made with the plugin %s %s: give its file with "
                               "--plugin",
                               name, text_of(&list->item[i], "version"));
    }
    if (!good)
        faults_exit(&faults, EXIT_INPUT);
    faults_drop(&faults);
    return good;
}

void run_file_warn_plugins(const struct run_file *run)
{
    const struct value *list = plugins_of(run);

    for (size_t i = 0; i < list->n; i++) {
        const struct plugin *p = loaded(text_of(&list->item[i], "name"));
        const char *version = text_of(&list->item[i], "version");

        if (p && strcmp(p->version, version) != 0)
            message_print("%s: warning: the run was made with version %s of the plugin %s, and %s "
                          "is version %s: its bytes may differ [replay-plugin]",
                          run->path, version, p->name, p->file, p->version);
        else if (p && strcmp(p->sha256, text_of(&list->item[i], "sha256")) != 0)
            message_print("%s: warning: the run was made with another file of version %s of the "
                          "plugin %s than %s: its bytes may differ [replay-plugin]",
                          run->path, version, p->name, p->file);
    }
}

int run_file_plan(const struct run_file *run, struct plan *plan)
{
    struct faults faults = { .name = run->path, .text = run->pipeline };
    int code = EXIT_DONE;

    if (!check_plugins(run))
        return EXIT_INPUT;
    if (!plugins_try_pipeline(&faults) || !plan_read(&faults, plan))
        code = faults_exit(&faults, EXIT_INPUT);
    faults_drop(&faults);
    return code;
}

enum voc_base run_file_voc_base(const struct run_file *run)
{
    const struct value *stated = value_get(run->key_value, "voc_base");

    return stated && stated->kind == VALUE_TEXT && strcmp(stated->text, "0") == 0 ? VOC_BASE_0
                                                                                  : VOC_BASE_1;
}

void run_file_drop(struct run_file *run)
{
    arena_drop(&run->arena);
}
