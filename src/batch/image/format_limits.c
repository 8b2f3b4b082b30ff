/* format_limits: checks that the output's format can store the result of the ops. */
#include "batch/image/work.h"
#include "batch/output/output_names.h"
#include "batch/image/report.h"

/* Returns the type and channels of the pixels after all ops. */
static struct pixel_kind kind_made(const struct work *w, const struct resolved_ops *resolved_ops)
{
    const struct resolved_op *last =
        resolved_ops->n ? &resolved_ops->at[resolved_ops->n - 1] : NULL;

    if (!last)
        return (struct pixel_kind){ w->header.type, w->header.channels };
    /* An op that needs pixels before it is resolved keeps their kind. */
    return last->op->needs ? last->pixels
                           : (struct pixel_kind){ last->action.type, last->action.channels };
}

bool work_is_flattened(const struct work *w, const struct resolved_ops *resolved_ops)
{
    return w->job->plan->output.background.n && kind_made(w, resolved_ops).channels % 2 == 0;
}

bool work_fits_format(struct work *w, const struct resolved_ops *resolved_ops, struct frame frame)
{
    enum picture_format format = output_format(w->job, w->header.format);
    struct pixel_kind made = kind_made(w, resolved_ops);
    const char *name = picture_format_name(format);
    int max_side = picture_format_max_side(format);
    struct text why = { 0 };

    if (made.type == PIXEL_F32 && format != PICTURE_TIFF)
        text_addf(&why,
                  "the pipeline makes floats, which %s files cannot hold; set \"format\": \"tiff\" "
                  "in \"output\" [output-float]",
                  name);
    else if (made.type == PIXEL_U16 && (format == PICTURE_JPEG || format == PICTURE_WEBP))
        text_addf(&why,
                  "16-bit samples cannot be written as %s, which holds 8 bits: end the pipeline "
                  "with {\"type\": \"to_dtype\", \"dtype\": \"uint8\", \"scale\": true}, after "
                  "\"rescale_intensity\" where not all of 0..65535 is used; or set \"format\": "
                  "\"png\" in \"output\" [output-depth]",
                  name);
    else if (made.channels % 2 == 0 && format == PICTURE_JPEG &&
             !work_is_flattened(w, resolved_ops))
        text_addf(&why,
                  "it has an alpha channel, which %s files cannot hold; set \"background\" in "
                  "\"output\" to the colour behind it, as 255, or \"format\" to \"png\" "
                  "[output-alpha]",
                  name);
    else if (frame.width > max_side || frame.height > max_side)
        text_addf(
            &why,
            "the result has %dx%d pixels, but %s files have at most %d per side; set \"format\": "
            "\"png\" in \"output\" [output-size]",
            frame.width, frame.height, name, max_side);
    if (why.length)
        work_fail(w, OUTCOME_INPUT, w->record->name, text_string(&why));
    text_drop(&why);
    return w->report->outcome == OUTCOME_DONE;
}
