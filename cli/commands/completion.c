/* completion: prints scripts for bash, zsh and fish that complete command lines, from the tables.
 */
#include "help/pages.h"
#include "shared/say.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* The kind of words that complete a value or an operand. */
enum completion { ANYTHING, WORDS, FILES, FOLDERS };

static void add_word(struct text *words, const char *word, size_t length)
{
    text_adds(words, words->length ? " " : "");
    text_add(words, word, length);
}

static void add_steps(struct text *words)
{
    for (ENTRIES(e))
        if (!topic_get(e.name))
            add_word(words, e.name, strlen(e.name));
}

static void add_commands(struct text *words)
{
    for (size_t i = 0; commands[i]; i++)
        if (!commands[i]->hidden)
            add_word(words, commands[i]->name, strlen(commands[i]->name));
    for (const struct topic *t = topics; t->name; t++)
        add_word(words, t->name, strlen(t->name));
}

static enum completion completion_by(const char *metavar, struct text *words)
{
    if (!metavar)
        return ANYTHING;
    if (strcmp(metavar, "FILE") == 0 || strcmp(metavar, "PATH") == 0)
        return FILES;
    if (strcmp(metavar, "DIR") == 0)
        return FOLDERS;
    if (strcmp(metavar, "COMMAND") == 0)
        add_commands(words);
    if (strcmp(metavar, "COMMAND") == 0 || strcmp(metavar, "STEP") == 0) {
        add_steps(words);
        return WORDS;
    }
    if (!strchr(metavar, '|'))
        return ANYTHING;
    while (*metavar) { /* "bash|zsh|fish" */
        size_t length = strcspn(metavar, "|");

        add_word(words, metavar, length);
        metavar += length + (metavar[length] == '|');
    }
    return WORDS;
}

static enum completion completion_by_option(const struct option *o, struct text *words)
{
    for (const struct choice *c = o->row.choices; c && c->word; c++)
        add_word(words, c->word, strlen(c->word));
    return words->length ? WORDS : completion_by(o->metavar, words);
}

static const char *long_name(const struct option *o, struct text *name)
{
    text_clear(name);
    option_print_name(o, name);
    return text_string(name);
}

/* Prints the string in single quotes: fish escapes a quote inside them, other shells end them for
 * it.
 */
static void put_quoted(const char *string, bool fish)
{
    putchar('\'');
    for (; *string; string++) {
        if (*string == '\'')
            fputs(fish ? "\\'" : "'\\''", stdout);
        else
            putchar(*string);
    }
    putchar('\'');
}

/* --- bash --- */

static void bash_action(enum completion kind, const char *words)
{
    if (kind == WORDS)
        printf("        words='%s'\n", words);
    else if (kind == FILES)
        puts("        kind=-f");
    else if (kind == FOLDERS)
        puts("        kind=-d");
    puts("        ;;");
}

/* Prints the words that may follow each option that takes a value. */
static void bash_values(const struct command *c)
{
    struct text words = { 0 }, name = { 0 };

    for (OPTIONS(o, c)) {
        enum completion kind;

        if (!o->metavar)
            continue;
        text_clear(&words);
        kind = completion_by_option(o, &words);
        printf("    %s:%s:*", c->name, long_name(o, &name));
        if (o->letter)
            printf(" | %s:-%c:*", c->name, o->letter);
        puts(")");
        bash_action(kind, text_string(&words));
    }
    text_drop(&words);
    text_drop(&name);
}

/* Prints the names of options if the word starts with a dash, else operands. Letters are left out:
 * they do not help a user who searches for an option. */
static void bash_words(const struct command *c)
{
    struct text words = { 0 }, name = { 0 };

    for (OPTIONS(o, c)) {
        long_name(o, &name);
        add_word(&words, text_string(&name), name.length);
    }
    add_word(&words, "--help --help-all", strlen("--help --help-all"));
    printf("    %s:*:-*)\n        words='%s'\n        ;;\n", c->name, text_string(&words));
    text_clear(&words);
    if (c->operands) {
        enum completion kind = completion_by(c->operands, &words);

        printf("    %s:*)\n", c->name);
        bash_action(kind, text_string(&words));
    }
    text_drop(&words);
    text_drop(&name);
}

