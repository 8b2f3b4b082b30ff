/* replay: a fuzz target's main without libFuzzer: each file of a folder is an input, once.
 * Prints their names. */
#include "fuzz.h"

#include "../../src/base/text.h"

#include <dirent.h>

static struct text read_file(const char *folder, const char *name)
{
    struct text path = { 0 }, text = { 0 };
    char buffer[4096];
    size_t n;
    FILE *file;

    text_addf(&path, "%s/%s", folder, name);
    file = fopen(text_string(&path), "rb");
    MUST(file);
    while ((n = fread(buffer, 1, sizeof buffer, file)) > 0)
        text_add(&text, buffer, n);
    MUST(!ferror(file));
    fclose(file);
    text_drop(&path);
    return text;
}

int main(int argc, char **argv)
{
    struct dirent **list = NULL;
    int n = argc == 2 ? scandir(argv[1], &list, NULL, alphasort) : -1, inputs = 0;

    for (int i = 0; i < n; i++) {
        if (*list[i]->d_name != '.') {
            struct text text = read_file(argv[1], list[i]->d_name);
            struct slice copy = feed_copy((const uint8_t *)text_string(&text), text.length);

            puts(list[i]->d_name); /* before it is tried: the last name is the one that fails */
            fflush(stdout);
            LLVMFuzzerTestOneInput((const uint8_t *)copy.at, copy.length);
            slice_free(copy);
            text_drop(&text);
            inputs++;
        }
        free(list[i]);
    }
    free(list);
    if (!inputs)
        fprintf(stderr, "usage: %s FOLDER, of inputs\n", argv[0]);
    return inputs == 0;
}
