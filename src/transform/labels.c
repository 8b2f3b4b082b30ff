/* labels: what a transform asks about the labels of its sample. */
#include "../transform.h"

bool run_pixel_of_objects(struct run *run, const struct list *ignore, int *x, int *y)
{
    return run->emitter->pixel_of_objects(run, ignore, x, y);
}
