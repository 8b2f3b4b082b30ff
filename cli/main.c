/* main: the table of subcommands, and the start and end of the process. */
#include "help/pages.h"
#include "shared/args.h"
#include "shared/say.h"

#include "base/environment.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COMMAND(name) extern const struct command name##_command;
#include "commands.inc"
#undef COMMAND

/* The Makefile writes commands.inc from the files of commands/, in the order of its COMMANDS. */
#define COMMAND(name) &name##_command,
static const struct command *const all[] = {
#include "commands.inc"
    NULL
};

static int unknown_command(const char *name)
{
    struct nearest near = { .word = name };
    struct faults faults = { .name = "lockstep" };

    for (size_t i = 0; commands[i]; i++)
        if (!commands[i]->hidden)
            nearest_try(&near, commands[i]->name);
    fault_add(&faults, 0, 0, name, "command-unknown", "no such command%s; see lockstep help",
              nearest_hint(&near, &faults.arena));
    faults_exit(&faults, EXIT_USAGE);
    faults_drop(&faults);
    return EXIT_USAGE;
}

/* Fails if what was printed did not arrive, as on a full disk. */
static int close_stdout(int code)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    message_print("lockstep: error: stdout: %s [stdout-unwritable]", errno_text());
    return code == EXIT_DONE || code == EXIT_PARTIAL ? EXIT_OUTPUT : code;
}

/* Opens /dev/null for each standard stream that is closed, so that no file takes its descriptor and
 * receives messages. The flags make the use of stdin and stdout fail as on the closed stream;
 * stderr works. */
static void hold_streams(void)
{
    const int flags[] = { O_WRONLY, O_RDONLY, O_RDWR };

    for (int fd = 0; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", flags[fd]) != fd)
            exit(EXIT_RESOURCES);
}

int main(int argc, char **argv)
{
    const struct command *command;
    const char *name = argc > 1 ? argv[1] : "help";
    int n = argc > 2 ? argc - 2 : 0;
    bool all_options;

    commands = all;
    environment_hide();
    hold_streams();
    /* a file that grows past its limit is reported by write */
    sigaction(SIGXFSZ, &(struct sigaction){ .sa_handler = SIG_IGN }, NULL);
    if (is_help_option(name, &all_options))
        name = "help";
    else if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0)
        name = "version";
    command = command_get(name);
    if (!command)
        return unknown_command(name);
    return close_stdout(has_help_option(n, argv + 2, &all_options)
                            ? help_show_command(command, all_options)
                            : args_run(command, n, argv + 2));
}
