/* dynlib: a library that is loaded when first needed. */
#include "base/dynlib.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static bool complain(const struct dynlib *library, const char *cause, const char *detail,
                     struct text *why)
{
    size_t length = strlen(library->file);

    /* dlerror(3) begins with the file that it is about. */
    if (!strncmp(detail, library->file, length) && !strncmp(detail + length, ": ", 2))
        detail += length + 2;
    text_addf(why, "%s cannot be loaded: %s", library->file, cause);
    text_add_visible(why, detail, strlen(detail));
    text_addf(why, "; install %s", library->package);
    return false;
}

bool dynlib_open(const struct dynlib *library, void *functions, struct text *why)
{
    void *handle;

    errno = 0;
    handle = dlopen(library->file, RTLD_LAZY | RTLD_LOCAL);
    if (!handle) {
        const char *fault;

        memory_check();
        fault = dlerror();
        return complain(library, "", fault ? fault : "no reason is given", why);
    }
    for (size_t i = 0; i < library->count; i++) {
        void *symbol = dlsym(handle, library->names[i]);

        if (!symbol)
            return complain(library, "it has no ", library->names[i], why);
        /* POSIX has them of one form; ISO C has no cast from one to the other. */
        memcpy((char *)functions + i * sizeof symbol, &symbol, sizeof symbol);
    }
    return true;
}

bool dynlib_expect(const struct dynlib *library, void *functions, bool *opened,
                   struct faults *faults, const char *code)
{
    struct text why = { 0 };

    *opened = *opened || dynlib_open(library, functions, &why);
    if (!*opened)
        fault_add(faults, 0, 0, "", code, "%s", text_string(&why));
    text_drop(&why);
    return *opened;
}

static bool identify_in(const char *folder, const char *file, struct text *out)
{
    struct text path = { 0 };
    char real[PATH_MAX];
    const char *version;
    bool found;

    text_addf(&path, "%s/%s", folder, file);
    found = realpath(text_string(&path), real) != NULL;
    if (found) {
        version = strstr(strrchr(real, '/'), ".so.");
        text_adds(out, version ? version + strlen(".so.") : strrchr(real, '/') + 1);
    }
    text_drop(&path);
    return found;
}

void dynlib_identify(const char *file, struct text *out)
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
        text_adds(out, "missing");
}
