/* environment: the variables that lockstep reads, hidden from the libraries that it uses.
 *
 * About a hundred variables change what libraries do: VIPS_DISC_THRESHOLD where pixels are kept,
 * FREETYPE_PROPERTIES how letters are drawn, JSIMD_FORCENONE and ORC_CODE which loops are run. A
 * list of these would end with the next version of a library, so none is left. */
#include "base/environment.h"

#include <stddef.h>
#include <string.h>
#include <unistd.h>

static char **given; /* those of the user; NULL: they are not hidden */

void environment_hide(void)
{
    static char *none[] = { NULL };

    given = environ;
    environ = none;
}

const char *environment_get(const char *name)
{
    char **all = given ? given : environ;
    size_t length = strlen(name);

    for (; all && *all; all++)
        if (strncmp(*all, name, length) == 0 && (*all)[length] == '=')
            return *all + length + 1;
    return NULL;
}
