/* names: what the outputs of a record are called. */
#include "names.h"

#include "outdir.h"

#include <string.h>
#include <strings.h>

static const struct {
    const char *suffix;
    enum picture_format format;
} suffixes[] = {
    { ".jpg", PICTURE_JPEG },  { ".jpeg", PICTURE_JPEG }, { ".jpe", PICTURE_JPEG },
    { ".jfif", PICTURE_JPEG }, { ".png", PICTURE_PNG },   { ".webp", PICTURE_WEBP },
    { ".tif", PICTURE_TIFF },  { ".tiff", PICTURE_TIFF }, { ".gif", PICTURE_GIF },
};

/* Where an image's suffix begins, and the format it promises; the name's end when it has none: dots
 * in other places belong to the stem. */
static const char *suffix_of(const char *name, enum picture_format *format)
{
    const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
    const char *dot = strrchr(base, '.');

    for (size_t i = 0; dot && dot != base && i < COUNTOF(suffixes); i++)
        if (strcasecmp(dot, suffixes[i].suffix) == 0) {
            *format = suffixes[i].format;
            return dot;
        }
    *format = PICTURE_SAME;
    return name + strlen(name);
}

enum picture_format output_format(const struct job *job, enum picture_format source)
{
    enum picture_format format = (enum picture_format)job->plan->output.format;

    if (format == PICTURE_SAME)
        format = source;
    return format == PICTURE_GIF ? PICTURE_PNG : format;
}

enum picture_format name_format(const char *name)
{
    enum picture_format format;

    suffix_of(name, &format);
    return format;
}

bool name_is_image(const char *name)
{
    return name_format(name) != PICTURE_SAME;
}

void output_name(const struct job *job, const char *name, unsigned k, struct text *out)
{
    enum picture_format from, to;
    const char *suffix = suffix_of(name, &from);

    /* What the data are is not known yet: the name stays what it is. */
    to = output_format(job, from);
    text_clear(out);
    text_add(out, name, (size_t)(suffix - name));
    if (job_fan(job) > 1)
        text_addf(out, "__a%03u", k);
    if (from == to)
        text_adds(out, suffix);
    else
        text_adds(out, picture_format_suffix(to));
}

/* The path and stem with .png. */
static void name_png(const char *name, struct text *out)
{
    enum picture_format format;

    text_clear(out);
    text_add(out, name, (size_t)(suffix_of(name, &format) - name));
    text_adds(out, ".png");
}

/* What the mask of a record is named by: a name of its own where it is segments, else the image's;
 * NULL when it has none. */
static const char *mask_base(const struct job *job, size_t record)
{
    const struct record *r = &job->dataset->records[record];

    if (!job->masks)
        return NULL;
    return job_has_segments(job) ? r->mask : r->name;
}

bool mask_name(const struct job *job, size_t record, struct text *out)
{
    const char *base = mask_base(job, record);

    text_clear(out);
    if (base && job_has_segments(job))
        text_adds(out, base);
    else if (base)
        name_png(base, out);
    return base;
}

bool mask_output_name(const struct job *job, size_t record, unsigned k, struct text *out)
{
    const char *base = mask_base(job, record);
    struct text name = { 0 };

    text_clear(out);
    if (!base)
        return false;
    output_name(job, base, k, &name);
    name_png(text_string(&name), out);
    text_drop(&name);
    return true;
}

static void walk_folder(const struct job *job, bool masks,
                        void (*visit)(void *context, const struct output_of *), void *context)
{
    struct text name = { 0 };

    for (size_t r = 0; r < job->n_records; r++)
        for (unsigned k = 0; k < job_fan(job); k++) {
            if (!masks)
                output_name(job, job->dataset->records[r].name, k, &name);
            else if (!mask_output_name(job, r, k, &name))
                continue;
            visit(context,
                  &(struct output_of){ r, k, masks ? OUT_MASKS : OUT_IMAGES, text_string(&name) });
        }
    text_drop(&name);
}

void outputs_walk(const struct job *job, void (*visit)(void *context, const struct output_of *),
                  void *context)
{
    walk_folder(job, false, visit, context);
    if (job->masks)
        walk_folder(job, true, visit, context);
}
