/* say: messages that end a command, with its exit code. */
#include "shared/say.h"

#include <string.h>

int faults_exit(struct faults *faults, int code)
{
    struct text out = { 0 };

    faults_print(faults, 20, &out);
    message_print_lines(&out);
    text_drop(&out);
    return code;
}

int refuse_input(const char *path, struct text *why, const char *code_word, int code)
{
    struct faults faults = { .name = "lockstep" };

    fault_add(&faults, 0, 0, path, code_word, "%s", text_string(why));
    faults_exit(&faults, code);
    faults_drop(&faults);
    text_drop(why);
    return code;
}

int refuse_path(const char *path, const char *code_word, const char *why, int code)
{
    struct text text = { 0 };

    text_adds(&text, why);
    return refuse_input(path, &text, code_word, code);
}

int refuse_for(const char *who, int code, const char *path, const char *code_word, const char *why)
{
    message_print("%s: error: %s: %s [%s]", who, path, why, code_word);
    return code;
}

const char *input_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "stdin" : path;
}
