/* output_file: one file that a command writes, whole or not at all. */
#include "output_file.h"

#include "../src/base/files.h"
#include "../src/base/message.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

int write_output_file(const char *command, const char *path, bool overwrite,
                      const struct text *content)
{
    struct stat status;
    const char *code = NULL, *why = NULL;
    int result = EXIT_DONE;

    if (strcmp(path, "-") == 0) {
        fputs(text_string(content), stdout);
        return EXIT_DONE;
    }
    if (!overwrite && stat(path, &status) == 0 && S_ISREG(status.st_mode) &&
        !file_is_stream(path)) {
        code = "out-occupied";
        why = "the file exists; use --overwrite, or another name";
        result = EXIT_OCCUPIED;
    } else if (!file_write_below(path, content->at, content->length)) {
        code = "out-write";
        why = errno_text();
        result = EXIT_OUTPUT;
    }
    if (result)
        message_print("lockstep %s: error: %s: %s [%s]", command, path, why, code);
    return result;
}
