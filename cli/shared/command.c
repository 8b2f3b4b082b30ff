/* command: walks the options of a command: its own, the shared ones, and the common ones. */
#include "shared/command.h"

#include <string.h>

const struct command *const *commands;

const struct command *command_get(const char *name)
{
    for (size_t i = 0; commands[i]; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

/* --- options of every command --- */

static struct common {
    int message_format;
} common;

static const struct choice message_formats[] = {
    { "text", MESSAGE_TEXT, "lines for people" },
    { "json", MESSAGE_JSON,
      "one JSON object per line: level and message, and where, line, column and code if there are "
      "any" },
    { 0 },
};

static const struct option common_options[] = {
    { 0, 0, "FORMAT",
      CHOICE(struct common, message_format, .preset = "\"text\"", .choices = message_formats,
             .help = "format of the messages on stderr", .group = OPTIONS_MESSAGES, .rare = true) },
    OPTIONS_END,
};

static bool has_option(const struct option *table, const struct option *o)
{
    for (; table && table->row.name; table++)
        if (table == o)
            return true;
    return false;
}

bool option_is_common(const struct option *o)
{
    return has_option(common_options, o);
}

bool option_is_own(const struct command *c, const struct option *o)
{
    return has_option(c->options, o);
}

void *option_place(const struct command *c, const struct option *o, void *options)
{
    void *values = option_is_own(c, o)   ? options
                   : option_is_common(o) ? &common
                                         : c->shared->values;

    return (char *)values + o->row.offset;
}

/* Returns the table after the one that contains `o`, or NULL; `o` is NULL if the command has no
 * options of its own. */
static const struct option *next_table(const struct command *c, const struct option *o)
{
    if (o && option_is_common(o))
        return NULL;
    return c->shared && (!o || option_is_own(c, o)) ? c->shared->options : common_options;
}

const struct option *option_next(const struct command *c, const struct option *o)
{
    const struct option *last = o;

    for (o = o ? o + 1 : c->options; o && o->row.name; o++)
        if ((o->takers & c->taker) == c->taker || !o->takers)
            return o;
    return next_table(c, last);
}

void option_print_name(const struct option *o, struct text *out)
{
    text_adds(out, "--");
    for (const char *c = o->row.name; *c; c++)
        text_addc(out, *c == '_' ? '-' : *c);
}

void option_print_brief(const struct option *o, struct text *out)
{
    const char *end = strstr(o->row.help, ". ");

    text_add(out, o->row.help, end ? (size_t)(end - o->row.help) : strlen(o->row.help));
}
