/* part_settings: reads which parts of a dataset are transformed, and into how many copies. */
#include "open/dataset.h"
#include "shared/args.h"
#include "shared/say.h"

#include "batch/dataset/balance.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_COPIES = 100000 };

static int refuse(const char *what, const char *code, struct text *why)
{
    return refuse_input(what, why, code, EXIT_USAGE);
}

/* Reads a number of copies, 1..MAX_COPIES. */
static bool read_number(const char *word, unsigned *n)
{
    size_t digits = strspn(word, "0123456789");

    *n = digits && digits < 7 ? (unsigned)atoi(word) : 0;
    return !word[digits] && *n >= 1 && *n <= MAX_COPIES;
}

/* Returns the number in "train=8"; the word itself if it names no part. */
static const char *number_of(const char *word)
{
    const char *equals = strrchr(word, '=');

    return equals ? equals + 1 : word;
}

int open_copies(const struct job_options *o, struct command_inputs *to)
{
    struct text why = { 0 };
    bool whole = false;

    for (size_t i = 0; i < o->part_copies.n; i++) {
        const char *word = o->part_copies.at[i], *number = number_of(word);
        unsigned n;

        if (!read_number(number, &n)) {
            text_addf(&why, "%s is not a number of copies, 1 to %d, or PART=N", word,
                      (int)MAX_COPIES);
            return refuse("--copies", "option-value", &why);
        }
        if (number != word)
            continue;
        if (whole) {
            text_addf(&why, "is given more than once, and takes one value: remove %s", word);
            return refuse("--copies", "option-twice", &why);
        }
        whole = true;
        to->job.naming.copies = n;
    }
    return EXIT_DONE;
}

static bool is_name(const char *name, const char *word, size_t length)
{
    return name && strncmp(name, word, length) == 0 && !name[length];
}

/* Finds a part by the first characters of a word: its name in the source or in the output. */
static int find_part(const struct combination *c, const char *option, const char *word,
                     size_t length, size_t *part)
{
    struct text why = { 0 };

    for (*part = 0; *part < c->n; ++*part)
        if (is_name(c->at[*part].name, word, length) ||
            is_name(c->at[*part].source_name, word, length))
            return EXIT_DONE;
    text_addf(&why, "%.*s: the dataset has no such part; it has ", (int)length, word);
    for (size_t i = 0; i < c->n; i++)
        text_addf(&why, "%s\"%s\"", i ? ", " : "", c->at[i].name);
    return refuse(option, "part-unknown", &why);
}

static int take_copies(const struct job_options *o, const struct combination *c,
                       struct part_settings *settings, bool *seen)
{
    struct text why = { 0 };

    for (size_t i = 0; i < o->part_copies.n; i++) {
        const char *word = o->part_copies.at[i], *number = number_of(word);
        size_t part;
        int code;

        if (number == word)
            continue;
        code = find_part(c, "--copies", word, (size_t)(number - word) - 1, &part);
        if (code)
            return code;
        if (seen[part]) {
            text_addf(&why, "the part \"%s\" is given twice", c->at[part].name);
            return refuse("--copies", "option-twice", &why);
        }
        seen[part] = true;
        read_number(number, &settings[part].copies);
    }
    return EXIT_DONE;
}

static int take_parts(const struct job_options *o, const struct combination *c,
                      struct part_settings *settings)
{
    int code = EXIT_DONE;

    for (size_t i = 0; (o->apply_to.n || o->converts) && i < c->n; i++)
        settings[i].passed = true;
    for (size_t i = 0; !code && i < o->apply_to.n; i++) {
        size_t part;

        code = find_part(c, "--apply-to", o->apply_to.at[i], strlen(o->apply_to.at[i]), &part);
        if (!code)
            settings[part].passed = false;
    }
    return code;
}

static bool has_part_copies(const struct job_options *o)
{
    for (size_t i = 0; i < o->part_copies.n; i++)
        if (strchr(o->part_copies.at[i], '='))
            return true;
    return false;
}

/* Refuses copies of a part that is passed through. */
static int check_passed(const struct combination *c, const struct part_settings *settings,
                        const bool *seen)
{
    struct text why = { 0 };

    for (size_t i = 0; i < c->n; i++)
        if (settings[i].passed && seen[i]) {
            text_addf(&why, "the part \"%s\" is passed through, since --apply-to does not name it",
                      c->at[i].name);
            return refuse("--copies", "option-unused", &why);
        }
    return EXIT_DONE;
}

/* --- balance --- */

static bool is_balanced(const struct job_options *o)
{
    return (o->balance && *o->balance) || o->repeat_threshold > 0;
}

