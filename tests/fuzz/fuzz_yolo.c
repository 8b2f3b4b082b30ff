/* fuzz_yolo: YOLO's labels and data.yaml or classes.txt are read, loaded, moved and written. The
 * output is read again, and untouched parts stay unchanged. */
#include "folder.h"

#include "labels/yolo/print.h"

/* The written file reads again, with the same names. */
static void check_index(const struct text *text, const struct yolo_classes *was)
{
    struct arena arena = { 0 };
    struct slice copy = feed_copy((const uint8_t *)text->at, text->length);
    struct dataset d = { .arena = &arena, .text = copy, .index = copy, .index_name = "data.yaml" };
    struct faults f = faults_of(copy);
    struct yolo_classes is;
    bool good = yolo_classes_read(&f, &d, &is);

    if (!good)
        fprintf(stderr, "%s: %s\n%.*s\n", f.list[0].code, f.list[0].message, (int)copy.length,
                copy.at);
    MUST(good && is.n == was->n && is.n_keypoints == was->n_keypoints);
    for (size_t i = 0; i < is.n; i++)
        MUST(strcmp(is.at[i].name, was->at[i].name) == 0);
    faults_drop(&f);
    slice_free(copy);
    arena_drop(&arena);
}

static void print_index(struct slice index, const char *name)
{
    struct arena arena = { 0 };
    struct dataset d = { .format = &yolo_format,
                         .writer = &yolo_format,
                         .text = index,
                         .arena = &arena,
                         .index = index,
                         .index_name = name };
    struct faults f = faults_of(index);
    struct yolo_classes classes = { 0 };
    struct text out = { 0 };

    if (yolo_classes_read(&f, &d, &classes)) {
        d.categories = classes.at;
        d.n_categories = classes.n;
        yolo_index_print(&d, &classes, classes.n_keypoints, &out);
        check_index(&out, &classes);
        text_clear(&out);
        yolo_index_print(&d, NULL, classes.n_keypoints, &out);
        check_index(&out, &classes);
    }
    faults_end(&f);
    text_drop(&out);
    arena_drop(&arena);
}

/* The input is labels, NUL, the index, NUL, and the actions. An index that begins with '-' is a
 * list of names, any other is YAML. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct slice input = { (const char *)data, size };
    struct slice labels = folder_stretch(&input), index = folder_stretch(&input), copy;
    struct feed feed = { (const uint8_t *)input.at, input.length };
    bool list = index.length && *index.at == '-';
    const char *name = !index.length ? NULL : list ? "classes.txt" : "data.yaml";

    if (list)
        index = (struct slice){ index.at + 1, index.length - 1 };
    folder_run(&yolo_format, labels, index, name, feed);
    if (name) {
        copy = feed_copy((const uint8_t *)index.at, index.length);
        print_index(copy, name);
        slice_free(copy);
    }
    return 0;
}
