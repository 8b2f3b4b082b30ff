/* test_coco: checks which files the COCO format reads and refuses, what it loads, and what it
 * prints after a change or without one. */
#include "labels/coco/keep_number_text.h"
#include "labels/format.h"
#include "forms.h"

#include <string.h>

extern const struct format coco_format;

/* --- a dataset to look at --- */

struct book {
    struct arena arena, sample_arena;
    struct faults faults;
    struct dataset dataset;
    struct rules rules;
    struct text *records, *objects; /* texts for write */
    size_t n_records, n_objects, next_record, next_object;
    bool read;
};

static struct book *book_open(const char *text, size_t length)
{
    struct book *b = calloc(1, sizeof *b);
    char *copy = memory_take(length + 1);

    memcpy(copy, text, length); /* allocated with its exact length, for -fsanitize=address */
    b->faults = (struct faults){ .name = "test.json", .text = { copy, length } };
    b->dataset = (struct dataset){ .arena = &b->arena, .format = &coco_format };
    b->read = coco_format.read(&b->faults, &b->dataset);
    CHECK(b->read == (b->faults.n == 0));
    return b;
}

static void book_close(struct book *b)
{
    free((char *)(uintptr_t)b->faults.text.at);
    faults_drop(&b->faults);
    arena_drop(&b->arena);
    arena_drop(&b->sample_arena);
    free(b);
}

static struct sample book_load(struct book *b, size_t record, bool *good)
{
    const struct record *r = &b->dataset.records[record];
    struct sample s = { .arena = &b->sample_arena, .frame = { r->width, r->height } };

    *good = coco_format.load(&b->dataset, record, &b->rules, &s, &b->faults);
    return s;
}

static struct output same(void)
{
    return (struct output){ .of = 1 };
}

static const char *print_object(struct book *b, const struct sample *s, size_t record, size_t i,
                                struct output out)
{
    struct text t = { 0 };
    const char *copy;

    coco_format.print_object(&b->dataset, record, s, &s->objects[i], &out, &b->rules, &t);
    copy = arena_copy(&b->sample_arena, t.at, t.length);
    text_drop(&t);
    return copy;
}

static const char *print_record(struct book *b, size_t record, struct output out)
{
    struct text t = { 0 };
    const char *copy;

    coco_format.print_record(&b->dataset, record, &out, &t);
    copy = arena_copy(&b->sample_arena, t.at, t.length);
    text_drop(&t);
    return copy;
}

static bool next_record(void *context, struct slice *to)
{
    struct book *b = context;

    if (b->next_record == b->n_records)
        return false;
    *to = (struct slice){ b->records[b->next_record].at, b->records[b->next_record].length };
    b->next_record++;
    return true;
}

static bool next_object(void *context, struct slice *to)
{
    struct book *b = context;

    if (b->next_object == b->n_objects)
        return false;
    *to = (struct slice){ b->objects[b->next_object].at, b->objects[b->next_object].length };
    b->next_object++;
    return true;
}

/* Returns the whole file as it is written if nothing has changed. */
static struct text book_write(struct book *b)
{
    struct output out = same();
    struct text written = { 0 };
    FILE *file = tmpfile();
    char buffer[4096];
    size_t n;
    bool good;

    b->n_records = b->dataset.n_records;
    b->n_objects = b->dataset.n_objects;
    b->records = calloc(b->n_records + 1, sizeof *b->records);
    b->objects = calloc(b->n_objects + 1, sizeof *b->objects);
    for (size_t r = 0; r < b->n_records; r++) {
        struct sample s = book_load(b, r, &good);

        CHECK(good && s.n_objects == b->dataset.records[r].n_objects);
        coco_format.print_record(&b->dataset, r, &out, &b->records[r]);
        for (size_t i = 0; i < s.n_objects; i++) {
            struct text t = { 0 };
            size_t order = 0;

            coco_format.print_object(&b->dataset, r, &s, &s.objects[i], &out, &b->rules, &t);
            CHECK(coco_format.find_object(&b->dataset, r, i, &order).at);
            if (CHECK(order < b->n_objects && !b->objects[order].at))
                b->objects[order] = t;
        }
    }
    CHECK(coco_format.write(&b->dataset, file, next_record, next_object, b));
    rewind(file);
    while ((n = fread(buffer, 1, sizeof buffer, file)) > 0)
        text_add(&written, buffer, n);
    fclose(file);
    for (size_t i = 0; i < b->n_records; i++)
        text_drop(&b->records[i]);
    for (size_t i = 0; i < b->n_objects; i++)
        text_drop(&b->objects[i]);
    free(b->records);
    free(b->objects);
    return written;
}

/* JSON without the white space between its tokens. */
static struct text squeeze(struct slice s)
{
    struct text t = { 0 };
    bool inside = false;

    for (size_t i = 0; i < s.length; i++) {
        if (s.at[i] == '"')
            inside = !inside;
        if (inside || !strchr(" \t\r\n", s.at[i]))
            text_addc(&t, s.at[i]);
        if (inside && s.at[i] == '\\')
            text_addc(&t, s.at[++i]);
    }
    return t;
}

static void check_identity(const char *text, size_t length)
{
    struct book *b = book_open(text, length);
    struct text out, before, after;

    if (CHECK(b->read)) {
        out = book_write(b);
        before = squeeze((struct slice){ text, length });
        after = squeeze((struct slice){ out.at, out.length });
        CHECK(strcmp(text_string(&before), text_string(&after)) == 0);
        CHECK(out.length && out.at[out.length - 1] == '\n');
        text_drop(&before);
        text_drop(&after);
        text_drop(&out);
    } else {
        struct text t = { 0 };

        faults_print(&b->faults, 10, &t);
        fputs(text_string(&t), stderr);
        text_drop(&t);
    }
    book_close(b);
}

/* --- faults --- */

static bool has_fault(const struct book *b, const char *code, const char *path)
{
    for (size_t i = 0; i < b->faults.n; i++)
        if (strcmp(b->faults.list[i].code, code) == 0 && strcmp(b->faults.list[i].path, path) == 0)
            return true;
    return false;
}

/* Where a text is wrong: exactly one fault, at the first `mark` of the text. */
struct bad_file {
    const char *text, *code, *path, *mark;
};