static void print_bash(void)
{
    puts("# bash completion of lockstep: source it, or put it where bash-completion looks.\n"
         "# shellcheck shell=bash\n"
         "_lockstep()\n"
         "{\n"
         "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
         "    local command=${COMP_WORDS[1]} words='' kind=''\n"
         "\n"
         "    # --name=value comes as three words\n"
         "    [[ $cur == = ]] && cur=''\n"
         "    [[ $prev == = ]] && prev=${COMP_WORDS[COMP_CWORD - 2]}\n"
         "    COMPREPLY=()\n"
         "    if ((COMP_CWORD == 1)); then");
    fputs("        words='", stdout);
    for (size_t i = 0; commands[i]; i++)
        if (!commands[i]->hidden)
            printf("%s ", commands[i]->name);
    puts("--help --version'\n"
         "        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n"
         "        return\n"
         "    fi\n"
         "    case $command:$prev:$cur in");
    for (size_t i = 0; commands[i]; i++)
        if (!commands[i]->hidden) {
            bash_values(commands[i]);
            bash_words(commands[i]);
        }
    puts("    esac\n"
         "    if [[ $kind ]]; then\n"
         "        compopt -o filenames 2> /dev/null\n"
         "        mapfile -t COMPREPLY < <(compgen \"$kind\" -- \"$cur\")\n"
         "    elif [[ $words ]]; then\n"
         "        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n"
         "    fi\n"
         "}\n"
         "complete -F _lockstep lockstep");
}

/* --- zsh --- */

/* Prints the first sentence of an option's help in brackets of an _arguments line. */
static void zsh_help(const struct option *o)
{
    struct text brief = { 0 };

    option_print_brief(o, &brief);
    putchar('[');
    for (const char *help = text_string(&brief); *help; help++) {
        if (strchr("[]\\", *help))
            putchar('\\');
        if (*help == '\'')
            fputs("'\\''", stdout);
        else
            putchar(*help);
    }
    putchar(']');
    text_drop(&brief);
}

static void zsh_wanted(enum completion kind, const char *metavar, const char *words)
{
    for (; *metavar; metavar++)
        putchar(*metavar == '|' ? ' ' : tolower((unsigned char)*metavar));
    if (kind == WORDS)
        printf(":(%s)", words);
    else if (kind == FILES)
        fputs(":_files", stdout);
    else if (kind == FOLDERS)
        fputs(":_files -/", stdout);
    else
        fputs(": ", stdout);
}

/* '(-p --pipeline)'{-p+,--pipeline=}'[help]:file:_files' */
static void zsh_option(const struct option *o)
{
    struct text words = { 0 }, name = { 0 };
    const char *plus = o->metavar ? "+" : "", *equals = o->metavar ? "=" : "";

    long_name(o, &name);
    fputs(" \\\n            ", stdout);
    if (o->letter)
        printf("'(-%c %s)'{-%c%s,%s%s}'", o->letter, text_string(&name), o->letter, plus,
               text_string(&name), equals);
    else
        printf("'%s%s", text_string(&name), equals);
    zsh_help(o);
    if (o->metavar) {
        enum completion kind = completion_by_option(o, &words);

        putchar(':');
        zsh_wanted(kind, o->metavar, text_string(&words));
    }
    putchar('\'');
    text_drop(&words);
    text_drop(&name);
}

static void zsh_command(const struct command *c)
{
    struct text words = { 0 };

    printf("    %s)\n        _arguments -s -S", c->name);
    for (OPTIONS(o, c))
        zsh_option(o);
    fputs(" \\\n            '(-h --help)'{-h,--help}'[print help]' \\\n            "
          "'--help-all[print all options]'",
          stdout);
    if (c->operands) {
        enum completion kind = completion_by(c->operands, &words);

        fputs(" \\\n            '*:", stdout);
        zsh_wanted(kind, c->operands, text_string(&words));
        putchar('\'');
    }
    puts("\n        ;;");
    text_drop(&words);
}

