/* main: the table of subcommands, and how a command line is read. */
#include "command.h"
#include "options/plugins.h"

#include "base/environment.h"
#include "base/number.h"

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
const struct command *const commands[] = {
#include "commands.inc"
    NULL
};

const struct command *command_get(const char *name)
{
    for (size_t i = 0; commands[i]; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

int faults_exit(struct faults *faults, int code)
{
    struct text out = { 0 };

    faults_print(faults, 20, &out);
    message_print_lines(&out);
    text_drop(&out);
    return code;
}

int operand_one_folder(struct faults *faults, const char *const *operand)
{
    if (operand[0] && !operand[1])
        return EXIT_DONE;
    if (operand[0])
        fault_add(faults, 0, 0, operand[1], "operand-unexpected", "one folder at a time");
    else
        fault_add(faults, 0, 0, "", "operand-missing", "an output folder is required");
    faults_exit(faults, EXIT_USAGE);
    faults_drop(faults);
    return EXIT_USAGE;
}

/* --- options of every command --- */

static struct common {
    int message_format;
} common;

static const struct choice message_formats[] = {
    { "text", MESSAGE_TEXT, "lines for people" },
    { "json", MESSAGE_JSON,
      "a JSON object a line: level, message, and where, line, column and code if there are any" },
    { 0 },
};

static const struct option common_options[] = {
    { 0, 0, "FORMAT",
      CHOICE(struct common, message_format, .preset = "\"text\"", .choices = message_formats,
             .help = "how messages on stderr look") },
    OPTIONS_END,
};

bool option_is_common(const struct option *o)
{
    return o >= common_options && o < common_options + COUNTOF(common_options);
}

/* Where the command's options go on behind the end of a table: its own, that of plugins, those of
 * every command. */
static const struct option *next_table(const struct command *c, const struct option *o)
{
    if (o && option_is_common(o))
        return NULL;
    return c->plugins && !(o && plugin_option_is(o)) ? plugin_options : common_options;
}

const struct option *option_next(const struct command *c, const struct option *o)
{
    const struct option *in = o;

    for (o = o ? o + 1 : c->options; o && o->row.name; o++)
        if ((o->takers & c->taker) == c->taker || !o->takers)
            return o;
    return next_table(c, in);
}

/* Where the option's value belongs. */
static void *option_place(const struct option *o, void *options)
{
    if (plugin_option_is(o))
        return plugin_option_place(o);
    return (char *)(option_is_common(o) ? (void *)&common : options) + o->row.offset;
}

/* --- reading a command line --- */

struct reading {
    const struct command *command;
    void *options;
    const char **operand;
    size_t n_operands;
    struct arena arena;
    struct faults faults;
};

/* Names of the options that were given; one command runs in a process. */
static const char *given[128];
static size_t n_given;

bool option_given(const char *name)
{
    for (size_t i = 0; i < n_given; i++)
        if (strcmp(given[i], name) == 0)
            return true;
    return false;
}

void option_print_name(const struct option *o, struct text *out)
{
    text_adds(out, "--");
    for (const char *c = o->row.name; *c; c++)
        text_addc(out, *c == '_' ? '-' : *c);
}

static const char *long_name(struct reading *r, const struct option *o)
{
    struct text name = { 0 };
    const char *copy;

    option_print_name(o, &name);
    copy = arena_copy(&r->arena, name.at, name.length);
    text_drop(&name);
    return copy;
}

static bool is_text(const struct kind *kind)
{
    return kind == &text_kind || kind == &choice_kind;
}

/* An option that may be given several times has a list: one more. */
static void append_name(struct reading *r, const struct option *o, const char *text)
{
    struct names *names = option_place(o, r->options);
    const char **more = ARENA_ARRAY(&r->arena, const char *, names->n + 1);

    for (size_t i = 0; i < names->n; i++)
        more[i] = names->at[i];
    more[names->n++] = text;
    names->at = more;
}

/* The option's text as a value of the kind its row wants. */
static void read_option(struct reading *r, const struct option *o, const char *text)
{
    struct value value = { .kind = VALUE_TEXT, .text = text };
    struct slice slice = { text, text ? strlen(text) : 0 };
    const char *name = long_name(r, o);

    value.name = name;
    if (o->row.kind == &flag_kind)
        value = (struct value){ .kind = VALUE_FLAG, .flag = true, .name = name };
    else if (!is_text(o->row.kind) && slice.length &&
             number_scan(slice, &value.number) == slice.length)
        value.kind = VALUE_NUMBER;
    if (option_given(o->row.name) && o->row.kind != &names_kind) {
        fault_add(&r->faults, 0, 0, name, "option-twice",
                  "is given more than once, and takes one value%s%s", text ? ": remove " : "",
                  text ? text : "");
        return;
    }
    if (!option_given(o->row.name) && n_given < COUNTOF(given))
        given[n_given++] = o->row.name;
    if (text && !*text) {
        fault_add(&r->faults, 0, 0, name, "option-value", "%s is empty", o->metavar);
        return;
    }
    if (o->row.writes && !(o->row.writes & WRITES_STDOUT) && strcmp(text, "-") == 0) {
        fault_add(&r->faults, 0, 0, name, "option-value",
                  "stdout is not possible here: name a %s (./- for this name)",
                  o->row.writes & WRITES_FOLDER ? "folder" : "file");
        return;
    }
    if (o->row.kind == &names_kind) {
        append_name(r, o, text);
        return;
    }
    value.parent = &(struct value){ .kind = VALUE_OBJECT };
    o->row.kind->read(&o->row, &value, option_place(o, r->options),
                      &(struct reader){ .arena = &r->arena }, &r->faults);
}

/* Messages about the command line have the format, too, wherever the option stands. */
static void find_message_format(int n, char **word)
{
    static const char option[] = "--message-format";

    for (int i = 0; i < n && strcmp(word[i], "--") != 0; i++) {
        const char *value =
            strcmp(word[i], option) == 0 && i + 1 < n ? word[i + 1]
            : strncmp(word[i], option, strlen(option)) == 0 && word[i][strlen(option)] == '='
                ? word[i] + strlen(option) + 1
                : "";

        if (strcmp(value, "json") == 0)
            message_format(MESSAGE_JSON);
    }
}

static const struct option *option_by_letter(const struct command *c, char letter)
{
    for (OPTIONS(o, c))
        if (o->letter == letter)
            return o;
    return NULL;
}

static const struct option *option_by_name(struct reading *r, const char *name, size_t length)
{
    const char *word = arena_copy(&r->arena, name, length);

    for (OPTIONS(o, r->command))
        if (strcmp(long_name(r, o), word) == 0 || (o->row.was && strcmp(o->row.was, word) == 0))
            return o;
    return NULL;
}

static void unknown_option(struct reading *r, const char *word, size_t length)
{
    struct nearest near = { .word = arena_copy(&r->arena, word, length) };

    for (OPTIONS(o, r->command))
        nearest_try(&near, long_name(r, o));
    fault_add(&r->faults, 0, 0, near.word, "option-unknown",
              "no such option%s; see lockstep help %s", nearest_hint(&near, &r->arena),
              r->command->name);
}

static bool is_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

/* -nVALUE, -n VALUE and grouped flags: -qv. Returns how many words were used. */
static int read_letters(struct reading *r, const char *word, const char *next)
{
    for (const char *c = word + 1; *c; c++) {
        const struct option *o = option_by_letter(r->command, *c);

        if (!o) {
            unknown_option(r, (char[]){ '-', *c, 0 }, 2);
            return 1;
        }
        if (!o->metavar) {
            read_option(r, o, NULL);
        } else if (c[1]) {
            read_option(r, o, c + 1);
            return 1;
        } else if (next) {
            read_option(r, o, next);
            return 2;
        } else {
            fault_add(&r->faults, 0, 0, arena_copy(&r->arena, (char[]){ '-', *c }, 2),
                      "option-value", "%s is missing", o->metavar);
            return 1;
        }
    }
    return 1;
}

static int read_long(struct reading *r, const char *word, const char *next)
{
    const char *equals = strchr(word, '=');
    size_t length = equals ? (size_t)(equals - word) : strlen(word);
    const struct option *o = option_by_name(r, word, length);

    if (!o) {
        unknown_option(r, word, length);
        return 1;
    }
    if (!o->metavar && equals)
        fault_add(&r->faults, 0, 0, long_name(r, o), "option-value", "takes no value");
    else if (!o->metavar)
        read_option(r, o, NULL);
    else if (equals)
        read_option(r, o, equals + 1);
    else if (next)
        read_option(r, o, next);
    else
        fault_add(&r->faults, 0, 0, long_name(r, o), "option-value", "%s is missing", o->metavar);
    return o->metavar && !equals && next ? 2 : 1;
}

static void check_complete(struct reading *r)
{
    for (OPTIONS(o, r->command))
        if (!o->row.preset && !option_given(o->row.name))
            fault_add(&r->faults, 0, 0, long_name(r, o), "option-missing", "is required: %s",
                      o->row.help);
    if (r->n_operands && !r->command->operands)
        fault_add(&r->faults, 0, 0, r->operand[0], "operand-unexpected",
                  "lockstep %s takes no operands; see lockstep help %s", r->command->name,
                  r->command->name);
}

static void read_words(struct reading *r, int n, char **word)
{
    bool options_end = false;

    for (int i = 0; i < n;) {
        const char *next = i + 1 < n ? word[i + 1] : NULL;

        if (!options_end && strcmp(word[i], "--") == 0) {
            options_end = true;
            i++;
        } else if (!options_end && strncmp(word[i], "--", 2) == 0) {
            i += read_long(r, word[i], next);
        } else if (!options_end && word[i][0] == '-' && word[i][1]) {
            i += read_letters(r, word[i], next);
        } else {
            r->operand[r->n_operands++] = word[i++];
        }
    }
}

static int run_command_line(const struct command *command, int n, char **word)
{
    struct reading r = { .command = command };
    int code;

    for (int i = 0; i < n && strcmp(word[i], "--") != 0; i++)
        if (is_help(word[i]))
            return help_command.run(NULL, (const char *const[]){ command->name, NULL });
    r.options = arena_take(&r.arena, command->options_size);
    r.operand = ARENA_ARRAY(&r.arena, const char *, (size_t)n + 1);
    r.faults.name = arena_printf(&r.arena, "lockstep %s", command->name);
    for (OPTIONS(o, command))
        if (!option_is_common(o) && !plugin_option_is(o))
            params_preset((const struct row[]){ o->row, ROWS_END }, r.options, &r.arena);
    find_message_format(n, word);
    read_words(&r, n, word);
    check_complete(&r);
    plugin_options_check(&r.faults);
    code = r.faults.n ? faults_exit(&r.faults, EXIT_USAGE) : plugin_options_load(&r.arena);
    if (!code)
        code = command->run(r.options, r.operand);
    faults_drop(&r.faults);
    arena_drop(&r.arena);
    return code;
}

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

/* What was printed must have arrived: a full disk is no success. */
static int close_stdout(int code)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    message_print("lockstep: error: stdout: %s [stdout-unwritable]", errno_text());
    return code == EXIT_DONE || code == EXIT_PARTIAL ? EXIT_OUTPUT : code;
}

/* A file that is opened must not become a stream that was closed: messages would land in it. What
 * stands in for a closed stream fails as the closed one would, but for stderr. */
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

    environment_hide();
    hold_streams();
    /* a file that grows past its limit is reported by write */
    sigaction(SIGXFSZ, &(struct sigaction){ .sa_handler = SIG_IGN }, NULL);
    if (is_help(name))
        name = "help";
    else if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0)
        name = "version";
    command = command_get(name);
    if (!command)
        return unknown_command(name);
    return close_stdout(run_command_line(command, argc > 2 ? argc - 2 : 0, argv + 2));
}