static void check_wrong(const struct book *b, const struct bad_file *w)
{
    const char *mark = w->mark ? strstr(w->text, w->mark) : NULL;
    bool ok = CHECK(b->faults.n == 1) && CHECK(has_fault(b, w->code, w->path));

    if (ok && mark)
        ok = CHECK(b->faults.list[0].offset == (size_t)(mark - w->text));
    if (!ok) {
        struct text t = { 0 };

        faults_print((struct faults *)(uintptr_t)&b->faults, 5, &t);
        fprintf(stderr, "    wanted %s at %s in %s, got:\n%s", w->code, w->path, w->text,
                text_string(&t));
        text_drop(&t);
    }
}

#define IMAGE "{\"id\": 1, \"file_name\": \"a.jpg\", \"width\": 10, \"height\": 8}"
#define HEAD "{\"images\": [" IMAGE "], "
#define TEXTS(id)                                                                                  \
    "{\"images\": [{\"id\": \"ab\", \"file_name\": \"a\"}, {\"id\": " id                           \
    ", \"file_name\": \"b\"}], "
#define ONE(members) HEAD "\"annotations\": [{\"id\": 1, \"image_id\": 1, " members "}]}"
#define KEYPOINTS(names, more)                                                                     \
    HEAD "\"categories\": [{\"id\": 1, \"name\": \"a\", \"keypoints\": " names more "}]}"

static const struct bad_file unreadable[] = {
    { "[]", "coco-root", "", "[" },
    { "[{\"image_id\": 1, \"score\": 0.5}]", "coco-root", "", "[" },
    { "7", "coco-root", "", "7" },
    { "{}", "coco-missing-key", "images", "{" },
    { "{\"images\": {}}", "coco-type", "images", "{}" },
    { "{\"images\": [], \"annotations\": null}", "coco-type", "annotations", "null" },
    { "{\"images\": [7]}", "coco-type", "images[0]", "7" },
    { "{\"images\": [{\"file_name\": \"a\"}]}", "coco-missing-key", "images[0].id", "{\"file" },
    { "{\"images\": [{\"id\": 1}]}", "coco-missing-key", "images[0].file_name", "{\"id" },
    { "{\"images\": [{\"id\": \"\", \"file_name\": \"a\"}]}", "coco-type", "images[0].id", "\"\"" },
    { "{\"images\": [{\"id\": true, \"file_name\": \"a\"}]}", "coco-type", "images[0].id", "true" },
    { TEXTS("7") "\"annotations\": []}", "coco-type", "images[1].id", "7" },
    { TEXTS("\"\"") "\"annotations\": []}", "coco-type", "images[1].id", "\"\"" },
    { TEXTS("\"\\u0061b\"") "\"annotations\": []}", "coco-id-twice", "images[1].id", "\"\\u0061" },
    { "{\"images\": [{\"id\": 7, \"file_name\": \"b\"}, {\"id\": \"a\", \"file_name\": \"a\"}]}",
      "coco-type", "images[1].id", "\"a\"" },
    { "{\"images\": [{\"id\": 7, \"file_name\": \"b\"}, {\"id\": \"7\", \"file_name\": \"a\"}]}",
      "coco-id-twice", "images[1].id", "\"7\"" },
    { TEXTS("\"7\"") "\"annotations\": [{\"id\": 1, \"image_id\": 7}]}", "coco-image-unknown",
      "annotations[0].image_id", "7}" },
    { TEXTS("\"7\"") "\"annotations\": [{\"id\": 1, \"image_id\": \"07\"}]}", "coco-image-unknown",
      "annotations[0].image_id", "\"07\"" },
    { TEXTS("\"7\"") "\"annotations\": [{\"id\": \"x\", \"image_id\": \"7\"}, {\"id\": \"x\", "
                     "\"image_id\": \"ab\"}]}",
      "coco-id-twice", "annotations[1].id", "\"x\", \"image_id\": \"ab" },
    { "{\"images\": [{\"id\": 1.5, \"file_name\": \"a\"}]}", "coco-type", "images[0].id", "1.5" },
    { "{\"images\": [{\"id\": null, \"file_name\": \"a\"}]}", "coco-type", "images[0].id", "null" },
    { "{\"images\": [{\"id\": 9007199254740993, \"file_name\": \"a\"}]}", "coco-type",
      "images[0].id", "9007" },
    { "{\"images\": [{\"id\": 1, \"file_name\": 5}]}", "coco-type", "images[0].file_name", "5" },
    { "{\"images\": [{\"id\": 1, \"file_name\": \"a\", \"seed_key\": 5}]}", "coco-type",
      "images[0].seed_key", "5" },
    { "{\"images\": [{\"id\": 1, \"file_name\": \"a\", \"width\": 0, \"height\": 5}]}", "coco-size",
      "images[0].width", "0" },
    { "{\"images\": [{\"id\": 1, \"file_name\": \"a\", \"height\": -5}]}", "coco-size",
      "images[0].height", "-5" },
    { "{\"images\": [{\"id\": 1, \"file_name\": \"a\", \"height\": 99999999999}]}", "coco-size",
      "images[0].height", "99999999999" },
    { "{\"images\": [{\"id\": 1, \"file_name\": \"a\", \"width\": \"9x\"}]}", "coco-type",
      "images[0].width", "\"9x\"" },
    { "{\"images\": [" IMAGE ", {\"file_name\": \"b\", \"id\":  1}]}", "coco-id-twice",
      "images[1].id", "1}]}" },
    { "{\"images\": [" IMAGE ", {\"id\": 2, \"file_name\": \"a\\u002ejpg\"}]}", "coco-name-twice",
      "images[1].file_name", "\"a\\u" },
    { "{\"images\": [], \"info\": 1, \"images\": []}", "json-twice", "images", "images\": []}" },
    { "{\"images\": [{\"id\": 1, \"file_name\": \"a\", \"id\": 2}]}", "json-twice", "images[0].id",
      "id\": 2" },
    { HEAD "\"annotations\": [[]]}", "coco-type", "annotations[0]", "[]]" },
    { HEAD "\"annotations\": [{\"image_id\": 1}]}", "coco-missing-key", "annotations[0].id",
      "{\"image_id" },
    { HEAD "\"annotations\": [{\"id\": 1}]}", "coco-missing-key", "annotations[0].image_id",
      "{\"id\": 1}]" },
    { HEAD "\"annotations\": [{\"id\": 1, \"image_id\": 3}]}", "coco-image-unknown",
      "annotations[0].image_id", "3" },
    { HEAD "\"annotations\": [{\"id\": 1, \"image_id\": \"a\"}]}", "coco-image-unknown",
      "annotations[0].image_id", "\"a\"}" },
    { HEAD "\"annotations\": [{\"id\": 5, \"image_id\": 1}, {\"image_id\": 1, \"id\": 5}]}",
      "coco-id-twice", "annotations[1].id", NULL },
    { HEAD "\"annotations\": [{\"id\": 1, \"image_id\": 1, \"category_id\": \"x\"}]}", "coco-type",
      "annotations[0].category_id", "\"x\"" },
    { ONE("\"bbox\": [], \"bbox\": []"), "json-twice", "annotations[0].bbox", "bbox\": []}" },
    { HEAD "\"categories\": {}}", "coco-type", "categories", "{}}" },
    { HEAD "\"categories\": [5]}", "coco-type", "categories[0]", "5]" },
    { HEAD "\"categories\": [{\"name\": \"a\"}]}", "coco-missing-key", "categories[0].id",
      "{\"name\"" },
    { HEAD "\"categories\": [{\"id\": 7}]}", "coco-missing-key", "categories[0].name",
      "{\"id\": 7" },
    { HEAD "\"categories\": [{\"id\": \"a\", \"name\": \"a\"}]}", "coco-type", "categories[0].id",
      "\"a\", \"name" },
    { HEAD "\"categories\": [{\"id\": 7, \"name\": \"a\"}, {\"id\":  7, \"name\": \"b\"}]}",
      "coco-id-twice", "categories[1].id", "7, \"name\": \"b\"" },
    { HEAD "\"categories\": [{\"id\": 7, \"id\": 8, \"name\": \"a\"}]}", "json-twice",
      "categories[0].id", "\"id\": 8" },
    { KEYPOINTS("{}", ""), "coco-type", "categories[0].keypoints", "{}" },
    { KEYPOINTS("[\"a\", 5]", ""), "coco-type", "categories[0].keypoints[1]", "5]" },
    { KEYPOINTS("[\"a\", \"b\"]", ", \"flip_pairs\": [[\"a\", \"c\"]]"), "coco-flip-pairs",
      "categories[0].flip_pairs[0]", "[\"a\", \"c\"]" },
    { KEYPOINTS("[\"a\", \"b\"]", ", \"flip_pairs\": [[0, 2]]"), "coco-flip-pairs",
      "categories[0].flip_pairs[0]", "[0, 2]" },
    { KEYPOINTS("[\"a\", \"b\"]", ", \"flip_pairs\": [[0, 0]]"), "coco-flip-pairs",
      "categories[0].flip_pairs[0]", "[0, 0]" },
    { KEYPOINTS("[\"a\", \"b\", \"c\"]", ", \"flip_pairs\": [[0, 1], [1, 2]]"), "coco-flip-pairs",
      "categories[0].flip_pairs[1]", "[1, 2]" },
    { KEYPOINTS("[\"a\", \"b\"]", ", \"flip_pairs\": 5"), "coco-flip-pairs",
      "categories[0].flip_pairs", "5}" },
    { "{\"images\": [" IMAGE ", {\"id\": 2,}]}", "json-syntax", "images[1]", "}]}" },
    { "{\"images\": [" IMAGE " 5]}", "json-syntax", "", "5]}" },
    { "{\"images\": [], \"info\": {\"a\": 012}}", "json-number", "", "012" },
    { "{\"images\": []} x", "json-syntax", "", "x" },
    { "{\"images\": [{\"id\": 1, \"file_name\": \"\xff\"}]}", "json-utf8", "images[0]", "\xff" },
    { "{\"images\": [{\"id\": 1, \"file_name\": \"\\u0000\"}]}", "json-nul", "images[0]", "\\u" },
    { "\xef\xbb\xbf{\"images\": []}", "json-syntax", "", "\xef" },
    { "", "json-syntax", "", NULL },
    { "{\"images\": [", "json-syntax", "images[0]", NULL },
};

