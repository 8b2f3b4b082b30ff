/* baseline: known findings. The file is an object with one finding per line, so that changes are
 * easy to see:
 *  *
 *  *   {"schema": "lockstep.baseline/1", "findings": [
 *  *   {"fingerprint": "0b5f...", "rule": "B005", "image": "a.jpg"}
 *  *   ]} */
#include "check/baseline.h"

#include "base/output_file.h"
#include "batch/io/folder.h"
#include "json/document.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_FILE = 1 << 30, DIGITS = 32 };

static int by_bytes(const void *a, const void *b)
{
    return memcmp(a, b, 16);
}

/* --- reading --- */

static int digit_of(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool read_hex(const char *hex, uint8_t to[16])
{
    for (size_t i = 0; i < DIGITS; i++) {
        int digit = digit_of(hex[i]);

        if (digit < 0)
            return false;
        to[i / 2] = (uint8_t)(to[i / 2] << 4 | digit);
    }
    return true;
}

struct baseline_reader {
    struct pile at; /* uint8_t[16] */
    struct pick_order order;
};

static void read_finding(void *context, struct scan *s, const struct place *p)
{
    struct baseline_reader *r = context;
    struct pick pick = { .name = "fingerprint", .required = true };
    struct slice element;

    if (!pick_members(s, p, &r->order, &pick, 1, &element))
        return;
    if (pick.value.length != DIGITS + 2 || !read_hex(pick.value.at + 1, pile_add(&r->at, 16)))
        place_fault(p, pick.value, pick.name, "option-value", "expected 32 hexadecimal digits");
}

static bool read_text(struct faults *f, struct baseline *to, struct arena *arena)
{
    static const struct walk walk = { .name = "findings", .required = true, .read = read_finding };
    struct place p = { .faults = f, .code_missing = "option-value", .code_type = "option-value" };
    struct baseline_reader r = { 0 };
    struct document document;
    bool good = document_read(&p, "option-value", &walk, 1, &r, arena, &document) && !f->n;

    to->n = r.at.n;
    to->at = (void *)arena_copy(arena, r.at.at ? r.at.at : "", r.at.n * 16);
    qsort(to->at, to->n, 16, by_bytes);
    free(r.at.at);
    return good;
}

bool baseline_read(const char *path, struct baseline *to, struct arena *arena,
                   struct faults *faults)
{
    struct text text = { 0 }, why = { 0 }, words = { 0 };
    struct faults inner = { .name = path };
    bool good = input_read_named(path, LARGEST_FILE, &text, &why);

    if (!good) {
        fault_add(faults, 0, 0, path, "annotations-unread", "the baseline cannot be read: %s",
                  text_string(&why));
    } else {
        inner.text = (struct slice){ text.at, text.length };
        good = read_text(&inner, to, arena);
        if (!good) {
            faults_print(&inner, 5, &words);
            fault_add(faults, 0, 0, path, "annotations-unread", "this is not a baseline:\n%s",
                      text_string(&words));
        }
    }
    faults_drop(&inner);
    text_drop(&words);
    text_drop(&text);
    text_drop(&why);
    return good;
}

/* --- writing --- */

bool baseline_write(const char *path, const struct check *c, struct faults *faults)
{
    const struct finding *f = c->findings.at;
    struct text text = { 0 }, why = { 0 };
    char hex[DIGITS + 1];
    bool good;

    text_adds(&text, "{\"schema\": \"lockstep.baseline/1\", \"findings\": [");
    for (size_t i = 0; i < c->findings.n; i++) {
        const struct checked_image *image = finding_image(c, &f[i]);

        finding_fingerprint(&f[i], hex);
        text_addf(&text, "%s\n{\"fingerprint\": \"%s\", \"rule\": \"%s\"", i ? "," : "", hex,
                  f[i].rule->id);
        if (image && *image->name) {
            text_adds(&text, ", \"image\": ");
            text_add_json(&text, image->name, strlen(image->name));
        }
        text_addc(&text, '}');
    }
    text_adds(&text, "\n]}\n");
    good = output_write(path, true, text.at, text.length, &why) == EXIT_DONE ||
           fault_add(faults, 0, 0, path, "out-write", "%s", text_string(&why));
    text_drop(&text);
    text_drop(&why);
    return good;
}

/* --- hiding --- */

void baseline_hide(const struct baseline *b, struct check *c)
{
    struct finding *f = c->findings.at;

    for (size_t i = 0; b->n && i < c->findings.n; i++)
        if (bsearch(f[i].fingerprint, b->at, b->n, 16, by_bytes)) {
            f[i].hidden = true;
            check_setting(c, f[i].rule)->hidden++;
            c->n_hidden++;
        }
}

size_t baseline_count_gone(const struct baseline *b, const struct check *c)
{
    return b->n > c->n_hidden ? b->n - c->n_hidden : 0;
}
