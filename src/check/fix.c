/* fix: applies the edits of findings to the text; all other bytes stay. */
#include "check/fix.h"

#include <stdlib.h>
#include <string.h>

/* A stretch [begin, end) of the text, and its replacement. */
struct splice {
    size_t begin, end;
    const char *text; /* NULL: nothing */
    const char *lead; /* before it */
    bool removes;     /* removes an element or a member, with a comma */
    uint32_t finding; /* index of the finding of the edit */
    uint64_t offset;  /* offset and length of the value, for the diff */
    uint32_t length;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Returns the offset after the last byte before `at` that is not whitespace. */
static size_t skip_back(struct slice text, size_t at)
{
    while (at && is_blank(text.at[at - 1]))
        at--;
    return at;
}

static size_t skip_forward(struct slice text, size_t at)
{
    while (at < text.length && is_blank(text.at[at]))
        at++;
    return at;
}

/* Returns the start of the member with this value, or of the value itself in a list. */
static size_t begin_of_member(struct slice text, size_t value)
{
    size_t at = skip_back(text, value);

    if (!at || text.at[at - 1] != ':')
        return value;
    at = skip_back(text, at - 1);
    if (!at || text.at[at - 1] != '"')
        return value;
    for (at--; at; at--) { /* an odd number of backslashes before a quote escapes it */
        size_t slashes = 0;

        while (slashes < at - 1 && text.at[at - 2 - slashes] == '\\')
            slashes++;
        if (text.at[at - 1] == '"' && slashes % 2 == 0)
            return at - 1;
    }
    return value;
}

static void set_removal(struct slice text, struct splice *change)
{
    size_t after = skip_forward(text, change->end);

    change->removes = true;
    change->begin = begin_of_member(text, change->begin);
    if (after < text.length && text.at[after] == ',')
        change->end = skip_forward(text, after + 1);
}

/* Adds a member after the last one. */
static void set_addition(struct slice text, struct splice *change)
{
    change->begin = change->end = skip_back(text, change->end - 1);
    change->lead = text.at[change->begin - 1] == '{' ? "" : ", ";
}

static struct splice change_of(struct slice text, const struct edit *edit, uint32_t finding)
{
    struct splice change = { .begin = edit->offset,
                             .end = edit->offset + edit->length,
                             .text = edit->text,
                             .lead = "",
                             .finding = finding,
                             .offset = edit->offset,
                             .length = edit->length };

