/* html: self-contained HTML pages of our own making: one style, no script, nothing from elsewhere.
 *
 * Names and texts of others are escaped so that they are text and nothing else: markup, control
 * characters, and characters that turn the direction of a line are shown, not obeyed. */
#pragma once

#include "base/text.h"

/* The page up to its body, with the title as its heading. A policy in it forbids scripts, and
 * requests to other servers. */
void html_open(struct text *, const char *title);
void html_close(struct text *);

/* Append text for an element, or for an attribute in quotes, of HTML or XML: what is no UTF-8,
 * controls and the like as \xNN or \uNNNN, then `<`, `>`, `&` and quotes as entities. */
void html_text(struct text *, const char *, size_t length);