static const struct bad_file unloadable[] = {
    { ONE("\"bbox\": [1, 2, 3]"), "coco-bbox", "annotations[0].bbox", "[1, 2, 3]" },
    { ONE("\"bbox\": [1, 2, 3, 4, 5]"), "coco-bbox", "annotations[0].bbox", "[1, 2" },
    { ONE("\"bbox\": [1, 2, -3, 4]"), "coco-bbox", "annotations[0].bbox", "[1, 2" },
    { ONE("\"bbox\": [1, 2, 3, \"4,\"]"), "coco-bbox", "annotations[0].bbox", "[1, 2" },
    { ONE("\"bbox\": [1, 2, 3, 1e8]"), "coco-bbox", "annotations[0].bbox", "[1, 2" },
    { ONE("\"bbox\": \"box\""), "coco-bbox", "annotations[0].bbox", "\"box\"" },
    { ONE("\"segmentation\": [[1, 2, 3, 4]]"), "coco-polygon", "annotations[0].segmentation",
      "[1, 2" },
    { ONE("\"segmentation\": [[1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6, 7]]"), "coco-polygon",
      "annotations[0].segmentation", "[1, 2, 3, 4, 5, 6, 7]" },
    { ONE("\"segmentation\": [[1, 2, 3, 4, 5, 1e9]]"), "coco-polygon",
      "annotations[0].segmentation", "[1, 2" },
    { ONE("\"segmentation\": [[1, 2, 3, 4, 5, null]]"), "coco-polygon",
      "annotations[0].segmentation", "[1, 2" },
    { ONE("\"segmentation\": [[1, 2, 3]]"), "coco-polygon", "annotations[0].segmentation", "[1" },
    { ONE("\"segmentation\": [1, 2, 3, 4]"), "coco-polygon", "annotations[0].segmentation",
      "[1, 2" },
    { ONE("\"segmentation\": [[[[1, 2], [3, 4], [5, 6]]]]"), "coco-polygon",
      "annotations[0].segmentation", "[[[1, 2]" },
    { ONE("\"segmentation\": 5"), "coco-polygon", "annotations[0].segmentation", "5}" },
    { ONE("\"segmentation\": {\"size\": [8, 10]}"), "coco-rle", "annotations[0].segmentation",
      "{\"size\"" },
    { ONE("\"segmentation\": {\"size\": [10, 8], \"counts\": [80]}"), "coco-rle",
      "annotations[0].segmentation", "[10, 8]" },
    { ONE("\"segmentation\": {\"size\": [8], \"counts\": [80]}"), "coco-rle",
      "annotations[0].segmentation", "[8]" },
    { ONE("\"segmentation\": {\"size\": [8, 10], \"counts\": [79]}"), "coco-rle",
      "annotations[0].segmentation", "[79]" },
    { ONE("\"segmentation\": {\"size\": [8, 10], \"counts\": [-1, 81]}"), "coco-rle",
      "annotations[0].segmentation", "[-1" },
    { ONE("\"segmentation\": {\"size\": [8, 10], \"counts\": \"PPPP\"}"), "coco-rle",
      "annotations[0].segmentation", "\"PPPP\"" },
    { ONE("\"segmentation\": {\"size\": [8, 10], \"counts\": null}"), "coco-rle",
      "annotations[0].segmentation", "null" },
    { ONE("\"area\": \"5 \""), "coco-type", "annotations[0].area", "\"5 \"" },
    { ONE("\"iscrowd\": 2"), "coco-type", "annotations[0].iscrowd", "2}" },
    { ONE("\"iscrowd\": \"2\""), "coco-type", "annotations[0].iscrowd", "\"2\"" },
    { ONE("\"keypoints\": [1, 2]"), "coco-keypoints", "annotations[0].keypoints", "[1, 2]" },
    { ONE("\"keypoints\": [1, 2, 3]"), "coco-keypoints", "annotations[0].keypoints", "[1, 2" },
    { ONE("\"keypoints\": [1, 2, 0.5]"), "coco-keypoints", "annotations[0].keypoints", "[1, 2" },
    { ONE("\"num_keypoints\": 3.5"), "coco-type", "annotations[0].num_keypoints", "3.5" },
    { "{\"categories\": [{\"id\": 1, \"name\": \"a\", \"keypoints\": [\"x\", \"y\"]}], \"images\": "
      "[" IMAGE "], \"annotations\": [{\"id\": 1, \"image_id\": 1, \"category_id\": 1, "
      "\"keypoints\": [1, 2, 2]}]}",
      "coco-keypoints", "annotations[0].keypoints", "[1, 2, 2]" },
};

