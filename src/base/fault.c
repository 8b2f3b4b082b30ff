/* fault: collects errors and notes about a document, and prints them with their places. */
#include "base/fault.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXCERPT_BEFORE = 60, EXCERPT_AFTER = 40 };

static struct fault *list_add(struct faults *f, size_t offset, size_t length, const char *path,
                              const char *code)
{
    struct fault *fault;

    if (f->n == f->room) {
        f->room = 2 * f->room + 8;
        f->list = memory_grow(f->list, f->room * sizeof *f->list);
    }
    fault = &f->list[f->n++];
    *fault = (struct fault){ .code = code,
                             .path = path ? arena_copy(&f->arena, path, strlen(path)) : "",
                             .offset = offset,
                             .length = length };
    return fault;
}

bool fault_addv(struct faults *f, size_t offset, size_t length, const char *path, const char *code,
                const char *format, va_list args)
{
    struct text message = { 0 };
    char line[1024];

    vsnprintf(line, sizeof line, format, args);
    text_add_visible(&message, line, strlen(line));
    list_add(f, offset, length, path, code)->message =
        arena_copy(&f->arena, text_string(&message), message.length);
    text_drop(&message);
    return false;
}

bool fault_add(struct faults *f, size_t offset, size_t length, const char *path, const char *code,
               const char *format, ...)
{
    va_list args;

    va_start(args, format);
    fault_addv(f, offset, length, path, code, format, args);
    va_end(args);
    return false;
}

void fault_append(struct faults *f, const char *words)
{
    struct fault *last = &f->list[f->n - 1];

    last->message = arena_printf(&f->arena, "%s%s", last->message, words);
}

/* --- notes --- */

static struct fault *find_note(const struct faults *f, const char *code)
{
    const struct faults *notes = f->notes;

    for (size_t i = 0; notes && i < notes->n; i++)
        if (strcmp(notes->list[i].code, code) == 0)
            return &notes->list[i];
    return NULL;
}

bool note_repeat(struct faults *f, const char *code)
{
    struct fault *note = find_note(f, code);

    if (note)
        note->times++;
    return note || !f->notes;
}

void note_add(struct faults *f, size_t offset, size_t length, const char *path, const char *code,
              const char *what, const char *remedy, bool common)
{
    struct fault *note = list_add(f->notes, offset, length, path, code);

    note->message = what;
    note->remedy = remedy;
    note->common = common;
    note->times = 1;
}

void note_withdraw(struct faults *f, const char *code)
{
    struct fault *note = find_note(f, code);

    if (note)
        *note = f->notes->list[--f->notes->n];
}

void notes_refuse(struct faults *f)
{
    for (size_t i = 0; i < f->notes->n; i++) {
        const struct fault *note = &f->notes->list[i];
        struct fault *fault = list_add(f, note->offset, note->length, note->path, note->code);

        fault->message = note->message;
        fault->times = note->times;
    }
    f->notes->n = 0;
}

/* --- printing --- */

void text_place(struct slice text, size_t offset, size_t *line, size_t *column)
{
    *line = *column = 1;
    for (size_t i = 0; i < offset && i < text.length; i++) {
        if (text.at[i] == '\n') {
            ++*line;
            *column = 1;
        } else {
            ++*column;
        }
    }
}

/* The line around the fault, shortened on both sides when long, and a caret under what is meant. */
static void print_excerpt(const struct faults *f, const struct fault *fault, struct text *out)
{
    const char *text = f->text.at;
    size_t start = fault->offset, end = fault->offset, caret = fault->length;

    if (!text || !caret || start > f->text.length)
        return;
    while (start > 0 && text[start - 1] != '\n' && fault->offset - start < EXCERPT_BEFORE)
        start--;
    while (end < f->text.length && text[end] != '\n' && text[end] != '\r' &&
           end - fault->offset < EXCERPT_AFTER + caret && end - fault->offset < 2 * EXCERPT_AFTER)
        end++;
    while (start < fault->offset && (text[start] == ' ' || text[start] == '\t'))
        start++;
    if (start >= end)
        return;
    text_adds(out, "    ");
    for (size_t i = start, bytes; i < end; i += bytes) {
        if (text_is_control(text + i, end - i, &bytes))
            text_addc(out, ' ');
        else
            text_add(out, text + i, bytes);
    }
    text_adds(out, "\n    ");
    for (size_t i = start, bytes; i < end && i < fault->offset + caret; i += bytes) {
        text_is_control(text + i, end - i, &bytes);
        text_addc(out, i + bytes > fault->offset ? '^' : ' ');
    }
    if (fault->offset >= end)
        text_addc(out, '^');
    text_addc(out, '\n');
}

static int by_offset(const void *a, const void *b)
{
    const struct fault *x = a, *y = b;

    return (x->offset > y->offset) - (x->offset < y->offset);
}

const struct fault_file *fault_file_at(const struct fault_file *files, size_t n, size_t offset)
{
    size_t low = 0, high = n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (files[middle].offset <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &files[low - 1] : NULL;
}

static void print_fault(const struct faults *f, const struct fault *fault, const char *label,
                        struct text *out)
{
    const struct fault_file *file = fault_file_at(f->files, f->n_files, fault->offset);
    size_t begin = file ? file->offset : 0;

    if (file)
        text_add_visible(out, file->name, strlen(file->name));
    else
        text_add_visible(out, f->name, strlen(f->name));
    if (f->text.at) {
        struct slice text = { f->text.at + begin, f->text.length - begin };
        size_t line, column;

        text_place(text, fault->offset - begin, &line, &column);
        if (file && file->line)
            text_addf(out, ":%zu", file->line);
        else
            text_addf(out, ":%zu:%zu", line, column);
    }
    text_addf(out, ": %s", label);
    if (*fault->path) {
        text_add_visible(out, fault->path, strlen(fault->path));
        text_adds(out, ": ");
    }
    text_addf(out, "%s%s%s", fault->message, fault->remedy ? "; " : "",
              fault->remedy ? fault->remedy : "");
    if (fault->times > 1)
        text_addf(out, " (%zu times in all)", fault->times);
    text_addf(out, " [%s]", fault->code);
}

void faults_print_first(const struct faults *f, struct text *out)
{
    print_fault(f, &f->list[0], "", out);
}

void faults_print(struct faults *f, size_t max, struct text *out)
{
    if (f->n > 1)
        qsort(f->list, f->n, sizeof *f->list, by_offset);
    for (size_t i = 0; i < f->n && i < max; i++) {
        const struct fault *fault = &f->list[i];

        if (fault->common && !f->verbose)
            continue;
        print_fault(f, fault,
                    !fault->remedy  ? "error: "
                    : fault->common ? "note: "
                                    : "warning: ",
                    out);
        text_addc(out, '\n');
        if (!fault->remedy)
            print_excerpt(f, fault, out);
    }
    if (f->n > max) {
        text_add_visible(out, f->name, strlen(f->name));
        text_addf(out, ": and %zu more\n", f->n - max);
    }
}

void faults_drop(struct faults *f)
{
    free(f->list);
    arena_drop(&f->arena);
    f->list = NULL;
    f->n = f->room = 0;
}
