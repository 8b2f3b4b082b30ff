/* pipeline: reads a pipeline from a file, or a built-in one. */
#include "open/pipeline.h"
#include "open/other_pipeline.h"
#include "open/starter_pipelines.h"
#include "shared/say.h"

#include "batch/io/folder.h"
#include "base/files.h"
#include "batch/dataset/plugin_probe.h"

#include <string.h>
#include <sys/stat.h>

/* Reads a file, or else a built-in pipeline. A file takes precedence over a built-in pipeline with
 * the same name; a folder, such as a folder of images, does not. */
static bool read_pipeline(const char *path, struct text *to, struct text *why)
{
    enum { MAX_PIPELINE = 64 << 20 }; /* bytes; a step has some hundred */
    const struct starter *starter = starter_get(path);
    struct stat status;

    if (!starter || (stat(path, &status) == 0 && !S_ISDIR(status.st_mode)))
        return input_read_named(path, MAX_PIPELINE, to, why);
    text_adds(to, starter->text);
    return true;
}

int open_plan(const char *path, struct plan *plan)
{
    struct text text = { 0 }, why = { 0 };
    struct faults faults = { .name = input_name(path) };
    int code = EXIT_DONE;

    if (!read_pipeline(path, &text, &why)) {
        pipeline_suggest(path, &why);
        text_drop(&text);
        return refuse_input(path, &why, "pipeline-unread", EXIT_PIPELINE);
    }
    faults.text = (struct slice){ text_string(&text), text.length };
    if (pipeline_is_other(path, faults.text, &why)) {
        fault_add(&faults, 0, 1, "", "pipeline-other", "%s", text_string(&why));
        text_drop(&why);
        code = faults_exit(&faults, EXIT_PIPELINE);
    } else if (!plugins_try_pipeline(&faults) || !plan_read(&faults, plan))
        code = faults_exit(&faults, EXIT_PIPELINE);
    faults_drop(&faults);
    text_drop(&text);
    return code;
}

void open_empty_plan(struct plan *plan)
{
    static const char nothing[] = "{\"version\": 1, \"transforms\": []}";
    struct faults faults = { .name = "lockstep", .text = { nothing, strlen(nothing) } };

    (void)plan_read(&faults, plan);
    faults_drop(&faults);
}