static void test_wrong(void)
{
    for (size_t i = 0; i < COUNTOF(unreadable); i++) {
        struct book *b = book_open(unreadable[i].text, strlen(unreadable[i].text));

        CHECK(!b->read);
        check_wrong(b, &unreadable[i]);
        book_close(b);
    }
    for (size_t i = 0; i < COUNTOF(unloadable); i++) {
        struct book *b = book_open(unloadable[i].text, strlen(unloadable[i].text));
        bool good = true;

        if (CHECK(b->read))
            book_load(b, 0, &good);
        CHECK(!good);
        check_wrong(b, &unloadable[i]);
        book_close(b);
    }
}

/* Every fault of a file is reported, except faults that follow from others. */
static void test_all_faults(void)
{
    static const char text[] =
        "{\"images\": [{\"id\": 1, \"file_name\": \"a\", \"width\": 0, \"height\": \"x\"},\n"
        "  {\"id\": [2], \"file_name\": \"a\"}],\n"
        " \"annotations\": [{\"id\": 1, \"image_id\": 2}, {\"image_id\": 1, \"category_id\": 9},\n"
        "  {\"id\": 1, \"image_id\": 1}],\n"
        " \"categories\": [{\"id\": 1, \"name\": \"p\", \"keypoints\": [\"l_a\", \"b_r\"],\n"
        "  \"flip_pairs\": [[0], [1, 2]]}]}";
    struct book *b = book_open(text, strlen(text));
    struct text printed = { 0 };

    CHECK(b->faults.n == 8);
    CHECK(has_fault(b, "coco-size", "images[0].width"));
    CHECK(has_fault(b, "coco-type", "images[0].height"));
    CHECK(has_fault(b, "coco-type", "images[1].id"));
    CHECK(has_fault(b, "coco-name-twice", "images[1].file_name"));
    CHECK(has_fault(b, "coco-missing-key", "annotations[1].id"));
    CHECK(has_fault(b, "coco-id-twice", "annotations[2].id"));
    CHECK(has_fault(b, "coco-flip-pairs", "categories[0].flip_pairs[0]"));
    CHECK(has_fault(b, "coco-flip-pairs", "categories[0].flip_pairs[1]"));
    CHECK(!has_fault(b, "coco-image-unknown", "annotations[0].image_id"));
    faults_print(&b->faults, 100, &printed);
    CHECK(strstr(text_string(&printed),
                 "test.json:2:10: error: images[1].id: expected an integer within 2^53, like the "
                 "earlier ids [coco-type]\n    {\"id\": [2], \"file_name\": \"a\"}],\n"
                 "           ^^^\n"));
    text_drop(&printed);
    book_close(b);
}

/* --- reading and loading --- */

static const char full[] =
    "{\"info\": {\"x\": 1.50, \"y\": [ ]},\n"
    " \"annotations\": [\n"
    "  {\"id\": 11, \"image_id\": 7, \"category_id\": 3, \"bbox\": [1.50, 2, 3, 4.25],\n"
    "   \"area\": 12.750, \"iscrowd\": 0, \"segmentation\": [[1.5,2,4.5,2,4.5,6.25,1.5,6.25]],\n"
    "   \"attributes\": {\"occluded\": false, \"k\": 1e0}},\n"
    "  {\"id\": 12, \"image_id\": 5, \"category_id\": 1, \"num_keypoints\": 2,\n"
    "   \"keypoints\": [3, 2, 2, 0, 0, 0, 5, 7, 1], \"bbox\": [2, 2, 4, 6], \"extra\": null},\n"
    "  {\"id\": 13, \"image_id\": 7, \"caption\": \"a \\u00e9 \\\"b\\\"\"},\n"
    "  {\"id\": 14, \"image_id\": 5, \"category_id\": 1, \"iscrowd\": 1, \"area\": 4,\n"
    "   \"segmentation\": {\"counts\": [ 0, 4, 76 ], \"size\": [8, 10], \"by\": \"me\"}},\n"
    "  {\"id\": 15, \"image_id\": 5, \"segmentation\": {\"size\": [8, 10], \"counts\": "
    "\"04\\\\2\"}, "
    "\"bbox\": []}\n"
    " ],\n"
    " \"categories\": [{\"id\": 3, \"name\": \"cat\"}, {\"id\": 1, \"name\": \"man\", "
    "\"keypoints\": "
    "[\"L_a\", \"nose\", \"r_A\"], \"skeleton\": [[1, 2], [2, 9], 5, [3, 2]]}],\n"
    " \"images\": [{\"id\": 7, \"file_name\": \"d/\\u00e9.jpg\", \"seed_key\": \"s\", \"license\": "
    "1},\n"
    "  {\"width\": 10, \"height\": 8, \"id\": 5, \"file_name\": \"b.jpg\", \"n\": {\"id\": 9}}],\n"
    " \"zebra\": null}\n";

