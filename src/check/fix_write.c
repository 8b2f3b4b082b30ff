/* fix_write: writes a fixed text in place of the file, or beside it. */
#include "check/fix.h"

#include "base/output_file.h"

#include <stdio.h>

int fixes_write(const char *path, struct slice bytes, struct text *backup, struct text *why)
{
    struct output_file o;
    int code = output_open(&o, path, backup != NULL, why);

    if (!code && backup && !o.replaces) {
        text_adds(why, "it is not a regular file");
        code = EXIT_OUTPUT;
    }
    if (!code) {
        (void)fwrite(bytes.at, 1, bytes.length, o.file); /* errors are kept in the FILE */
        code = backup ? output_close(&o, why) : EXIT_DONE;
    }
    if (!code && backup && !(code = output_back_up(&o, why)))
        text_add(backup, o.backup.at, o.backup.length);
    if (!code)
        return output_finish(&o, why);
    output_drop(&o);
    return code;
}