    if (edit->kind == EDIT_REMOVE)
        set_removal(text, &change);
    else if (edit->kind == EDIT_ADD)
        set_addition(text, &change);
    return change;
}

/* True if the edit would change nothing. */
static bool is_idle(struct slice text, const struct edit *edit)
{
    return edit->kind == EDIT_REPLACE && strlen(edit->text) == edit->length &&
           memcmp(text.at + edit->offset, edit->text, edit->length) == 0;
}

/* --- edits that can be done together --- */

static int by_begin(const void *a, const void *b)
{
    const struct splice *x = a, *y = b;

    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    if (x->end != y->end)
        return x->end < y->end ? -1 : 1;
    return (x->finding > y->finding) - (x->finding < y->finding);
}

/* True if both edits can be done. A member added after a removed one might lose its comma. */
static bool is_apart(const struct splice *before, const struct splice *c)
{
    if (c->begin < before->end)
        return false;
    return c->begin > before->end || before->removes == c->removes;
}

/* Marks findings whose edits touch an edit of another finding. */
static void refuse_touching(const struct splice *changes, size_t n, bool *refused)
{
    const struct splice *before = NULL;

    for (size_t i = 0; i < n; i++) {
        if (refused[changes[i].finding])
            continue;
        if (before && changes[i].finding != before->finding && !is_apart(before, &changes[i]))
            refused[changes[i].finding] = true;
        else
            before = &changes[i];
    }
}

static void collect(const struct fixes *x, const struct check *c, size_t file, struct pile *changes)
{
    const struct finding *f = c->findings.at;
    struct slice text = c->files[file].text;

    for (size_t i = 0; i < c->findings.n; i++) {
        if (f[i].file != file || f[i].hidden || f[i].rule->fix > x->max_kind)
            continue;
        for (const struct fix *fix = f[i].fix; fix; fix = fix->next)
            if (!is_idle(text, &fix->edit))
                *(struct splice *)pile_add(changes, sizeof(struct splice)) =
                    change_of(text, &fix->edit, (uint32_t)i);
    }
}

/* --- the new text --- */

/* The last element of a list is removed with the comma before it. That comma may have been removed
 * with the element before, so all adjacent removals are joined. */
static void join_removals(struct slice text, struct splice *done, size_t *n)
{
    struct splice *last = &done[*n - 1];
    size_t after = skip_forward(text, last->end), before;
    char closing = after < text.length ? text.at[after] : '\0';

    if (!last->removes || (closing != ']' && closing != '}'))
        return;
    while (*n > 1 && done[*n - 2].removes && done[*n - 2].end == done[*n - 1].begin) {
        done[*n - 2].end = done[*n - 1].end;
        --*n;
    }
    last = &done[*n - 1];
    before = skip_back(text, last->begin);
    if (before && text.at[before - 1] == ',')
        last->begin = before - 1;
}

static void print_text(struct slice text, const struct splice *changes, size_t n, struct text *out)
{
    size_t at = 0;

    for (size_t i = 0; i < n; i++) {
        text_add(out, text.at + at, changes[i].begin - at);
        if (changes[i].text) {
            text_adds(out, changes[i].lead);
            text_adds(out, changes[i].text);
        }
        at = changes[i].end;
    }
    text_add(out, text.at + at, text.length - at);
}

/* --- the diff --- */

/* Prints a value on its own line, cut after MAX_SHOWN bytes. */
static void print_value(struct text *out, char sign, const char *at, size_t length)
{
    enum { MAX_SHOWN = 200 };
    size_t shown = length < MAX_SHOWN ? length : MAX_SHOWN;
    struct text line = { 0 };

    for (size_t i = 0; i < shown; i++)
        if (!is_blank(at[i]) || !i || !is_blank(at[i - 1]))
            text_addc(&line, is_blank(at[i]) ? ' ' : at[i]);
    text_addc(out, sign);
    text_add_visible(out, text_string(&line), line.length);
    if (shown < length)
        text_addf(out, " ... (%zu bytes)", length);
    text_addc(out, '\n');
    text_drop(&line);
}

static void print_change(struct text *out, const struct check *c, const struct splice *change)
{
    const struct finding *f = (const struct finding *)c->findings.at + change->finding;
    struct slice text = finding_file(c, f)->text;
    struct text pointer = { 0 };

    finding_pointer(c, f, &pointer);
    text_addf(out, "@@ line %llu, column %llu: ", (unsigned long long)f->line,
              (unsigned long long)f->column);
    text_add_visible(out, text_string(&pointer), pointer.length);
    text_addf(out, " %s %s @@\n", f->rule->id, f->rule->slug);
    if (change->begin < change->end)
        print_value(out, '-', text.at + change->offset, change->length);
    if (change->text && *change->text)
        print_value(out, '+', change->text, strlen(change->text));
    text_drop(&pointer);
}

static void print_diff(struct fixes *x, const struct check *c, size_t file,
                       const struct splice *changes, size_t n)
{
    struct text *out = &x->diff;

    text_adds(out, "--- ");
    text_add_visible(out, c->files[file].name, strlen(c->files[file].name));
    text_addf(out, "\n+++ ");
    text_add_visible(out, c->files[file].name, strlen(c->files[file].name));
    text_adds(out, " (fixed)\n");
    for (size_t i = 0; i < n; i++)
        print_change(out, c, &changes[i]);
}

/* --- all fixes --- */

/* Drops the edits of refused findings; returns the number of findings that are left. */
static size_t keep_apart(const struct check *c, struct pile *pile)
{
    struct splice *changes = pile->at;
    bool *refused = memory_take(2 * c->findings.n + 1), *counted = refused + c->findings.n;
    size_t n = 0, kept = 0;

    memset(refused, 0, 2 * c->findings.n + 1);
    qsort(changes, pile->n, sizeof *changes, by_begin);
    refuse_touching(changes, pile->n, refused);
    for (size_t i = 0; i < pile->n; i++)
        if (!refused[changes[i].finding]) {
            n += !counted[changes[i].finding];
            counted[changes[i].finding] = true;
            changes[kept++] = changes[i];
        }
    pile->n = kept;
    free(refused);
    return n;
}

static bool apply(struct fixes *x, const struct check *c, size_t file)
{
    struct slice text = c->files[file].text;
    struct text out = { 0 };
    struct pile pile = { 0 };
    struct splice *changes;
    size_t n = 0;

    collect(x, c, file, &pile);
    changes = pile.at;
    if (pile.n) {
        x->n_of[file] += keep_apart(c, &pile);
        if (x->wants_diff)
            print_diff(x, c, file, changes, pile.n);
        for (size_t i = 0; i < pile.n; i++) {
            changes[n++] = changes[i];
            join_removals(text, changes, &n);
        }
        print_text(text, changes, n, &out);
        text_drop(&x->texts[file]);
        x->texts[file] = out;
        x->slices[file] = (struct slice){ text_string(&out), out.length };
    }
    free(changes);
    return n > 0;
}

bool fixes_apply(struct fixes *x, const struct check *c)
{
    bool mended = false;

    if (!x->texts) {
        x->n_files = c->n_files;
        x->texts = memory_take((c->n_files + 1) * sizeof *x->texts);
        x->slices = memory_take((c->n_files + 1) * sizeof *x->slices);
        x->n_of = memory_take((c->n_files + 1) * sizeof *x->n_of);
        memset(x->texts, 0, (c->n_files + 1) * sizeof *x->texts);
        memset(x->slices, 0, (c->n_files + 1) * sizeof *x->slices);
        memset(x->n_of, 0, (c->n_files + 1) * sizeof *x->n_of);
    }
    for (size_t i = 0; i < c->n_files; i++)
        mended |= apply(x, c, i);
    x->n = 0;
    for (size_t i = 0; i < c->n_files; i++)
        x->n += x->n_of[i];
    return mended;
}

void fixes_drop(struct fixes *x)
{
    for (size_t i = 0; i < x->n_files; i++)
        text_drop(&x->texts[i]);
    free(x->texts);
    free(x->slices);
    free(x->n_of);
    text_drop(&x->diff);
    *x = (struct fixes){ .max_kind = FIX_NONE };
}
