/* vips_door: a library loaded when first met. */
#include "vips_door.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
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

static bool identify_in(const char *folder, const char *file, struct text *out)
{
    struct text path = { 0 };
    char real[PATH_MAX];
    bool found;

    text_addf(&path, "%s/%s", folder, file);
    found = realpath(text_string(&path), real) != NULL;
    if (found)
        text_adds(out, strrchr(real, '/') + 1);
    text_drop(&path);
    return found;
}

void door_identify(const char *file, struct text *out)
{
    void *program = dlopen(NULL, RTLD_LAZY);
    Dl_serinfo size, *folders;
    bool found = false;

    if (program && dlinfo(program, RTLD_DI_SERINFOSIZE, &size) == 0) {
        folders = memory_take(size.dls_size);
        dlinfo(program, RTLD_DI_SERINFOSIZE, folders);
        if (dlinfo(program, RTLD_DI_SERINFO, folders) == 0)
            for (unsigned i = 0; i < folders->dls_cnt && !found; i++)
                found = identify_in(folders->dls_serpath[i].dls_name, file, out);
        free(folders);
    }
    if (!found && !identify_in("/usr/local/lib", file, out))
        text_addf(out, "%s missing", file);
}
