/* split_sources: finds the source image of each output of a run. */
#include "batch/annotations/split_sources.h"

#include "batch/io/mapped_file.h"
#include "batch/io/image_name.h"
#include "batch/output/out_handles.h"

#include "base/files.h"
#include "json/value.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct split_source {
    const char *output, *source; /* both relative to the folder of images, as in annotations */
};

/* --- the manifest --- */

static int by_output(const void *a, const void *b)
{
    return strcmp(((const struct split_source *)a)->output,
                  ((const struct split_source *)b)->output);
}

static const char *text_member(const struct value *root, const char *name)
{
    const struct value *v = root && root->kind == VALUE_OBJECT ? value_get(root, name) : NULL;

    return v && v->kind == VALUE_TEXT ? v->text : NULL;
}

/* Reads one line. Returns false if it does not describe an output. */
static bool read_line(struct slice line, struct arena *of_line, struct arena *arena,
                      struct split_source *to)
{
    static const char folder[] = OUT_IMAGES "/";
    struct faults faults = { .name = "manifest.jsonl", .text = line };
    const struct value *root = value_parse(&faults, of_line);
    const char *output = text_member(root, "output"), *source = text_member(root, "source");
    bool good = output && source;

    if (good) {
        output += strncmp(output, folder, strlen(folder)) == 0 ? strlen(folder) : 0;
        to->output = arena_copy(arena, output, strlen(output));
        to->source = arena_copy(arena, source, strlen(source));
    }
    faults_drop(&faults);
    arena_reset(of_line);
    return good;
}

static void read_lines(struct slice text, struct arena *arena, struct split_sources *to)
{
    struct arena of_line = { 0 };
    struct split_source *at;
    size_t lines = 1;

    for (size_t i = 0; i < text.length; i++)
        lines += text.at[i] == '\n';
    to->at = at = ARENA_ARRAY(arena, struct split_source, lines);
    while (text.length) {
        const char *end = memchr(text.at, '\n', text.length);
        size_t length = end ? (size_t)(end - text.at) : text.length;

        to->n += read_line((struct slice){ text.at, length }, &of_line, arena, &at[to->n]);
        length += end != NULL;
        text.at += length;
        text.length -= length;
    }
    arena_drop(&of_line);
    qsort(at, to->n, sizeof *at, by_output);
}

bool split_sources_read(const char *annotations, struct arena *arena, struct split_sources *to,
                        struct text *why)
{
    const char *slash = strrchr(annotations, '/');
    const char *path = arena_printf(arena, "%.*smanifest.jsonl",
                                    slash ? (int)(slash + 1 - annotations) : 0, annotations);
    struct slice text;

    *to = (struct split_sources){ 0 };
    if (strcmp(annotations, "-") == 0 || access(path, F_OK) != 0)
        return true;
    if (!mapped_open(path, &text, why))
        return false;
    read_lines(text, arena, to);
    return true;
}

/* --- names --- */

/* Returns the length of a stem without the number of the copy at its end. */
static size_t stem_without_copy(const char *name, size_t stem)
{
    size_t digits = 0;

    while (digits < stem && isdigit((unsigned char)name[stem - 1 - digits]))
        digits++;
    if (digits < 3 || stem - digits < 4 || memcmp(name + stem - digits - 3, "__a", 3) != 0 ||
        name[stem - digits - 4] == '/')
        return stem;
    return stem - digits - 3;
}

static const char *name_without_copy(const char *name, struct arena *arena)
{
    size_t stem = name_stem(name), shorter = stem_without_copy(name, stem);

    return shorter == stem ? name : arena_printf(arena, "%.*s%s", (int)shorter, name, name + stem);
}

const char *split_source_of(const struct split_sources *s, const char *name, struct arena *arena)
{
    const struct split_source key = { .output = name };
    const struct split_source *found =
        s->n ? bsearch(&key, s->at, s->n, sizeof *s->at, by_output) : NULL;
    const char *before;

    name = found ? found->source : name;
    do { /* an output may be made from an output */
        before = name;
        name = name_without_copy(name, arena);
    } while (name != before);
    return name;
}
