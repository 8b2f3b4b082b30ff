/* unsupported: counts what a format cannot represent, by kind. */
#include "labels/format.h"

#include <string.h>

void omissions_add(struct omissions *l, const char *what)
{
    size_t i = 0;

    while (i < l->n && strcmp(l->at[i].what, what) != 0)
        i++;
    if (i == COUNTOF(l->at))
        i--;
    else if (i == l->n)
        l->at[l->n++] = (struct omission){ arena_copy(&l->arena, what, strlen(what)), 0 };
    l->at[i].n++;
}

/* Appends "3 crowds" or "1 crowd" for "crowd{s}". */
static void print_omission(const struct omission *o, bool comma, struct text *out)
{
    const char *plural = strstr(o->what, "{s}");
    int before = (int)(plural ? plural - o->what : 0);

    text_addf(out, "%s%zu %.*s%s%s", comma ? ", " : "", o->n, before, o->what,
              plural && o->n != 1 ? "s" : "", plural ? plural + strlen("{s}") : o->what);
}

void omissions_print(const struct omissions *l, struct text *out)
{
    for (size_t i = 0; i < l->n; i++)
        print_omission(&l->at[i], i > 0, out);
}

struct box object_loaded_bounds(const struct object *o)
{
    if (o->has_box)
        return o->bbox;
    if (o->segmentation == SEGMENTATION_NONE)
        return (struct box){ 0 };
    return o->segmentation == SEGMENTATION_RLE ? rle_bounds(&o->rle) : rings_bounds(&o->rings);
}

bool object_has_labelled_keypoints(const struct object *o)
{
    for (size_t i = 0; i < o->n_keypoints; i++)
        if (o->keypoints[i].visibility > 0)
            return true;
    return false;
}

const char *omission_of_bounds(const struct object *o, struct box b, struct frame frame)
{
    if (!o->has_box && o->segmentation == SEGMENTATION_NONE)
        return "object{s} without a box or an outline";
    if (frame.width && (b.x1 <= 0 || b.y1 <= 0 || b.x0 >= frame.width || b.y0 >= frame.height))
        return "object{s} outside of the image";
    if (b.x1 <= b.x0 || b.y1 <= b.y0)
        return "object{s} of zero width or height";
    return NULL;
}

const char *omission_of_name(const char *name)
{
    return *name == '.' || strstr(name, "/.")
               ? "image{s} with a hidden name (readers of folders skip it)"
               : NULL;
}
