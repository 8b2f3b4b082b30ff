/* survey_manifest: lists the outputs of a run that has no annotations. */
#include "stats/survey.h"

#include "batch/manifest/manifest_read.h"

#include <stdlib.h>
#include <string.h>

static void keep_image(struct survey *s, struct slice text, struct pile *images,
                       struct arena *scratch)
{
    struct faults faults = { .name = s->name, .text = text };
    struct manifest_line line;
    const struct value *root = manifest_line_parse(&faults, scratch, &line);
    struct survey_image *image;

    if (root && manifest_line_read(root, scratch, &line, &faults)) {
        const char *slash = strchr(line.output, '/'), *name = slash ? slash + 1 : line.output;

        image = pile_add(images, sizeof *image);
        *image = (struct survey_image){ .name = arena_copy(&s->arena, name, strlen(name)),
                                        .id = SURVEY_NO_ID,
                                        .width = (int)line.size_out.at[0],
                                        .height = (int)line.size_out.at[1] };
    } else {
        s->n_unread++;
    }
    faults_drop(&faults);
}

void survey_read_manifest(struct survey *s, struct slice manifest)
{
    struct arena scratch = { 0 };
    struct pile images = { 0 };
    const char *at = manifest.at, *end = manifest.at + manifest.length;

    s->format = "none";
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));

        stop = stop ? stop : end;
        keep_image(s, (struct slice){ at, (size_t)(stop - at) }, &images, &scratch);
        arena_reset(&scratch);
        at = stop + 1;
    }
    s->n_images = images.n;
    s->images = (void *)arena_copy(&s->arena, images.at, images.n * sizeof *s->images);
    s->categories = ARENA_ARRAY(&s->arena, struct survey_category, 1);
    s->objects = ARENA_ARRAY(&s->arena, struct survey_object, 1);
    free(images.at);
    arena_drop(&scratch);
}