static struct book *open_full(void)
{
    struct book *b = book_open(full, strlen(full));

    CHECK(b->read);
    return b;
}

static void test_records(void)
{
    struct book *b = open_full();
    const struct dataset *d = &b->dataset;
    const struct record *r = d->records;

    CHECK(d->n_records == 2 && d->n_objects == 5 && d->n_categories == 2 && d->largest_id == 15);
    CHECK(r[0].id == 7 && strcmp(r[0].name, "d/\xc3\xa9.jpg") == 0 && r[0].width == 0 &&
          r[0].height == 0 && r[0].n_objects == 2 && strcmp(r[0].seed_key, "s") == 0);
    CHECK(r[1].id == 5 && strcmp(r[1].seed_key, "b.jpg") == 0 && r[1].width == 10 &&
          r[1].height == 8 && r[1].n_objects == 3);
    CHECK(strcmp(d->categories[0].name, "cat") == 0 && d->categories[0].n_keypoints == 0 &&
          !d->categories[0].mirror);
    CHECK(d->categories[1].n_keypoints == 3 && d->categories[1].mirror[0] == 2 &&
          d->categories[1].mirror[1] == 1 && d->categories[1].mirror[2] == 0);
    CHECK(d->categories[1].n_bones == 2 && d->categories[1].bone[1][0] == 2 &&
          d->categories[1].bone[1][1] == 1);
    book_close(b);
}

static void test_load(void)
{
    struct book *b = open_full();
    bool good;
    struct sample s = book_load(b, 0, &good);
    const struct object *o = s.objects;

    CHECK(good && s.n_objects == 2);
    CHECK(o[0].index == 0 && o[0].category == &b->dataset.categories[0] && !o[0].crowd);
    CHECK(o[0].has_box && o[0].outline.n == 4 && o[0].bbox.x0 == 1.5 && o[0].bbox.y1 == 6.25);
    CHECK(o[0].has_area && o[0].area == 12.75 && o[0].visibility == 1 && o[0].changes == 0);
    CHECK(o[0].segmentation == SEGMENTATION_POLYGONS && o[0].rings.n == 1 &&
          o[0].rings.ring[0].n == 4 && o[0].rings.ring[0].at[2].y == 6.25);
    CHECK(!o[1].category && !o[1].has_box && !o[1].has_area && o[1].index == 1 &&
          o[1].segmentation == SEGMENTATION_NONE && !o[1].keypoints);
    s = book_load(b, 1, &good);
    o = s.objects;
    CHECK(good && s.n_objects == 3);
    CHECK(o[0].n_keypoints == 3 && o[0].keypoints[0].at.x == 3.5 && o[0].keypoints[0].at.y == 2.5 &&
          o[0].keypoints[0].visibility == 2);
    CHECK(o[0].keypoints[1].at.x == 0 && o[0].keypoints[1].at.y == 0 &&
          o[0].keypoints[1].visibility == 0 && o[0].keypoints[2].visibility == 1);
    CHECK(o[1].crowd && o[1].segmentation == SEGMENTATION_RLE && rle_area(&o[1].rle) == 4 &&
          o[1].rle.height == 8);
    CHECK(o[2].segmentation == SEGMENTATION_RLE && !o[2].has_box);
    CHECK(coco_format.object_id(&b->dataset, 1, &o[2]) == 15);
    CHECK(coco_format.object_id(&b->dataset, 0, &book_load(b, 0, &good).objects[1]) == 13);
    b->rules.keypoints = KEYPOINTS_CONTINUOUS;
    CHECK(book_load(b, 1, &good).objects[0].keypoints[0].at.x == 3);
    book_close(b);
}

/* flip_pairs, by name and by index, and [] for none. */
static void test_flip_pairs(void)
{
    static const char *const texts[] = {
        KEYPOINTS("[\"a\", \"b\", \"left_x\"]", ", \"flip_pairs\": [[\"b\", 0]]"),
        KEYPOINTS("[\"left_a\", \"right_a\"]", ", \"flip_pairs\": []"),
        KEYPOINTS("[\"a\", \"b\"]", ""),
        KEYPOINTS("null", ""),
    };

    for (size_t i = 0; i < COUNTOF(texts); i++) {
        struct book *b = book_open(texts[i], strlen(texts[i]));
        const size_t *mirror = b->dataset.n_categories ? b->dataset.categories[0].mirror : NULL;

        CHECK(b->read && !mirror == (i != 0));
        if (mirror)
            CHECK(mirror[0] == 1 && mirror[1] == 0 && b->dataset.categories[0].n_mirror == 2);
        book_close(b);
    }
}

/* Sides without another are faults of those who mirror. */
static void test_unpaired(void)
{
    static const char *const texts[] = {
        KEYPOINTS("[\"nose\", \"left_eye\"]", ""),
        KEYPOINTS("[\"left_a\", \"right_a\", \"left_a\"]", ""),
        KEYPOINTS("[\"nose\", \"lsho\", \"rsho\"]", ""),
        KEYPOINTS("[\"nose\", \"lsho\", \"rsho\"]", ", \"flip_pairs\": []"),
    };
    static const char *const paths[] = { "categories[0].keypoints[1]", "categories[0].keypoints[2]",
                                         "categories[0].keypoints[1]" };
    static const char *const places[] = { "\"left_eye\"", "\"left_a\"]", "\"lsho\"" };
    static const size_t counts[] = { 1, 1, 2, 0 };

    for (size_t i = 0; i < COUNTOF(texts); i++) {
        struct book *b = book_open(texts[i], strlen(texts[i]));
        const struct category *c = b->dataset.categories;

        if (CHECK(b->read && c->n_unpaired == counts[i]) && c->n_unpaired)
            CHECK(strcmp(c->unpaired->code, "coco-flip-pairs") == 0 &&
                  strcmp(c->unpaired->path, paths[i]) == 0 &&
                  strncmp(texts[i] + c->unpaired->offset, places[i], strlen(places[i])) == 0);
        book_close(b);
    }
}