/* Reads the options. Returns EXIT_DONE, or EXIT_USAGE after printing why. */
static int read_rule(const struct job_options *o, struct balance_rule *rule)
{
    const char *word = o->balance ? o->balance : "";
    size_t digits = strspn(word, "0123456789");
    struct text why = { 0 };

    *rule = (struct balance_rule){ .threshold = o->repeat_threshold,
                                   .max_copies = (unsigned)o->max_copies };
    if (option_is_given("max_copies") && !is_balanced(o)) {
        text_adds(&why, "it needs --balance or --repeat-threshold");
        return refuse("--max-copies", "option-unused", &why);
    }
    if (*word && o->repeat_threshold > 0) {
        text_adds(&why, "--repeat-threshold decides the copies, too; give one of the two");
        return refuse("--balance", "option-unused", &why);
    }
    if (is_balanced(o) && o->part_copies.n) {
        text_adds(&why, "--balance and --repeat-threshold decide the copies of each image, at most "
                        "--max-copies");
        return refuse("--copies", "option-unused", &why);
    }
    if (!*word)
        return EXIT_DONE;
    rule->objects = strcmp(word, "max") == 0 ? BALANCE_MAX : atoll(word);
    if (strcmp(word, "max") != 0 && (!digits || digits > 15 || word[digits] || !rule->objects)) {
        text_addf(&why, "%s is not a number of objects, and not max", word);
        return refuse("--balance", "option-value", &why);
    }
    return EXIT_DONE;
}

/* Prints what the copies do to the classes. */
static void print_balance(const struct balance *b, bool all)
{
    message_print("lockstep: balance: %zu image%s become %zu%s", b->n_images,
                  b->n_images == 1 ? "" : "s", b->n_copies,
                  b->capped ? "; --max-copies limits the copies of some [balance-capped]" : "");
    for (size_t i = 0; all && i < b->n_classes; i++) {
        const struct balanced_class *c = &b->classes[i];

        message_print("lockstep: balance: %s%s%s: %llu objects, %llu with the copies", c->part,
                      *c->part ? " " : "", c->category->name, (unsigned long long)c->before,
                      (unsigned long long)c->after);
    }
}

int open_balance(const struct job_options *o, struct command_inputs *to)
{
    struct balance *balance = ARENA_NEW(&to->arena, struct balance);
    struct faults faults = dataset_faults(&to->dataset);
    struct balance_rule rule;
    struct text why = { 0 };
    int code = read_rule(o, &rule);

    if (code || !is_balanced(o))
        return code;
    if (!to->dataset.format) {
        text_adds(&why, "there are no labels to count");
        return refuse("--balance", "option-unused", &why);
    }
    if (!balance_make(&to->job, &rule, balance, &faults))
        code = faults_exit(&faults, EXIT_INPUT);
    faults_drop(&faults);
    if (code)
        return code;
    to->job.naming.copies = rule.max_copies;
    for (size_t i = 0; to->job.naming.parts && i < to->dataset.combination->n; i++)
        ((struct part_settings *)to->job.naming.parts)[i].copies = rule.max_copies;
    to->job.naming.balance = balance;
    to->job.naming.balance_hash =
        hash_quick(balance->copies, to->dataset.n_records * sizeof *balance->copies);
    if (!o->quiet)
        print_balance(balance, o->dry_run || o->verbose);
    return EXIT_DONE;
}

int open_part_settings(const struct job_options *o, struct command_inputs *to)
{
    const struct combination *c = to->dataset.combination;
    struct part_settings *settings;
    struct text why = { 0 };
    bool *seen;
    int code;

    if (option_is_given("link") && !o->apply_to.n && !o->converts) {
        text_adds(&why, "all images are transformed without --apply-to");
        return refuse("--link", "option-unused", &why);
    }
    if (!o->apply_to.n && !has_part_copies(o) && !o->converts)
        return EXIT_DONE;
    if (!c) {
        text_adds(&why, "these annotations are not divided into parts");
        return refuse(o->apply_to.n ? "--apply-to" : "--copies", "option-unused", &why);
    }
    settings = ARENA_ARRAY(&to->arena, struct part_settings, c->n);
    seen = ARENA_ARRAY(&to->arena, bool, c->n);
    for (size_t i = 0; i < c->n; i++)
        settings[i].copies = to->job.naming.copies;
    code = take_copies(o, c, settings, seen);
    if (!code)
        code = take_parts(o, c, settings);
    to->job.naming.parts = settings;
    return code ? code : check_passed(c, settings, seen);
}