static void print_zsh(void)
{
    puts("#compdef lockstep\n"
         "# zsh completion of lockstep: put it into a folder of $fpath, as _lockstep.\n"
         "_lockstep()\n"
         "{\n"
         "    local command\n"
         "    local -a commands=(");
    for (size_t i = 0; commands[i]; i++) {
        struct text both = { 0 };

        if (commands[i]->hidden)
            continue;
        text_addf(&both, "%s:%s", commands[i]->name, commands[i]->summary);
        fputs("        ", stdout);
        put_quoted(text_string(&both), false);
        putchar('\n');
        text_drop(&both);
    }
    puts("    )\n"
         "\n"
         "    if ((CURRENT == 2)); then\n"
         "        _describe command commands\n"
         "        return\n"
         "    fi\n"
         "    command=$words[2]\n"
         "    shift words\n"
         "    ((CURRENT--))\n"
         "    case $command in");
    for (size_t i = 0; commands[i]; i++)
        if (!commands[i]->hidden)
            zsh_command(commands[i]);
    puts("    esac\n"
         "}\n"
         "if [[ $funcstack[1] == _lockstep ]]; then\n"
         "    _lockstep \"$@\"\n"
         "else\n"
         "    compdef _lockstep lockstep\n"
         "fi");
}

/* --- fish --- */

static void fish_wanted(enum completion kind, const char *words)
{
    if (kind == WORDS)
        printf(" -x -a '%s'", words);
    else if (kind == FILES)
        fputs(" -r -F", stdout);
    else if (kind == FOLDERS)
        fputs(" -x -a '(__fish_complete_directories)'", stdout);
    else
        fputs(" -x", stdout);
}

static void fish_command(const struct command *c)
{
    struct text words = { 0 }, name = { 0 };

    printf("complete -c lockstep -n __fish_use_subcommand -a %s -d ", c->name);
    put_quoted(c->summary, true);
    for (OPTIONS(o, c)) {
        printf("\ncomplete -c lockstep -n '__fish_seen_subcommand_from %s' -l %s", c->name,
               long_name(o, &name) + 2);
        if (o->letter)
            printf(" -s %c", o->letter);
        text_clear(&words);
        if (o->metavar) {
            enum completion kind = completion_by_option(o, &words);

            fish_wanted(kind, text_string(&words));
        }
        fputs(" -d ", stdout);
        text_clear(&words);
        option_print_brief(o, &words);
        put_quoted(text_string(&words), true);
    }
    text_clear(&words);
    if (c->operands) {
        enum completion kind = completion_by(c->operands, &words);

        printf("\ncomplete -c lockstep -n '__fish_seen_subcommand_from %s'", c->name);
        if (kind == WORDS)
            printf(" -a '%s'", text_string(&words));
        else if (kind == FILES)
            fputs(" -F", stdout);
    }
    putchar('\n');
    text_drop(&words);
    text_drop(&name);
}

static void print_fish(void)
{
    puts("# fish completion of lockstep: put it into ~/.config/fish/completions/lockstep.fish\n"
         "complete -c lockstep -f\n"
         "complete -c lockstep -s h -l help -d 'print help'\n"
         "complete -c lockstep -l help-all -d 'print all options'");
    for (size_t i = 0; commands[i]; i++)
        if (!commands[i]->hidden)
            fish_command(commands[i]);
}

/* --- the command --- */

static const struct {
    const char *name;
    void (*print)(void);
} shells[] = { { "bash", print_bash }, { "zsh", print_zsh }, { "fish", print_fish } };

static int run(void *given, const char *const *operand)
{
    struct faults faults = { .name = "lockstep completion" };

    (void)given;
    for (size_t i = 0; operand[0] && !operand[1] && i < COUNTOF(shells); i++)
        if (strcmp(operand[0], shells[i].name) == 0) {
            shells[i].print();
            return EXIT_DONE;
        }
    fault_add(&faults, 0, 0, operand[0] ? operand[0] : "", "name-unknown",
              "name one shell: bash, zsh or fish");
    faults_exit(&faults, EXIT_USAGE);
    faults_drop(&faults);
    return EXIT_USAGE;
}

static const char *const examples[] = {
    "source <(lockstep completion bash)",
    "lockstep completion fish > ~/.config/fish/completions/lockstep.fish",
    NULL,
};

const struct command completion_command = {
    .name = "completion",
    .brief = true,
    .summary = "print completion for bash, zsh or fish",
    .synopsis = "bash|zsh|fish",
    .about =
        "Prints a script to stdout. It completes commands, options and their values, files, and "
        "the names of transforms and ops.",
    .operands = "bash|zsh|fish",
    .examples = examples,
    .run = run,
};