/* --- identity --- */

static void test_identity(void)
{
    static const char *const dialects[] = {
        full,
        "{\"images\":[]}",
        "{\"images\":[],\"annotations\":[],\"categories\":[]}",
        ONE("\"segmentation\": [], \"bbox\": [0,0,0,0], \"area\": 0.0, \"ignore\":0"),
        ONE("\"segmentation\": null, \"bbox\": null, \"area\": null"),
        ONE("\"category_id\": 4, \"iscrowd\": 0, \"segmentation\": [[1,2,3,4,5,6.50]]"),
        ONE("\"keypoints\": [1.25, 2, 2, 1e0, 0, 0], \"num_keypoints\": 1"),
        ONE("\"s\\u0065gmentation\": [[-0,1.0,2,3,4,5]], \"a\": {\"b\": [[]]}"),
    };

    for (size_t i = 0; i < COUNTOF(dialects); i++)
        check_identity(dialects[i], strlen(dialects[i]));
}

/* The real file, if it is there: LOCKSTEP_COCO names another one. */
static void test_real(void)
{
    const char *path = getenv("LOCKSTEP_COCO");
    FILE *file = fopen(path ? path : "tests/golden/person_keypoints.json", "rb");
    struct text t = { 0 };
    char buffer[65536];
    size_t n;

    if (!file)
        return;
    while ((n = fread(buffer, 1, sizeof buffer, file)) > 0)
        text_add(&t, buffer, n);
    fclose(file);
    check_identity(t.at, t.length);
    text_drop(&t);
}

/* --- printing after changes --- */

static bool check_printed(const char *got, const char *wanted)
{
    if (strcmp(got, wanted) == 0)
        return true;
    fprintf(stderr, "    got    %s\n    wanted %s\n", got, wanted);
    return false;
}

static void test_print_untouched(void)
{
    struct book *b = open_full();
    bool good;
    struct sample s = book_load(b, 0, &good);

    CHECK(check_printed(print_object(b, &s, 0, 1, same()),
                        "{\"id\": 13, \"image_id\": 7, \"caption\": \"a \\u00e9 \\\"b\\\"\"}"));
    CHECK(check_printed(print_object(b, &s, 0, 1, (struct output){ .k = 2, .of = 3 }),
                        "{\"id\": 41, \"image_id\": 23, \"caption\": \"a \\u00e9 \\\"b\\\"\"}"));
    CHECK(check_printed(
        print_object(b, &s, 0, 0, (struct output){ .k = 0, .of = 2 }),
        "{\"id\": 22, \"image_id\": 14, \"category_id\": 3, \"bbox\": [1.50, 2, 3, 4.25], "
        "\"area\": 12.750, \"iscrowd\": 0, \"segmentation\": "
        "[[1.5,2,4.5,2,4.5,6.25,1.5,6.25]], \"attributes\": {\"occluded\": false, \"k\": "
        "1e0}}"));
    book_close(b);
}

/* Ids that are texts stay as they stand; copies get numbers, by the places in the lists. */
static void test_print_texts(void)
{
    static const char text[] = TEXTS(
        "\"7\"") "\"annotations\": [{\"id\": \"12\", \"image_id\": \"7\", \"caption\": \"a\"},\n"
                 " {\"id\": \"\\u0031x\", \"image_id\": \"\\u0061b\", \"num_keypoints\": 1.0}]}";
    struct book *b = book_open(text, strlen(text));
    struct output copy = { .k = 2, .of = 3, .image_id = 8 };
    struct output joined = {
        .of = 1, .numbered = true, .object_id = 4, .image_text = { "\"q\"", 3 }
    };
    bool good;
    struct sample s = book_load(b, 0, &good);

    CHECK(b->dataset.text_ids && b->dataset.largest_id == 2);
    CHECK(
        check_printed(print_object(b, &s, 0, 0, same()),
                      "{\"id\": \"\\u0031x\", \"image_id\": \"\\u0061b\", \"num_keypoints\": 1}"));
    CHECK(check_printed(print_object(b, &s, 0, 0, copy),
                        "{\"id\": 8, \"image_id\": 8, \"num_keypoints\": 1}"));
    CHECK(check_printed(print_object(b, &s, 0, 0, joined),
                        "{\"id\": 4, \"image_id\": \"q\", \"num_keypoints\": 1}"));
    CHECK(check_printed(print_record(b, 1, same()), "{\"id\": \"7\", \"file_name\": \"b\"}"));
    CHECK(check_printed(print_record(b, 1, copy), "{\"id\": 8, \"file_name\": \"b\"}"));
    s = book_load(b, 1, &good);
    s.objects[0].changes = CHANGE_SCORED;
    s.objects[0].score = 0.5;
    CHECK(
        check_printed(print_object(b, &s, 1, 0, same()),
                      "{\"id\": \"12\", \"image_id\": \"7\", \"caption\": \"a\", \"score\": 0.5}"));
    copy.k = 0;
    CHECK(check_printed(print_object(b, &s, 1, 0, copy),
                        "{\"id\": 3, \"image_id\": 8, \"caption\": \"a\", \"score\": 0.5}"));
    book_close(b);
}

static void test_print_box_and_polygon(void)
{
    struct book *b = open_full();
    bool good;
    struct sample s = book_load(b, 0, &good);
    struct object *o = &s.objects[0];

    o->changes = CHANGE_MOVED;
    o->final.box = (struct box){ 0.5, 1, 3.5, 5.25 };
    o->final.size = (struct point){ 3, 4.25 };
    for (size_t i = 0; i < o->rings.ring[0].n; i++)
        o->rings.ring[0].at[i].x -= 1;
    CHECK(check_printed(
        print_object(b, &s, 0, 0, same()),
        "{\"id\": 11, \"image_id\": 7, \"category_id\": 3, \"bbox\": [0.5, 1, 3, 4.25], "
        "\"area\": 12.750, \"iscrowd\": 0, \"segmentation\": [[0.5, 2, 3.5, 2, 3.5, 6.25, "
        "0.5, 6.25]], \"attributes\": {\"occluded\": false, \"k\": 1e0}}"));
    o->changes = CHANGE_SCALED;
    o->area = 51;
    CHECK(strstr(print_object(b, &s, 0, 0, same()), "\"bbox\": [1.50, 2, 3, 4.25], \"area\": 51,"));
    o->changes = CHANGE_CUT;
    o->rings.n = 0;
    o->segmentation = SEGMENTATION_NONE;
    CHECK(strstr(print_object(b, &s, 0, 0, same()), "\"segmentation\": [], \"attr"));
    o->segmentation = SEGMENTATION_POLYGONS;
    CHECK(strstr(print_object(b, &s, 0, 0, same()), "\"segmentation\": [], \"attr"));
    book_close(b);
}

