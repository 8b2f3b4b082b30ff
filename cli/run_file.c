/* run_file: the run.json of a run. */
#include "run_file.h"

#include "command.h"

#include "../src/batch/mapped.h"

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

static bool read_members(struct run_file *run, struct faults *faults)
{
    const struct value *root = value_parse(faults, &run->arena), *pipeline;

    if (!root || !value_expect(root, VALUE_OBJECT, "the run.json of a run, an object", faults))
        return false;
    pipeline = value_get(root, "pipeline");
    run->key_value = value_get(root, "key");
    if (!pipeline || !run->key_value)
        return value_fault(faults, root, false, "replay-foreign",
                           "it is not the run.json of a run: \"pipeline\" or \"key\" is missing");
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
        text_adds(&why, "a manifest from stdin has no run.json beside it: give it with --run");
        return open_complain("--manifest -", &why, "option-missing", EXIT_USAGE);
    }
    if (!mapped_open(run->path, &run->text, &why))
        return open_complain(run->path, &why, "replay-run", EXIT_INPUT);
    faults.name = run->path;
    faults.text = run->text;
    if (!read_members(run, &faults))
        code = faults_exit(&faults, EXIT_INPUT);
    faults_drop(&faults);
    return code;
}

int run_file_plan(const struct run_file *run, struct plan *plan)
{
    struct faults faults = { .name = run->path, .text = run->pipeline };
    int code = plan_read(&faults, plan) ? EXIT_DONE : faults_exit(&faults, EXIT_INPUT);

    faults_drop(&faults);
    return code;
}

void run_file_drop(struct run_file *run)
{
    arena_drop(&run->arena);
}
