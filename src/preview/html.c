/* html: self-contained HTML pages. */
#include "preview/html.h"

#include <string.h>

static const char head[] =
    "<!DOCTYPE html>\n"
    "<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
    "style-src 'unsafe-inline'; img-src data:\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";

static const char style[] =
    "<style>\n"
    "body { font: 15px/1.45 'DejaVu Sans', Verdana, sans-serif; color: #1d2126; background: "
    "#fff;\n"
    "       max-width: 80em; margin: 2em auto; padding: 0 1.2em; }\n"
    "h1 { font-size: 1.5em; overflow-wrap: anywhere; }\n"
    "h2 { font-size: 1.1em; margin-top: 2em; }\n"
    "table { border-collapse: collapse; font-size: 0.92em; }\n"
    "th, td { text-align: left; vertical-align: top; padding: 0.25em 1em 0.25em 0;\n"
    "         border-bottom: 1px solid #dfe3e8; overflow-wrap: anywhere; }\n"
    "td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }\n"
    "code { font: 0.92em 'DejaVu Sans Mono', monospace; overflow-wrap: anywhere; }\n"
    ".quiet { color: #5b6570; }\n"
    ".error { color: #b3261e; } .warning { color: #8a5a00; } .info { color: #1f5fa8; }\n"
    ".plots { display: flex; flex-wrap: wrap; gap: 0 3em; }\n"
    ".pictures { display: grid; grid-template-columns: repeat(auto-fill, minmax(20em, 1fr)); gap: "
    "1.2em; }\n"
    "figure { margin: 0; } figure img { max-width: 100%; background: #eef0f3; }\n"
    "figcaption { font-size: 0.85em; overflow-wrap: anywhere; }\n"
    "svg { max-width: 100%; height: auto; }\n"
    "</style>\n";

void html_open(struct text *t, const char *title)
{
    text_adds(t, head);
    text_adds(t, "<title>");
    html_text(t, title, strlen(title));
    text_adds(t, "</title>\n");
    text_adds(t, style);
    text_adds(t, "</head>\n<body>\n<h1>");
    html_text(t, title, strlen(title));
    text_adds(t, "</h1>\n");
}

void html_close(struct text *t)
{
    text_adds(t, "</body>\n</html>\n");
}

static const char *entity_of(char c)
{
    switch (c) {
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '&':
        return "&amp;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

/* True for U+FFFE and U+FFFF, which are UTF-8 but not characters of XML. */
static bool is_foreign_to_xml(const char *at)
{
    return memcmp(at, "\xef\xbf", 2) == 0 && (unsigned char)at[2] >= 0xbe;
}

void html_text(struct text *t, const char *at, size_t length)
{
    struct text visible = { 0 };

    text_add_visible(&visible, at, length);
    for (size_t i = 0; i < visible.length; i++) {
        const char *entity = entity_of(visible.at[i]);

        if (entity) {
            text_adds(t, entity);
        } else if (is_foreign_to_xml(visible.at + i)) {
            text_addf(t, "\\uff%02x", (unsigned char)visible.at[i + 2] + 0x40u);
            i += 2;
        } else {
            text_addc(t, visible.at[i]);
        }
    }
    text_drop(&visible);
}
