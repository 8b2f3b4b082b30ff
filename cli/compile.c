/* compile: a pipeline in its frozen form: every default written out, with a hash of its content. */
#include "open.h"

#include "../src/base/hash.h"
#include "../src/base/files.h"
#include "../src/batch/version.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

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

static int write_frozen(const struct job_options *o, const struct text *frozen)
{
    const char *slash = strrchr(o->out, '/');
    struct text folder = { 0 };
    struct stat status;
    const char *code = NULL, *why = NULL;
    int result = EXIT_DONE;

    if (strcmp(o->out, "-") == 0) {
        fputs(text_string(frozen), stdout);
        return EXIT_DONE;
    }
    if (slash)
        text_add(&folder, o->out, (size_t)(slash - o->out) + 1);
    if (!o->overwrite && stat(o->out, &status) == 0 && S_ISREG(status.st_mode)) {
        code = "out-occupied";
        why = "the file exists; use --overwrite, or another name";
        result = EXIT_OCCUPIED;
    } else if ((slash && !folder_make(text_string(&folder))) ||
               !file_write(text_string(&folder), slash ? slash + 1 : o->out, frozen->at,
                           frozen->length)) {
        code = "out-write";
        why = errno_text();
        result = EXIT_OUTPUT;
    }
    if (result)
        message_print("lockstep compile: error: %s: %s [%s]", o->out, why, code);
    text_drop(&folder);
    return result;
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
        code = write_frozen(o, &frozen);
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
    .run = run,
};
