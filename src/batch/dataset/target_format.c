/* target_format: the output format of annotations. */
#include "batch/dataset/target_format.h"

#include "steps/registry.h"

#include <stdlib.h>
#include <string.h>

enum { TARGET_SAME, TARGET_COCO, TARGET_YOLO, TARGET_YOLO_SEGMENT, TARGET_YOLO_POSE, TARGET_VOC };

const struct choice target_choices[] = {
    { "same", TARGET_SAME, "as they were read" },
    { "coco", TARGET_COCO, "OUT/annotations.json" },
    { "yolo", TARGET_YOLO, "boxes: OUT/labels/*.txt and OUT/data.yaml" },
    { "yolo-segment", TARGET_YOLO_SEGMENT, "outlines: the same files" },
    { "yolo-pose", TARGET_YOLO_POSE, "boxes with keypoints: the same files" },
    { "voc", TARGET_VOC, "Pascal VOC's boxes: OUT/annotations/*.xml" },
    { 0 },
};

/* The format that writes each choice, and its variant (see the format's file). */
static const struct {
    int choice;
    const char *format;
    int writes;
} targets[] = { { TARGET_COCO, "coco", 0 },
                { TARGET_YOLO, "yolo", 0 },
                { TARGET_YOLO_SEGMENT, "yolo", 1 },
                { TARGET_YOLO_POSE, "yolo", 2 },
                { TARGET_VOC, "voc", 0 } };

static const struct format *format_named(const char *name)
{
    for (EACH(format, format, registry_formats))
        if (strcmp(format->name, name) == 0)
            return format;
    return NULL;
}

bool target_choose(struct dataset *d, int choice, struct text *why)
{
    const struct format *to = NULL;

    d->writer = d->format;
    for (size_t i = 0; i < COUNTOF(targets); i++)
        if (targets[i].choice == choice) {
            to = format_named(targets[i].format);
            d->writes = targets[i].writes;
        }
    if (to && to == d->format)
        d->writes += to->converted;
    if (!to || to == d->format)
        return true;
    if (d->format->listed || d->format->paint || d->format->ending) {
        text_addf(why, "%s can only be written in its own format", d->format->name);
        return false;
    }
    d->writer = to->foreign ? to->foreign : to;
    return true;
}

bool target_is_other(int choice)
{
    return choice != TARGET_SAME;
}

const char *target_word(int choice)
{
    const struct choice *c = target_choices;

    while (c->value != choice)
        c++;
    return c->word;
}

int target_of_key(const char *word, const char *format)
{
    for (size_t i = 0; i < COUNTOF(targets); i++) {
        size_t length = strlen(targets[i].format);

        const struct format *to = format_named(targets[i].format);
        int added = to && strcmp(format, targets[i].format) == 0 ? to->converted : 0;

        if (strncmp(word, targets[i].format, length) == 0 && word[length] == ' ' &&
            atoi(word + length) == targets[i].writes + added)
            return targets[i].choice;
    }
    return TARGET_SAME;
}

static void count_record(const struct job *job, size_t i, struct arena *arena,
                         struct omissions *omissions)
{
    const struct dataset *d = job->dataset;
    struct faults faults = dataset_faults(d);
    struct sample sample = { .arena = arena };
    const struct record *r = &d->records[i];

    if (r->height && job->images.trust != TRUST_FILE)
        sample.frame = (struct frame){ r->width, r->height };
    arena_reset(arena);
    if (d->format->load(d, i, &job->plan->rules, &sample, &faults))
        d->writer->count_omissions(d, i, &sample, &job->plan->rules, omissions);
    faults_drop(&faults);
}

void target_omissions(const struct job *job, struct omissions *omissions)
{
    const struct dataset *d = job->dataset;
    struct arena arena = { 0 };

    if (d->writer && d->writer->count_omissions &&
        (d->writer != d->format || (d->writer->converted && d->writes >= d->writer->converted)))
        for (size_t i = 0; i < job->images.n_records; i++)
            count_record(job, job_record(job, i), &arena, omissions);
    arena_drop(&arena);
}

/* Appends "3 crowds" or "1 crowd" for "crowd{s}". */
static void print_omission(const struct omission *o, bool comma, struct text *out)
{
    const char *plural = strstr(o->what, "{s}");
    int before = (int)(plural ? plural - o->what : 0);

    text_addf(out, "%s%zu %.*s%s%s", comma ? ", " : "", o->n, before, o->what,
              plural && o->n != 1 ? "s" : "", plural ? plural + strlen("{s}") : o->what);
}

void target_print_omissions(const struct omissions *l, struct text *out)
{
    for (size_t i = 0; i < l->n; i++)
        print_omission(&l->at[i], i > 0, out);
}
