/* message: what is said on stderr; nothing else in the program writes there, but for the progress
 * bar. Names and texts of others are in messages, and must not steer the terminal. */
#pragma once

#include "text.h"

/* One line: "lockstep: NAME: why". Whatever a terminal may act upon is escaped, a line break too.
 */
void message_print(const char *format, ...) PRINTF_LIKE(1, 2);
/* Lines that were put together before, each ended by a line break. */
void message_print_lines(const struct text *);
