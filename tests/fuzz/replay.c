/* replay: a fuzz target's main without libFuzzer: each file of a folder is an input, once.
 * Prints TAP, a test an input; an input that is wrong ends the program. */
#include "fuzz.h"

#include "base/text.h"

#include <dirent.h>

static int is_input(const struct dirent *entry)
{
    return *entry->d_name != '.';
}

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

static void replay(const char *folder, const char *name)
{
    struct text text = read_file(folder, name);
    struct slice copy = feed_copy((const uint8_t *)text_string(&text), text.length);

    LLVMFuzzerTestOneInput((const uint8_t *)copy.at, copy.length);
    slice_free(copy);
    text_drop(&text);
}

int main(int argc, char **argv)
{
    struct dirent **list = NULL;
    int n = argc == 2 ? scandir(argv[1], &list, is_input, alphasort) : -1;

    if (n <= 0) {
        fprintf(stderr, "usage: %s FOLDER, of inputs\n", argv[0]);
        return 1;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    printf("1..%d\n", n);
    for (int i = 0; i < n; i++) {
        replay(argv[1], list[i]->d_name);
        printf("ok %d - %s\n", i + 1, list[i]->d_name);
        free(list[i]);
    }
    free(list);
    return 0;
}
