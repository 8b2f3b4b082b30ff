/* packing: when a tar of outputs is full. */
#include "open/dataset.h"
#include "shared/args.h"
#include "shared/say.h"

#include "batch/dataset/layout_registry.h"
#include "batch/dataset/target_format.h"

#include <stdlib.h>
#include <string.h>

/* Reads "5000" (samples) or "200M" (bytes). */
static bool read_size(const char *text, struct packing *p)
{
    static const char units[] = "KMG";
    size_t digits = strspn(text, "0123456789");
    const char *unit = text[digits] ? strchr(units, text[digits]) : NULL;
    uint64_t n = digits && digits <= 9 ? strtoull(text, NULL, 10) : 0;

    if (!n || (text[digits] && (!unit || text[digits + 1])))
        return false;
    for (ptrdiff_t k = unit ? unit - units + 1 : 0; k > 0; k--)
        n *= 1000;
    *p = text[digits] ? (struct packing){ UINT64_MAX, n } : (struct packing){ n, UINT64_MAX };
    return true;
}

int open_packing(const struct job_options *o, struct job *job)
{
    struct text why = { 0 };

    job->output.packing = (struct packing){ 100000, 3000000000 };
    if (option_is_given("link") && o->link != LINK_COPY) {
        text_adds(&why, "tars contain the bytes of images; leave --link out");
        return refuse_input("--link", &why, "option-unused", EXIT_USAGE);
    }
    if (!o->shard_size || !*o->shard_size || read_size(o->shard_size, &job->output.packing))
        return EXIT_DONE;
    text_addf(&why,
              "%s is not a size; give a number of samples, such as 5000, or of bytes, such as "
              "200M or 3G",
              o->shard_size);
    return refuse_input("--shard-size", &why, "option-value", EXIT_USAGE);
}

int open_choose_packing(struct job_options *o, const struct layout *source,
                        const struct layout *target, struct job *job)
{
    const struct layout *layout = target_is_other(o->to) ? target : source;
    bool packed = layout && layout->packed;
    bool folder = option_is_given("out_format") && !o->out_format;
    struct text why = { 0 };

    if (packed && folder && target) {
        text_addf(&why, "--to %s writes tars", target_word(o->to));
        return refuse_input("--out-format dir", &why, "option-unused", EXIT_USAGE);
    }
    if (packed && folder)
        o->to = target_of_word("coco");
    else if (job->output.packing.max_samples &&
             (!target_is_other(o->to) || layout == layout_of_target("coco")))
        o->to = target_of_word("webdataset");
    return packed && !folder ? open_packing(o, job) : EXIT_DONE;
}

int open_check_shard_size(const struct job_options *o, const struct job *job)
{
    struct text why = { 0 };

    if (!o->shard_size || !*o->shard_size || job->output.packing.max_samples)
        return EXIT_DONE;
    text_adds(&why, "it needs --to webdataset");
    return refuse_input("--shard-size", &why, "option-unused", EXIT_USAGE);
}
