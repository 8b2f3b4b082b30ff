/* compile: a pipeline in its frozen form: every default written out, with a hash of its content. */
#include "open/dataset.h"

#include "base/hash.h"
#include "base/version.h"

/* The hash is of the pipeline's own text, which compiling again gives again. */
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
    .summary = "write a pipeline in its frozen form, every default written out",
    .synopsis = "-p PIPELINE [-o FILE] [--overwrite]",
    .about = "The frozen file runs like the pipeline, to the byte, whatever defaults become later: "
             "steps keep their places, and so their random numbers. Its \"x-frozen\" names the "
             "lockstep that wrote it and the SHA-256 of its content; compiling it again gives the "
             "same file.",
    .options = job_options,
    .taker = FOR_COMPILE,
    .options_size = sizeof(struct job_options),
    .examples = examples,
    .plugins = true,
    .run = run,
};
