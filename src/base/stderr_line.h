/* stderr_line: prints lines on stderr; besides it, only the progress bar writes there. Messages
 * contain names and texts from files, which must not control the terminal. */
#pragma once

#include "base/text.h"

/* Text lines, or one JSON object per line: level ("error", "warning", "note", "info"), where, line,
 * column and code if there are any, message. */
enum message_format { MESSAGE_TEXT, MESSAGE_JSON };
void message_format(enum message_format);
bool message_is_json(void);
/* True if it is a terminal that may show bold and colors: not a dumb one, and $NO_COLOR is not set.
 */
bool terminal_is_styled(int fd);

/* Prints one line: "lockstep: NAME: why". Escapes everything that a terminal could interpret,
 * including line breaks. */
void message_print(const char *format, ...) PRINTF_LIKE(1, 2);
/* Prints prepared lines, each ended by a line break. */
void message_print_lines(const struct text *);
