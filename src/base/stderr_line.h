/* stderr_line: what is said on stderr; nothing else in the program writes there, but for the
 * progress bar. Names and texts of others are in messages, and must not steer the terminal. */
#pragma once

#include "base/text.h"

/* Lines for people, or a JSON object a line: level ("error", "warning", "note", "info"), where,
 * line, column and code where there are any, message. */
enum message_format { MESSAGE_TEXT, MESSAGE_JSON };
void message_format(enum message_format);
bool message_is_json(void);
/* Is it a terminal that may show bold and colours: not a dumb one, and $NO_COLOR is not set? */
bool terminal_is_styled(int fd);

/* One line: "lockstep: NAME: why". Whatever a terminal may act upon is escaped, a line break too.
 */
void message_print(const char *format, ...) PRINTF_LIKE(1, 2);
/* Lines that were put together before, each ended by a line break. */
void message_print_lines(const struct text *);
