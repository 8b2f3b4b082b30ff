/* check_options: refuses options that have no effect on the annotations. */
#include "open/dataset.h"
#include "shared/args.h"
#include "shared/say.h"

#include "batch/dataset/target_format.h"

#include <string.h>

/* True if the labels lack one of the bits of `what` (enum label_absence). */
static bool has_none_of(const struct dataset *d, unsigned what)
{
    return !d->format || (d->format->lacks_read && (d->format->lacks_read(d) & what));
}

/* Checks only options of the command line: a run.json that replay reads may have others. */
int open_check_options(const struct job_options *o, const struct command_inputs *opened)
{
    const struct dataset *d = opened->job.dataset;
    const bool converted = option_is_given("to") && target_is_other(o->to),
               named = job_has_named_images(&opened->job);
    const bool written = d->format && (named || *d->format->suffix); /* they are in files */
    const struct {
        bool unused;
        const char *option, *why;
    } all[] = {
        { converted && !written && !(d->format && target_is_format(o->to, d->format)), "--to",
          d->format ? "the source has classes of images alone; --to folders writes them"
                    : "there are no annotations to convert" },
        { option_is_given("lossy") && !converted, "--lossy", "it needs --to" },
        { option_is_given("one_hot") && !d->n_categories, "--one-hot",
          "the images have no labels" },
        { option_is_given("compat") && o->compat != COMPAT_REPAIR && has_none_of(d, LACKS_DIALECTS),
          "--compat", "it is for COCO and YOLO, and these annotations are neither" },
        { option_is_given("compat") && o->compat == COMPAT_LENIENT &&
              has_none_of(d, LACKS_KEYPOINTS),
          "--compat lenient", "it affects keypoints only, and these annotations have none" },
        { option_is_given("voc_base") && o->voc_base &&
              (!d->format || !d->format->suffix || strcmp(d->format->suffix, ".xml") != 0),
          "--voc-base", "these annotations are not in Pascal VOC format" },
        { option_is_given("voc_integers") &&
              (!d->writer || !d->writer->suffix || strcmp(d->writer->suffix, ".xml") != 0),
          "--voc-integers", "no files in Pascal VOC format are written: it needs --to voc" },
        { option_is_given("strip_prefix") && !named, "--strip-prefix",
          "the images are those of the folder, and no annotations have other names for them" },
        { option_is_given("match") && o->match == MATCH_BASENAME && !named, "--match basename",
          "the images are those of the folder, and no annotations have other names for them" },
        { option_is_given("trust") && o->trust == TRUST_FILE && has_none_of(d, LACKS_SIZES),
          "--trust file", "the annotations do not state image sizes" },
    };
    struct text why = { 0 };

    for (size_t i = 0; i < COUNTOF(all); i++)
        if (all[i].unused) {
            text_adds(&why, all[i].why);
            return refuse_input(all[i].option, &why, "option-unused", EXIT_USAGE);
        }
    return EXIT_DONE;
}
