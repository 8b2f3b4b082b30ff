/* compile: writes a pipeline in its frozen form: with every default, and a hash of its content. */
#include "open/dataset.h"
#include "open/pipeline.h"
#include "options/plugins.h"

#include "base/hash.h"
#include "base/version.h"

/* Hashes the pipeline's text without "x-frozen", so that compiling again gives the same hash. */
static void print_frozen(const struct plan *plan, struct text *out)
{
    struct text content = { 0 };
    char hex[65];

    plan_print(plan, &content);
    hash_hex(content.at, content.length, hex);
    text_addf(out,
              "{\"x-frozen\": {\"lockstep\": \"%s\", \"sha256\": \"%s\"},\n \"optimize\": \"%s\", ",
              LOCKSTEP_VERSION, hex, choice_word(optimize_choices, plan->optimize));
    text_add(out, content.at + 1, content.length - 1);
    text_addc(out, '\n');
    text_drop(&content);
}

static int run(void *given, const char *const *operand)
{
    const struct job_options *o = given;
    struct plan plan = { 0 };
    struct text frozen = { 0 };
    int code = open_plan(o->pipeline, &plan);

    (void)operand;
    if (!code) {
        print_frozen(&plan, &frozen);
        code = open_out_write(o->out, o->overwrite, &frozen);
    }
    text_drop(&frozen);
    plan_drop(&plan);
    return code;
}

static const char *const examples[] = {
    "lockstep compile -p train.json -o train.frozen.json",
    "lockstep compile -p train.json | jq .transforms",
    NULL,
};

const struct command compile_command = {
    .name = "compile",
    .brief = true,
    .summary = "write a pipeline in its frozen form, with every default written out",
    .synopsis = "-p PIPELINE [-o FILE] [--overwrite]",
    .about =
        "The frozen file gives the same bytes as the pipeline, even if defaults change in later "
        "versions: steps keep their places, and therefore their random numbers. Its \"x-frozen\" "
        "names the version of lockstep that wrote it and the SHA-256 of its content. Compiling it "
        "again gives the same file.",
    .options = job_options,
    .taker = FOR_COMPILE,
    .options_size = sizeof(struct job_options),
    .examples = examples,
    .shared = &plugin_options,
    .run = run,
};
