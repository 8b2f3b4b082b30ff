/* bench_cjson: reads an annotation file into cJSON's tree and prints it again, for comparison with
 * bench_coco. Usage: bench_cjson FILE. */
#include "used.h"

#include <cJSON.h>
#include <stdlib.h>

struct job {
    const char *path;
    bool print;
};

static void run(void *context)
{
    const struct job *job = context;
    FILE *file = fopen(job->path, "rb");
    char *bytes, *printed;
    cJSON *tree;
    long size;

    if (!file || fseek(file, 0, SEEK_END) != 0 || (size = ftell(file)) < 0)
        exit(1);
    rewind(file);
    bytes = malloc((size_t)size + 1);
    if (!bytes || fread(bytes, 1, (size_t)size, file) != (size_t)size)
        exit(1);
    tree = cJSON_ParseWithLength(bytes, (size_t)size);
    if (!tree)
        exit(1);
    if (job->print) {
        printed = cJSON_PrintUnformatted(tree);
        if (!printed)
            exit(1);
    }
}

int main(int argc, char **argv)
{
    struct job job = { .path = argc == 2 ? argv[1] : "" };

    used("cJSON: a tree", run, &job);
    job.print = true;
    used("cJSON: a tree, and printed", run, &job);
    return 0;
}
