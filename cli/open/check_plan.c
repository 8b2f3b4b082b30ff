/* check_plan: refuses a pipeline that does not fit the dataset, and warns of probable mistakes. */
#include "open/dataset.h"
#include "open/notes.h"
#include "shared/say.h"

#include "labels/coco/flip_names.h"
#include "plan/camera_check.h"
#include "plan/unused_steps.h"
#include "plan/keypoint_mirror.h"
#include "plan/settings_check.h"
#include "plan/class_steps.h"
#include "plan/conditions.h"
#include "plan/unmoved_keys.h"

#include <string.h>

static bool refuse_polygons(const struct step *step, void *context)
{
    if (step->op && step->op->makes_polygons)
        value_fault(context, value_get(step->source, "type"), false, "target-refused",
                    "panoptic segments are pixels, and cannot become polygons");
    return true;
}

/* Adds a note: a mirror does not change categories, even if their names say left or right. */
static void note_sides(const struct dataset *d, struct faults *named)
{
    enum { SHOWN = 10 };
    const char **names = ARENA_ARRAY(d->arena, const char *, d->n_categories);
    const char **sided = ARENA_ARRAY(d->arena, const char *, d->n_categories);
    struct text what = { 0 };
    size_t n;

    for (size_t i = 0; i < d->n_categories; i++)
        names[i] = d->categories[i].name;
    n = flip_names_sided(names, d->n_categories, sided);
    text_adds(&what, "the pipeline mirrors, and these categories name a side: ");
    for (size_t i = 0; i < n && i < SHOWN; i++) {
        text_adds(&what, i ? ", " : "");
        text_add_json(&what, sided[i], strlen(sided[i]));
    }
    if (n > SHOWN)
        text_addf(&what, " and %zu more", n - SHOWN);
    if (n)
        note_add(named, 0, 0, "categories", "category-sides",
                 arena_copy(d->arena, what.at, what.length),
                 "objects keep their category, so that left becomes right", false);
    text_drop(&what);
}

/* Fails if the pipeline may mirror, and the dataset does not state which keypoints change places.
 */
static int check_mirrors(const struct plan *plan, int verbosity, struct dataset *dataset)
{
    const struct dataset *list = dataset->list ? dataset->list : dataset; /* has the categories */
    struct faults notes[] = { dataset_faults(list), dataset_faults(dataset) };
    struct faults named = dataset_faults(list), own = dataset_faults(dataset);
    int code = EXIT_DONE;

    named.notes = &notes[0];
    own.notes = &notes[1];
    if (!mirrors_check(plan, dataset, &named, &own)) {
        code = named.n ? faults_exit(&named, EXIT_INPUT) : code;
        code = own.n ? faults_exit(&own, EXIT_INPUT) : code;
    } else if (plan_mirrors(plan)) {
        note_sides(dataset, &named);
    }
    for (size_t i = 0; i < COUNTOF(notes); i++) {
        open_take_notes(&notes[i], verbosity, dataset);
        faults_drop(&notes[i]);
    }
    faults_drop(&named);
    faults_drop(&own);
    return code;
}

/* Warns of keys with geometry that neither COCO's rules nor the pipeline's move. */
static void warn_of_keys(const struct dataset *d, int verbosity)
{
    struct text keys = { 0 };

    if (!d->n_loose_keys || verbosity < 0)
        return;
    for (size_t i = 0; i < d->n_loose_keys; i++)
        text_addf(&keys, "%s%s", i ? ", " : "", d->loose_keys[i]);
    message_print("%s: warning: pixels move, but the geometry in these keys stays as it is: "
                  "%s; see annotations.move_keys and drop_keys [coco-unmoved-keys]",
                  d->file, text_string(&keys));
    text_drop(&keys);
}

/* Warns of steps that need labels of a kind that no image has. */
static void warn_of_idle_steps(const struct plan *plan, const struct dataset *d, int verbosity)
{
    struct text steps = { 0 };

    idle_print(plan, d, &steps);
    if (steps.length && verbosity >= 0)
        message_print("%s: warning: steps for labels that %s: %s [steps-idle]", plan->file,
                      d->format ? "the annotations do not have" : "are not there without -a",
                      text_string(&steps));
    text_drop(&steps);
}

static void apply_class_steps(const struct plan *plan, int verbosity, struct dataset *dataset,
                              struct faults *faults)
{
    struct text others = { 0 };

    class_steps_apply(plan, dataset, &others, faults);
    combination_share_classes(dataset);
    if (others.length && verbosity >= 0)
        message_print("%s: warning: the list of classes keeps classes that these steps drop or "
                      "move, since not every image passes the steps: %s [classes-stay]",
                      plan->file, text_string(&others));
    text_drop(&others);
}

int open_class_steps(const struct plan *plan, struct dataset *dataset)
{
    struct faults faults = { .name = plan->file, .text = plan->text };
    int code;

    apply_class_steps(plan, -1, dataset, &faults);
    code = faults.n ? faults_exit(&faults, EXIT_PIPELINE) : EXIT_DONE;
    faults_drop(&faults);
    return code;
}

/* Fails if the dataset lacks something that the pipeline needs. */
static int check_plan(const struct plan *plan, int verbosity, struct dataset *dataset, bool masks)
{
    struct faults faults = { .name = plan->file, .text = plan->text };
    struct text idle = { 0 };
    int code;

    when_check(plan, dataset, &faults);
    cameras_check_steps(plan, &faults);
    apply_class_steps(plan, verbosity, dataset, &faults);
    if (dataset->format && dataset->format->paint)
        steps_walk(&plan->transforms, refuse_polygons, &faults);
    settings_check(plan, dataset, masks, verbosity > 0, &faults, &idle);
    if (idle.length && verbosity >= 0)
        message_print("%s: warning: settings of annotations that have no effect on %s: %s "
                      "[settings-idle]",
                      plan->file,
                      dataset->format ? "these annotations" : "images without annotations",
                      text_string(&idle));
    text_drop(&idle);
    code = faults.n ? faults_exit(&faults, EXIT_PIPELINE) : check_mirrors(plan, verbosity, dataset);
    faults_drop(&faults);
    return code;
}

int open_check(const struct plan *plan, int verbosity, struct dataset *dataset, bool masks)
{
    int code = check_plan(plan, verbosity, dataset, masks);

    if (code)
        return code;
    keys_left_behind(plan, dataset);
    warn_of_keys(dataset, verbosity);
    warn_of_idle_steps(plan, dataset, verbosity);
    if (verbosity >= 0)
        warn_of_defaults(plan);
    return code;
}
