/* starter_list: the built-in pipelines, each with its purpose, which is its "$comment". */
#pragma once

/* Prints a page. Returns EXIT_DONE. */
int starter_list_show(void);
/* Prints one line per pipeline. */
void starter_list_print_lines(void);
/* Prints a JSON array of objects. */
void starter_list_print_json(void);
