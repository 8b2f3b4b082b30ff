/* environment: the variables that lockstep reads, hidden from the libraries that it uses. */
#pragma once

/* Leaves no variables to libraries, whose results some would change. Called once, before any
 * library is started; what the loader and libc read before `main` has been read. */
void environment_hide(void);
/* Returns the value of a variable as the user set it; NULL: it is not set. */
const char *environment_get(const char *name);
