/* layout_list: the layouts of whole datasets, each with the values of --to that write it. */
#pragma once

/* Prints a page. Returns EXIT_DONE. */
int layout_list_show(void);
/* Prints one line per layout. */
void layout_list_print_lines(void);
/* Prints a JSON array of objects. */
void layout_list_print_json(void);
