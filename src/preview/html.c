/* html: self-contained HTML pages. */
#include "preview/html.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

static const char head[] = "<!DOCTYPE html>\n"
                           "<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
                           "'none'; style-src 'unsafe-inline'; img-src data:";
static const char viewport[] =
    "\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";

/* The contrast of all texts is at least 4.5 : 1 in both schemes. */
static const char style[] =
    "<style>\n"
    ":root { color-scheme: light dark; --text: #1d2126; --ground: #fff; --line: #dfe3e8;\n"
    "        --quiet: #5b6570; --panel: #eef0f3; --mark: #2f6db3; --error: #b3261e;\n"
    "        --warning: #8a5a00; --info: #1f5fa8; }\n"
    "@media (prefers-color-scheme: dark) {\n"
    "  :root { --text: #e4e7eb; --ground: #15181c; --line: #3a414a; --quiet: #a3acb6;\n"
    "          --panel: #23282e; --mark: #6fa8e8; --error: #ff8a80; --warning: #f0b95a;\n"
    "          --info: #82b8f5; } }\n"
    "body { font: 15px/1.45 'DejaVu Sans', Verdana, sans-serif; color: var(--text);\n"
    "       background: var(--ground); max-width: 80em; margin: 2em auto; padding: 0 1.2em; }\n"
    "h1 { font-size: 1.5em; overflow-wrap: anywhere; }\n"
    "h2 { font-size: 1.1em; margin-top: 2em; }\n"
    "h3 { font-size: 1em; margin: 0; overflow-wrap: anywhere; }\n"
    "table { border-collapse: collapse; font-size: 0.92em; }\n"
    "caption { text-align: left; padding-bottom: 0.4em; color: var(--quiet); }\n"
    "th, td { text-align: left; vertical-align: top; padding: 0.25em 1em 0.25em 0;\n"
    "         border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }\n"
    "tbody th { font-weight: normal; }\n"
    "td.number, th.number { text-align: right; font-variant-numeric: tabular-nums;\n"
    "                       overflow-wrap: normal; }\n"
    "code { font: 0.92em 'DejaVu Sans Mono', monospace; overflow-wrap: anywhere; }\n"
    ".quiet { color: var(--quiet); }\n"
    ".error { color: var(--error); } .warning { color: var(--warning); }\n"
    ".info { color: var(--info); }\n"
    ".plots { display: flex; flex-wrap: wrap; gap: 0 3em; }\n"
    ".plots > * { min-width: 0; max-width: 100%; }\n"
    ".plots table { margin-bottom: 1.2em; }\n"
    ".plots > section { width: 360px; }\n"
    "th.word { overflow-wrap: break-word; }\n"
    "@media (min-width: 50em) { td.number { white-space: nowrap; } }\n"
    ".pictures { display: grid; gap: 1.2em;\n"
    "            grid-template-columns: repeat(auto-fill, minmax(min(20em, 100%), 1fr)); }\n"
    "figure { margin: 0; } figure img { max-width: 100%; background: var(--panel); }\n"
    "figcaption { font-size: 0.85em; overflow-wrap: anywhere; }\n"
    "svg { max-width: 100%; height: auto; }\n"
    ".cards { display: grid; gap: 1.2em; align-items: start;\n"
    "         grid-template-columns: repeat(auto-fill, minmax(min(21em, 100%), 1fr)); }\n"
    ".card { background: var(--panel); padding: 0.8em 1em; min-width: 0; }\n"
    ".card p { margin: 0.4em 0 0; overflow-wrap: anywhere; }\n"
    ".bars { display: block; width: 100%; height: 44px; fill: var(--mark); }\n"
    ".pair { margin: 0 0 1.6em; }\n"
    ".two { display: grid; gap: 0.8em; align-items: start;\n"
    "       grid-template-columns: repeat(auto-fill, minmax(min(20em, 100%), 1fr)); }\n"
    ".two p { margin: 0 0 0.3em; overflow-wrap: anywhere; font-size: 0.85em; }\n"
    ".shot { position: relative; max-width: 34em; }\n"
    ".shot img { display: block; width: 100%; height: auto; }\n"
    ".marks { position: absolute; inset: 0; width: 100%; height: 100%; fill: none;\n"
    "         stroke-width: 2; filter: drop-shadow(0 0 1px #000); }\n"
    ".marks * { vector-effect: non-scaling-stroke; }\n"
    ".chip { display: inline-block; width: 0.8em; height: 0.8em; margin: 0 0.3em 0 0.8em;\n"
    "        border: 1px solid var(--text); }\n"
    "select, button { font: inherit; color: inherit; background: var(--panel);\n"
    "                 border: 1px solid var(--quiet); padding: 0.2em 0.6em; }\n"
    "select { max-width: min(100%, 24em); }\n"
    "[hidden] { display: none !important; }\n"
    "</style>\n";

/* Appends the SHA-256 of a script, by which the page's policy knows it. */
static void allow_script(struct text *t, const char *script)
{
    char hex[65], digest[32];

    hash_hex(script, strlen(script), hex);
    for (size_t i = 0; i < sizeof digest; i++)
        digest[i] = (char)strtoul((char[]){ hex[2 * i], hex[2 * i + 1], '\0' }, NULL, 16);
    text_adds(t, "; script-src 'sha256-");
    html_base64(t, digest, sizeof digest);
    text_adds(t, "'");
}

void html_open_with_script(struct text *t, const char *title, const char *script)
{
    text_adds(t, head);
    if (script)
        allow_script(t, script);
    text_adds(t, viewport);
    text_adds(t, "<title>");
    html_text(t, title, strlen(title));
    text_adds(t, "</title>\n");
    text_adds(t, style);
    text_adds(t, "</head>\n<body>\n<h1>");
    html_text(t, title, strlen(title));
    text_adds(t, "</h1>\n");
}

void html_open(struct text *t, const char *title)
{
    html_open_with_script(t, title, NULL);
}

void html_close_with_script(struct text *t, const char *script)
{
    text_addf(t, "<script>%s</script>\n", script);
    html_close(t);
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

void html_base64(struct text *out, const char *at, size_t length)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    for (size_t i = 0; i < length; i += 3) {
        uint32_t three = 0;

        for (size_t k = 0; k < 3; k++)
            three = three << 8 | (i + k < length ? (uint8_t)at[i + k] : 0);
        for (size_t k = 0; k < 4; k++)
            text_addc(out, k > length - i ? '=' : digits[three >> (18 - 6 * k) & 63]);
    }
}