static void test_print_keypoints(void)
{
    struct book *b = open_full();
    bool good;
    struct sample s = book_load(b, 1, &good);
    struct object *o = &s.objects[0];

    o->changes = CHANGE_MOVED;
    o->final.box = (struct box){ 4, 2, 8, 8 };
    o->final.size = (struct point){ 4, 6 };
    o->keypoints[0].at.x = 10 - o->keypoints[0].at.x; /* a flip sends index x to width - 1 - x */
    CHECK(check_printed(
        print_object(b, &s, 1, 0, same()),
        "{\"id\": 12, \"image_id\": 5, \"category_id\": 1, \"num_keypoints\": 2, "
        "\"keypoints\": [6, 2, 2, 0, 0, 0, 5, 7, 1], \"bbox\": [4, 2, 4, 6], \"extra\": "
        "null}"));
    o->keypoints[2] = (struct keypoint){ .off_canvas = true };
    o->changes = CHANGE_HIDDEN;
    CHECK(check_printed(
        print_object(b, &s, 1, 0, same()),
        "{\"id\": 12, \"image_id\": 5, \"category_id\": 1, \"num_keypoints\": 1, "
        "\"keypoints\": [6, 2, 2, 0, 0, 0, 0, 0, 0], \"bbox\": [2, 2, 4, 6], \"extra\": "
        "null}"));
    o->changes = CHANGE_SCALED;
    CHECK(strstr(print_object(b, &s, 1, 0, same()), "[3, 2, 2, 0, 0, 0, 5, 7, 1]"));
    o->changes = CHANGE_MIRRORED;
    b->rules.keypoints = KEYPOINTS_CONTINUOUS;
    CHECK(strstr(print_object(b, &s, 1, 0, same()), "[6.5, 2.5, 2, 0, 0, 0, 0, 0, 0]"));
    book_close(b);
}

static void test_print_rle(void)
{
    struct book *b = open_full();
    uint32_t runs[] = { 2, 3, 7 };
    struct rle rle = { .height = 3, .width = 4, .run = runs, .n = 3 };
    bool good;
    struct sample s = book_load(b, 1, &good);

    for (size_t i = 1; i < 3; i++) {
        s.objects[i].rle = rle;
        s.objects[i].changes = CHANGE_CUT;
        s.objects[i].area = 3;
    }
    CHECK(check_printed(
        print_object(b, &s, 1, 1, same()),
        "{\"id\": 14, \"image_id\": 5, \"category_id\": 1, \"iscrowd\": 1, \"area\": 3, "
        "\"segmentation\": {\"counts\": [2, 3, 7], \"size\": [3, 4], \"by\": \"me\"}}"));
    CHECK(check_printed(
        print_object(b, &s, 1, 2, same()),
        "{\"id\": 15, \"image_id\": 5, \"segmentation\": {\"size\": [3, 4], \"counts\": "
        "\"237\"}, \"bbox\": []}"));
    s.objects[2].changes = CHANGE_REDRAWN;
    s.objects[2].segmentation = SEGMENTATION_POLYGONS;
    s.objects[2].rings.ring = calloc(1, sizeof(struct ring));
    s.objects[2].rings.n = 1;
    s.objects[2].rings.ring[0] = ring_of_box(&b->sample_arena, (struct box){ 0, 0, 2.5, 1 });
    CHECK(strstr(print_object(b, &s, 1, 2, same()),
                 "\"segmentation\": [[0, 0, 2.5, 0, 2.5, 1, 0, 1]], \"bbox\": []}"));
    free(s.objects[2].rings.ring);
    s = book_load(b, 0, &good);
    s.objects[0].changes = CHANGE_REDRAWN;
    s.objects[0].segmentation = SEGMENTATION_RLE;
    s.objects[0].rle = rle;
    CHECK(strstr(print_object(b, &s, 0, 0, same()),
                 "\"segmentation\": {\"size\": [3, 4], \"counts\": \"237\"}, \"attr"));
    book_close(b);
}

static void test_print_record(void)
{
    struct book *b = open_full();
    struct output out = { .k = 1, .of = 2, .name = "d/\"x\".png", .frame = { 20, 16 } };

    CHECK(check_printed(
        print_record(b, 0, same()),
        "{\"id\": 7, \"file_name\": \"d/\\u00e9.jpg\", \"seed_key\": \"s\", \"license\": 1}"));
    out.renamed = true;
    CHECK(check_printed(
        print_record(b, 1, out),
        "{\"width\": 10, \"height\": 8, \"id\": 11, \"file_name\": \"d/\\\"x\\\".png\", "
        "\"n\": {\"id\": 9}}"));
    out.resized = true;
    out.of = 1;
    CHECK(check_printed(
        print_record(b, 1, out),
        "{\"width\": 20, \"height\": 16, \"id\": 5, \"file_name\": \"d/\\\"x\\\".png\", "
        "\"n\": {\"id\": 9}}"));
    out.renamed = false;
    CHECK(check_printed(
        print_record(b, 0, out),
        "{\"id\": 7, \"file_name\": \"d/\\u00e9.jpg\", \"seed_key\": \"s\", \"license\": 1, "
        "\"width\": 20, \"height\": 16}"));
    book_close(b);
}

/* The form of the output: sections in the order of the source, one element per line. */
static void test_write(void)
{
    static const char text[] = "{\"info\":{\"a\" : 1},\n\"images\":[" IMAGE ",\n {\"id\":2,"
                               "\"file_name\":\"b\"}],\"annotations\":[],\"x\":[ ]}";
    struct book *b = book_open(text, strlen(text));
    struct text out = book_write(b);

    CHECK(check_printed(text_string(&out),
                        "{\"info\": {\"a\" : 1}, \"images\": [\n" IMAGE ",\n"
                        "{\"id\":2,\"file_name\":\"b\"}\n], \"annotations\": [], "
                        "\"x\": [ ]}\n"));
    text_drop(&out);
    book_close(b);
}

