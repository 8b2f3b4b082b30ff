/* html: self-contained HTML pages: one style, nothing from other servers.
 *  *
 *  * Names and texts of files are escaped. Markup, control characters and characters that change
 * the
 *  * direction of a line are shown, but have no effect. */
#pragma once

#include "base/text.h"

/* Writes the page up to its body, with the title as its heading. A policy in the page forbids
 * scripts and requests to other servers. */
void html_open(struct text *, const char *title);
/* The same; the policy allows this one script, which html_close_with_script writes. */
void html_open_with_script(struct text *, const char *title, const char *script);
void html_close(struct text *);
void html_close_with_script(struct text *, const char *script);

/* Appends text for an element or a quoted attribute of HTML or XML. Bytes that are not UTF-8,
 * controls and the like become \xNN or \uNNNN. Then `<`, `>`, `&` and quotes become entities. */
void html_text(struct text *, const char *, size_t length);
/* Appends bytes in base64, for a URL of the scheme data. */
void html_base64(struct text *, const char *, size_t length);
