/* vips_door: a library loaded when first met. */
#include "vips_door.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

static bool complain(const struct door *door, const char *cause, const char *detail,
                     struct text *why)
{
    size_t length = strlen(door->file);

    /* dlerror(3) begins with the file that it is about. */
    if (!strncmp(detail, door->file, length) && !strncmp(detail + length, ": ", 2))
        detail += length + 2;
    text_addf(why, "%s cannot be loaded: %s", door->file, cause);
    text_add_visible(why, detail, strlen(detail));
    text_addf(why, "; install %s", door->package);
    return false;
}

bool door_open(const struct door *door, void *functions, struct text *why)
{
    void *library;

    errno = 0;
    library = dlopen(door->file, RTLD_LAZY | RTLD_LOCAL);
    if (!library) {
        const char *fault;

        memory_check();
        fault = dlerror();
        return complain(door, "", fault ? fault : "no reason is given", why);
    }
    for (size_t i = 0; i < door->count; i++) {
        void *symbol = dlsym(library, door->names[i]);

        if (!symbol)
            return complain(door, "it has no ", door->names[i], why);
        /* POSIX has them of one form; ISO C has no cast from one to the other. */
        memcpy((char *)functions + i * sizeof symbol, &symbol, sizeof symbol);
    }
    return true;
}