/* A text cut anywhere is a fault, never a crash. */
static void test_cut(void)
{
    for (size_t n = 0; n < strlen(full) - 2; n++) {
        struct book *b = book_open(full, n);

        CHECK(!b->read && b->faults.n >= 1);
        book_close(b);
    }
}

/* Checks that a printed number keeps the source's digits if it is equal, however short or long they
 * are. */
static void check_digits(const char *source, const char *printed, const char *kept)
{
    struct text text = { 0 };

    text_add(&text, "x", 1);
    text_add(&text, printed, strlen(printed));
    coco_keep_digits((struct slice){ source, strlen(source) }, 1, &text);
    CHECK(text.length == strlen(kept) + 1 && !memcmp(text.at + 1, kept, strlen(kept)));
    text_drop(&text);
}

static void test_digits(void)
{
    check_digits("[1e3, 2.0]", "[1000, 2]", "[1e3, 2.0]");
    check_digits("[1e3, 2.0]", "[1001, 2.25]", "[1001, 2.25]");
    check_digits("[0.50, -1E-7, 3]", "[0.5, -1e-07, 3.125]", "[0.50, -1E-7, 3.125]");
    check_digits("[12.340, 5.0]", "[12.34, 123456.78901234567]", "[12.340, 123456.78901234567]");
    check_digits("[0.1000000000000000055511151231257827, 1]", "[0.1, 1]",
                 "[0.1000000000000000055511151231257827, 1]");
    check_digits("[[100.0, 0, 5.0, 5]]", "{\"size\": [100, 100], \"counts\": \"5\"}",
                 "{\"size\": [100, 100], \"counts\": \"5\"}");
    check_digits("{\"size\": [1e2, 100]}", "[[100, 0, 5, 5]]", "[[100, 0, 5, 5]]");
    check_digits("{\"size\": [1e2, 100]}", "{\"size\": [100, 5]}", "{\"size\": [1e2, 5]}");
}

/* Numbers of all lengths, at all places, are looked at by eight characters and by one. */
static void test_digits_of_all_lengths(void)
{
    static const char zeros[] = "000000000000000000000000000000", before[] = "7,7,7,7,7,7,7,7,";

    for (int n = 1; n < (int)sizeof zeros; n++)
        for (int skipped = 0; skipped < (int)sizeof before; skipped += 2) {
            const char *rest = before + skipped;
            char source[100], printed[100], kept[100];

            snprintf(source, sizeof source, "[%s1.5%.*s,2.0]", rest, n, zeros);
            snprintf(printed, sizeof printed, "[%s1.5,2.5]", rest);
            snprintf(kept, sizeof kept, "[%s1.5%.*s,2.5]", rest, n, zeros);
            check_digits(source, printed, kept);
            snprintf(source, sizeof source, "[%s-15%.*se-%d,2.0]", rest, n, zeros, n);
            snprintf(printed, sizeof printed, "[%s-15,2]", rest);
            snprintf(kept, sizeof kept, "[%s-15%.*se-%d,2.0]", rest, n, zeros, n);
            check_digits(source, printed, kept);
        }
}

static void add_digits(struct text *source, struct text *printed)
{
    double value = unit_int(-2, 2) * (unit_int(0, 1) ? 0.5 : 100.25);
    int decimals = unit_int(2, unit_int(0, 9) ? 3 : 20);

    text_addf(source, "%.*f", decimals, value);
    if (unit_int(0, 3) == 0)
        number_print(printed, value);
    else
        number_print(printed, unit_int(0, 1) ? unit_double(-600, 600) : unit_int(-9, 9));
}

/* Lists that are scanned many characters at a time give the same numbers as scans number by number,
 * also if the list has a string. */
static void test_digits_of_lists(void)
{
    for (int i = 0; i < 20000; i++) {
        struct text source = { 0 }, printed = { 0 }, text = { 0 };
        int n = unit_int(1, 40), left = unit_int(0, 9) ? n : unit_int(0, n);
        bool spaced = unit_int(0, 1);

        text_adds(&source, "[[");
        text_adds(&printed, "[[");
        for (int k = 0; k < n; k++) {
            text_adds(&source, !k ? "" : unit_int(0, 9) == 0 ? "], [" : spaced ? ", " : ",");
            text_adds(&printed, !k ? "" : unit_int(0, 9) == 0 ? "], [" : ", ");
            if (k < left)
                add_digits(&source, &printed);
            else
                text_addc(&printed, '7');
        }
        text_adds(&source, "]]");
        text_adds(&printed, "]]");
        text_add(&text, printed.at, printed.length);
        coco_keep_digits((struct slice){ source.at, source.length }, 0, &text);
        text_adds(&source, ", \"\"");
        text_adds(&printed, ", \"\"");
        text_adds(&text, ", \"\"");
        coco_keep_digits((struct slice){ source.at, source.length }, 0, &printed);
        CHECK(text.length == printed.length && !memcmp(text.at, printed.at, text.length));
        text_drop(&source);
        text_drop(&printed);
        text_drop(&text);
    }
}

int main(void)
{
    static const struct unit_test tests[] = {
        TEST(test_digits),
        TEST(test_digits_of_all_lengths),
        TEST(test_wrong),
        TEST(test_all_faults),
        TEST(test_records),
        TEST(test_load),
        TEST(test_flip_pairs),
        TEST(test_unpaired),
        TEST(test_identity),
        TEST(test_real),
        TEST(test_print_untouched),
        TEST(test_print_texts),
        TEST(test_print_box_and_polygon),
        TEST(test_print_keypoints),
        TEST(test_print_rle),
        TEST(test_print_record),
        TEST(test_write),
        TEST(test_cut),
    };

    static const struct unit_test of_forms[] = { TEST(test_digits_of_lists) };

    unit_plan(COUNTOF(tests) + FORMS * COUNTOF(of_forms));
    unit_run(tests, COUNTOF(tests));
    for (int form = 0; forms_take(form); form++)
        unit_run(of_forms, COUNTOF(of_forms));
    return unit_end();
}
