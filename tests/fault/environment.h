/* environment: variables as a library that is preloaded was given them. lockstep hides its own
 * before it starts. */
#include <stdlib.h>
#include <string.h>

static char **given_environment;

__attribute__((constructor(101))) static void keep_environment(int argc, char **argv,
                                                               char **environment)
{
    (void)argc;
    (void)argv;
    given_environment = environment;
}

__attribute__((unused)) static char *given_variable(const char *name)
{
    size_t length = strlen(name);

    for (char **all = given_environment; all && *all; all++)
        if (strncmp(*all, name, length) == 0 && (*all)[length] == '=')
            return *all + length + 1;
    return NULL;
}

#define getenv given_variable
