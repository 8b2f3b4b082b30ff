/* args: reads the options and operands of a command. */
#include "shared/args.h"
#include "shared/say.h"

#include "base/number.h"

#include <string.h>

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

struct args {
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

bool option_is_given(const char *name)
{
    for (size_t i = 0; i < n_given; i++)
        if (strcmp(given[i], name) == 0)
            return true;
    return false;
}

static const char *long_name(struct args *r, const struct option *o)
{
    struct text name = { 0 };
    const char *copy;

    option_print_name(o, &name);
    copy = arena_copy(&r->arena, name.at, name.length);
    text_drop(&name);
    return copy;
}

static const char *brief_help(struct args *r, const struct option *o)
{
    struct text brief = { 0 };
    const char *copy;

    option_print_brief(o, &brief);
    copy = arena_copy(&r->arena, brief.at, brief.length);
    text_drop(&brief);
    return copy;
}

static bool is_text(const struct kind *kind)
{
    return kind == &text_kind || kind == &choice_kind;
}

/* Appends to the list of an option that may be given several times. */
static void append_name(struct args *r, const struct option *o, const char *text)
{
    struct names *names = option_place(r->command, o, r->options);
    const char **more = ARENA_ARRAY(&r->arena, const char *, names->n + 1);

    for (size_t i = 0; i < names->n; i++)
        more[i] = names->at[i];
    more[names->n++] = text;
    names->at = more;
}

/* Reads the option's text as a value of its row's kind. */
static void read_option(struct args *r, const struct option *o, const char *text)
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
    if (option_is_given(o->row.name) && o->row.kind != &names_kind) {
        fault_add(&r->faults, 0, 0, name, "option-twice",
                  "is given more than once, and takes one value%s%s", text ? ": remove " : "",
                  text ? text : "");
        return;
    }
    if (!option_is_given(o->row.name) && n_given < COUNTOF(given))
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
    o->row.kind->read(&o->row, &value, option_place(r->command, o, r->options),
                      &(struct reader){ .arena = &r->arena }, &r->faults);
}

/* Finds --message-format before the other options are read, so that messages about these have the
 * format, too. */
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

static const struct option *option_by_name(struct args *r, const char *name, size_t length)
{
    const char *word = arena_copy(&r->arena, name, length);

    for (OPTIONS(o, r->command))
        if (strcmp(long_name(r, o), word) == 0 || (o->row.was && strcmp(o->row.was, word) == 0))
            return o;
    return NULL;
}

static void unknown_option(struct args *r, const char *word, size_t length)
{
    struct nearest near = { .word = arena_copy(&r->arena, word, length) };

    for (OPTIONS(o, r->command))
        nearest_try(&near, long_name(r, o));
    fault_add(&r->faults, 0, 0, near.word, "option-unknown",
              "no such option%s; see lockstep help %s", nearest_hint(&near, &r->arena),
              r->command->name);
}

bool is_help_option(const char *word, bool *all)
{
    *all = strcmp(word, "--help-all") == 0;
    return *all || strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

bool has_help_option(int n, char **word, bool *all)
{
    for (int i = 0; i < n && strcmp(word[i], "--") != 0; i++)
        if (is_help_option(word[i], all))
            return true;
    return false;
}

/* Reads -nVALUE, -n VALUE and grouped flags: -qv. Returns the number of words used. */
static int read_letters(struct args *r, const char *word, const char *next)
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

static int read_long(struct args *r, const char *word, const char *next)
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

static void check_complete(struct args *r)
{
    for (OPTIONS(o, r->command))
        if (!o->row.preset && !option_is_given(o->row.name))
            fault_add(&r->faults, 0, 0, long_name(r, o), "option-missing", "is required: %s",
                      brief_help(r, o));
    if (r->n_operands && !r->command->operands)
        fault_add(&r->faults, 0, 0, r->operand[0], "operand-unexpected",
                  "lockstep %s takes no operands; see lockstep help %s", r->command->name,
                  r->command->name);
}

static void read_words(struct args *r, int n, char **word)
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

/* Checks and loads what the command's shared options name; the faults include those of reading. */
static int load_shared(struct args *r)
{
    const struct option_set *shared = r->command->shared;

    if (shared && shared->check)
        shared->check(&r->faults);
    if (r->faults.n)
        return faults_exit(&r->faults, EXIT_USAGE);
    return shared && shared->load ? shared->load(&r->arena) : EXIT_DONE;
}

int args_run(const struct command *command, int n, char **word)
{
    struct args r = { .command = command };
    int code;

    r.options = arena_take(&r.arena, command->options_size);
    r.operand = ARENA_ARRAY(&r.arena, const char *, (size_t)n + 1);
    r.faults.name = arena_printf(&r.arena, "lockstep %s", command->name);
    for (OPTIONS(o, command))
        if (option_is_own(command, o))
            params_preset((const struct row[]){ o->row, ROWS_END }, r.options, &r.arena);
    find_message_format(n, word);
    read_words(&r, n, word);
    check_complete(&r);
    code = load_shared(&r);
    if (!code)
        code = command->run(r.options, r.operand);
    faults_drop(&r.faults);
    arena_drop(&r.arena);
    return code;
}
